//! Checks that every format makes before parsing, and the position of an error.

use super::error::{MAX_BYTES, ReadError, ReadErrorKind, SyntaxError};

pub(super) const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Returns the bytes as text, with the byte order mark.
///
/// # Errors
/// If the file is too large, a git LFS pointer or not UTF-8.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    limits(bytes)?;
    simdutf8::compat::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        let error = ReadErrorKind::NotUtf8.at(valid.len());
        let valid = std::str::from_utf8(valid);
        located(valid.expect("bytes before the first invalid one"), error)
    })
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
    let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    ReadError {
        kind: error.kind,
        line: number(line),
        column: number(column),
    }
}
