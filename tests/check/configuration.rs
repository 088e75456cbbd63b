//! The table `[check]`, and configuration files.

use std::fs;

use super::common::{Server, TestSite, commit, component, project};
use super::{Run, clone, has_git, site};

/// Runs with a configuration file that has the table `[check]` and the component of a site.
fn run_with(site: &TestSite, table: &str, flags: &[&str]) -> Run {
    let repository = site.repository.dir().to_str().unwrap();
    let component = component("ui", repository, "locales", "");
    let text = format!("[check]\n{table}\n{}", project("garden", &[component]));
    fs::write(site.path("gitglot.toml"), text).unwrap();
    let arguments = [&["--config", "gitglot.toml", "--format", "json"], flags].concat();
    Run::new(site.folder.path(), &arguments)
}

#[test]
fn ignored_checks_of_source_texts_do_not_count() {
    let history = commit("one")
        .write(
            "locales/en.json",
            r#"{"a": "Please wait...", "b": "Remove the file(s)"}"#,
        )
        .write(
            "locales/de.json",
            r#"{"a": "Bitte warten…", "b": "Datei(en) löschen"}"#,
        );
    let site = TestSite::new(&history);
    for (table, findings) in [
        (
            "",
            &[
                "locales/en.json a ellipsis",
                "locales/en.json b optional_plural",
            ][..],
        ),
        (
            "ignore_checks = ['ellipsis']",
            &["locales/en.json b optional_plural"],
        ),
        ("ignore_keys = ['*']", &[]),
    ] {
        let run = run_with(&site, table, &["--source-checks"]);
        assert_eq!(run.findings(), findings, "{table}: {}", run.err);
        let template = &run.json()["components"][0]["languages"][0];
        assert_eq!(template["failing"], findings.len(), "{table}");
    }
}

#[test]
fn files_that_do_not_parse_can_be_ignored() {
    let broken = commit("one").write("locales/de.json", r#"{"a": "Datei"}"#);
    let missing = TestSite::new(&broken);
    let broken = TestSite::new(&broken.write("locales/en.json", "{"));
    for site in [broken, missing] {
        let run = run_with(&site, "", &[]);
        assert_eq!(run.findings(), ["locales/en.json  parse-error"]);
        let run = run_with(&site, "ignore_checks = ['parse-error']", &[]);
        assert_eq!((run.code, run.findings().len()), (0, 0), "{}", run.err);
    }
}

#[test]
fn the_check_table_sets_gates_and_exceptions() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "change", &[]);
    let config = "[check]\nfail_on = ['error', 'missing']\nignore_checks = ['icu_message_format', 'left-over']\n\
                  ignore_keys = ['cou*', 'hello']\n[check.fail_under_language]\nde = 99\n";
    fs::write(folder.join("gitglot.toml"), config).unwrap();
    let run = Run::new(&folder.join("locales"), &["--format", "json"]);
    assert_eq!(run.code, 1);
    let findings = run.findings();
    assert!(
        !findings
            .iter()
            .any(|it| it.contains("count") || it.contains("hello") || it.contains("left-over")),
        "{findings:?}"
    );
    assert!(
        !findings.iter().any(|it| it.contains("icu_message_format")),
        "{findings:?}"
    );
    for gate in [
        "failed gate: error: ",
        "failed gate: missing: 1 finding",
        "failed gate: fail-under: de",
    ] {
        assert!(run.err.contains(gate), "{gate}: {}", run.err);
    }
}

#[test]
fn a_wrong_check_table_is_refused() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "main", &[]);
    for (config, message) in [
        ("[check]\nfail_un = 3\n", "gitglot.toml:2"),
        ("[check]\nfail_under = 101\n", "is not a percentage"),
        ("[check]\nfail_on = ['stail']\n", "'stail' is not a check"),
        (
            "[check]\nignore_checks = ['nope']\n",
            "'nope' is not a check",
        ),
    ] {
        fs::write(folder.join("gitglot.toml"), config).unwrap();
        let run = Run::new(&folder, &[]);
        assert_eq!(run.code, 2, "{config}");
        assert!(run.err.contains(message), "{config}: {}", run.err);
    }
}

#[test]
fn a_file_is_checked_while_a_server_uses_it() {
    let site = site();
    let repository = site.repository.dir().to_str().unwrap().to_owned();
    let config = site.path("gitglot.toml");
    let text = format!(
        "state_dir = 'state'\n[check]\nfail_on = ['stale']\n{}",
        project("garden", &[component("ui", &repository, "locales", "")])
    );
    fs::write(&config, text).unwrap();
    let server = Server::start(
        &["serve", "--config", config.to_str().unwrap()],
        &site.path("state"),
    );
    assert_eq!(server.json("/api/projects/")["count"], 1);
    let run = Run::new(
        site.folder.path(),
        &["--config", "gitglot.toml", "--format", "json"],
    );
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.json()["components"][0]["name"], "garden/ui");
    let run = Run::new(
        site.folder.path(),
        &[
            "--config",
            "gitglot.toml",
            "--revision",
            "change",
            "--format",
            "json",
        ],
    );
    assert_eq!(run.code, 1);
    assert!(
        run.err.contains("failed gate: stale: 1 finding"),
        "{}",
        run.err
    );
}
