//! Later runs: the same commit gives the same bytes, and a push changes only what it must.

use super::common::{gitglot, until};
use super::{Examples, Files, MANIFEST, commit, errors, garden, garden_config, run, write_garden};

#[test]
fn two_runs_give_the_same_bytes_and_the_second_writes_nothing() {
    let examples = Examples::new();
    let first = examples.write("first", &["--strings", "none"]);
    let second = examples.write("second", &["--strings", "none"]);
    assert_eq!(first.differences(&second), Vec::<&str>::new());
    let config = examples.config();
    let again = run(
        &examples.path("first"),
        &[
            "--config",
            &config,
            "--strings",
            "none",
            "--state-dir",
            examples.path("s").to_str().unwrap(),
        ],
    );
    assert!(
        errors(&again).contains(" 0 written, 0 removed"),
        "{}",
        errors(&again)
    );
}

#[test]
fn the_time_zone_of_a_machine_is_in_no_file() {
    let site = garden();
    let options = ["--config".to_owned(), garden_config(&site)];
    let write = |zone: &str| {
        let (directory, state) = (
            site.path(&format!("site{}", zone.len())),
            tempfile::tempdir().unwrap(),
        );
        let mut command = gitglot();
        command
            .arg("site")
            .args(&options)
            .arg("--state-dir")
            .arg(state.path());
        command.arg(&directory).env("TZ", zone).env("LC_ALL", zone);
        super::success(&command.output().unwrap());
        Files::read(&directory)
    };
    let (east, west) = (write("Pacific/Kiritimati"), write("UTC"));
    assert_eq!(east.differences(&west), Vec::<&str>::new());
}

#[test]
fn a_push_changes_only_the_files_that_show_it() {
    let mut site = garden();
    let before = write_garden(&site, &[]);
    site.repository
        .push(&commit("two").write("l/cs.json", r#"{"seed": "Semínko", "rose": "Růže"}"#));
    let after = write_garden(&site, &[]);
    let changed = before.differences(&after);
    let key = |name: &str| {
        let units = after.json("api/translations/garden/app/de/units/index.json");
        let units = units["results"].as_array().unwrap().clone();
        let unit = units
            .into_iter()
            .find(|unit| unit["context"] == format!(".{name}"))
            .unwrap();
        unit["web_url"]
            .as_str()
            .unwrap()
            .split("translate/")
            .nth(1)
            .unwrap()
            .to_owned()
    };
    let page = |name: &str| ["translate/", &*key(name)].concat();
    for path in [
        "translate/garden/app/cs/index.html",
        "search/garden/app/texts/cs.js",
        "changes/index.html",
        MANIFEST,
    ] {
        assert!(changed.contains(&path), "{path}: {changed:#?}");
    }
    // The German page of the string shows the Czech text, too; that of the other string does not.
    assert!(changed.contains(&&*page("seed")), "{changed:#?}");
    for path in [
        &*page("rose"),
        "translate/garden/app/de/index.html",
        "api/translations/garden/app/de/units/index.json",
        "search/garden/app/keys.js",
        "search/garden/app/texts/de.js",
        "static/style.css",
        "api/openapi.json",
    ] {
        assert!(
            after.has(path) && !changed.contains(&path),
            "{path}: {changed:#?}"
        );
    }
    // All others show the language, the string, the log, the commit or a sum.
    let string = page("seed");
    let string = string.rsplit('/').nth(1).unwrap();
    let sums = [
        "about/index.html",
        "api/components/garden/app/statistics/index.json",
        "api/components/garden/app/translations/index.json",
        "api/translations/index.json",
        "api/units/index.json",
        "index.html",
        "languages/index.html",
        "projects/garden/app/index.html",
        "projects/garden/index.html",
        "projects/garden/status.json",
        "search/garden/app/texts/cs.js",
        MANIFEST,
    ];
    let is_needed = |path: &&str| {
        let parts = ["/cs/", "changes", string, "/repository/index.json"];
        sums.contains(path)
            || path.starts_with("stats/garden/")
            || parts.iter().any(|part| path.contains(part))
            || (path.starts_with("api/units/") && after.text(path).contains("Semínko"))
    };
    let others: Vec<&str> = changed.into_iter().filter(|it| !is_needed(it)).collect();
    assert_eq!(others, Vec::<&str>::new());
}

#[test]
fn a_removed_language_leaves_no_files() {
    let mut site = garden();
    let before = write_garden(&site, &[]);
    assert!(before.has("projects/garden/app/de/index.html"));
    site.repository.push(&commit("two").delete("l/de.json"));
    let after = write_garden(&site, &[]);
    assert!(!after.0.keys().any(|path| path.contains("/app/de/")));
    assert!(!site.path("public/projects/garden/app/de").exists());
}

#[test]
fn a_foreign_file_stops_the_run_and_nothing_changes() {
    let mut site = garden();
    write_garden(&site, &[]);
    let mine = site.path("public/projects/notes.txt");
    std::fs::write(&mine, "mine").unwrap();
    let before = Files::read(&site.path("public"));
    site.repository.push(&commit("two").delete("l/de.json"));
    let output = run(
        &site.path("public"),
        &[
            "--config",
            &garden_config(&site),
            "--state-dir",
            site.path("state").to_str().unwrap(),
        ],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors(&output).contains("notes.txt is not a file of this site"),
        "{}",
        errors(&output)
    );
    assert!(before == Files::read(&site.path("public")));
}

#[test]
fn watch_writes_the_site_again_after_a_push() {
    let mut site = garden();
    let errors = site.path("errors.txt");
    let mut program = gitglot()
        .args([
            "site",
            "--config",
            &garden_config(&site),
            "--watch",
            "--poll-interval",
            "1s",
            "--log-level",
            "error",
        ])
        .arg("--state-dir")
        .arg(site.path("state"))
        .arg(site.path("public"))
        .stderr(std::fs::File::create(&errors).unwrap())
        .spawn()
        .unwrap();
    let list = site.path("public").join(MANIFEST);
    let first = until("the first site", || std::fs::read(&list).ok());
    site.repository
        .push(&commit("two").write("l/fr.json", r#"{"seed": "Graine"}"#));
    let second = until("the site with the push", || {
        std::fs::read(&list).ok().filter(|list| *list != first)
    });
    // A file of somebody else: the site stays until it is gone.
    let mine = site.path("public/mine.txt");
    std::fs::write(&mine, "mine").unwrap();
    site.repository
        .push(&commit("three").write("l/fr.json", r#"{"seed": "Semence"}"#));
    until("the error", || {
        let log = std::fs::read_to_string(&errors).unwrap();
        log.contains("mine.txt is not a file of this site")
            .then_some(())
    });
    assert!(std::fs::read(&list).unwrap() == second);
    std::fs::remove_file(&mine).unwrap();
    until("the site with the second push", || {
        std::fs::read(&list).ok().filter(|list| *list != second)
    });
    assert!(
        site.path("public/projects/garden/app/fr/index.html")
            .exists()
    );
    program.kill().unwrap();
    program.wait().unwrap();
}
