//! The changes of a commit before they become entries.

use std::sync::Arc;

use crate::log::changes::{CommitChanges, entry_of};
use crate::testing::read;
use gitglot_model::{Action, KeyId, TextId};
use gitglot_testkit::commit;

#[test]
fn removed_strings_alone_are_no_entries() {
    let mut changes = CommitChanges::default();
    assert!(changes.is_empty());
    changes.removed_keys.push((KeyId(0), TextId::EMPTY));
    assert!(changes.is_empty());
    changes.removed.insert(Arc::from("locales/cs.json"));
    assert!(!changes.is_empty());
}

#[test]
fn a_language_without_anything_is_no_entry() {
    let mut changes = CommitChanges::default();
    let path = Arc::from("locales/cs.json");
    changes.language(&path, 0);
    assert!(changes.is_empty());
    let states = &mut changes.language(&path, 0).states;
    states.push((KeyId(0), TextId::EMPTY, true));
    assert!(!changes.is_empty());
    let mut changes = CommitChanges::default();
    let texts = &mut changes.language(&path, 0).texts;
    texts.push(entry_of(Action::NewTranslation));
    assert!(!changes.is_empty());
}

#[test]
fn texts_have_the_order_of_the_template_and_not_of_their_file() {
    let commits = commit("start")
        .texts("en", "z=One;y=Two;x=Three")
        .texts("cs", "x=Tři;y=Dvě;z=Jedna");
    let entries = read(&commits).entries_of("start");
    assert_eq!(
        entries[4..7],
        [
            "New translation cs z=Jedna",
            "New translation cs y=Dvě",
            "New translation cs x=Tři",
        ]
    );
}
