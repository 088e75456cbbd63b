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
        let full = Marked::of(text, true)?;
        let partial;
        let (marked, parsed) = match parser::parse(full.text.as_str()) {
            Ok(resource) => (&full, Ok(resource)),
            // With marks inside of a placeable, the text does not parse.
            Err(_) => {
                partial = Marked::of(text, false)?;
                (&partial, parser::parse(partial.text.as_str()))
            }
        };
        let source = marked.text.as_str();
        let resource = parsed.map_err(|(_, errors)| syntax_error(&errors, marked))?;
        // Names are slices of the source.
        let offset_of = |name: &str| {
            marked.original((name.as_ptr() as usize).saturating_sub(source.as_ptr() as usize))
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
            let text = serialized(
                Message {
                    id,
                    value,
                    attributes,
                    comment: None,
                },
                marked.mark,
            );
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
fn syntax_error(errors: &[parser::ParserError], marked: &Marked) -> SyntaxError {
    let first = errors.first();
    let message = first.map_or_else(String::new, |error| error.kind.to_string());
    let message = format!("expected a Fluent message, found an error: {message}");
    SyntaxError {
        kind: ReadErrorKind::Syntax(message.replace(marked.mark, "").into()),
        at: first.map_or(0, |error| marked.original(error.pos.start)),
    }
}

/// A text with marks that the parser needs:
///
/// - before each placeable that begins a line. The parser does not count the indentation of such a line, so the other
///   lines of a text would lose theirs;
/// - before a character beyond ASCII in the place of a digit of `\uXXXX`, where the parser would panic.
struct Marked {
    text: String,
    /// A character that the text does not contain.
    mark: char,
    /// Offsets of the marks.
    at: Vec<usize>,
}

impl Marked {
    /// The text with marks in escapes, and in front of lines with placeables.
    ///
    /// # Errors
    /// If the text contains every character that could be a mark.
    fn of(text: &str, lines: bool) -> Result<Self, SyntaxError> {
        let mark = ('\u{1}'..'\u{9}').find(|mark| !text.contains(*mark));
        let mark = mark.ok_or_else(|| SyntaxError {
            kind: ReadErrorKind::Syntax("expected text, found control characters".into()),
            at: 0,
        })?;
        let bytes = text.as_bytes();
        let (mut marked, mut at, mut copied) = (String::new(), Vec::new(), 0);
        for found in memchr::memchr2_iter(b'{', b'\\', bytes) {
            let place = match bytes.get(found) {
                Some(b'{') => found,
                _ => {
                    let after = bytes.get(found + 1..).unwrap_or_default();
                    let Some((b'u' | b'U', digits)) = after.split_first() else {
                        continue;
                    };
                    let digits = digits.iter().take_while(|digit| digit.is_ascii_hexdigit());
                    found + 2 + digits.count()
                }
            };
            let is_marked = match place == found {
                true => {
                    let line = text.get(copied..found).unwrap_or_default();
                    let indented = line.trim_end_matches(' ');
                    lines && indented.len() < line.len() && indented.ends_with('\n')
                }
                false => bytes.get(place).is_some_and(|byte| !byte.is_ascii()),
            };
            if is_marked {
                marked.push_str(text.get(copied..place).unwrap_or_default());
                at.push(marked.len());
                marked.push(mark);
                copied = place;
            }
        }
        marked.push_str(text.get(copied..).unwrap_or_default());
        Ok(Self {
            text: marked,
            mark,
            at,
        })
    }

    /// The offset without marks.
    fn original(&self, at: usize) -> usize {
        at - self.at.partition_point(|&mark| mark < at)
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

/// The text of a message, without marks.
fn serialized(mut message: Message<&str>, mark: char) -> String {
    let attributes = message.attributes.iter_mut().map(|it| &mut it.value);
    message
        .value
        .iter_mut()
        .chain(attributes)
        .for_each(escape_start);
    let body = vec![Entry::Message(message)];
    let text = serializer::serialize(&Resource { body });
    match text.contains(mark) {
        true => value(&text.replace(mark, "")),
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
        // Text and an error that have no digits behind `\u`.
        assert_eq!(texts("a = C:\\už\n"), [("C:\\už".to_owned(), 0)]);
        for broken in [
            "a = { \"\\u0😀\" }",
            "a = { \"\\Už\" }",
            "\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}",
        ] {
            assert!(
                Fluent.parse(broken, &mut EntryList::default()).is_err(),
                "{broken}"
            );
        }
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
