//! The language of `q=`: which units are wanted.
//!
//! Terms stand side by side (all must hold), or are joined by `AND`, `OR`, `NOT` and parentheses. A term is a word or a
//! quoted text, looked for in source, translation and key, or `FIELD:VALUE`.

mod eval;
mod parse;

use regex::Regex;

use crate::checks::CheckId;

pub(crate) use parse::parse;

/// Which units are wanted.
#[derive(Debug)]
pub(crate) enum Query {
    /// All.
    Any,
    /// Those that each of them wants.
    All(Vec<Query>),
    /// Those that one of them wants.
    Either(Vec<Query>),
    /// Those that it does not want.
    Not(Box<Query>),
    /// One condition.
    Term(Term),
}

/// One condition.
#[derive(Debug)]
pub(crate) enum Term {
    /// Somewhere in source, translation or key.
    Anywhere(Match),
    Source(Match),
    Target(Match),
    Key(Match),
    Note(Match),
    Language(String),
    Project(String),
    Component(String),
    State(State),
    HasCheck,
    HasTranslation,
    HasNote,
    Check(CheckId),
}

/// What a unit's state may be asked for as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// No usable text.
    Empty,
    /// Translated from a source that has changed since.
    NeedsEditing,
    /// Translated, and up to date.
    Translated,
    /// Not so: empty or in need of editing.
    Untranslated,
}

/// How a text is looked for.
#[derive(Debug)]
pub(crate) enum Match {
    /// It is the text, letter for letter.
    Exact(String),
    /// It holds the text, whatever the case of the letters. The pattern is the text, escaped.
    Contains(Regex),
}

/// Why a query cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {place}: {what}")]
pub(crate) struct QueryError {
    /// Which character, from 1 on.
    pub(crate) place: usize,
    /// What is wrong there.
    pub(crate) what: String,
}

#[cfg(test)]
mod tests;
