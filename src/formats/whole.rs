//! Reading a whole file.

use std::cell::RefCell;

use super::grammar::Grammar;
use super::lexer::{Fault, Lexer};
use super::outline::{Draft, Outline};
use super::repeats::Repeats;
use super::spell::Text;
use super::{MAX_BYTES, RawEntry, ReadError, ReadErrorKind};

thread_local! {
    /// Memory for the next read on this thread, so that a history of small files allocates next to nothing.
    static SPARE: RefCell<Draft> = RefCell::default();
}

/// More tokens than this are not kept for the next read.
const SPARE_TOKENS: usize = 1 << 17;

/// Lends memory for one read. A read within a read gets memory of its own.
pub(super) fn with_draft<T>(work: impl FnOnce(&mut Draft) -> T) -> T {
    let mut draft = SPARE.take();
    draft.clear();
    let result = work(&mut draft);
    if draft.tokens.capacity() <= SPARE_TOKENS {
        SPARE.set(draft);
    }
    result
}

/// [`super::Reader::read`] for a format written as JSON.
pub(super) fn read<G: Grammar>(
    grammar: &G,
    bytes: &[u8],
    outline: &mut Outline,
    sink: &mut dyn FnMut(RawEntry<'_>),
) -> Result<(), ReadError> {
    with_draft(|draft| read_with(grammar, bytes, outline, draft, sink))
}

/// The same with given memory.
pub(super) fn read_with<G: Grammar>(
    grammar: &G,
    bytes: &[u8],
    outline: &mut Outline,
    draft: &mut Draft,
    sink: &mut dyn FnMut(RawEntry<'_>),
) -> Result<(), ReadError> {
    let text = text(bytes)?;
    draft.clear();
    let repeats = lex(grammar, text, draft).map_err(|fault| located(text, fault))?;
    std::mem::swap(&mut outline.shape, &mut draft.shape);
    outline.plain = repeats.as_ref().is_none_or(Repeats::is_empty);
    grammar.entries(&draft.tokens, Text::new(text, 0), &mut String::new(), &repeats.unwrap_or_default(), sink);
    Ok(())
}

/// The bytes as text, if they can be a translation file at all.
fn text(bytes: &[u8]) -> Result<&str, ReadError> {
    let nowhere = |kind| ReadError { kind, line: 1, column: 1 };
    if bytes.len() > MAX_BYTES {
        return Err(nowhere(ReadErrorKind::TooLarge));
    }
    if bytes.starts_with(b"version https://git-lfs") {
        return Err(nowhere(ReadErrorKind::LfsPointer));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let fault = Fault { kind: ReadErrorKind::NotUtf8, at: valid.len() };
        located(std::str::from_utf8(valid).unwrap_or_default(), fault)
    })
}

/// Lexes a file into the draft. Gives the repeated names, if there may be any.
fn lex<G: Grammar>(grammar: &G, text: &str, draft: &mut Draft) -> Result<Option<Repeats>, Fault> {
    let bytes = text.as_bytes();
    let mark = if text.starts_with(MARK) { MARK.len_utf8() } else { 0 };
    if bytes.len() == mark {
        // Nothing in it is a file without entries.
        return Ok(None);
    }
    let mut lexer = Lexer::new(bytes, mark);
    if lexer.token().is_none() {
        return Err(Fault { kind: ReadErrorKind::Blank, at: lexer.at });
    }
    grammar.root(&mut lexer, draft)?;
    lexer.end()?;
    let repeats = draft.may_repeat().then(|| Repeats::find(&draft.tokens, Text::new(text, 0), G::NESTS));
    if draft.odd {
        let misfit = match &repeats {
            Some(repeats) => grammar.misfit(&draft.tokens, repeats),
            None => grammar.misfit(&draft.tokens, &Repeats::default()),
        };
        return misfit.map_or(Ok(repeats), Err);
    }
    Ok(repeats)
}

/// The byte order mark.
const MARK: char = '\u{FEFF}';

/// The line and column of a fault.
#[cold]
fn located(text: &str, fault: Fault) -> ReadError {
    let before = text.get(..fault.at).unwrap_or(text);
    let before = before.strip_prefix(MARK).unwrap_or(before);
    let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    ReadError { kind: fault.kind, line: number(line), column: number(column) }
}

#[cfg(test)]
mod tests {
    use super::super::MAX_DEPTH;
    use super::super::trial::entries;
    use super::*;
    use crate::model::FileFormat;

    const BOTH: [FileFormat; 2] = [FileFormat::Json, FileFormat::WebExtension];

    fn error(bytes: &[u8]) -> ReadError {
        let [json, webextension] = BOTH.map(|format| entries(format, bytes).unwrap_err());
        assert_eq!(json, webextension);
        json
    }

    #[test]
    fn an_error_says_where_it_is_and_what_was_expected() {
        let cases: [(&str, &str); 33] = [
            ("\n \n", "line 3, column 1: expected a JSON value, found only blanks; an empty translation is '{}'"),
            (
                "{\n  \"a\": {},\n}",
                "line 3, column 1: expected another value after the comma, found the end of the list; remove the comma",
            ),
            (
                "{\"a\": {\"x\": [1,]}}",
                "line 1, column 16: expected another value after the comma, found the end of the list; remove the comma",
            ),
            ("{,}", "line 1, column 2: expected a name in double quotes or '}', found ','"),
            ("{\"a\":{},,}", "line 1, column 9: expected a name in double quotes, found ','"),
            ("{\"a\":{}, // x\n}", "line 1, column 10: expected JSON, found a comment; JSON has none"),
            ("/* x */ {}", "line 1, column 1: expected JSON, found a comment; JSON has none"),
            ("{\"ž\" 1}", "line 1, column 6: expected ':' after the name, found '1'"),
            ("{\"a\":}", "line 1, column 6: expected a JSON value, found '}'"),
            ("{\"a\":{}", "line 1, column 8: expected ',' or '}' after the value, found the end of the file"),
            ("{\"a\":{} \"b\"", "line 1, column 9: expected ',' or '}' after the value, found '\"'"),
            ("{\"a\":{\"b\":[1 2]}}", "line 1, column 14: expected ',' or ']' after the value, found '2'"),
            ("{\"a\":{\"b\":[,]}}", "line 1, column 12: expected a JSON value or ']', found ','"),
            ("{'a':{}}", "line 1, column 2: expected a name in double quotes or '}', found '''"),
            ("{}}", "line 1, column 3: expected nothing more after the value, found '}'"),
            ("{} {}", "line 1, column 4: expected nothing more after the value, found '{'"),
            ("{\u{a0}}", "line 1, column 2: expected a name in double quotes or '}', found U+00A0"),
            ("{\"a\":{\"b\":nil}}", "line 1, column 11: expected a JSON value, found 'n'"),
            ("{\"a\":NaN}", "line 1, column 6: expected a JSON value, found NaN or Infinity; JSON has neither"),
            ("[-Infinity]", "line 1, column 2: expected a JSON value, found NaN or Infinity; JSON has neither"),
            ("{\"a\":1E400}", "line 1, column 6: expected a number up to 1.8e308, found a larger one"),
            ("{\"a\":01}", "line 1, column 6: expected a number without leading zeros, found one with them"),
            ("{\"a\":-}", "line 1, column 7: expected a digit, found '}'"),
            ("{\"a\":1.}", "line 1, column 8: expected a digit, found '}'"),
            ("{\"a\":1e+}", "line 1, column 9: expected a digit, found '}'"),
            ("{\"a\":+1}", "line 1, column 6: expected a JSON value, found '+'"),
            (
                "{\"a\n\":{}}",
                "line 1, column 4: expected an escape such as \\n in the string, found the raw control character U+000A",
            ),
            (
                "{\"a\":{\"b\":\"x",
                "line 1, column 11: expected the closing quote of the string that begins here, found the end of the file",
            ),
            (
                "{\"\\x\":{}}",
                "line 1, column 3: expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX, found another after the backslash",
            ),
            (
                "{\"\\u12g4\":{}}",
                "line 1, column 3: expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX, found another after the backslash",
            ),
            ("{\"\\ud800\":{}}", "line 1, column 3: expected a whole character, found the lone surrogate \\ud800"),
            (
                "{\"\\ud800\\u0041\":{}}",
                "line 1, column 3: expected a whole character, found the lone surrogate \\ud800",
            ),
            ("{\"\\udC00\":{}}", "line 1, column 3: expected a whole character, found the lone surrogate \\udc00"),
        ];
        for (json, message) in cases {
            assert_eq!(error(json.as_bytes()).to_string(), message, "{json}");
            // A byte order mark takes no column.
            assert_eq!(error(format!("{MARK}{json}").as_bytes()).to_string(), message, "{json}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_an_error_with_their_place() {
        let message = "line 2, column 3: expected UTF-8 text, found a byte that is not; save the file as UTF-8";
        assert_eq!(error(b"{\n\"\xC3\xA9\xFF\":{}}").to_string(), message);
        for bytes in [b"\xFF\xFE{\0}\0".as_slice(), b"{\"\xED\xA0\x80\":{}}", b"{\"\xC0\x80\":{}}", b"{\"\xC3"] {
            assert_eq!(error(bytes).kind, ReadErrorKind::NotUtf8, "{bytes:?}");
        }
    }

    #[test]
    fn a_file_without_a_byte_is_empty_also_behind_a_byte_order_mark() {
        for format in BOTH {
            for bytes in ["", "\u{FEFF}", "\u{FEFF} {} \n", "\t{\r\n}"] {
                assert_eq!(entries(format, bytes.as_bytes()), Ok(vec![]), "{bytes:?}");
            }
        }
    }

    #[test]
    fn a_pointer_of_git_lfs_is_told_from_broken_json() {
        let error = error(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n");
        assert_eq!(error.kind, ReadErrorKind::LfsPointer);
        assert!(error.to_string().contains("git LFS"));
    }

    #[test]
    fn a_file_of_more_than_64_mb_is_refused() {
        let mut bytes = vec![b' '; MAX_BYTES + 1];
        assert_eq!(error(&bytes).to_string(), "the file is larger than 64 MB");
        bytes.pop();
        assert_eq!(error(&bytes).kind, ReadErrorKind::Blank);
    }

    #[test]
    fn a_thousand_levels_are_read_and_more_are_an_error() {
        let nested = |open: &str, levels: usize, close: &str| {
            let (pairs, rest) = (levels / 2, levels % 2);
            let (open_rest, close_rest) = if rest == 1 { ("[", "]") } else { ("", "") };
            format!("{}{open_rest}7{close_rest}{}", open.repeat(pairs), close.repeat(pairs))
        };
        for (open, close) in [("[[", "]]"), ("{\"x\":{\"y\":", "}}"), ("[ {\"x\" : ", "} ]")] {
            // In a webextension file the message stands two levels deep.
            let message = |levels| format!("{{\"a\":{{\"message\":{}}}}}", nested(open, levels - 2, close));
            let deepest = nested(open, MAX_DEPTH, close);
            assert_eq!(entries(FileFormat::Json, deepest.as_bytes()).map(|all| all.len()), Ok(1), "{open}");
            let deepest = message(MAX_DEPTH);
            assert_eq!(entries(FileFormat::WebExtension, deepest.as_bytes()).map(|all| all.len()), Ok(1), "{open}");
            for levels in [MAX_DEPTH + 1, 10_000, 1_000_000] {
                assert_eq!(error(nested(open, levels, close).as_bytes()).kind, ReadErrorKind::TooDeep, "{open}");
                assert_eq!(error(message(levels).as_bytes()).kind, ReadErrorKind::TooDeep, "{open}");
            }
        }
    }
}
