//! The lines of the ledger, as they stand on disk.

use serde::{Deserialize, Serialize};

/// A line of `ledger.jsonl`: which components moved from tip to tip in one batch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Batch {
    /// Its number, from 1.
    pub batch: u32,
    /// When the tips were seen: microseconds since 1970-01-01T00:00:00Z.
    pub seen: i64,
    /// Version of the rules that made the log.
    pub rules: u32,
    /// The components that moved, in configuration order.
    pub moves: Vec<Move>,
}

/// One component's move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Move {
    /// `project/component`.
    pub component: String,
    /// What of the configuration the log depends on, hashed.
    pub fingerprint: String,
    /// `full` or `none`.
    pub history: String,
    /// The tip before; none where the log begins (anew).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The tip.
    pub to: String,
}

/// A line of `ids.jsonl`: the ids that the batch of the same number handed out.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Assignments {
    /// The batch.
    pub batch: u32,
    /// New projects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projects: Vec<Named>,
    /// Components with anything new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<ComponentIds>,
    /// New people: identity (never served) and id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<Named>,
    /// The first change id of the batch.
    pub first_change: u32,
    /// How the entries of the batch's moves follow each other: place of the move, and how many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<(u32, u32)>,
}

impl Assignments {
    /// Whether the batch handed out any id.
    pub fn hands_out(&self) -> bool {
        !(self.projects.is_empty() && self.components.is_empty() && self.users.is_empty() && self.changes.is_empty())
    }
}

/// A name and the id it has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The id.
    pub id: u32,
}

/// The new ids of one component.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ComponentIds {
    /// `project/component`.
    pub name: String,
    /// The component's id.
    pub id: u32,
    /// Keys that were not known before, as hexadecimal hashes of their contexts (`units.md` 5); they are
    /// numbered from 0 in the order in which they stand in the whole file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// New sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<KeyRun>,
    /// New translations, and known ones that have moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub translations: Vec<TranslationIds>,
}

/// Consecutive ids of consecutive keys: number of the first key, how many, first id.
pub type KeyRun = (u32, u32, u32);

/// The new ids of one translation.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct TranslationIds {
    /// The translation's id.
    pub id: u32,
    /// Its path, when it is new or has moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its language, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// New units.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<KeyRun>,
}
