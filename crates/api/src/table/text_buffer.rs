//! Texts in one contiguous buffer.

use std::ops::Range;

/// Texts, one after the other. A text that equals the one before it takes no memory.
#[derive(Default, Debug)]
pub(super) struct TextBuffer {
    bytes: Vec<u8>,
    /// Start and end of each text. Buffers are much smaller than 4 GiB.
    ranges: Vec<(u32, u32)>,
}

impl TextBuffer {
    /// Adds a text; returns how much memory it takes, in bytes.
    pub(super) fn push(&mut self, text: &str) -> usize {
        let last = self.ranges.last().copied();
        if let Some(last) =
            last.filter(|last| self.bytes.get(range(*last)) == Some(text.as_bytes()))
        {
            self.ranges.push(last);
            return 0;
        }
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(text.as_bytes());
        self.ranges.push((start, self.bytes.len() as u32));
        text.len()
    }

    /// The bytes of all texts, and the range of each.
    pub(super) fn take(&mut self) -> (Vec<u8>, impl Iterator<Item = Range<usize>> + use<>) {
        let ranges = std::mem::take(&mut self.ranges);
        (
            std::mem::take(&mut self.bytes),
            ranges.into_iter().map(range),
        )
    }
}

fn range((start, end): (u32, u32)) -> Range<usize> {
    start as usize..end as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_text_is_stored_once() {
        let mut buffer = TextBuffer::default();
        let sizes = ["ab", "ab", "", "c", "ab"].map(|text| buffer.push(text));
        assert_eq!(sizes, [2, 0, 0, 1, 2]);
        let (bytes, ranges) = buffer.take();
        let texts: Vec<_> = ranges.map(|range| &bytes[range]).collect();
        assert_eq!(texts, [&b"ab"[..], b"ab", b"", b"c", b"ab"]);
        assert_eq!(bytes, b"abcab");
    }
}
