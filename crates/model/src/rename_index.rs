//! The string that an entry of a log belongs to through all renames (docs/spec/renames.md).

use std::ops::Range;

use super::log::Log;
use super::log_rows::{KeyId, LogEntry};
use super::rename::KeyRename;
use crate::seeded::SeededMap;

/// The renames of a log, by key.
#[derive(Clone, Default, Debug)]
pub struct RenameIndex {
    /// Indexes of the renames that end in a key, ascending.
    to: SeededMap<KeyId, Vec<u32>>,
    /// Those that begin with a key.
    from: SeededMap<KeyId, Vec<u32>>,
    renames: Vec<KeyRename>,
    /// The key that the string of each rename has today.
    newest: Vec<KeyId>,
}

impl RenameIndex {
    /// Indexes the renames of a log.
    pub fn of(log: &Log) -> Self {
        let mut index = Self {
            renames: log.renames().collect(),
            ..Self::default()
        };
        for (at, rename) in (0..).zip(&index.renames) {
            index.to.entry(rename.to).or_default().push(at);
            index.from.entry(rename.from).or_default().push(at);
        }
        index.newest = index.renames.iter().map(|rename| rename.to).collect();
        for at in (0..index.renames.len()).rev() {
            if let Some(rename) = index.renames.get(at) {
                index.newest[at] = index.newest_key(rename.entry, rename.to);
            }
        }
        index
    }

    /// Whether there are no renames.
    pub fn is_empty(&self) -> bool {
        self.renames.is_empty()
    }

    /// The newest of some renames for which a number of entries is smaller than `end`.
    fn last(
        &self,
        list: Option<&Vec<u32>>,
        entries: fn(&KeyRename) -> u32,
        end: u32,
    ) -> Option<KeyRename> {
        let list = list?;
        let rename_at = |&at: &u32| self.renames.get(at as usize).copied();
        let is_before = |at: &u32| rename_at(at).is_some_and(|rename| entries(&rename) < end);
        list.get(list.partition_point(is_before).checked_sub(1)?)
            .and_then(rename_at)
    }

    /// The newest rename to a key among the entries before `end`.
    fn newest_to(&self, key: KeyId, end: u32) -> Option<KeyRename> {
        self.last(self.to.get(&key), |rename| rename.entry, end)
    }

    /// The rename that an entry belongs to: that of its key, if the entry is its first or has a text that moved.
    pub fn of_entry(&self, at: u32, entry: &LogEntry) -> Option<KeyRename> {
        let rename = self.newest_to(entry.key?, at.saturating_add(1))?;
        (entry.moved || rename.entry == at).then_some(rename)
    }

    /// The keys that a string had before an entry, newest first, each with the entries of that time. `key` is the newest
    /// one.
    pub fn keys_of(&self, key: KeyId, end: u32) -> Vec<(KeyId, Range<u32>)> {
        let (mut keys, mut key, mut end) = (Vec::new(), key, end);
        loop {
            let into = self.newest_to(key, end);
            // Entries before the key was given up belong to a different string.
            let away = self.last(self.from.get(&key), |rename| rename.until, end);
            let away = away.map_or(0, |rename| rename.until);
            let start = into.map_or(0, |rename| rename.entry);
            keys.push((key, start.max(away)..end));
            match into.filter(|_| start >= away) {
                Some(rename) => (key, end) = (rename.from, rename.until),
                None => return keys,
            }
        }
    }

    /// The key that the string of an entry has today, given the entry's index and key.
    pub fn newest_key(&self, at: u32, key: KeyId) -> KeyId {
        let next = self.from.get(&key).and_then(|list| {
            let until = |at: u32| {
                self.renames
                    .get(at as usize)
                    .map_or(0, |rename| rename.until)
            };
            list.get(list.partition_point(|&rename| until(rename) <= at))
        });
        let newest = next.and_then(|&next| self.newest.get(next as usize));
        newest.copied().unwrap_or(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, ChangeId, RenameEvidence, TextId, Timestamp};

    /// A log of 100 entries with renames: first entry, entries of the old key, old key and new key.
    fn index(renames: &[(u32, u32, u32, u32)]) -> RenameIndex {
        let mut log = Log::default();
        for _ in 0..100 {
            log.push(LogEntry {
                id: ChangeId(0),
                time: Timestamp::default(),
                action: Action::NewSourceString,
                lineage: None,
                key: None,
                target: TextId::EMPTY,
                previous: TextId::EMPTY,
                source: TextId::EMPTY,
                commit: 0,
                moved: false,
                fuzzy: false,
                was_fuzzy: false,
            });
        }
        for &(entry, until, from, to) in renames {
            log.renames.push(KeyRename {
                entry,
                until,
                from: KeyId(from),
                to: KeyId(to),
                evidence: RenameEvidence::Source,
                languages: 0,
            });
        }
        RenameIndex::of(&log)
    }

    fn keys(index: &RenameIndex, key: u32) -> Vec<(u32, Range<u32>)> {
        let keys = index.keys_of(KeyId(key), u32::MAX).into_iter();
        keys.map(|(key, entries)| (key.0, entries)).collect()
    }

    #[test]
    fn a_chain_and_a_reverted_rename_are_followed() {
        let index = index(&[(5, 5, 1, 2), (10, 10, 2, 3), (20, 20, 3, 1)]);
        let end = u32::MAX;
        assert_eq!(
            keys(&index, 1),
            [(1, 20..end), (3, 10..20), (2, 5..10), (1, 0..5)]
        );
        assert_eq!(keys(&index, 2), [(2, 10..end)]);
        let newest = |at, key| index.newest_key(at, KeyId(key)).0;
        assert_eq!(
            (newest(4, 1), newest(7, 2), newest(12, 3), newest(30, 1)),
            (1, 1, 1, 1)
        );
        assert_eq!(newest(12, 2), 2);
    }

    #[test]
    fn keys_that_exchange_their_strings_are_followed() {
        let index = index(&[(30, 29, 2, 1), (31, 29, 1, 2)]);
        assert_eq!(keys(&index, 2), [(2, 31..u32::MAX), (1, 0..29)]);
        assert_eq!(keys(&index, 1), [(1, 30..u32::MAX), (2, 0..29)]);
        assert_eq!(index.newest_key(3, KeyId(1)), KeyId(2));
        assert_eq!(index.newest_key(40, KeyId(1)), KeyId(1));
    }

    #[test]
    fn a_new_string_of_an_old_key_has_a_history_of_its_own() {
        let index = index(&[(5, 5, 1, 2)]);
        assert_eq!(keys(&index, 1), [(1, 5..u32::MAX)]);
        assert_eq!(index.newest_key(4, KeyId(1)), KeyId(2));
        assert_eq!(index.newest_key(9, KeyId(1)), KeyId(1));
    }
}
