//! Findings of a state, and of a change.

use super::common::{TestSite, commit};
use super::{DE, EN, Run, site};

#[test]
fn a_change_is_compared_with_its_base() {
    let site = site();
    let run = Run::new(
        site.repository.dir(),
        &["--revision", "change", "--base", "main", "--format", "json"],
    );
    assert_eq!(run.code, 1, "{}", run.err);
    let findings = run.findings();
    for wanted in [
        "locales/de.json .count i18next_interpolation",
        "locales/de.json .days icu_message_format",
        "locales/de.json .fresh missing",
        "locales/de.json .gone left-over",
        "locales/de.json .link xml-invalid",
        "locales/de.json .percent c_format",
        "locales/de.json .title stale",
        "locales/en.json .gone removed",
    ] {
        assert!(
            findings.iter().any(|finding| finding == wanted),
            "{wanted}: {findings:#?}"
        );
    }
    assert!(
        findings
            .iter()
            .any(|finding| finding.starts_with("locales/de.json .hello ")),
        "{findings:#?}"
    );
    let report = run.json();
    assert_eq!(report["history"], "complete");
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
    let run = Run::new(
        site.repository.dir(),
        &["--revision", "change", "--base", "main", "--format", "json"],
    );
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
    let flags = ["--revision", "change", "--base", "main", "--format", "json"];
    let run = Run::new(site.repository.dir(), &flags);
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
    let run = Run::new(
        site.repository.dir(),
        &[&flags[..], &["--new-only"]].concat(),
    );
    assert_eq!((run.code, run.findings().len()), (0, 0), "{}", run.out);
    assert_eq!(run.json()["totals"]["changes"]["translated"], 1);
}

#[test]
fn without_a_base_stale_strings_are_those_of_the_history() {
    let site = site();
    let run = Run::new(
        site.repository.dir(),
        &["--revision", "change", "--format", "json"],
    );
    let findings = run.findings();
    assert!(
        findings.contains(&"locales/de.json .title stale".to_owned()),
        "{findings:#?}"
    );
    assert!(!findings.iter().any(|finding| finding.ends_with("removed")));
    let none = Run::new(
        site.repository.dir(),
        &[
            "--revision",
            "change",
            "--format",
            "json",
            "--history",
            "none",
        ],
    );
    assert_eq!(none.json()["totals"]["stale"], "unknown");
    assert_eq!(none.json()["history"], "none");
}

#[test]
fn main_may_move_on_without_an_effect_on_the_change() {
    let history = super::history();
    let site = TestSite::new(&history.branch_at("main", "one").commit("three").write(
        "locales/en.json",
        EN.replace("\"title\"", "\"other\": \"Something else\",\n  \"title\""),
    ));
    let run = Run::new(
        site.repository.dir(),
        &["--revision", "change", "--base", "main", "--format", "json"],
    );
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
    let run = Run::new(
        site.repository.dir(),
        &["--revision", "change", "--base", "main", "--format", "json"],
    );
    assert_eq!(
        run.findings(),
        [
            "locales/cs.json  removed",
            "locales/de.json .title missing",
            "locales/de.json .title removed",
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
    let run = Run::new(
        site.repository.dir(),
        &["--revision", "change", "--base", "main", "--format", "json"],
    );
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
    let run = Run::new(
        site.repository.dir(),
        &["--revision", "change", "--base", "main", "--format", "json"],
    );
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
