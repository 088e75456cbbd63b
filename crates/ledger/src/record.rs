//! The lines of the ledger files. Source: `docs/spec/ids-and-ledger.md#files`.

use serde::{Deserialize, Serialize};

/// Version of the rules that produce change logs. A new version rebuilds every log. Checkpoints have their own version.
/// Source: `docs/spec/ids-and-ledger.md#rebuilding-a-log`.
pub const RULES: u32 = 5;

/// The content of a line of `ledger.jsonl`, without its checksum: the components that moved in one batch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Its number, from 1.
    pub batch: u32,
    /// When the tips were observed: microseconds since 1970-01-01T00:00:00Z.
    pub seen: i64,
    /// Version of the rules that produced the log.
    pub rules: u32,
    /// The components that moved, in configuration order.
    pub moves: Vec<Move>,
}

/// The move of one component from tip to tip.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// `project/component`.
    pub component: String,
    /// Hash of the settings that the log depends on.
    pub fingerprint: String,
    /// `full` or `none`.
    pub history: String,
    /// The previous tip; `None` where a log begins or is rebuilt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The new tip.
    pub to: String,
}

/// The content of a line of `ids.jsonl`, without its checksum: the ids that the batch of the same number allocated.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assignments {
    /// The batch.
    pub batch: u32,
    /// New projects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projects: Vec<NamedId>,
    /// Components with new ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<ComponentIds>,
    /// New users: identity (never served) and id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<NamedId>,
    /// The first change id of the batch.
    pub first_change: u32,
    /// The order of the new log entries: index of the move, and number of consecutive entries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<(u32, u32)>,
}

impl Assignments {
    /// Whether the batch allocated any id.
    pub fn allocates_ids(&self) -> bool {
        !(self.projects.is_empty()
            && self.components.is_empty()
            && self.users.is_empty()
            && self.changes.is_empty())
    }
}

/// A name and its id.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedId {
    /// The name.
    pub name: String,
    /// The id.
    pub id: u32,
}

/// The new ids of one component.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentIds {
    /// `project/component`.
    pub name: String,
    /// The component's id.
    pub id: u32,
    /// New keys: hexadecimal hashes of their contexts (`docs/spec/units.md#hashes`). Keys are numbered from 0 in
    /// their order in the whole file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// New sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<KeyRun>,
    /// New translations, and those with a new path, language or unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub translations: Vec<TranslationIds>,
}

/// Consecutive ids of consecutive keys: first key, count, first id.
pub type KeyRun = (u32, u32, u32);

/// The new ids of one translation.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TranslationIds {
    /// The translation's id.
    pub id: u32,
    /// The path, if it is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The language, if it is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// New units.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<KeyRun>,
}
