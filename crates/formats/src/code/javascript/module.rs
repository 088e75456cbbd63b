//! The declarations and exports of a module.

use super::lexer::tokens;
use super::types::{skip_expression, skip_statement, skip_type};
use super::values::{Constants, value};
use crate::code::lexer::{Lexer, Token};
use crate::code::{Item, Name, Source, Value, resolved};
use crate::error::{ReadErrorKind, SyntaxError};
use gitglot_model::is_language_code;

/// Reads a module.
///
/// # Errors
/// If it exports no object or list.
pub(in crate::code) fn read(text: &str) -> Result<Source, SyntaxError> {
    let mut module = Module {
        lexer: tokens(text)?,
        constants: Vec::new(),
        names: Constants::default(),
        default: None,
        exports: Vec::new(),
        assigned: Vec::new(),
        declared: Vec::new(),
    };
    while module.lexer.token != Token::End {
        module.statement()?;
    }
    module.source()
}

struct Module<'t> {
    lexer: Lexer<'t>,
    constants: Vec<Value>,
    names: Constants<'t>,
    default: Option<(usize, Value)>,
    /// The other exports.
    exports: Vec<Item>,
    /// What a script without exports assigns to other names.
    assigned: Vec<(usize, Value)>,
    /// What it declares.
    declared: Vec<(usize, Value)>,
}

const NO_EXPORT: &str =
    "expected an object that the module exports, such as export default { … }, found none";

impl<'t> Module<'t> {
    fn statement(&mut self) -> Result<(), SyntaxError> {
        match self.lexer.token {
            Token::Word("export") => {
                self.lexer.next()?;
                self.export()
            }
            Token::Word("const" | "let" | "var") => self.declarations(false),
            Token::Word("module" | "exports") => self.assignment(),
            Token::Word(_) if matches!(self.lexer.peek()?, Token::Sign('.' | '=')) => {
                self.assignment()
            }
            _ => skip_statement(&mut self.lexer),
        }
    }

    fn export(&mut self) -> Result<(), SyntaxError> {
        let at = self.lexer.at;
        match self.lexer.token {
            // TypeScript has `=` for modules of CommonJS.
            Token::Word("default") | Token::Sign('=') => {
                self.lexer.next()?;
                let value = self.value()?;
                self.default = Some((at, value));
                self.end()
            }
            Token::Word("const" | "let" | "var") => self.declarations(true),
            Token::Sign('{') => self.list(),
            _ => skip_statement(&mut self.lexer),
        }
    }

    /// `export { a, b as c }`.
    fn list(&mut self) -> Result<(), SyntaxError> {
        self.lexer.next()?;
        let mut found = Vec::new();
        while !self.lexer.is_sign('}') && self.lexer.token != Token::End {
            let at = self.lexer.at;
            let is_type =
                self.lexer.is_word("type") && matches!(self.lexer.peek()?, Token::Word(_));
            if is_type {
                self.lexer.next()?;
            }
            let local = self.name()?;
            let name = if self.lexer.take_word("as")? {
                self.name()?
            } else {
                local
            };
            if let Some(&index) = self.names.get(local).filter(|_| !is_type) {
                found.push((at, name, Value::Constant(index)));
            }
            if !self.lexer.take(',')? && !self.lexer.is_sign('}') {
                return Err(self.lexer.unexpected("',' or '}' after the name"));
            }
        }
        self.lexer.next()?;
        // The values are those of another file.
        if self.lexer.is_word("from") {
            return skip_statement(&mut self.lexer);
        }
        for (at, name, value) in found {
            self.add(at, name, value);
        }
        self.end()
    }

    fn name(&mut self) -> Result<&'t str, SyntaxError> {
        let Token::Word(word) = self.lexer.token else {
            return Err(self.lexer.unexpected("a name"));
        };
        self.lexer.next()?;
        Ok(word)
    }

    /// `const a = …, b: T = …`.
    fn declarations(&mut self, is_exported: bool) -> Result<(), SyntaxError> {
        self.lexer.next()?;
        // `const enum` declares no value, and a pattern none that has a name.
        if !matches!(self.lexer.token, Token::Word(word) if word != "enum") {
            return skip_statement(&mut self.lexer);
        }
        loop {
            let at = self.lexer.at;
            let name = self.name()?;
            self.lexer.take('!')?;
            if self.lexer.take(':')? {
                skip_type(&mut self.lexer)?;
            }
            if self.lexer.take('=')? {
                let value = self.value()?;
                let index = self.constants.len();
                self.constants.push(value);
                self.names.insert(name, index);
                if is_exported {
                    self.add(at, name, Value::Constant(index));
                } else {
                    self.declared.push((at, Value::Constant(index)));
                }
            }
            if !self.lexer.take(',')? {
                return self.end();
            }
        }
    }

    /// `module.exports = …`, `exports.a = …`, and `texts = {…}` of a script.
    fn assignment(&mut self) -> Result<(), SyntaxError> {
        let at = self.lexer.at;
        let mut names = vec![self.name()?];
        while self.lexer.take('.')? {
            // A private member of a class has a sign before its name.
            let Token::Word(name) = self.lexer.token else {
                return skip_statement(&mut self.lexer);
            };
            names.push(name);
            self.lexer.next()?;
        }
        let is_assigned = self.lexer.is_sign('=');
        if self.lexer.is_first && !is_assigned {
            return Ok(());
        }
        let is_export = matches!(
            names.as_slice(),
            ["module", "exports", ..] | ["exports", _, ..]
        );
        // Scripts assign much that is no text.
        let is_read = |next| is_export || matches!(next, Token::Sign('{' | '['));
        if !is_assigned || !is_read(self.lexer.peek()?) {
            return skip_statement(&mut self.lexer);
        }
        self.lexer.next()?;
        let value = self.value()?;
        match names.as_slice() {
            ["module", "exports"] => self.default = Some((at, value)),
            ["module", "exports", name] | ["exports", name] => self.add(at, name, value),
            // A member of an export.
            _ if is_export => {}
            _ => self.assigned.push((at, value)),
        }
        self.end()
    }

    fn add(&mut self, at: usize, name: &str, value: Value) {
        match name {
            "default" => self.default = Some((at, value)),
            _ => self.exports.push(Item {
                at,
                name: Name::Text(name.to_owned()),
                value,
            }),
        }
    }

    fn value(&mut self) -> Result<Value, SyntaxError> {
        value(&mut self.lexer, &self.names)
    }

    /// Ends a statement.
    fn end(&mut self) -> Result<(), SyntaxError> {
        if self.lexer.is_sign(',') {
            skip_expression(&mut self.lexer)?;
        }
        if self.lexer.take(';')? || self.lexer.token == Token::End || self.lexer.is_first {
            return Ok(());
        }
        skip_statement(&mut self.lexer)
    }

    /// The value of the module: its default export, else its only other one, else the one that is named after a
    /// language as all others are, else all others by name; of a script without exports the only object or list that it
    /// assigns, else the only one that it declares (docs/spec/formats.md#javascript).
    fn source(self) -> Result<Source, SyntaxError> {
        let (constants, mut exports) = (self.constants, self.exports);
        let (assigned, declared) = (self.assigned, self.declared);
        let is_data = |value: &Value| {
            matches!(
                resolved(&constants, value),
                Value::Object(_) | Value::List(_)
            )
        };
        let only = |found: Vec<(usize, Value)>| {
            let mut data = found.into_iter().filter(|(_, value)| is_data(value));
            data.next().filter(|_| data.next().is_none())
        };
        let root = match self.default {
            Some(default) => Some(default),
            None if exports.is_empty() => only(assigned).or_else(|| only(declared)),
            None => {
                // Functions and settings are no texts.
                let count = exports.len();
                exports.retain(|item| is_data(&item.value) || count == 1);
                if let Some(code) = only_language(&exports) {
                    exports.retain(|item| code_of(item) == Some(&code));
                }
                match exports.len() {
                    0 => None,
                    1 => exports.pop().map(|item| (item.at, item.value)),
                    _ => Some((0, Value::Object(exports))),
                }
            }
        };
        match root {
            Some((at, Value::Unread(what))) => {
                let message =
                    format!("expected an object, found {what}; write the texts in the module");
                Err(ReadErrorKind::NoTexts(message.into()).at(at))
            }
            Some(root) if is_data(&root.1) => Ok(Source { constants, root }),
            Some((at, _)) => Err(ReadErrorKind::NoTexts(NO_EXPORT.into()).at(at)),
            None => Err(ReadErrorKind::NoTexts(NO_EXPORT.into()).at(0)),
        }
    }
}

/// The language that an export is named after.
fn code_of(item: &Item) -> Option<&str> {
    match &item.name {
        Name::Text(name) if is_language_code(name) => Some(name),
        _ => None,
    }
}

/// The language of the only export that is named after one, if the names of the others begin with it: `de` and `deMetadata`.
fn only_language(exports: &[Item]) -> Option<String> {
    let mut codes = exports.iter().filter_map(code_of);
    let code = codes.next().filter(|_| codes.next().is_none())?;
    let is_about = |item: &Item| matches!(&item.name, Name::Text(name) if name.starts_with(code));
    exports.iter().all(is_about).then(|| code.to_owned())
}
