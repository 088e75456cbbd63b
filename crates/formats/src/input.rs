//! Checks that every format makes before parsing, the encodings of texts, and the position of an error.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use super::error::{MAX_BYTES, ReadError, ReadErrorKind, SyntaxError};
use super::offsets::{line_at, offset};

pub(super) const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Returns the bytes as text, with the byte order mark.
///
/// # Errors
/// If the file is too large, a git LFS pointer or not UTF-8.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    limits(bytes)?;
    simdutf8::compat::from_utf8(bytes).map_err(|error| {
        if utf16(bytes).is_some() {
            return located("", ReadErrorKind::Utf16.at(0));
        }
        let valid = &bytes[..error.valid_up_to()];
        let error = ReadErrorKind::NotUtf8.at(valid.len());
        let valid = std::str::from_utf8(valid);
        located(valid.expect("bytes before the first invalid one"), error)
    })
}

/// Decodes a text in UTF-8, or in UTF-16 with a byte order mark.
///
/// # Errors
/// If the file is too large, a git LFS pointer or in another encoding.
pub(super) fn unicode(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    let Some(encoding) = utf16(bytes) else {
        return utf8(bytes).map(Cow::Borrowed);
    };
    limits(bytes)?;
    let (text, has_errors) = encoding.decode_with_bom_removal(bytes);
    if has_errors {
        Err(located("", ReadErrorKind::NotUtf16.at(0)))
    } else {
        Ok(text)
    }
}

/// Decodes a text as Java does since version 9: if it is not UTF-8, it is ISO 8859-1.
///
/// # Errors
/// As of [`unicode`].
pub(super) fn unicode_or_latin1(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    match unicode(bytes) {
        Err(error) if error.kind == ReadErrorKind::NotUtf8 && !has_mark(bytes) => Ok(Cow::Owned(
            bytes.iter().map(|&byte| char::from(byte)).collect(),
        )),
        decoded => decoded,
    }
}

/// The encoding of a text that begins with a byte order mark of UTF-16.
fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let (encoding, _) = Encoding::for_bom(bytes)?;
    (encoding != UTF_8).then_some(encoding)
}

fn has_mark(bytes: &[u8]) -> bool {
    Encoding::for_bom(bytes).is_some()
}

/// Checks size and git LFS.
///
/// # Errors
/// If the file is too large or a git LFS pointer.
pub(super) fn limits(bytes: &[u8]) -> Result<(), ReadError> {
    let kind = if bytes.len() > MAX_BYTES {
        ReadErrorKind::TooLarge
    } else if bytes.starts_with(b"version https://git-lfs") {
        ReadErrorKind::LfsPointer
    } else {
        return Ok(());
    };
    Err(located("", kind.at(0)))
}

/// Adds line and column to an error.
#[cold]
pub(super) fn located(text: &str, error: SyntaxError) -> ReadError {
    let before = text.get(..error.at).unwrap_or(text);
    let before = before.strip_prefix(BYTE_ORDER_MARK).unwrap_or(before);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    ReadError {
        kind: error.kind,
        line: offset(line_at(before.as_bytes(), before.len())),
        column: offset(before[line_start..].chars().count() + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        let units = "\u{FEFF}".encode_utf16().chain(text.encode_utf16());
        units.flat_map(unit).collect()
    }

    #[test]
    fn utf_16_with_a_mark_is_read_and_half_a_unit_is_an_error() {
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            let mut bytes = in_utf16("é\u{1F600}", unit);
            assert_eq!(unicode(&bytes).unwrap(), "é\u{1F600}");
            let refused = utf8(&bytes).unwrap_err().to_string();
            assert!(
                refused.ends_with("found UTF-16; save the file as UTF-8"),
                "{refused}"
            );
            bytes.push(0);
            assert_eq!(unicode(&bytes).unwrap_err().kind, ReadErrorKind::NotUtf16);
        }
    }

    #[test]
    fn a_text_that_is_not_utf_8_is_iso_8859_1_in_java() {
        assert_eq!(unicode_or_latin1(b"\xfc=\xdf").unwrap(), "ü=ß");
        assert_eq!(unicode_or_latin1("ü=ß".as_bytes()).unwrap(), "ü=ß");
        assert!(unicode_or_latin1(b"\xef\xbb\xbf\xfc").is_err());
    }
}
