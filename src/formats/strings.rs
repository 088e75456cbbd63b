//! The format `strings-utf8`: Apple strings files (`docs/spec/formats.md#strings-utf8`).

use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::list_reader::ListFormat;
use super::{RawEntry, ReadErrorKind};

/// Apple strings files.
pub(super) struct Strings;

/// The note that Xcode writes for a text without one.
const NO_COMMENT: &str = "/* No comment provided by engineer. */";

impl ListFormat for Strings {
    fn parse(&self, text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
        let mut cursor = Cursor { text, at: 0 };
        let (mut key, mut value) = (String::new(), String::new());
        loop {
            let note = cursor.notes()?;
            let start = cursor.at;
            if cursor.peek().is_none() {
                return Ok(());
            }
            key.clear();
            value.clear();
            cursor.token("a key", &mut key)?;
            cursor.notes()?;
            cursor.expect(b'=', "'=' after the key")?;
            cursor.notes()?;
            cursor.token("a value", &mut value)?;
            cursor.notes()?;
            cursor.expect(b';', "';' after the value")?;
            if !key.is_empty() {
                list.push(RawEntry {
                    context: &key,
                    text: &value,
                    note: &note,
                    translated: !value.is_empty(),
                    offset: start,
                    ..RawEntry::default()
                });
            }
        }
    }
}

struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn error(&self, expected: &'static str) -> SyntaxError {
        SyntaxError {
            kind: ReadErrorKind::Missing {
                expected,
                found: self.rest().chars().next(),
            },
            at: self.at,
        }
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), SyntaxError> {
        if self.peek() != Some(byte) {
            return Err(self.error(expected));
        }
        self.at += 1;
        Ok(())
    }

    /// Skips whitespace and comments. Returns the comments since the last blank line, with their markers.
    fn notes(&mut self) -> Result<String, SyntaxError> {
        let mut note = String::new();
        let mut newlines = 0;
        loop {
            let rest = self.rest();
            let length = match rest.as_bytes() {
                [b'\n', ..] => {
                    newlines += 1;
                    if newlines > 1 {
                        note.clear();
                    }
                    1
                }
                [b' ' | b'\t' | b'\r' | b'\x0B' | b'\x0C', ..] => 1,
                [b'/', b'/', ..] => add(
                    &mut note,
                    rest.lines().next().unwrap_or_default(),
                    &mut newlines,
                ),
                [b'/', b'*', ..] => {
                    let end = rest
                        .find("*/")
                        .ok_or_else(|| self.error("'*/' after the comment"))?;
                    add(
                        &mut note,
                        rest.get(..end + 2).unwrap_or_default(),
                        &mut newlines,
                    )
                }
                _ => return Ok(note),
            };
            self.at += length;
        }
    }

    /// Appends a quoted or unquoted word.
    fn token(&mut self, expected: &'static str, out: &mut String) -> Result<(), SyntaxError> {
        if self.peek() == Some(b'"') {
            return self.quoted(out);
        }
        let bare =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '$' | '/' | ':');
        let length = self.rest().find(|c| !bare(c)).unwrap_or(self.rest().len());
        if length == 0 {
            return Err(self.error(expected));
        }
        out.push_str(self.rest().get(..length).unwrap_or_default());
        self.at += length;
        Ok(())
    }

    fn quoted(&mut self, out: &mut String) -> Result<(), SyntaxError> {
        let start = self.at;
        self.at += 1;
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some(stop) = memchr::memchr2(b'"', b'\\', rest.as_bytes()) else {
                return Err(SyntaxError {
                    kind: ReadErrorKind::OpenString,
                    at: start,
                });
            };
            let (plain, after) = rest.split_at(stop);
            out.push_str(plain);
            if after.starts_with('"') {
                self.at += stop + 1;
                return Ok(());
            }
            let mut characters = after.chars();
            characters.next();
            let kind = characters.next();
            let mut after = characters.as_str();
            match kind {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some('u' | 'U') => after = super::properties::unicode_escape(after, out),
                Some(other) => out.push(other),
                None => {}
            }
            self.at = self.text.len() - after.len();
        }
    }
}

/// Adds a comment to a note. Returns its length.
fn add(note: &mut String, comment: &str, newlines: &mut u32) -> usize {
    *newlines = 0;
    if comment != NO_COMMENT {
        if !note.is_empty() {
            note.push('\n');
        }
        note.push_str(comment);
    }
    comment.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_the_comments_directly_above_them() {
        let text = "/* head */\n\n/* a */\n// b\n\"k\\\"\" = \"x\\n\\U00e9\";\nbare.key = \"v\";";
        let mut list = EntryList::default();
        Strings.parse(text, &mut list).unwrap();
        let mut found = Vec::new();
        list.emit(&mut |entry| {
            found.push((
                entry.context.to_owned(),
                entry.text.to_owned(),
                entry.note.to_owned(),
            ))
        });
        let expected = [("k\"", "x\né", "/* a */\n// b"), ("bare.key", "v", "")];
        assert_eq!(
            found,
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
                Strings.parse(broken, &mut EntryList::default()).is_err(),
                "{broken}"
            );
        }
    }
}
