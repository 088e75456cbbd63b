//! Parses queries (docs/spec/query.md#syntax).

use super::dialect::Dialect;
use super::error::{QueryError, Reason};
use super::fields::{Meaning, unknown_field};
use super::plan::Filter;
use super::syntax::Query;
use super::values::{Operator, Value};
use gitglot_model::Timestamp;

/// Maximum nesting of parentheses.
const MAX_DEPTH: usize = 50;
/// Maximum length of a query, in characters.
const MAX_CHARS: usize = 2000;

/// Parses a query; a blank one matches everything. `now` is the time that words such as `yesterday` refer to.
///
/// # Errors
/// The first mistake and its position.
pub fn parse(text: &str, dialect: Dialect, now: Timestamp) -> Result<Filter, QueryError> {
    let mut parser = QueryParser {
        chars: text.chars().collect(),
        at: 0,
        depth: 0,
        meaning: Meaning {
            rules: dialect.rules(),
            now,
        },
    };
    let limit = |position, message: String| {
        let in_weblate = message.clone();
        QueryError::new(position, Reason::new(message, in_weblate))
    };
    if parser.chars.len() > MAX_CHARS {
        let message = format!("a filter can have at most {MAX_CHARS} characters");
        return Err(limit(MAX_CHARS + 1, message));
    }
    if let Some(at) = parser.chars.iter().position(|&c| c == '\0') {
        return Err(limit(at + 1, "Null characters are not allowed.".into()));
    }
    parser.skip_whitespace();
    if parser.peek().is_none() {
        return Ok(Filter::all());
    }
    let query = match parser.only_keyword() {
        Some(word) => {
            let term = parser.meaning.anywhere(Value::Text(word));
            term.map_err(|reason| QueryError::new(1, reason))?
        }
        None => parser.whole()?,
    };
    let filter = Filter::new(&query, parser.meaning.rules);
    filter.map_err(|error| limit(1, error.to_string()))
}

struct QueryParser {
    chars: Vec<char>,
    /// The next character.
    at: usize,
    depth: usize,
    meaning: Meaning,
}

const KEYWORDS: [&str; 3] = ["AND", "OR", "NOT"];

/// Words that a URL starts with, which are no fields.
const SCHEMES: [&str; 4] = ["http", "https", "ftp", "mailto"];

impl QueryParser {
    /// Parses all of the query, which has a term.
    fn whole(&mut self) -> Result<Query, QueryError> {
        let query = self.either()?;
        match self.peek() {
            Some(_) => Err(self.error("a closing parenthesis without an opening one")),
            None => Ok(query),
        }
    }

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

    /// An error of syntax. Current Weblate reports it at the first word of the query.
    fn error(&self, message: impl Into<String>) -> QueryError {
        let is_blank = |c: &&char| c.is_whitespace();
        let start = self.chars.iter().take_while(is_blank).count();
        let rest = &self.chars[start..];
        let is_part = |c: &&char| c.is_alphanumeric() || **c == '_';
        let word = rest.iter().take_while(is_part).count();
        let found: String = rest.iter().take(word.max(1)).collect();
        let in_weblate = format!(
            "Failed to parse the query string: Expected end of text, found '{found}'  (at char {start}), (line:1, col:{})",
            start + 1
        );
        QueryError::new(self.at + 1, Reason::new(message, in_weblate))
    }

    /// The query if it is only a keyword, which is a word then.
    fn only_keyword(&self) -> Option<String> {
        let word: String = self.chars.iter().collect();
        let word = word.trim();
        let mut keywords = KEYWORDS.into_iter();
        let is_keyword = keywords.any(|keyword| keyword.eq_ignore_ascii_case(word));
        is_keyword.then(|| word.to_owned())
    }

    /// Consumes the keyword `word` if it is next, in any case; returns whether it was.
    fn accept(&mut self, word: &str) -> bool {
        let end = self.at + word.len();
        let is_word = self.chars.get(self.at..end).is_some_and(|found| {
            let upper = found.iter().map(char::to_ascii_uppercase);
            upper.eq(word.chars())
        });
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
        if let Some((field, operator)) = self.field() {
            let value_at = self.at;
            if let Some(value) = self.field_value(operator) {
                let term = self.meaning.term(&field, operator, value);
                let term = term.map_err(|reason| QueryError::new(value_at + 1, reason))?;
                return term.ok_or_else(|| QueryError::new(start + 1, unknown_field(&field)));
            }
            if self.peek() == Some('(') {
                return Err(self.error("parentheses can only group whole terms"));
            }
            // A field without a value is a word.
            self.at = start;
        }
        let value = self.value();
        let term = self.meaning.anywhere(value);
        term.map_err(|reason| QueryError::new(start + 1, reason))
    }

    /// Consumes a field, its colon and the operator, if they are next.
    fn field(&mut self) -> Option<(String, Operator)> {
        let start = self.at;
        let field = self.take_while(|c| c.is_ascii_alphabetic() || c == '_');
        let is_field = !field.is_empty() && !SCHEMES.contains(&&*field);
        if !is_field || self.peek() != Some(':') {
            self.at = start;
            return None;
        }
        self.at += 1;
        for (sign, operator) in Operator::SIGNS {
            let found = self.chars.get(self.at..self.at + sign.len());
            if found.is_some_and(|found| found.iter().copied().eq(sign.chars())) {
                self.at += sign.len();
                return Some((field, operator));
            }
        }
        Some((field, Operator::Contains))
    }

    /// Consumes the value of a field; `None` if there is none.
    fn field_value(&mut self, operator: Operator) -> Option<Value> {
        if matches!(operator, Operator::Contains | Operator::Equal)
            && let Some(range) = self.range()
        {
            return Some(range);
        }
        let has_value = self.peek().is_some_and(|c| !ends_word(c));
        has_value.then(|| self.value())
    }

    /// Consumes `[A to B]`, if it is next.
    fn range(&mut self) -> Option<Value> {
        let rest = self.chars.get(self.at..)?;
        let inner = rest.strip_prefix(&['['])?;
        let length = inner.iter().position(|&c| c == ']')?;
        let text: String = inner[..length].iter().collect();
        let words: Vec<&str> = text.split_whitespace().collect();
        let [from, to, until] = words[..] else {
            return None;
        };
        if !to.eq_ignore_ascii_case("to") {
            return None;
        }
        self.at += length + 2;
        self.skip_whitespace();
        Some(Value::Range(from.to_owned(), until.to_owned()))
    }

    /// Consumes a quoted text, a regular expression, or everything up to whitespace or a parenthesis.
    fn value(&mut self) -> Value {
        let is_pattern = self.chars.get(self.at..self.at + 2) == Some(&['r', '"']);
        let start = self.at + usize::from(is_pattern);
        let value = match self.chars.get(start) {
            Some(&quote @ ('"' | '\'')) => self.quoted(start, quote, is_pattern),
            _ => None,
        };
        let value = value.unwrap_or_else(|| Value::Text(self.take_while(|c| !ends_word(c))));
        self.skip_whitespace();
        value
    }

    /// Consumes a text up to the closing quote, with the escapes `\"` and `\\`; `None` if there is no such quote. A
    /// pattern keeps its escapes.
    fn quoted(&mut self, start: usize, quote: char, is_pattern: bool) -> Option<Value> {
        let mut text = String::new();
        let mut at = start + 1;
        loop {
            let c = *self.chars.get(at)?;
            if c == quote {
                break;
            }
            at += 1;
            match self.chars.get(at) {
                Some(&next) if c == '\\' && (next == quote || next == '\\') => {
                    if is_pattern {
                        text.push(c);
                    }
                    text.push(next);
                    at += 1;
                }
                _ => text.push(c),
            }
        }
        self.at = at + 1;
        Some(if is_pattern {
            Value::Pattern(text)
        } else {
            Value::Text(text)
        })
    }
}

/// Whether a word without quotes ends before a character.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')')
}

fn one_or(mut parts: Vec<Query>, join: fn(Vec<Query>) -> Query) -> Query {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => join(parts.into_iter().chain(last).collect()),
    }
}
