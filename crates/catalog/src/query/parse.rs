//! Parses queries (docs/spec/pages.md#search).

use super::plan::Filter;
use super::syntax::LocationTerm::{Component, Language, Project};
use super::syntax::TextScope::{Anywhere, Key, Note, Source, Target};
use super::syntax::{CheckSelection, Match, Query, QueryError, UnitTerm};
use gitglot_checks::{CheckId, SourceChange, closest};

/// Maximum nesting of parentheses.
const MAX_DEPTH: usize = 50;
/// Maximum length of a query, in characters.
const MAX_CHARS: usize = 2000;

/// Parses a query; a blank one matches everything.
///
/// # Errors
/// The first mistake and its position.
pub fn parse(text: &str) -> Result<Filter, QueryError> {
    let mut parser = QueryParser {
        chars: text.chars().collect(),
        at: 0,
        depth: 0,
    };
    if parser.chars.len() > MAX_CHARS {
        return Err(QueryError {
            position: MAX_CHARS + 1,
            message: format!("a filter can have at most {MAX_CHARS} characters"),
        });
    }
    parser.skip_whitespace();
    if parser.peek().is_none() {
        return Ok(Filter::all());
    }
    let query = parser.either()?;
    if parser.peek().is_some() {
        return Err(parser.error("a closing parenthesis without an opening one"));
    }
    Filter::new(&query).map_err(|message| QueryError {
        position: 1,
        message,
    })
}

struct QueryParser {
    chars: Vec<char>,
    /// The next character.
    at: usize,
    depth: usize,
}

impl QueryParser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    /// Consumes the next characters that fit.
    fn take_while(&mut self, fits: fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(fits) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    fn skip_whitespace(&mut self) {
        self.take_while(char::is_whitespace);
    }

    fn error(&self, message: impl Into<String>) -> QueryError {
        QueryError {
            position: self.at + 1,
            message: message.into(),
        }
    }

    /// Consumes `word` if it is next; returns whether it was.
    fn accept(&mut self, word: &str) -> bool {
        let end = self.at + word.len();
        let is_word = self
            .chars
            .get(self.at..end)
            .is_some_and(|found| found.iter().copied().eq(word.chars()));
        let ends = self.chars.get(end).is_none_or(|&c| ends_word(c));
        if is_word && ends {
            self.at = end;
            self.skip_whitespace();
        }
        is_word && ends
    }

    fn either(&mut self) -> Result<Query, QueryError> {
        let mut parts = vec![self.all()?];
        while self.accept("OR") {
            parts.push(self.all()?);
        }
        Ok(one_or(parts, Query::Either))
    }

    fn all(&mut self) -> Result<Query, QueryError> {
        let mut parts = vec![self.not()?];
        loop {
            let joined = self.accept("AND");
            let ends = matches!(self.peek(), None | Some(')')) || self.next_is_or();
            if ends && joined {
                return Err(self.error("a term is missing after AND"));
            }
            if ends {
                return Ok(one_or(parts, Query::All));
            }
            parts.push(self.not()?);
        }
    }

    fn next_is_or(&mut self) -> bool {
        let at = self.at;
        let is_or = self.accept("OR");
        self.at = at;
        is_or
    }

    fn not(&mut self) -> Result<Query, QueryError> {
        let mut negated = false;
        while self.accept("NOT") {
            negated = !negated;
        }
        let query = self.atom()?;
        Ok(if negated {
            Query::Not(Box::new(query))
        } else {
            query
        })
    }

    fn atom(&mut self) -> Result<Query, QueryError> {
        match self.peek() {
            None => Err(self.error("a term is missing")),
            Some(')') => Err(self.error("a term is missing before the closing parenthesis")),
            Some('(') => {
                self.at += 1;
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err(self.error(format!("more than {MAX_DEPTH} nested parentheses")));
                }
                self.skip_whitespace();
                let query = self.either()?;
                if self.peek() != Some(')') {
                    return Err(self.error("the closing parenthesis is missing"));
                }
                self.at += 1;
                self.depth -= 1;
                self.skip_whitespace();
                Ok(query)
            }
            Some(_) if self.next_is_or() => Err(self.error("a term is missing before OR")),
            Some(_) if self.accept("AND") => Err(self.error("a term is missing before AND")),
            Some(_) => self.term(),
        }
    }

    fn term(&mut self) -> Result<Query, QueryError> {
        let start = self.at;
        let field = self.take_while(|c| c.is_ascii_lowercase());
        if field.is_empty() || self.peek() != Some(':') {
            self.at = start;
            return Ok(Query::Text(Anywhere, Match::Contains(self.value()?)));
        }
        self.at += 1;
        let value_at = self.at;
        let exact = self.peek() == Some('=');
        if exact {
            self.at += 1;
        }
        let value = self.value()?;
        let wrong = |message: String| QueryError {
            position: value_at + 1,
            message,
        };
        let text = |value| match exact {
            true => Match::Exact(value),
            false => Match::Contains(value),
        };
        Ok(match &*field {
            "source" => Query::Text(Source, text(value)),
            "target" => Query::Text(Target, text(value)),
            "key" | "context" => Query::Text(Key, text(value)),
            "note" => Query::Text(Note, text(value)),
            "language" => Query::Location(Language(value)),
            "project" => Query::Location(Project(value)),
            "component" => Query::Location(Component(value)),
            "state" => Query::Unit(state(&value).map_err(wrong)?),
            "has" => Query::Unit(has(&value).map_err(wrong)?),
            "check" => Query::Unit(UnitTerm::Check(checks(&value).map_err(wrong)?)),
            "stale" => Query::Unit(source_change(&value).map_err(wrong)?),
            other => {
                let message = format!(
                    "'{other}' is not a field: use source, target, key, note, language, project, component, state, has, \
check or stale, or put the text in quotes"
                );
                return Err(QueryError {
                    position: start + 1,
                    message,
                });
            }
        })
    }

    /// Parses a quoted text with the escapes `\"` and `\\`, or everything up to whitespace or a parenthesis.
    fn value(&mut self) -> Result<String, QueryError> {
        let mut value = String::new();
        if self.peek() == Some('"') {
            let start = self.at;
            self.at += 1;
            loop {
                match self.peek() {
                    None => {
                        self.at = start;
                        return Err(self.error("the quote is not closed"));
                    }
                    Some('"') => break,
                    Some('\\') if matches!(self.chars.get(self.at + 1), Some('"' | '\\')) => {
                        self.at += 1
                    }
                    Some(_) => {}
                }
                value.extend(self.peek());
                self.at += 1;
            }
            self.at += 1;
        } else {
            value = self.take_while(|c| !ends_word(c));
            if value.is_empty() {
                return Err(self.error("a value is missing"));
            }
        }
        self.skip_whitespace();
        Ok(value)
    }
}

/// Whether a word without quotes ends before a character.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')')
}

/// The term for the value after `state:`.
fn state(value: &str) -> Result<UnitTerm, String> {
    match value {
        "empty" => Ok(UnitTerm::Empty),
        "needs-editing" | "fuzzy" => Ok(UnitTerm::NeedsEditing),
        "translated" => Ok(UnitTerm::Translated),
        "untranslated" => Ok(UnitTerm::Untranslated),
        other => Err(format!(
            "'{other}' is not a state: use empty, needs-editing, translated or untranslated"
        )),
    }
}

/// The term for the value after `has:`.
fn has(value: &str) -> Result<UnitTerm, String> {
    match value {
        "check" => Ok(UnitTerm::HasCheck),
        "translation" => Ok(UnitTerm::HasTranslation),
        "note" => Ok(UnitTerm::HasNote),
        other => Err(format!(
            "'{other}' is not a property of strings: use check, translation or note"
        )),
    }
}

/// The term for the class after `stale:`.
fn source_change(value: &str) -> Result<UnitTerm, String> {
    let change = SourceChange::from_id(value).map(UnitTerm::Stale);
    change.ok_or_else(|| {
        format!("'{value}' is not a class of stale strings: use cosmetic, minor or major")
    })
}

/// The checks that a value of `check:` names: an id, `modern`, `legacy`, or an id after one of them and a colon.
fn checks(value: &str) -> Result<CheckSelection, String> {
    let (set, id) = match value.split_once(':') {
        Some((set @ ("modern" | "legacy"), id)) => (Some(set), Some(id)),
        _ if matches!(value, "modern" | "legacy") => (Some(value), None),
        _ => (None, Some(value)),
    };
    let is_named = |known: &str| id.is_none_or(|id| id == known);
    let mut selection = CheckSelection::default();
    if set != Some("modern") {
        let legacy = CheckId::LEGACY.into_iter();
        selection.legacy = legacy.filter(|check| is_named(check.id())).collect();
    }
    if set != Some("legacy") {
        let current = CheckId::ALL.iter().copied();
        selection.current = current.filter(|check| is_named(check.id())).collect();
    }
    if selection.legacy.is_empty() && selection.current.is_empty() {
        let known: Vec<&str> = match set {
            Some("legacy") => CheckId::LEGACY.map(CheckId::id).into(),
            _ => CheckId::ALL.iter().map(|check| check.id()).collect(),
        };
        return Err(
            match closest(id.unwrap_or_default(), known.iter().copied()) {
                Some(similar) => format!("'{value}' is not a check: did you mean {similar}?"),
                None => format!("'{value}' is not a check: use one of {}", known.join(", ")),
            },
        );
    }
    Ok(selection)
}

fn one_or(mut parts: Vec<Query>, join: fn(Vec<Query>) -> Query) -> Query {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => join(parts.into_iter().chain(last).collect()),
    }
}
