//! The order, the times and the people of entries.

use crate::testing::read;
use gitglot_testkit::{ANNA, Person, commit};

#[test]
fn the_entries_of_a_commit_have_a_fixed_order() {
    let commits = commit("start")
        .texts("en", "a=One;c=Three")
        .texts("cs", "a=Jedna")
        .texts("fr", "a=Un")
        .commit("all")
        .texts("de", "a=Eins;b=Zwei;c=Drei")
        .texts("en", "b=Two;a=Won;c=Three")
        .texts("cs", "a=Jeden;b=Dvě;c=Tři")
        .write("locales/pl.json", "{")
        .delete("locales/fr.json");
    assert_eq!(
        read(&commits).entries_of("all"),
        [
            "Parse error locales/pl.json",
            "New source string en b=",
            "Source string changed en a=Won",
            "Resource update en",
            "New translation cs b=Dvě",
            "Translation changed cs a=Jeden",
            "New translation cs c=Tři",
            "Translation completed cs",
            "Resource update cs",
            "New translation de b=Zwei",
            "New translation de a=Eins",
            "New translation de c=Drei",
            "Translation completed de",
            "Resource update de",
            "Removed translation locales/fr.json",
        ]
    );
}

#[test]
fn each_entry_is_later_than_the_one_before() {
    let commits = commit("one")
        .by_at(ANNA, "2020-01-02")
        .texts("en", "a=One;b=Two")
        .commit("two")
        .by_at(ANNA, "2020-01-02")
        .texts("en", "a=Won;b=Too");
    let state = read(&commits).state;
    let times: Vec<i64> = state.log.iter().map(|entry| entry.time.0).collect();
    let expected: Vec<i64> = (times[0]..).take(6).collect();
    assert_eq!(times, expected);
}

#[test]
fn a_commit_of_a_translation_platform_commits_changes_instead_of_updating_files() {
    let weblate = Person {
        name: "Weblate",
        email: "noreply@weblate.example",
        ..ANNA
    };
    let commits = commit("start")
        .texts("en", "a=One")
        .commit("platform")
        .by(weblate)
        .texts("cs", "a=Jedna");
    assert_eq!(
        read(&commits).entries_of("platform").last().unwrap(),
        "Committed changes cs"
    );
}

#[test]
fn only_commits_with_entries_that_name_a_person_add_people() {
    let ben = Person {
        name: "Ben",
        email: "ben@example.org",
        ..ANNA
    };
    let commits = commit("start")
        .texts("en", "a=One")
        .commit("broken")
        .by(ben)
        .write("locales/cs.json", "{");
    let state = read(&commits).state;
    let people: Vec<&str> = state.people.iter().map(|it| &*it.full_name).collect();
    assert_eq!(people, [ANNA.name]);
}

#[test]
fn a_removed_string_belongs_to_the_last_entry_of_its_commit() {
    let commits = commit("start")
        .texts("en", "a=One;b=Two")
        .texts("cs", "a=Jedna")
        .commit("removed")
        .texts("en", "a=One")
        .texts("cs", "a=Jeden");
    let read = read(&commits);
    let removals: Vec<_> = read.state.log.removals().collect();
    let [removal] = &removals[..] else {
        panic!("{removals:?}")
    };
    assert_eq!(read.key(removal.key), "b");
    assert_eq!(read.state.texts.get(removal.source), "Two");
    assert_eq!(removal.entry as usize, read.state.log.len() - 1);
}
