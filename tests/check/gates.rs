//! Gates and the exit status.

use super::common::{TestSite, commit};
use super::{DE, EN, Run, site};

fn run(site: &TestSite, flags: &[&str]) -> Run {
    Run::new(
        site.repository.dir(),
        &[&["--revision", "change", "--base", "main"], flags].concat(),
    )
}

#[test]
fn errors_fail_a_run_and_warnings_do_not() {
    let run = run(&site(), &[]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("failed gate: error: "), "{}", run.err);
    let history = commit("one")
        .write("locales/en.json", EN)
        .write("locales/de.json", r#"{"title": "Farbe"}"#);
    let site = TestSite::new(&history);
    let run = Run::new(site.repository.dir(), &[]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
}

#[test]
fn fail_on_names_the_findings_that_fail() {
    let site = site();
    for (names, code) in [
        ("stale", 1),
        ("missing", 1),
        ("removed", 1),
        ("left-over", 1),
        ("parse-error", 0),
        ("i18next_interpolation", 1),
        ("end_stop", 0),
        ("parse-error,same", 0),
        ("parse-error,stale", 1),
        ("warning", 1),
    ] {
        let run = run(&site, &["--fail-on", names]);
        assert_eq!(run.code, code, "{names}: {}", run.err);
        let gate = names.rsplit(',').next().unwrap();
        assert_eq!(
            run.err.contains(&format!("failed gate: {gate}: ")),
            code == 1,
            "{names}: {}",
            run.err
        );
    }
    let wrong = run(&site, &["--fail-on", "interpolation"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.err.contains("'interpolation' is not a check")
            && wrong.err.contains("i18next_interpolation")
    );
}

#[test]
fn fail_under_applies_to_each_language_and_to_the_total() {
    let texts = r#"{"hello": "Hallo {name}, willkommen zurück"}"#;
    let history = commit("one")
        .write("locales/en.json", EN)
        .write("locales/de.json", DE);
    let site = TestSite::new(&history.write("locales/cs.json", texts));
    let run = |percent: &str| Run::new(site.repository.dir(), &["--fail-under", percent]);
    assert_eq!(run("14").code, 0);
    let below = run("15");
    assert_eq!(below.code, 1);
    assert!(
        below
            .err
            .contains("fail-under: cs in garden/locales has 14.2 %, less than 15.0 %"),
        "{}",
        below.err
    );
    assert!(!below.err.contains("the total"));
    assert!(run("58").err.contains("fail-under: the total has 57.1 %"));
    assert_eq!(run("101").code, 2);
}

#[test]
fn checks_of_source_texts_are_off_by_default() {
    let history = commit("one").write("locales/en.json", r#"{"a": "Wait for it...", "b": "x"}"#);
    let site =
        TestSite::new(&history.write("locales/de.json", r#"{"a": "Warte darauf...", "b": "y"}"#));
    assert_eq!(
        Run::new(site.repository.dir(), &["--format", "json"])
            .findings()
            .len(),
        0
    );
    let run = Run::new(
        site.repository.dir(),
        &["--format", "json", "--source-checks"],
    );
    assert_eq!(
        (run.code, run.findings()),
        (0, vec!["locales/en.json a ellipsis".to_owned()]),
        "{}",
        run.err
    );
    assert_eq!(
        Run::new(site.repository.dir(), &["--fail-on", "ellipsis"]).code,
        1
    );
}
