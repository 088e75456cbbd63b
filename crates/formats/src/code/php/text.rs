//! The texts of string literals.

use crate::code::lexer::Text;
use crate::code::{NO_UTF8, SUBSTITUTION};
use crate::error::{ReadErrorKind, SyntaxError};
use crate::scan::Scanner;

/// Reads a literal in single quotes. The quote is next.
pub(super) fn single_quoted(scan: &mut Scanner<'_>) -> Result<String, SyntaxError> {
    let start = scan.at;
    scan.at += 1;
    let mut text = String::new();
    loop {
        text.push_str(scan.skip_while(|char| !matches!(char, '\'' | '\\')));
        let Some(next) = scan.peek() else {
            return Err(ReadErrorKind::OpenString.at(start));
        };
        scan.at += 1;
        if next == '\'' {
            return Ok(text);
        }
        match scan.peek() {
            Some(escaped @ ('\'' | '\\')) => {
                scan.at += 1;
                text.push(escaped);
            }
            _ => text.push('\\'),
        }
    }
}

/// Reads a literal in double quotes. The quote is next.
pub(super) fn double_quoted(scan: &mut Scanner<'_>) -> Result<Text, SyntaxError> {
    let start = scan.at;
    scan.at += 1;
    let inner = scan.at;
    loop {
        scan.skip_while(|char| !matches!(char, '"' | '\\'));
        match scan.peek() {
            Some('"') => break,
            Some(_) => {
                scan.at += 1;
                scan.at += scan.peek().map_or(0, char::len_utf8);
            }
            None => return Err(ReadErrorKind::OpenString.at(start)),
        }
    }
    let raw = scan.text.get(inner..scan.at).unwrap_or_default();
    scan.at += 1;
    Ok(cooked(raw, Some('"')))
}

/// Reads a heredoc or nowdoc, whose `<<<` is next.
pub(super) fn document(scan: &mut Scanner<'_>) -> Result<Text, SyntaxError> {
    let start = scan.at;
    scan.at += 3;
    scan.skip_while(|char| matches!(char, ' ' | '\t'));
    let quote = scan.peek().filter(|char| matches!(char, '\'' | '"'));
    scan.at += quote.map_or(0, char::len_utf8);
    let label = scan.skip_while(is_name);
    let closes = quote.is_none_or(|_| scan.peek() == quote);
    scan.at += quote.filter(|_| closes).map_or(0, char::len_utf8);
    let ends_line = scan.skip("\r\n") || scan.skip("\n");
    if label.is_empty() || !closes || !ends_line {
        return Err(scan.unexpected("the name of a heredoc and a line break"));
    }
    let body = scan.at;
    loop {
        let line = scan.at;
        let indentation = scan.skip_while(|char| matches!(char, ' ' | '\t')).len();
        if scan.skip(label) && !scan.peek().is_some_and(is_name) {
            let text = scan.text.get(body..line).unwrap_or_default();
            let text = text.strip_suffix('\n').unwrap_or(text);
            let text = text.strip_suffix('\r').unwrap_or(text);
            let text = unindented(text, indentation);
            return Ok(match quote {
                Some('\'') => Ok(text),
                _ => cooked(&text, None),
            });
        }
        scan.at = line;
        let rest = scan.rest();
        match memchr::memchr(b'\n', rest.as_bytes()) {
            Some(end) => scan.at += end + 1,
            None => {
                return Err(ReadErrorKind::syntax(
                    format!(
                        "expected {label} at the end of the heredoc that begins here, found the end of the file"
                    ),
                    start,
                ));
            }
        }
    }
}

/// Lines without the indentation of the line that ends a heredoc.
fn unindented(text: &str, indentation: usize) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let spaces = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
        line.get(spaces.take(indentation).count()..)
            .unwrap_or_default()
    });
    lines.collect()
}

/// Replaces the escapes of a text, which `quote` surrounds.
fn cooked(raw: &str, quote: Option<char>) -> Text {
    let mut scan = Scanner { text: raw, at: 0 };
    let mut bytes = Vec::with_capacity(raw.len());
    loop {
        bytes.extend_from_slice(
            scan.skip_while(|char| !matches!(char, '\\' | '$' | '{'))
                .as_bytes(),
        );
        let Some(sign) = scan.peek() else {
            return String::from_utf8(bytes).map_err(|_| NO_UTF8);
        };
        scan.at += 1;
        let next = scan.peek();
        match sign {
            '$' if next
                .is_some_and(|next| next == '{' || (is_name(next) && !next.is_ascii_digit())) =>
            {
                return Err(SUBSTITUTION);
            }
            '{' if next == Some('$') => return Err(SUBSTITUTION),
            '\\' => escape(&mut scan, quote, &mut bytes),
            sign => bytes.push(sign as u8),
        }
    }
}

/// Adds the bytes of an escape, whose backslash is skipped. Another one stays.
fn escape(scan: &mut Scanner<'_>, quote: Option<char>, bytes: &mut Vec<u8>) {
    let digits = |scan: &Scanner<'_>, most: usize, is_digit: fn(&u8) -> bool| {
        scan.rest().bytes().take(most).take_while(is_digit).count()
    };
    let Some(kind) = scan.peek() else {
        return bytes.push(b'\\');
    };
    let byte = match kind {
        'n' => b'\n',
        't' => b'\t',
        'r' => b'\r',
        'v' => 0x0B,
        'e' => 0x1B,
        'f' => 0x0C,
        '\\' => b'\\',
        '$' => b'$',
        kind if Some(kind) == quote => kind as u8,
        '0'..='7' => {
            let count = digits(scan, 3, |digit| matches!(digit, b'0'..=b'7'));
            let digits = scan.rest().get(..count).unwrap_or_default();
            scan.at += count;
            // As in PHP, the ninth bit is lost.
            return bytes.push((u32::from_str_radix(digits, 8).unwrap_or_default() & 0xFF) as u8);
        }
        'x' | 'u' => {
            let mut ahead = Scanner {
                at: scan.at + 1,
                ..*scan
            };
            let in_braces = kind == 'u' && ahead.skip("{");
            let most = if in_braces { 8 } else { 2 };
            let count = digits(&ahead, most, u8::is_ascii_hexdigit);
            let digits = ahead.rest().get(..count).unwrap_or_default();
            let value = u32::from_str_radix(digits, 16).ok();
            ahead.at += count;
            let character = value.and_then(char::from_u32);
            match (kind, value, character) {
                ('x', Some(value), _) => bytes.push((value & 0xFF) as u8),
                ('u', _, Some(character)) if in_braces && ahead.skip("}") => {
                    bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => return bytes.push(b'\\'),
            }
            scan.at = ahead.at;
            return;
        }
        _ => return bytes.push(b'\\'),
    };
    scan.at += 1;
    bytes.push(byte);
}

/// Whether a character can be part of a name.
pub(super) fn is_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_' || !char.is_ascii()
}
