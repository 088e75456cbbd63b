//! The change log as current Weblate has it, with one row per string (docs/spec/current-api.md#changes).
//!
//! Rows are derived from the entries of the log when they are read. What is stored of a component, once it was asked
//! for, are the numbers of rows of its commits and where its texts changed.

mod changed_string;
mod commit_changes;
mod gaps;
mod log_reader;
mod read;
mod row;
mod row_ids;
mod rows;

use std::ops::Range;
use std::sync::Arc;

use crate::component::ComponentSnapshot;
use crate::current_log::{Group, RowsOfCommit};
use crate::log::ChangeView;
use crate::scan::Budget;
use crate::snapshot::Snapshot;
use crate::views::TranslationView;
use commit_changes::Changes;
use log_reader::LogReader;
use row_ids::entry_of;
use rows::RowWriter;

pub use row::{CurrentChange, RowDetails, actions};

/// The rows of a part of the log of current Weblate, newest first.
#[derive(Clone, Debug)]
pub struct CurrentRows(Rows);

impl Default for CurrentRows {
    fn default() -> Self {
        Self(Rows::Commits(Arc::default()))
    }
}

#[derive(Clone, Debug)]
enum Rows {
    /// Those of components.
    Commits(Arc<[RowsOfCommit]>),
    /// Those of a translation, by component and translation indexes: group, and index of the row among those of the
    /// translation in it. Newest first.
    Translation(u32, u32, Arc<[(u32, u32)]>),
}

impl CurrentRows {
    /// The rows of all components. Their logs must be [known](read_current_log).
    pub fn all(snapshot: &Snapshot) -> Self {
        let components = || snapshot.components().iter().map(Arc::as_ref);
        let all = || rows_of_components(snapshot, components());
        Self(Rows::Commits(
            snapshot.current_rows.get_or_init(all).clone(),
        ))
    }

    /// The rows of some components. Logs that are [not known](read_current_log) are left out.
    pub fn of_components<'a>(
        snapshot: &'a Snapshot,
        components: impl Iterator<Item = &'a ComponentSnapshot>,
    ) -> Self {
        Self(Rows::Commits(rows_of_components(snapshot, components)))
    }

    /// The rows of a translation. The log of its component must be known. Empty if the budget is exhausted.
    pub fn of_translation(snapshot: &Snapshot, view: TranslationView<'_>, budget: &Budget) -> Self {
        let component = view.component;
        let (index, translation) = (snapshot.index_of(component), view.index());
        let (Some(index), Some(translation), Some(reader)) =
            (index, translation, LogReader::of(component))
        else {
            return Self::default();
        };
        let mut rows = Vec::new();
        for (at, group) in reader.log.groups.iter().enumerate().rev() {
            if !budget.spend(u64::from(group.entries.len() as u32)) {
                return Self::default();
            }
            let changes = reader.changes(group);
            let count = rows_of(reader, group, &changes, translation).len() as u32;
            rows.extend((0..count).rev().map(|row| (at as u32, row)));
        }
        Self(Rows::Translation(index, translation, rows.into()))
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.0 {
            Rows::Commits(commits) => commits.last().map_or(0, |commit| commit.end as usize),
            Rows::Translation(.., rows) => rows.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls a function with the positions and rows of a range of positions, in order, until it returns `false`.
    pub fn each<'a>(
        &self,
        snapshot: &'a Snapshot,
        positions: Range<usize>,
        mut with: impl FnMut(usize, CurrentChange<'a>) -> bool,
    ) {
        let mut next = positions.start;
        let mut with = |row: CurrentChange<'a>| {
            next += 1;
            with(next - 1, row)
        };
        match &self.0 {
            Rows::Commits(commits) => each_of_commits(snapshot, commits, positions, with),
            Rows::Translation(component, translation, rows) => {
                let Some(reader) = reader_at(snapshot, *component) else {
                    return;
                };
                let wanted = rows.get(positions).unwrap_or_default();
                for run in wanted.chunk_by(|(before, _), (after, _)| before == after) {
                    let group = run.first().map(|(group, _)| *group as usize);
                    let Some(group) = group.and_then(|group| reader.log.groups.get(group)) else {
                        return;
                    };
                    let changes = reader.changes(group);
                    let all = rows_of(reader, group, &changes, *translation);
                    let rows = run.iter().filter_map(|(_, at)| all.get(*at as usize));
                    if !rows.copied().all(&mut with) {
                        return;
                    }
                }
            }
        }
    }
}

/// The commits of some components with the numbers of their rows.
fn rows_of_components<'a>(
    snapshot: &Snapshot,
    components: impl Iterator<Item = &'a ComponentSnapshot>,
) -> Arc<[RowsOfCommit]> {
    let mut commits = Vec::new();
    for component in components {
        let (index, reader) = (snapshot.index_of(component), LogReader::of(component));
        let (Some(index), Some(reader)) = (index, reader) else {
            continue;
        };
        let is_linked = snapshot.linked_component(component).is_some();
        let mut before = 0;
        for (at, group) in (0..).zip(&reader.log.groups) {
            let first = component.log.get(group.entries.start as usize);
            let is_held_back = |id| snapshot.held_back_from.is_some_and(|from| id >= from);
            let Some(first) = first.filter(|first| !is_held_back(first.id)) else {
                break;
            };
            let updates = if is_linked { 0 } else { group.updates };
            let rows = group.rows + updates;
            commits.push(RowsOfCommit {
                time: first.time,
                component: index,
                group: at,
                end: rows - std::mem::replace(&mut before, rows),
            });
        }
    }
    commits.sort_by_key(|commit| commit.time);
    let mut end = 0;
    for commit in &mut commits {
        end += commit.end;
        commit.end = end;
    }
    commits.into()
}

/// Reads the log of the component at an index, if it is known.
fn reader_at(snapshot: &Snapshot, component: u32) -> Option<LogReader<'_>> {
    LogReader::of(snapshot.component_at(component)?)
}

/// The rows of a commit about a translation, given its index.
fn rows_of<'a>(
    reader: LogReader<'a>,
    group: &'a Group,
    changes: &Changes,
    translation: u32,
) -> Vec<CurrentChange<'a>> {
    let writer = RowWriter::new(reader, group, changes);
    writer.map_or_else(Vec::new, |writer| writer.rows_of(translation))
}

/// Calls a function with the rows at a range of positions, newest first, until it returns `false`.
fn each_of_commits<'a>(
    snapshot: &'a Snapshot,
    commits: &[RowsOfCommit],
    positions: Range<usize>,
    mut with: impl FnMut(CurrentChange<'a>) -> bool,
) {
    let count = commits.last().map_or(0, |commit| commit.end);
    // Commits count their rows from the oldest one on.
    let from = count.saturating_sub(positions.end as u64);
    let mut end = count.saturating_sub(positions.start as u64);
    let mut at = commits.partition_point(|commit| commit.end < end);
    while end > from {
        let Some(commit) = commits.get(at) else {
            return;
        };
        let before = at.checked_sub(1).and_then(|at| commits.get(at));
        let start = before.map_or(0, |before| before.end);
        let window = from.max(start) - start..end - start;
        if !each_of_commit(snapshot, commit, window, &mut with) {
            return;
        }
        end = start;
        at = at.wrapping_sub(1);
    }
}

/// Calls a function with the rows of a commit at a range of positions, newest first, until it returns `false`. Returns
/// whether it always returned `true`.
fn each_of_commit<'a>(
    snapshot: &'a Snapshot,
    commit: &RowsOfCommit,
    window: Range<u64>,
    with: impl FnMut(CurrentChange<'a>) -> bool,
) -> bool {
    let Some(reader) = reader_at(snapshot, commit.component) else {
        return true;
    };
    let Some(group) = reader.log.groups.get(commit.group as usize) else {
        return true;
    };
    let changes = reader.changes(group);
    let is_linked = snapshot.linked_component(reader.component).is_some();
    let writer = RowWriter::new(reader, group, &changes);
    writer.is_none_or(|writer| writer.each(is_linked, window, with))
}

/// What the commits of a component changed, so that the rows of several translations read the log once.
pub(crate) struct CommitChanges<'a> {
    /// `None` if the log is not known.
    reader: Option<LogReader<'a>>,
    /// Commits with rows, newest first.
    commits: Vec<(&'a Group, Changes)>,
}

impl<'a> CommitChanges<'a> {
    /// Reads the log of a component; no commits if the budget is exhausted.
    pub(crate) fn of(component: &'a ComponentSnapshot, budget: &Budget) -> Self {
        read_current_log(component, budget);
        let reader = LogReader::of(component);
        let commits = reader.into_iter().flat_map(|reader| {
            let groups = reader.log.groups.iter().rev();
            let groups = groups.take_while(|group| budget.spend(group.entries.len() as u64));
            groups.map(move |group| (group, reader.changes(group)))
        });
        Self {
            reader,
            commits: commits.collect(),
        }
    }

    /// Calls a function with the rows of a translation, newest first. Ends early once the budget is exhausted.
    pub(crate) fn each_of(
        &self,
        view: TranslationView<'a>,
        budget: &Budget,
        mut with: impl FnMut(CurrentChange<'a>),
    ) {
        let (Some(reader), Some(translation)) = (self.reader, view.index()) else {
            return;
        };
        for (group, changes) in &self.commits {
            let rows = rows_of(reader, group, changes, translation);
            if !budget.spend(1 + rows.len() as u64) {
                return;
            }
            rows.into_iter().rev().for_each(&mut with);
        }
    }
}

/// Reads the log of current Weblate within a budget, so that its rows can be listed. Returns whether it is known.
pub fn read_current_log(component: &ComponentSnapshot, budget: &Budget) -> bool {
    if has_current_log(component) {
        return true;
    }
    let Some(log) = read::read(component, budget) else {
        return false;
    };
    // Another thread may have been faster.
    let _ = component.current.log.set(log);
    true
}

/// Whether the log of current Weblate is known.
pub fn has_current_log(component: &ComponentSnapshot) -> bool {
    component.current.log.get().is_some()
}

/// The component that has a row of the log of current Weblate.
pub fn component_of_current_change(snapshot: &Snapshot, id: u64) -> Option<&ComponentSnapshot> {
    if let Some((_, unit)) = row_ids::as_reread(id) {
        return Some(snapshot.unit(unit)?.component);
    }
    Some(snapshot.change(entry_of(id))?.component)
}

impl<'a> CurrentChange<'a> {
    /// Finds a row by its id. The log of [its component](component_of_current_change) must be known.
    pub fn find(snapshot: &'a Snapshot, id: u64) -> Option<Self> {
        if let Some((commit, unit)) = row_ids::as_reread(id) {
            let view = snapshot.unit(unit)?.of();
            let reader = LogReader::of(view.component)?;
            let group = reader.log.groups.get(commit as usize)?;
            let changes = reader.changes(group);
            let rows = rows_of(reader, group, &changes, view.index()?);
            return rows.into_iter().find(|row| row.id == id);
        }
        let ChangeView {
            component,
            index,
            entry,
        } = snapshot.change(entry_of(id))?;
        let reader = LogReader::of(component)?;
        let groups = &reader.log.groups;
        let begins_before = |group: &Group| group.entries.start <= index;
        let at = groups.partition_point(begins_before).checked_sub(1)?;
        let group = groups.get(at)?;
        let changes = reader.changes(group);
        let writer = RowWriter::new(reader, group, &changes)?;
        let is_linked = snapshot.linked_component(component).is_some();
        writer.find(is_linked, id, &entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_snapshot::snapshot_with;

    /// The positions, ids and actions of rows.
    fn rows(snapshot: &Snapshot, of: &CurrentRows, range: Range<usize>) -> Vec<(usize, u64, u8)> {
        let mut found = Vec::new();
        of.each(snapshot, range, |at, row| {
            found.push((at, row.id, row.action));
            true
        });
        found
    }

    #[test]
    fn rows_are_the_same_in_lists_of_any_length_and_by_id() {
        let snapshot = snapshot_with(3);
        let components = || snapshot.components().iter().map(Arc::as_ref);
        let budget = Budget::unlimited();
        assert!(components().all(|component| read_current_log(component, &budget)));
        let list = CurrentRows::of_components(&snapshot, components());
        let all = rows(&snapshot, &list, 0..list.len());
        assert!(all.len() > 5 && all.len() == list.len(), "{all:?}");
        for start in 0..all.len() {
            for end in start..=all.len() {
                assert_eq!(rows(&snapshot, &list, start..end), all[start..end]);
            }
        }
        for (_, id, action) in all {
            let found = CurrentChange::find(&snapshot, id);
            assert_eq!(found.map(|row| (row.id, row.action)), Some((id, action)));
        }
        for view in components().flat_map(|component| component.views()) {
            let own = CurrentRows::of_translation(&snapshot, view, &budget);
            for (_, id, action) in rows(&snapshot, &own, 0..own.len()) {
                let found = CurrentChange::find(&snapshot, id);
                assert_eq!(found.map(|row| (row.id, row.action)), Some((id, action)));
            }
        }
    }
}
