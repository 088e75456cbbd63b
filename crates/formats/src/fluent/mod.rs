//! The format `fluent`: Fluent translation lists (`docs/spec/formats.md#fluent`).

mod marked;
mod text;

use fluent_syntax::ast::{Comment, Entry, Message, Resource};
use fluent_syntax::parser;

use super::entry::RawEntry;
use super::entry_list::EntryList;
use super::error::{ReadErrorKind, SyntaxError};
use super::offsets::{line_at, offset};
use gitglot_model::SeededMap;
use marked::Marked;

#[cfg(test)]
pub(super) use marked::MAX_PLACEABLES;

/// Bytes that are parsed at once.
const PIECE: usize = 256 << 10;

pub(super) fn parse(text: &str, list: &mut EntryList) -> Result<(), SyntaxError> {
    let marked = Marked::of(text)?;
    let parse = |(start, piece)| {
        let parsed = parser::parse(piece);
        parsed.map_err(|(_, errors)| syntax_error(&errors, start, &marked))
    };
    let pieces = marked.pieces(PIECE).into_iter();
    let resources: Vec<Resource<&str>> = pieces.map(parse).collect::<Result<_, _>>()?;
    let entries = resources.iter().flat_map(|resource| &resource.body);
    let comments = entries.filter_map(|entry| match entry {
        Entry::ResourceComment(comment) => Some(joined(comment)),
        _ => None,
    });
    let mut messages = Messages {
        source: &marked,
        resource_comments: comments.collect::<Vec<_>>().join("\n"),
        group_comment: String::new(),
        ids: SeededMap::default(),
        text,
    };
    for entry in resources.into_iter().flat_map(|resource| resource.body) {
        match entry {
            Entry::Message(message) => messages.add(message, "", list)?,
            Entry::Term(term) => {
                let message = Message {
                    id: term.id,
                    value: Some(term.value),
                    attributes: term.attributes,
                    comment: term.comment,
                };
                messages.add(message, "-", list)?;
            }
            Entry::GroupComment(comment) => messages.group_comment = joined(&comment),
            Entry::ResourceComment(_) | Entry::Comment(_) | Entry::Junk { .. } => {}
        }
        // Each note has all comments of the resource.
        list.check_size()?;
    }
    Ok(())
}

/// The first error of the parser in a piece that begins at an offset.
fn syntax_error(errors: &[parser::ParserError], start: usize, marked: &Marked) -> SyntaxError {
    let first = errors.first();
    let message = first.map_or_else(String::new, |error| error.kind.to_string());
    let message = format!("expected a Fluent message, found an error: {message}");
    let at = first.map_or(0, |error| marked.original(start + error.pos.start));
    ReadErrorKind::syntax(message.replace(marked.mark, ""), at)
}

/// The messages and terms of a file.
struct Messages<'s> {
    source: &'s Marked,
    /// The comments of the whole file.
    resource_comments: String,
    /// The comment of the group at this point.
    group_comment: String,
    /// The offset of each id.
    ids: SeededMap<String, usize>,
    /// The whole file.
    text: &'s str,
}

impl<'s> Messages<'s> {
    /// Adds the entry of a message, or of a term, whose id starts with `prefix`.
    ///
    /// # Errors
    /// If its id or the name of an attribute is a duplicate.
    fn add(
        &mut self,
        mut message: Message<&'s str>,
        prefix: &str,
        list: &mut EntryList,
    ) -> Result<(), SyntaxError> {
        let context = format!("{prefix}{}", message.id.name);
        let offset = self.offset_of(message.id.name).saturating_sub(prefix.len());
        if let Some(first) = self.ids.insert(context.clone(), offset) {
            return Err(self.duplicate(first, offset));
        }
        let mut names: SeededMap<&str, &str> = SeededMap::default();
        for attribute in &message.attributes {
            let name = attribute.id.name;
            if let Some(first) = names.insert(name, name) {
                return Err(self.duplicate(self.offset_of(first), self.offset_of(name)));
            }
        }
        let note = self.note(message.comment.take().as_ref());
        let text = text::serialized(message, self.source.mark);
        list.push(RawEntry {
            note: &note,
            ..RawEntry::new(&context, &text, offset)
        });
        Ok(())
    }

    /// The error of a second id.
    fn duplicate(&self, first: usize, at: usize) -> SyntaxError {
        let first = offset(line_at(self.text.as_bytes(), first));
        ReadErrorKind::Duplicate { first }.at(at)
    }

    /// The offset of a name, which is a slice of the source.
    fn offset_of(&self, name: &str) -> usize {
        let start = self.source.text.as_ptr() as usize;
        self.source
            .original((name.as_ptr() as usize).saturating_sub(start))
    }

    /// The comments that apply to a message with a comment of its own.
    fn note(&self, comment: Option<&Comment<&str>>) -> String {
        let of_message = comment.map(joined).unwrap_or_default();
        let parts = [
            self.resource_comments.as_str(),
            &self.group_comment,
            &of_message,
        ];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("\n")
    }
}

fn joined(comment: &Comment<&str>) -> String {
    comment.content.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(String, usize)> {
        let mut list = EntryList::default();
        parse(text, &mut list).unwrap();
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
                parse(broken, &mut EntryList::default()).is_err(),
                "{broken}"
            );
        }
    }

    #[test]
    fn a_message_does_not_change_the_text_of_another() {
        let (a, b) = (
            "a =\n    { $x }\n      y\n",
            "b =\n    {\n    { $x }\n    }\n",
        );
        let text = |file: &str, at: usize| texts(file)[at].0.clone();
        assert_eq!(text(a, 0), "{ $x }\n  y");
        assert_eq!(text(b, 0), "{{ $x }}");
        let both = format!("{a}{b}");
        assert_eq!((text(&both, 0), text(&both, 1)), (text(a, 0), text(b, 0)));
    }

    #[test]
    fn braces_and_quotes_of_texts_and_comments_open_nothing() {
        let comment = "{ (".repeat(300);
        let text = "a = \" (\nb = say \"x { \"}\" } -> (\n    .c = { F(ARGS) }\n";
        let text = format!("# {comment}\n{}", text.replace("ARGS", &"$x, ".repeat(300)));
        let texts: Vec<_> = texts(&text).into_iter().map(|(text, _)| text).collect();
        assert_eq!(texts[0], "\" (");
        assert!(
            texts[1].starts_with("say \"x { \"}\" } -> (\n.c = { F($x, $x"),
            "{}",
            texts[1]
        );
    }

    #[test]
    fn a_text_does_not_begin_with_syntax() {
        let found = texts("a = .x\nb = [x]\n    .c = *\n");
        let texts: Vec<_> = found.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["{ \".\" }x", "{ \"[\" }x]\n.c = { \"*\" }"]);
    }

    #[test]
    fn pieces_begin_at_entries_without_a_comment() {
        let text = "### r\na = 1\n# c\n# d\nb =\n    x\nc = {\n$x }\n\n## g\n\nd = 2\n# e\n-e = 3\nf = 4\n";
        let marked = Marked::of(text).unwrap();
        let starts = |size| marked.pieces(size).into_iter().map(|(start, _)| start);
        let entries = ["a =", "c =", "d =", "f ="].map(|entry| text.find(entry).unwrap());
        assert_eq!(starts(1).skip(1).collect::<Vec<_>>(), entries[1..]);
        for size in 1..text.len() {
            let pieces = marked.pieces(size);
            assert_eq!(
                pieces.iter().map(|(_, piece)| *piece).collect::<String>(),
                text
            );
            assert!(starts(size).all(|start| start == 0 || entries.contains(&start)));
        }
    }

    #[test]
    fn a_file_of_several_pieces_is_read_as_one() {
        let entry = |at: usize| format!("# note {at}\nkey{at} = Text {at}\n\n");
        let count = 3 * PIECE / entry(0).len();
        let text: String = (0..count).map(entry).collect();
        let (text, last) = (format!("### all\n\n## group\n\n{text}"), count - 1);
        let mut list = EntryList::default();
        parse(&text, &mut list).unwrap();
        let mut found = Vec::new();
        list.emit(&mut |entry| {
            found.push((entry.text.to_owned(), entry.note.to_owned(), entry.offset))
        });
        assert_eq!(found.len(), count);
        let offset = text.find(&format!("key{last} =")).unwrap();
        let note = format!("all\ngroup\nnote {last}");
        assert_eq!(found[last], (format!("Text {last}"), note, offset));
        let broken = text.clone() + "x\n";
        let error = parse(&broken, &mut EntryList::default()).unwrap_err();
        assert_eq!(error.at, text.len() + 1, "behind the name");
    }

    #[test]
    fn an_attribute_that_occurs_twice_is_an_error() {
        let text = "a = x\n    .b = 1\n    .b = 2\n";
        let error = parse(text, &mut EntryList::default()).unwrap_err();
        assert_eq!(
            (error.kind, error.at),
            (ReadErrorKind::Duplicate { first: 2 }, 22)
        );
    }
}
