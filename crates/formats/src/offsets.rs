//! Offsets: as they are stored, their lines, and those of a decoded text in the bytes of its file.

/// A count, length or offset as it is stored, in 32 bits. Larger files are refused before.
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The 1-based line of an offset.
pub(super) fn line_at(bytes: &[u8], offset: usize) -> usize {
    let before = bytes.get(..offset).unwrap_or(bytes);
    memchr::memchr_iter(b'\n', before).count() + 1
}

/// Converts offsets, which must ascend. Without a byte for each byte of the text, an offset becomes that of its line.
pub(super) struct FileOffsets<'t> {
    text: &'t str,
    way: Way<'t>,
    /// The last offset in the text, and its result.
    before: usize,
    found: usize,
}

enum Way<'t> {
    /// The text is the end of the file.
    Bytes,
    /// The file has one byte for each character.
    Characters,
    /// The ends of the file's lines.
    Lines(memchr::Memchr<'t>),
}

impl<'t> FileOffsets<'t> {
    /// Those of a file of which `text` is the decoded content, without its byte order mark.
    pub(super) fn new(bytes: &'t [u8], text: &'t str) -> Self {
        let before = bytes.len().saturating_sub(text.len());
        let end = bytes.get(before..).unwrap_or_default();
        // A text that was not decoded is a part of the file: its bytes need no comparison.
        let (way, found) = if std::ptr::eq(end, text.as_bytes()) || end == text.as_bytes() {
            (Way::Bytes, before)
        } else if text.chars().count() == bytes.len() {
            (Way::Characters, 0)
        } else {
            (Way::Lines(memchr::memchr_iter(b'\n', bytes)), 0)
        };
        Self {
            text,
            way,
            before: 0,
            found,
        }
    }

    /// The offset in the file.
    pub(super) fn of(&mut self, offset: usize) -> usize {
        let between = self.text.get(self.before..offset).unwrap_or_default();
        match &mut self.way {
            Way::Bytes => return self.found + offset,
            Way::Characters => self.found += between.chars().count(),
            Way::Lines(ends) => {
                for _ in memchr::memchr_iter(b'\n', between.as_bytes()) {
                    self.found = ends.next().map_or(self.found, |end| end + 1);
                }
            }
        }
        self.before = offset.max(self.before);
        self.found
    }
}
