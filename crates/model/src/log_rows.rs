//! The rows of a change log: its entries, and the commits, translations and states that they refer to.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::ids::ChangeId;
use crate::object::CommitId;
use crate::origin::Origin;
use crate::text::TextId;
use crate::time::{OffsetTime, Timestamp};

/// A key of a component: the index of its context in the component's key table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct KeyId(pub u32);

/// A translation of a component through all its renames.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct LineageId(pub u16);

/// A person in the component's table of people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PersonId(pub u32);

impl PersonId {
    /// The author of a commit whose author no entry names.
    pub const NOBODY: Self = Self(u32::MAX);
}

/// One entry of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogEntry {
    /// Unique across all components.
    pub id: ChangeId,
    /// When it reached the mainline (docs/spec/change-log.md#timestamps).
    pub time: Timestamp,
    /// The kind of change.
    pub action: Action,
    /// The translation it belongs to, if any.
    pub lineage: Option<LineageId>,
    /// The key it belongs to, if any.
    pub key: Option<KeyId>,
    /// The new text, path or description.
    pub target: TextId,
    /// The text before, for details.
    pub previous: TextId,
    /// The source that a translation's text was written for, or the text of a new source string; `""` in other entries.
    pub source: TextId,
    /// Index of its commit in [`Log::commits`].
    pub commit: u32,
    /// Whether its text moved here from an older key of the string (docs/spec/renames.md#moved-texts).
    pub moved: bool,
    /// Whether its file marks the new text as unfinished.
    pub fuzzy: bool,
    /// Whether the text before was marked as unfinished.
    pub was_fuzzy: bool,
}

/// A commit that wrote an entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CommitRow {
    /// The commit.
    pub id: CommitId,
    /// First line of its message.
    pub subject: TextId,
    /// The author (docs/spec/change-log.md#authors).
    pub author: PersonId,
    /// Author's name as written in the commit.
    pub author_name: TextId,
    /// Author's time.
    pub authored: OffsetTime,
    /// Committer's time.
    pub committed: OffsetTime,
    /// Who wrote its texts.
    pub origin: Origin,
    /// Whether the settings say that its changes of source texts do not count.
    pub is_ignored: bool,
}

/// A string that left the template. Removals are no entries, so that they change neither ids nor pages of a log
/// (docs/spec/change-log.md#removed-strings).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Removal {
    /// Index of the entry that the removal belongs to. It may be the next one to be written.
    pub entry: u32,
    /// The string's key.
    pub key: KeyId,
    /// Its last source text.
    pub source: TextId,
}

/// A text whose mark as unfinished was set or removed while the text stayed. Like removals, such changes are no entries
/// (docs/spec/change-log.md#changes-of-states).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StateChange {
    /// Index of the resource update that the change belongs to.
    pub entry: u32,
    /// The string's key.
    pub key: KeyId,
    /// The text.
    pub target: TextId,
    /// Whether the text is marked now.
    pub fuzzy: bool,
}

impl StateChange {
    /// The change as an entry, given the resource update that it belongs to.
    pub fn as_entry(&self, update: &LogEntry) -> LogEntry {
        LogEntry {
            action: Action::ChangedState,
            key: Some(self.key),
            target: self.target,
            previous: self.target,
            fuzzy: self.fuzzy,
            was_fuzzy: !self.fuzzy,
            ..*update
        }
    }
}

/// The source that the file of a new fuzzy text names as the earlier one, which current Weblate logs as a change of the
/// source (docs/spec/current-api.md#changes).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EarlierSource {
    /// Index of the entry that wrote the text.
    pub entry: u32,
    /// The earlier source.
    pub source: TextId,
}

/// A commit of the mainline and the length of the log after it (docs/spec/revisions.md#stale-translations).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MainlineRow {
    /// The commit.
    pub commit: CommitId,
    /// When it reached the mainline, in seconds since 1970.
    pub time: i64,
    /// Whether it has a template, so that the component exists at the commit.
    pub has_template: bool,
    /// Number of entries.
    pub entries: u32,
    /// Number of [`SourceReassignment`] texts.
    pub rebound: u32,
    /// Number of [`Removal`] strings.
    pub removals: u32,
}

/// A text that counts as written for a different source from then on, without an entry
/// (docs/spec/change-log.md#returning-texts).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceReassignment {
    /// Index of the next entry at that time.
    pub entry: u32,
    /// The translation.
    pub lineage: LineageId,
    /// The key.
    pub key: KeyId,
    /// The source.
    pub source: TextId,
}

/// A translation, present or removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineageRow {
    /// Code of its language.
    pub language: TextId,
    /// The last path it had, from the repository's root.
    pub path: TextId,
}

/// An entry in memory. No field needs an alignment of more than four bytes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct PackedEntry {
    pub(super) id: u32,
    /// The time's upper and lower half.
    time: [u32; 2],
    target: u32,
    previous: u32,
    source: u32,
    commit: u32,
    key: u32,
    lineage: u16,
    /// With [`MOVED`].
    action: u8,
    /// [`FUZZY`] and [`WAS_FUZZY`].
    states: u8,
}

const NO_LINEAGE: u16 = u16::MAX;
const NO_KEY: u32 = u32::MAX;
/// The bit of moved texts. No entry has an action with this bit.
const MOVED: u8 = 1 << 7;
/// The bit of texts that are marked as unfinished.
const FUZZY: u8 = 1;
/// The bit of entries whose text before was marked.
const WAS_FUZZY: u8 = 1 << 1;

impl PackedEntry {
    pub(super) fn new(entry: &LogEntry) -> Self {
        let time = entry.time.0 as u64;
        Self {
            id: entry.id.0,
            time: [(time >> 32) as u32, time as u32],
            target: entry.target.0,
            previous: entry.previous.0,
            source: entry.source.0,
            commit: entry.commit,
            key: entry.key.map_or(NO_KEY, |key| key.0),
            lineage: entry.lineage.map_or(NO_LINEAGE, |lineage| lineage.0),
            action: entry.action.code() | if entry.moved { MOVED } else { 0 },
            states: if entry.fuzzy { FUZZY } else { 0 }
                | if entry.was_fuzzy { WAS_FUZZY } else { 0 },
        }
    }

    pub(super) fn time(&self) -> Timestamp {
        Timestamp((u64::from(self.time[0]) << 32 | u64::from(self.time[1])) as i64)
    }

    pub(super) fn entry(&self) -> Option<LogEntry> {
        Some(LogEntry {
            id: ChangeId(self.id),
            time: self.time(),
            action: Action::from_code(self.action & !MOVED)?,
            lineage: (self.lineage != NO_LINEAGE).then_some(LineageId(self.lineage)),
            key: (self.key != NO_KEY).then_some(KeyId(self.key)),
            target: TextId(self.target),
            previous: TextId(self.previous),
            source: TextId(self.source),
            commit: self.commit,
            moved: self.action & MOVED != 0,
            fuzzy: self.states & FUZZY != 0,
            was_fuzzy: self.states & WAS_FUZZY != 0,
        })
    }
}
