//! Reads the lines of a file into entries.

use super::entry::{Entry, Field};
use super::{header, lines};

use crate::entry_list::EntryList;
use crate::error::{ReadErrorKind, SyntaxError};
use crate::incremental::{BlockKind, Version};
use gitglot_model::SeededMap;

/// Adds the next entry of a file without a template.
pub(super) fn add(version: &mut Version, text: &str, entry: &Entry) {
    let mut block = entry.block(text);
    if let Some(header) = entry.header() {
        let forms = header::plural_forms(header).and_then(|forms| u8::try_from(forms).ok());
        let scope = forms.map(|forms| lines::scope(Some(forms)));
        version.scope = scope.or(version.scope);
        if let Some(block) = &mut block {
            block.kind = BlockKind::Header(scope);
        }
    } else if entry.is_used() {
        let (context, source) = entry.identity();
        let forms = lines::forms(version.scope);
        entry.push(context, Some(&source), forms, &mut version.list);
        if let Some(block) = &mut block {
            block.kind = BlockKind::Text;
            block.scope = version.scope.filter(|_| entry.plural.is_some());
            block.identify(&source, context);
        }
    }
    version.blocks.extend(block);
}

/// Adds the entries of a file with a template. Of entries with the same key, plurals with another `msgid_plural` than
/// the first do not count.
///
/// # Errors
/// If a line is not understood.
pub(super) fn keyed(text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    let mut plurals: SeededMap<String, Option<String>> = SeededMap::default();
    let mut entries = Entries { text, at: 0 };
    while let Some(entry) = entries.next()? {
        let Some(key) = entry.key() else { continue };
        let first = plurals
            .entry(key.clone())
            .or_insert_with(|| entry.plural.clone());
        if first.is_none() || *first == entry.plural {
            entry.push(&key, None, None, list);
        }
    }
    Ok(())
}

/// The text of the first header.
pub(super) fn header(text: &str) -> Option<String> {
    let mut entries = Entries { text, at: 0 };
    while let Some(entry) = entries.next().ok()? {
        if let Some(header) = entry.header() {
            return Some(header.to_owned());
        }
    }
    None
}

/// The entries of a text from an offset on: its start, the first line of an entry, or the end of the one before it.
pub(super) struct Entries<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl Entries<'_> {
    /// The next entry. Then `at` is the first line of the one after it, or the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Entry>, SyntaxError> {
        let mut entry = Entry::default();
        while let Some(line) = line_at(self.text, self.at) {
            if !is_blank(line) {
                if entry.is_finished() && begins_entry(line) {
                    return Ok(Some(entry));
                }
                entry.line(line, self.at)?;
                entry.lines.add(line, self.at);
            }
            self.at += line.len() + 1;
        }
        Ok(Some(entry).filter(Entry::has_begun))
    }
}

/// The line that begins at an offset; none at the end of the text.
pub(super) fn line_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
    let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes());
    Some(end.map_or(rest, |end| &rest[..end]))
}

/// Whether a line means nothing.
pub(super) fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Whether a line after a complete entry begins the next one.
pub(super) fn begins_entry(line: &str) -> bool {
    let content = match line.strip_prefix('#') {
        None => line,
        Some(comment) => match comment.strip_prefix('~') {
            None => return true,
            Some(obsolete) => obsolete.trim_start(),
        },
    };
    matches!(keyword(content), "msgctxt" | "msgid")
}

/// The keyword at the start of a line.
fn keyword(line: &str) -> &str {
    let end = line.find(|c: char| !(c.is_ascii_alphabetic() || c == '_'));
    end.map_or(line, |end| &line[..end])
}

impl Entry {
    fn line(&mut self, line: &str, at: usize) -> Result<(), SyntaxError> {
        match line.strip_prefix('#') {
            Some(comment) => self.comment(line, comment, at),
            None => self.content(line, at, false),
        }
    }

    fn comment(&mut self, line: &str, comment: &str, at: usize) -> Result<(), SyntaxError> {
        if let Some(rest) = comment.strip_prefix('~') {
            let content = rest.trim_start();
            if content.starts_with(['|', '#']) || content.is_empty() {
                return Ok(());
            }
            return self.content(content, at + line.len() - content.len(), true);
        }
        if self.has_begun() {
            let what = "msgstr, found a comment; move the comment above the entry";
            return Err(expected(what, at));
        }
        match comment.strip_prefix('|') {
            Some(rest) => {
                let content = rest.trim_start();
                self.previous(content, at + line.len() - content.len())
            }
            None => {
                self.comments.add(line);
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
        let (field, text) = match (found, self.field) {
            (Some(found), _) => found,
            (None, Some(field)) => (field, content),
            (None, None) => return Err(expected("a previous msgid or msgctxt", at)),
        };
        self.field = Some(field);
        self.append(field, text, at + content.len() - text.len())
    }

    /// A keyword with its text, or a continuation.
    fn content(&mut self, line: &str, at: usize, obsolete: bool) -> Result<(), SyntaxError> {
        if line.trim_start().starts_with('"') {
            let field = self
                .field
                .filter(|_| self.has_begun() && self.obsolete == obsolete);
            let field = field.ok_or_else(|| expected("a keyword such as msgid", at))?;
            return self.append(field, line, at);
        }
        let keyword = keyword(line);
        let rest = &line[keyword.len()..];
        if self.has_begun() && self.obsolete != obsolete {
            if obsolete {
                return Err(expected("the rest of the entry above", at));
            }
            // As in Weblate, an entry is in use if its text is.
            self.obsolete = false;
        }
        if !self.has_begun() {
            self.start = at;
            self.obsolete = obsolete;
        }
        let (field, rest) = self.field_of(keyword, rest, at)?;
        self.field = Some(field);
        // The text may begin in the next line.
        let rest = if is_blank(rest) { "\"\"" } else { rest };
        self.append(field, rest, at + line.len() - rest.len())
    }

    /// Appends a text in quotes to a field.
    fn append(&mut self, field: Field, quoted_text: &str, at: usize) -> Result<(), SyntaxError> {
        let raw = quoted(quoted_text, at)?;
        let ignored = &mut String::new();
        unescape(raw, self.text_of(field, ignored));
        Ok(())
    }

    /// The field that a keyword begins, and the rest of the line.
    fn field_of<'l>(
        &mut self,
        keyword: &str,
        rest: &'l str,
        at: usize,
    ) -> Result<(Field, &'l str), SyntaxError> {
        match keyword {
            "msgctxt" if !self.has_begun() => Ok((Field::Context, rest)),
            "msgid" if self.source.is_none() => Ok((Field::Source, rest)),
            "msgid_plural"
                if self.source.is_some() && self.plural.is_none() && !self.is_finished() =>
            {
                Ok((Field::Plural, rest))
            }
            "msgstr" if self.source.is_some() => {
                let (index, rest) = form_index(rest, at)?;
                if index.is_some() != self.plural.is_some() {
                    let form = if index.is_some() {
                        "msgstr"
                    } else {
                        "msgstr[0]"
                    };
                    let what = format!("{form}: only an entry with msgid_plural has plural forms");
                    return Err(expected(&what, at));
                }
                if index.is_none() && self.is_finished() {
                    return Err(expected("a new entry, found a second msgstr", at));
                }
                let is_repeated = self.texts.last().is_some_and(|(last, _)| *last == index);
                if !is_repeated {
                    self.texts.push((index, String::new()));
                }
                Ok((Field::Text, rest))
            }
            "msgctxt" | "msgid" | "msgid_plural" | "msgstr" => {
                let what = format!("a complete entry, found {keyword} in the wrong place");
                Err(expected(&what, at))
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
