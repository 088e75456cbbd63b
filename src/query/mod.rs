//! The language of `q=`: selects units (docs/spec/pages.md#search).
//!
//! `parse` reads a query into a syntax tree. `plan` compiles it: it folds duplicate terms, joins texts that one pass
//! can search, and puts cheap conditions first. `matcher` finds all texts of a query in one pass over a text, and
//! `select` tests units within a [`Budget`](crate::scan::Budget). Must not depend on HTTP or pages.

mod case_folding;
mod matcher;
mod parse;
mod plan;
mod select;

use crate::checks::{CheckIds, SourceChange};

pub(crate) use parse::parse;
pub(crate) use select::{ROWS_PER_CHECK, Selection};

/// A compiled query.
#[derive(Debug)]
pub(crate) struct Filter {
    /// Whether the query is blank.
    matches_all: bool,
    plan: plan::QueryPlan,
}

impl Filter {
    /// The filter that selects every unit.
    pub(crate) fn all() -> Self {
        Self {
            matches_all: true,
            plan: plan::QueryPlan::default(),
        }
    }

    /// Whether the filter is that of a blank query.
    pub(crate) fn is_all(&self) -> bool {
        self.matches_all
    }
}

/// The syntax tree of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Query {
    /// Every unit.
    Any,
    /// All parts must match.
    All(Vec<Query>),
    /// One part must match.
    Either(Vec<Query>),
    Not(Box<Query>),
    Term(Term),
}

/// One condition.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Term {
    /// In source, translation or key.
    Anywhere(Match),
    Source(Match),
    Target(Match),
    Key(Match),
    Note(Match),
    Language(String),
    Project(String),
    Component(String),
    State(StateTerm),
    HasCheck,
    HasTranslation,
    HasNote,
    Check(CheckSelection),
    Stale(SourceChange),
}

/// Checks of both sets: a unit matches if one of them fails.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct CheckSelection {
    legacy: CheckIds,
    modern: CheckIds,
}

/// The state of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StateTerm {
    /// Without a text.
    Empty,
    /// Translated from a source that has changed since.
    NeedsEditing,
    /// Translated and up to date.
    Translated,
    /// Empty or in need of editing.
    Untranslated,
}

/// How a text is compared.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Match {
    /// Equal, including case.
    Exact(String),
    /// Contained, under Unicode simple case folding.
    Contains(String),
}

/// Why a query cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {position}: {message}")]
pub(crate) struct QueryError {
    /// Which character, from 1 on.
    pub(crate) position: usize,
    /// The reason.
    pub(crate) message: String,
}

#[cfg(test)]
mod tests;
