//! Reads JSON with comments and trailing commas with the lexer of strict JSON: both become spaces first.

use super::literal::string_len;
use super::node::{JsonNode, read_tree};
use super::token::JsonKind;
use super::walk::{NestedDialect, Walk};
use crate::entry_list::EntryList;
use crate::error::{ReadErrorKind, SyntaxError};

/// Values and ids of `jsonc` and `json5`: numbers keep their notation.
struct Relaxed;

impl NestedDialect for Relaxed {
    fn leaf(&self, leaf: JsonNode<'_>, walk: &mut Walk<'_>) {
        match leaf.kind() {
            JsonKind::Integer | JsonKind::Float => {
                let number = leaf.source();
                let is_zero = !number.contains(|digit| matches!(digit, '1'..='9'));
                walk.push_text(leaf, number, !is_zero);
            }
            _ => walk.push(leaf),
        }
    }
}

/// Adds the entries of a value with the ids and values of these formats.
pub(crate) fn plain(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    Walk::run(&Relaxed, root, list)
}

/// Adds the entries of a text if it is strict JSON apart from comments and trailing commas. Otherwise returns `false`
/// and adds nothing; the text can be valid in a wider syntax.
///
/// # Errors
/// If it is nested too deep, which is an error in each syntax.
pub(crate) fn read_relaxed(text: &str, list: &mut EntryList) -> Result<bool, SyntaxError> {
    let Some(strict) = without_comments(text) else {
        return Ok(false);
    };
    match read_tree(&strict, plain, list) {
        Err(error) if matches!(error.kind, ReadErrorKind::TooDeep(_)) => Err(error),
        read => Ok(read.is_ok()),
    }
}

/// The text with spaces in place of comments and trailing commas, so that offsets are the same. `None` if a comment or
/// string has no end, or a comma follows no value.
fn without_comments(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let (mut at, mut last, mut comma) = (0, b'[', None);
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        at += match byte {
            b' ' | b'\n' | b'\r' | b'\t' => 1,
            b'/' => {
                let length = comment_len(rest)?;
                let comment = out.get_mut(at..at + length)?;
                let visible = comment.iter_mut().filter(|byte| **byte != b'\n');
                visible.for_each(|byte| *byte = b' ');
                length
            }
            _ => {
                let length = if byte == b'"' { string_len(rest)? } else { 1 };
                if matches!(byte, b'}' | b']')
                    && let Some(comma) = comma
                {
                    *out.get_mut::<usize>(comma)? = b' ';
                }
                let follows_value = !matches!(last, b'[' | b'{' | b',' | b':');
                comma = (byte == b',').then_some(at);
                if comma.is_some() && !follows_value {
                    return None;
                }
                last = byte;
                length
            }
        };
    }
    String::from_utf8(out).ok()
}

/// The length of the comment at the start.
fn comment_len(bytes: &[u8]) -> Option<usize> {
    match bytes.get(1)? {
        b'/' => Some(memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len())),
        b'*' => Some(memchr::memmem::find(bytes.get(2..)?, b"*/")? + 4),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_become_spaces() {
        for (text, strict) in [
            ("{\"a\": 1, // é\n}", Some("{\"a\": 1       \n}")),
            ("[1, /* x\n */ ]", Some("[1      \n    ]")),
            (
                "{\"// no\": \"/* \\\" , */\",}//",
                Some("{\"// no\": \"/* \\\" , */\" }  "),
            ),
            ("[[],[],]", Some("[[],[] ]")),
            ("[,]", None),
            ("[1,,]", None),
            ("{\"a\":,}", None),
            ("[1] /* x", None),
            ("[\"x]", None),
            ("[1] / 2", None),
        ] {
            assert_eq!(without_comments(text).as_deref(), strict, "{text}");
        }
    }
}
