//! The modern checks in the API and on pages, over a real socket.

use serde_json::{Value, json};

use crate::common::{History, Server, TestSite, commit, component, project, until};

fn history() -> History {
    commit("one")
        .message("One\n")
        .write(
            "locales/en.json",
            r#"{"greet": "Hello {{name}}", "open": "Open the file", "stop": "The work is done.", "plain": "Good day"}"#,
        )
        .write(
            "locales/cs.json",
            r#"{"greet": "Ahoj 🎈 {{jmeno}}", "open": "Otevřít soubor", "stop": "Práce je hotová", "plain": "Dobrý den"}"#,
        )
        .commit("two")
        .message("Two\n")
        .write(
            "locales/en.json",
            r#"{"greet": "Hello {{name}}", "open": "Close the window now", "stop": "The work is done.", "plain": "Good day"}"#,
        )
}

/// The units of the Czech translation by key.
fn unit(server: &Server, key: &str, more: &str) -> Value {
    let list = server.json(&format!("/api/units/?q=language:cs+key:=.{key}{more}"));
    assert_eq!(list["count"], 1, "{list}");
    list["results"][0].clone()
}

fn keys(server: &Server, query: &str) -> Vec<String> {
    let list = server.json(&format!("/api/units/?{query}"));
    let results = list["results"].as_array().unwrap();
    let key = |unit: &Value| {
        unit["context"]
            .as_str()
            .unwrap()
            .trim_start_matches('.')
            .to_owned()
    };
    results.iter().map(key).collect()
}

fn start(settings: &str) -> (TestSite, Server) {
    let site = TestSite::new(&history());
    let config = site.path("gitglot.toml");
    let repo = site.path("garden.git").display().to_string();
    let app = component("app", &repo, "locales", settings);
    std::fs::write(&config, project("shop", &[app])).unwrap();
    let config = config.to_str().unwrap();
    let arguments = ["serve", "--config", config, "--poll-interval", "50ms"];
    let server = Server::start(&arguments, &site.path("state"));
    (site, server)
}

#[test]
fn failing_checks_have_names_messages_and_highlights() {
    let (_site, server) = start("");
    let greet = unit(&server, "greet", "");
    let checks = server.json(&format!("/api/units/{}/checks/", greet["id"]));
    assert_eq!(checks["count"], 1, "{checks}");
    let check = &checks["results"][0];
    assert_eq!(check["set"], "modern");
    assert_eq!(check["check"], "i18next_interpolation");
    assert_eq!(check["severity"], "error");
    let message = "Missing placeholders: {{name}}; extra placeholders: {{jmeno}}.";
    assert_eq!(check["message"], message);
    assert_eq!(
        check["highlights"],
        json!([
            {"side": "source", "form": 0, "start": 6, "end": 14, "text": "{{name}}"},
            {"side": "target", "form": 0, "start": 7, "end": 16, "text": "{{jmeno}}"},
        ])
    );
    assert_eq!(
        greet["has_failing_check"], false,
        "3.4 knows no placeholders"
    );
    let stop = unit(&server, "stop", "");
    let both = server.json(&format!("/api/units/{}/checks/?set=all", stop["id"]));
    let sets: Vec<_> = both["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["set"])
        .collect();
    assert_eq!(sets, ["modern", "legacy"]);
    assert_eq!(server.get("/api/units/1/checks/?set=new").0, 400);
    assert_eq!(server.get("/api/units/999/checks/").0, 404);
}

#[test]
fn filters_know_both_sets_and_the_classes_of_stale_strings() {
    let (_site, server) = start("");
    for (query, wanted) in [
        ("q=check:modern", &["greet", "stop"][..]),
        ("q=check:legacy", &["stop"]),
        ("q=check:i18next_interpolation", &["greet"]),
        ("q=check:end_stop", &["stop"]),
        ("q=check:legacy:end_stop", &["stop"]),
        ("q=check:modern:end_stop", &["stop"]),
        ("q=check:same", &[]),
        ("q=has:check", &["stop"]),
        ("q=stale:major", &["open"]),
        ("q=stale:minor", &[]),
        ("stale=major", &["open"]),
        ("stale=cosmetic", &[]),
        ("q=NOT+stale:major+language:cs", &["greet", "stop", "plain"]),
    ] {
        assert_eq!(keys(&server, query), wanted, "{query}");
    }
    let (status, body) = server.get("/api/units/?q=check:i18next");
    assert_eq!(status, 400);
    assert!(
        body.contains("did you mean i18next_interpolation?"),
        "{body}"
    );
    assert_eq!(server.get("/api/units/?q=check:legacy:double_space").0, 400);
    assert_eq!(server.get("/api/units/?stale=huge").0, 400);
}

#[test]
fn details_name_the_set_and_exports_have_the_modern_checks() {
    let (_site, server) = start("");
    let greet = unit(&server, "greet", "&expand=details");
    assert_eq!(greet["details"]["checks"], json!([]));
    assert_eq!(greet["details"]["check_set"], "legacy");
    assert_eq!(
        greet["details"]["modern_checks"],
        json!(["i18next_interpolation"])
    );
    assert_eq!(greet["details"]["source_change"], Value::Null);
    let open = unit(&server, "open", "&expand=details");
    assert_eq!(open["details"]["source_change"], "major");
    assert_eq!(open["previous_source"], "Open the file");
    let single = server.json(&format!("/api/units/{}/?expand=details", open["id"]));
    assert_eq!(single, open);
    let (_, table) = server.get("/api/units/?format=csv");
    assert!(
        table
            .lines()
            .next()
            .unwrap()
            .contains("details_modern_checks"),
        "{table}"
    );
    assert!(table.contains("i18next_interpolation"), "{table}");
    let component = server.json("/api/components/shop/app/?expand=details");
    let details = json!({"check_set": "legacy", "check_flags": null, "modern_failing_checks": 2});
    assert_eq!(component["details"], details);
    let translation = server.json("/api/translations/shop/app/cs/?expand=details");
    assert_eq!(translation["details"]["stale_major"], 1);
    assert_eq!(translation["failing_checks"], 1);
    assert!(
        server
            .json("/api/components/shop/app/")
            .get("details")
            .is_none()
    );
}

#[test]
fn a_component_with_modern_checks_reports_them_as_failing() {
    let (_site, server) =
        start("checks = \"modern\"\ncheck_flags = \"i18next-interpolation, ignore-end-stop\"\n");
    let greet = unit(&server, "greet", "&expand=details");
    assert_eq!(greet["has_failing_check"], true);
    assert_eq!(greet["details"]["check_set"], "modern");
    assert_eq!(greet["details"]["checks"], json!(["i18next_interpolation"]));
    assert_eq!(unit(&server, "stop", "")["has_failing_check"], false);
    let translation = server.json("/api/translations/shop/app/cs/");
    assert_eq!(translation["failing_checks"], 1);
}

#[test]
fn pages_show_modern_checks_and_mark_placeholders() {
    let (_site, server) = start("");
    let list = "/translate/shop/app/cs/?type=check:i18next_interpolation";
    let (_, page) = server.get(list);
    assert!(page.contains(">1 string"), "{page}");
    let greet = unit(&server, "greet", "");
    let url = greet["web_url"].as_str().unwrap();
    let path = &url[url.find("/translate/").unwrap()..];
    let (_, page) = server.get(path);
    for part in [
        "<mark>{{name}}</mark>",
        "<mark>{{jmeno}}</mark>",
        "Missing placeholders: {{name}}; extra placeholders: {{jmeno}}.",
        "modern checks",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let (_, page) = server.get("/translate/shop/app/cs/?type=stale:major");
    assert!(page.contains("stale (major)"), "{page}");
    let (_, page) = server.get("/checks/");
    assert!(page.contains("/checks/i18next_interpolation/"), "{page}");
    let (_, page) = server.get("/projects/shop/app/cs/");
    assert!(page.contains("Stale: major change of the source"), "{page}");
}

#[test]
fn a_push_updates_the_modern_checks() {
    let (mut site, server) = start("");
    assert_eq!(keys(&server, "q=check:modern"), ["greet", "stop"]);
    site.repository.push(&commit("three").message("Three\n").write(
        "locales/cs.json",
        r#"{"greet": "Ahoj {{name}}", "open": "Zavřít okno", "stop": "Práce je hotová", "plain": "Dobrý  den"}"#,
    ));
    let failing = until("the new checks", || {
        let failing = keys(&server, "q=check:modern");
        (failing != ["greet", "stop"]).then_some(failing)
    });
    assert_eq!(failing, ["stop", "plain"]);
}
