//! Records of texts with their lengths: the contents of parts of files and of groups of files.

use super::offsets::offset;

/// Adds a text, after its length in bytes.
pub(super) fn push_text(bytes: &[u8], content: &mut Vec<u8>) {
    content.extend_from_slice(&offset(bytes.len()).to_le_bytes());
    content.extend_from_slice(bytes);
}

/// Bytes that records are read from.
pub(super) struct RecordBytes<'a>(&'a [u8]);

impl<'a> RecordBytes<'a> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.0.split_first_chunk::<4>()?;
        let (bytes, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        simdutf8::basic::from_utf8(self.bytes()?).ok()
    }
}

/// The records in some bytes; `None`, and nothing after it, where the bytes are none.
pub(super) fn records<'a, T>(
    bytes: &'a [u8],
    read: impl Fn(&mut RecordBytes<'a>) -> Option<T>,
) -> impl Iterator<Item = Option<T>> {
    let mut rest = RecordBytes(bytes);
    std::iter::from_fn(move || {
        if rest.0.is_empty() {
            return None;
        }
        let record = read(&mut rest);
        if record.is_none() {
            rest.0 = &[];
        }
        Some(record)
    })
}
