//! Parses a whole file.

use super::buffers::ParseBuffers;
use super::dialect::JsonDialect;
use super::duplicates::DuplicateMembers;
use super::lexer::Lexer;
use super::token::JsonText;
use crate::entry::EntrySink;
use crate::error::{MAX_IDS, ReadError, ReadErrorKind, SyntaxError};
use crate::input::{BYTE_ORDER_MARK, located, utf8};
use crate::json_shape::SEPARATOR;

/// [`crate::FormatReader::read`] for a JSON dialect. Leaves the shape of the file in the buffers. Returns whether the
/// names of each object are unique.
pub(super) fn read<D: JsonDialect>(
    dialect: &D,
    bytes: &[u8],
    buffers: &mut ParseBuffers,
    sink: EntrySink<'_>,
) -> Result<bool, ReadError> {
    let text = utf8(bytes)?;
    buffers.clear();
    let start = if text.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len_utf8()
    } else {
        0
    };
    let duplicates = lex(dialect, text, start, buffers)
        .and_then(|duplicates| check_ids(buffers).map(|()| duplicates))
        .map_err(|error| located(text, error))?;
    let (text, path) = (JsonText::new(text, 0), &mut String::new());
    dialect.entries(&buffers.tokens, text, path, &duplicates, sink);
    Ok(duplicates.is_empty())
}

/// Lexes a file from an offset on into the buffers. Returns its duplicate members.
pub(super) fn lex<D: JsonDialect>(
    dialect: &D,
    text: &str,
    start: usize,
    buffers: &mut ParseBuffers,
) -> Result<DuplicateMembers, SyntaxError> {
    if text.len() == start {
        return Ok(DuplicateMembers::default());
    }
    let mut lexer = Lexer::new(text.as_bytes(), start);
    if lexer.token().is_none() {
        return Err(ReadErrorKind::Blank.at(lexer.at));
    }
    dialect.root(&mut lexer, buffers)?;
    lexer.end()?;
    let repeated = buffers.repeated_hashes();
    let (shape, tokens) = (&buffers.shape, &buffers.tokens);
    let duplicates = if repeated.is_empty() {
        DuplicateMembers::default()
    } else {
        let text = JsonText::new(text, 0);
        DuplicateMembers::find(shape, &repeated, tokens, D::TOKENS_PER_NODE, text)
    };
    let unsupported = buffers
        .unsupported
        .then(|| dialect.unsupported_value(tokens, &duplicates));
    unsupported.flatten().map_or(Ok(duplicates), Err)
}

/// Refuses values whose ids could be together much larger than a file: the name of a container is part of the id of each
/// value inside it. Never fails for `webextension`, which has one container.
fn check_ids(buffers: &ParseBuffers) -> Result<(), SyntaxError> {
    if buffers.shape.max_id_bytes() <= MAX_IDS {
        return Ok(());
    }
    let tokens = buffers.tokens.iter();
    let containers = tokens.filter(|token| token.kind.is_container());
    let bytes = containers.fold(0_usize, |bytes, token| {
        let name = token.name.span.until - token.name.span.from;
        let part = name as usize + SEPARATOR;
        bytes.saturating_add(part.saturating_mul(token.inner as usize))
    });
    if bytes <= MAX_IDS {
        Ok(())
    } else {
        Err(ReadErrorKind::TooMuchText.at(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{MAX_BYTES, MAX_DEPTH, ReadError};
    use crate::test_support::entries;
    use gitglot_model::FileFormat;

    const BOTH: [FileFormat; 2] = [FileFormat::Json, FileFormat::WebExtension];

    fn error(bytes: &[u8]) -> ReadError {
        let [json, webextension] = BOTH.map(|format| entries(format, bytes).unwrap_err());
        assert_eq!(json, webextension);
        json
    }

    #[test]
    fn errors_have_a_position_and_the_expected_token() {
        let cases: [(&str, &str); 33] = [
            (
                "\n \n",
                "line 3, column 1: expected a JSON value, found only whitespace; an empty translation is '{}'",
            ),
            (
                "{\n  \"a\": {},\n}",
                "line 3, column 1: expected another value after the comma, found the end of the list; remove the comma",
            ),
            (
                "{\"a\": {\"x\": [1,]}}",
                "line 1, column 16: expected another value after the comma, found the end of the list; remove the comma",
            ),
            (
                "{,}",
                "line 1, column 2: expected a name in double quotes or '}', found ','",
            ),
            (
                "{\"a\":{},,}",
                "line 1, column 9: expected a name in double quotes, found ','",
            ),
            (
                "{\"a\":{}, // x\n}",
                "line 1, column 10: expected JSON, found a comment; JSON does not allow comments",
            ),
            (
                "/* x */ {}",
                "line 1, column 1: expected JSON, found a comment; JSON does not allow comments",
            ),
            (
                "{\"ž\" 1}",
                "line 1, column 6: expected ':' after the name, found '1'",
            ),
            (
                "{\"a\":}",
                "line 1, column 6: expected a JSON value, found '}'",
            ),
            (
                "{\"a\":{}",
                "line 1, column 8: expected ',' or '}' after the value, found the end of the file",
            ),
            (
                "{\"a\":{} \"b\"",
                "line 1, column 9: expected ',' or '}' after the value, found '\"'",
            ),
            (
                "{\"a\":{\"b\":[1 2]}}",
                "line 1, column 14: expected ',' or ']' after the value, found '2'",
            ),
            (
                "{\"a\":{\"b\":[,]}}",
                "line 1, column 12: expected a JSON value or ']', found ','",
            ),
            (
                "{'a':{}}",
                "line 1, column 2: expected a name in double quotes or '}', found '''",
            ),
            (
                "{}}",
                "line 1, column 3: expected nothing more after the value, found '}'",
            ),
            (
                "{} {}",
                "line 1, column 4: expected nothing more after the value, found '{'",
            ),
            (
                "{\u{a0}}",
                "line 1, column 2: expected a name in double quotes or '}', found U+00A0",
            ),
            (
                "{\"a\":{\"b\":nil}}",
                "line 1, column 11: expected a JSON value, found 'n'",
            ),
            (
                "{\"a\":NaN}",
                "line 1, column 6: expected a JSON value, found NaN or Infinity; JSON does not allow them",
            ),
            (
                "[-Infinity]",
                "line 1, column 2: expected a JSON value, found NaN or Infinity; JSON does not allow them",
            ),
            (
                "{\"a\":1E400}",
                "line 1, column 6: expected a number up to 1.8e308, found a larger one",
            ),
            (
                "{\"a\":01}",
                "line 1, column 6: expected a number without leading zeros, found leading zeros",
            ),
            ("{\"a\":-}", "line 1, column 7: expected a digit, found '}'"),
            (
                "{\"a\":1.}",
                "line 1, column 8: expected a digit, found '}'",
            ),
            (
                "{\"a\":1e+}",
                "line 1, column 9: expected a digit, found '}'",
            ),
            (
                "{\"a\":+1}",
                "line 1, column 6: expected a JSON value, found '+'",
            ),
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
                "line 1, column 3: expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX, found a different one",
            ),
            (
                "{\"\\u12g4\":{}}",
                "line 1, column 3: expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX, found a different one",
            ),
            (
                "{\"\\ud800\":{}}",
                "line 1, column 3: expected a whole character, found the lone surrogate \\ud800",
            ),
            (
                "{\"\\ud800\\u0041\":{}}",
                "line 1, column 3: expected a whole character, found the lone surrogate \\ud800",
            ),
            (
                "{\"\\udC00\":{}}",
                "line 1, column 3: expected a whole character, found the lone surrogate \\udc00",
            ),
        ];
        for (json, message) in cases {
            assert_eq!(error(json.as_bytes()).to_string(), message, "{json}");
            // A byte order mark has no column.
            assert_eq!(
                error(format!("{BYTE_ORDER_MARK}{json}").as_bytes()).to_string(),
                message,
                "{json}"
            );
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_an_error_with_a_position() {
        let message =
            "line 2, column 3: expected UTF-8, found an invalid byte; save the file as UTF-8";
        assert_eq!(error(b"{\n\"\xC3\xA9\xFF\":{}}").to_string(), message);
        assert_eq!(error(b"\xFF\xFE{\0}\0").kind, ReadErrorKind::Utf16);
        for bytes in [
            b"{\"\xED\xA0\x80\":{}}".as_slice(),
            b"{\"\xC0\x80\":{}}",
            b"{\"\xC3",
        ] {
            assert_eq!(error(bytes).kind, ReadErrorKind::NotUtf8, "{bytes:?}");
        }
    }

    #[test]
    fn a_file_without_bytes_is_empty() {
        for format in BOTH {
            for bytes in ["", "\u{FEFF}", "\u{FEFF} {} \n", "\t{\r\n}"] {
                assert_eq!(entries(format, bytes.as_bytes()), Ok(vec![]), "{bytes:?}");
            }
        }
    }

    #[test]
    fn a_git_lfs_pointer_has_its_own_error() {
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
            format!(
                "{}{open_rest}7{close_rest}{}",
                open.repeat(pairs),
                close.repeat(pairs)
            )
        };
        for (open, close) in [
            ("[[", "]]"),
            ("{\"x\":{\"y\":", "}}"),
            ("[ {\"x\" : ", "} ]"),
        ] {
            // A webextension message is two levels deep.
            let message = |levels| {
                format!(
                    "{{\"a\":{{\"message\":{}}}}}",
                    nested(open, levels - 2, close)
                )
            };
            let deepest = nested(open, MAX_DEPTH, close);
            assert_eq!(
                entries(FileFormat::Json, deepest.as_bytes()).map(|all| all.len()),
                Ok(1),
                "{open}"
            );
            let deepest = message(MAX_DEPTH);
            assert_eq!(
                entries(FileFormat::WebExtension, deepest.as_bytes()).map(|all| all.len()),
                Ok(1),
                "{open}"
            );
            for levels in [MAX_DEPTH + 1, 10_000, 1_000_000] {
                assert_eq!(
                    error(nested(open, levels, close).as_bytes()).kind,
                    ReadErrorKind::TooDeep(MAX_DEPTH),
                    "{open}"
                );
                assert_eq!(
                    error(message(levels).as_bytes()).kind,
                    ReadErrorKind::TooDeep(MAX_DEPTH),
                    "{open}"
                );
            }
        }
    }
}
