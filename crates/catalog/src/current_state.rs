//! The states of units in current Weblate.

use gitglot_model::TextId;

/// The state of a unit, as a number of current Weblate (docs/spec/current-api.md#states).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum CurrentState {
    /// There is no translation.
    Empty = 0,
    /// The file marks the translation.
    NeedsEditing = 10,
    /// The source changed after the translation was written.
    NeedsRewriting = 11,
    /// Translated.
    Translated = 20,
    /// The source of a bilingual file, in the source language.
    ReadOnly = 100,
}

impl CurrentState {
    /// Whether the API calls the text `fuzzy` (docs/spec/current-api.md#states).
    pub fn is_fuzzy(self) -> bool {
        matches!(self, Self::NeedsEditing | Self::NeedsRewriting)
    }

    /// The state of a text that was written for a source, while `source` is the present one.
    pub(crate) fn of(text: TextId, is_fuzzy: bool, written_for: TextId, source: TextId) -> Self {
        match text {
            TextId::EMPTY => Self::Empty,
            _ if is_fuzzy => Self::NeedsEditing,
            _ if written_for == source => Self::Translated,
            _ => Self::NeedsRewriting,
        }
    }
}
