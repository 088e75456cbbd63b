//! Findings of texts that a change sets back to older ones.

use super::common::{History, Person, TestSite, commit};
use super::comparison::compared;

const JANE: Person = person("Jane Doe", "jane@example.org");
const SYNC: Person = person("Sync", "sync@example.org");

const fn person(name: &'static str, email: &'static str) -> Person {
    Person {
        name,
        email,
        offset: 0,
    }
}

/// A German text that Jane corrected in the commit `fix`.
fn corrected() -> History {
    commit("one")
        .texts("en", "a=One;b=Two;c=Three")
        .texts("de", "a=Ains;b=Zwai;c=Drai")
        .commit("fix")
        .by(JANE)
        .texts("de", "a=Eins;b=Zwei;c=Drei")
}

/// The messages of the findings of a change.
fn messages(history: &History) -> Vec<String> {
    let run = compared(&TestSite::new(history), &[]);
    let report = run.json();
    let findings = report["findings"].as_array().unwrap().iter();
    let restored = findings.filter(|it| it["check"] == "restored");
    restored
        .map(|it| {
            assert_eq!(
                (&it["severity"], &it["new"]),
                (&"warning".into(), &true.into())
            );
            let key = it["key"].as_str().unwrap();
            let message = it["message"].as_str().unwrap();
            let (commit, message) = message.split_once(" by ").unwrap();
            assert!(commit.starts_with("Commit "), "{message}");
            format!("{key} {message}")
        })
        .collect()
}

/// As [`corrected`], and a branch with a commit of this author.
fn then(person: Person, message: &str, texts: &str) -> History {
    corrected()
        .branch_at("change", "fix")
        .commit("sync")
        .by(person)
        .message(message)
        .texts("de", texts)
}

#[test]
fn a_sync_that_overwrites_a_fix_is_reported() {
    let found = messages(&then(SYNC, "Update", "a=Ains;b=Zwei;c=Drei"));
    let expected = "a Sync sets the text back to an older one. The text of Jane Doe from 2020-01-01 is lost: Eins";
    assert_eq!(found, [expected]);
}

#[test]
fn a_commit_that_restores_several_texts_is_one_finding() {
    let found = messages(&then(SYNC, "Update", "a=Ains;b=Zwai;c=Dreie"));
    let expected =
        "a Sync sets 2 texts back to older ones. The texts of Jane Doe (2020-01-01) are lost: a, b";
    assert_eq!(found, [expected]);
}

#[test]
fn an_author_may_take_back_an_own_text() {
    assert!(messages(&then(JANE, "Update", "a=Ains;b=Zwei;c=Drei")).is_empty());
    let renamed = person("jane doe", "other@example.org");
    assert!(messages(&then(renamed, "Update", "a=Ains;b=Zwei;c=Drei")).is_empty());
}

#[test]
fn a_commit_that_is_named_a_revert_may_restore_texts() {
    for message in [
        "Revert \"fix\"",
        "revert: texts",
        "x\n\nThis reverts commit 1.",
    ] {
        assert!(messages(&then(SYNC, message, "a=Ains;b=Zwei;c=Drei")).is_empty());
    }
}

#[test]
fn a_new_text_is_no_restored_one() {
    assert!(messages(&then(SYNC, "Update", "a=Oans;b=Zwei;c=Drei")).is_empty());
}

#[test]
fn a_text_of_another_source_is_no_restored_one() {
    let history = commit("one")
        .texts("en", "a=Won")
        .texts("de", "a=Ains")
        .commit("source")
        .texts("en", "a=One")
        .commit("fix")
        .by(JANE)
        .texts("de", "a=Eins")
        .branch_at("change", "fix")
        .commit("sync")
        .by(SYNC)
        .texts("de", "a=Ains");
    // The older text was the one of the present source, too, until the fix.
    assert_eq!(messages(&history).len(), 1);
    let history = commit("one")
        .texts("en", "a=Won")
        .texts("de", "a=Ains")
        .commit("fix")
        .by(JANE)
        .texts("en", "a=One")
        .texts("de", "a=Eins")
        .branch_at("change", "fix")
        .commit("sync")
        .by(SYNC)
        .texts("de", "a=Ains");
    assert!(messages(&history).is_empty());
}

/// The fix of Jane, which main merges.
fn merged() -> History {
    commit("one")
        .texts("en", "a=One;b=Two")
        .texts("de", "a=Ains;b=Zwai")
        .branch_at("fixes", "one")
        .commit("fix")
        .by(JANE)
        .texts("de", "a=Eins;b=Zwai")
        .branch_at("main", "one")
        .commit("other")
        .texts("de", "a=Ains;b=Zwei")
        .commit("merge")
        .merge("fix")
        .texts("de", "a=Eins;b=Zwei")
}

const LOST: &str =
    "a Sync sets the text back to an older one. The text of Jane Doe from 2020-01-01 is lost: Eins";

#[test]
fn a_lost_text_has_the_author_that_wrote_it_not_merged_it() {
    let sync = merged()
        .branch_at("change", "merge")
        .commit("sync")
        .by(SYNC);
    assert_eq!(messages(&sync.texts("de", "a=Ains;b=Zwei")), [LOST]);
}

#[test]
fn a_merge_that_keeps_the_older_text_restores_it() {
    let own = merged().branch_at("change", "one").commit("own").by(SYNC);
    let own = own.texts("en", "a=One;b=Two;c=Three");
    let merge = own.commit("update").by(SYNC).merge("merge");
    let kept = merge.clone().texts("de", "a=Ains;b=Zwei");
    assert_eq!(messages(&kept), [LOST]);
    assert!(messages(&merge.texts("de", "a=Eins;b=Zwei")).is_empty());
}
