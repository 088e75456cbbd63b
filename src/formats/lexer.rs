//! One pass over the bytes of a JSON text. Knows the grammar's tokens and their errors, not what they mean.
//!
//! Works on bytes so that a part of a file can be read before it is known to be UTF-8: beyond ASCII
//! it accepts anything inside strings, and whoever reads must check the bytes it went over.

use super::{Expected, ReadErrorKind, spell};

/// What is wrong, and at which byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) kind: ReadErrorKind,
    pub(super) at: usize,
}

/// Bytes of a file, from and until; files are small enough for 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Span {
    pub(super) from: u32,
    pub(super) until: u32,
}

impl Span {
    pub(super) fn new(from: usize, until: usize) -> Self {
        Self { from: place(from), until: place(until) }
    }

    pub(super) fn of<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(self.from as usize..self.until as usize).unwrap_or_default()
    }
}

/// A place in a file as it is stored; files beyond 32 bits are refused before.
pub(super) fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A string in the text: what is between the quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Quoted {
    pub(super) span: Span,
    /// Whether there are escapes in it.
    pub(super) escaped: bool,
}

/// What kind of value stands at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Kind {
    /// No value at all.
    #[default]
    Missing,
    Null,
    True,
    False,
    Integer,
    Float,
    /// A string whose bytes are its text.
    Plain,
    /// A string with escapes.
    Escaped,
    Object,
    Array,
}

/// A cursor over a JSON text.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    /// The next byte to be read.
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
        self.bytes.get(self.at..).unwrap_or_default()
    }

    pub(super) fn slice(&self, span: Span) -> &'a [u8] {
        span.of(self.bytes)
    }

    /// Goes past white space and gives the byte after it.
    #[inline]
    pub(super) fn token(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                other => return other,
            }
        }
    }

    /// The error that something else than `expected` stands here.
    #[cold]
    pub(super) fn unexpected(&self, expected: Expected) -> Fault {
        let rest = self.rest();
        let wants_value = matches!(expected, Expected::Value | Expected::ValueOrEnd);
        let signless = rest.strip_prefix(b"-").unwrap_or(rest);
        let kind = if rest.starts_with(b"//") || rest.starts_with(b"/*") {
            ReadErrorKind::Comment
        } else if wants_value && (signless.starts_with(b"NaN") || signless.starts_with(b"Infinity")) {
            ReadErrorKind::NotFinite
        } else {
            ReadErrorKind::Unexpected { expected, found: first_char(rest) }
        };
        Fault { kind, at: self.at }
    }

    /// The error after a comma: `close` would end the list.
    #[cold]
    pub(super) fn after_comma(&self, close: u8, expected: Expected) -> Fault {
        if self.peek() == Some(close) {
            Fault { kind: ReadErrorKind::TrailingComma, at: self.at }
        } else {
            self.unexpected(expected)
        }
    }

    fn fault(&self, kind: ReadErrorKind) -> Fault {
        Fault { kind, at: self.at }
    }

    /// Reads the name of a member, whose first quote is here, and the colon; stops before the value.
    #[inline]
    pub(super) fn name(&mut self) -> Result<Quoted, Fault> {
        let name = self.string()?;
        if self.token() != Some(b':') {
            return Err(self.unexpected(Expected::Colon));
        }
        self.at += 1;
        self.token();
        Ok(name)
    }

    /// Reads a string whose first quote is here.
    #[inline]
    pub(super) fn string(&mut self) -> Result<Quoted, Fault> {
        let quote = self.at;
        self.at += 1;
        let from = self.at;
        let mut escaped = false;
        loop {
            self.at += plain_len(self.rest());
            match self.peek() {
                Some(b'"') => {
                    let span = Span::new(from, self.at);
                    self.at += 1;
                    return Ok(Quoted { span, escaped });
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(control) => return Err(self.fault(ReadErrorKind::ControlCharacter(control))),
                None => return Err(Fault { kind: ReadErrorKind::OpenString, at: quote }),
            }
        }
    }

    /// What a string stands for, in `room` if it does not stand in the text as it is.
    pub(super) fn text_of<'b>(&self, string: Quoted, room: &'b mut String) -> &'b [u8]
    where
        'a: 'b,
    {
        let raw = self.slice(string.span);
        if !string.escaped {
            return raw;
        }
        room.clear();
        spell::unescape(&String::from_utf8_lossy(raw), room);
        room.as_bytes()
    }

    /// Goes past one escape; a surrogate pair is one.
    fn escape(&mut self) -> Result<(), Fault> {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let unit = self.unit(self.at).ok_or(self.fault(ReadErrorKind::Escape))?;
                match unit {
                    0xD800..0xDC00 if matches!(self.unit(self.at + 6), Some(0xDC00..0xE000)) => self.at += 12,
                    0xD800..0xE000 => return Err(self.fault(ReadErrorKind::LoneSurrogate(unit))),
                    _ => self.at += 6,
                }
            }
            _ => return Err(self.fault(ReadErrorKind::Escape)),
        }
        Ok(())
    }

    /// The number of the `\uXXXX` at that byte.
    fn unit(&self, at: usize) -> Option<u16> {
        spell::code_unit(self.bytes.get(at..at.checked_add(6)?)?)
    }

    /// Reads a string, number, boolean or null that begins here.
    #[inline]
    pub(super) fn scalar(&mut self, expected: Expected) -> Result<(Kind, Span), Fault> {
        match self.peek() {
            Some(b'"') => {
                let string = self.string()?;
                Ok((if string.escaped { Kind::Escaped } else { Kind::Plain }, string.span))
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true", Kind::True, expected),
            Some(b'f') => self.word(b"false", Kind::False, expected),
            Some(b'n') => self.word(b"null", Kind::Null, expected),
            _ => Err(self.unexpected(expected)),
        }
    }

    fn word(&mut self, word: &[u8], kind: Kind, expected: Expected) -> Result<(Kind, Span), Fault> {
        if !self.rest().starts_with(word) {
            return Err(self.unexpected(expected));
        }
        let from = self.at;
        self.at += word.len();
        Ok((kind, Span::new(from, self.at)))
    }

    fn number(&mut self) -> Result<(Kind, Span), Fault> {
        let from = self.at;
        let mut kind = Kind::Integer;
        if self.peek() == Some(b'-') {
            if self.rest().starts_with(b"-Infinity") || self.rest().starts_with(b"-NaN") {
                return Err(self.fault(ReadErrorKind::NotFinite));
            }
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(Fault { kind: ReadErrorKind::LeadingZero, at: from });
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            kind = Kind::Float;
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            kind = Kind::Float;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let span = Span::new(from, self.at);
        if kind == Kind::Float && spell::float(self.slice(span)).is_none() {
            return Err(Fault { kind: ReadErrorKind::NumberTooLarge, at: from });
        }
        Ok((kind, span))
    }

    fn digits(&mut self) -> Result<(), Fault> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.unexpected(Expected::Digit));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    /// Makes sure that nothing but white space follows.
    pub(super) fn end(&mut self) -> Result<(), Fault> {
        match self.token() {
            None => Ok(()),
            Some(_) => Err(self.unexpected(Expected::EndOfFile)),
        }
    }
}

/// The first character of the bytes; what is not UTF-8 counts as the replacement character.
fn first_char(bytes: &[u8]) -> Option<char> {
    let head = bytes.get(..bytes.len().min(4)).unwrap_or_default();
    String::from_utf8_lossy(head).chars().next()
}

/// How many bytes come before the first quote, backslash or control character.
#[inline]
fn plain_len(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const QUOTES: u64 = ONES * b'"' as u64;
    const BACKSLASHES: u64 = ONES * b'\\' as u64;
    const BLANKS: u64 = ONES * b' ' as u64;
    let (words, tail) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        // Eight bytes at a time: a high bit stays set in each byte that stops the run. A borrow can set
        // bits above the first such byte only, and only the first counts.
        let word = u64::from_le_bytes(*word);
        let quote = (word ^ QUOTES).wrapping_sub(ONES) & !(word ^ QUOTES);
        let backslash = (word ^ BACKSLASHES).wrapping_sub(ONES) & !(word ^ BACKSLASHES);
        let control = word.wrapping_sub(BLANKS) & !word;
        let stops = (quote | backslash | control) & HIGH;
        if stops != 0 {
            return index * 8 + (stops.trailing_zeros() / 8) as usize;
        }
    }
    let stop = tail.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '));
    words.len() * 8 + stop.unwrap_or(tail.len())
}

/// How many bytes both begin with.
#[inline]
pub(super) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    fn blocks<const N: usize>(a: &[u8], b: &[u8]) -> usize {
        let equal = a.as_chunks::<N>().0.iter().zip(b.as_chunks::<N>().0).take_while(|(a, b)| a == b);
        equal.count() * N
    }
    fn rest(bytes: &[u8], from: usize) -> &[u8] {
        bytes.get(from..).unwrap_or_default()
    }
    // Large blocks go through memcmp, smaller ones say where inside the first that differs.
    let mut len = blocks::<512>(a, b);
    len += blocks::<32>(rest(a, len), rest(b, len));
    len + rest(a, len).iter().zip(rest(b, len)).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_plain_text_ends_at_the_first_quote_backslash_or_control_character() {
        let slow = |bytes: &[u8]| bytes.iter().position(|b| matches!(b, b'"' | b'\\' | 0..b' ')).unwrap_or(bytes.len());
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

    #[test]
    fn the_common_prefix_is_exact_at_every_length() {
        let a: Vec<u8> = (0..2000u32).map(|i| (i % 251) as u8).collect();
        for at in [0, 1, 7, 31, 32, 33, 511, 512, 513, 545, 1023, 1024, 1999] {
            let mut b = a.clone();
            b[at] ^= 0x40;
            assert_eq!(common_prefix(&a, &b), at);
            assert_eq!(common_prefix(&a, &a[..at]), at);
            assert_eq!(common_prefix(&b[..at], &a), at);
        }
        assert_eq!(common_prefix(&a, &a), 2000);
    }
}
