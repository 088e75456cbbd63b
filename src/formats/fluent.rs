//! The format `fluent`: Fluent translation lists (`docs/spec/formats.md#fluent`).

use fluent_syntax::ast::{
    Comment, Entry, Expression, InlineExpression, Message, Pattern, PatternElement, Resource,
};
use fluent_syntax::{parser, serializer};
use rustc_hash::FxHashSet;

use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::list_reader::ListFormat;
use super::{RawEntry, ReadErrorKind};

/// Fluent translation lists.
pub(super) struct Fluent;

/// Most nested placeables. The parser is recursive, and its stack is smaller than that of 1,000 levels.
pub(super) const MAX_PLACEABLES: usize = 200;

impl ListFormat for Fluent {
    fn parse(&self, text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
        if let Some(at) = too_deep(text) {
            return Err(SyntaxError {
                kind: ReadErrorKind::Syntax(
                    format!("expected at most {MAX_PLACEABLES} levels of nesting, found more")
                        .into(),
                ),
                at,
            });
        }
        let marked = Marked::of(text);
        let resource = match &marked {
            Some(marked) => parser::parse(marked.text.as_str()),
            None => parser::parse(text),
        };
        // With marks inside of a placeable, the text does not parse.
        let (source, resource) = match (&marked, resource) {
            (Some(marked), Ok(resource)) => (marked.text.as_str(), Ok(resource)),
            (Some(_), Err(_)) => (text, parser::parse(text)),
            (None, resource) => (text, resource),
        };
        let marks = marked.as_ref().filter(|_| source.len() != text.len());
        let resource = resource.map_err(|(_, errors)| syntax_error(&errors))?;
        // Names are slices of the source.
        let offset_of = |name: &str| {
            let at = (name.as_ptr() as usize).saturating_sub(source.as_ptr() as usize);
            marks.map_or(at, |marked| marked.original(at))
        };
        let mut notes = Notes::of_resource(&resource);
        let mut ids: FxHashSet<String> = FxHashSet::default();
        for entry in resource.body {
            let (context, comment, id, value, attributes) = match entry {
                Entry::Message(it) => (
                    it.id.name.to_owned(),
                    it.comment,
                    it.id,
                    it.value,
                    it.attributes,
                ),
                Entry::Term(it) => {
                    let context = format!("-{}", it.id.name);
                    (context, it.comment, it.id, Some(it.value), it.attributes)
                }
                Entry::GroupComment(comment) => {
                    notes.group = joined(&comment);
                    continue;
                }
                Entry::ResourceComment(_) | Entry::Comment(_) | Entry::Junk { .. } => continue,
            };
            let offset = offset_of(id.name).saturating_sub(context.len() - id.name.len());
            let duplicate = |at| SyntaxError {
                kind: ReadErrorKind::Duplicate,
                at,
            };
            if !ids.insert(context.clone()) {
                return Err(duplicate(offset));
            }
            let mut names = FxHashSet::default();
            if let Some(twice) = attributes.iter().find(|it| !names.insert(it.id.name)) {
                return Err(duplicate(offset_of(twice.id.name)));
            }
            let text = serialized(Message {
                id,
                value,
                attributes,
                comment: None,
            });
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

/// The first error of the parser.
fn syntax_error(errors: &[parser::ParserError]) -> SyntaxError {
    let first = errors.first();
    let message = first.map_or_else(String::new, |error| error.kind.to_string());
    let message = format!("expected a Fluent message, found an error: {message}");
    SyntaxError {
        kind: ReadErrorKind::Syntax(message.into()),
        at: first.map_or(0, |error| error.pos.start),
    }
}

/// A text with a mark before each placeable that begins a line. The parser does not count the indentation of such a line,
/// so the other lines of a text would lose theirs.
struct Marked {
    text: String,
    /// Offsets of the marks.
    at: Vec<usize>,
}

impl Marked {
    /// A character for private use.
    const MARK: char = '\u{E000}';

    /// The marked text; `None` if it would be the same.
    fn of(text: &str) -> Option<Self> {
        let (mut marked, mut at, mut copied) = (String::new(), Vec::new(), 0);
        let bytes = text.as_bytes();
        for brace in memchr::memchr_iter(b'{', bytes) {
            let line = text.get(copied..brace)?;
            let indented = line.trim_end_matches(' ');
            if indented.len() < line.len() && indented.ends_with('\n') {
                marked.push_str(line);
                at.push(marked.len());
                marked.push(Self::MARK);
                copied = brace;
            }
        }
        if at.is_empty() || text.contains(Self::MARK) {
            return None;
        }
        marked.push_str(text.get(copied..)?);
        Some(Self { text: marked, at })
    }

    /// The offset without marks.
    fn original(&self, at: usize) -> usize {
        let marks = self.at.partition_point(|&mark| mark < at);
        at - marks * Self::MARK.len_utf8()
    }
}

/// Replaces a character that can begin a text only on the line of its name by a string literal, here and in variants.
fn escape_start(pattern: &mut Pattern<&str>) {
    if let Some(PatternElement::TextElement { value }) = pattern.elements.first_mut()
        && value.starts_with(['[', '.', '*'])
    {
        let (first, rest) = value.split_at(1);
        *value = rest;
        let literal = Expression::Inline(InlineExpression::StringLiteral { value: first });
        let literal = PatternElement::Placeable {
            expression: literal,
        };
        pattern.elements.insert(0, literal);
    }
    for element in &mut pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            escape_variants(expression);
        }
    }
}

fn escape_variants(expression: &mut Expression<&str>) {
    match expression {
        Expression::Select { variants, .. } => variants
            .iter_mut()
            .for_each(|variant| escape_start(&mut variant.value)),
        Expression::Inline(InlineExpression::Placeable { expression }) => {
            escape_variants(expression);
        }
        Expression::Inline(_) => {}
    }
}

/// The text of a message.
fn serialized(mut message: Message<&str>) -> String {
    let attributes = message.attributes.iter_mut().map(|it| &mut it.value);
    message
        .value
        .iter_mut()
        .chain(attributes)
        .for_each(escape_start);
    let body = vec![Entry::Message(message)];
    let text = serializer::serialize(&Resource { body });
    match text.contains(Marked::MARK) {
        true => value(&text.replace(Marked::MARK, "")),
        false => value(&text),
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
        if depth > MAX_PLACEABLES {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(String, usize)> {
        let mut list = EntryList::default();
        Fluent.parse(text, &mut list).unwrap();
        let mut found = Vec::new();
        list.emit(&mut |entry| found.push((entry.text.to_owned(), entry.offset)));
        found
    }

    #[test]
    fn indentation_counts_from_the_least_indented_line() {
        let text = "a =\n    { $x }\n      y\n    z\nb =\n      { $n ->\n        [one] { $x }\n       *[other] .y\n      }\n";
        let second = "{ $n ->\n    [one] { $x }\n   *[other] { \".\" }y\n}";
        assert_eq!(
            texts(text),
            [("{ $x }\n  y\nz".to_owned(), 0), (second.to_owned(), 29)]
        );
        // A mark inside of a placeable would be an error.
        assert_eq!(
            texts("a =\n    {\n    { $x }\n    }\n"),
            [("{{ $x }}".to_owned(), 0)]
        );
    }

    #[test]
    fn a_text_does_not_begin_with_syntax() {
        let found = texts("a = .x\nb = [x]\n    .c = *\n");
        let texts: Vec<_> = found.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["{ \".\" }x", "{ \"[\" }x]\n.c = { \"*\" }"]);
    }

    #[test]
    fn an_attribute_that_occurs_twice_is_an_error() {
        let text = "a = x\n    .b = 1\n    .b = 2\n";
        let error = Fluent.parse(text, &mut EntryList::default()).unwrap_err();
        assert_eq!((error.kind, error.at), (ReadErrorKind::Duplicate, 22));
    }
}
