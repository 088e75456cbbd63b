//! Removed source strings that source code still uses, and the separators of i18next.

use std::fs;

use super::Run;
use super::common::{History, TestSite, commit, component, project};

const EN: &str = "{\n  \"menu\": {\n    \"title\": \"Menu\",\n    \"close\": \"Close\"\n  }\n}\n";

/// A change that removes `menu.close`.
fn removal(code: &str) -> History {
    commit("one")
        .write("locales/en.json", EN)
        .write("locales/de.json", EN.replace("Menu", "Menü"))
        .write("src/app.ts", code)
        .branch_at("change", "one")
        .commit("two")
        .write(
            "locales/en.json",
            EN.replace(",\n    \"close\": \"Close\"", ""),
        )
}

fn check(history: &History) -> Run {
    let flags = ["--revision", "change", "--base", "main", "--new-only"];
    let site = TestSite::new(history);
    Run::new(
        site.repository.dir(),
        &[&flags[..], &["--format", "json"]].concat(),
    )
}

#[test]
fn a_removed_string_that_code_uses_is_an_error() {
    let run = check(&removal("const a = 1;\nt('menu.close');\n"));
    assert_eq!(run.code, 1, "{}", run.err);
    assert_eq!(
        run.findings(),
        [
            "locales/de.json menu.close left-over",
            "locales/en.json menu.close removed-used"
        ]
    );
    let report = run.json();
    let findings = report["findings"].as_array().unwrap();
    let used = findings
        .iter()
        .find(|it| it["check"] == "removed-used")
        .unwrap();
    assert_eq!(
        (used["line"].as_u64(), used["new"].as_bool()),
        (Some(3), Some(true))
    );
    let message = used["message"].as_str().unwrap();
    assert!(message.contains("src/app.ts:2 uses it"), "{message}");
}

#[test]
fn a_removed_string_without_a_use_is_a_warning_and_a_moved_one_is_none() {
    let unused = removal("t('menu.title'); // menu.close\n");
    // The component of the second file has the string now.
    let moved = removal("t('menu.close');\n").write("other/en.json", EN);
    let moved = moved.write("other/de.json", EN.replace("Menu", "Menü"));
    for (history, is_removed) in [(unused, true), (moved, false)] {
        let run = check(&history);
        assert_eq!(run.code, 0, "{}", run.out);
        let removed = "locales/en.json menu.close removed".to_owned();
        assert_eq!(run.findings().contains(&removed), is_removed, "{}", run.out);
    }
}

#[test]
fn the_separators_of_the_configuration_of_i18next_apply() {
    let settings = "export default { keySeparator: '/', nsSeparator: '::' };\n";
    let uses = |code: &str| {
        let history = commit("zero").write("i18next.config.ts", settings);
        let history = history
            .write("locales/en.json", EN)
            .write("locales/de.json", EN.replace("Menu", "Menü"))
            .write("src/app.ts", code)
            .branch_at("change", "zero")
            .commit("two")
            .write(
                "locales/en.json",
                EN.replace(",\n    \"close\": \"Close\"", ""),
            );
        check(&history).code == 1
    };
    assert!(uses("t('menu/close');") && uses("t('common::menu/close');"));
    assert!(!uses("t('menu.close');") && !uses("t('common:menu/close');"));
}

#[test]
fn plural_forms_follow_the_plural_separator() {
    let en = r#"{"files-one": "{{count}} file", "files-other": "{{count}} files"}"#;
    let cs = r#"{"files-one": "{{count}} soubor", "files-few": "{{count}} soubory", "files-other": "{{count}} souborů"}"#;
    let findings = |settings: &str| {
        let site = TestSite::new(
            &commit("one")
                .write("i18next.config.ts", settings)
                .write("locales/en.json", en)
                .write("locales/cs.json", cs),
        );
        Run::new(site.repository.dir(), &["--format", "json"]).findings()
    };
    let left_over = "locales/cs.json files-few left-over".to_owned();
    assert!(findings("export default {}").contains(&left_over));
    assert_eq!(
        findings("export default { pluralSeparator: '-' }"),
        Vec::<String>::new()
    );
}

#[test]
fn separators_of_a_component_apply_instead_of_those_of_the_tool() {
    let en = r#"{"files-one": "{{count}} file", "files-other": "{{count}} files"}"#;
    let cs = r#"{"files-one": "{{count}} soubor", "files-few": "{{count}} soubory", "files-other": "{{count}} souborů"}"#;
    let site = TestSite::new(
        &commit("one")
            .write(
                "i18next.config.ts",
                "export default { pluralSeparator: '+' }",
            )
            .write("locales/en.json", en)
            .write("locales/cs.json", cs),
    );
    let repository = site.repository.dir().to_str().unwrap();
    for (settings, wanted) in [
        ("plural_separator = '-'\n", &[][..]),
        (
            "key_separator = '/'\n",
            &["locales/cs.json files-few left-over"],
        ),
    ] {
        let component = component("ui", repository, "locales", settings);
        fs::write(site.path("gitglot.toml"), project("garden", &[component])).unwrap();
        let flags = ["--config", "gitglot.toml", "--format", "json"];
        let run = Run::new(site.folder.path(), &flags);
        assert_eq!(run.findings(), wanted, "{settings} {}", run.err);
    }
}
