//! Renamed keys in the API, exports and pages.

use crate::common::{ANNA, History, Person, Server, TestSite, commit, until};

const BEN: Person = Person {
    name: "Example Developer",
    email: "developer@example.org",
    offset: 0,
};

fn file(lines: &[(&str, &str)]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|(key, text)| format!("\"{key}\": \"{text}\""))
        .collect();
    format!("{{{}}}", lines.join(","))
}

/// A string whose source changes after its translation, and a commit that renames its key.
fn site() -> TestSite {
    TestSite::new(
        &commit("one")
            .by_at(ANNA, "2020-01-01 10:00")
            .write("locales/en.json", file(&[("save", "Save"), ("z", "Z")]))
            .write("locales/cs.json", file(&[("save", "Uložit")]))
            .commit("two")
            .by_at(ANNA, "2020-02-01 10:00")
            .write("locales/en.json", file(&[("save", "Save all"), ("z", "Z")]))
            .commit("three")
            .by_at(BEN, "2020-03-01 10:00")
            .write("locales/en.json", file(&[("keep", "Save all"), ("z", "Z")]))
            .write("locales/cs.json", file(&[("keep", "Uložit")])),
    )
}

fn serve(site: &TestSite) -> Server {
    let repo = site.path("garden.git");
    let arguments = [
        "serve",
        repo.to_str().unwrap(),
        "--branch",
        "main",
        "--component",
        "app",
        "--filemask",
        "locales/*.json",
        "--template",
        "locales/en.json",
        "--file-format",
        "json",
    ];
    Server::start(&arguments, &site.path("state"))
}

#[test]
fn a_renamed_string_keeps_its_history_and_its_state() {
    let site = site();
    let server = serve(&site);
    let units = server.json("/api/translations/garden/app/cs/units/");
    let unit = &units["results"][0];
    assert_eq!(
        (&unit["context"], &unit["fuzzy"]),
        (&".keep".into(), &true.into())
    );
    assert_eq!(unit["previous_source"], "Save");

    let changes = |query: &str| -> Vec<String> {
        let path = format!("/api/units/{}/changes/?expand=details{query}", unit["id"]);
        let list = server.json(&path);
        let line = |it: &serde_json::Value| {
            let details = &it["details"];
            format!(
                "{} {} {}",
                it["action"], details["key"], details["renamed_from"]
            )
        };
        list["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(line)
            .collect()
    };
    assert_eq!(changes(""), [r#"5 ".keep" ".save""#]);
    assert_eq!(
        changes("&follow=renames"),
        [r#"5 ".keep" ".save""#, r#"5 ".save" null"#]
    );
    let renames = server.json("/api/renames/");
    assert_eq!(renames["count"], 1);
    let rename = &renames["results"][0];
    assert_eq!(rename["old_key"], ".save");
    assert_eq!(rename["new_key"], ".keep");
    assert_eq!(rename["evidence"], "source-and-translations");
    assert_eq!(rename["languages"], 1);
    assert_eq!(rename["commit"], site.repository.id("three").to_string());

    let address = unit["web_url"].as_str().unwrap();
    let page = server
        .get(&address[address.find("/translate/").unwrap()..])
        .1;
    assert!(
        page.contains("<b>Renamed</b> from <code><bdi>.save</bdi></code>"),
        "{page}"
    );
    assert_eq!(page.matches("New translation").count(), 1, "{page}");
    assert!(page.contains("Source string changed"), "{page}");
    // The person who renamed the key translated nothing.
    let people = server.get("/stats/garden/?show=people").1;
    assert!(
        people.contains(ANNA.name) && !people.contains(BEN.name),
        "{people}"
    );
    let log = server.get("/changes/?project=garden").1;
    assert_eq!(log.matches("New translation</b>").count(), 1, "{log}");
}

/// A namespace whose stale string `save` moves to a namespace of its own.
fn split_site() -> TestSite {
    let both = |source: &str| file(&[("save", source), ("title", "Title")]);
    let (common, menu) = ("locales/en/common.json", "locales/en/menu.json");
    TestSite::new(
        &commit("one")
            .by_at(ANNA, "2020-01-01 10:00")
            .write(common, both("Save"))
            .write("locales/cs/common.json", file(&[("save", "Uložit")]))
            .write(menu, file(&[("other", "Other")]))
            .write("locales/cs/menu.json", file(&[("other", "Jiné")]))
            .commit("two")
            .by_at(ANNA, "2020-02-01 10:00")
            .write(common, both("Save all")),
    )
}

/// The commit that moves the string.
fn split() -> History {
    commit("three")
        .by_at(BEN, "2020-03-01 10:00")
        .write("locales/en/common.json", file(&[("title", "Title")]))
        .write("locales/cs/common.json", file(&[]))
        .write(
            "locales/en/menu.json",
            file(&[("keep", "Save all"), ("other", "Other")]),
        )
        .write(
            "locales/cs/menu.json",
            file(&[("keep", "Uložit"), ("other", "Jiné")]),
        )
}

fn split_arguments(repository: &str) -> [&str; 8] {
    [
        "serve",
        repository,
        "--branch",
        "main",
        "--filemask",
        "locales/{language}/{name}.json",
        "--file-format",
        "json",
    ]
}

/// The parts of the responses and pages that show a moved string.
fn shown(server: &Server) -> Vec<String> {
    let units = server.json("/api/translations/garden/locales-menu/cs/units/");
    let units = units["results"].as_array().unwrap();
    let unit = units.iter().find(|it| it["context"] == ".keep").unwrap();
    let path = format!(
        "/api/units/{}/changes/?expand=details&follow=renames",
        unit["id"]
    );
    let changes = server.json(&path);
    let changes = changes["results"].as_array().unwrap().iter().map(|it| {
        let details = &it["details"];
        format!(
            "{} {} {}",
            it["action"], details["key"], details["renamed_from"]
        )
    });
    let renames = server.json("/api/renames/");
    let rename = &renames["results"][0];
    let address = unit["web_url"].as_str().unwrap();
    let page = server
        .get(&address[address.find("/translate/").unwrap()..])
        .1;
    let has = |text: &str| page.contains(text).to_string();
    let people = server.get("/stats/garden/?show=people").1;
    let mut shown = vec![
        format!("{} {}", unit["fuzzy"], unit["previous_source"]),
        format!(
            "{} {} {} {}",
            rename["old_component"], rename["old_key"], rename["component"], rename["new_key"]
        )
        .replace(&server.base, ""),
        has("<b>Moved</b> from <code><bdi>.save</bdi></code> in <bdi>garden/locales-common</bdi>"),
        page.matches("New translation").count().to_string(),
        has("Source string changed"),
        people.contains(BEN.name).to_string(),
    ];
    shown.extend(changes);
    shown
}

#[test]
fn a_string_that_moves_to_a_different_component_keeps_its_history_and_its_state() {
    let expected = [
        r#"true "Save""#,
        r#""/api/components/garden/locales-common/" ".save" "/api/components/garden/locales-menu/" ".keep""#,
        "true",
        "1",
        "true",
        "false",
        r#"5 ".keep" ".save""#,
        r#"5 ".save" null"#,
    ];
    let mut site = split_site();
    let repository = site.repository.dir().to_str().unwrap().to_owned();
    let arguments = split_arguments(&repository);
    let ledger = format!("file://{}", site.path("store").display());
    let shared = ["--ledger", &*ledger, "--ledger-poll-interval", "20ms"];
    let shared = [&arguments[..], &shared].concat();
    // The move is followed, also by a replica, read again with the stored state, and found in a complete history.
    let server = Server::start(&shared, &site.path("state"));
    let replica = Server::start(&shared, &site.path("replica"));
    site.repository.push(&split());
    for server in [&server, &replica] {
        let has_moved = || server.json("/api/renames/")["count"] == 1;
        until("the move", || has_moved().then_some(()));
        assert_eq!(shown(server), expected, "followed");
    }
    drop(server);
    let server = Server::start(&shared, &site.path("state"));
    assert_eq!(shown(&server), expected, "restarted with the ledger");
    drop(server);
    drop(replica);
    let server = Server::start(&arguments, &site.path("other-state"));
    assert_eq!(shown(&server), expected, "complete");
}

#[test]
fn comparisons_show_a_string_that_moves_to_a_different_component() {
    let mut site = split_site();
    site.repository.push(&split());
    let (repository, base) = (site.repository.dir().to_owned(), site.repository.id("two"));
    let arguments = split_arguments(repository.to_str().unwrap());
    let server = Server::start(&arguments, &site.path("state"));
    let compare = |component: &str| {
        let path = format!("/api/components/garden/locales-{component}/compare/{base}...HEAD/");
        let page = format!("/compare/garden/locales-{component}/{base}...HEAD/");
        (server.json(&path), server.get(&page).1)
    };
    let (old, old_page) = compare("common");
    let (new, new_page) = compare("menu");
    let moved = &old["components"][0]["moved_away"][0];
    assert_eq!(
        (
            &moved["old_key"],
            &moved["new_key"],
            &moved["new_component"]
        ),
        (
            &"save".into(),
            &"keep".into(),
            &"garden/locales-menu".into()
        )
    );
    let arrived = &new["components"][0]["renames"][0];
    assert_eq!(arrived["old_component"], "garden/locales-common");
    assert_eq!(arrived["evidence"], "source-and-translations");
    for report in [&old, &new] {
        let changes = report["components"][0]["totals"]["changes"]
            .as_object()
            .unwrap();
        assert!(changes.values().all(|count| *count == 0), "{report}");
        let findings = report["findings"].as_array().unwrap();
        assert!(findings.iter().all(|it| it["new"] == false), "{report}");
    }
    assert!(
        old_page.contains("moved to <bdi>garden/locales-menu</bdi>"),
        "{old_page}"
    );
    assert!(
        new_page.contains("in <bdi>garden/locales-common</bdi>"),
        "{new_page}"
    );
    for page in [old_page, new_page] {
        assert!(page.contains("No texts differ."), "{page}");
    }
}
