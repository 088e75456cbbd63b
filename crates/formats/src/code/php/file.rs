//! What a file returns, or the variables and constants that it sets.

use super::lexer::tokens;
use super::values::{Constants, value};
use crate::code::lexer::{Lexer, Token};
use crate::code::{Item, Name, Source, Value, resolved};
use crate::error::{MAX_DEPTH, ReadErrorKind, SyntaxError};
use gitglot_model::SeededMap;

/// Reads a file.
///
/// # Errors
/// If it has no array.
pub(in crate::code) fn read(text: &str) -> Result<Source, SyntaxError> {
    let mut file = File {
        lexer: tokens(text)?,
        constants: Vec::new(),
        names: Constants::default(),
        set: Vec::new(),
        whole: SeededMap::default(),
        returned: None,
    };
    while file.lexer.token != Token::End && file.returned.is_none() {
        file.statement()?;
    }
    file.source()
}

struct File<'t> {
    lexer: Lexer<'t>,
    constants: Vec<Value>,
    names: Constants<'t>,
    set: Vec<Assignment<'t>>,
    /// The last assignment of each whole variable. It replaces those before it.
    whole: SeededMap<&'t str, usize>,
    returned: Option<(usize, Value)>,
}

/// A value that a variable gets below some keys, or a constant (`None`).
struct Assignment<'t> {
    at: usize,
    variable: Option<&'t str>,
    keys: Vec<String>,
    value: Value,
}

impl<'t> File<'t> {
    fn statement(&mut self) -> Result<(), SyntaxError> {
        let at = self.lexer.at;
        match self.lexer.token {
            Token::Word(word) => match word.to_ascii_lowercase().as_str() {
                "return" => {
                    self.lexer.next()?;
                    let value = self.value()?;
                    self.returned = Some((at, value));
                }
                "const" => {
                    self.lexer.next()?;
                    self.constant(at)?;
                }
                "define" | "\\define" => {
                    self.lexer.next()?;
                    self.define(at)?;
                }
                _ => {}
            },
            Token::Variable(name) => {
                self.lexer.next()?;
                self.assignment(at, name)?;
            }
            _ => {}
        }
        self.skip()
    }

    /// Skips the rest of a statement.
    fn skip(&mut self) -> Result<(), SyntaxError> {
        let mut depth = 0_usize;
        loop {
            match self.lexer.token {
                Token::End => return Ok(()),
                Token::Sign(';') if depth == 0 => return self.lexer.next(),
                Token::Sign('}') if depth <= 1 => return self.lexer.next(),
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.lexer.next()?;
        }
    }

    fn value(&mut self) -> Result<Value, SyntaxError> {
        value(&mut self.lexer, &self.names)
    }

    /// `const NAME = …`.
    fn constant(&mut self, at: usize) -> Result<(), SyntaxError> {
        let Token::Word(name) = self.lexer.token else {
            return Ok(());
        };
        self.lexer.next()?;
        if self.lexer.take('=')? {
            let value = self.value()?;
            self.add(at, None, vec![name.to_owned()], value);
        }
        Ok(())
    }

    /// `define('NAME', …)`.
    fn define(&mut self, at: usize) -> Result<(), SyntaxError> {
        if !self.lexer.take('(')? {
            return Ok(());
        }
        let Token::Text(Ok(name)) = self.lexer.token.clone() else {
            return Ok(());
        };
        self.lexer.next()?;
        if self.lexer.take(',')? {
            let value = self.value()?;
            self.add(at, None, vec![name], value);
            self.lexer.take(')')?;
        }
        Ok(())
    }

    /// `$name = …`, `$name['key'] = …`.
    fn assignment(&mut self, at: usize, name: &'t str) -> Result<(), SyntaxError> {
        let mut keys = Vec::new();
        while self.lexer.take('[')? {
            let key = match &self.lexer.token {
                Token::Text(Ok(key)) => key.clone(),
                Token::Number(Some(number)) => number.to_string(),
                _ => return Ok(()),
            };
            self.lexer.next()?;
            if !self.lexer.take(']')? {
                return Ok(());
            }
            if keys.len() >= MAX_DEPTH {
                return Err(ReadErrorKind::TooDeep(MAX_DEPTH).at(self.lexer.at));
            }
            keys.push(key);
        }
        if self.lexer.take('=')? {
            let value = self.value()?;
            self.add(at, Some(name), keys, value);
        }
        Ok(())
    }

    fn add(&mut self, at: usize, variable: Option<&'t str>, keys: Vec<String>, value: Value) {
        let value = match (variable, keys.as_slice()) {
            (Some(name), []) => {
                let index = self.constants.len();
                self.names.insert(name, index);
                self.constants.push(value);
                self.whole.insert(name, self.set.len());
                Value::Constant(index)
            }
            _ => value,
        };
        self.set.push(Assignment {
            at,
            variable,
            keys,
            value,
        });
    }

    /// The value of the file: what it returns; else that of its only variable, else those of all by name.
    fn source(mut self) -> Result<Source, SyntaxError> {
        let mut returned = self.returned.take();
        let mut number = 0..;
        self.set.retain(|item| {
            let last = item.variable.and_then(|name| self.whole.get(name).copied());
            number.next() >= last
        });
        // A variable that is returned may have got more after its first value.
        if let Some((_, Value::Constant(index))) = &returned {
            let mut names = self.names.iter().filter(|(_, known)| **known == *index);
            let name = names.next().map(|(name, _)| *name);
            let has_more = |it: &Assignment<'_>| it.variable == name && !it.keys.is_empty();
            if self.set.iter().any(has_more) {
                self.set.retain(|item| item.variable == name);
                returned = None;
            }
        }
        let root = match returned {
            Some(root) => root,
            None => {
                // Other variables are no arrays of texts.
                let constants = &self.constants;
                let is_array =
                    |value: &Value| matches!(resolved(constants, value), Value::Object(_));
                let mut set = self.set;
                set.retain(|item| !item.keys.is_empty() || is_array(&item.value));
                let mut variables: Vec<_> = set.iter().map(|item| item.variable).collect();
                variables.dedup();
                let is_single = variables.len() == 1;
                let items = set.into_iter().map(|item| item.keyed(is_single)).collect();
                (0, Value::Object(nested(items)))
            }
        };
        match root {
            (at, Value::Unread(what)) => {
                let message =
                    format!("expected an array, found {what}; write the texts in the file");
                Err(ReadErrorKind::NoTexts(message.into()).at(at))
            }
            (_, Value::Object(items)) if items.is_empty() => Err(none(0)),
            root @ (_, Value::Object(_) | Value::List(_) | Value::Constant(_)) => Ok(Source {
                constants: self.constants,
                root,
            }),
            (at, _) => Err(none(at)),
        }
    }
}

fn none(at: usize) -> SyntaxError {
    let message = "expected an array of texts, such as return ['key' => 'text'], found none";
    ReadErrorKind::NoTexts(message.into()).at(at)
}

/// A value below some keys.
struct Keyed {
    at: usize,
    /// The first key.
    name: Name,
    /// The others, in reverse order.
    names: Vec<Name>,
    value: Value,
}

impl Assignment<'_> {
    /// Its value below keys. A whole variable gives the elements of its array. `is_single`: whether the file has no other
    /// variable, so that the name says nothing.
    fn keyed(self, is_single: bool) -> Keyed {
        let variable = self.variable.filter(|_| !is_single).map(str::to_owned);
        let is_whole = self.keys.is_empty().then_some(Name::Spread);
        let names = variable
            .into_iter()
            .chain(self.keys)
            .map(Name::Text)
            .chain(is_whole);
        let mut names: Vec<_> = names.collect();
        names.reverse();
        Keyed {
            at: self.at,
            name: names.pop().unwrap_or(Name::Spread),
            names,
            value: self.value,
        }
    }
}

/// The items of values below keys, in the order of the keys. Values with several keys are those of arrays.
fn nested(values: Vec<Keyed>) -> Vec<Item> {
    let mut items = Vec::new();
    let mut arrays: SeededMap<String, (usize, Vec<Keyed>)> = SeededMap::default();
    for mut keyed in values {
        let (Some(next), Name::Text(name)) = (keyed.names.pop(), &keyed.name) else {
            items.push(Item {
                at: keyed.at,
                name: keyed.name,
                value: keyed.value,
            });
            continue;
        };
        let name = name.clone();
        keyed.name = next;
        let (_, inner) = arrays.entry(name.clone()).or_insert_with(|| {
            items.push(Item {
                at: keyed.at,
                name: Name::Text(name),
                value: Value::Object(Vec::new()),
            });
            (items.len() - 1, Vec::new())
        });
        inner.push(keyed);
    }
    for (index, inner) in arrays.into_values() {
        if let Some(item) = items.get_mut(index) {
            item.value = Value::Object(nested(inner));
        }
    }
    items
}
