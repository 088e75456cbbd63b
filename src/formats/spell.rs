//! How values are spelled: escapes of JSON, numbers and printed forms of Python (`units.md` 2 and 3).

use std::borrow::Cow;
use std::fmt::Write as _;

use super::lexer::{Kind, Quoted, Span};

/// The number of one `\uXXXX`, given its six bytes.
pub(super) fn code_unit(escape: &[u8]) -> Option<u16> {
    let digits = escape.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0u16, |value, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(value << 4 | u16::try_from(digit).ok()?)
    })
}

/// Adds the text of a string that the lexer went over, given what is between the quotes.
pub(super) fn unescape(mut raw: &str, out: &mut String) {
    while let Some(backslash) = memchr::memchr(b'\\', raw.as_bytes()) {
        let (plain, escape) = raw.split_at(backslash);
        out.push_str(plain);
        let (character, len) = escaped_char(escape.as_bytes());
        out.push(character);
        raw = escape.get(len..).unwrap_or_default();
    }
    out.push_str(raw);
}

/// The character that an escape stands for, and its length in bytes.
fn escaped_char(escape: &[u8]) -> (char, usize) {
    let simple = match escape.get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{C}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => {
            let unit = |from: usize| escape.get(from..from + 6).and_then(code_unit);
            let pair = [unit(0), unit(6)];
            let first = pair[0].unwrap_or_default();
            return match char::from_u32(u32::from(first)) {
                Some(character) => (character, 6),
                None => {
                    let decoded = char::decode_utf16(pair.into_iter().flatten()).next();
                    (decoded.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
                }
            };
        }
        Some(&byte) => char::from(byte),
        None => char::REPLACEMENT_CHARACTER,
    };
    (simple, 2)
}

/// The value of a number with fraction or exponent; `None` if it is beyond any float.
pub(super) fn float(digits: &[u8]) -> Option<f64> {
    let value: f64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// Adds a float as Python's `repr` prints it: the shortest digits that give it again, with an exponent
/// of at least two digits below 1e-4 and from 1e16 on.
pub(super) fn python_float(value: f64, out: &mut String) {
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        out.push_str(&plain);
        if !plain.contains('.') {
            out.push_str(".0");
        }
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        // Writing to a string cannot fail.
        let _ = write!(out, "{mantissa}e{sign}{:02}", exponent.unsigned_abs());
    }
}

/// Text of a file, or of a part of it, by the places that the lexer gave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    text: &'a str,
    /// The place of the text's first byte in the file.
    from: usize,
}

impl<'a> Text<'a> {
    pub(super) fn new(text: &'a str, from: usize) -> Self {
        Self { text, from }
    }

    /// The text at that span.
    #[inline]
    pub(super) fn at(&self, span: Span) -> &'a str {
        let from = (span.from as usize).wrapping_sub(self.from);
        let until = (span.until as usize).wrapping_sub(self.from);
        self.text.get(from..until).unwrap_or_default()
    }

    /// Adds what a string stands for.
    #[inline]
    pub(super) fn add_name(&self, name: Quoted, out: &mut String) {
        let raw = self.at(name.span);
        if name.escaped { unescape(raw, out) } else { out.push_str(raw) }
    }

    /// What a string stands for, in `room` if it does not stand in the file as it is.
    #[inline]
    pub(super) fn quoted<'b>(&self, name: Quoted, room: &'b mut String) -> &'b str
    where
        'a: 'b,
    {
        if !name.escaped {
            return self.at(name.span);
        }
        room.clear();
        unescape(self.at(name.span), room);
        room
    }

    /// What a string stands for.
    pub(super) fn name(&self, name: Quoted) -> Cow<'a, str> {
        if !name.escaped {
            return Cow::Borrowed(self.at(name.span));
        }
        let mut out = String::new();
        unescape(self.at(name.span), &mut out);
        Cow::Owned(out)
    }

    /// The text of a leaf and whether it is true in Python's terms (`units.md` 4, "State").
    /// `room` is used where the text does not stand in the file as it is.
    #[inline]
    pub(super) fn leaf<'b>(&self, kind: Kind, span: Span, room: &'b mut String) -> (&'b str, bool)
    where
        'a: 'b,
    {
        match kind {
            Kind::Missing | Kind::Null => ("", false),
            Kind::True => ("True", true),
            Kind::False => ("False", false),
            Kind::Plain => {
                let text = self.at(span);
                (text, !text.is_empty())
            }
            Kind::Escaped => (self.quoted(Quoted { span, escaped: true }, room), true),
            Kind::Integer => match self.at(span) {
                "0" | "-0" => ("0", false),
                digits => (digits, true),
            },
            Kind::Float => {
                let value = float(self.at(span).as_bytes()).unwrap_or_default();
                room.clear();
                python_float(value, room);
                (room, value != 0.0)
            }
            Kind::Object | Kind::Array => {
                room.clear();
                let printed = printed(self.at(span), room);
                (room, printed)
            }
        }
    }
}

/// Adds an array or object much as Python prints it; returns whether anything is in it.
fn printed(raw: &str, out: &mut String) -> bool {
    let mut rest = raw;
    while let Some(first) = rest.bytes().next() {
        let len = match first {
            b'"' => {
                let len = string_len(rest);
                let mut text = String::new();
                unescape(rest.get(1..len - 1).unwrap_or_default(), &mut text);
                quoted(&text, out);
                len
            }
            b',' => {
                out.push_str(", ");
                1
            }
            b':' => {
                out.push_str(": ");
                1
            }
            b'{' | b'}' | b'[' | b']' => {
                out.push(char::from(first));
                1
            }
            b' ' | b'\n' | b'\r' | b'\t' => 1,
            _ => {
                let len = rest.find([',', ' ', '\n', '\r', '\t', ']', '}']).unwrap_or(rest.len());
                let word = rest.get(..len).unwrap_or_default();
                match word {
                    "true" => out.push_str("True"),
                    "false" => out.push_str("False"),
                    "null" => out.push_str("None"),
                    "-0" => out.push('0'),
                    digits if digits.contains(['.', 'e', 'E']) => {
                        python_float(float(digits.as_bytes()).unwrap_or_default(), out);
                    }
                    digits => out.push_str(digits),
                }
                len
            }
        };
        rest = rest.get(len..).unwrap_or_default();
    }
    out.len() > 2
}

/// The length of the string that the text begins with, with its quotes; at least 2.
fn string_len(text: &str) -> usize {
    let mut at = 1;
    for stop in memchr::memchr2_iter(b'"', b'\\', text.as_bytes()) {
        if stop < at {
            // The character after a backslash.
            continue;
        }
        match text.as_bytes().get(stop) {
            Some(b'\\') => at = stop + 2,
            _ => return (stop + 1).max(2),
        }
    }
    text.len().max(2)
}

/// Adds a string in Python's quotes.
fn quoted(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_spelled_as_python_prints_them() {
        for (json, python) in [
            ("1.0", "1.0"),
            ("1e5", "100000.0"),
            ("1e15", "1000000000000000.0"),
            ("1e16", "1e+16"),
            ("1.5e16", "1.5e+16"),
            ("9999999999999998.0", "9999999999999998.0"),
            ("123456789012345680.0", "1.2345678901234568e+17"),
            ("1e-4", "0.0001"),
            ("1e-5", "1e-05"),
            ("1e-7", "1e-07"),
            ("1.25e-10", "1.25e-10"),
            ("1e300", "1e+300"),
            ("5e-324", "5e-324"),
            ("1e-400", "0.0"),
            ("-0.0", "-0.0"),
            ("-1.50", "-1.5"),
            ("0.1", "0.1"),
            ("3.141592653589793", "3.141592653589793"),
        ] {
            let mut out = String::new();
            python_float(float(json.as_bytes()).unwrap(), &mut out);
            assert_eq!(out, python, "{json}");
        }
        assert_eq!(float(b"1E400"), None);
    }

    #[test]
    fn escapes_become_their_characters() {
        let mut out = String::new();
        unescape(r#"a\"\\\/\b\f\n\r\tA\u00e9\uD83D\uDE00z\u0000"#, &mut out);
        assert_eq!(out, "a\"\\/\u{8}\u{C}\n\r\tAé😀z\0");
    }

    #[test]
    fn lists_and_objects_print_much_as_in_python() {
        for (json, python, truth) in [
            ("[]", "[]", false),
            ("{ }", "{}", false),
            (r#"[1, -0, 1e5,true , null,"it's", "a\"\\"]"#, r#"[1, 0, 100000.0, True, None, "it's", 'a"\\']"#, true),
            (r#"{"a":{"b" : [false]}}"#, "{'a': {'b': [False]}}", true),
            (r#"["\\","x"]"#, r"['\\', 'x']", true),
        ] {
            let mut out = String::new();
            assert_eq!(printed(json, &mut out), truth, "{json}");
            assert_eq!(out, python);
        }
    }
}
