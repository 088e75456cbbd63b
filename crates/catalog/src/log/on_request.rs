//! Records of a log that are no entries, and that lists show on request: removed strings and changes of states.

use super::{ChangeView, LogOrder, LogView};
use crate::component::ComponentSnapshot;
use gitglot_model::{Action, LogEntry, TextId};

/// The kinds of records that are no entries, but that a list shows on request, after the entries that they belong to and
/// with their ids.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OnRequest {
    /// Removed strings (docs/spec/change-log.md#removed-strings).
    pub removed: bool,
    /// Changes of states (docs/spec/change-log.md#changes-of-states).
    pub states: bool,
}

impl OnRequest {
    fn count_states(self, component: &ComponentSnapshot, entry: u32) -> u32 {
        if self.states {
            component.log.count_state_changes(entry) as u32
        } else {
            0
        }
    }
}

impl LogView<'_> {
    /// The records on request that the list has: the position of the entry that each belongs to, and its index among
    /// those of that entry ([`ChangeView::on_request`]). Sorted.
    pub fn on_request(&self, which: OnRequest) -> Vec<(u32, u32)> {
        let mut found: Vec<(u32, u32)> = Vec::new();
        for (at, component) in (0..).zip(&self.snapshot.components) {
            let log = &component.log;
            if which.states {
                let states = log.state_changes().map(|change| change.entry);
                self.add_records(at, states, |_| 0, &mut found);
            }
            // Logs of translations have no strings.
            if which.removed && !matches!(self.order, LogOrder::Some(..)) {
                let removals = log.removals().map(|removal| removal.entry);
                let first = |entry| which.count_states(component, entry);
                self.add_records(at, removals, first, &mut found);
            }
        }
        found.sort_unstable();
        found
    }

    /// Adds records of one kind, given the entry that each belongs to, in order, and the index of the first of an entry.
    fn add_records(
        &self,
        component: u32,
        entries: impl Iterator<Item = u32>,
        first: impl Fn(u32) -> u32,
        found: &mut Vec<(u32, u32)>,
    ) {
        let (mut last, mut index) = (None, 0);
        for entry in entries {
            index = if last == Some(entry) {
                index + 1
            } else {
                first(entry)
            };
            last = Some(entry);
            let position = self.position(component, entry);
            let position = position.filter(|&at| (at as usize) < self.limit);
            found.extend(position.map(|position| (position, index)));
        }
    }
}

impl<'a> ChangeView<'a> {
    /// A record that belongs to this entry, as an entry with the same id: first changes of states, then removed strings.
    pub fn on_request(&self, which: OnRequest, index: u32) -> Option<Self> {
        let states = which.count_states(self.component, self.index);
        match index.checked_sub(states) {
            None => self.state_change(index as usize),
            Some(index) => self.removal(index as usize).filter(|_| which.removed),
        }
    }

    fn removal(&self, index: usize) -> Option<Self> {
        let removal = self.component.log.removal_of(self.entry.id, index)?;
        let entry = LogEntry {
            action: Action::RemovedSourceString,
            lineage: None,
            key: Some(removal.key),
            target: TextId::EMPTY,
            previous: removal.source,
            source: TextId::EMPTY,
            ..self.entry
        };
        Some(ChangeView { entry, ..*self })
    }

    /// The changes of states that belong to this entry, as entries with the same id.
    pub fn state_changes(self) -> impl Iterator<Item = Self> {
        (0..).map_while(move |index| self.state_change(index))
    }

    fn state_change(&self, index: usize) -> Option<Self> {
        let change = (self.component.log).state_change_of(self.index, index)?;
        let entry = change.as_entry(&self.entry);
        Some(ChangeView { entry, ..*self })
    }
}
