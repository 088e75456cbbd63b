//! A string that a commit changed in a translation, and the parts that its rows share.

use super::row_ids;
use gitglot_model::{Action, KeyId, LineageId, LogEntry, TextId};

/// A string of a translation that has rows.
pub(super) struct ChangedString {
    pub(super) lineage: LineageId,
    pub(super) key: KeyId,
    /// The key in ids of rows.
    pub(super) key_part: u64,
    /// Whether the translation is that of the source language.
    pub(super) is_source: bool,
    /// Whether the translation has a file.
    pub(super) has_file: bool,
    /// The last entry of the commit that wrote its text, with the index.
    pub(super) written: Option<(u32, LogEntry)>,
    pub(super) source_before: TextId,
    pub(super) source_after: TextId,
}

impl ChangedString {
    pub(super) fn text_entry(&self) -> Option<LogEntry> {
        self.written.map(|(_, entry)| entry)
    }

    /// The entry of a row.
    pub(super) fn row(&self, entry: LogEntry, previous: TextId, target: TextId) -> LogEntry {
        LogEntry {
            lineage: Some(self.lineage),
            key: Some(self.key),
            target,
            previous,
            source: self.source_after,
            ..entry
        }
    }

    /// The id of the row of an entry. The file has the id of the resource update.
    pub(super) fn id_of(&self, entry: &LogEntry) -> u64 {
        match entry.action {
            Action::ChangedState => row_ids::part(entry.id, self.key_part),
            _ => entry.id.0.into(),
        }
    }
}
