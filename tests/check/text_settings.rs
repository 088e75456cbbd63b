//! Settings of frameworks and components that say how texts are written.

use std::fs;

use super::Run;
use super::common::{History, TestSite, commit, component, project};
use super::comparison::compared;

#[test]
fn the_settings_of_flutter_say_what_apostrophes_mean() {
    let history = commit("one")
        .write(
            "lib/l10n/app_en.arb",
            r#"{"a": "You chose: '{value}'", "b": "Delete '{value}'"}"#,
        )
        .write(
            "lib/l10n/app_de.arb",
            r#"{"a": "Gewählt: „{value}“", "b": "'{value' löschen"}"#,
        );
    let check = |site: &TestSite| Run::new(site.repository.dir(), &["--format", "json"]).findings();
    let plain = TestSite::new(&history);
    assert_eq!(check(&plain), ["lib/l10n/app_de.arb b icu_message_format"]);
    let settings = "arb-dir: lib/l10n\nuse-escaping: true\n";
    let escaping = TestSite::new(&history.clone().write("l10n.yaml", settings));
    assert_eq!(
        check(&escaping),
        ["lib/l10n/app_de.arb a icu_message_format"]
    );
}

#[test]
fn a_change_does_not_choose_the_settings_of_flutter() {
    let texts = [
        ("en", r#"{"a": "Delete '{value}'"}"#),
        ("de", r#"{"a": "'{value' löschen"}"#),
    ];
    let write = |history: History, folder: &str| {
        texts.iter().fold(history, |history, (code, text)| {
            history.write(&format!("{folder}/app_{code}.arb"), *text)
        })
    };
    let settings = "use-escaping: true\n";
    let base = write(commit("one"), "lib/l10n");
    let change = |base: &History| base.clone().branch_at("change", "one").commit("two");
    let findings = |history: History| compared(&TestSite::new(&history), &[]).findings();
    let found = findings(change(&base).write("l10n.yaml", settings));
    assert_eq!(
        found,
        [
            "l10n.yaml  configuration",
            "lib/l10n/app_de.arb a icu_message_format"
        ]
    );
    // Those of a component that the change adds are its own.
    let base = commit("one").write("README", "");
    let found = findings(write(
        change(&base).write("l10n.yaml", settings),
        "lib/l10n",
    ));
    assert!(found.is_empty(), "{found:?}");
    // The tip of the base counts, not the commit where the change begins.
    let base = write(commit("one"), "lib/l10n");
    let later = base.clone().commit("later").write("l10n.yaml", settings);
    let found = findings(change(&later).write("lib/l10n/x.txt", ""));
    assert_eq!(found, ["l10n.yaml  configuration"]);
}

#[test]
fn the_configuration_of_i18next_says_how_values_are_written() {
    let base = commit("one")
        .write("src/locales/en.json", r#"{"a": "Hi [[name]] there"}"#)
        .write("src/locales/de.json", r#"{"a": "Hallo du"}"#);
    let config = "i18n.init({ interpolation: { prefix: '[[', suffix: ']]' } });\n";
    let configured = base.clone().write("src/i18n.js", config);
    let check = |history: &History| {
        let site = TestSite::new(history);
        Run::new(site.repository.dir(), &["--format", "json"]).findings()
    };
    assert_eq!(check(&configured), ["src/locales/de.json a placeholders"]);
    assert_eq!(check(&base), [""; 0]);
    let change = configured.branch_at("change", "one").commit("two");
    let site = TestSite::new(&change.write("src/i18n.js", config.replace("[[", "((")));
    assert_eq!(
        compared(&site, &[]).findings(),
        [
            "src/i18n.js  configuration",
            "src/locales/de.json a placeholders"
        ]
    );
}

#[test]
fn a_component_names_its_own_placeholders() {
    let history = commit("one")
        .write(
            "locales/en.json",
            r##"{"a": "Hi #NAME#", "b": "Hi [[name]]"}"##,
        )
        .write("locales/de.json", r##"{"a": "Hallo du", "b": "Hallo du"}"##);
    let site = TestSite::new(&history);
    let repository = site.repository.dir().to_str().unwrap();
    for (settings, wanted) in [
        ("", &[][..]),
        (
            "placeholders = '#\\w+#'\n",
            &["locales/de.json a placeholders"],
        ),
        (
            "interpolation = ['[[', ']]']\n",
            &["locales/de.json b placeholders"],
        ),
    ] {
        let component = component("ui", repository, "locales", settings);
        fs::write(site.path("gitglot.toml"), project("garden", &[component])).unwrap();
        let run = Run::new(
            site.folder.path(),
            &["--config", "gitglot.toml", "--format", "json"],
        );
        assert_eq!(run.findings(), wanted, "{settings} {}", run.err);
    }
}

#[test]
fn a_manifest_makes_a_lost_value_an_error_of_its_library() {
    let english = r#"{"a": "Delete {{name}}?", "b": "Save", "c": "Open", "d": "Close"}"#;
    let texts = |history: History, german: &str| {
        history
            .write("web/locales/en.json", english)
            .write("web/locales/de.json", german)
    };
    let german = r#"{"a": "{{name}} löschen?", "b": "Sichern", "c": "Öffnen", "d": "Schließen"}"#;
    let manifest = r#"{"private": true, "dependencies": {"i18next": "^23.0.0"}}"#;
    let base = texts(commit("one").write("web/package.json", manifest), german);
    let change = base.branch_at("change", "one").commit("two");
    // A change that removes the manifest does not choose the syntax.
    let change = texts(change, &german.replace("{{name}} ", "")).write("web/package.json", "{}");
    let run = compared(&TestSite::new(&change), &[]);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let finding = &report["findings"][0];
    assert_eq!(finding["check"], "i18next_interpolation");
    assert_eq!(finding["severity"], "error");
    assert_eq!(
        finding["message"],
        "Missing placeholders: {{name}}. web/package.json depends on i18next, which replaces it."
    );
}

#[test]
fn the_setting_of_a_syntax_wins_over_a_manifest() {
    let history = commit("one")
        .write(
            "package.json",
            r#"{"dependencies": {"vue-i18n": "^9.0.0"}}"#,
        )
        .write("locales/en.json", r#"{"a": "Delete {name} and %{file}?"}"#)
        .write("locales/de.json", r#"{"a": "Löschen?"}"#);
    let site = TestSite::new(&history);
    let check = |args: &[&str]| {
        let run = Run::new(
            site.repository.dir(),
            &[&["--format", "json"], args].concat(),
        );
        run.findings()
    };
    assert_eq!(check(&[]), ["locales/de.json a vue_format"]);
    let set = check(&["--message-syntax", "percent-brace"]);
    assert!(
        set.contains(&"locales/de.json a placeholders".to_owned()),
        "{set:?}"
    );
}
