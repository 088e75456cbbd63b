//! What trailers and the file acknowledge.

use std::sync::Arc;

use super::{MAX_REVIEWED_BYTES, REVIEWED_FILE, blob_of, review_hash};
use crate::History;
use crate::testing::{json_component, read, read_as, read_steps};
use gitglot_git::Repository;
use gitglot_model::{Component, ComponentSettings, Timestamp};
use gitglot_testkit::{History as Commits, commit};

/// Two Czech texts, one German text, and new sources of both.
fn stale() -> Commits {
    commit("start")
        .texts("en", "a=One;b=Two")
        .texts("cs", "a=Jedna;b=Dva")
        .texts("de", "a=Eins")
        .commit("source")
        .texts("en", "a=Won;b=Too")
}

fn message(line: &str) -> String {
    format!("review\n\n{line}\n")
}

/// A row of the file.
fn row(language: &str, key: &str, source: &str) -> String {
    format!("[{language}]\n\"{key}\" = \"{}\"\n", review_hash(source))
}

#[test]
fn an_empty_commit_acknowledges_all_stale_texts_of_a_language() {
    let commits = stale()
        .commit("review")
        .message(&message("Translation-Reviewed: cs"));
    let read = read(&commits);
    assert_eq!(
        read.entries_of("review"),
        [
            "Translation approved cs a=Jedna",
            "Translation approved cs b=Dva",
            "Translation completed cs",
        ]
    );
    assert!(read.stale("cs").is_empty());
    assert_eq!(read.stale("de"), ["a=One"]);
    assert!(read.unknown_reviews.is_empty());
}

#[test]
fn keys_and_patterns_select_strings() {
    let commits = stale().commit("review").message(&message(
        "Translation-Reviewed: cs b\nTranslation-Reviewed: de x*, a",
    ));
    let read = read(&commits);
    assert_eq!(
        (read.stale("cs"), read.stale("de")),
        (vec!["a=One".to_owned()], vec![])
    );
    assert_eq!(
        read.unknown_reviews,
        [format!(
            "commit {}: it acknowledges the string \"x*\", which does not exist: correct the key",
            &read.repo.id("review").to_string()[..10]
        )]
    );
}

#[test]
fn a_commit_acknowledges_the_files_and_sources_that_it_changes() {
    let trailer = message("Translation-Reviewed: *");
    let of_file = stale().commit("review").texts("cs", "a=Jedna;b=Příliš");
    let found = read(&of_file.message(&trailer));
    assert!(found.stale("cs").is_empty());
    assert_eq!(found.stale("de"), ["a=One"]);
    let of_source = stale().commit("review").texts("en", "a=Won;b=To");
    let found = read(&of_source.message(&trailer));
    assert_eq!(found.stale("cs"), ["a=One"]);
    let elsewhere = stale().commit("review").write("README", "x");
    assert_eq!(read(&elsewhere.message(&trailer)).stale("cs").len(), 2);
}

#[test]
fn an_acknowledged_text_is_stale_again_when_its_source_changes() {
    let commits = stale()
        .commit("review")
        .write(REVIEWED_FILE, row("cs", "a", "Won"))
        .commit("later")
        .texts("en", "a=Wan;b=Two")
        .commit("back")
        .texts("en", "a=Won;b=Two");
    assert_eq!(read_steps(&commits, &["review"]).stale("cs"), ["b=Two"]);
    assert_eq!(read_steps(&commits, &["later"]).stale("cs"), ["a=Won"]);
    assert!(read(&commits).stale("cs").is_empty());
}

#[test]
fn a_row_can_be_there_before_its_source() {
    let row = [row("cs", "a", "Won"), row("de", "a", "Wonne")].concat();
    let commits = commit("start")
        .texts("en", "a=One")
        .texts("cs", "a=Jedna")
        .texts("de", "a=Eins")
        .commit("row")
        .write(REVIEWED_FILE, row)
        .commit("source")
        .texts("en", "a=Won");
    for read in [read(&commits), read_steps(&commits, &["row", "source"])] {
        assert!(read.stale("cs").is_empty());
        assert_eq!(read.stale("de"), ["a=One"], "another source");
    }
}

#[test]
fn a_row_can_be_there_before_the_template() {
    let commits = commit("row")
        .write(REVIEWED_FILE, row("cs", "a", "Won"))
        .commit("start")
        .texts("en", "a=One")
        .texts("cs", "a=Jedna")
        .commit("source")
        .texts("en", "a=Won");
    assert!(read(&commits).stale("cs").is_empty());
    assert!(
        read_steps(&commits, &["start", "source"])
            .stale("cs")
            .is_empty()
    );
}

#[test]
fn a_branch_acknowledges_its_own_source() {
    let trailer = message("Translation-Reviewed: cs");
    let commits = stale()
        .branch_at("side", "source")
        .commit("review")
        .message(&trailer)
        .branch("main")
        .commit("newer")
        .texts("en", "a=Wan;b=Too")
        .commit("merge")
        .merge("review");
    for tips in [&["merge"][..], &["newer", "merge"]] {
        assert_eq!(read_steps(&commits, tips).stale("cs"), ["a=Won"]);
    }
}

#[test]
fn merges_and_their_side_merges_acknowledge() {
    let trailer = message("Translation-Reviewed: cs");
    let merged = stale()
        .branch_at("side", "source")
        .commit("text")
        .texts("cs", "a=Vyhrál;b=Dva")
        .branch("main")
        .commit("merge")
        .merge("text")
        .texts("cs", "a=Vyhrál;b=Dva")
        .message(&trailer);
    assert!(read(&merged).stale("cs").is_empty());
    let side_merge = stale()
        .branch_at("side", "start")
        .commit("unrelated")
        .write("README", "x")
        .commit("up")
        .merge("source")
        .texts("en", "a=Won;b=Too")
        .message("up\n\nTranslation-Reviewed: cs a")
        .branch("main")
        .commit("merge")
        .merge("up")
        .write("README", "x");
    assert_eq!(read(&side_merge).stale("cs"), ["b=Two"]);
}

#[test]
fn unknown_languages_and_broken_files_are_told() {
    let commits = stale()
        .commit("review")
        .write(REVIEWED_FILE, row("fr", "a", "Won") + "[de")
        .message(&message("Translation-Reviewed: xx"));
    let found = read(&commits);
    let [sentence] = &found.unknown_reviews[..] else {
        panic!("{:?}", found.unknown_reviews);
    };
    assert!(
        sentence.starts_with("commit ") && sentence.contains("translations of xx"),
        "{sentence}"
    );
    let problem = &found.state.problems[0];
    assert_eq!(problem.path, REVIEWED_FILE);
    assert!(problem.reason.starts_with("it is not TOML"));
    assert_eq!(found.stale("cs").len(), 2);
}

#[test]
fn a_file_that_is_too_large_is_a_problem() {
    let large = "#".repeat(MAX_REVIEWED_BYTES + 1);
    let found = read(&stale().commit("review").write(REVIEWED_FILE, large));
    let reason = &found.state.problems[0].reason;
    assert!(reason.contains("larger than 1 MB"), "{reason}");
}

#[test]
fn patterns_that_do_not_count_are_told() {
    let patterns = "a* ".repeat(101);
    let message = message(&format!("Translation-Reviewed: cs {patterns}b*"));
    let found = read(&stale().commit("review").message(&message));
    let [sentence] = &found.unknown_reviews[..] else {
        panic!("{:?}", found.unknown_reviews);
    };
    assert!(
        sentence.contains("with 102 patterns, of which the first 100 count"),
        "{sentence}"
    );
    assert_eq!(found.stale("cs"), ["b=Two"]);
}

#[test]
fn a_step_without_its_file_leaves_the_log_as_it_was() {
    let commits = stale()
        .commit("newer")
        .texts("en", "a=Wan;b=Too")
        .commit("row")
        .write(REVIEWED_FILE, row("cs", "a", "Wan"));
    let whole = read(&commits);
    let blob = blob_of(&mut whole.repository.reader(), whole.state.tip.tree);
    let id = blob.unwrap().unwrap().to_string();
    let file = whole
        .repo
        .dir()
        .join("objects")
        .join(&id[..2])
        .join(&id[2..]);
    let away = file.with_extension("away");
    let mut history = History::new(Arc::new(Component::new(json_component())), "en");
    let mut step = |tip| {
        let repository = Repository::open(whole.repo.dir()).unwrap();
        let observed = Timestamp::from_seconds(4_000_000_000);
        let step = history.step(&repository, whole.repo.id(tip), observed, &|_| {});
        (step.is_ok(), history.log().clone())
    };
    let (_, before) = step("source");
    std::fs::rename(&file, &away).unwrap();
    let (is_read, failed) = step("row");
    assert!(!is_read);
    assert_eq!(failed.len(), before.len());
    std::fs::rename(&away, &file).unwrap();
    let (is_read, log) = step("row");
    assert!(is_read);
    assert_eq!(log.len(), whole.state.log.len());
}

#[test]
fn a_file_of_a_later_commit_replaces_the_rows() {
    let commits = stale()
        .commit("row")
        .write(REVIEWED_FILE, row("fr", "x", "Won"))
        .commit("gone")
        .delete(REVIEWED_FILE);
    assert_eq!(read_steps(&commits, &["row"]).unknown_reviews.len(), 1);
    assert!(read(&commits).unknown_reviews.is_empty());
}

#[test]
fn a_text_with_a_review_mark_is_stale_until_the_mark_is_gone() {
    let settings = || ComponentSettings {
        review_marks: vec!["? ".to_owned(), "$!".to_owned()],
        ..json_component()
    };
    let commits = commit("start")
        .texts("en", "a=One;b=Two;c=Three")
        .texts("cs", "a=? Jedna;b=$!Dva;c=Tři")
        .commit("edit")
        .texts("cs", "a=Jedna;b=$!Dva;c=Tři")
        .commit("review")
        .message(&message("Translation-Reviewed: cs b"));
    let stale = |tip| read_as(settings(), &commits, &["start", tip]).stale("cs");
    assert_eq!(stale("start"), ["a=", "b="]);
    assert_eq!(stale("edit"), ["b="]);
    assert!(stale("review").is_empty());
    assert!(read_as(settings(), &commits, &[]).stale("cs").is_empty());
    assert!(read_steps(&commits, &["start"]).stale("cs").is_empty());
}
