//! The change log as current Weblate has it, with one row per string (docs/spec/current-api.md#changes).
//!
//! Rows are derived from the entries of the log when they are read. What is stored of a component, once it was asked
//! for, are the numbers of rows of its commits and where its texts changed.

mod groups;
mod rows;

use std::ops::Range;
use std::sync::Arc;

use crate::scan::Budget;
use crate::{ComponentSnapshot, Snapshot, TranslationView};
use gitglot_model::{ChangeId, Timestamp};
use groups::Group;
use rows::{ENTRY_BITS, RowWriter};

pub(super) use groups::CurrentLog;
pub use rows::{CurrentChange, RowDetails, actions};

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
    Commits(Arc<[Commit]>),
    /// Those of a translation, by component and translation indexes: group, and index of the row among those of the
    /// translation in it. Newest first.
    Translation(u32, u32, Arc<[(u32, u32)]>),
}

/// A commit in a list of rows, oldest first.
#[derive(Clone, Copy, Debug)]
struct Commit {
    time: Timestamp,
    component: u32,
    group: u32,
    /// The rows of this and all earlier commits of the list.
    end: u64,
}

impl ComponentSnapshot {
    /// Reads the log of current Weblate within a budget, so that its rows can be listed. Returns whether it is known.
    pub fn read_current_log(&self, budget: &Budget) -> bool {
        if self.has_current_log() {
            return true;
        }
        let Some(log) = CurrentLog::of(self, budget) else {
            return false;
        };
        // Another thread may have been faster.
        let _ = self.current.log.set(log);
        true
    }

    /// Whether the log of current Weblate is known.
    pub fn has_current_log(&self) -> bool {
        self.current_log().is_some()
    }

    fn current_log(&self) -> Option<&CurrentLog> {
        self.current.log.get()
    }
}

impl Snapshot {
    /// The rows of some components. Logs that are [not known](ComponentSnapshot::read_current_log) are left out.
    pub fn current_rows<'a>(
        &'a self,
        components: impl Iterator<Item = &'a ComponentSnapshot>,
    ) -> CurrentRows {
        let mut commits = Vec::new();
        for component in components {
            let (Some(index), Some(log)) = (self.index_of(component), component.current_log())
            else {
                continue;
            };
            let is_linked = self.linked_component(component).is_some();
            let mut before = 0;
            for (at, group) in (0..).zip(&log.groups) {
                let first = component.log.get(group.entries.start as usize);
                let is_held_back =
                    |id: ChangeId| self.held_back_from.is_some_and(|from| id >= from);
                let Some(first) = first.filter(|first| !is_held_back(first.id)) else {
                    break;
                };
                let updates = if is_linked { 0 } else { group.updates };
                let rows = group.rows + updates;
                commits.push(Commit {
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
        CurrentRows(Rows::Commits(commits.into()))
    }

    /// The rows of a translation. The log of its component must be known.
    pub fn current_rows_of(&self, view: TranslationView<'_>) -> CurrentRows {
        let component = view.component;
        let (index, own) = (self.index_of(component), view.index());
        let (Some(index), Some(own), Some(log)) = (index, own, component.current_log()) else {
            return CurrentRows::default();
        };
        let mut rows = Vec::new();
        for (at, group) in log.groups.iter().enumerate().rev() {
            let writer = RowWriter::new(component, log, group);
            let count = writer.map_or(0, |writer| writer.rows_of(own).len() as u32);
            rows.extend((0..count).rev().map(|row| (at as u32, row)));
        }
        CurrentRows(Rows::Translation(index, own, rows.into()))
    }

    /// The component that has a row of the log of current Weblate.
    pub fn component_of_current_change(&self, id: u64) -> Option<&ComponentSnapshot> {
        Some(self.change(entry_of(id))?.component)
    }

    /// Finds a row by its id. The log of [its component](Self::component_of_current_change) must be known.
    pub fn current_change(&self, id: u64) -> Option<CurrentChange<'_>> {
        let component = self.component_of_current_change(id)?;
        let log = component.current_log()?;
        let begins_before = |group: &Group| {
            let first = component.log.get(group.entries.start as usize);
            first.is_some_and(|first| first.id <= entry_of(id))
        };
        let at = log.groups.partition_point(begins_before).checked_sub(1)?;
        let writer = RowWriter::new(component, log, log.groups.get(at)?)?;
        let is_linked = self.linked_component(component).is_some();
        let rows = writer.rows(is_linked, 0..u64::MAX);
        rows.into_iter().find(|row| row.id == id)
    }
}

/// The entry that a row comes from.
fn entry_of(id: u64) -> ChangeId {
    ChangeId((id & ((1 << ENTRY_BITS) - 1)) as u32)
}

impl CurrentRows {
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
        let mut all = |rows: Vec<CurrentChange<'a>>| {
            rows.into_iter().all(|row| {
                let goes_on = with(next, row);
                next += 1;
                goes_on
            })
        };
        match &self.0 {
            Rows::Commits(commits) => {
                each_of_commits(snapshot, commits, positions, all);
            }
            Rows::Translation(component, translation, rows) => {
                let found = snapshot.component_at(*component);
                let Some((component, log)) = found.and_then(|it| Some((it, it.current_log()?)))
                else {
                    return;
                };
                let wanted = rows.get(positions).unwrap_or_default();
                for run in wanted.chunk_by(|(before, _), (after, _)| before == after) {
                    let group = run.first().and_then(|(at, _)| log.groups.get(*at as usize));
                    let writer = group.and_then(|group| RowWriter::new(component, log, group));
                    let own = writer.map_or_else(Vec::new, |it| it.rows_of(*translation));
                    let rows = run
                        .iter()
                        .filter_map(|(_, at)| own.get(*at as usize).copied());
                    if !all(rows.collect()) {
                        return;
                    }
                }
            }
        }
    }
}

/// Calls a function with the rows of each commit at a range of positions, newest first, until it returns `false`.
fn each_of_commits<'a>(
    snapshot: &'a Snapshot,
    commits: &[Commit],
    positions: Range<usize>,
    mut with: impl FnMut(Vec<CurrentChange<'a>>) -> bool,
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
        let mut rows = rows_of(snapshot, commit, from.max(start) - start..end - start);
        rows.reverse();
        end = start;
        at = at.wrapping_sub(1);
        if !with(rows) {
            return;
        }
    }
}

/// The rows of a commit at a range of positions, oldest first.
fn rows_of<'a>(
    snapshot: &'a Snapshot,
    commit: &Commit,
    window: Range<u64>,
) -> Vec<CurrentChange<'a>> {
    let find = || {
        let component = snapshot.component_at(commit.component)?;
        let log = component.current_log()?;
        let group = log.groups.get(commit.group as usize)?;
        let is_linked = snapshot.linked_component(component).is_some();
        Some(RowWriter::new(component, log, group)?.rows(is_linked, window))
    };
    find().unwrap_or_default()
}

impl<'a> TranslationView<'a> {
    /// Calls a function with the rows of the translation, newest first. Ends early once the budget is exhausted.
    pub(crate) fn each_current_change(
        self,
        budget: &Budget,
        mut with: impl FnMut(CurrentChange<'a>),
    ) {
        self.component.read_current_log(budget);
        let (Some(log), Some(own)) = (self.component.current_log(), self.index()) else {
            return;
        };
        for group in log.groups.iter().rev() {
            if !budget.spend(u64::from(group.entries.len() as u32)) {
                return;
            }
            let writer = RowWriter::new(self.component, log, group);
            let rows = writer.map_or_else(Vec::new, |writer| writer.rows_of(own));
            rows.into_iter().rev().for_each(&mut with);
        }
    }
}
