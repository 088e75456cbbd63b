//! What a commit changes.

use crate::testing::{json_component, read, read_as};
use gitglot_model::{ComponentSettings, FileFormat, FileMask};
use gitglot_testkit::{History, commit};

fn start() -> History {
    commit("start")
        .texts("en", "a=One;b=Two")
        .texts("cs", "a=Jedna")
}

#[test]
fn a_new_string_comes_with_the_translations_that_exist() {
    assert_eq!(
        read(&start()).log(),
        [
            "start: New source string en a=",
            "start: New source string en b=",
            "start: Resource update en",
            "start: New translation cs a=Jedna",
            "start: Resource update cs",
        ]
    );
}

#[test]
fn a_string_that_is_added_where_its_translation_waits_updates_no_translation() {
    let commits = commit("start")
        .texts("en", "a=One")
        .texts("cs", "a=Jedna;b=Dvě")
        .commit("added")
        .texts("en", "a=One;b=Two");
    assert_eq!(
        read(&commits).entries_of("added"),
        [
            "New source string en b=",
            "Resource update en",
            "New translation cs b=Dvě",
        ]
    );
}

#[test]
fn a_changed_source_makes_its_translation_stale_until_either_changes_back_or_on() {
    let changed = start().commit("changed").texts("en", "a=Won;b=Two");
    let state = read(&changed);
    assert_eq!(
        state.entries_of("changed"),
        ["Source string changed en a=Won", "Resource update en"]
    );
    assert_eq!(state.stale("cs"), ["a=One"]);
    let back = changed.clone().commit("back").texts("en", "a=One;b=Two");
    assert_eq!(read(&back).stale("cs"), [""; 0]);
    let translated = changed.commit("translated").texts("cs", "a=Vyhrál");
    assert_eq!(read(&translated).stale("cs"), [""; 0]);
}

#[test]
fn an_emptied_and_a_removed_text_are_changes_to_nothing() {
    for texts in ["a=", ""] {
        let commits = start().commit("gone").texts("cs", texts);
        let entries = read(&commits).entries_of("gone");
        assert_eq!(entries[0], "Translation changed cs a=");
    }
}

#[test]
fn a_deleted_file_is_one_entry_and_its_return_counts_for_the_source_of_then() {
    let commits = start()
        .commit("deleted")
        .delete("locales/cs.json")
        .commit("changed")
        .texts("en", "a=Won;b=Two")
        .commit("back")
        .texts("cs", "a=Jedna");
    let state = read(&commits);
    assert_eq!(
        state.entries_of("deleted"),
        ["Removed translation locales/cs.json"]
    );
    assert_eq!(state.entries_of("back"), ["Resource update cs"]);
    assert_eq!(state.stale("cs"), [""; 0]);
}

#[test]
fn a_removed_string_writes_nothing_and_returns_as_new_and_changed() {
    let commits = start()
        .commit("removed")
        .texts("en", "a=One")
        .commit("back")
        .texts("en", "a=One;b=Twice");
    let state = read(&commits);
    assert_eq!(
        state.entries_of("removed"),
        ["Resource update en", "Translation completed cs"]
    );
    assert_eq!(
        state.entries_of("back"),
        [
            "New source string en b=",
            "Source string changed en b=Twice",
            "Resource update en",
        ]
    );
}

#[test]
fn a_layout_of_a_file_is_no_change_of_a_text() {
    let commits = start()
        .commit("layout")
        .write("locales/cs.json", "{\n  \"a\": \"Jedna\"\n}\n");
    assert_eq!(read(&commits).entries_of("layout"), ["Resource update cs"]);
}

#[test]
fn a_repeated_key_of_the_template_is_reported_once_and_its_first_text_counts() {
    // Of a repeated key of JSON, no reader sees the first text.
    let settings = ComponentSettings {
        filemask: FileMask::new("*.properties").unwrap(),
        template: "en.properties".into(),
        file_format: FileFormat::Properties,
        ..json_component()
    };
    let commits = commit("start")
        .write("en.properties", "a=One\na=Other\n")
        .commit("again")
        .write("en.properties", "a=One\na=Another\n");
    let state = read_as(settings, &commits, &[]);
    assert_eq!(
        state.log(),
        [
            "start: Found duplicated string en a=",
            "start: New source string en a=",
            "start: Resource update en",
            "again: Resource update en",
        ]
    );
}

#[test]
fn of_a_repeated_key_of_a_translation_the_last_text_counts() {
    let commits = start().commit("twice").texts("cs", "a=Jedna;a=Jeden");
    assert_eq!(
        read(&commits).entries_of("twice"),
        ["Translation changed cs a=Jeden", "Resource update cs"]
    );
}

#[test]
fn a_broken_file_is_reported_once_for_each_version_and_keeps_its_texts() {
    let commits = start()
        .commit("broken")
        .write("locales/cs.json", "{")
        .commit("other")
        .texts("en", "a=One;b=Too")
        .commit("repaired")
        .texts("cs", "a=Jedna");
    let state = read(&commits);
    assert_eq!(state.entries_of("broken"), ["Parse error locales/cs.json"]);
    assert_eq!(state.entries_of("other").len(), 2);
    assert_eq!(state.entries_of("repaired"), ["Resource update cs"]);
}

#[test]
fn a_second_file_of_a_language_is_reported_once_and_not_read() {
    let commits = start()
        .commit("second")
        .texts("cs_CZ", "a=Jeden")
        .commit("changed")
        .texts("cs_CZ", "a=Jednou");
    let state = read(&commits);
    assert_eq!(
        state.entries_of("second"),
        ["Found duplicated language cs (cs_CZ, cs)"]
    );
    assert_eq!(state.entries_of("changed"), [""; 0]);
}

#[test]
fn a_translation_is_complete_with_its_last_text_and_again_after_a_new_string() {
    let commits = start()
        .commit("done")
        .texts("cs", "a=Jedna;b=Dvě")
        .commit("more")
        .texts("en", "a=One;b=Two;c=Three")
        .commit("done again")
        .texts("cs", "a=Jedna;b=Dvě;c=Tři");
    let state = read(&commits);
    for (commit, text) in [("done", "b=Dvě"), ("done again", "c=Tři")] {
        let new = format!("New translation cs {text}");
        assert_eq!(
            state.entries_of(commit),
            [&new, "Translation completed cs", "Resource update cs"]
        );
    }
}
