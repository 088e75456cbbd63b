//! The `webextension` format: each member of the root object is an entry (`docs/spec/formats.md#webextension`).

use super::buffers::ParseBuffers;
use super::dialect::JsonDialect;
use super::duplicates::DuplicateMembers;
use super::lexer::{COMMA_OR_BRACE, Lexer, Member, NAME_OR_END};
use super::node::JsonNode;
use super::token::{ByteSpan, JsonKind, JsonText, JsonToken, Quoted};
use super::tree::skip;
use crate::entry::{EntrySink, RawEntry};
use crate::entry_list::EntryList;
use crate::error::{ReadErrorKind, SyntaxError};
use crate::offsets::offset;

pub(crate) struct WebExtension;

/// The same messages in a file that is no JSON.
pub(crate) fn entries(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    root.require_object("an object of messages at the top level")?;
    for member in root.children() {
        member.require_object("an object with the message")?;
        let text_of = |name: &str| {
            let value = member.get(name);
            let scalar = value.filter(|value| !value.kind().is_container());
            scalar.map(JsonNode::text).unwrap_or_default()
        };
        let (text, note) = (text_of("message"), text_of("description"));
        list.push(RawEntry {
            note: &note,
            ..RawEntry::new(&member.name(), &text, member.offset())
        });
    }
    Ok(())
}

/// Tokens per entry: the entry, its message and its note.
const STRIDE: usize = 3;

impl JsonDialect for WebExtension {
    const TOKENS_PER_NODE: usize = STRIDE;

    fn root(&self, lexer: &mut Lexer<'_>, buffers: &mut ParseBuffers) -> Result<(), SyntaxError> {
        let open = lexer.at;
        buffers.node(open, 0);
        buffers.tokens.push(JsonToken::default());
        let kind = if lexer.peek() == Some(b'{') {
            let container = buffers.container(open, None, true);
            members(lexer, |lexer| {
                let member = Member::read(lexer, 0)?;
                self.member(lexer, buffers, member, container, 1)
            })?;
            buffers.close(container, lexer.at - 1);
            JsonKind::Object
        } else {
            buffers.unsupported = true;
            skip(lexer, buffers, 0)?.0
        };
        let inner = offset(buffers.tokens.len() - 1);
        if let Some(token) = buffers.tokens.first_mut() {
            *token = JsonToken {
                name: Quoted::default(),
                kind,
                value: ByteSpan::new(open, lexer.at),
                inner,
            };
        }
        Ok(())
    }

    fn unsupported_value(
        &self,
        tokens: &[JsonToken],
        duplicates: &DuplicateMembers,
    ) -> Option<SyntaxError> {
        let unsupported = |at: u32, expected| ReadErrorKind::Structure { expected }.at(at as usize);
        let (root, entries) = tokens.split_first()?;
        if root.kind != JsonKind::Object {
            let expected = "an object of messages at the top level";
            return Some(unsupported(root.value.from, expected));
        }
        let counting = (1..=entries.len())
            .step_by(STRIDE)
            .filter_map(|entry| tokens.get(duplicates.value_of(entry)?));
        let wrong = counting.filter(|entry| entry.kind != JsonKind::Object);
        let wrong = wrong.map(|entry| entry.value.from).min()?;
        let expected = "an object with the message, such as {\"message\": \"text\"}";
        Some(unsupported(wrong, expected))
    }

    fn entries(
        &self,
        tokens: &[JsonToken],
        text: JsonText<'_>,
        _outer: &mut String,
        duplicates: &DuplicateMembers,
        sink: EntrySink<'_>,
    ) {
        let (mut text_buffer, mut note_buffer) = (String::new(), String::new());
        let first = usize::from(tokens.first().is_some_and(|token| token.is_unnamed()));
        for at in (first..tokens.len()).step_by(STRIDE) {
            let (Some(entry), Some(value)) = (tokens.get(at), duplicates.value_of(at)) else {
                continue;
            };
            let Some([message, note]) = tokens.get(value + 1..value + STRIDE) else {
                continue;
            };
            let context = text.name(entry.name);
            let start = tokens.get(value).map_or(0, JsonToken::start);
            let (note, _) = text.leaf(note.kind, note.value, &mut note_buffer);
            let (text, translated) = text.leaf(message.kind, message.value, &mut text_buffer);
            sink(RawEntry {
                note,
                translated,
                ..RawEntry::new(&context, text, start)
            });
        }
    }

    fn member(
        &self,
        lexer: &mut Lexer<'_>,
        buffers: &mut ParseBuffers,
        member: Member,
        _container: u32,
        depth: usize,
    ) -> Result<(), SyntaxError> {
        buffers.node(member.start, member.hash);
        let from = lexer.at;
        let (mut message, mut note) = (JsonToken::default(), JsonToken::default());
        let kind = if lexer.peek() == Some(b'{') {
            let mut buffer = String::new();
            members(lexer, |lexer| {
                let name = lexer.name()?;
                let (kind, value) = skip(lexer, buffers, depth + 1)?;
                let part = JsonToken {
                    name,
                    kind,
                    value,
                    inner: 0,
                };
                // The last member of a name counts.
                match lexer.text_of(name, &mut buffer) {
                    b"message" => message = part,
                    b"description" => note = part,
                    _ => {}
                }
                Ok(())
            })?;
            JsonKind::Object
        } else {
            buffers.unsupported = true;
            skip(lexer, buffers, depth)?.0
        };
        let entry = JsonToken {
            name: member.name,
            kind,
            value: ByteSpan::new(from, lexer.at),
            inner: offset(STRIDE - 1),
        };
        buffers.tokens.extend([entry, message, note]);
        Ok(())
    }
}

/// Reads the members of an object, whose opening brace is at the cursor. `member` reads one, from the first quote
/// to the end of its value.
fn members<'a>(
    lexer: &mut Lexer<'a>,
    mut member: impl FnMut(&mut Lexer<'a>) -> Result<(), SyntaxError>,
) -> Result<(), SyntaxError> {
    lexer.at += 1;
    match lexer.token() {
        Some(b'}') => {
            lexer.at += 1;
            return Ok(());
        }
        Some(b'"') => {}
        _ => return Err(lexer.unexpected(NAME_OR_END)),
    }
    loop {
        member(lexer)?;
        match lexer.token() {
            Some(b'}') => {
                lexer.at += 1;
                return Ok(());
            }
            Some(b',') => lexer.comma()?,
            _ => return Err(lexer.unexpected(COMMA_OR_BRACE)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::test_support::{Owned, entries};
    use gitglot_model::FileFormat;

    fn read(json: &str) -> Vec<Owned> {
        entries(FileFormat::WebExtension, json.as_bytes()).unwrap()
    }

    fn entry(context: &str, text: &str, note: &str, translated: bool) -> Owned {
        Owned {
            context: context.into(),
            text: text.into(),
            note: note.into(),
            translated,
        }
    }

    #[test]
    fn an_entry_is_its_message_and_its_description() {
        let json = r#"{
            "appName": {"message": "My \"app\"", "description": "Name", "placeholders": {"n": {"content": "$1"}}},
            "A.b": {"description": "only", "other": [1, {"message": "no"}, [], {}]},
            "a.b": {"x": null, "message": "two"}
        }"#;
        let expected = [
            entry("appName", "My \"app\"", "Name", true),
            entry("A.b", "", "only", false),
            entry("a.b", "two", "", true),
        ];
        assert_eq!(read(json), expected);
    }

    #[test]
    fn a_message_that_is_no_string_has_python_notation() {
        let cases = [
            ("{}", "", false),
            (r#"{"message":null}"#, "", false),
            (r#"{"message":5}"#, "5", true),
            (r#"{"message":0.0}"#, "0.0", false),
            (r#"{"message":false}"#, "False", false),
            (
                r#"{"message":["x", {"y": true}]}"#,
                "['x', {'y': True}]",
                true,
            ),
            (r#"{"message":[ ]}"#, "[]", false),
            (r#"{"message":"1","message":"2"}"#, "2", true),
            (r#"{"m\u0065ssage":"1"}"#, "1", true),
        ];
        for (json, text, translated) in cases {
            assert_eq!(
                read(&format!(r#"{{"a":{json}}}"#)),
                [entry("a", text, "", translated)],
                "{json}"
            );
        }
    }

    #[test]
    fn a_description_that_is_no_string_has_python_notation() {
        for (json, note) in [
            ("null", ""),
            (r#""""#, ""),
            ("7", "7"),
            ("true", "True"),
            (r#"["x"]"#, "['x']"),
        ] {
            let read = read(&format!(
                r#"{{"a":{{"message":"m","description":{json}}}}}"#
            ));
            assert_eq!(read, [entry("a", "m", note, true)], "{json}");
        }
    }

    #[test]
    fn a_duplicate_has_the_position_of_the_first_and_the_value_of_the_last() {
        let json = r#"{"a":{"message":"1","description":"d"},"b":{},"a":{"message":"3"}}"#;
        assert_eq!(
            read(json),
            [entry("a", "3", "", true), entry("b", "", "", false)]
        );
        // The last member counts. It is an object; the member that it replaces need not be one.
        assert_eq!(
            read(r#"{"a":1,"a":{"message":"3"}}"#),
            [entry("a", "3", "", true)]
        );
    }

    #[test]
    fn anything_but_an_object_of_objects_is_an_error() {
        const OBJECT: &str =
            "expected an object of messages at the top level, found a different value";
        const MESSAGE: &str = "expected an object with the message, such as {\"message\": \"text\"}, found a different value";
        let cases = [
            ("[]", OBJECT, 1),
            (" 5", OBJECT, 2),
            (r#"{"a":{},"b":"x"}"#, MESSAGE, 13),
            (r#"{"a":[]}"#, MESSAGE, 6),
            (r#"{"a":{},"b":null}"#, MESSAGE, 13),
            (r#"{"a":{},"a":2}"#, MESSAGE, 13),
        ];
        for (json, message, column) in cases {
            let error = entries(FileFormat::WebExtension, json.as_bytes()).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("line 1, column {column}: {message}"),
                "{json}"
            );
        }
    }
}
