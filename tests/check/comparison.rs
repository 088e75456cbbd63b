//! Findings of a state, and of a change.

use super::common::{TestSite, commit};
use super::{DE, EN, Run, site};

/// Compares the branch `change` with `main`.
pub(super) fn compared(site: &TestSite, flags: &[&str]) -> Run {
    let common = ["--revision", "change", "--base", "main", "--format", "json"];
    Run::new(site.repository.dir(), &[&common[..], flags].concat())
}

#[test]
fn a_change_is_compared_with_its_base() {
    let site = site();
    let run = compared(&site, &[]);
    assert_eq!(run.code, 1, "{}", run.err);
    let findings = run.findings();
    for wanted in [
        "locales/de.json count i18next_interpolation",
        "locales/de.json days icu_message_format",
        "locales/de.json fresh missing",
        "locales/de.json gone left-over",
        "locales/de.json link xml-invalid",
        "locales/de.json percent c_format",
        "locales/de.json title stale",
        "locales/en.json gone removed",
    ] {
        assert!(
            findings.iter().any(|finding| finding == wanted),
            "{wanted}: {findings:#?}"
        );
    }
    assert!(
        findings
            .iter()
            .any(|finding| finding.starts_with("locales/de.json hello ")),
        "{findings:#?}"
    );
    let report = run.json();
    assert_eq!(report["history"], "compared");
    assert_eq!(report["base"]["revision"], "main");
    assert_eq!(
        report["base"]["commit"],
        site.repository.id("one").to_string()
    );
    assert_eq!(report["commit"], site.repository.id("two").to_string());
    let german = &report["components"][0]["languages"][1];
    assert_eq!(
        (
            german["language"].as_str(),
            german["changes"]["stale"].as_u64()
        ),
        (Some("de"), Some(1))
    );
    let changes = &report["totals"]["changes"];
    let numbers = ["added", "removed", "translated", "missing", "left_over"]
        .map(|it| changes[it].as_u64().unwrap());
    assert_eq!(numbers, [1, 0, 5, 1, 1]);
    assert_eq!(
        report["components"][0]["languages"][0]["changes"]["removed"],
        1
    );
}

#[test]
fn a_finding_has_its_position_and_texts() {
    let site = site();
    let run = compared(&site, &[]);
    let report = run.json();
    let findings = report["findings"].as_array().unwrap();
    let of = |check: &str| findings.iter().find(|it| it["check"] == check).unwrap();
    insta::assert_json_snapshot!("stale_finding", of("stale"));
    insta::assert_json_snapshot!("failing_check", of("i18next_interpolation"));
    insta::assert_json_snapshot!("removed_string", of("removed"));
    insta::assert_json_snapshot!("missing_string", of("missing"));
    insta::assert_json_snapshot!("left_over_key", of("left-over"));
}

#[test]
fn an_old_finding_is_not_new() {
    let broken = DE.replace(" {name}", "").replace("%d ", "");
    let history = commit("one")
        .write("locales/en.json", EN)
        .write("locales/de.json", &broken);
    let history = history.branch_at("change", "one").commit("two");
    let site =
        TestSite::new(&history.write("locales/de.json", broken.replace("Hallo", "Guten Tag")));
    let run = compared(&site, &[]);
    assert_eq!(run.code, 1);
    assert!(
        run.json()["findings"]
            .as_array()
            .unwrap()
            .iter()
            .all(|finding| finding["new"] == false),
        "{}",
        run.out
    );
    let run = compared(&site, &["--new-only"]);
    assert_eq!((run.code, run.findings().len()), (0, 0), "{}", run.out);
    assert_eq!(run.json()["totals"]["changes"]["translated"], 1);
}

#[test]
fn a_new_fault_beside_an_old_one_of_the_same_check_is_new() {
    let source = r#"{"a": "Hi {name}, {count} <b>files</b>"}"#;
    let old = r#"{"a": "Hallo, {count} <b>Dateien</b>"}"#;
    let history = commit("one")
        .write("locales/en.json", source)
        .write("locales/de.json", old);
    let history = history.branch_at("change", "one").commit("two");
    for (text, wanted) in [
        (r#"{"a": "Guten Tag, {count} <b>Dateien</b>"}"#, None),
        (r#"{"a": "Hallo, <b>Dateien</b>"}"#, Some("brace_format")),
        (
            r#"{"a": "Hallo, {count} {x} <b>Dateien</b>"}"#,
            Some("brace_format"),
        ),
        (r#"{"a": "Hallo, {count} Dateien"}"#, Some("xml-tags")),
        (r#"{"a": "Hallo {name}, {count} <b>Dateien</b>"}"#, None),
    ] {
        let site = TestSite::new(&history.clone().write("locales/de.json", text));
        let run = compared(&site, &["--new-only"]);
        let found = run.findings();
        let wanted: Vec<String> = wanted
            .map(|check| format!("locales/de.json a {check}"))
            .into_iter()
            .collect();
        assert_eq!(found, wanted, "{text}");
    }
}

#[test]
fn without_a_base_stale_strings_are_those_of_the_history() {
    let site = site();
    let run = Run::new(
        site.repository.dir(),
        &[
            "--revision",
            "change",
            "--format",
            "json",
            "--history",
            "full",
        ],
    );
    let findings = run.findings();
    assert!(
        findings.contains(&"locales/de.json title stale".to_owned()),
        "{findings:#?}"
    );
    assert!(!findings.iter().any(|finding| finding.ends_with("removed")));
    let none = Run::new(
        site.repository.dir(),
        &["--revision", "change", "--format", "json"],
    );
    assert_eq!(none.json()["totals"]["stale"], "unknown");
    assert_eq!(none.json()["history"], "none");
    let gate = ["--revision", "change", "--fail-on", "stale"];
    let gate = Run::new(site.repository.dir(), &gate);
    assert_eq!(gate.code, 1, "{}", gate.err);
}

#[test]
fn main_may_move_on_without_an_effect_on_the_change() {
    let history = super::history();
    let site = TestSite::new(&history.branch_at("main", "one").commit("three").write(
        "locales/en.json",
        EN.replace("\"title\"", "\"other\": \"Something else\",\n  \"title\""),
    ));
    let run = compared(&site, &[]);
    assert_eq!(
        run.json()["base"]["commit"],
        site.repository.id("one").to_string()
    );
    let auto = Run::new(
        site.repository.dir(),
        &["--revision", "change", "--base", "auto", "--format", "json"],
    );
    assert_eq!(
        auto.json()["base"]["commit"],
        site.repository.id("one").to_string()
    );
}

#[test]
fn a_removed_translation_and_a_removed_file_are_reported() {
    let history = commit("one")
        .write("locales/en.json", EN)
        .write("locales/de.json", DE)
        .write("locales/cs.json", DE);
    let change = history
        .branch_at("change", "one")
        .commit("two")
        .delete("locales/cs.json");
    let site = TestSite::new(&change.write(
        "locales/de.json",
        DE.replace("  \"title\": \"Wähle deine Farbe\",\n", ""),
    ));
    let run = compared(&site, &[]);
    assert_eq!(
        run.findings(),
        [
            "locales/cs.json  removed",
            "locales/de.json title missing",
            "locales/de.json title removed",
        ]
    );
    assert_eq!(run.code, 0, "warnings do not fail");
    assert_eq!(run.json()["totals"]["changes"]["removed"], 8);
}

#[test]
fn a_file_that_does_not_parse_on_one_side_is_named() {
    let broken = "{\n  \"hello\": \"Hallo\",\n}";
    let to_broken = commit("one")
        .write("locales/en.json", EN)
        .write("locales/de.json", DE);
    let to_broken = to_broken
        .branch_at("change", "one")
        .commit("two")
        .write("locales/de.json", broken);
    let site = TestSite::new(&to_broken);
    let run = compared(&site, &[]);
    assert_eq!(
        (run.code, run.findings()),
        (1, vec!["locales/de.json  parse-error".to_owned()])
    );
    assert_eq!(run.json()["findings"][0]["line"], 3);
    let to_good = commit("one")
        .write("locales/en.json", EN)
        .write("locales/de.json", broken);
    let to_good = to_good
        .branch_at("change", "one")
        .commit("two")
        .write("locales/de.json", DE);
    let site = TestSite::new(&to_good);
    let run = compared(&site, &[]);
    assert_eq!((run.code, run.findings().len()), (0, 0), "{}", run.out);
    assert!(
        run.json()["notes"][0]
            .as_str()
            .unwrap()
            .contains("does not parse at the base"),
        "{}",
        run.out
    );
}

#[test]
fn a_template_that_does_not_parse_is_an_error() {
    let history = commit("one")
        .write("locales/en.json", EN)
        .write("locales/de.json", DE);
    let history = history
        .branch_at("change", "one")
        .commit("two")
        .write("locales/en.json", "{");
    let site = TestSite::new(&history);
    let flags = [
        "--revision",
        "change",
        "--base",
        "main",
        "--filemask",
        "locales/*.json",
        "--format",
        "json",
    ];
    let run = Run::new(
        site.repository.dir(),
        &[
            &flags[..],
            &["--template", "locales/en.json", "--file-format", "json"],
        ]
        .concat(),
    );
    assert_eq!(
        (run.code, run.findings()),
        (1, vec!["locales/en.json  parse-error".to_owned()]),
        "{}",
        run.err
    );
}

#[test]
fn strings_that_were_stale_before_are_old_findings() {
    let history = commit("one")
        .write(
            "locales/en.json",
            r#"{"a": "Open the file", "b": "Good day"}"#,
        )
        .write(
            "locales/de.json",
            r#"{"a": "Datei öffnen", "b": "Guten Tag"}"#,
        )
        .commit("two")
        .write(
            "locales/en.json",
            r#"{"a": "Close the window", "b": "Good day"}"#,
        )
        .branch_at("change", "two")
        .commit("three")
        .write(
            "locales/en.json",
            r#"{"a": "Close the window", "b": "Good bye"}"#,
        );
    let site = TestSite::new(&history);
    let full = ["--history", "full"];
    let report = compared(&site, &full).json();
    let stale: Vec<_> = report["findings"].as_array().unwrap().iter().collect();
    let is_new: Vec<_> = stale.iter().map(|it| (&it["key"], &it["new"])).collect();
    assert_eq!(
        is_new,
        [(&"b".into(), &true.into()), (&"a".into(), &false.into())]
    );
    assert_eq!(
        (
            &report["totals"]["stale"],
            &report["totals"]["changes"]["stale"]
        ),
        (&2.into(), &1.into())
    );
    let new_only = compared(&site, &[&full[..], &["--new-only"]].concat());
    assert_eq!(new_only.findings(), ["locales/de.json b stale"]);
    let without = compared(&site, &[]);
    assert_eq!(without.findings(), ["locales/de.json b stale"]);
    assert_eq!(without.json()["totals"]["stale"], 1);
}

#[test]
fn a_translation_that_is_older_than_the_last_source_text_is_stale() {
    let history = commit("one")
        .write("locales/en.json", r#"{"a": "Open the file"}"#)
        .write("locales/de.json", r#"{"a": "Datei öffnen"}"#)
        .branch_at("change", "one")
        .commit("two")
        .write("locales/en.json", r#"{"a": "Close the window"}"#)
        .write("locales/de.json", r#"{"a": "Fenster schließen"}"#)
        .commit("three")
        .write("locales/en.json", r#"{"a": "Delete the folder"}"#);
    let site = TestSite::new(&history);
    let run = compared(&site, &["--history", "full"]);
    assert_eq!(run.findings(), ["locales/de.json a stale"]);
    assert_eq!(
        run.json()["findings"][0]["previous_source"],
        "Close the window"
    );
}

#[test]
fn missing_plural_categories_are_named() {
    let en = r#"{"file_one": "{{count}} file", "file_other": "{{count}} files", "x": "Good day"}"#;
    let history = commit("one")
        .write("locales/en.json", en)
        .write("locales/pl.json", r#"{"file_one": "{{count}} plik", "file_other": "{{count}} pliku", "x": "a"}"#)
        .write("locales/ja.json", r#"{"file_other": "{{count}}個のファイル", "x": "a"}"#)
        .write("locales/fr.json", r#"{"file_one": "{{count}} fichier", "file_other": "{{count}} fichiers", "x": "a"}"#)
        .write("locales/ar.json", r#"{"file_zero": "لا ملفات", "file_one": "ملف", "file_two": "ملفان", "file_few": "{{count}} ملفات", "file_many": "ملفا", "file_other": "{{count}} ملف", "x": "a"}"#);
    let site = TestSite::new(&history);
    let flags = [
        "--file-format",
        "i18nextv4",
        "--filemask",
        "locales/*.json",
        "--template",
        "locales/en.json",
    ];
    let run = Run::new(
        site.repository.dir(),
        &[&flags[..], &["--format", "json"]].concat(),
    );
    let found = run.findings();
    assert_eq!(
        found,
        [
            "locales/ar.json file i18next_interpolation",
            "locales/pl.json file plurals",
        ],
        "{}",
        run.err
    );
    let findings = run.json()["findings"].clone();
    let messages: Vec<_> = findings
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["message"].as_str().unwrap())
        .collect();
    assert_eq!(
        messages,
        [
            "Missing placeholders: {{count}}.",
            "Missing plural categories: few, many."
        ]
    );
}

#[test]
fn both_files_of_a_language_are_checked() {
    let history = commit("one")
        .write("locales/en.json", r#"{"a": "Hello {name}"}"#)
        .write("locales/he.json", r#"{"a": "שלום {name}"}"#)
        .write("locales/he_IL.json", r#"{"a": "שלום"}"#);
    let site = TestSite::new(&history);
    let run = Run::new(site.repository.dir(), &["--format", "json"]);
    assert_eq!(run.findings(), ["locales/he_IL.json a brace_format"]);
    assert!(
        run.json()["notes"][0]
            .as_str()
            .unwrap()
            .contains("locales/he.json")
    );
}

#[test]
fn a_second_file_of_a_language_is_compared_with_no_other_file() {
    let history = commit("one")
        .write("locales/en.json", r#"{"a": "Good day", "b": "Good bye"}"#)
        .write("locales/he.json", r#"{"a": "שלום", "b": "להתראות"}"#)
        .branch_at("change", "one")
        .commit("two")
        .write("locales/he_IL.json", r#"{"a": "שלום"}"#);
    let site = TestSite::new(&history);
    let run = compared(&site, &[]);
    assert_eq!(run.findings(), ["locales/he_IL.json b missing"]);
    assert_eq!(run.json()["totals"]["changes"]["removed"], 0);
}

#[test]
fn a_renamed_file_is_compared_with_its_old_version() {
    let history = commit("one")
        .write("locales/en.json", r#"{"a": "Good day", "b": "Good bye"}"#)
        .write("locales/he.json", r#"{"a": "שלום", "b": "להתראות"}"#)
        .branch_at("change", "one")
        .commit("two")
        .delete("locales/he.json")
        .write("locales/he_IL.json", r#"{"a": "שלום"}"#);
    let site = TestSite::new(&history);
    let run = compared(&site, &[]);
    assert_eq!(
        run.findings(),
        [
            "locales/he_IL.json b missing",
            "locales/he_IL.json b removed"
        ]
    );
}
