//! The entries of a version of a file as ranges of lines, with which the next version is compared.

use std::hash::Hasher as _;

use rustc_hash::{FxHashMap, FxHasher};

use super::entry::Entry;

/// Where the lines of an entry are. Blank lines do not count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Lines {
    /// Where the first line begins.
    start: Option<usize>,
    /// Where the first line begins that is not a [note](is_note).
    content: Option<usize>,
    /// Where the last line ends.
    end: usize,
}

impl Lines {
    /// Adds the next line.
    pub(super) fn add(&mut self, line: &str, at: usize) {
        self.start.get_or_insert(at);
        if !is_note(line) {
            self.content.get_or_insert(at);
        }
        self.end = at + line.len();
    }
}

/// Whether a line is a note or a reference, on which no text depends.
pub(super) fn is_note(line: &str) -> bool {
    let mut bytes = line.bytes();
    bytes.next() == Some(b'#') && !matches!(bytes.next(), Some(b',' | b'|' | b'~'))
}

/// An entry of a file as its lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// Where its first line begins.
    pub(super) start: u32,
    /// Where its first line begins that is not a [note](is_note).
    pub(super) content: u32,
    /// Where its last line ends.
    pub(super) end: u32,
    /// A hash of the first lines of its content.
    pub(super) first_lines: u32,
    /// A hash of source and context, joined as in an identity of Weblate.
    pub(super) identity: u32,
    /// The length of the source in it.
    pub(super) source_length: u32,
    pub(super) kind: BlockKind,
    pub(super) has_context: bool,
}

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    /// A header, with the number of forms of its plural rule if that is valid.
    Header(Option<u8>),
    /// A text without plural forms.
    Text,
    /// A text with plural forms, and the number of forms that the header before it declares.
    Plural(Option<u8>),
    /// Obsolete, or without a text.
    Ignored,
}

impl Block {
    /// The block of an entry, without an identity; none for an entry that more lines could complete.
    pub(super) fn new(text: &str, entry: &Entry, kind: BlockKind) -> Option<Self> {
        let Lines {
            start,
            content,
            end,
        } = entry.lines;
        let content = content.unwrap_or(end);
        entry.is_finished().then(|| Self {
            start: offset(start.unwrap_or(content)),
            content: offset(content),
            end: offset(end),
            first_lines: first_lines(text.get(content..).unwrap_or_default()),
            identity: 0,
            source_length: 0,
            kind,
            has_context: false,
        })
    }

    /// Sets the source and the context of the entry.
    pub(super) fn identify(&mut self, source: &str, context: &str) {
        self.identity = match context {
            "" => hash(source.as_bytes()),
            context => hash([source, context].concat().as_bytes()),
        };
        self.source_length = offset(source.len());
        self.has_context = !context.is_empty();
    }

    /// Whether the reader emits the entry.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, BlockKind::Text | BlockKind::Plural(_))
    }
}

/// Whether two entries may have different sources and contexts that are the same if they are joined. Such entries depend
/// on each other.
pub(super) fn are_ambiguous(blocks: &[Block]) -> bool {
    let texts = || blocks.iter().filter(|block| block.is_text());
    if texts().all(|block| !block.has_context) {
        return false;
    }
    let mut lengths: FxHashMap<u32, u32> = FxHashMap::default();
    texts().any(|block| {
        let first = lengths.entry(block.identity).or_insert(block.source_length);
        *first != block.source_length
    })
}

/// A hash of up to three lines, of which the third often has the first words of a long source.
pub(super) fn first_lines(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let end = memchr::memchr_iter(b'\n', bytes).nth(2);
    hash(bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default())
}

fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    let hash = hasher.finish();
    // Fold both halves: neither is well mixed alone.
    #[expect(clippy::cast_possible_truncation, reason = "the fold is the point")]
    {
        (hash ^ (hash >> 32)) as u32
    }
}

/// An offset in a file, which fits in 32 bits.
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
