//! Values: literals of PHP.

use crate::code::lexer::{Lexer, Token};
use crate::code::{COMPUTED, EXPRESSION, FUNCTION, Item, Name, NoData, Value};
use crate::error::{MAX_DEPTH, ReadErrorKind, SyntaxError};
use gitglot_model::SeededMap;

/// What follows a value in an array, as errors name it.
const COMMA_OR_END: &str = "',' or the end of the array after the value";

/// The numbers of the constants so far, by name.
pub(super) type Constants<'t> = SeededMap<&'t str, usize>;

const CALL: NoData = "a call";
const CONSTANT: NoData = "a constant";
const VARIABLE: NoData = "a variable";

/// A key of an array.
#[derive(Clone, PartialEq, Debug)]
enum Key {
    Text(String),
    Integer(i64),
    /// Its value is no data.
    Computed,
}

/// A value with its offset and its key.
type Element = (usize, Option<Key>, Value);

/// An array or pair of parentheses that is not complete.
struct Frame {
    /// What the value is an element of, and where it begins.
    at: usize,
    key: Option<Key>,
    kind: Kind,
    end: char,
    elements: Vec<(usize, Key, Value)>,
    /// The largest integer so far. The next element without a key has the one after it.
    last: Option<i64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Array,
    Parentheses,
    /// A call of `array_merge`.
    Merge,
}

/// Reads a value.
pub(super) fn value<'t>(
    lexer: &mut Lexer<'t>,
    constants: &Constants<'t>,
) -> Result<Value, SyntaxError> {
    let open = Vec::new();
    Reader {
        lexer,
        constants,
        open,
    }
    .read()
}

/// Skips an expression, up to the comma, semicolon or closing bracket after it, and `=>` unless it is part of it.
pub(super) fn skip_expression(lexer: &mut Lexer<'_>, has_arrow: bool) -> Result<(), SyntaxError> {
    let mut depth = 0_usize;
    loop {
        match &lexer.token {
            Token::End => return Ok(()),
            Token::Sign(',' | ';') if depth == 0 => return Ok(()),
            Token::Arrow if depth == 0 && !has_arrow => return Ok(()),
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Ok(()),
            },
            _ => {}
        }
        lexer.next()?;
    }
}

struct Reader<'l, 't> {
    lexer: &'l mut Lexer<'t>,
    constants: &'l Constants<'t>,
    open: Vec<Frame>,
}

impl Reader<'_, '_> {
    fn read(mut self) -> Result<Value, SyntaxError> {
        let (mut at, mut key) = (self.lexer.at, None);
        loop {
            let mut done = self.begin(at, key)?;
            // All that this value completes, up to the next one.
            (at, key) = loop {
                if let Some((at, name, value)) = done.take() {
                    let Some(frame) = self.open.last_mut() else {
                        return Ok(value);
                    };
                    if frame.kind == Kind::Array
                        && name.is_none()
                        && self.lexer.token == Token::Arrow
                    {
                        self.lexer.next()?;
                        break (at, Some(Key::of(&value)));
                    }
                    frame.push(at, name, value);
                    if !self.lexer.take(',')? && !self.is_closing() {
                        return Err(self.lexer.unexpected(COMMA_OR_END));
                    }
                }
                if self.is_closing() {
                    done = Some(self.close()?);
                    continue;
                }
                let at = self.lexer.at;
                if self.lexer.token != Token::Dots {
                    break (at, None);
                }
                skip_expression(self.lexer, false)?;
                done = Some((at, Some(Key::Computed), Value::Unread(EXPRESSION)));
            };
        }
    }

    fn is_closing(&self) -> bool {
        let frame = self.open.last();
        frame.is_some_and(|frame| self.lexer.is_sign(frame.end))
    }

    /// Reads a simple value, or begins an array (`None`).
    fn begin(&mut self, at: usize, key: Option<Key>) -> Result<Option<Element>, SyntaxError> {
        let value = match &self.lexer.token {
            Token::Sign('[') => return self.enter(at, key, Kind::Array, ']'),
            Token::Sign('(') => return self.enter(at, key, Kind::Parentheses, ')'),
            Token::Text(_) => self.texts()?,
            Token::Number(_) | Token::Sign('-' | '+') => match self.lexer.take_number()? {
                Some(number) => number,
                None => self.unread(EXPRESSION)?,
            },
            Token::Variable(name) => {
                let constant = self.constants.get(name).copied();
                self.lexer.next()?;
                constant.map_or(Value::Unread(VARIABLE), Value::Constant)
            }
            Token::Word(word) => {
                let word = *word;
                self.lexer.next()?;
                match word.to_ascii_lowercase().as_str() {
                    "array" if self.lexer.is_sign('(') => {
                        return self.enter(at, key, Kind::Array, ')');
                    }
                    "array_merge" | "\\array_merge" if self.lexer.is_sign('(') => {
                        return self.enter(at, key, Kind::Merge, ')');
                    }
                    "true" => Value::Word("true"),
                    "false" => Value::Word("false"),
                    "null" => Value::Word("null"),
                    "fn" | "function" | "static" => {
                        skip_expression(self.lexer, true)?;
                        Value::Unread(FUNCTION)
                    }
                    _ if self.lexer.is_sign('(') => self.unread(CALL)?,
                    _ if self.lexer.is_sign(':') => self.unread(CONSTANT)?,
                    _ => Value::Unread(CONSTANT),
                }
            }
            Token::Sign('!' | '@' | '~' | '&' | '\\') => self.unread(EXPRESSION)?,
            _ => return Err(self.lexer.unexpected("a value")),
        };
        Ok(Some((at, key, self.postfix(value)?)))
    }

    fn enter(
        &mut self,
        at: usize,
        key: Option<Key>,
        kind: Kind,
        end: char,
    ) -> Result<Option<Element>, SyntaxError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(ReadErrorKind::TooDeep(MAX_DEPTH).at(self.lexer.at));
        }
        self.open.push(Frame {
            at,
            key,
            kind,
            end,
            elements: Vec::new(),
            last: None,
        });
        self.lexer.next()?;
        Ok(None)
    }

    /// Ends the innermost array.
    fn close(&mut self) -> Result<Element, SyntaxError> {
        let frame = self.open.pop();
        self.lexer.next()?;
        let Some(frame) = frame else {
            return Err(self.lexer.unexpected("a value"));
        };
        let (at, key) = (frame.at, frame.key.clone());
        let value = frame.value();
        Ok((at, key, self.postfix(value)?))
    }

    /// Text literals that are joined with `.`.
    fn texts(&mut self) -> Result<Value, SyntaxError> {
        let mut joined = Ok(String::new());
        loop {
            let Token::Text(text) = &self.lexer.token else {
                return self.unread(EXPRESSION);
            };
            match (&mut joined, text) {
                (Ok(joined), Ok(text)) => joined.push_str(text),
                (Ok(_), Err(what)) => joined = Err(*what),
                (Err(_), _) => {}
            }
            self.lexer.next()?;
            if !self.lexer.take('.')? {
                return Ok(joined.map_or_else(Value::Unread, Value::Text));
            }
        }
    }

    /// A value is complete, or the start of an expression.
    fn postfix(&mut self, value: Value) -> Result<Value, SyntaxError> {
        match (&self.lexer.token, &value) {
            (Token::End | Token::Arrow | Token::Sign(',' | ';' | ')' | ']' | '}'), _) => Ok(value),
            (_, Value::Unread(what)) => self.unread(what),
            (Token::Word(word), _)
                if ["and", "or", "xor", "instanceof"].contains(&&*word.to_ascii_lowercase()) =>
            {
                self.unread(EXPRESSION)
            }
            (Token::Text(_) | Token::Number(_) | Token::Variable(_) | Token::Word(_), _) => {
                Err(self.lexer.unexpected(COMMA_OR_END))
            }
            _ => self.unread(EXPRESSION),
        }
    }

    /// Skips the rest of a value that is no data.
    fn unread(&mut self, what: NoData) -> Result<Value, SyntaxError> {
        skip_expression(self.lexer, false)?;
        Ok(Value::Unread(what))
    }
}

impl Frame {
    fn push(&mut self, at: usize, key: Option<Key>, value: Value) {
        let next = self.last.map_or(0, |last| last.saturating_add(1));
        let key = key.unwrap_or(Key::Integer(next));
        if let Key::Integer(number) = key {
            self.last = self.last.max(Some(number));
        }
        self.elements.push((at, key, value));
    }

    /// The array, or the value in parentheses. An array whose keys count from 0 is a list.
    fn value(self) -> Value {
        match self.kind {
            Kind::Array => {}
            Kind::Parentheses => {
                let last = self.elements.into_iter().last();
                return last.map_or(Value::Unread(EXPRESSION), |(_, _, value)| value);
            }
            Kind::Merge => return merged(self.elements),
        }
        let mut keys = self.elements.iter().map(|(_, key, _)| key).zip(0..);
        let is_list = keys.all(|(key, number)| *key == Key::Integer(number));
        let item = |(at, key, value): (usize, Key, Value)| {
            let (name, value) = match (key, value) {
                (Key::Integer(_), value) if is_list => (Name::None, value),
                (Key::Integer(number), value) => (Name::Text(number.to_string()), value),
                (Key::Text(name), value) => (Name::Text(name), value),
                (Key::Computed, Value::Unread(what)) => (Name::None, Value::Unread(what)),
                (Key::Computed, _) => (Name::None, Value::Unread(COMPUTED)),
            };
            Item { at, name, value }
        };
        let items = self.elements.into_iter().map(item).collect();
        if is_list {
            Value::List(items)
        } else {
            Value::Object(items)
        }
    }
}

/// The array that `array_merge` makes: integers as keys are numbered again. An unknown variable has what other files set.
fn merged(arrays: Vec<(usize, Key, Value)>) -> Value {
    let (mut items, mut count) = (Vec::new(), 0_usize);
    let mut has_names = false;
    for (at, _, array) in arrays {
        let members = match array {
            Value::Object(members) | Value::List(members) => members,
            Value::Unread(VARIABLE) => continue,
            value => {
                has_names = true;
                let name = Name::Spread;
                items.push(Item { at, name, value });
                continue;
            }
        };
        // A key that occurs twice in one array is one element.
        let mut numbers: SeededMap<String, usize> = SeededMap::default();
        for (index, mut item) in members.into_iter().enumerate() {
            let key = match (&item.name, &item.value) {
                (Name::Text(name), _) => Key::of_text(name),
                (Name::None, Value::Unread(_)) | (Name::Spread, _) => Key::Computed,
                (Name::None, _) => Key::Integer(i64::try_from(index).unwrap_or(i64::MAX)),
            };
            if let Key::Integer(key) = key {
                let number = *numbers.entry(key.to_string()).or_insert(count);
                count = count.max(number + 1);
                item.name = Name::Text(number.to_string());
            } else {
                has_names = true;
            }
            items.push(item);
        }
    }
    if has_names || items.len() != count {
        return Value::Object(items);
    }
    items.iter_mut().for_each(|item| item.name = Name::None);
    Value::List(items)
}

impl Key {
    /// The key that a text is.
    fn of_text(text: &str) -> Self {
        let number = text.parse::<i64>().ok();
        match number.filter(|number| number.to_string() == *text) {
            Some(number) => Self::Integer(number),
            None => Self::Text(text.to_owned()),
        }
    }

    /// The key that PHP makes of a value.
    fn of(value: &Value) -> Self {
        match value {
            Value::Text(text) => Self::of_text(text),
            // Out of range, PHP has no fixed result either.
            Value::Number(number) => Self::Integer(*number as i64),
            Value::Word("true") => Self::Integer(1),
            Value::Word("false") => Self::Integer(0),
            Value::Word(_) => Self::Text(String::new()),
            _ => Self::Computed,
        }
    }
}
