//! Messages of browser extensions: each member of the outermost object is an entry (`units.md` 3).

use super::grammar::{Grammar, Member};
use super::lexer::{Fault, Kind, Lexer, Quoted, Span, place};
use super::outline::{Draft, Token};
use super::repeats::Repeats;
use super::spell::Text;
use super::{Expected, MAX_DEPTH, RawEntry, ReadErrorKind};

/// The reader of `webextension`.
#[derive(Clone, Copy, Debug)]
pub(super) struct WebExtension;

/// An entry is three tokens: itself, its message and its note.
const STRIDE: usize = 3;

impl Grammar for WebExtension {
    const NESTS: bool = false;

    fn root(&self, lexer: &mut Lexer<'_>, draft: &mut Draft) -> Result<(), Fault> {
        let open = lexer.at;
        draft.node(open, 0);
        draft.tokens.push(Token::default());
        let kind = if lexer.peek() == Some(b'{') {
            let container = draft.container(open, None, true);
            members(lexer, |lexer| {
                let member = Member::read(lexer, 0)?;
                self.member(lexer, draft, member, container, 1)
            })?;
            draft.close(container, lexer.at - 1);
            Kind::Object
        } else {
            draft.odd = true;
            pass_over(lexer, &mut draft.brackets, 0)?.0
        };
        let inner = place(draft.tokens.len() - 1);
        if let Some(token) = draft.tokens.first_mut() {
            *token = Token { name: Quoted::default(), kind, value: Span::new(open, lexer.at), inner };
        }
        Ok(())
    }

    fn member(
        &self,
        lexer: &mut Lexer<'_>,
        draft: &mut Draft,
        member: Member,
        _container: u32,
        depth: usize,
    ) -> Result<(), Fault> {
        draft.node(member.start, member.hash);
        let from = lexer.at;
        let (mut message, mut note) = (Token::default(), Token::default());
        let kind = if lexer.peek() == Some(b'{') {
            let mut room = String::new();
            members(lexer, |lexer| {
                let name = lexer.name()?;
                let (kind, value) = pass_over(lexer, &mut draft.brackets, depth + 1)?;
                let part = Token { name, kind, value, inner: 0 };
                // As everywhere, the last of a name counts.
                match lexer.text_of(name, &mut room) {
                    b"message" => message = part,
                    b"description" => note = part,
                    _ => {}
                }
                Ok(())
            })?;
            Kind::Object
        } else {
            draft.odd = true;
            pass_over(lexer, &mut draft.brackets, depth)?.0
        };
        let entry = Token { name: member.name, kind, value: Span::new(from, lexer.at), inner: place(STRIDE - 1) };
        draft.tokens.extend([entry, message, note]);
        Ok(())
    }

    fn misfit(&self, tokens: &[Token], repeats: &Repeats) -> Option<Fault> {
        let (root, entries) = tokens.split_first()?;
        if root.kind != Kind::Object {
            return Some(Fault { kind: ReadErrorKind::NotAnObject, at: root.value.from as usize });
        }
        let counting = (1..=entries.len()).step_by(STRIDE).filter_map(|entry| tokens.get(repeats.value_of(entry)?));
        let wrong = counting.filter(|entry| entry.kind != Kind::Object).map(|entry| entry.value.from).min()?;
        Some(Fault { kind: ReadErrorKind::EntryNotAnObject, at: wrong as usize })
    }

    fn entries(
        &self,
        tokens: &[Token],
        text: Text<'_>,
        _outer: &mut String,
        repeats: &Repeats,
        sink: &mut dyn FnMut(RawEntry<'_>),
    ) {
        let (mut context_room, mut text_room, mut note_room) = (String::new(), String::new(), String::new());
        let first = usize::from(tokens.first().is_some_and(|token| token.is_root()));
        for at in (first..tokens.len()).step_by(STRIDE) {
            let (Some(entry), Some(value)) = (tokens.get(at), repeats.value_of(at)) else { continue };
            let Some([message, note]) = tokens.get(value + 1..value + STRIDE) else { continue };
            let context = text.quoted(entry.name, &mut context_room);
            let (note, _) = text.leaf(note.kind, note.value, &mut note_room);
            let (text, translated) = text.leaf(message.kind, message.value, &mut text_room);
            sink(RawEntry { context, text, note, translated });
        }
    }
}

/// Goes through the members of an object, whose opening bracket is here; `member` reads one from its first
/// quote to the end of its value.
fn members<'a>(
    lexer: &mut Lexer<'a>,
    mut member: impl FnMut(&mut Lexer<'a>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    lexer.at += 1;
    match lexer.token() {
        Some(b'}') => {
            lexer.at += 1;
            return Ok(());
        }
        Some(b'"') => {}
        _ => return Err(lexer.unexpected(Expected::NameOrEnd)),
    }
    loop {
        member(lexer)?;
        let byte = lexer.token();
        match byte {
            Some(b'}') => {
                lexer.at += 1;
                return Ok(());
            }
            Some(b',') => lexer.at += 1,
            _ => return Err(lexer.unexpected(Expected::CommaOrBrace)),
        }
        if lexer.token() != Some(b'"') {
            return Err(lexer.after_comma(b'}', Expected::Name));
        }
    }
}

/// Goes past any value, without recursion: `depth` containers are around it.
fn pass_over(lexer: &mut Lexer<'_>, brackets: &mut Vec<bool>, depth: usize) -> Result<(Kind, Span), Fault> {
    let from = lexer.at;
    let kind = match lexer.peek() {
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::Array,
        _ => return lexer.scalar(Expected::Value),
    };
    let mut expected = Expected::Value;
    brackets.clear();
    loop {
        if let Some(open @ (b'{' | b'[')) = lexer.peek() {
            if depth + brackets.len() >= MAX_DEPTH {
                return Err(Fault { kind: ReadErrorKind::TooDeep, at: lexer.at });
            }
            let square = open == b'[';
            brackets.push(square);
            lexer.at += 1;
            match (square, lexer.token()) {
                (false, Some(b'}')) | (true, Some(b']')) => {}
                (false, Some(b'"')) => {
                    lexer.name()?;
                    expected = Expected::Value;
                    continue;
                }
                (false, _) => return Err(lexer.unexpected(Expected::NameOrEnd)),
                (true, _) => {
                    expected = Expected::ValueOrEnd;
                    continue;
                }
            }
        } else {
            lexer.scalar(expected)?;
        }
        expected = Expected::Value;
        loop {
            let Some(&square) = brackets.last() else { return Ok((kind, Span::new(from, lexer.at))) };
            let byte = lexer.token();
            match (square, byte) {
                (false, Some(b',')) => {
                    lexer.at += 1;
                    if lexer.token() != Some(b'"') {
                        return Err(lexer.after_comma(b'}', Expected::Name));
                    }
                    lexer.name()?;
                    break;
                }
                (true, Some(b',')) => {
                    lexer.at += 1;
                    if lexer.token() == Some(b']') {
                        return Err(lexer.after_comma(b']', Expected::Value));
                    }
                    break;
                }
                (false, Some(b'}')) | (true, Some(b']')) => {
                    lexer.at += 1;
                    brackets.pop();
                }
                (false, _) => return Err(lexer.unexpected(Expected::CommaOrBrace)),
                (true, _) => return Err(lexer.unexpected(Expected::CommaOrBracket)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{Owned, entries};
    use super::ReadErrorKind;
    use crate::model::FileFormat;

    fn read(json: &str) -> Vec<Owned> {
        entries(FileFormat::WebExtension, json.as_bytes()).unwrap()
    }

    fn entry(context: &str, text: &str, note: &str, translated: bool) -> Owned {
        Owned { context: context.into(), text: text.into(), note: note.into(), translated }
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
    fn a_message_of_any_kind_is_read_in_pythons_spelling() {
        let cases = [
            ("{}", "", false),
            (r#"{"message":null}"#, "", false),
            (r#"{"message":5}"#, "5", true),
            (r#"{"message":0.0}"#, "0.0", false),
            (r#"{"message":false}"#, "False", false),
            (r#"{"message":["x", {"y": true}]}"#, "['x', {'y': True}]", true),
            (r#"{"message":[ ]}"#, "[]", false),
            (r#"{"message":"1","message":"2"}"#, "2", true),
            (r#"{"m\u0065ssage":"1"}"#, "1", true),
        ];
        for (json, text, translated) in cases {
            assert_eq!(read(&format!(r#"{{"a":{json}}}"#)), [entry("a", text, "", translated)], "{json}");
        }
    }

    #[test]
    fn a_description_that_is_no_text_is_spelled_out_and_null_is_no_note() {
        for (json, note) in [("null", ""), (r#""""#, ""), ("7", "7"), ("true", "True"), (r#"["x"]"#, "['x']")] {
            let read = read(&format!(r#"{{"a":{{"message":"m","description":{json}}}}}"#));
            assert_eq!(read, [entry("a", "m", note, true)], "{json}");
        }
    }

    #[test]
    fn a_repeated_entry_has_the_place_of_the_first_and_the_value_of_the_last() {
        let json = r#"{"a":{"message":"1","description":"d"},"b":{},"a":{"message":"3"}}"#;
        assert_eq!(read(json), [entry("a", "3", "", true), entry("b", "", "", false)]);
        // What counts is an object, so what it replaces need not be one.
        assert_eq!(read(r#"{"a":1,"a":{"message":"3"}}"#), [entry("a", "3", "", true)]);
    }

    #[test]
    fn anything_but_an_object_of_objects_is_an_error_with_its_place() {
        let cases = [
            ("[]", ReadErrorKind::NotAnObject, 1),
            (" 5", ReadErrorKind::NotAnObject, 2),
            (r#"{"a":{},"b":"x"}"#, ReadErrorKind::EntryNotAnObject, 13),
            (r#"{"a":[]}"#, ReadErrorKind::EntryNotAnObject, 6),
            (r#"{"a":{},"b":null}"#, ReadErrorKind::EntryNotAnObject, 13),
            (r#"{"a":{},"a":2}"#, ReadErrorKind::EntryNotAnObject, 13),
        ];
        for (json, kind, column) in cases {
            let error = entries(FileFormat::WebExtension, json.as_bytes()).unwrap_err();
            assert_eq!((error.kind, error.line, error.column), (kind, 1, column), "{json}");
        }
    }
}
