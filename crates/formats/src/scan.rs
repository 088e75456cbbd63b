//! A position in a text.

use crate::error::{ReadErrorKind, SyntaxError};

/// A text with a position, which is always between two characters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The byte at a distance from here; 0 beyond the end.
    pub(super) fn byte(&self, distance: usize) -> u8 {
        let byte = self.rest().as_bytes().get(distance);
        byte.copied().unwrap_or_default()
    }

    /// Reads a number; `None` for an unusual one. `old_octal`: as of [`number`].
    pub(super) fn number(&mut self, old_octal: bool) -> Option<f64> {
        let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_';
        let rest = self.rest();
        let is_radix = matches!(self.byte(1), b'x' | b'X' | b'o' | b'O' | b'b' | b'B');
        let mut last = self.skip_while(is_part);
        // A second dot is an operator: `1 . 'a'` joins texts in PHP.
        if !is_radix && self.skip(".") {
            last = self.skip_while(is_part);
        }
        if !is_radix && last.ends_with(['e', 'E']) && matches!(self.peek(), Some('+' | '-')) {
            self.at += 1;
            self.skip_while(|char| char.is_ascii_digit());
        }
        number(&rest[..rest.len() - self.rest().len()], old_octal)
    }

    /// Skips a text that follows. Returns whether it does.
    pub(super) fn skip(&mut self, text: &str) -> bool {
        let follows = self.rest().starts_with(text);
        if follows {
            self.at += text.len();
        }
        follows
    }

    /// Skips characters. Returns them.
    pub(super) fn skip_while(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Skips what begins here and ends with a text.
    ///
    /// # Errors
    /// If the end is missing.
    pub(super) fn skip_until(
        &mut self,
        end: &str,
        expected: &'static str,
    ) -> Result<(), SyntaxError> {
        match memchr::memmem::find(self.rest().as_bytes(), end.as_bytes()) {
            Some(length) => {
                self.at += length + end.len();
                Ok(())
            }
            None => Err(ReadErrorKind::Unexpected {
                expected,
                found: None,
            }
            .at(self.at)),
        }
    }

    /// Skips the rest of a line.
    pub(super) fn skip_line(&mut self) {
        let rest = self.rest().as_bytes();
        self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    }

    pub(super) fn unexpected(&self, expected: &'static str) -> SyntaxError {
        ReadErrorKind::Unexpected {
            expected,
            found: self.peek(),
        }
        .at(self.at)
    }
}

/// A number as JavaScript and PHP write it: decimal, or with the prefix `0x`, `0o` or `0b`, with `_` between digits.
/// `old_octal`: whether a `0` before other digits means octal.
fn number(text: &str, old_octal: bool) -> Option<f64> {
    let digits = text.replace('_', "");
    let lower = digits.to_ascii_lowercase();
    let radix = |digits: &str, radix: u32| {
        let each = digits.chars().map(|digit| digit.to_digit(radix));
        let value = each.into_iter().try_fold(0.0, |value, digit| {
            Some(value * f64::from(radix) + f64::from(digit?))
        });
        value.filter(|_| !digits.is_empty())
    };
    for (prefix, base) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = lower.strip_prefix(prefix) {
            return radix(digits, base);
        }
    }
    if let Some(octal) = lower.strip_prefix('0').filter(|_| old_octal)
        && !octal.is_empty()
        && octal.bytes().all(|digit| digit.is_ascii_digit())
    {
        return radix(octal, 8);
    }
    lower.parse().ok()
}
