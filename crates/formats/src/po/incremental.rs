//! Parses a version of a file against an earlier one: entries whose lines the earlier version has are not parsed.
//!
//! An entry begins at the first line after the text of the one before it, whatever that entry is. So the same lines in
//! the same place mean the same entry, if the line after them begins an entry or the file ends. Notes and references above
//! the entry may differ: most versions move references only. Three more things decide on an entry: the number of plural
//! forms that the header declares, entries with the same joined identity, and the charset. If a version changes one of the
//! latter two, or does not parse, it is parsed in full.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::block::{self, Block, BlockKind, first_lines, is_note, offset};
use super::decode;
use super::parse::{Entries, PoFile, begins_entry, is_blank, line_at};
use crate::common_prefix::common_prefix;
use crate::format_reader::Part;
use crate::input::BYTE_ORDER_MARK;
use crate::offsets::FileOffsets;

/// The entries of the new version: a list of new ones, and ranges of old ones.
pub(super) struct Version {
    pub(super) file: PoFile,
    /// Ranges of the entries of the old version, each after a number of new ones.
    reused: Vec<(usize, Range<usize>)>,
}

impl Version {
    /// Gives the parts of the version to `sink`.
    pub(super) fn emit(&self, sink: &mut dyn FnMut(Part<'_>)) {
        let mut reused = self.reused.iter().peekable();
        let mut count = 0;
        self.file.list.emit(&mut |entry| {
            while let Some((_, range)) = reused.next_if(|(before, _)| *before <= count) {
                sink(Part::Reused(range.clone()));
            }
            sink(Part::Entry(entry));
            count += 1;
        });
        for (_, range) in reused {
            sink(Part::Reused(range.clone()));
        }
    }
}

/// Parses `new` against `old` with its blocks. Returns `None` if a full parse is necessary.
pub(super) fn reparse(old: &[u8], blocks: &[Block], new: &[u8]) -> Option<Version> {
    if blocks.is_empty() {
        return None;
    }
    let Cow::Borrowed(text) = decode(new).ok()? else {
        return None;
    };
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mark = BYTE_ORDER_MARK.to_string();
    let mut comparison = Comparison {
        old: old.strip_prefix(mark.as_bytes()).unwrap_or(old),
        blocks,
        text_numbers: text_numbers(blocks),
        is_used: vec![false; blocks.len()],
        by_first_lines: None,
        next: 0,
        text,
        version: Version {
            file: PoFile {
                blocks: Vec::with_capacity(blocks.len() + blocks.len() / 8),
                ..PoFile::default()
            },
            reused: Vec::new(),
        },
    };
    comparison.run()?;
    let mut version = comparison.version;
    version
        .file
        .list
        .set_offsets(FileOffsets::new(new, text, false));
    Some(version)
}

/// The number of texts before each block.
fn text_numbers(blocks: &[Block]) -> Vec<usize> {
    let mut count = 0;
    let number = |block: &Block| {
        let before = count;
        count += usize::from(block.is_text());
        before
    };
    blocks.iter().map(number).collect()
}

/// Most bytes that are compared at once, so that a comparison costs less than the entries that it may save.
const MAX_COMPARED: usize = 4 << 10;

struct Comparison<'a> {
    old: &'a [u8],
    blocks: &'a [Block],
    /// By index of the block.
    text_numbers: Vec<usize>,
    /// Whether each was found, by index of the block.
    is_used: Vec<bool>,
    /// The first block with each hash of its first lines; made at the first difference.
    by_first_lines: Option<FxHashMap<u32, usize>>,
    /// The block after the last one that was found, which the next entry probably equals.
    next: usize,
    text: &'a str,
    version: Version,
}

impl Comparison<'_> {
    fn run(&mut self) -> Option<()> {
        let mut at = 0;
        while let Some((start, content)) = self.next_entry(at) {
            at = match self.find(content) {
                Some(index) => self.reuse(index, start, content),
                None => self.parse(start)?,
            };
        }
        let PoFile { list, blocks, .. } = &self.version.file;
        // Without new texts, there are no new pairs of texts.
        let is_ambiguous = list.len() > 0 && block::are_ambiguous(blocks);
        (!blocks.is_empty() && !is_ambiguous && list.check_size().is_ok()).then_some(())
    }

    /// Where the next entry begins, and its first line that is not a note.
    fn next_entry(&self, at: usize) -> Option<(usize, usize)> {
        let mut start = None;
        self.lines(at).find_map(|(at, line)| {
            let start = *start.get_or_insert(at);
            (!is_note(line)).then_some((start, at))
        })
    }

    /// The lines from an offset on that are not blank.
    fn lines(&self, mut at: usize) -> impl Iterator<Item = (usize, &str)> {
        let lines = std::iter::from_fn(move || {
            let line = line_at(self.text, at)?;
            let start = at;
            at += line.len() + 1;
            Some((start, line))
        });
        lines.filter(|(_, line)| !is_blank(line))
    }

    /// The block whose content begins at an offset of the new text.
    fn find(&mut self, content: usize) -> Option<usize> {
        if self.is_at(self.next, content) {
            return Some(self.next);
        }
        let blocks = self.blocks;
        let by_first_lines = self.by_first_lines.get_or_insert_with(|| {
            let blocks = blocks.iter().enumerate().rev();
            blocks.map(|(at, block)| (block.first_lines, at)).collect()
        });
        let index = *by_first_lines.get(&first_lines(self.text.get(content..)?))?;
        self.is_at(index, content).then_some(index)
    }

    /// Whether an entry can be reused whose content begins at an offset of the new text.
    fn is_at(&self, index: usize, content: usize) -> bool {
        let Some(block) = self.blocks.get(index) else {
            return false;
        };
        let end = content + (block.end - block.content) as usize;
        let old = self.old.get(block.content as usize..block.end as usize);
        self.is_usable(index) && self.text.as_bytes().get(content..end) == old && self.ends_at(end)
    }

    /// Whether an entry of the same lines has the same fields and was not found before.
    fn is_usable(&self, index: usize) -> bool {
        let is_same = match self.blocks.get(index).map(|block| block.kind) {
            Some(BlockKind::Plural(forms)) => forms == self.version.file.forms,
            kind => kind.is_some(),
        };
        is_same && self.is_used.get(index) == Some(&false)
    }

    /// Whether a complete entry ends at an offset of the new text.
    fn ends_at(&self, end: usize) -> bool {
        let is_line_end = matches!(self.text.as_bytes().get(end), None | Some(b'\n' | b'\r'));
        let next = || self.lines(end).next();
        is_line_end && next().is_none_or(|(_, line)| begins_entry(line))
    }

    /// Reuses an entry, and those after it as long as both texts are the same. Returns where the last one ends.
    fn reuse(&mut self, index: usize, start: usize, content: usize) -> usize {
        let (blocks, new) = (self.blocks, self.text.as_bytes());
        let Some(first) = blocks.get(index) else {
            return start;
        };
        let end = content + (first.end - first.content) as usize;
        self.push(index, start, content);
        let compared = |bytes, from: usize| {
            let rest: &[u8] = <[u8]>::get(bytes, from..).unwrap_or_default();
            &rest[..rest.len().min(MAX_COMPARED)]
        };
        let equal = common_prefix(compared(self.old, first.end as usize), compared(new, end));
        let in_new = |old: u32| end + (old - first.end) as usize;
        let equal_until = end + equal;
        let mut last = end;
        while let Some(block) = blocks.get(self.next).filter(|_| self.is_usable(self.next)) {
            let end = in_new(block.end);
            // The line after the entry is the first one of the next entry, or has to be looked at.
            let is_followed = blocks
                .get(self.next + 1)
                .is_some_and(|next| in_new(next.end) <= equal_until);
            if end > equal_until || !(is_followed || self.ends_at(end)) {
                break;
            }
            self.push(self.next, in_new(block.start), in_new(block.content));
            last = end;
        }
        last
    }

    /// Adds an old entry, given where it begins.
    fn push(&mut self, index: usize, start: usize, content: usize) {
        let Some(old) = self.blocks.get(index) else {
            return;
        };
        self.next = index + 1;
        if let Some(is_used) = self.is_used.get_mut(index) {
            *is_used = true;
        }
        let Version { file, reused } = &mut self.version;
        if let BlockKind::Header(forms) = old.kind {
            file.forms = forms.or(file.forms);
        }
        file.blocks.push(Block {
            start: offset(start),
            content: offset(content),
            end: offset(content) + (old.end - old.content),
            ..*old
        });
        let number = self.text_numbers.get(index).filter(|_| old.is_text());
        let (Some(&number), count) = (number, file.list.len()) else {
            return;
        };
        match reused.last_mut() {
            Some((before, range)) if *before == count && range.end == number => range.end += 1,
            _ => reused.push((count, number..number + 1)),
        }
    }

    /// Parses the entry that begins at an offset. Returns where the next one begins; none if a line is not understood.
    fn parse(&mut self, start: usize) -> Option<usize> {
        let mut entries = Entries {
            text: self.text,
            at: start,
        };
        if let Some(entry) = entries.next().ok()? {
            self.version.file.add(self.text, &entry);
        }
        Some(entries.at)
    }
}
