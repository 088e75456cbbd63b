//! Which changes of its side commits a merge keeps.

use crate::testing::read;
use gitglot_testkit::{History, commit};

/// A branch after `start`, which a merge of `main` ends: `side` adds the commits of the branch, `merged` the files of the merge.
fn merge(side: impl Fn(History) -> History, merged: impl Fn(History) -> History) -> History {
    let start = commit("start")
        .texts("en", "a=One;b=Two")
        .texts("cs", "a=Jedna;b=Dvě");
    let branch = side(start.branch_at("side", "start"));
    let main = branch.branch("main").commit("main").write("README", "");
    merged(main.commit("merge").merge("side"))
}

#[test]
fn a_text_that_a_branch_abandons_is_not_in_the_log() {
    let commits = merge(
        |it| it.commit("side").texts("cs", "a=Jeden;b=Dva"),
        |it| it.texts("cs", "a=Jeden;b=Dvě"),
    );
    assert_eq!(
        read(&commits).entries_of("side"),
        ["Translation changed cs a=Jeden", "Resource update cs"]
    );
}

#[test]
fn of_several_texts_of_a_branch_each_is_written_if_the_merge_changes_the_text_at_all() {
    let commits = merge(
        |it| {
            let draft = it.commit("draft").texts("cs", "a=Jedno;b=Dvě");
            draft.commit("side").texts("cs", "a=Jeden;b=Dvě")
        },
        |it| it.texts("cs", "a=Jeden;b=Dvě"),
    );
    let read = read(&commits);
    assert_eq!(
        read.entries_of("draft")[0],
        "Translation changed cs a=Jedno"
    );
    assert_eq!(read.entries_of("side")[0], "Translation changed cs a=Jeden");
}

#[test]
fn a_merge_writes_how_it_resolves_a_conflict() {
    let commits = merge(
        |it| it.commit("side").texts("cs", "a=Jeden;b=Dvě"),
        |it| it.texts("cs", "a=Jednou;b=Dvě"),
    );
    let read = read(&commits);
    assert_eq!(read.entries_of("side")[0], "Translation changed cs a=Jeden");
    assert_eq!(
        read.entries_of("merge"),
        [
            "Merged repository",
            "Translation changed cs a=Jednou",
            "Resource update cs",
        ]
    );
}

#[test]
fn a_string_that_only_the_branch_has_is_not_in_the_log() {
    let commits = merge(
        |it| it.commit("side").texts("en", "a=One;b=Two;c=Three"),
        |it| it.texts("cs", "a=Jeden;b=Dvě"),
    );
    let read = read(&commits);
    assert_eq!(read.entries_of("side"), [""; 0]);
    assert_eq!(read.entries_of("merge")[0], "Merged repository");
}

#[test]
fn a_string_that_the_merge_takes_comes_with_its_translations() {
    let commits = merge(
        |it| {
            let added = it.commit("added").texts("en", "a=One;b=Two;c=Three");
            added.commit("side").texts("cs", "a=Jedna;b=Dvě;c=Tři")
        },
        |it| {
            it.texts("en", "a=One;b=Two;c=Three")
                .texts("cs", "a=Jedna;b=Dvě;c=Tři")
        },
    );
    let read = read(&commits);
    assert_eq!(read.entries_of("added")[0], "New source string en c=");
    assert_eq!(read.entries_of("side")[0], "New translation cs c=Tři");
}

#[test]
fn a_file_that_the_branch_deletes_and_the_merge_has_is_not_removed() {
    let commits = merge(
        |it| it.commit("side").delete("locales/cs.json"),
        |it| it.texts("cs", "a=Jedna;b=Dvě"),
    );
    assert_eq!(read(&commits).log().concat().find("Removed"), None);
}

#[test]
fn a_file_that_the_branch_adds_is_new_only_if_the_merge_has_it() {
    let added = |it: History| it.commit("side").texts("de", "a=Eins");
    let taken = read(&merge(added, |it| it.texts("de", "a=Eins")));
    assert_eq!(taken.entries_of("side")[0], "New translation de a=Eins");
    let left = read(&merge(added, |it| it));
    assert_eq!(left.entries_of("side"), [""; 0]);
}

#[test]
fn a_side_commit_reports_a_broken_file_even_if_the_merge_does_not_have_it() {
    let commits = merge(
        |it| it.commit("side").write("locales/cs.json", "{"),
        |it| it.texts("cs", "a=Jedna;b=Dvě"),
    );
    let read = read(&commits);
    assert_eq!(read.entries_of("side"), ["Parse error locales/cs.json"]);
    assert_eq!(
        read.entries_of("merge"),
        [""; 0],
        "parse errors are no changes"
    );
}
