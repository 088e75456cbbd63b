//! The lines of an entry, with which the next version of its file is compared.

use crate::incremental::{Block, Scope};

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

    /// The block of an entry with these lines.
    pub(super) fn block(self, text: &str) -> Block {
        let content = self.content.unwrap_or(self.end);
        Block::new(text, self.start.unwrap_or(content), content, self.end)
    }
}

/// Whether a line is a note or a reference, on which no text depends.
pub(super) fn is_note(line: &str) -> bool {
    let mut bytes = line.bytes();
    bytes.next() == Some(b'#') && !matches!(bytes.next(), Some(b',' | b'|' | b'~'))
}

/// The scope of plurals: the number of plural forms that the headers before them declare.
pub(super) fn scope(forms: Option<u8>) -> Scope {
    Scope::new(forms.map_or(0, |forms| usize::from(forms) + 1))
}

/// The number of plural forms of a scope.
pub(super) fn forms(scope: Option<Scope>) -> Option<usize> {
    scope?.number().checked_sub(1).map(|forms| forms as usize)
}
