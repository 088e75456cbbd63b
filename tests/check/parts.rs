//! Components of one file with all languages.

use super::Run;
use super::common::{TestSite, commit, gitglot};

const FILE: &str = "App/Localizable.xcstrings";

fn catalog(open: &str, order: &[&str]) -> String {
    let strings = order.iter().map(|key| {
        let value = if *key == "Open %@" { open } else { "Zu" };
        format!(
            "    \"{key}\" : {{\n      \"localizations\" : {{\n        \"de\" : {{\n          \"stringUnit\" : {{\n            \
             \"state\" : \"translated\",\n            \"value\" : \"{value}\"\n          }}\n        }},\n        \
             \"fr\" : {{ \"stringUnit\" : {{ \"state\" : \"translated\", \"value\" : \"x %d\" }} }}\n      }}\n    }}"
        )
    });
    let strings = strings.collect::<Vec<_>>().join(",\n");
    format!(
        "{{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {{\n{strings}\n  }},\n  \"version\" : \"1.0\"\n}}"
    )
}

#[test]
fn a_change_of_one_text_is_checked_alone_and_an_order_is_none() {
    let before = catalog("%@ öffnen", &["Open %@", "Close"]);
    let site = TestSite::new(
        &commit("one")
            .write(FILE, &before)
            .commit("text")
            .write(FILE, catalog("Öffnen", &["Close", "Open %@"]))
            .commit("order")
            .write(FILE, catalog("Öffnen", &["Open %@", "Close"])),
    );
    let run = |base: &str, revision: &str| {
        let (base, revision) = (site.repository.id(base), site.repository.id(revision));
        let flags = [
            "--base",
            &base.to_string(),
            "--revision",
            &revision.to_string(),
            "--format",
            "json",
        ];
        Run::new(site.repository.dir(), &flags).json()
    };
    let report = run("one", "text");
    let findings = report["findings"].as_array().unwrap().iter();
    let new: Vec<_> = findings.filter(|it| it["new"] == true).collect();
    assert_eq!(new.len(), 1, "{new:#?}");
    assert_eq!(
        (&new[0]["key"], &new[0]["language"]),
        (&"Open %@".into(), &"de".into())
    );
    assert_eq!(
        (&new[0]["file"], new[0]["line"].as_u64()),
        (&FILE.into(), Some(17))
    );
    let changes = &report["totals"]["changes"];
    assert_eq!(
        (&changes["translated"], &changes["failing"]),
        (&1.into(), &1.into()),
        "{changes}"
    );
    let report = run("text", "order");
    let changes = report["totals"]["changes"].as_object().unwrap();
    assert!(changes.values().all(|count| count == 0), "{changes:?}");
}

#[test]
fn a_text_that_needs_a_review_is_stale_and_not_missing() {
    let text = catalog("%@ öffnen", &["Open %@", "Close"]);
    let site = TestSite::new(
        &commit("one")
            .write(FILE, text.replacen("translated", "needs_review", 1))
            .commit("two")
            .write(FILE, &text),
    );
    let run = |flags: &[&str]| {
        let report = Run::new(
            site.repository.dir(),
            &[flags, &["--format", "json"]].concat(),
        )
        .json();
        let languages = report["components"][0]["languages"].as_array().unwrap();
        let german = languages.iter().find(|it| it["language"] == "de").unwrap();
        let counts = ["translated", "missing", "stale"].map(|name| german[name].clone());
        let stale = report["findings"].as_array().unwrap().iter();
        let stale = stale.filter(|it| it["check"] == "stale").count();
        (counts, stale)
    };
    let one = site.repository.id("one").to_string();
    let at_one = ["--revision", &*one, "--history", "full"];
    assert_eq!(run(&at_one), ([1.into(), 0.into(), 1.into()], 1));
    let since = ["--base", &*one];
    assert_eq!(run(&since), ([2.into(), 0.into(), 0.into()], 0));
}

#[test]
fn a_table_without_a_column_of_the_settings_is_broken() {
    let site = TestSite::new(
        &commit("one")
            .write("texts.csv", "id,who,en,de\na,x,One,Eins\n")
            .commit("renamed")
            .write("texts.csv", "id,person,en,de\na,x,One,Eins\n"),
    );
    let config = format!(
        "[[project]]\nslug = 'p'\n[[project.component]]\nslug = 'c'\nrepo = '{}'\nbranch = 'main'\n\
         filemask = 'texts.csv'\nfile_format = 'csv-columns'\nkey_column = 'id'\nnote_columns = ['who']\n",
        site.repository.dir().to_str().unwrap()
    );
    std::fs::write(site.path("gitglot.toml"), config).unwrap();
    let check = |name: &str| {
        let commit = site.repository.id(name).to_string();
        let flags = [
            "--config",
            "gitglot.toml",
            "--revision",
            &commit,
            "--format",
            "json",
        ];
        Run::new(site.folder.path(), &flags)
    };
    assert_eq!(check("one").findings(), [""; 0]);
    let run = check("renamed");
    assert_eq!(run.findings(), ["texts.csv  parse-error"], "{}", run.err);
    let message = run.json()["findings"][0]["message"].to_string();
    assert!(message.contains("note_columns"), "{message}");
}

#[test]
fn a_query_selects_a_string_of_one_language() {
    // Both translations are missing.
    let text = r#"{"sourceLanguage": "en", "strings": {"Open": {"localizations": {
        "de": {"stringUnit": {"state": "new", "value": ""}},
        "fr": {"stringUnit": {"state": "new", "value": ""}}}}}, "version": "1.0"}"#;
    let site = TestSite::new(&commit("one").write(FILE, text));
    let run = gitglot()
        .args(["todo", "--query", "language:de"])
        .current_dir(site.repository.dir())
        .output()
        .unwrap();
    let list: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let items = list["items"].as_array().unwrap().iter();
    let languages: Vec<_> = items.map(|it| &it["language"]).collect();
    assert_eq!(languages, ["de"], "{list:#}");
}
