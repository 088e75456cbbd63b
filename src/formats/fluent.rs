//! The format `fluent`: Fluent translation lists (`docs/spec/formats.md#fluent`).

use fluent_syntax::ast::{Comment, Entry, Message, Resource, Term};
use fluent_syntax::{parser, serializer};
use rustc_hash::FxHashSet;

use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::list_reader::ListFormat;
use super::{MAX_DEPTH, RawEntry, ReadErrorKind};

/// Fluent translation lists.
pub(super) struct Fluent;

impl ListFormat for Fluent {
    fn parse(&self, text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
        if let Some(at) = too_deep(text) {
            return Err(SyntaxError {
                kind: ReadErrorKind::TooDeep,
                at,
            });
        }
        let resource = parser::parse(text).map_err(|(_, errors)| {
            let first = errors.first();
            let message = first.map_or_else(String::new, |error| error.kind.to_string());
            let kind = ReadErrorKind::Syntax(
                format!("expected a Fluent message, found an error: {message}").into(),
            );
            SyntaxError {
                kind,
                at: first.map_or(0, |error| error.pos.start),
            }
        })?;
        let mut notes = Notes::of_resource(&resource);
        let mut ids: FxHashSet<String> = FxHashSet::default();
        for entry in resource.body {
            let (context, name, comment, entry) = match entry {
                Entry::Message(message) => {
                    let Message {
                        id,
                        value,
                        attributes,
                        comment,
                    } = message;
                    let name = id.name;
                    let message = Message {
                        id,
                        value,
                        attributes,
                        comment: None,
                    };
                    (name.to_owned(), name, comment, Entry::Message(message))
                }
                Entry::Term(term) => {
                    let Term {
                        id,
                        value,
                        attributes,
                        comment,
                    } = term;
                    let name = id.name;
                    (
                        format!("-{name}"),
                        name,
                        comment,
                        Entry::Term(Term {
                            id,
                            value,
                            attributes,
                            comment: None,
                        }),
                    )
                }
                Entry::GroupComment(comment) => {
                    notes.group = joined(&comment);
                    continue;
                }
                Entry::ResourceComment(_) | Entry::Comment(_) | Entry::Junk { .. } => continue,
            };
            // Names are slices of the text.
            let start = (name.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            let offset = start.saturating_sub(context.len() - name.len());
            if !ids.insert(context.clone()) {
                return Err(SyntaxError {
                    kind: ReadErrorKind::Duplicate,
                    at: offset,
                });
            }
            let text = value(&serializer::serialize(&Resource { body: vec![entry] }));
            list.push(RawEntry {
                context: &context,
                text: &text,
                note: &notes.of(comment.as_ref()),
                translated: !text.is_empty(),
                offset,
                ..RawEntry::default()
            });
        }
        Ok(())
    }
}

/// The comments that apply to a message.
#[derive(Default)]
struct Notes {
    resource: String,
    group: String,
}

impl Notes {
    /// The comments of the resource, which apply to all messages.
    fn of_resource(resource: &Resource<&str>) -> Self {
        let comments = resource.body.iter().filter_map(|entry| match entry {
            Entry::ResourceComment(comment) => Some(joined(comment)),
            _ => None,
        });
        Self {
            resource: comments.collect::<Vec<_>>().join("\n"),
            group: String::new(),
        }
    }

    fn of(&self, comment: Option<&Comment<&str>>) -> String {
        let own = comment.map(joined).unwrap_or_default();
        let parts = [self.resource.as_str(), &self.group, &own];
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    }
}

fn joined(comment: &Comment<&str>) -> String {
    comment.content.join("\n")
}

/// The value and the attributes of a serialized entry, without its name and indentation.
fn value(serialized: &str) -> String {
    let (_, value) = serialized.split_once('=').unwrap_or_default();
    let lines = value.trim_end_matches('\n').split('\n').enumerate();
    let mut indentation = "    ";
    let lines = lines.map(|(index, line)| {
        if index == 0 {
            return line.strip_prefix(' ').unwrap_or(line);
        }
        // No line of a text begins with a dot.
        let attribute = line
            .strip_prefix("    ")
            .filter(|line| line.starts_with('.'));
        if let Some(attribute) = attribute {
            indentation = "        ";
            return attribute;
        }
        line.strip_prefix(indentation)
            .or(line.strip_prefix("    "))
            .unwrap_or(line)
    });
    lines
        .skip_while(|line| line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The offset where placeables may be nested too deep for a recursive parser.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut line_start) = (0usize, false, true);
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            // A message begins.
            b'a'..=b'z' | b'A'..=b'Z' | b'-' if line_start => depth = 0,
            b'{' => depth += 1,
            // A brace in a string literal closes nothing.
            b'}' if !quoted => depth = depth.saturating_sub(1),
            b'"' if depth > 0 => quoted = !quoted,
            b'\\' if quoted => drop(bytes.next_if(|&(_, next)| matches!(next, b'"' | b'\\'))),
            b'\n' => quoted = false,
            _ => {}
        }
        line_start = byte == b'\n';
        if depth > MAX_DEPTH {
            return Some(at);
        }
    }
    None
}
