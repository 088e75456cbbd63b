//! Tokens of PHP.

use super::text::{Text, document, double_quoted, is_name, single_quoted};
use crate::code::scan::Scanner;
use crate::error::SyntaxError;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'t> {
    /// A name or keyword, also with `\` between its parts.
    Word(&'t str),
    /// A variable, without `$`.
    Variable(&'t str),
    Text(Text),
    Number(Option<f64>),
    /// `=>`.
    Arrow,
    /// `...`.
    Dots,
    /// Another character. The end of the code (`?>`) is a semicolon.
    Sign(char),
    End,
}

/// The tokens of a file, with one of them ahead.
#[derive(Debug)]
pub(super) struct Lexer<'t> {
    scan: Scanner<'t>,
    /// The next token and its offset.
    pub(super) token: Token<'t>,
    pub(super) at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Result<Self, SyntaxError> {
        let scan = Scanner { text, at: 0 };
        let mut lexer = Self {
            scan,
            token: Token::End,
            at: 0,
        };
        lexer.skip_page();
        lexer.next()?;
        Ok(lexer)
    }

    /// Skips text outside of code.
    fn skip_page(&mut self) {
        let rest = self.scan.rest();
        let starts = memchr::memmem::find_iter(rest.as_bytes(), "<?");
        let mut starts = starts.filter_map(|start| {
            let code = rest.get(start + 2..)?;
            let is_long = code
                .get(..3)
                .is_some_and(|name| name.eq_ignore_ascii_case("php"));
            let length = if is_long { 3 } else { 1 };
            (is_long || code.starts_with('=')).then_some(start + 2 + length)
        });
        self.scan.at += starts.next().unwrap_or(rest.len());
    }

    pub(super) fn is_sign(&self, sign: char) -> bool {
        self.token == Token::Sign(sign)
    }

    /// Takes a sign that is next. Returns whether it is.
    pub(super) fn take(&mut self, sign: char) -> Result<bool, SyntaxError> {
        let is_next = self.is_sign(sign);
        if is_next {
            self.next()?;
        }
        Ok(is_next)
    }

    pub(super) fn unexpected(&self, expected: &'static str) -> SyntaxError {
        Scanner {
            at: self.at,
            ..self.scan
        }
        .unexpected(expected)
    }

    /// Moves to the next token.
    pub(super) fn next(&mut self) -> Result<(), SyntaxError> {
        self.skip_space()?;
        self.at = self.scan.at;
        self.token = self.read()?;
        Ok(())
    }

    fn skip_space(&mut self) -> Result<(), SyntaxError> {
        loop {
            self.scan.skip_while(char::is_whitespace);
            let rest = self.scan.rest();
            if rest.starts_with("/*") {
                self.scan.at += 2;
                self.scan.skip_until("*/", "'*/' after the comment")?;
            } else if rest.starts_with("//") || (rest.starts_with('#') && !rest.starts_with("#[")) {
                let start = self.scan.at;
                self.scan.skip_line();
                // The end of the code ends a comment.
                let comment = self.scan.text.get(start..self.scan.at).unwrap_or_default();
                if let Some(length) = comment.find("?>") {
                    self.scan.at = start + length;
                }
            } else {
                return Ok(());
            }
        }
    }

    fn read(&mut self) -> Result<Token<'t>, SyntaxError> {
        let Some(first) = self.scan.peek() else {
            return Ok(Token::End);
        };
        let second = self.scan.byte(1);
        Ok(match first {
            '\'' => Token::Text(Ok(single_quoted(&mut self.scan)?)),
            '"' => Token::Text(double_quoted(&mut self.scan)?),
            '<' if self.scan.rest().starts_with("<<<") => Token::Text(document(&mut self.scan)?),
            '$' if second == b'_' || second.is_ascii_alphabetic() || !second.is_ascii() => {
                self.scan.at += 1;
                Token::Variable(self.scan.skip_while(is_name))
            }
            '0'..='9' => Token::Number(self.scan.number(true)),
            '.' if second.is_ascii_digit() => Token::Number(self.scan.number(true)),
            '.' if self.scan.skip("...") => Token::Dots,
            '=' if self.scan.skip("=>") => Token::Arrow,
            '?' if self.scan.skip("?>") => {
                self.skip_page();
                Token::Sign(';')
            }
            first if is_name(first) || first == '\\' => {
                Token::Word(self.scan.skip_while(|char| is_name(char) || char == '\\'))
            }
            sign => {
                self.scan.at += sign.len_utf8();
                Token::Sign(sign)
            }
        })
    }
}
