//! The sum of all entries.

use std::sync::Arc;

use crate::files::layout::Layouts;
use crate::log::state::{Lineage, LogState};
use crate::testing::json_component;
use crate::versions::values::TextValue;
use gitglot_model::{Component, KeyId, LineageId, TextId, Timestamp};

const CS: LineageId = LineageId(0);
const KEY: KeyId = KeyId(0);

/// A state with the languages `cs` and `de`, whose files exist.
fn state() -> LogState {
    let component = Component::new(json_component());
    let mut state = LogState::new(Layouts::configured(&component, "en"));
    state.update_lineages(&["cs".into(), "de".into()]);
    for lineage in &mut state.lineages {
        (lineage.alive, lineage.readable) = (true, true);
    }
    state
}

fn text(state: &mut LogState, text: &str) -> TextValue {
    TextValue::new(state.vocabulary.texts.intern(text), true)
}

#[test]
fn a_translation_is_complete_while_each_string_has_a_text_for_its_present_source() {
    let mut state = state();
    assert!(!state.is_complete(0), "there are no strings");
    let (one, won, jedna) = (
        text(&mut state, "One"),
        text(&mut state, "Won"),
        text(&mut state, "Jedna"),
    );
    state.set_key(KEY, true, one);
    assert!(!state.is_complete(0));
    state.set_value(CS, KEY, jedna, one.text());
    assert_eq!((state.is_complete(0), state.is_complete(1)), (true, false));
    state.set_key(KEY, true, won);
    assert!(!state.is_complete(0), "its text is stale");
    state.set_key(KEY, true, one);
    assert!(state.is_complete(0));
    state.lineages[0].alive = false;
    assert!(!state.is_complete(0), "its file is gone");
}

#[test]
fn an_absent_string_does_not_count_and_keeps_its_values() {
    let mut state = state();
    let (one, jedna) = (text(&mut state, "One"), text(&mut state, "Jedna"));
    state.set_key(KEY, true, one);
    state.set_value(CS, KEY, jedna, one.text());
    state.set_key(KEY, false, one);
    assert_eq!(state.present_keys, 0);
    assert_eq!(state.lineages[1].incomplete_count, 0);
    assert_eq!(state.lineages[0].value(KEY), jedna);
    state.set_key(KEY, true, one);
    assert_eq!(state.lineages[1].incomplete_count, 1);
}

#[test]
fn a_new_language_lacks_all_strings() {
    let mut state = state();
    let one = text(&mut state, "One");
    state.set_key(KEY, true, one);
    state.update_lineages(&["cs".into(), "de".into(), "fr".into()]);
    assert_eq!(state.lineages[2].incomplete_count, 1);
}

#[test]
fn a_value_that_is_older_than_the_first_source_counts_as_written_for_it() {
    let mut state = state();
    let (one, jedna) = (text(&mut state, "One"), text(&mut state, "Jedna"));
    state.set_value(CS, KEY, jedna, TextId::EMPTY);
    state.set_key(KEY, true, one);
    assert_eq!(state.lineages[0].source(KEY), one.text());
    assert_eq!(state.log.rebound.len(), 1);
}

#[test]
fn a_new_source_of_a_value_is_recorded_only_if_it_differs() {
    let mut state = state();
    let (one, jedna) = (text(&mut state, "One"), text(&mut state, "Jedna"));
    state.set_value(CS, KEY, jedna, one.text());
    state.rebind(CS, KEY, jedna, one.text());
    assert!(state.log.rebound.is_empty());
    state.rebind(CS, KEY, jedna, jedna.text());
    assert_eq!(state.log.rebound[0].source, jedna.text());
}

#[test]
fn the_source_in_another_component_counts_until_the_text_changes() {
    let mut state = state();
    let (one, other, jedna) = (
        text(&mut state, "One"),
        text(&mut state, "Other"),
        text(&mut state, "Jedna"),
    );
    state.set_moved_value(CS, KEY, jedna, one.text(), Some(other.text()));
    assert_eq!(state.lineages[0].carried_source(KEY), other.text());
    assert!(!state.carry(CS, KEY, other.text()), "it is known");
    state.rebind(CS, KEY, jedna, one.text());
    assert_eq!(
        state.lineages[0].carried_source(KEY),
        other.text(),
        "the log has no other"
    );
    state.set_moved_value(CS, KEY, jedna, one.text(), None);
    assert_eq!(state.lineages[0].carried_source(KEY), one.text());
}

#[test]
fn only_the_first_appearance_of_a_string_is_kept() {
    let mut state = state();
    assert_eq!(state.key(KEY).since, None);
    state.set_first_seen(KEY, Timestamp(0));
    state.set_first_seen(KEY, Timestamp(6));
    assert_eq!(state.key(KEY).since, Some(Timestamp(0)));
}

#[test]
fn a_translation_keeps_its_older_paths_each_once() {
    let mut lineage = Lineage::default();
    for path in ["a.json", "b.json", "b.json", "a.json"] {
        lineage.move_to(&Arc::from(path));
    }
    assert_eq!(&*lineage.path, "a.json");
    assert_eq!(lineage.older_paths, [Arc::from("b.json")]);
}
