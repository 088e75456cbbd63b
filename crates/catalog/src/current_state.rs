//! The states of units in current Weblate.

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
