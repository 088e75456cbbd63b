//! Values: literals and the little around them that does not change them.

use super::types::{skip_arguments, skip_expression, skip_type};
use crate::code::lexer::{Lexer, Token};
use crate::code::{
    COMPUTED, EXPRESSION, FUNCTION, Item, Name, NoData, OTHER_FILE, SUBSTITUTION, UNDEFINED, Value,
};
use crate::error::{MAX_DEPTH, ReadErrorKind, SyntaxError};
use gitglot_model::SeededMap;

/// What follows a value in a list, as errors name it.
const COMMA_OR_END: &str = "',' or the end of the list after the value";

/// The numbers of the constants so far, by name.
pub(super) type Constants<'t> = SeededMap<&'t str, usize>;

/// A collection or pair of parentheses that is not complete.
struct Frame {
    /// What the value is that this is a part of, and where it begins.
    at: usize,
    name: Name,
    kind: Kind,
    items: Vec<Item>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    List,
    Parentheses,
    /// The arguments of a call, of which one is the value.
    Call,
}

/// Reads a value and what belongs to it.
pub(super) fn value<'t>(
    lexer: &mut Lexer<'t>,
    constants: &Constants<'t>,
) -> Result<Value, SyntaxError> {
    Reader {
        lexer,
        constants,
        open: Vec::new(),
    }
    .read()
}

/// A value with its offset and its name.
type Part = (usize, Name, Value);

struct Reader<'l, 't> {
    lexer: &'l mut Lexer<'t>,
    constants: &'l Constants<'t>,
    open: Vec<Frame>,
}

/// The name of the next value, or a value that the name makes complete, such as a method.
enum Next {
    Value(usize, Name),
    Done(usize, Name, Value),
}

impl<'t> Reader<'_, 't> {
    fn read(mut self) -> Result<Value, SyntaxError> {
        let (mut at, mut name) = (self.lexer.at, Name::None);
        loop {
            // The value that begins here, unless it is a collection, whose first value is next.
            let mut value = self.begin(at, name)?;
            // All that this value completes.
            (at, name) = loop {
                if let Some((at, name, value)) = value.take() {
                    let Some(frame) = self.open.last_mut() else {
                        return Ok(value);
                    };
                    frame.items.push(Item { at, name, value });
                    if !self.lexer.take(',')? && !self.is_closing() {
                        return Err(self.lexer.unexpected(COMMA_OR_END));
                    }
                }
                if self.is_closing() {
                    value = Some(self.close()?);
                    continue;
                }
                match self.next_name()? {
                    Next::Value(at, name) => break (at, name),
                    Next::Done(at, name, done) => value = Some((at, name, done)),
                }
            };
        }
    }

    /// Whether the innermost collection ends here.
    fn is_closing(&self) -> bool {
        self.open.last().is_some_and(|frame| {
            self.lexer.is_sign(match frame.kind {
                Kind::Object => '}',
                Kind::List => ']',
                Kind::Parentheses | Kind::Call => ')',
            })
        })
    }

    /// Reads a simple value, or begins a collection (`None`).
    fn begin(&mut self, at: usize, name: Name) -> Result<Option<Part>, SyntaxError> {
        let start = self.lexer.at;
        let value = match &self.lexer.token {
            Token::Sign('{') => return self.enter(at, name, Kind::Object),
            Token::Sign('[') => return self.enter(at, name, Kind::List),
            Token::Sign('(') if !self.is_arrow()? => {
                return self.enter(at, name, Kind::Parentheses);
            }
            Token::Text(_) => self.texts()?,
            Token::Template => self.unread(SUBSTITUTION)?,
            Token::Number(_) | Token::Sign('-' | '+') => match self.lexer.take_number()? {
                Some(number) => number,
                None => self.unread(EXPRESSION)?,
            },
            Token::Word(word) => {
                let word = *word;
                match word {
                    "true" | "false" | "null" | "undefined" => {
                        self.lexer.next()?;
                        Value::Word(match word {
                            "true" => "true",
                            "false" => "false",
                            "undefined" => UNDEFINED,
                            _ => "null",
                        })
                    }
                    "function" | "async" | "class" => self.unread(FUNCTION)?,
                    _ => {
                        self.lexer.next()?;
                        match &self.lexer.token {
                            Token::Arrow => self.unread(FUNCTION)?,
                            Token::Sign('(' | '.' | '<') => {
                                if self.callee()? {
                                    return self.enter(at, name, Kind::Call);
                                }
                                self.unread(EXPRESSION)?
                            }
                            _ => self.named(word),
                        }
                    }
                }
            }
            Token::Sign('(' | '<') => self.unread(FUNCTION)?,
            Token::Sign('!') | Token::Regex => self.unread(EXPRESSION)?,
            _ => return Err(self.lexer.unexpected("a value")),
        };
        let value = self.postfix(value)?;
        // A value needs a token.
        if self.lexer.at == start {
            return Err(self.lexer.unexpected("a value"));
        }
        Ok(Some((at, name, value)))
    }

    fn enter(&mut self, at: usize, name: Name, kind: Kind) -> Result<Option<Part>, SyntaxError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(ReadErrorKind::TooDeep(MAX_DEPTH).at(self.lexer.at));
        }
        self.open.push(Frame {
            at,
            name,
            kind,
            items: Vec::new(),
        });
        self.lexer.next()?;
        Ok(None)
    }

    /// Ends the innermost collection.
    fn close(&mut self) -> Result<Part, SyntaxError> {
        let frame = self.open.pop();
        self.lexer.next()?;
        let Some(Frame {
            at,
            name,
            kind,
            items,
        }) = frame
        else {
            return Err(self.lexer.unexpected("a value"));
        };
        let value = match kind {
            Kind::Object => Value::Object(items),
            Kind::List => Value::List(items),
            Kind::Parentheses => items
                .into_iter()
                .last()
                .map_or(Value::Unread(FUNCTION), |item| item.value),
            Kind::Call => argument(items),
        };
        Ok((at, name, self.postfix(value)?))
    }

    /// The name before the next value of the innermost collection.
    fn next_name(&mut self) -> Result<Next, SyntaxError> {
        let at = self.lexer.at;
        if self.lexer.token == Token::Dots {
            self.lexer.next()?;
            return Ok(Next::Value(at, Name::Spread));
        }
        match self.open.last().map(|frame| frame.kind) {
            Some(Kind::Object) => {}
            // A list may leave out elements.
            Some(Kind::List) if self.lexer.is_sign(',') => {
                return Ok(Next::Done(at, Name::None, Value::Word("null")));
            }
            _ => return Ok(Next::Value(at, Name::None)),
        }
        let mut is_function = self.lexer.take('*')?;
        while let Token::Word("get" | "set" | "async") = self.lexer.token
            && !matches!(self.lexer.peek()?, Token::Sign(':' | ',' | '(' | '}'))
        {
            is_function = true;
            self.lexer.next()?;
            self.lexer.take('*')?;
        }
        let word = match self.lexer.token {
            Token::Word(word) => Some(word),
            _ => None,
        };
        let name = match std::mem::replace(&mut self.lexer.token, Token::Sign(' ')) {
            Token::Word(word) => Some(word.to_owned()),
            Token::Text(text) => text.ok(),
            Token::Number(Some(number)) => Some(number.to_string()),
            Token::Sign('[') => {
                self.lexer.next()?;
                let name = match &self.lexer.token {
                    Token::Text(Ok(text)) => Some(text.clone()),
                    Token::Number(Some(number)) => Some(number.to_string()),
                    _ => None,
                };
                self.lexer.next()?;
                let name = name.filter(|_| self.lexer.is_sign(']'));
                skip_expression(self.lexer)?;
                name
            }
            token => {
                self.lexer.token = token;
                return Err(self.lexer.unexpected("a name or '}'"));
            }
        };
        self.lexer.next()?;
        if is_function || matches!(self.lexer.token, Token::Sign('(' | '<')) {
            let name = name.map_or(Name::None, Name::Text);
            // The parameters and types of a method may contain commas only in brackets.
            skip_expression(self.lexer)?;
            return Ok(Next::Done(at, name, Value::Unread(FUNCTION)));
        }
        let name = match name {
            // It sets the prototype.
            Some(name) if name == "__proto__" => None,
            name => name,
        };
        if let (Some(word), true) = (word, self.lexer.is_sign(',') || self.lexer.is_sign('}')) {
            let name = Name::Text(word.to_owned());
            return Ok(Next::Done(at, name, self.named(word)));
        }
        self.lexer.expect(':', "':' after the name")?;
        match name {
            Some(name) => Ok(Next::Value(at, Name::Text(name))),
            None => {
                skip_expression(self.lexer)?;
                Ok(Next::Done(at, Name::None, Value::Unread(COMPUTED)))
            }
        }
    }

    /// The value of a name.
    fn named(&self, word: &str) -> Value {
        let index = self.constants.get(word).copied();
        index.map_or(Value::Unread(OTHER_FILE), Value::Constant)
    }

    /// Text literals that are joined with `+`.
    fn texts(&mut self) -> Result<Value, SyntaxError> {
        let mut joined = Ok(String::new());
        loop {
            match &self.lexer.token {
                Token::Text(Ok(text)) => {
                    if let Ok(joined) = &mut joined {
                        joined.push_str(text);
                    }
                }
                Token::Text(Err(what)) => joined = Err(*what),
                Token::Template => joined = Err(SUBSTITUTION),
                _ => {
                    return self.unread(EXPRESSION);
                }
            }
            self.lexer.next()?;
            if !self.lexer.take('+')? {
                return Ok(joined.map_or_else(Value::Unread, Value::Text));
            }
        }
    }

    /// What follows a value: assertions of its type, which do not change it, or more of an expression.
    fn postfix(&mut self, value: Value) -> Result<Value, SyntaxError> {
        loop {
            match &self.lexer.token {
                Token::Word("as" | "satisfies")
                    if !self.lexer.is_first || !self.open.is_empty() =>
                {
                    self.lexer.next()?;
                    skip_type(self.lexer)?;
                }
                Token::Sign('!') => self.lexer.next()?,
                Token::End | Token::Sign(',' | ';' | ')' | ']' | '}') => return Ok(value),
                // The next statement, without a semicolon before it.
                Token::Word(_) if self.open.is_empty() && self.lexer.is_first => return Ok(value),
                Token::Text(_) | Token::Number(_) | Token::Word(_)
                    if !matches!(value, Value::Unread(_))
                        && !matches!(self.lexer.token, Token::Word("in" | "instanceof")) =>
                {
                    return Err(self.lexer.unexpected(COMMA_OR_END));
                }
                _ => {
                    let what = if self.lexer.token == Token::Arrow {
                        FUNCTION
                    } else {
                        EXPRESSION
                    };
                    return self.unread(what);
                }
            }
        }
    }

    /// Skips the rest of a value that is no data.
    fn unread(&mut self, what: NoData) -> Result<Value, SyntaxError> {
        skip_expression(self.lexer)?;
        Ok(Value::Unread(what))
    }

    /// Whether parentheses are the parameters of an arrow function.
    fn is_arrow(&self) -> Result<bool, SyntaxError> {
        let mut ahead = self.lexer.clone();
        ahead.next()?;
        // Values in parentheses begin with none of these.
        Ok(match ahead.token {
            Token::Sign(')') | Token::Dots => true,
            Token::Word(_) => {
                ahead.next()?;
                matches!(ahead.token, Token::Sign(':' | ',' | '?' | '='))
                    || ahead.is_sign(')') && {
                        ahead.next()?;
                        matches!(ahead.token, Token::Arrow | Token::Sign(':'))
                    }
            }
            Token::Sign('{') => is_pattern(ahead)?,
            _ => false,
        })
    }

    /// Skips the rest of the name of a function, and its type arguments. Returns whether the arguments follow.
    fn callee(&mut self) -> Result<bool, SyntaxError> {
        while self.lexer.take('.')? {
            if !matches!(self.lexer.token, Token::Word(_)) {
                return Ok(false);
            }
            self.lexer.next()?;
        }
        if self.lexer.is_sign('<') {
            skip_arguments(self.lexer)?;
        }
        Ok(self.lexer.is_sign('(') && !self.is_arrow()?)
    }
}

/// Whether braces at the start of parentheses are parameters: `({ name }) =>`, not `({ name: 'text' })`.
fn is_pattern(mut ahead: Lexer<'_>) -> Result<bool, SyntaxError> {
    ahead.next()?;
    if !matches!(ahead.token, Token::Word(_)) {
        return Ok(false);
    }
    ahead.next()?;
    Ok(matches!(ahead.token, Token::Sign(',' | '}' | '=')))
}

/// The value of a call: its only argument that is no text.
fn argument(items: Vec<Item>) -> Value {
    let values = items.into_iter().map(|item| item.value);
    let mut values = values.filter(|value| !matches!(value, Value::Text(_)));
    match (values.next(), values.next()) {
        (Some(value @ (Value::Object(_) | Value::List(_) | Value::Constant(_))), None) => value,
        _ => Value::Unread(EXPRESSION),
    }
}
