//! The `json` format: every leaf is an entry, its id the path to it (`docs/spec/formats.md#json`).

use std::fmt::Write as _;

use super::buffers::ParseBuffers;
use super::dialect::JsonDialect;
use super::duplicates::DuplicateMembers;
use super::lexer::{Lexer, Member};
use super::token::{JsonKind, JsonText, JsonToken};
use super::tree::lex_value;
use crate::entry::{EntrySink, RawEntry};
use crate::error::SyntaxError;

pub(crate) struct Json;

impl JsonDialect for Json {
    const TOKENS_PER_NODE: usize = 1;

    fn root(&self, lexer: &mut Lexer<'_>, buffers: &mut ParseBuffers) -> Result<(), SyntaxError> {
        let root = Member {
            start: lexer.at,
            ..Member::default()
        };
        lex_value::<true>(lexer, buffers, root, None, 0)
    }

    fn member(
        &self,
        lexer: &mut Lexer<'_>,
        buffers: &mut ParseBuffers,
        member: Member,
        container: u32,
        depth: usize,
    ) -> Result<(), SyntaxError> {
        lex_value::<true>(lexer, buffers, member, Some(container), depth)
    }

    fn entries(
        &self,
        tokens: &[JsonToken],
        text: JsonText<'_>,
        path: &mut String,
        duplicates: &DuplicateMembers,
        sink: EntrySink<'_>,
    ) {
        let mut buffer = String::new();
        let mut levels = Vec::new();
        let mut level = NestingLevel {
            next: 0,
            end: tokens.len(),
            path: path.len(),
            index: None,
        };
        loop {
            let at = level.next;
            let Some(token) = tokens.get(at).filter(|_| at < level.end) else {
                let Some(outer) = levels.pop() else { break };
                level = outer;
                continue;
            };
            level.next = at + 1 + token.inner as usize;
            let Some((from, value)) = duplicates
                .value_of(at)
                .and_then(|from| Some((from, tokens.get(from)?)))
            else {
                continue;
            };
            path.truncate(level.path);
            if let Some(index) = &mut level.index {
                // Writing to a string cannot fail.
                let _ = write!(path, "[{index}]");
                *index += 1;
            } else if !token.is_unnamed() {
                path.push('.');
                text.add_name(token.name, path);
            }
            if value.kind.is_container() {
                let index = (value.kind == JsonKind::Array).then_some(0);
                let inner = NestingLevel {
                    next: from + 1,
                    end: from + 1 + value.inner as usize,
                    path: path.len(),
                    index,
                };
                levels.push(std::mem::replace(&mut level, inner));
            } else {
                let (leaf, translated) = text.leaf(value.kind, value.value, &mut buffer);
                sink(RawEntry {
                    translated,
                    ..RawEntry::new(path, leaf, value.start())
                });
            }
        }
    }
}

/// The siblings that are being emitted.
struct NestingLevel {
    /// The next token.
    next: usize,
    /// The index after the last token.
    end: usize,
    /// The length of the path of the parent.
    path: usize,
    /// The index of the next element, in an array.
    index: Option<usize>,
}

#[cfg(test)]
mod tests {
    use crate::test_support::entries;
    use gitglot_model::FileFormat::Json;

    /// (context, text) of each entry.
    fn read(json: &str) -> Vec<(String, String)> {
        entries(Json, json.as_bytes())
            .unwrap()
            .into_iter()
            .map(|entry| (entry.context, entry.text))
            .collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected
            .iter()
            .map(|&(context, text)| (context.to_owned(), text.to_owned()))
            .collect()
    }

    #[test]
    fn ids_are_paths_with_a_leading_dot() {
        let cases: [(&str, &[(&str, &str)]); 12] = [
            (
                r#"{"a":{"b":["x",{"k":"y"}]}}"#,
                &[(".a.b[0]", "x"), (".a.b[1].k", "y")],
            ),
            (r#"["x",{"k":"v"}]"#, &[("[0]", "x"), ("[1].k", "v")]),
            (r#""str""#, &[("", "str")]),
            (
                r#"{"a.b":"x","a":{"b":"y"}}"#,
                &[(".a.b", "x"), (".a.b", "y")],
            ),
            (
                r#"{"a":[[1,2],[3]]}"#,
                &[(".a[0][0]", "1"), (".a[0][1]", "2"), (".a[1][0]", "3")],
            ),
            (
                r#"{"":"x",".":"y","a":{"":"z"}}"#,
                &[(".", "x"), ("..", "y"), (".a.", "z")],
            ),
            (r#"{"a":{},"b":[],"c":{"d":{}},"e":"f"}"#, &[(".e", "f")]),
            ("{}", &[]),
            ("[]", &[]),
            (" [ [ ] , { } ] ", &[]),
            (
                r#"{"a":{"b":{"c":"1"},"d":"2"},"e":"3"}"#,
                &[(".a.b.c", "1"), (".a.d", "2"), (".e", "3")],
            ),
            (r#"{"a\u002eb\n":"x"}"#, &[(".a.b\n", "x")]),
        ];
        for (json, expected) in cases {
            assert_eq!(read(json), pairs(expected), "{json}");
        }
    }

    #[test]
    fn a_duplicate_has_the_position_of_the_first_and_the_value_of_the_last() {
        let cases: [(&str, &[(&str, &str)]); 7] = [
            (r#"{"a":"1","b":"2","a":"3"}"#, &[(".a", "3"), (".b", "2")]),
            (
                r#"{"a":"1","b":"2","a":"3","a":"4"}"#,
                &[(".a", "4"), (".b", "2")],
            ),
            (
                r#"{"a":{"x":"1","y":"2"},"b":"3","a":{"z":"4"}}"#,
                &[(".a.z", "4"), (".b", "3")],
            ),
            (
                r#"{"a":{"x":"1"},"b":"3","a":"4"}"#,
                &[(".a", "4"), (".b", "3")],
            ),
            (r#"{"a":"1","\u0061":"2"}"#, &[(".a", "2")]),
            (
                r#"{"a":"1","b":"2","a":{"x":"1","y":"2","x":["3"]}}"#,
                &[(".a.x[0]", "3"), (".a.y", "2"), (".b", "2")],
            ),
            (
                r#"[{"a":"1"},{"a":"2","a":"3"}]"#,
                &[("[0].a", "1"), ("[1].a", "3")],
            ),
        ];
        for (json, expected) in cases {
            assert_eq!(read(json), pairs(expected), "{json}");
        }
    }

    #[test]
    fn values_have_the_notation_of_python() {
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
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
                true,
            ),
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
            let [entry] = all.as_slice() else {
                panic!("{json}: {all:?}")
            };
            assert_eq!(
                (entry.text.as_str(), entry.translated, entry.note.as_str()),
                (text, translated, ""),
                "{json}"
            );
        }
    }
}
