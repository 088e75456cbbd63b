//! Lexes JSON in one pass. Knows the syntax, not the meaning of values.
//!
//! The lexer works on bytes and accepts any byte above ASCII inside strings, so that a part of a file can be
//! lexed before it is validated. The caller checks that the bytes are UTF-8.

use super::literal::{code_unit, float, unescape};
use super::token::{ByteSpan, JsonKind, Quoted};
use crate::error::{ReadErrorKind, SyntaxError};
use crate::json_shape::path_hash;

/// The first token of a value, as errors name it.
pub(super) const VALUE: &str = "a JSON value";
/// The first token of an object.
pub(super) const NAME_OR_END: &str = "a name in double quotes or '}'";
/// The token after a member of an object.
pub(super) const COMMA_OR_BRACE: &str = "',' or '}' after the value";

/// The name of a member, or the start of an element, before its value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Member {
    /// Byte offset of its first byte.
    pub(super) start: usize,
    pub(super) name: Quoted,
    /// The hash of its path.
    pub(super) hash: u32,
}

impl Member {
    /// Reads the name, whose first quote is at the cursor, and advances to the value.
    #[inline]
    pub(super) fn read(lexer: &mut Lexer<'_>, outer: u32) -> Result<Self, SyntaxError> {
        let start = lexer.at;
        let name = lexer.name()?;
        let mut buffer = String::new();
        Ok(Self {
            start,
            name,
            hash: path_hash(outer, lexer.text_of(name, &mut buffer)),
        })
    }
}

/// A cursor over a JSON text.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    /// Offset of the next byte.
    pub(super) at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The bytes at the span of a token. Panics for a span of another text, see `JsonText::at`.
    pub(super) fn slice(&self, span: ByteSpan) -> &'a [u8] {
        &self.bytes[span.from as usize..span.until as usize]
    }

    /// Skips whitespace and returns the byte after it.
    #[inline]
    pub(super) fn token(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                other => return other,
            }
        }
    }

    fn error(&self, kind: ReadErrorKind) -> SyntaxError {
        kind.at(self.at)
    }

    /// The error for anything other than `expected` at the cursor.
    #[cold]
    pub(super) fn unexpected(&self, expected: &'static str) -> SyntaxError {
        let rest = self.rest();
        self.error(if rest.starts_with(b"//") || rest.starts_with(b"/*") {
            ReadErrorKind::Comment
        } else {
            ReadErrorKind::Unexpected {
                expected,
                found: first_char(rest),
            }
        })
    }

    /// The error for anything other than a value at the cursor.
    #[cold]
    fn unexpected_value(&self, expected: &'static str) -> SyntaxError {
        let rest = self.rest();
        if rest.starts_with(b"NaN") || rest.starts_with(b"Infinity") {
            return self.error(ReadErrorKind::NotFinite);
        }
        self.unexpected(expected)
    }

    /// Skips the comma before a member, and advances to the name.
    #[inline]
    pub(super) fn comma(&mut self) -> Result<(), SyntaxError> {
        self.at += 1;
        match self.token() {
            Some(b'"') => Ok(()),
            Some(b'}') => Err(self.error(ReadErrorKind::TrailingComma)),
            _ => Err(self.unexpected("a name in double quotes")),
        }
    }

    /// Reads the name of a member, whose first quote is at the cursor, and the colon. Stops before the value.
    #[inline(always)]
    pub(super) fn name(&mut self) -> Result<Quoted, SyntaxError> {
        let name = self.string()?;
        if self.token() != Some(b':') {
            return Err(self.unexpected("':' after the name"));
        }
        self.at += 1;
        self.token();
        Ok(name)
    }

    /// Reads a string whose first quote is at the cursor.
    #[inline]
    pub(super) fn string(&mut self) -> Result<Quoted, SyntaxError> {
        let quote = self.at;
        self.at += 1;
        let from = self.at;
        let mut escaped = false;
        loop {
            self.at += plain_len(self.rest());
            match self.peek() {
                Some(b'"') => {
                    let span = ByteSpan::new(from, self.at);
                    self.at += 1;
                    return Ok(Quoted { span, escaped });
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(control) => return Err(self.error(ReadErrorKind::ControlCharacter(control))),
                None => {
                    return Err(ReadErrorKind::OpenString.at(quote));
                }
            }
        }
    }

    /// The decoded string; in `buffer` if it has escapes.
    pub(super) fn text_of<'b>(&self, string: Quoted, buffer: &'b mut String) -> &'b [u8]
    where
        'a: 'b,
    {
        let raw = self.slice(string.span);
        if !string.escaped {
            return raw;
        }
        buffer.clear();
        unescape(&String::from_utf8_lossy(raw), buffer);
        buffer.as_bytes()
    }

    /// Skips one escape. A surrogate pair is one escape.
    fn escape(&mut self) -> Result<(), SyntaxError> {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let unit = self
                    .unit(self.at)
                    .ok_or(self.error(ReadErrorKind::Escape))?;
                match unit {
                    0xD800..0xDC00 if matches!(self.unit(self.at + 6), Some(0xDC00..0xE000)) => {
                        self.at += 12
                    }
                    0xD800..0xE000 => return Err(self.error(ReadErrorKind::LoneSurrogate(unit))),
                    _ => self.at += 6,
                }
            }
            _ => return Err(self.error(ReadErrorKind::Escape)),
        }
        Ok(())
    }

    /// The code unit of the `\uXXXX` at that offset.
    fn unit(&self, at: usize) -> Option<u16> {
        code_unit(self.bytes.get(at..at.checked_add(6)?)?)
    }

    /// Reads a string, number, boolean or null.
    #[inline(always)]
    pub(super) fn scalar(
        &mut self,
        expected: &'static str,
    ) -> Result<(JsonKind, ByteSpan), SyntaxError> {
        match self.peek() {
            Some(b'"') => {
                let string = self.string()?;
                Ok((
                    if string.escaped {
                        JsonKind::Escaped
                    } else {
                        JsonKind::Plain
                    },
                    string.span,
                ))
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true", JsonKind::True, expected),
            Some(b'f') => self.word(b"false", JsonKind::False, expected),
            Some(b'n') => self.word(b"null", JsonKind::Null, expected),
            _ => Err(self.unexpected_value(expected)),
        }
    }

    fn word(
        &mut self,
        word: &[u8],
        kind: JsonKind,
        expected: &'static str,
    ) -> Result<(JsonKind, ByteSpan), SyntaxError> {
        if !self.rest().starts_with(word) {
            return Err(self.unexpected(expected));
        }
        let from = self.at;
        self.at += word.len();
        Ok((kind, ByteSpan::new(from, self.at)))
    }

    fn number(&mut self) -> Result<(JsonKind, ByteSpan), SyntaxError> {
        let from = self.at;
        let mut kind = JsonKind::Integer;
        if self.peek() == Some(b'-') {
            if self.rest().starts_with(b"-Infinity") || self.rest().starts_with(b"-NaN") {
                return Err(self.error(ReadErrorKind::NotFinite));
            }
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(ReadErrorKind::LeadingZero.at(from));
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            kind = JsonKind::Float;
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            kind = JsonKind::Float;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let span = ByteSpan::new(from, self.at);
        if kind == JsonKind::Float && float(self.slice(span)).is_none() {
            return Err(ReadErrorKind::NumberTooLarge.at(from));
        }
        Ok((kind, span))
    }

    fn digits(&mut self) -> Result<(), SyntaxError> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.unexpected("a digit"));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    /// Checks that only whitespace follows.
    pub(super) fn end(&mut self) -> Result<(), SyntaxError> {
        match self.token() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("nothing more after the value")),
        }
    }
}

/// The first character; invalid UTF-8 becomes the replacement character.
fn first_char(bytes: &[u8]) -> Option<char> {
    let head = &bytes[..bytes.len().min(4)];
    String::from_utf8_lossy(head).chars().next()
}

/// Number of bytes before the first quote, backslash or control character.
#[inline]
fn plain_len(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const QUOTES: u64 = ONES * b'"' as u64;
    const BACKSLASHES: u64 = ONES * b'\\' as u64;
    const SPACES: u64 = ONES * b' ' as u64;
    let (words, tail) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        // Tests eight bytes at a time: the high bit stays set in each byte that ends the run. A borrow can
        // only set bits above the first such byte, and only the first one matters.
        let word = u64::from_le_bytes(*word);
        let quote = (word ^ QUOTES).wrapping_sub(ONES) & !(word ^ QUOTES);
        let backslash = (word ^ BACKSLASHES).wrapping_sub(ONES) & !(word ^ BACKSLASHES);
        let control = word.wrapping_sub(SPACES) & !word;
        let stops = (quote | backslash | control) & HIGH;
        if stops != 0 {
            return index * 8 + (stops.trailing_zeros() / 8) as usize;
        }
    }
    let stop = tail
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '));
    words.len() * 8 + stop.unwrap_or(tail.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_plain_text_ends_at_the_first_quote_backslash_or_control_character() {
        let slow = |bytes: &[u8]| {
            bytes
                .iter()
                .position(|b| matches!(b, b'"' | b'\\' | 0..b' '))
                .unwrap_or(bytes.len())
        };
        for byte in 0..=255u8 {
            for before in 0..20 {
                for filler in [b'a', b' ', b'!', b'#', 0x7F, 0x80, 0xA2, 0xDC, 0xFF] {
                    let mut bytes = vec![filler; before];
                    bytes.extend([byte, b'x', b'"', b'y', b'z', b'\\', 0, 1, 2, 3]);
                    assert_eq!(plain_len(&bytes), slow(&bytes), "{bytes:?}");
                }
            }
        }
    }
}
