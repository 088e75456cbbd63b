//! Names that occur twice in an object, in all formats written in JSON, JSON with comments, or JSON5.
//!
//! Reads files that are known to parse, so it accepts more than JSON.

use std::borrow::Cow;

use crate::fault::{FaultList, Names};
use gitglot_model::FileFormat;

/// An object or array that is open.
struct Container<'t> {
    /// The names so far, each with the text of its value; `None` in an array.
    names: Option<Names<Cow<'t, str>, &'t str>>,
    /// The member whose value is being read.
    member: Option<Member<'t>>,
}

struct Member<'t> {
    name: Cow<'t, str>,
    /// The byte offset of the name.
    offset: usize,
    /// The byte offset of the value; `None` before the colon.
    value: Option<usize>,
}

/// Adds the names that occur twice.
pub(super) fn faults(text: &str, format: FileFormat, list: &mut FaultList) {
    let mut scan = Scan {
        text,
        format,
        open: Vec::new(),
        list,
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'{' | b'[' => {
                scan.open.push(Container {
                    names: (byte == b'{').then(Names::default),
                    member: None,
                });
                at + 1
            }
            b'}' | b']' => {
                scan.end_member(at);
                scan.open.pop();
                at + 1
            }
            b',' => {
                scan.end_member(at);
                at + 1
            }
            b':' => {
                scan.begin_value(at + 1);
                at + 1
            }
            b'"' | b'\'' => {
                let end = end_of_string(bytes, at);
                scan.name(at, text.get(at + 1..end.saturating_sub(1)));
                end
            }
            b'/' => end_of_comment(bytes, at),
            _ if byte.is_ascii_whitespace() => at + 1,
            _ => {
                let is_end = |byte: &u8| b":,{}[]\"'/".contains(byte) || byte.is_ascii_whitespace();
                let rest = &bytes[at..];
                let end = at + rest.iter().position(is_end).unwrap_or(rest.len()).max(1);
                scan.name(at, text.get(at..end));
                end
            }
        };
    }
}

/// The offset after the string that begins at an offset.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let quote = bytes.get(start).copied().unwrap_or(b'"');
    let mut at = start + 1;
    loop {
        // A backslash can be the last byte.
        let rest = bytes.get(at..).unwrap_or_default();
        match memchr::memchr2(quote, b'\\', rest) {
            Some(found) if rest.get(found) == Some(&quote) => return at + found + 1,
            Some(escape) => at += escape + 2,
            None => return bytes.len(),
        }
    }
}

/// The offset after the comment that begins at an offset, if one does.
fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..];
    let length = match rest {
        [b'/', b'/', ..] => memchr::memchr(b'\n', rest),
        [b'/', b'*', after @ ..] => memchr::memmem::find(after, b"*/").map(|end| end + 4),
        _ => Some(1),
    };
    start + length.unwrap_or(rest.len())
}

struct Scan<'t, 'l> {
    text: &'t str,
    format: FileFormat,
    open: Vec<Container<'t>>,
    list: &'l mut FaultList,
}

impl<'t> Scan<'t, '_> {
    /// Begins a member, if the innermost container is an object before a name.
    fn name(&mut self, offset: usize, raw: Option<&'t str>) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        if open.names.is_some()
            && open.member.is_none()
            && let Some(raw) = raw
        {
            let name = if raw.contains('\\') {
                serde_json::from_str(&format!("\"{raw}\"")).unwrap_or(Cow::Borrowed(raw))
            } else {
                Cow::Borrowed(raw)
            };
            open.member = Some(Member {
                name,
                offset,
                value: None,
            });
        }
    }

    fn begin_value(&mut self, at: usize) {
        let member = self.open.last_mut().and_then(|open| open.member.as_mut());
        if let Some(member) = member {
            member.value.get_or_insert(at);
        }
    }

    /// Ends a member whose value ends before an offset.
    fn end_member(&mut self, at: usize) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        let (Some(names), Some(member)) = (&mut open.names, open.member.take()) else {
            return;
        };
        let value = self.text.get(member.value.unwrap_or(at)..at);
        let value = value.unwrap_or_default().trim();
        let Some(kind) = names.add(member.name.clone(), member.offset, value) else {
            return;
        };
        let outer = self.open.iter().rev().skip(1).rev();
        let outer: Vec<&str> = outer
            .map(|level| level.member.as_ref().map_or("[]", |member| &member.name))
            .collect();
        if !is_metadata(self.format, &outer, &member.name) {
            let name = [outer.as_slice(), &[&member.name]].concat().join(".");
            self.list.push(&name, member.offset, kind);
        }
    }
}

/// Whether a name in an object is for translators only.
fn is_metadata(format: FileFormat, outer: &[&str], name: &str) -> bool {
    // JSON has no comments, so people write them as members.
    if name == "_comment" || name.starts_with("//") {
        return true;
    }
    let mut names = [name].into_iter().chain(outer.iter().copied());
    let mut any_starts_with = |mark| names.any(|name| name.starts_with(mark));
    match format {
        FileFormat::Arb => any_starts_with('@'),
        FileFormat::ResJson => any_starts_with('_'),
        FileFormat::WebExtension | FileFormat::FormatJs => name == "description",
        _ => false,
    }
}
