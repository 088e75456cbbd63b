//! Source files of programming languages whose literal values are texts: modules of JavaScript and TypeScript
//! (`docs/spec/formats.md#javascript`) and files of PHP (`docs/spec/formats.md#php`).
//!
//! A language reads a file into values ([`Source`]), without executing anything. They are then written as JSON. A value that
//! is no data, such as a function, is left out and is a fault of the file.
//!
//! - `lexer`: the tokens of a text, in any of the languages.
//! - `javascript`, `php`: the languages.

mod javascript;
mod lexer;
mod php;

use gitglot_model::sentence;

use super::as_json::JsonWriter;
use super::error::SyntaxError;
use super::fault::{FaultList, InvalidPart, Names};

/// The values of a file.
#[derive(Debug)]
struct Source {
    /// The values of names, in the order of their declarations. A value refers only to those before it.
    constants: Vec<Value>,
    /// The value of the file, with its offset.
    root: (usize, Value),
}

#[derive(PartialEq, Debug)]
enum Value {
    Text(String),
    Number(f64),
    /// A word that JSON has, too.
    Word(&'static str),
    Object(Vec<Item>),
    List(Vec<Item>),
    /// The value of a name.
    Constant(usize),
    Unread(NoData),
}

/// What a value is that is no data, as messages name it.
type NoData = &'static str;

/// A member of an object or an element of a list.
#[derive(PartialEq, Debug)]
struct Item {
    at: usize,
    name: Name,
    value: Value,
}

#[derive(PartialEq, Debug)]
enum Name {
    /// That of a member.
    Text(String),
    /// An element has none.
    None,
    /// The members or elements of the value are those of the collection.
    Spread,
}

/// What JavaScript has in place of a value.
const UNDEFINED: &str = "undefined";

const FUNCTION: NoData = "a function";
const EXPRESSION: NoData = "an expression";
const OTHER_FILE: NoData = "a value of another file";
const SUBSTITUTION: NoData = "a text with a substitution";
const HALF: NoData = "a text with half of a surrogate pair";
const NO_UTF8: NoData = "a text with bytes that are not UTF-8";
const COMPUTED: NoData = "a value with a computed name";

/// The values of a module of JavaScript or TypeScript as JSON.
pub(super) fn javascript(text: &str) -> Result<JsonWriter, SyntaxError> {
    write(&javascript::read(text)?, None)
}

/// The values of a file of PHP as JSON.
pub(super) fn php(text: &str) -> Result<JsonWriter, SyntaxError> {
    write(&php::read(text)?, None)
}

/// Adds the values of a module that are no data, and the names that occur twice.
pub(super) fn javascript_faults(text: &str, faults: &mut FaultList) -> Result<(), SyntaxError> {
    write(&javascript::read(text)?, Some(faults)).map(drop)
}

/// As [`javascript_faults`], for a file of PHP.
pub(super) fn php_faults(text: &str, faults: &mut FaultList) -> Result<(), SyntaxError> {
    write(&php::read(text)?, Some(faults)).map(drop)
}

fn write(source: &Source, faults: Option<&mut FaultList>) -> Result<JsonWriter, SyntaxError> {
    let mut json = JsonWriter::default();
    let writer = Writer {
        source,
        json: &mut json,
        path: String::new(),
        faults,
    };
    writer.root()?;
    Ok(json)
}

fn unread(faults: &mut FaultList, name: &str, at: usize, what: NoData) {
    let problem = sentence(&format!("{what} is not read: write a literal text"));
    faults.invalid(name, at, InvalidPart::NoData, problem);
}

/// Writes values as JSON, without recursion.
struct Writer<'s, 'f> {
    source: &'s Source,
    json: &'s mut JsonWriter,
    /// The names around the value.
    path: String,
    faults: Option<&'f mut FaultList>,
}

/// An object or list that is not complete, or one that is spread in another one.
struct Open<'s> {
    items: std::slice::Iter<'s, Item>,
    is_list: bool,
    is_spread: bool,
    /// The length of its path.
    length: usize,
    /// The names so far, with the text or the offset of the value.
    names: Names<&'s str, Result<&'s str, usize>>,
}

impl<'s> Writer<'s, '_> {
    fn root(mut self) -> Result<(), SyntaxError> {
        let mut open = Vec::new();
        let (at, value) = &self.source.root;
        self.value(value, *at, &mut open)?;
        while let Some(around) = open.last_mut() {
            self.path.truncate(around.length);
            match around.items.next() {
                Some(item) => self.item(item, &mut open)?,
                None => {
                    if !around.is_spread {
                        self.json.close(if around.is_list { ']' } else { '}' });
                    }
                    open.pop();
                }
            }
        }
        Ok(())
    }

    /// Writes a scalar, or begins an object or list.
    fn value(
        &mut self,
        value: &'s Value,
        at: usize,
        open: &mut Vec<Open<'s>>,
    ) -> Result<(), SyntaxError> {
        match resolved(&self.source.constants, value) {
            Value::Text(text) => self.json.text(text, at),
            Value::Number(number) => self.json.number(*number, at),
            Value::Word(word) if *word != UNDEFINED => self.json.plain(word, at),
            Value::Object(items) => {
                self.json.open('{', at)?;
                self.begin(items, false, false, open);
                Ok(())
            }
            Value::List(items) => {
                self.json.open('[', at)?;
                self.begin(items, true, false, open);
                Ok(())
            }
            Value::Word(_) | Value::Constant(_) | Value::Unread(_) => self.json.plain("null", at),
        }
    }

    fn begin(&self, items: &'s [Item], is_list: bool, is_spread: bool, open: &mut Vec<Open<'s>>) {
        open.push(Open {
            items: items.iter(),
            is_list,
            is_spread,
            length: self.path.len(),
            names: Names::default(),
        });
    }

    fn item(&mut self, item: &'s Item, open: &mut Vec<Open<'s>>) -> Result<(), SyntaxError> {
        let value = resolved(&self.source.constants, &item.value);
        let Some(around) = open.last_mut() else {
            return Ok(());
        };
        let is_list = around.is_list;
        if let Some(faults) = &mut self.faults {
            if let Name::Text(name) = &item.name {
                if !self.path.is_empty() {
                    self.path.push('.');
                }
                self.path.push_str(name);
                let shown = match value {
                    Value::Text(text) => Ok(&**text),
                    _ => Err(item.at),
                };
                let again = around.names.add(name, item.at, shown);
                faults.push(&self.path, item.at, again);
            }
            if let Value::Unread(what) = value {
                unread(faults, &self.path, item.at, what);
            }
        }
        match (&item.name, value) {
            // An object leaves it out, and a list cannot.
            (Name::Text(_), Value::Unread(_) | Value::Word(UNDEFINED)) => self.json.step(item.at),
            (Name::None, Value::Unread(_)) if !is_list => self.json.step(item.at),
            (Name::Text(name), value) => {
                self.json.name(name, item.at)?;
                self.value(value, item.at, open)
            }
            (Name::None, value) => self.value(value, item.at, open),
            (Name::Spread, value) => {
                self.json.step(item.at)?;
                match value {
                    Value::Object(items) if !is_list => self.begin(items, is_list, true, open),
                    Value::List(items) if is_list => self.begin(items, is_list, true, open),
                    // Nothing is spread.
                    _ => {}
                }
                Ok(())
            }
        }
    }
}

/// The value of a name in its place.
fn resolved<'v>(constants: &'v [Value], value: &'v Value) -> &'v Value {
    let mut value = value;
    while let Value::Constant(index) = value
        && let Some(constant) = constants.get(*index)
    {
        value = constant;
    }
    value
}
