//! Renamed keys in the API, exports and pages.

use crate::common::{ANNA, Person, Server, TestSite, commit};

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
