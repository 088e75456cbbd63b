//! A version of a file: its new entries, and the old ones that it has, too.

use std::ops::Range;

use super::block::{Block, Scope};
use crate::entry::{Part, PartSink};
use crate::entry_list::EntryList;

/// The entries of a version: a list of new ones, and ranges of old ones.
#[derive(Default)]
pub(crate) struct Version {
    pub(crate) list: EntryList,
    /// All entries, new and old ones.
    pub(crate) blocks: Vec<Block>,
    /// The scope of the next entry.
    pub(crate) scope: Option<Scope>,
    /// Ranges of the entries of the old version, each after a number of new ones.
    reused: Vec<(usize, Range<usize>)>,
}

impl Version {
    /// A version of a file with about as many entries as another one.
    pub(super) fn like(blocks: &[Block]) -> Self {
        Self {
            blocks: Vec::with_capacity(blocks.len() + blocks.len() / 8),
            ..Self::default()
        }
    }

    /// Adds the entry of the old version with this number.
    pub(super) fn reuse(&mut self, number: usize) {
        let count = self.list.len();
        match self.reused.last_mut() {
            Some((before, range)) if *before == count && range.end == number => range.end += 1,
            _ => self.reused.push((count, number..number + 1)),
        }
    }

    /// Gives the parts of the version to `sink`.
    pub(crate) fn emit(&self, sink: PartSink<'_>) {
        let mut reused = self.reused.iter().peekable();
        let mut count = 0;
        self.list.emit(&mut |entry| {
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
