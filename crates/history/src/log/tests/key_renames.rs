//! When a string under a new key is the string of an old key. `rename_tests` has the texts that move with it.

use crate::testing::{ReadHistory, read};
use gitglot_testkit::{History, commit};

/// The renames of a log, each as `OLD>NEW`.
fn renames(read: &ReadHistory) -> Vec<String> {
    let renames = read.state.log.renames();
    let line = |it: gitglot_model::KeyRename| [read.key(it.from), read.key(it.to)].join(">");
    renames.map(line).collect()
}

fn after(change: impl Fn(History) -> History) -> ReadHistory {
    let start = commit("start")
        .texts("en", "a=Save file;b=Open file")
        .texts("cs", "a=Uložit soubor;b=Otevřít soubor");
    read(&change(start.commit("changed")))
}

#[test]
fn the_same_source_under_a_new_key_is_the_same_string() {
    let read = after(|it| it.texts("en", "menu.a=Save file;b=Open file"));
    assert_eq!(renames(&read), ["a>menu.a"]);
}

#[test]
fn a_key_that_stays_is_not_renamed_by_a_copy_of_its_text() {
    let read = after(|it| it.texts("en", "a=Save file;b=Open file;c=Save file"));
    assert_eq!(renames(&read), [""; 0]);
}

#[test]
fn two_keys_that_exchange_their_texts_are_two_renames() {
    let read = after(|it| {
        it.texts("en", "a=Open file;b=Save file")
            .texts("cs", "a=Otevřít soubor;b=Uložit soubor")
    });
    assert_eq!(renames(&read), ["b>a", "a>b"]);
}

#[test]
fn a_removed_and_an_added_string_without_anything_in_common_are_two_strings() {
    let read = after(|it| it.texts("en", "b=Open file;z=Quit"));
    assert_eq!(renames(&read), [""; 0]);
}

#[test]
fn a_rename_is_recorded_with_the_first_entry_of_the_new_key() {
    let read = after(|it| it.texts("en", "menu.a=Save file;b=Open file"));
    let rename = read.state.log.renames().next().unwrap();
    assert_eq!(
        read.log()[rename.entry as usize],
        "changed: New source string en menu.a="
    );
}
