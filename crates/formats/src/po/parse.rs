//! Reads the lines of a file into entries.

use super::entry::{Entry, Field};
use rustc_hash::FxHashMap;

use crate::entry_list::EntryList;
use crate::error::{ReadErrorKind, SyntaxError};

/// Adds the entries of a file to a list.
///
/// # Errors
/// If a line is not understood.
pub(super) fn parse(
    text: &str,
    has_template: bool,
    list: &mut EntryList,
) -> Result<(), SyntaxError> {
    if has_template {
        return keyed(text, list);
    }
    let mut forms = None;
    if !text.is_empty() && text.trim().is_empty() {
        let message = "expected an entry, found only blank lines";
        return Err(ReadErrorKind::syntax(message, 0));
    }
    entries(text, &mut |entry| {
        entry.emit(&mut forms, list);
        true
    })
}

/// Adds the entries of a file with a template. Of entries with the same key, plurals with another `msgid_plural` than
/// the first do not count.
fn keyed(text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    let mut plurals: FxHashMap<String, Option<String>> = FxHashMap::default();
    entries(text, &mut |entry| {
        if let Some(key) = entry.key() {
            let first = plurals
                .entry(key.clone())
                .or_insert_with(|| entry.plural.clone());
            if first.is_none() || *first == entry.plural {
                entry.emit_keyed(&key, list);
            }
        }
        true
    })
}

/// The text of the first header.
pub(super) fn header(text: &str) -> Option<String> {
    let mut found = None;
    let read = entries(text, &mut |entry| {
        found = entry.header().map(str::to_owned);
        found.is_none()
    });
    read.ok().and(found)
}

/// Calls `found` for each entry of a file, while it returns true.
pub(super) fn entries(text: &str, found: &mut dyn FnMut(Entry) -> bool) -> Result<(), SyntaxError> {
    let mut parser = Parser {
        entry: Entry::default(),
        found,
        goes_on: true,
    };
    let mut at = 0;
    while at < text.len() && parser.goes_on {
        let rest = &text[at..];
        let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        let line = &rest[..end];
        if !line.trim().is_empty() {
            parser.line(line, at)?;
        }
        at += end + 1;
    }
    if parser.goes_on {
        parser.finish();
    }
    Ok(())
}

struct Parser<'f> {
    entry: Entry,
    found: &'f mut dyn FnMut(Entry) -> bool,
    goes_on: bool,
}

impl Parser<'_> {
    fn finish(&mut self) {
        let entry = std::mem::take(&mut self.entry);
        if entry.has_begun() {
            self.goes_on = (self.found)(entry);
        }
    }

    /// Begins a new entry if the present one is complete.
    fn begin(&mut self) {
        if self.entry.is_finished() {
            self.finish();
        }
    }

    fn line(&mut self, line: &str, at: usize) -> Result<(), SyntaxError> {
        match line.strip_prefix('#') {
            Some(comment) => self.comment(line, comment, at),
            None => self.content(line, at, false),
        }
    }

    fn comment(&mut self, line: &str, comment: &str, at: usize) -> Result<(), SyntaxError> {
        if let Some(rest) = comment.strip_prefix('~') {
            let content = rest.trim_start();
            if content.starts_with('|') || content.is_empty() {
                return Ok(());
            }
            return self.content(content, at + line.len() - content.len(), true);
        }
        self.begin();
        if self.entry.has_begun() {
            let message = "expected msgstr, found a comment; move the comment above the entry";
            return Err(ReadErrorKind::syntax(message, at));
        }
        match comment.strip_prefix('|') {
            Some(rest) => {
                let content = rest.trim_start();
                self.previous(content, at + line.len() - content.len())
            }
            None => {
                self.entry.comments.add(line);
                Ok(())
            }
        }
    }

    /// A previous text, after `#|`.
    fn previous(&mut self, content: &str, at: usize) -> Result<(), SyntaxError> {
        let keywords = [
            ("msgid_plural", Field::PreviousPlural),
            ("msgid", Field::PreviousSource),
            ("msgctxt", Field::PreviousContext),
        ];
        let found = keywords
            .iter()
            .find_map(|&(keyword, field)| Some((field, content.strip_prefix(keyword)?)));
        let (field, text) = match (found, self.entry.field) {
            (Some(found), _) => found,
            (None, Some(field)) => (field, content),
            (None, None) => return Err(expected("a previous msgid or msgctxt", at)),
        };
        self.entry.field = Some(field);
        self.append(field, text, at + content.len() - text.len())
    }

    /// A keyword with its text, or a continuation.
    fn content(&mut self, line: &str, at: usize, obsolete: bool) -> Result<(), SyntaxError> {
        if line.trim_start().starts_with('"') {
            let field = self
                .entry
                .field
                .filter(|_| self.entry.has_begun() && self.entry.obsolete == obsolete);
            let field = field.ok_or_else(|| expected("a keyword such as msgid", at))?;
            return self.append(field, line, at);
        }
        let end = line
            .find(|c: char| !(c.is_ascii_alphabetic() || c == '_'))
            .unwrap_or(line.len());
        let (keyword, rest) = line.split_at(end);
        if matches!(keyword, "msgctxt" | "msgid") {
            self.begin();
        }
        if self.entry.has_begun() && self.entry.obsolete != obsolete {
            if obsolete {
                return Err(expected("the rest of the entry above", at));
            }
            // As in Weblate, an entry is in use if its text is.
            self.entry.obsolete = false;
        }
        if !self.entry.has_begun() {
            self.entry.start = at;
            self.entry.obsolete = obsolete;
        }
        let (field, rest) = self.field_of(keyword, rest, at)?;
        self.entry.field = Some(field);
        self.append(field, rest, at + line.len() - rest.len())
    }

    /// Appends a text in quotes to a field.
    fn append(&mut self, field: Field, quoted_text: &str, at: usize) -> Result<(), SyntaxError> {
        let raw = quoted(quoted_text, at)?;
        let ignored = &mut String::new();
        unescape(raw, self.entry.text_of(field, ignored));
        Ok(())
    }

    /// The field that a keyword begins, and the rest of the line.
    fn field_of<'l>(
        &mut self,
        keyword: &str,
        rest: &'l str,
        at: usize,
    ) -> Result<(Field, &'l str), SyntaxError> {
        let entry = &mut self.entry;
        match keyword {
            "msgctxt" if !entry.has_begun() => Ok((Field::Context, rest)),
            "msgid" if entry.source.is_none() => Ok((Field::Source, rest)),
            "msgid_plural"
                if entry.source.is_some() && entry.plural.is_none() && !entry.is_finished() =>
            {
                Ok((Field::Plural, rest))
            }
            "msgstr" if entry.source.is_some() => {
                let (index, rest) = form_index(rest, at)?;
                if index.is_some() != entry.plural.is_some() {
                    let form = if index.is_some() {
                        "msgstr"
                    } else {
                        "msgstr[0]"
                    };
                    return Err(ReadErrorKind::syntax(
                        format!(
                            "expected {form}: only an entry with msgid_plural has plural forms"
                        ),
                        at,
                    ));
                }
                if index.is_none() && entry.is_finished() {
                    return Err(expected("a new entry, found a second msgstr", at));
                }
                let is_repeated = entry.texts.last().is_some_and(|(last, _)| *last == index);
                if !is_repeated {
                    entry.texts.push((index, String::new()));
                }
                Ok((Field::Text, rest))
            }
            "msgctxt" | "msgid" | "msgid_plural" | "msgstr" => {
                let message =
                    format!("expected a complete entry, found {keyword} in the wrong place");
                Err(ReadErrorKind::syntax(message, at))
            }
            _ => Err(expected(
                "a comment, msgctxt, msgid, msgid_plural or msgstr",
                at,
            )),
        }
    }
}

fn expected(what: &str, at: usize) -> SyntaxError {
    ReadErrorKind::syntax(format!("expected {what}"), at)
}

/// The index in `[0] "text"`, and the rest.
fn form_index(rest: &str, at: usize) -> Result<(Option<u32>, &str), SyntaxError> {
    let Some(bracket) = rest.trim_start().strip_prefix('[') else {
        return Ok((None, rest));
    };
    let parsed = bracket
        .split_once(']')
        .and_then(|(index, rest)| Some((index.trim().parse().ok()?, rest)));
    let (index, rest) =
        parsed.ok_or_else(|| expected("the number of a plural form, such as msgstr[0]", at))?;
    Ok((Some(index), rest))
}

/// The text from the first quote of a line to its last one. Text after it is ignored.
fn quoted(line: &str, at: usize) -> Result<&str, SyntaxError> {
    let content = line.trim_start();
    let start = at + line.len() - content.len();
    let inner = content
        .strip_prefix('"')
        .ok_or_else(|| expected("a text in double quotes", start))?;
    let end = inner
        .rfind('"')
        .ok_or_else(|| expected("the closing quote of the text", start))?;
    Ok(&inner[..end])
}

/// Appends a text, and decodes the five escapes of gettext that Weblate 3.4 knows; others stay as they are.
fn unescape(raw: &str, out: &mut String) {
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        let (plain, escape) = rest.split_at(at);
        out.push_str(plain);
        let decoded = match escape.as_bytes().get(1) {
            Some(b'n') => Some('\n'),
            Some(b't') => Some('\t'),
            Some(b'r') => Some('\r'),
            Some(b'"') => Some('"'),
            Some(b'\\') => Some('\\'),
            _ => None,
        };
        out.push(decoded.unwrap_or('\\'));
        rest = &escape[if decoded.is_some() { 2 } else { 1 }..];
    }
    out.push_str(rest);
}
