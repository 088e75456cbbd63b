//! The syntax tree of a query.

use gitglot_checks::{CheckIds, SourceChange};

/// A query with at least one condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Query {
    /// All parts must match.
    All(Vec<Query>),
    /// One part must match.
    Either(Vec<Query>),
    Not(Box<Query>),
    Text(TextScope, Match),
    Location(LocationTerm),
    Unit(UnitTerm),
}

/// The texts of a unit that a condition examines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextScope {
    /// Source, translation or key.
    Anywhere,
    Source,
    Target,
    Key,
    Note,
}

/// A condition on the translation of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LocationTerm {
    Language(String),
    Project(String),
    Component(String),
}

/// A condition on a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnitTerm {
    /// Without a text.
    Empty,
    /// Translated from a source that has changed since.
    NeedsEditing,
    /// Translated and up to date.
    Translated,
    /// Empty or in need of editing.
    Untranslated,
    HasCheck,
    HasTranslation,
    HasNote,
    Check(CheckSelection),
    Stale(SourceChange),
}

/// Checks of both sets: a unit matches if one of them fails.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct CheckSelection {
    pub(super) legacy: CheckIds,
    pub(super) current: CheckIds,
}

/// How a text is compared.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Match {
    /// Equal, including case.
    Exact(String),
    /// Contained, under Unicode simple case folding.
    Contains(String),
}

/// Why a query cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {position}: {message}")]
pub struct QueryError {
    /// Which character, from 1 on.
    pub position: usize,
    /// The reason.
    pub message: String,
}
