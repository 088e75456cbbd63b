//! Finds the entries of an earlier version of a file in a version that is being read.

use super::block::{Block, BlockKind, first_lines};
use super::version::Version;
use crate::common_prefix::common_prefix;
use crate::input::BYTE_ORDER_MARK;
use crate::offsets::offset;
use gitglot_model::{SeededMap, steps};

/// Most bytes that are compared at once, so that a comparison costs less than the entries that it may save.
const MAX_COMPARED: usize = 4 << 10;

/// Where an entry of the new text begins.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) start: usize,
    /// As [`Block::content`].
    pub(crate) content: usize,
}

/// What a format requires around the contents of equal entries.
pub(crate) trait Boundaries {
    /// Whether the parts of two equal entries before their contents mean the same, but for notes and references.
    fn have_same_meaning(&self, old_head: &[u8], new_head: &[u8]) -> bool;

    /// Whether a complete entry ends at an offset of the new text.
    fn ends_at(&self, end: usize) -> bool;

    /// As [`Block::is_adjacent`], given the end of one entry and the start of the next.
    fn are_adjacent(&self, end: usize, start: usize) -> bool;
}

pub(crate) struct Comparison<'a> {
    old: &'a [u8],
    blocks: &'a [Block],
    /// The number of texts before each block.
    text_numbers: Vec<usize>,
    /// Whether each was found, by index of the block.
    is_used: Vec<bool>,
    /// The first block with each hash of its first lines; made at the first difference.
    by_first_lines: Option<SeededMap<u32, usize>>,
    /// The block after the last one that was found, which the next entry probably equals.
    next: usize,
    new: &'a str,
    pub(crate) version: Version,
}

impl<'a> Comparison<'a> {
    /// Compares a text without its byte order mark with the file of these blocks.
    pub(crate) fn new(old: &'a [u8], blocks: &'a [Block], new: &'a str) -> Self {
        let mut count = 0;
        let number = |block: &Block| {
            let before = count;
            count += block.entries();
            before
        };
        let mark = BYTE_ORDER_MARK.to_string();
        Self {
            old: old.strip_prefix(mark.as_bytes()).unwrap_or(old),
            blocks,
            text_numbers: blocks.iter().map(number).collect(),
            is_used: vec![false; blocks.len()],
            by_first_lines: None,
            next: 0,
            new,
            version: Version::like(blocks),
        }
    }

    /// Whether there is an earlier version.
    pub(crate) fn has_entries(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Reuses the old entry that the new text has at a place, and those after it as long as both texts are the same.
    /// Returns where the last one ends.
    pub(crate) fn reuse(&mut self, place: Place, boundaries: &impl Boundaries) -> Option<usize> {
        let index = self.find(place, boundaries)?;
        let (blocks, new) = (self.blocks, self.new.as_bytes());
        let first = blocks.get(index)?;
        let end = place.content + (first.end - first.content) as usize;
        let before = self.version.blocks.last();
        let before = before.map_or(0, |block| block.end as usize);
        self.push(index, place, boundaries.are_adjacent(before, place.start));
        let compared = |bytes, from: usize| {
            let rest: &[u8] = <[u8]>::get(bytes, from..).unwrap_or_default();
            &rest[..rest.len().min(MAX_COMPARED)]
        };
        let equal = common_prefix(compared(self.old, first.end as usize), compared(new, end));
        steps::count(equal);
        let in_new = |old: u32| end + (old - first.end) as usize;
        let equal_until = end + equal;
        let mut last = end;
        while let Some(block) = blocks.get(self.next) {
            if !(block.is_adjacent && self.is_usable(self.next)) {
                break;
            }
            let end = in_new(block.end);
            // The bytes after the entry are those of the next entry, or have to be looked at.
            let is_followed = blocks
                .get(self.next + 1)
                .is_some_and(|next| in_new(next.end) <= equal_until);
            if end > equal_until || !(is_followed || boundaries.ends_at(end)) {
                break;
            }
            let place = Place {
                start: in_new(block.start),
                content: in_new(block.content),
            };
            self.push(self.next, place, true);
            last = end;
        }
        Some(last)
    }

    /// The old block that is at a place of the new text.
    fn find(&mut self, place: Place, boundaries: &impl Boundaries) -> Option<usize> {
        if self.is_at(self.next, place, boundaries) {
            return Some(self.next);
        }
        let blocks = self.blocks;
        let by_first_lines = self.by_first_lines.get_or_insert_with(|| {
            let blocks = blocks.iter().enumerate().rev();
            blocks.map(|(at, block)| (block.first_lines, at)).collect()
        });
        let index = *by_first_lines.get(&first_lines(self.new.get(place.content..)?))?;
        self.is_at(index, place, boundaries).then_some(index)
    }

    fn is_at(&self, index: usize, place: Place, boundaries: &impl Boundaries) -> bool {
        let Some(block) = self.blocks.get(index) else {
            return false;
        };
        let Place { start, content } = place;
        let end = content + (block.end - block.content) as usize;
        let old = |from: u32, until: u32| self.old.get(from as usize..until as usize);
        let new = |from: usize, until: usize| self.new.as_bytes().get(from..until);
        let heads = (old(block.start, block.content), new(start, content));
        self.is_usable(index)
            && new(content, end) == old(block.content, block.end)
            && matches!(heads, (Some(old), Some(new)) if boundaries.have_same_meaning(old, new))
            && boundaries.ends_at(end)
    }

    /// Whether an entry of the same bytes is the same in the present scope and was not found before.
    fn is_usable(&self, index: usize) -> bool {
        let block = self.blocks.get(index);
        block.is_some_and(|block| block.scope.is_none() || block.scope == self.version.scope)
            && self.is_used.get(index) == Some(&false)
    }

    /// Adds an old entry, given where it is in the new text.
    fn push(&mut self, index: usize, place: Place, is_adjacent: bool) {
        let Some(old) = self.blocks.get(index) else {
            return;
        };
        self.next = index + 1;
        if let Some(is_used) = self.is_used.get_mut(index) {
            *is_used = true;
        }
        if let BlockKind::Header(Some(scope)) = old.kind {
            self.version.scope = Some(scope);
        }
        let content = offset(place.content);
        self.version.blocks.push(Block {
            start: offset(place.start),
            content,
            end: content + (old.end - old.content),
            is_adjacent,
            ..*old
        });
        let number = self.text_numbers.get(index).filter(|_| old.entries() > 0);
        if let Some(&number) = number {
            self.version.reuse(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Outline, reader};
    use gitglot_model::{FileFormat, steps};

    /// The steps to read a file of one line with some units, and the next version of it, with a new unit in the middle.
    fn steps_of(format: FileFormat, units: usize) -> usize {
        let unit = |at: String| match format {
            FileFormat::QtTs => {
                format!("<message><source>{at}</source><translation>x</translation></message>")
            }
            _ => format!("<trans-unit id=\"{at}\"><source>OK</source></trans-unit>"),
        };
        let (start, end) = match format {
            FileFormat::QtTs => (
                "<TS version=\"2.1\"><context><name>C</name>",
                "</context></TS>",
            ),
            _ => (
                "<xliff version=\"1.2\"><file original=\"a\"><body>",
                "</body></file></xliff>",
            ),
        };
        let mut all: Vec<String> = (0..units).map(|at| unit(at.to_string())).collect();
        let old = [start, &all.concat(), end].concat();
        all.insert(units / 2, unit("new".to_owned()));
        let new = [start, &all.concat(), end].concat();
        let mut outline = Outline::default();
        steps::of(|| {
            let read = reader(format).reparse(b"", &mut outline, old.as_bytes(), &mut |_| ());
            read.unwrap();
            let (old, new) = (old.as_bytes(), new.as_bytes());
            let read = reader(format).reparse(old, &mut outline, new, &mut |_| ());
            read.unwrap();
        })
    }

    #[test]
    fn a_file_of_one_line_takes_as_long_as_its_size() {
        for format in [FileFormat::Xliff, FileFormat::QtTs] {
            let (small, large) = (steps_of(format, 1_000), steps_of(format, 2_000));
            assert!(small > 0 && large < small * 5 / 2, "{small} {large}");
        }
    }
}
