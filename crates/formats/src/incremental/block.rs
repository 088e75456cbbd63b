//! The entries of a version of a file as ranges of bytes, with which the next version is compared.

use std::hash::BuildHasher as _;
use std::num::NonZero;

use crate::offsets::offset;
use gitglot_model::{Seeded, SeededMap, steps};

/// An entry of a file as its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// Where it begins.
    pub(crate) start: u32,
    /// Where the part begins that decides on the entry. Notes and references may be before it.
    pub(crate) content: u32,
    /// Where it ends.
    pub(crate) end: u32,
    /// A hash of the first lines of its content.
    pub(crate) first_lines: u32,
    /// A hash of source and context, joined as in an identity of Weblate.
    pub(super) identity: u32,
    /// The length of the source in it.
    pub(super) source_length: u32,
    /// Where the entry is the same; `None`: anywhere.
    pub(crate) scope: Option<Scope>,
    pub(crate) kind: BlockKind,
    pub(super) has_context: bool,
    /// Whether there is nothing of importance between it and the block before it.
    pub(crate) is_adjacent: bool,
}

/// A number for all that decides on an entry besides its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scope(pub(crate) NonZero<u32>);

impl Scope {
    /// The scope with a number, from 0.
    pub(crate) fn new(number: usize) -> Self {
        Self(NonZero::<u32>::MIN.saturating_add(offset(number)))
    }

    pub(crate) fn number(self) -> u32 {
        self.0.get() - 1
    }
}

/// What entries depend on, as a text, with the number of each in the blocks of a file.
pub(crate) type Scopes = SeededMap<String, Scope>;

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BlockKind {
    /// A header, with the scope of the entries after it if it changes.
    Header(Option<Scope>),
    /// One text.
    Text,
    /// Obsolete, or without a text.
    Ignored,
}

impl Block {
    /// A block from `start` to `end`, without an identity.
    pub(crate) fn new(text: &str, start: usize, content: usize, end: usize) -> Self {
        Self {
            start: offset(start),
            content: offset(content),
            end: offset(end),
            first_lines: first_lines(&text[content..]),
            identity: 0,
            source_length: 0,
            scope: None,
            kind: BlockKind::Ignored,
            has_context: false,
            is_adjacent: true,
        }
    }

    /// Sets the source and the context of the entry.
    pub(crate) fn identify(&mut self, source: &str, context: &str) {
        self.identity = match context {
            "" => hash(source.as_bytes()),
            context => hash([source, context].concat().as_bytes()),
        };
        self.source_length = offset(source.len());
        self.has_context = !context.is_empty();
    }

    /// The number of entries that the reader emits for it.
    pub(crate) fn entries(&self) -> usize {
        usize::from(self.kind == BlockKind::Text)
    }
}

/// Whether two entries may have different sources and contexts that are the same if they are joined. Such entries depend
/// on each other.
pub(crate) fn are_ambiguous(blocks: &[Block]) -> bool {
    let texts = || blocks.iter().filter(|block| block.entries() > 0);
    if texts().all(|block| !block.has_context) {
        return false;
    }
    let mut lengths: SeededMap<u32, u32> = SeededMap::default();
    lengths.reserve(blocks.len());
    texts().any(|block| {
        let first = lengths.entry(block.identity).or_insert(block.source_length);
        *first != block.source_length
    })
}

/// Most bytes of an entry that count as its first lines: a file may have a single line.
const MAX_FIRST_LINES: usize = 512;

/// A hash of up to three lines, of which the third often has the first words of a long source.
pub(crate) fn first_lines(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let bytes = &bytes[..bytes.len().min(MAX_FIRST_LINES)];
    let end = memchr::memchr_iter(b'\n', bytes).nth(2);
    let lines = &bytes[..end.unwrap_or(bytes.len())];
    steps::count(lines.len());
    hash(lines)
}

fn hash(bytes: &[u8]) -> u32 {
    folded(Seeded::default().hash_one(bytes))
}

/// Half of the bits of a hash.
pub(crate) fn folded(hash: u64) -> u32 {
    // Fold both halves: neither is well mixed alone.
    #[expect(clippy::cast_possible_truncation, reason = "the fold is the point")]
    {
        (hash ^ (hash >> 32)) as u32
    }
}
