//! The tokens of a source file, with one of them ahead.

use super::{EXPRESSION, NoData, Value};
use crate::error::SyntaxError;
use crate::scan::Scanner;

/// A text, or what it is instead.
pub(super) type Text = Result<String, NoData>;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'t> {
    /// A name or keyword; in PHP also with `\` between its parts.
    Word(&'t str),
    /// A variable of PHP, without `$`.
    Variable(&'t str),
    /// A text literal, or a template without substitutions.
    Text(Text),
    /// A template with substitutions.
    Template,
    /// A number; `None` for one with the suffix `n` and other unusual ones.
    Number(Option<f64>),
    Regex,
    /// `=>`.
    Arrow,
    /// `...`.
    Dots,
    /// Another character. The end of the code of PHP (`?>`) is a semicolon.
    Sign(char),
    End,
}

/// How the tokens of a programming language are read.
#[derive(Debug)]
pub(super) struct Syntax {
    /// Skips spaces and comments. Returns whether a line ends, if that can end a statement.
    pub(super) skip_space: fn(&mut Scanner<'_>) -> Result<bool, SyntaxError>,
    /// Reads the token that begins here. Gets whether the token before is the end of a value, so that `/` divides.
    pub(super) read: for<'t> fn(&mut Scanner<'t>, bool) -> Result<Token<'t>, SyntaxError>,
}

#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    syntax: &'static Syntax,
    scan: Scanner<'t>,
    /// The next token, its offset, and whether it is the first one of its line (never in PHP).
    pub(super) token: Token<'t>,
    pub(super) at: usize,
    pub(super) is_first: bool,
    /// Whether the token before is the end of a value.
    after_value: bool,
    /// The end of the token before.
    before: usize,
}

/// Words after which a value follows.
const OPERATORS: [&str; 12] = [
    "return", "typeof", "case", "in", "of", "do", "else", "void", "delete", "new", "throw",
    "default",
];

impl<'t> Lexer<'t> {
    /// The tokens from a position on.
    pub(super) fn new(syntax: &'static Syntax, scan: Scanner<'t>) -> Result<Self, SyntaxError> {
        let mut lexer = Self {
            syntax,
            scan,
            token: Token::Sign(';'),
            at: 0,
            is_first: true,
            after_value: false,
            before: 0,
        };
        lexer.next()?;
        Ok(lexer)
    }

    pub(super) fn is_sign(&self, sign: char) -> bool {
        self.token == Token::Sign(sign)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.token == Token::Word(word)
    }

    /// Takes a sign that is next. Returns whether it is.
    pub(super) fn take(&mut self, sign: char) -> Result<bool, SyntaxError> {
        let is_next = self.is_sign(sign);
        if is_next {
            self.next()?;
        }
        Ok(is_next)
    }

    /// Takes a word that is next. Returns whether it is.
    pub(super) fn take_word(&mut self, word: &str) -> Result<bool, SyntaxError> {
        let is_next = self.is_word(word);
        if is_next {
            self.next()?;
        }
        Ok(is_next)
    }

    /// Takes a number with its sign; `None` if the sign, which is taken, is that of another value.
    pub(super) fn take_number(&mut self) -> Result<Option<Value>, SyntaxError> {
        let sign = match self.token {
            Token::Sign('-') => Some(-1.0),
            Token::Sign('+') => Some(1.0),
            _ => None,
        };
        if sign.is_some() {
            self.next()?;
        }
        let value = match (&self.token, sign) {
            (Token::Number(Some(number)), _) => Value::Number(sign.unwrap_or(1.0) * number),
            (Token::Number(None), None) => Value::Unread(EXPRESSION),
            _ => return Ok(None),
        };
        self.next()?;
        Ok(Some(value))
    }

    pub(super) fn expect(&mut self, sign: char, expected: &'static str) -> Result<(), SyntaxError> {
        if self.take(sign)? {
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    pub(super) fn unexpected(&self, expected: &'static str) -> SyntaxError {
        Scanner {
            at: self.at,
            ..self.scan
        }
        .unexpected(expected)
    }

    /// The same tokens up to a distance from here, which cuts the last one off.
    pub(super) fn up_to(&self, distance: usize) -> Self {
        let mut ahead = self.clone();
        let ends = (0..=self.scan.at.saturating_add(distance)).rev();
        let mut parts = ends.take(4).filter_map(|end| self.scan.text.get(..end));
        if let Some(part) = parts.next() {
            ahead.scan.text = part;
        }
        ahead
    }

    /// Moves to the place of another lexer of the same text.
    pub(super) fn move_to(&mut self, other: &Self) -> Result<(), SyntaxError> {
        self.scan.at = other.before;
        self.after_value = true;
        self.token = Token::Sign(')');
        self.next()
    }

    /// The token after the next one.
    pub(super) fn peek(&self) -> Result<Token<'t>, SyntaxError> {
        let mut ahead = self.clone();
        ahead.next()?;
        Ok(ahead.token)
    }

    /// Moves to the next token.
    pub(super) fn next(&mut self) -> Result<(), SyntaxError> {
        self.after_value = match &self.token {
            Token::Word(word) => !OPERATORS.contains(word),
            Token::Variable(_)
            | Token::Text(_)
            | Token::Template
            | Token::Number(_)
            | Token::Regex => true,
            Token::Sign(sign) => matches!(sign, ')' | ']' | '}'),
            Token::Arrow | Token::Dots | Token::End => false,
        };
        self.before = self.scan.at;
        self.is_first = (self.syntax.skip_space)(&mut self.scan)?;
        self.at = self.scan.at;
        self.token = (self.syntax.read)(&mut self.scan, self.after_value)?;
        Ok(())
    }
}
