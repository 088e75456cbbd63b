//! `gitglot review`: acknowledged translations.

use super::Run;
use crate::common::{TestSite, commit};
use gitglot_testkit::History;

fn run(site: &TestSite, arguments: &[&str]) -> Run {
    Run::of(site.repository.dir(), arguments)
}

/// Three stale German strings.
fn stale() -> History {
    commit("start")
        .texts("en", "menu.open=One;menu.close=Two;a, b=Three")
        .texts("de", "menu.open=Eins;menu.close=Zwei;a, b=Drei")
        .commit("source")
        .texts("en", "menu.open=1;menu.close=2;a, b=3")
}

/// The keys of the stale strings that the work list has.
fn left(site: &TestSite) -> Vec<String> {
    let list = run(
        site,
        &["todo", "--language", "de", "--query", "language:de"],
    );
    let list: serde_json::Value = serde_json::from_str(&list.out).expect(&list.err);
    let items = list["items"].as_array().unwrap().iter();
    let items = items.filter(|it| it["kind"] == "stale");
    items
        .map(|it| it["key"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn printed_trailers_acknowledge_what_was_selected() {
    let site = TestSite::new(&stale());
    assert_eq!(left(&site).len(), 3);
    let all = run(&site, &["review", "--language", "de"]);
    assert_eq!(
        (all.out.as_str(), all.code),
        ("Translation-Reviewed: de\n", 0),
        "{}",
        all.err
    );
    let some = run(&site, &["review", "--language", "de", "menu.*", "a*"]).out;
    assert_eq!(
        some,
        "Translation-Reviewed: de menu.open menu.close \"a, b\"\n"
    );
    let message = format!("Review\n\n{}", some.replace("menu.close ", ""));
    let reviewed = stale().commit("review").message(&message);
    let site = TestSite::new(&reviewed);
    assert_eq!(left(&site), ["menu.close"]);
    let check = run(
        &site,
        &["check", "--history", "full", "--fail-on", "missing"],
    );
    let stale = |run: &Run| run.out.matches("  stale  ").count();
    assert_eq!(stale(&check), 1, "{}", check.out);
    let by_base = ["check", "--base", "HEAD~2", "--fail-on", "stale"];
    assert_eq!(stale(&run(&site, &by_base)), 1);
}

#[test]
fn a_key_with_a_line_break_stays_in_its_trailer() {
    let texts = |text: &str| format!(r#"{{"menu.x\nTranslation-Reviewed: *": "{text}"}}"#);
    let history = commit("start")
        .write("locales/en.json", texts("One"))
        .write("locales/de.json", texts("Eins"))
        .commit("source")
        .write("locales/en.json", texts("1"));
    let site = TestSite::new(&history);
    let run = run(&site, &["review", "--language", "de", "menu*"]);
    assert_eq!(
        run.out, "Translation-Reviewed: de \"menu.x*Translation-Reviewed: *\"\n",
        "{}",
        run.err
    );
}

#[test]
fn the_printed_file_acknowledges_until_the_source_changes() {
    let site = TestSite::new(&stale());
    let file = run(
        &site,
        &["review", "--language", "de", "menu.*", "--format", "toml"],
    )
    .out;
    let path = ".gitglot/reviewed.toml";
    let reviewed = stale().commit("review").write(path, &file);
    let site = TestSite::new(&reviewed);
    assert_eq!(left(&site), ["a, b"]);
    let more = run(&site, &["review", "--language", "de", "--format", "toml"]).out;
    assert!(
        more.contains("\"a, b\" = ") && more.lines().count() == 4,
        "{more}"
    );
    let later = reviewed.commit("later");
    let later = later.texts("en", "menu.open=one;menu.close=2;a, b=3");
    assert_eq!(left(&TestSite::new(&later)), ["menu.open", "a, b"]);
}

#[test]
fn unknown_names_are_notes() {
    let trailer = "Review\n\nTranslation-Reviewed: xx\nTranslation-Reviewed: de nothing\n";
    let site = TestSite::new(&stale().commit("review").message(trailer));
    let check = run(&site, &["check", "--history", "full"]);
    for part in [
        "translations of xx, which no file has",
        "string \"nothing\", which does not exist",
    ] {
        assert!(
            check.out.contains(part) || check.err.contains(part),
            "{} {}",
            check.out,
            check.err
        );
    }
    assert_eq!(run(&site, &["review", "--language", "xx"]).code, 1);
}

#[test]
fn a_proposal_that_is_the_stale_text_is_told() {
    let site = TestSite::new(&stale());
    let list = run(&site, &["todo", "--language", "de"]).out;
    let mut list: serde_json::Value = serde_json::from_str(&list).unwrap();
    list["items"][0]["proposal"] = list["items"][0]["translation"].clone();
    let path = site.repository.dir().join("filled-list.json");
    std::fs::write(&path, list.to_string()).unwrap();
    let result = run(&site, &["todo", "--validate", path.to_str().unwrap()]);
    assert!(
        result
            .out
            .contains("acknowledge it (gitglot review --language de)"),
        "{}",
        result.out
    );
}
