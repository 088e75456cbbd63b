//! The encoding of an XML document, from its byte order mark or declaration.

use std::borrow::Cow;

use super::error::{ReadError, ReadErrorKind};
use super::input::{limits, located, utf8};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes in which the declaration is searched.
const MAX_DECLARATION: usize = 1_000;

/// Decodes a document. A text in UTF-8 keeps its byte order mark.
///
/// # Errors
/// If the document is too large, or its bytes are not in its encoding.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    limits(bytes)?;
    let encoding = match (Encoding::for_bom(bytes), bytes) {
        (Some((encoding, _)), _) => encoding,
        (None, [b'<', 0, ..]) => UTF_16LE,
        (None, [0, b'<', ..]) => UTF_16BE,
        (None, _) => declared(bytes)?,
    };
    if encoding == UTF_8 {
        return utf8(bytes).map(Cow::Borrowed);
    }
    let (text, has_errors) = encoding.decode_with_bom_removal(bytes);
    if has_errors {
        let message = format!("some bytes are not in the encoding {}", encoding.name());
        return Err(located("", ReadErrorKind::syntax(message, 0)));
    }
    Ok(text)
}

/// The encoding that a declaration names.
fn declared(bytes: &[u8]) -> Result<&'static Encoding, ReadError> {
    let start = &bytes[..bytes.len().min(MAX_DECLARATION)];
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    let Some(name) = encoding_name(start) else {
        return Ok(UTF_8);
    };
    let unknown = || {
        let name = String::from_utf8_lossy(name);
        let message = format!("the encoding {name} is unknown; save the file as UTF-8");
        located("", ReadErrorKind::syntax(message, 0))
    };
    let encoding = Encoding::for_label(name).ok_or_else(unknown)?;
    // A declaration that can be read so far is not in UTF-16.
    Ok(if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else {
        encoding
    })
}

/// The value of `encoding` in a declaration.
fn encoding_name(start: &[u8]) -> Option<&[u8]> {
    const KEY: &[u8] = b"encoding";
    let declaration = start.strip_prefix(b"<?xml")?;
    let end = memchr::memchr(b'>', declaration)?;
    let declaration = declaration.get(..end)?;
    let at = declaration
        .windows(KEY.len())
        .position(|part| part == KEY)?;
    let value = declaration.get(at + KEY.len()..)?.trim_ascii_start();
    let value = value.strip_prefix(b"=")?.trim_ascii_start();
    let (&quote, value) = value.split_first()?;
    let end = memchr::memchr(quote, value)?;
    value.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_the_encoding_that_it_declares() {
        let text = |bytes: &[u8]| decode(bytes).map(Cow::into_owned);
        let latin = b"<?xml version='1.0' encoding = 'ISO-8859-1'?><a>\xe9</a>";
        assert!(text(latin).unwrap().ends_with("<a>\u{e9}</a>"));
        assert_eq!(text(b"<\0a\0/\0>\0").unwrap(), "<a/>");
        assert_eq!(text(b"\xff\xfe<\0a\0/\0>\0").unwrap(), "<a/>");
        assert_eq!(text(b"\0<\0a\0/\0>").unwrap(), "<a/>");
        assert_eq!(text(b"<a>\xc3\xa9</a>").unwrap(), "<a>\u{e9}</a>");
        let utf16 = b"<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>";
        assert_eq!(text(utf16).unwrap().as_bytes(), utf16);
        assert_eq!(
            text(b"<?xml version=\"1.0\" encoding=\"klingon\"?><a/>")
                .unwrap_err()
                .to_string(),
            "line 1, column 1: the encoding klingon is unknown; save the file as UTF-8"
        );
        assert!(text(b"<a>\xe9</a>").is_err() && text(b"\xff\xfe<\0a").is_err());
        assert_eq!(text(b"").unwrap(), "");
    }
}
