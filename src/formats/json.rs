//! Nested JSON of texts: every leaf is an entry, its id the path to it (`units.md` 2).

use std::fmt::Write as _;

use super::grammar::{Grammar, Member};
use super::lexer::{Fault, Kind, Lexer, Span, place};
use super::outline::{Draft, Frame, Token, path_hash};
use super::repeats::Repeats;
use super::spell::Text;
use super::{Expected, MAX_DEPTH, RawEntry, ReadErrorKind};

/// The reader of `json`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json;

impl Grammar for Json {
    const NESTS: bool = true;

    fn root(&self, lexer: &mut Lexer<'_>, draft: &mut Draft) -> Result<(), Fault> {
        let root = Member { start: lexer.at, ..Member::default() };
        tree(lexer, draft, root, None, 0)
    }

    fn member(
        &self,
        lexer: &mut Lexer<'_>,
        draft: &mut Draft,
        member: Member,
        container: u32,
        depth: usize,
    ) -> Result<(), Fault> {
        tree(lexer, draft, member, Some(container), depth)
    }

    fn entries(
        &self,
        tokens: &[Token],
        text: Text<'_>,
        outer: &mut String,
        repeats: &Repeats,
        sink: &mut dyn FnMut(RawEntry<'_>),
    ) {
        tell(tokens, text, outer, repeats, sink);
    }
}

/// Lexes a value and all that is in it, without recursion: `depth` containers are around it.
fn tree(
    lexer: &mut Lexer<'_>,
    draft: &mut Draft,
    member: Member,
    container: Option<u32>,
    depth: usize,
) -> Result<(), Fault> {
    let mut next = member;
    let mut expected = Expected::Value;
    draft.stack.clear();
    loop {
        draft.node(next.start, next.hash);
        let open = lexer.at;
        let object = lexer.peek() == Some(b'{');
        if object || lexer.peek() == Some(b'[') {
            let parent = draft.stack.last().map_or(container, |frame| Some(frame.container));
            if depth + draft.stack.len() >= MAX_DEPTH {
                return Err(Fault { kind: ReadErrorKind::TooDeep, at: open });
            }
            let index = draft.container(open, parent, object);
            draft.stack.push(Frame {
                token: place(draft.tokens.len()),
                container: index,
                hash: next.hash,
                index: (!object).then_some(0),
            });
            let kind = if object { Kind::Object } else { Kind::Array };
            draft.tokens.push(Token { name: next.name, kind, value: Span::new(open, open), inner: 0 });
            lexer.at += 1;
            match lexer.token() {
                Some(b'}') if object => close(lexer, draft),
                Some(b']') if !object => close(lexer, draft),
                Some(b'"') if object => {
                    next = Member::read(lexer, next.hash)?;
                    expected = Expected::Value;
                    continue;
                }
                _ if object => return Err(lexer.unexpected(Expected::NameOrEnd)),
                _ => {
                    next = element(lexer, next.hash, 0);
                    expected = Expected::ValueOrEnd;
                    continue;
                }
            }
        } else {
            let (kind, value) = lexer.scalar(expected)?;
            draft.tokens.push(Token { name: next.name, kind, value, inner: 0 });
        }
        // A value has ended, and with it perhaps what it stands in.
        loop {
            let Some(frame) = draft.stack.last_mut() else { return Ok(()) };
            let byte = lexer.token();
            match (&mut frame.index, byte) {
                (None, Some(b',')) => {
                    lexer.at += 1;
                    if lexer.token() != Some(b'"') {
                        return Err(lexer.after_comma(b'}', Expected::Name));
                    }
                    next = Member::read(lexer, frame.hash)?;
                    expected = Expected::Value;
                    break;
                }
                (Some(index), Some(b',')) => {
                    lexer.at += 1;
                    if lexer.token() == Some(b']') {
                        return Err(lexer.after_comma(b']', Expected::Value));
                    }
                    *index = index.saturating_add(1);
                    next = element(lexer, frame.hash, *index);
                    expected = Expected::Value;
                    break;
                }
                (None, Some(b'}')) | (Some(_), Some(b']')) => close(lexer, draft),
                (None, _) => return Err(lexer.unexpected(Expected::CommaOrBrace)),
                (Some(_), _) => return Err(lexer.unexpected(Expected::CommaOrBracket)),
            }
        }
    }
}

/// Ends the innermost container; its closing bracket is here.
fn close(lexer: &mut Lexer<'_>, draft: &mut Draft) {
    let Some(frame) = draft.stack.pop() else { return };
    draft.close(frame.container, lexer.at);
    let inner = draft.tokens.len() - 1 - frame.token as usize;
    if let Some(token) = draft.tokens.get_mut(frame.token as usize) {
        token.inner = place(inner);
        token.value.until = place(lexer.at + 1);
    }
    lexer.at += 1;
}

/// An element of an array; it begins here.
fn element(lexer: &Lexer<'_>, outer: u32, index: u32) -> Member {
    Member { start: lexer.at, hash: path_hash(outer, &index.to_le_bytes()), ..Member::default() }
}

/// A list of siblings that is being told.
struct Level {
    /// The next of its tokens.
    next: usize,
    /// After its last token.
    end: usize,
    /// How much of the path is that of the list.
    path: usize,
    /// The next element's number, in an array.
    index: Option<usize>,
}

/// Gives the entries of tokens that are members of one object, whose path is `path`; or of the whole value, when
/// the first token has no name and its own path is empty.
fn tell(tokens: &[Token], text: Text<'_>, path: &mut String, repeats: &Repeats, sink: &mut dyn FnMut(RawEntry<'_>)) {
    let mut room = String::new();
    let mut levels = Vec::new();
    let mut level = Level { next: 0, end: tokens.len(), path: path.len(), index: None };
    loop {
        let at = level.next;
        let Some(token) = tokens.get(at).filter(|_| at < level.end) else {
            let Some(outer) = levels.pop() else { break };
            level = outer;
            continue;
        };
        level.next = at + 1 + token.inner as usize;
        let Some((from, value)) = repeats.value_of(at).and_then(|from| Some((from, tokens.get(from)?))) else {
            continue;
        };
        path.truncate(level.path);
        if let Some(index) = &mut level.index {
            // Writing to a string cannot fail.
            let _ = write!(path, "[{index}]");
            *index += 1;
        } else if !token.is_root() {
            path.push('.');
            text.add_name(token.name, path);
        }
        if matches!(value.kind, Kind::Object | Kind::Array) {
            let index = (value.kind == Kind::Array).then_some(0);
            let inner = Level { next: from + 1, end: from + 1 + value.inner as usize, path: path.len(), index };
            levels.push(std::mem::replace(&mut level, inner));
        } else {
            let (leaf, translated) = text.leaf(value.kind, value.value, &mut room);
            sink(RawEntry { context: path, text: leaf, note: "", translated });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::entries;
    use crate::model::FileFormat::Json;

    /// (context, text) of each entry.
    fn read(json: &str) -> Vec<(String, String)> {
        entries(Json, json.as_bytes()).unwrap().into_iter().map(|entry| (entry.context, entry.text)).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|&(context, text)| (context.to_owned(), text.to_owned())).collect()
    }

    #[test]
    fn ids_are_paths_with_a_leading_dot() {
        let cases: [(&str, &[(&str, &str)]); 12] = [
            (r#"{"a":{"b":["x",{"k":"y"}]}}"#, &[(".a.b[0]", "x"), (".a.b[1].k", "y")]),
            (r#"["x",{"k":"v"}]"#, &[("[0]", "x"), ("[1].k", "v")]),
            (r#""str""#, &[("", "str")]),
            (r#"{"a.b":"x","a":{"b":"y"}}"#, &[(".a.b", "x"), (".a.b", "y")]),
            (r#"{"a":[[1,2],[3]]}"#, &[(".a[0][0]", "1"), (".a[0][1]", "2"), (".a[1][0]", "3")]),
            (r#"{"":"x",".":"y","a":{"":"z"}}"#, &[(".", "x"), ("..", "y"), (".a.", "z")]),
            (r#"{"a":{},"b":[],"c":{"d":{}},"e":"f"}"#, &[(".e", "f")]),
            ("{}", &[]),
            ("[]", &[]),
            (" [ [ ] , { } ] ", &[]),
            (r#"{"a":{"b":{"c":"1"},"d":"2"},"e":"3"}"#, &[(".a.b.c", "1"), (".a.d", "2"), (".e", "3")]),
            (r#"{"a\u002eb\n":"x"}"#, &[(".a.b\n", "x")]),
        ];
        for (json, expected) in cases {
            assert_eq!(read(json), pairs(expected), "{json}");
        }
    }

    #[test]
    fn a_repeated_name_has_the_place_of_the_first_and_the_value_of_the_last() {
        let cases: [(&str, &[(&str, &str)]); 7] = [
            (r#"{"a":"1","b":"2","a":"3"}"#, &[(".a", "3"), (".b", "2")]),
            (r#"{"a":"1","b":"2","a":"3","a":"4"}"#, &[(".a", "4"), (".b", "2")]),
            (r#"{"a":{"x":"1","y":"2"},"b":"3","a":{"z":"4"}}"#, &[(".a.z", "4"), (".b", "3")]),
            (r#"{"a":{"x":"1"},"b":"3","a":"4"}"#, &[(".a", "4"), (".b", "3")]),
            (r#"{"a":"1","\u0061":"2"}"#, &[(".a", "2")]),
            (r#"{"a":"1","b":"2","a":{"x":"1","y":"2","x":["3"]}}"#, &[(".a.x[0]", "3"), (".a.y", "2"), (".b", "2")]),
            (r#"[{"a":"1"},{"a":"2","a":"3"}]"#, &[("[0].a", "1"), ("[1].a", "3")]),
        ];
        for (json, expected) in cases {
            assert_eq!(read(json), pairs(expected), "{json}");
        }
    }

    #[test]
    fn values_are_spelled_as_in_python() {
        let cases = [
            ("42", "42", true),
            ("-7", "-7", true),
            ("0", "0", false),
            ("-0", "0", false),
            ("-0.0", "-0.0", false),
            ("0.00e5", "0.0", false),
            ("1.0", "1.0", true),
            ("1e5", "100000.0", true),
            ("1e16", "1e+16", true),
            ("1E-7", "1e-07", true),
            ("123456789012345678901234567890", "123456789012345678901234567890", true),
            ("true", "True", true),
            ("false", "False", false),
            ("null", "", false),
            (r#""""#, "", false),
            (r#"" ""#, " ", true),
            (r#""\u0000""#, "\0", true),
            (r#""P\u0159\u00edli\u0161 \ud83d\ude00""#, "Příliš 😀", true),
        ];
        for (json, text, translated) in cases {
            let all = entries(Json, format!(r#"{{"k":{json}}}"#).as_bytes()).unwrap();
            let [entry] = all.as_slice() else { panic!("{json}: {all:?}") };
            assert_eq!((entry.text.as_str(), entry.translated, entry.note.as_str()), (text, translated, ""), "{json}");
        }
    }
}
