//! Renamed keys in a log (docs/spec/renames.md).

use serde::{Deserialize, Serialize};

use super::log_rows::KeyId;

/// Why a removed and an added string are one (docs/spec/renames.md#evidence).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum RenameEvidence {
    /// Equal source and equal translations.
    SourceAndTranslations,
    /// Equal source, which no other removed or added string has.
    Source,
    /// Equal source, and the most similar keys of those with that source.
    Key,
    /// Equal source, and the same position among as many strings with that source.
    Order,
    /// Similar source and equal translations.
    Translations,
    /// The files name the old source.
    PreviousSource,
    /// Long sources with at least half of their lines in common.
    Lines,
}

impl RenameEvidence {
    /// The name in tables and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::SourceAndTranslations => "source-and-translations",
            Self::Source => "source",
            Self::Key => "key",
            Self::Order => "order",
            Self::Translations => "translations",
            Self::PreviousSource => "previous-source",
            Self::Lines => "lines",
        }
    }
}

/// A string that got a new key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KeyRename {
    /// Index of the first entry of the new key in the commit: the new source string, or the changed one of a key that
    /// existed before.
    pub entry: u32,
    /// Number of the log's entries up to which the old key had the string.
    pub until: u32,
    /// The old key.
    pub from: KeyId,
    /// The new key.
    pub to: KeyId,
    /// Why the two are one string.
    pub evidence: RenameEvidence,
    /// Number of languages that had the text of the old key under the new one.
    pub languages: u32,
}
