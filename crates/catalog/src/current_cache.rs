//! What is stored of the rows and the log of a component once it was asked for, most of it for current Weblate.

use std::sync::{Arc, OnceLock};

use super::current_log::CurrentLog;
use super::statistics::CurrentCount;
use super::translation::TranslationSnapshot;
use gitglot_checks::CheckIds;
use gitglot_history::SourceTimes;
use gitglot_model::{LogEntry, SeededMap, TextId, Timestamp};

/// The stored results.
#[derive(Default, Debug)]
pub(super) struct CurrentCache {
    /// The count of each source.
    pub(super) sizes: OnceLock<Box<[CurrentCount]>>,
    pub(super) source_code: OnceLock<Arc<str>>,
    /// The index of the translation of the source language.
    pub(super) source: OnceLock<Option<u32>>,
    /// The translation of the source language without a file, if there is one.
    pub(super) without_file: OnceLock<Option<Box<TranslationSnapshot>>>,
    /// The last entry that added a source.
    pub(super) last_source: OnceLock<Option<LogEntry>>,
    /// The log, with the numbers of its rows.
    pub(super) log: OnceLock<CurrentLog>,
    /// When each source last changed, by row.
    pub(super) sources_changed: Times,
    /// When each unit last changed, by translation and row.
    pub(super) units_changed: OnceLock<Box<[Times]>>,
    /// When a source last stopped to be a text, by its row and the text.
    pub(super) replaced: OnceLock<SeededMap<(u32, TextId), Timestamp>>,
    /// When the sources of each key came, in seconds.
    pub(super) source_times: OnceLock<SourceTimes>,
    /// The changes of sources shortly before the last one: index in the log, and entry.
    pub(super) recent_sources: OnceLock<Box<[(u32, LogEntry)]>>,
    /// The strings whose sources fail checks.
    pub(super) failing_sources: OnceLock<Box<[(u32, CheckIds)]>>,
}

/// The time of the last change by row, once it was asked for.
pub(super) type Times = OnceLock<Box<[Timestamp]>>;

/// A copy is asked again.
impl Clone for CurrentCache {
    fn clone(&self) -> Self {
        Self::default()
    }
}
