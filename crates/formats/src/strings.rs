//! The format `strings-utf8`: Apple strings files (`docs/spec/formats.md#strings-utf8`).

use super::entry::{RawEntry, add_line};
use super::entry_list::EntryList;
use super::error::{ReadErrorKind, SyntaxError};
use super::fault::{FaultList, Names};
use super::properties::{escapes, spelled, unicode_escape};
use super::scan::Scanner;
use super::stringsdict;

/// The note that Xcode writes for a text without one.
const NO_COMMENT: &str = "/* No comment provided by engineer. */";

pub(super) fn parse(text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    if is_xml(text) {
        return stringsdict::parse_texts(text, list);
    }
    each_pair(text, |pair| {
        list.push(RawEntry {
            note: pair.note,
            ..RawEntry::new(pair.key, pair.value, pair.offset)
        });
    })
}

/// Adds the keys that occur twice, and the escapes that change a text.
pub(super) fn faults(text: &str, list: &mut FaultList) -> Result<(), SyntaxError> {
    if is_xml(text) {
        return stringsdict::faults(text, list);
    }
    let mut names = Names::default();
    each_pair(text, |pair| {
        let again = names.add(pair.key.to_owned(), pair.offset, pair.value.to_owned());
        list.push(pair.key, pair.offset, again);
        for escape in escapes(pair.raw) {
            if let Some(problem) = faulty(escape) {
                list.escape(pair.key, pair.offset, spelled(escape), problem);
            }
        }
    })
}

/// Whether a file is a property list in XML, which programs read as well.
fn is_xml(text: &str) -> bool {
    text.trim_start().starts_with('<')
}

/// What a faulty escape becomes. The escape begins with its backslash.
fn faulty(escape: &str) -> Option<&'static str> {
    match escape.chars().nth(1)? {
        'u' | 'U' if spelled(escape).len() < 6 => {
            Some("is not complete: write four hexadecimal digits after \\U")
        }
        'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | 'u' | 'U' | '0'..='7' => None,
        letter if letter.is_ascii_alphanumeric() => {
            Some("is no escape, and the backslash is dropped: write \\\\ or remove it")
        }
        _ => None,
    }
}

/// A key and a value.
struct Pair<'t> {
    offset: usize,
    key: &'t str,
    value: &'t str,
    /// The value as the file spells it.
    raw: &'t str,
    note: &'t str,
}

/// Calls `each` with every pair that has a key.
fn each_pair(text: &str, mut each: impl FnMut(Pair<'_>)) -> Result<(), SyntaxError> {
    let mut scan = Scanner { text, at: 0 };
    let (mut key, mut value) = (String::new(), String::new());
    loop {
        let note = notes(&mut scan)?;
        let start = scan.at;
        if scan.peek().is_none() {
            return Ok(());
        }
        key.clear();
        value.clear();
        token(&mut scan, "a key", key_escape, &mut key)?;
        expect(&mut scan, "=", "'=' after the key")?;
        notes(&mut scan)?;
        let value_start = scan.at;
        token(&mut scan, "a value", value_escape, &mut value)?;
        let raw = &text[value_start..scan.at];
        // Text that seems to follow a value of several lines is a value whose quotation mark at the end is missing.
        expect(&mut scan, ";", "';' after the value").map_err(|error| {
            if raw.contains('\n') {
                ReadErrorKind::OpenString.at(value_start)
            } else {
                error
            }
        })?;
        if !key.is_empty() {
            each(Pair {
                offset: start,
                key: &key,
                value: &value,
                raw,
                note: &note,
            });
        }
    }
}

/// Appends the text of an escape, given the text after the backslash. Returns the rest.
type Unescape = for<'t> fn(&'t str, &mut String) -> &'t str;

/// Skips whitespace and comments, and a text that must follow.
fn expect(scan: &mut Scanner<'_>, text: &str, expected: &'static str) -> Result<(), SyntaxError> {
    notes(scan)?;
    if scan.skip(text) {
        Ok(())
    } else {
        Err(scan.unexpected(expected))
    }
}

/// Skips whitespace and comments. Returns the comments since the last blank line, with their markers. A comment on
/// the line of the entry before it is no note.
fn notes(scan: &mut Scanner<'_>) -> Result<String, SyntaxError> {
    let mut note = String::new();
    let mut is_own_line = scan.at == 0;
    let mut newlines = 0;
    // The end of the comment before, if it is on the same line.
    let mut before = None;
    loop {
        let rest = scan.rest();
        let length = match rest.as_bytes() {
            [b'\n', ..] => {
                newlines += 1;
                if newlines > 1 {
                    note.clear();
                }
                (is_own_line, before) = (true, None);
                1
            }
            [b' ' | b'\t' | b'\r' | b'\x0B' | b'\x0C', ..] => 1,
            [b'/', b'/' | b'*', ..] => {
                let comment = comment(scan)?;
                let length = comment.len();
                if is_own_line && comment != NO_COMMENT {
                    match before {
                        Some(end) => note.push_str(&scan.text[end..scan.at]),
                        None => add_line(&mut note, indentation(scan)),
                    }
                    note.push_str(comment);
                }
                (newlines, before) = (0, Some(scan.at + length));
                length
            }
            _ => return Ok(note),
        };
        scan.at += length;
    }
}

/// The spaces between the start of the line and the position.
fn indentation<'t>(scan: &Scanner<'t>) -> &'t str {
    let before = &scan.text[..scan.at];
    let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let indentation = &before[line..];
    if indentation.trim().is_empty() {
        indentation
    } else {
        ""
    }
}

/// The comment at the position, with its markers.
fn comment<'t>(scan: &Scanner<'t>) -> Result<&'t str, SyntaxError> {
    let rest = scan.rest();
    if rest.starts_with("//") {
        return Ok(rest.lines().next().unwrap_or_default());
    }
    let end = rest
        .find("*/")
        .ok_or_else(|| scan.unexpected("'*/' after the comment"))?;
    Ok(&rest[..end + 2])
}

fn token(
    scan: &mut Scanner<'_>,
    expected: &'static str,
    unescape: Unescape,
    out: &mut String,
) -> Result<(), SyntaxError> {
    if scan.peek() == Some('"') {
        return quoted(scan, unescape, out);
    }
    let bare =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '$' | '/' | ':');
    match scan.skip_while(bare) {
        "" => Err(scan.unexpected(expected)),
        token => {
            out.push_str(token);
            Ok(())
        }
    }
}

fn quoted(scan: &mut Scanner<'_>, unescape: Unescape, out: &mut String) -> Result<(), SyntaxError> {
    let start = scan.at;
    scan.at += 1;
    loop {
        let rest = &scan.text[scan.at..];
        let Some(stop) = memchr::memchr2(b'"', b'\\', rest.as_bytes()) else {
            return Err(ReadErrorKind::OpenString.at(start));
        };
        let (plain, after) = rest.split_at(stop);
        out.push_str(plain);
        if after.starts_with('"') {
            scan.at += stop + 1;
            return Ok(());
        }
        let after = unescape(&after[1..], out);
        scan.at = scan.text.len() - after.len();
    }
}

/// Appends the text of an escape of a key, given the text after the backslash. Returns the rest. Keys are identifiers:
/// only quotes are decoded.
fn key_escape<'t>(escape: &'t str, out: &mut String) -> &'t str {
    let mut characters = escape.chars();
    match characters.next() {
        Some('"') => out.push('"'),
        Some(other) => out.extend(['\\', other]),
        None => out.push('\\'),
    }
    characters.as_str()
}

/// Appends the text of an escape of a value. Returns the rest.
fn value_escape<'t>(escape: &'t str, out: &mut String) -> &'t str {
    let mut characters = escape.chars();
    match characters.next() {
        Some('n') => out.push('\n'),
        Some('t') => out.push('\t'),
        Some('r') => out.push('\r'),
        Some('u' | 'U') => return unicode_escape(characters.as_str(), &["\\u", "\\U"], out),
        Some(other) => out.push(other),
        None => {}
    }
    characters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::parsed;

    #[test]
    fn two_escapes_of_a_surrogate_pair_are_one_character() {
        let mut list = EntryList::default();
        let text = r#""a" = "\Ud83d\Ude00\ud83d\Ude00\Ud83dx";"#;
        parse(text, &mut list).unwrap();
        let mut found = String::new();
        list.emit(&mut |entry| found.push_str(entry.text));
        assert_eq!(found, "😀😀\u{FFFD}x");
    }

    #[test]
    fn a_value_that_is_not_closed_is_an_error_where_it_begins() {
        let text = "\"a\" = \"1\";\n\"b\" = \"two;\n\n\"c\" = \"3\";";
        let error = parse(text, &mut EntryList::default()).unwrap_err();
        assert_eq!(error.at, text.find("\"two").unwrap());
    }

    #[test]
    fn a_property_list_in_xml_has_the_same_texts() {
        let text = "<plist version=\"1.0\"><dict><!-- n --><key>a</key><string>x\\n</string><key>b</key><dict/></dict></plist>";
        let expected = [("a", "x\\n", "n")]
            .map(|(key, text, note)| (key.to_owned(), text.to_owned(), note.to_owned()));
        assert_eq!(parsed(parse, text), expected);
    }

    #[test]
    fn entries_have_the_comments_directly_above_them() {
        let text = "/* head */\n\n/* a */\n// b\n\"k\\\"\" = \"x\\n\\U00e9\";\nbare.key = \"v\"; // of bare.key\n/* a */ /* b */\n  // c\n\"k\\\\n\" = \"\";";
        let expected = [
            ("k\"", "x\né", "/* a */\n// b"),
            ("bare.key", "v", ""),
            ("k\\\\n", "", "/* a */ /* b */\n  // c"),
        ];
        assert_eq!(
            parsed(parse, text),
            expected.map(|(key, text, note)| (key.to_owned(), text.to_owned(), note.to_owned()))
        );
        for broken in [
            "\"a\" = \"1\"\n\"b\" = \"2\";",
            "\"a\";",
            "\"a",
            "/* x",
            "hello world",
        ] {
            assert!(
                parse(broken, &mut EntryList::default()).is_err(),
                "{broken}"
            );
        }
    }
}
