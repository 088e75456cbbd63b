//! The formats `properties` and `properties-utf8`: Java properties (`docs/spec/formats.md#properties`).

use std::borrow::Cow;

use super::entry::{RawEntry, add_line};
use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::fault::{FaultList, Names};

pub(super) fn parse(text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    let mut value = String::new();
    each_property(text, |property| {
        value.clear();
        unescape(property.raw, &mut value);
        list.push(RawEntry {
            note: property.note,
            ..RawEntry::new(property.key, &value, property.offset)
        });
    });
    Ok(())
}

/// Adds the keys that occur twice, and the escapes that Java rejects or changes.
pub(super) fn faults(text: &str, list: &mut FaultList) {
    let mut names = Names::default();
    let (mut name, mut value) = (String::new(), String::new());
    each_property(text, |property| {
        name.clear();
        unescape(property.key, &mut name);
        value.clear();
        unescape(property.raw, &mut value);
        let again = names.add(name.clone(), property.offset, value.clone());
        list.push(property.key, property.offset, again);
        for escape in escapes(property.raw) {
            if let Some(problem) = faulty(escape) {
                list.escape(property.key, property.offset, spelled(escape), problem);
            }
        }
    });
}

/// A key and its value, each as the file spells it.
struct Property<'t> {
    offset: usize,
    key: &'t str,
    raw: &'t str,
    note: &'t str,
}

/// Calls `each` with every property that has a key.
fn each_property(text: &str, mut each: impl FnMut(Property<'_>)) {
    let mut lines = Lines { text, at: 0 };
    let mut note = String::new();
    let mut in_block = false;
    let mut joined = String::new();
    while let Some((offset, line)) = lines.next() {
        let trimmed = line.trim_start_matches([' ', '\t', '\x0C']);
        if in_block || is_comment(trimmed) {
            add_line(&mut note, line);
            in_block = (in_block || trimmed.starts_with("/*")) && !trimmed.contains("*/");
            continue;
        }
        if trimmed.trim_end().is_empty() {
            note.clear();
            continue;
        }
        let mut logical = Cow::Borrowed(trimmed);
        if continues(trimmed) {
            joined.clear();
            joined.push_str(trimmed);
            loop {
                joined.pop();
                let Some((_, next)) = lines.next() else { break };
                let next = next.trim_start_matches([' ', '\t', '\x0C']);
                joined.push_str(next);
                // The number of backslashes before this line is even.
                if !continues(next) {
                    break;
                }
            }
            logical = Cow::Borrowed(&joined);
        }
        let (key, raw) = split(&logical);
        if !key.is_empty() {
            each(Property {
                offset,
                key,
                raw,
                note: &note,
            });
        }
        note.clear();
    }
}

/// What Java does with a faulty escape, which begins with its backslash.
fn faulty(escape: &str) -> Option<&'static str> {
    match escape.chars().nth(1)? {
        'u' if spelled(escape).len() < 6 => Some(
            "is not complete, and Java does not load the file: write four hexadecimal digits after \\u",
        ),
        'n' | 't' | 'r' | 'f' | 'u' => None,
        letter if letter.is_ascii_alphanumeric() => {
            Some("is no escape, and Java drops the backslash: write \\\\ or remove it")
        }
        _ => None,
    }
}

/// The escapes of a text: the rest of the text from each backslash that begins one.
pub(super) fn escapes(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let escape = rest.get(memchr::memchr(b'\\', rest.as_bytes())?..)?;
        let length = escape.chars().take(2).map(char::len_utf8).sum();
        rest = escape.get(length..)?;
        Some(escape)
    })
}

/// An escape as the text spells it: a backslash and a character, and up to four hexadecimal digits after `u`.
pub(super) fn spelled(escape: &str) -> &str {
    let length: usize = escape.chars().take(2).map(char::len_utf8).sum();
    let digits = match escape.as_bytes().get(1) {
        Some(b'u' | b'U') => digits(&escape[length..]),
        _ => 0,
    };
    escape.get(..length + digits).unwrap_or(escape)
}

/// The number of hexadecimal digits at the start of a text, at most four.
fn digits(text: &str) -> usize {
    let digits = text.bytes().take(4);
    digits.take_while(u8::is_ascii_hexdigit).count()
}

/// The lines of a text with their offsets, without line ends.
struct Lines<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Lines<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        let line = &rest[..end];
        self.at = start + end + 1 + usize::from(rest[end..].starts_with("\r\n"));
        Some((start, line))
    }
}

fn is_comment(line: &str) -> bool {
    line.starts_with(['#', '!', ';']) || line.starts_with("//") || line.starts_with("/*")
}

/// Whether the line ends with an odd number of backslashes.
fn continues(line: &str) -> bool {
    line.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
}

/// Splits a line into key and value. The key keeps its escapes.
fn split(line: &str) -> (&str, &str) {
    let mut escaped = false;
    let end = line.bytes().position(|byte| {
        let ends = !escaped && matches!(byte, b'=' | b':' | b' ' | b'\t' | b'\x0C');
        escaped = !escaped && byte == b'\\';
        ends
    });
    let (key, rest) = line.split_at(end.unwrap_or(line.len()));
    let rest = rest.trim_start_matches([' ', '\t', '\x0C']);
    let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest);
    (key, rest.trim_start_matches([' ', '\t', '\x0C']))
}

fn unescape(mut raw: &str, out: &mut String) {
    while let Some(at) = memchr::memchr(b'\\', raw.as_bytes()) {
        let (plain, escape) = raw.split_at(at);
        out.push_str(plain);
        let mut characters = escape.chars();
        characters.next();
        let Some(kind) = characters.next() else {
            return;
        };
        raw = characters.as_str();
        match kind {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'f' => out.push('\x0C'),
            'u' => raw = unicode_escape(raw, &["\\u"], out),
            other => out.push(other),
        }
    }
    out.push_str(raw);
}

/// Appends the character of an escape, given the text after `\u`. Returns the rest. Fewer than four digits are
/// accepted, even none. Control characters without an escape of their own stay escapes. `escapes` are the starts of
/// the escape of a low surrogate.
pub(super) fn unicode_escape<'t>(text: &'t str, escapes: &[&str], out: &mut String) -> &'t str {
    let unit = |text: &'t str| {
        let (digits, rest) = text.split_at(digits(text));
        (u32::from_str_radix(digits, 16).ok(), rest)
    };
    let (first, rest) = unit(text);
    // Without digits, it is the character 0.
    let first = first.unwrap_or_default();
    if let 0xD800..0xDC00 = first
        && let Some(second) = escapes.iter().find_map(|escape| rest.strip_prefix(escape))
        && let (Some(low @ 0xDC00..0xE000), rest) = unit(second)
    {
        let character = char::from_u32(0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00));
        out.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        return rest;
    }
    match char::from_u32(first) {
        Some(character @ ('\n' | '\t' | '\r' | '\x0C' | ' '..)) => out.push(character),
        Some(control) => out.push_str(&format!("\\u{:04x}", u32::from(control))),
        None => out.push(char::REPLACEMENT_CHARACTER),
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::parsed;

    #[test]
    fn values_are_decoded_and_keys_are_not() {
        let text = "a\\ b = one \\\n   two\\u0021\\n\\q\n! note\nc:\\u12\n\n# gone\n\nd\te\n; note\n  # two\nf=\\uz\n";
        let expected = [
            ("a\\ b", "one two!\nq", ""),
            ("c", "\\u0012", "! note"),
            ("d", "e", ""),
            ("f", "\\u0000z", "; note\n  # two"),
        ];
        assert_eq!(
            parsed(parse, text),
            expected.map(|(key, text, note)| (key.to_owned(), text.to_owned(), note.to_owned()))
        );
    }
}
