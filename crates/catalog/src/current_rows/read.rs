//! Reads the log of a component for current Weblate.

use super::gaps::gaps;
use super::log_reader::{LogReader, state_change, translation_of};
use crate::component::ComponentSnapshot;
use crate::current_log::{ALWAYS, CurrentLog, EntryIndex, Gaps, Group, NEVER};
use crate::scan::Budget;

/// Reads the log of a component; `None` if the budget is exhausted.
pub(super) fn read(component: &ComponentSnapshot, budget: &Budget) -> Option<CurrentLog> {
    let log = &component.log;
    let begins = component.current_translations();
    let begins = begins.map(|view| match view.translation.has_file() {
        true => NEVER,
        false => ALWAYS,
    });
    let mut current = CurrentLog {
        groups: Vec::new(),
        order: order(component),
        index: EntryIndex::new(begins.collect(), component.sources.len(), log.keys.len()),
        gaps: Gaps::default(),
    };
    let mut updates = (0..).zip(log.mainline.iter()).peekable();
    let (mut commit, mut starts_update) = (None, None);
    for (at, entry) in (0..).zip(log.iter()) {
        if !budget.spend(1) {
            return None;
        }
        let translation = translation_of(component, entry.lineage);
        let string = component.string_of(&entry);
        current.index.take(at, &entry, translation, string);
        let mut is_first = at == 0;
        while updates.next_if(|(_, row)| row.entries <= at).is_some() {
            is_first = true;
        }
        if is_first {
            // Entries after the last commit belong to no update.
            starts_update = updates.peek().map(|(index, _)| *index);
        }
        if commit != Some(entry.commit) || starts_update.is_some() {
            commit = Some(entry.commit);
            current.groups.push(Group {
                entries: at..at,
                update: starts_update.take(),
                rows: 0,
                updates: 0,
            });
        }
        if let Some(group) = current.groups.last_mut() {
            group.entries.end = at + 1;
        }
    }
    for change in log.state_changes() {
        if !budget.spend(1) {
            return None;
        }
        if let Some(change) = state_change(component, change) {
            current.index.take_state(change);
        }
    }
    current.index.sort();
    let reader = LogReader {
        component,
        log: &current,
    };
    current.gaps = gaps(reader, budget)?;
    let reader = LogReader {
        component,
        log: &current,
    };
    let counts = reader.counts(budget)?;
    for (group, (rows, updates)) in current.groups.iter_mut().zip(counts) {
        (group.rows, group.updates) = (rows, updates);
    }
    Some(current)
}

/// The indexes of translations: the source language, then the others by code.
fn order(component: &ComponentSnapshot) -> Vec<u32> {
    let count = component.current_translations().count() as u32;
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_by_key(|&index| {
        let translation = component.current_translation_at(index)?;
        let is_source = component.view_of(translation).is_source();
        let code = &*translation.current_language().code;
        // A second file in the source language is a translation of the template.
        Some((!translation.is_template, !is_source, code))
    });
    order
}
