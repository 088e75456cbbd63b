//! The strings and texts that move between components.

use std::sync::Arc;

use crate::projection::rows::SourceString;
use gitglot_model::{ComponentIndex, KeyId, KeyRename, LineageId, Log, Shape, TextId, Texts};

/// The log of a component, and the texts that it refers to.
#[derive(Clone, Copy, Debug)]
pub struct ComponentLog<'a> {
    /// The component.
    pub component: ComponentIndex,
    /// The log.
    pub log: &'a Log,
    /// Its texts.
    pub texts: &'a Texts,
    /// The strings at the end of the log.
    pub sources: &'a [SourceString],
    /// What identifies a string.
    pub shape: Shape,
}

impl<'a> ComponentLog<'a> {
    /// A key as people see it; of a bilingual file without a context, its source text.
    pub(super) fn name_of(&self, key: KeyId) -> &'a str {
        let key = self.log.keys[key.0 as usize];
        self.shape.context_or_source(self.texts.get(key))
    }
}

/// A string that a mainline commit moves to another component. Components are indexes into the compared logs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentMove {
    /// The component that had the string before.
    pub from: usize,
    /// The component that has the string now.
    pub to: usize,
    /// The keys in both, with the first entry of the newer log and the number of entries of the older log before the
    /// commit.
    pub rename: KeyRename,
    /// The old key as people see it.
    pub old_name: Arc<str>,
    /// The texts that moved, with the string or later, in the order of the newer log.
    pub texts: Vec<MovedText>,
}

impl ComponentMove {
    /// The entries of the newer log whose texts moved.
    pub fn moved_entries(&self) -> impl Iterator<Item = u32> {
        let written = self.texts.iter().filter(|text| !text.returns);
        written.map(|text| text.entry)
    }
}

/// A text that moves to another component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MovedText {
    /// Index of its entry in the newer log; of a text that returns, which has no entry, that of its key.
    pub entry: u32,
    /// Whether the text returns: the translation had it before the key was removed.
    pub returns: bool,
    /// Its translation there.
    pub lineage: LineageId,
    /// The source that it was written for: a component, and one of its texts.
    pub source: (usize, TextId),
}
