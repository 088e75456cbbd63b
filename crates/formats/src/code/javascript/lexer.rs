//! Tokens of JavaScript and TypeScript.

use super::text::{Cooked, string, template_part};
use crate::code::scan::Scanner;
use crate::error::SyntaxError;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'t> {
    /// A name or keyword.
    Word(&'t str),
    /// A string, or a template without substitutions; `None` if it is no data.
    Text(Option<String>),
    /// A template with substitutions.
    Template,
    /// A number; `None` for one with the suffix `n` and other unusual ones.
    Number(Option<f64>),
    Regex,
    /// `=>`.
    Arrow,
    /// `...`.
    Dots,
    /// Another character.
    Sign(char),
    End,
}

/// The tokens of a file, with one of them ahead.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    scan: Scanner<'t>,
    /// The next token, its offset, and whether it is the first one of its line.
    pub(super) token: Token<'t>,
    pub(super) at: usize,
    pub(super) is_first: bool,
    /// Whether the token before is the end of a value, so that `/` divides.
    after_value: bool,
    /// The end of the token before.
    pub(super) before: usize,
}

/// Words after which a value follows.
const OPERATORS: [&str; 12] = [
    "return", "typeof", "case", "in", "of", "do", "else", "void", "delete", "new", "throw",
    "default",
];

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Result<Self, SyntaxError> {
        let mut scan = Scanner { text, at: 0 };
        if scan.rest().starts_with("#!") {
            scan.skip_line();
        }
        let mut lexer = Self {
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
            Token::Text(_) | Token::Template | Token::Number(_) | Token::Regex => true,
            Token::Sign(sign) => matches!(sign, ')' | ']' | '}'),
            Token::Arrow | Token::Dots | Token::End => false,
        };
        self.before = self.scan.at;
        self.is_first = self.skip_space()?;
        self.at = self.scan.at;
        self.token = self.read()?;
        Ok(())
    }

    /// Skips spaces and comments. Returns whether a line ends.
    fn skip_space(&mut self) -> Result<bool, SyntaxError> {
        let mut is_first = self.scan.at == 0;
        loop {
            let space = self
                .scan
                .skip_while(|char| char.is_whitespace() || char == '\u{FEFF}');
            is_first |= space.contains(['\n', '\r', '\u{2028}', '\u{2029}']);
            let start = self.scan.at;
            if self.scan.rest().starts_with("//") {
                self.scan.skip_line();
            } else if self.scan.rest().starts_with("/*") {
                self.scan.at += 2;
                self.scan.skip_until("*/", "'*/' after the comment")?;
                let comment = self.scan.text.get(start..self.scan.at);
                is_first |= comment.is_some_and(|comment| comment.contains('\n'));
            } else {
                return Ok(is_first);
            }
        }
    }

    fn read(&mut self) -> Result<Token<'t>, SyntaxError> {
        let Some(first) = self.scan.peek() else {
            return Ok(Token::End);
        };
        Ok(match first {
            '"' | '\'' => {
                self.scan.at += 1;
                let cooked = string(&mut self.scan, first)?;
                Token::Text(cooked.is_whole.then_some(cooked.text))
            }
            '`' => self.template()?,
            '0'..='9' => Token::Number(self.scan.number(false)),
            '.' if self.scan.byte(1).is_ascii_digit() => Token::Number(self.scan.number(false)),
            '.' if self.scan.skip("...") => Token::Dots,
            '=' if self.scan.skip("=>") => Token::Arrow,
            '/' if !self.after_value => self.regex()?,
            first if is_word(first) => Token::Word(self.scan.skip_while(is_word)),
            sign => {
                self.scan.at += sign.len_utf8();
                Token::Sign(sign)
            }
        })
    }

    fn regex(&mut self) -> Result<Token<'t>, SyntaxError> {
        self.scan.at += 1;
        let mut in_class = false;
        loop {
            self.scan
                .skip_while(|char| !matches!(char, '/' | '\\' | '[' | ']' | '\n'));
            match self.scan.peek() {
                Some('\\') => {
                    self.scan.at += 1;
                    self.scan.at += self.scan.peek().map_or(0, char::len_utf8);
                }
                Some('/') if !in_class => break,
                Some(bracket @ ('/' | '[' | ']')) => {
                    in_class = (in_class || bracket == '[') && bracket != ']';
                    self.scan.at += 1;
                }
                _ => return Err(self.scan.unexpected("'/' after the regular expression")),
            }
        }
        self.scan.at += 1;
        self.scan.skip_while(is_word);
        Ok(Token::Regex)
    }

    /// Reads a template. The code of substitutions is skipped, with the templates inside it.
    fn template(&mut self) -> Result<Token<'t>, SyntaxError> {
        self.scan.at += 1;
        let mut cooked = Cooked {
            is_whole: true,
            ..Cooked::default()
        };
        if template_part(&mut self.scan, &mut cooked)? {
            return Ok(Token::Text(cooked.is_whole.then_some(cooked.text)));
        }
        // Each element is an open substitution, with the number of its open braces.
        let mut open = vec![0_usize];
        let mut ignored = Cooked::default();
        while let Some(braces) = open.last_mut() {
            ignored.text.clear();
            self.skip_space()?;
            let is_end = match self.scan.peek() {
                Some('`') => {
                    self.scan.at += 1;
                    if !template_part(&mut self.scan, &mut ignored)? {
                        open.push(0);
                    }
                    continue;
                }
                Some('}') if *braces == 0 => {
                    self.scan.at += 1;
                    template_part(&mut self.scan, &mut ignored)?
                }
                Some(sign @ ('{' | '}')) => {
                    *braces = if sign == '{' {
                        *braces + 1
                    } else {
                        *braces - 1
                    };
                    self.scan.at += 1;
                    continue;
                }
                Some(quote @ ('"' | '\'')) => {
                    self.scan.at += 1;
                    string(&mut self.scan, quote)?;
                    continue;
                }
                Some(other) => {
                    self.scan.at += other.len_utf8();
                    continue;
                }
                None => return Err(self.scan.unexpected("'}' after the substitution")),
            };
            if is_end {
                open.pop();
            }
        }
        Ok(Token::Template)
    }
}

/// Whether a character can be part of a name.
fn is_word(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$' | '#' | '\\' | '\u{200C}' | '\u{200D}')
}
