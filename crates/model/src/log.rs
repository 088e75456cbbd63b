//! The change log of one component: 36 bytes per entry. Copies of a log share memory.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::log_rows::{
    CommitRow, EarlierSource, KeyId, LineageId, LineageRow, LogEntry, MainlineRow, PackedEntry,
    Removal, SourceReassignment, StateChange,
};
use super::rename::KeyRename;
use crate::ids::ChangeId;
use crate::persistent_vec::PersistentVec;
use crate::text::TextId;
use crate::time::Timestamp;

/// The log of one component, oldest entry first. Cheap to copy; copies do not see each other's new entries.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Log {
    rows: PersistentVec<PackedEntry>,
    /// Sorted indexes of the entries of each translation, by [`LineageId`].
    #[serde(skip)]
    by_lineage: Vec<PersistentVec<u32>>,
    /// In the order of their entries, the last of which may be the next one to be written.
    pub removals: PersistentVec<Removal>,
    /// In the order of their entries.
    pub state_changes: PersistentVec<StateChange>,
    /// In the order of their entries, each of which has at most one.
    pub earlier_sources: PersistentVec<EarlierSource>,
    /// In the order of their entries, each of which has at most one.
    pub renames: PersistentVec<KeyRename>,
    /// The commits that wrote entries.
    pub commits: PersistentVec<CommitRow>,
    /// The context of each key, present or removed, by [`KeyId`].
    pub keys: PersistentVec<TextId>,
    /// Each translation, present or removed, by [`LineageId`].
    pub lineages: Vec<LineageRow>,
    /// The mainline commits, in the order in which they were written.
    pub mainline: PersistentVec<MainlineRow>,
    /// In the order of their entries.
    pub rebound: PersistentVec<SourceReassignment>,
    /// Identifies the copies of one log.
    #[serde(skip)]
    origin: Arc<()>,
}

/// Identifies a log and its length, without the entries.
#[derive(Clone, Debug)]
pub struct LogMark {
    origin: Arc<()>,
    entries: usize,
}

impl Log {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The entry at an index, oldest first.
    pub fn get(&self, at: usize) -> Option<LogEntry> {
        self.rows.get(at)?.entry()
    }

    /// The entries in order. Faster than [`Self::get`] for each.
    pub fn iter(&self) -> impl Iterator<Item = LogEntry> + '_ {
        self.rows.iter().filter_map(PackedEntry::entry)
    }

    /// The sorted indexes of a translation's entries; `None` if it has none.
    pub fn of_lineage(&self, lineage: LineageId) -> Option<&PersistentVec<u32>> {
        self.by_lineage.get(usize::from(lineage.0))
    }

    /// Identifies this log and its length.
    pub fn mark(&self) -> LogMark {
        LogMark {
            origin: self.origin.clone(),
            entries: self.len(),
        }
    }

    /// Whether this log continues the one with a mark.
    pub fn continues_from(&self, mark: &LogMark) -> bool {
        Arc::ptr_eq(&self.origin, &mark.origin) && self.len() >= mark.entries
    }

    /// Whether this log is a copy of an older one, perhaps with more entries.
    pub fn continues(&self, older: &Self) -> bool {
        Arc::ptr_eq(&self.origin, &older.origin) && self.len() >= older.len()
    }

    /// Sets the ids of the entries from an index on, in order.
    pub fn set_ids(&mut self, from: usize, ids: impl IntoIterator<Item = ChangeId>) {
        for (at, id) in (from..self.rows.len()).zip(ids) {
            if let Some(row) = self.rows.get_mut(at) {
                row.id = id.0;
            }
        }
    }

    /// The times of the entries from an index on.
    pub fn times_from(&self, from: usize) -> impl Iterator<Item = Timestamp> + '_ {
        self.rows.iter_from(from).map(PackedEntry::time)
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: LogEntry) {
        let at = self.rows.len() as u32;
        self.rows.push(PackedEntry::new(&entry));
        self.add_to_lineage(entry.lineage, at);
    }

    /// The removals that belong to entries of the log, in order.
    pub fn removals(&self) -> impl Iterator<Item = Removal> + '_ {
        let removals = self.removals.iter().copied();
        removals.take_while(|removal| (removal.entry as usize) < self.len())
    }

    /// The changes of states, in the order of their entries.
    pub fn state_changes(&self) -> impl Iterator<Item = StateChange> + '_ {
        self.state_changes.iter().copied()
    }

    /// Number of changes of states that belong to an entry.
    pub fn count_state_changes(&self, entry: u32) -> usize {
        self.first_state_change(entry + 1) - self.first_state_change(entry)
    }

    /// The index of the first change of a state that belongs to an entry or to a later one.
    fn first_state_change(&self, entry: u32) -> usize {
        let changes = &self.state_changes;
        changes.partition_point(|change| change.entry < entry)
    }

    /// The change of a state at an index among those that belong to an entry.
    pub fn state_change_of(&self, entry: u32, index: usize) -> Option<StateChange> {
        let first = self.first_state_change(entry);
        let change = self.state_changes.get(first.checked_add(index)?)?;
        (change.entry == entry).then_some(*change)
    }

    /// The earlier source of the text that an entry wrote, if it is new and fuzzy and its file names one.
    pub fn earlier_source_of(&self, entry: u32) -> Option<TextId> {
        let sources = &self.earlier_sources;
        let at = sources.partition_point(|earlier| earlier.entry < entry);
        let earlier = sources.get(at)?;
        (earlier.entry == entry).then_some(earlier.source)
    }

    /// The renamed keys, in the order of their entries.
    pub fn renames(&self) -> impl Iterator<Item = KeyRename> + '_ {
        self.renames.iter().copied()
    }

    /// The removal at an index among those that belong to the entry with an id.
    pub fn removal_of(&self, id: ChangeId, index: usize) -> Option<Removal> {
        let id_of = |removal: &Removal| {
            let row = self.rows.get(removal.entry as usize);
            row.map_or(u32::MAX, |row| row.id)
        };
        let removals = &self.removals;
        let first = removals.partition_point(|removal| id_of(removal) < id.0);
        let removal = removals.get(first.checked_add(index)?)?;
        (id_of(removal) == id.0).then_some(*removal)
    }

    /// The last mainline commit at or before each time. The times ascend.
    pub fn mainline_at(&self, times: &[i64]) -> Vec<Option<MainlineRow>> {
        let mut newest = vec![None; times.len()];
        for (at, row) in self.mainline.iter().enumerate() {
            let first = times.partition_point(|&time| time < row.time);
            if let Some(slot) = newest.get_mut(first) {
                *slot = Some(at);
            }
        }
        let mut last: Option<usize> = None;
        let rows = newest.into_iter().map(|slot| {
            last = last.max(slot);
            self.mainline.get(last?).copied()
        });
        rows.collect()
    }

    fn add_to_lineage(&mut self, lineage: Option<LineageId>, at: u32) {
        let Some(LineageId(lineage)) = lineage else {
            return;
        };
        let lineage = usize::from(lineage);
        if self.by_lineage.len() <= lineage {
            self.by_lineage
                .resize_with(lineage + 1, PersistentVec::default);
        }
        self.by_lineage[lineage].push(at);
    }

    /// Completes a deserialized log. Returns whether it is valid: every entry has a known action and refers to one of
    /// its commits and to texts, keys and translations below the given counts.
    pub fn restore(&mut self, texts: usize, keys: usize, lineages: usize) -> bool {
        let (is_text, commits) = (|text: TextId| (text.0 as usize) < texts, self.commits.len());
        let is_valid = |entry: &LogEntry| {
            [entry.target, entry.previous, entry.source]
                .into_iter()
                .all(is_text)
                && (entry.commit as usize) < commits
                && entry.key.is_none_or(|key| (key.0 as usize) < keys)
                && entry
                    .lineage
                    .is_none_or(|lineage| usize::from(lineage.0) < lineages)
        };
        let mut by_lineage = vec![Vec::new(); lineages];
        for (row, at) in self.rows.iter().zip(0..) {
            let Some(entry) = row.entry().filter(is_valid) else {
                return false;
            };
            if let Some(LineageId(lineage)) = entry.lineage {
                by_lineage[usize::from(lineage)].push(at);
            }
        }
        let used = by_lineage.iter().rposition(|list| !list.is_empty());
        by_lineage.truncate(used.map_or(0, |last| last + 1));
        // Without the spare capacity of lists that grow.
        let lists = by_lineage.into_iter().map(PersistentVec::from_iter);
        self.by_lineage = lists.collect();
        self.has_valid_tables(texts, keys, lineages)
    }

    /// Whether the tables next to the entries refer to known texts, keys, translations and entries.
    fn has_valid_tables(&self, texts: usize, keys: usize, lineages: usize) -> bool {
        let is_text = |text: TextId| (text.0 as usize) < texts;
        let is_key = |key: KeyId| (key.0 as usize) < keys;
        let is_in_log = |entry: u32| (entry as usize) < self.rows.len();
        self.commits
            .iter()
            .all(|commit| is_text(commit.subject) && is_text(commit.author_name))
            && self.keys.iter().all(|&key| is_text(key))
            && self
                .lineages
                .iter()
                .all(|row| is_text(row.language) && is_text(row.path))
            && self.mainline.iter().all(|row| {
                row.entries as usize <= self.rows.len()
                    && row.rebound as usize <= self.rebound.len()
                    && row.removals as usize <= self.removals.len()
            })
            && self.rebound.iter().all(|rebound| {
                usize::from(rebound.lineage.0) < lineages
                    && is_key(rebound.key)
                    && is_text(rebound.source)
            })
            && self.renames.iter().all(|rename| {
                let are_keys = is_key(rename.from) && is_key(rename.to);
                is_in_log(rename.entry) && rename.until <= rename.entry && are_keys
            })
            && self.renames.iter().is_sorted_by(|a, b| a.entry < b.entry)
            && self.state_changes.iter().all(|change| {
                is_in_log(change.entry) && is_key(change.key) && is_text(change.target)
            })
            && self
                .state_changes
                .iter()
                .is_sorted_by_key(|change| change.entry)
            && self
                .earlier_sources
                .iter()
                .all(|earlier| is_in_log(earlier.entry) && is_text(earlier.source))
            && (self.earlier_sources.iter()).is_sorted_by(|a, b| a.entry < b.entry)
            && self.removals.iter().all(|removal| {
                let is_at_most_next = removal.entry as usize <= self.rows.len();
                is_at_most_next && is_key(removal.key) && is_text(removal.source)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CommitId;

    #[test]
    fn the_mainline_is_found_by_time() {
        let mut log = Log::default();
        // The time goes back after a force push.
        for (number, time) in (0..).zip([10, 20, 20, 50, 40]) {
            log.mainline.push(MainlineRow {
                commit: CommitId([number; 20]),
                time,
                has_template: true,
                entries: 0,
                rebound: 0,
                removals: 0,
            });
        }
        let times = [5, 10, 19, 20, 45, 50, 60];
        let found = log.mainline_at(&times);
        let found: Vec<Option<u8>> = found
            .iter()
            .map(|row| Some(row.as_ref()?.commit.0[0]))
            .collect();
        let last_before = |time: i64| {
            let mut rows = log.mainline.iter().filter(|row| row.time <= time);
            rows.by_ref().last().map(|row| row.commit.0[0])
        };
        assert_eq!(found, times.map(last_before));
        assert_eq!(found[4], Some(4));
    }
}
