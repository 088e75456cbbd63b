//! Comparisons: the JSON of `gitglot check`, and caching.

use serde_json::Value;

use super::{BASE, BRANCHES, CS, EN, configure, serve, site, write};
use crate::common::{History, Server, TestSite, branch_at, commit, gitglot, until};
use crate::reloading::send;

/// The JSON of `gitglot check`.
fn check(site: &TestSite, base: &str, head: &str) -> Value {
    let config = site.path("gitglot.toml");
    let output = gitglot()
        .args(["check", "--config", config.to_str().unwrap()])
        .args(["--revision", head, "--base", base, "--format", "json"])
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_comparison_is_the_report_of_gitglot_check() {
    let site = site();
    let server = serve(&site, &[]);
    let found = server.json(&format!(
        "{BASE}/compare/main...release%2F1.x/?page_size=1000"
    ));
    let id = site.repository.id("release").to_string();
    let wanted = check(&site, "main", &id);
    let keys = [
        "status",
        "failed",
        "commit",
        "checks",
        "totals",
        "components",
        "findings",
    ];
    for key in keys {
        assert_eq!(found[key], wanted[key], "{key}");
    }
    assert_eq!(found["base"]["commit"], wanted["base"]["commit"]);
    assert_eq!(found["count"], wanted["findings"].as_array().unwrap().len());
    assert_eq!(found["status"], "failed");
    // Pages and filters cut the same list.
    let all = found["findings"].as_array().unwrap();
    let mut paged = Vec::new();
    let mut next = Some(format!("{BASE}/compare/main...release%2F1.x/?page_size=1"));
    while let Some(path) = next {
        let page = server.json(&path);
        paged.extend(page["findings"].as_array().unwrap().clone());
        next = page["next"].as_str().map(str::to_owned);
    }
    assert_eq!(&paged, all);
    let new = server.json(&format!(
        "{BASE}/compare/main...release%2F1.x/?new_only=true&language=cs"
    ));
    let is_new = |finding: &&Value| finding["new"] == true && finding["language"] == "cs";
    let wanted: Vec<&Value> = all.iter().filter(is_new).collect();
    let found: Vec<&Value> = new["findings"].as_array().unwrap().iter().collect();
    assert!(!wanted.is_empty());
    assert_eq!(found, wanted);
    assert_eq!(
        server
            .get(&format!("{BASE}/compare/v1...main/?new_only=maybe"))
            .0,
        400
    );
}

#[test]
fn a_guessed_template_counts_as_in_gitglot_check() {
    let write = |history: History, fr: &str| {
        let texts = [("fr", fr), ("cs", "Dobrý den"), ("it", "Buongiorno {name}")];
        texts.iter().fold(history, |history, (language, text)| {
            let text = format!("{{\"a\": \"{text}\", \"b\": \"{language} {{name}}\"}}");
            history.write(&format!("locales/{language}.json"), text)
        })
    };
    let one = write(commit("one"), "Bonjour");
    let two = write(commit("two"), "Bonjour {name}");
    let site = TestSite::new(&one.then(two));
    let repo = site.repository.dir().to_str().unwrap().to_owned();
    let server = Server::start(&["serve", &repo, "--project", "p"], &site.path("state"));
    let [one, two] = ["one", "two"].map(|label| site.repository.id(label).to_string());
    let component = server.json("/api/components/")["results"][0]["slug"].clone();
    let component = component.as_str().unwrap();
    let found = server.json(&format!(
        "/api/components/p/{component}/compare/{one}...{two}/"
    ));
    let output = gitglot()
        .args(["check", &repo, "--project", "p", "--format", "json"])
        .args(["--base", &one, "--revision", &two])
        .output()
        .unwrap();
    let wanted: Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in ["notes", "findings", "status"] {
        assert_eq!(found[key], wanted[key], "{key}");
    }
    let finding = &found["findings"][0];
    assert_eq!(finding["severity"], "error", "{found}");
}

#[test]
fn only_comparisons_of_commit_ids_are_immutable() {
    let site = site();
    let server = serve(&site, &[]);
    let id = |label: &str| site.repository.id(label).to_string();
    let cache = |path: &str| {
        let url = format!("{}{BASE}/{path}", server.base);
        let response = ureq::get(&url).call().unwrap();
        let header = response.headers().get("cache-control").unwrap();
        assert!(response.headers().contains_key("etag"));
        header.to_str().unwrap().to_owned()
    };
    let fixed = format!("compare/{}...{}/", id("one"), id("two"));
    assert!(cache(&fixed).contains("immutable"));
    assert_eq!(
        cache(&format!("compare/v1...{}/", id("two"))),
        "public, no-cache"
    );
    assert_eq!(
        cache(&format!("revisions/{}/", id("one"))),
        "public, no-cache"
    );
}

/// A report with its findings in the order of comparisons: by place, as their pages are made file by file.
fn by_place(mut report: Value) -> Value {
    let findings = report["findings"].as_array_mut().unwrap();
    findings.sort_by_cached_key(|it| {
        let [line, column] = ["line", "column"].map(|name| it[name].as_u64());
        let texts = ["file", "check", "key"].map(|name| it[name].as_str().map(str::to_owned));
        let [file, check, key] = texts;
        (file, line, column, check, key)
    });
    report
}

#[test]
fn files_that_do_not_change_keep_their_numbers() {
    const DE: &str = "locales/de.json";
    let cs = r#"{"a": "Á %d", "left": "x", "c": ""}"#;
    let history = write(commit("one"), r#"{"a": "A %s", "b": "B", "c": "C"}"#, cs)
        .write(DE, r#"{"a": "Ä %s"}"#)
        .then(commit("two").write(DE, r#"{"a": "Ä %d", "b": "B"}"#))
        .then(commit("three").write(DE, r#"{"a": "Ä %s", "old": "x"}"#))
        .then(commit("source").write(EN, r#"{"a": "A %s", "b": "B!", "d": "D"}"#))
        .then(commit("broken").write(DE, r#"{"a": "#))
        .then(commit("tip").write(DE, r#"{"a": "Ä %s"}"#).delete(CS));
    let site = TestSite::new(&history);
    configure(&site, "");
    let server = serve(&site, &[]);
    let labels = ["one", "two", "three", "source", "broken", "tip"];
    let ids = labels.map(|label| site.repository.id(label).to_string());
    for pair in ids
        .windows(2)
        .chain([&[ids[0].clone(), ids[5].clone()][..]])
    {
        let path = format!("{BASE}/compare/{}...{}/?page_size=1000", pair[0], pair[1]);
        let (new, all) = (
            server.json(&format!("{path}&new_only=true")),
            server.json(&path),
        );
        let wanted = by_place(check(&site, &pair[0], &pair[1]));
        for key in ["totals", "components", "findings", "notes"] {
            assert_eq!(all[key], wanted[key], "{pair:?} {key}");
        }
        assert_eq!(
            (&new["totals"], &new["components"]),
            (&all["totals"], &all["components"])
        );
        let findings = wanted["findings"].as_array().unwrap();
        let is_new = |finding: &&Value| finding["new"] == true;
        let wanted: Vec<&Value> = findings.iter().filter(is_new).collect();
        let found: Vec<&Value> = new["findings"].as_array().unwrap().iter().collect();
        assert_eq!(found, wanted, "{pair:?}");
        assert_eq!(all["count"], findings.len(), "{pair:?}");
    }
}

#[test]
fn stale_strings_are_those_of_gitglot_check() {
    let both = |label: &str, en: &str, cs: &str| write(commit(label), en, cs);
    let cs = r#"{"a": "á", "b": "bé", "c": "cé"}"#;
    let history = both("one", r#"{"a": "A", "b": "B", "c": "C"}"#, cs)
        .then(both("two", r#"{"a": "A!", "b": "B", "c": "C"}"#, cs))
        .then(both(
            "three",
            r#"{"a": "A!", "b": "B!", "c": "C!"}"#,
            r#"{"a": "á", "b": "bé", "c": "cé!"}"#,
        ))
        .then(branch_at("release/x", "two"))
        .then(commit("source").write(EN, r#"{"a": "A!!", "b": "B?", "c": "C"}"#))
        .then(commit("text").write(CS, r#"{"a": "á", "b": "bé?", "c": "cé"}"#));
    let site = TestSite::new(&history);
    configure(&site, BRANCHES);
    let server = serve(&site, &[]);
    let id = |label: &str| site.repository.id(label).to_string();
    for (base, head, stale) in [
        ("one", "two", &["a"][..]),
        // The first string is stale in both.
        ("two", "three", &["b"]),
        ("one", "three", &["a", "b"]),
        ("two", "text", &["a"]),
        ("three", "source", &["a", "b"]),
        ("two", "two", &[]),
    ] {
        let (base, head) = (id(base), id(head));
        let path = format!("{BASE}/compare/{base}...{head}/?page_size=1000");
        let found = server.json(&path);
        let wanted = by_place(check(&site, &base, &head));
        for key in ["totals", "components", "findings", "notes"] {
            assert_eq!(found[key], wanted[key], "{base} {head} {key}");
        }
        let findings = found["findings"].as_array().unwrap().iter();
        let keys: Vec<&str> = findings
            .filter(|finding| finding["check"] == "stale")
            .map(|finding| finding["key"].as_str().unwrap())
            .collect();
        assert_eq!(keys, stale, "{base} {head}");
    }
}

#[test]
fn a_reload_that_changes_the_checks_drops_cached_results() {
    let site = site();
    configure(&site, &format!("{BRANCHES}\nchecks = 'modern'"));
    let server = serve(&site, &[]);
    let checks = || {
        let compared = server.json(&format!("{BASE}/compare/main...release%2F1.x/"));
        let state = server.json(&format!("{BASE}/revisions/release%2F1.x/"));
        let failing = state["statistics"].as_array().unwrap().iter();
        let failing: Option<u64> = failing.map(|it| it["failing_checks"].as_u64()).sum();
        (compared["totals"]["failing"].as_u64(), failing)
    };
    assert_eq!(checks(), (Some(1), Some(1)));
    configure(
        &site,
        &format!("{BRANCHES}\nchecks = 'modern'\ncheck_flags = ''"),
    );
    send(&server, "HUP");
    until("no failing checks", || {
        (checks() == (Some(0), Some(0))).then_some(())
    });
}

#[test]
fn a_comparison_shows_the_only_text_of_a_catalog_that_changed_and_no_order() {
    const FILE: &str = "App/Localizable.xcstrings";
    let string = |key: &str, german: &str| {
        let unit = |code, text| {
            format!(r#""{code}": {{"stringUnit": {{"state": "translated", "value": "{text}"}}}}"#)
        };
        let (de, fr) = (unit("de", german), unit("fr", "Oui"));
        format!(r#""{key}": {{"localizations": {{{de}, {fr}}}}}"#)
    };
    let catalog = |strings: [String; 2]| {
        let strings = strings.join(",\n");
        format!(r#"{{"sourceLanguage": "en", "strings": {{{strings}}}, "version": "1.0"}}"#)
    };
    let close = || string("Close", "Zu");
    let site = TestSite::new(
        &commit("one")
            .write(FILE, catalog([close(), string("Open", "Auf")]))
            .then(branch_at("text", "one"))
            .then(commit("changed").write(FILE, catalog([close(), string("Open", "Offen")])))
            .then(branch_at("order", "one"))
            .then(commit("sorted").write(FILE, catalog([string("Open", "Auf"), close()]))),
    );
    let repo = site.path("garden.git");
    let mask = ["--component", "app", "--filemask", FILE];
    let arguments = [&["serve", repo.to_str().unwrap()][..], &mask].concat();
    let server = Server::start(&arguments, &site.path("state"));
    let (status, page) = server.get("/compare/garden/app/main...text/");
    assert_eq!(status, 200, "{page}");
    for part in [
        "1 changed text<",
        "<del>Auf</del>",
        "<ins>Offen</ins>",
        "German",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let (status, page) = server.get("/compare/garden/app/main...order/");
    assert!(status == 200 && page.contains("No texts differ."), "{page}");
}
