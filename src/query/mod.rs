//! The query language of `q=` (docs/spec/pages.md#search).
//!
//! `parse` turns a text into a [`Query`], `eval` tests units. Must not depend on HTTP or pages.

mod eval;
mod parse;

use regex::Regex;

use crate::checks::CheckId;

pub(crate) use parse::parse;

/// A condition on units.
#[derive(Debug)]
pub(crate) enum Query {
    /// Matches every unit.
    Any,
    /// All conditions match.
    All(Vec<Query>),
    /// At least one condition matches.
    Either(Vec<Query>),
    /// The condition does not match.
    Not(Box<Query>),
    /// A single term.
    Term(Term),
}

/// A single term.
#[derive(Debug)]
pub(crate) enum Term {
    /// Source, translation or key.
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

/// A value of `state:`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// Without a translation.
    Empty,
    /// Translated from a source that has changed since.
    NeedsEditing,
    /// Translated and up to date.
    Translated,
    /// `Empty` or `NeedsEditing`.
    Untranslated,
}

/// How to compare a text.
#[derive(Debug)]
pub(crate) enum Match {
    /// Equal to the text.
    Exact(String),
    /// Contains the text, ignoring case. The pattern is the escaped text.
    Contains(Regex),
}

/// An invalid query.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {place}: {what}")]
pub(crate) struct QueryError {
    /// 1-based index of the character.
    pub(crate) place: usize,
    /// The mistake.
    pub(crate) what: String,
}

#[cfg(test)]
mod tests;
