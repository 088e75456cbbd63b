//! Positions in a file, in lines and characters.

use std::sync::{Arc, OnceLock};

/// Bytes of a block. A file can be one line with many entries.
const BLOCK: usize = 4_096;

/// A line and a column, both 1-based. The column counts characters.
///
/// Strings files of Apple and the files for plurals next to them are read as one: the position is in one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FilePosition {
    pub(super) line: u32,
    pub(super) column: u32,
    /// What follows the path of the file in that of the one with the position.
    pub(super) ending: &'static str,
}

impl FilePosition {
    /// The start of a file.
    pub(super) const START: Self = Self {
        line: 1,
        column: 1,
        ending: "",
    };

    /// The position in the file that begins at `start`.
    pub(super) fn within(self, start: Self, ending: &'static str) -> Self {
        let is_first = self.line == start.line;
        let before = if is_first { start.column - 1 } else { 0 };
        Self {
            line: self.line - start.line + 1,
            column: self.column - before,
            ending,
        }
    }

    /// The path of the file with the position.
    pub(super) fn path(self, file: &Arc<str>) -> Arc<str> {
        if file.ends_with(self.ending) {
            return file.clone();
        }
        [file, self.ending].concat().into()
    }
}

/// Indexes of lines and characters, built when the first position is needed.
#[derive(Default, Debug)]
pub(super) struct Positions {
    /// The offset of each line.
    lines: OnceLock<Vec<usize>>,
    /// The number of characters before each block of [`BLOCK`] bytes.
    blocks: OnceLock<Vec<usize>>,
}

impl Positions {
    /// The size in memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        let lines = self.lines.get().map_or(0, Vec::len);
        (lines + self.blocks.get().map_or(0, Vec::len)) * size_of::<usize>()
    }

    /// The position of an offset in the file with these bytes.
    pub(super) fn at(&self, bytes: &[u8], offset: usize) -> FilePosition {
        let lines = self.lines.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1);
            std::iter::once(0).chain(ends).collect()
        });
        let line = lines.partition_point(|&start| start <= offset).max(1);
        let start = lines[line - 1];
        let before = match bytes.get(start..offset) {
            Some(bytes) if bytes.len() <= BLOCK => characters(bytes),
            _ => self.characters_before(bytes, offset) - self.characters_before(bytes, start),
        };
        FilePosition {
            line: line as u32,
            column: before as u32 + 1,
            ending: "",
        }
    }

    /// The number of characters that begin before an offset.
    fn characters_before(&self, bytes: &[u8], offset: usize) -> usize {
        let blocks = self.blocks.get_or_init(|| {
            let counts = bytes.chunks(BLOCK).scan(0, |before, block| {
                let start = *before;
                *before += characters(block);
                Some(start)
            });
            counts.collect()
        });
        let Some(before) = blocks.get(offset / BLOCK) else {
            return characters(bytes);
        };
        let block = &bytes[offset / BLOCK * BLOCK..offset.min(bytes.len())];
        before + characters(block)
    }
}

/// The number of characters that begin in these bytes of a text.
fn characters(bytes: &[u8]) -> usize {
    // Bytes that continue a character do not count.
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_in_any_order() {
        let positions = Positions::default();
        let line = |offset| positions.at(b"a\nb\n\nc", offset).line;
        assert_eq!([3, 0, 5, 2].map(line), [2, 1, 4, 2]);
    }
}
