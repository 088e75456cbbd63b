//! The strings that every bilingual file of a tip should have, and those that each lacks (docs/spec/units.md).

use std::sync::Arc;

use gitglot_model::{KeyId, TextId};

/// The template of new files, and the strings that every file should have.
#[derive(Clone, Default, Debug)]
pub struct ExpectedStrings {
    /// The strings, in the order of the template, else by path and in the order of the files.
    pub strings: Arc<[ExpectedString]>,
    /// Whether they are those of the template, not those of most files.
    pub has_template: bool,
    /// When the template was made, as its header says.
    pub template_date: Option<Arc<str>>,
    /// Its age.
    pub template_age: Option<TemplateAge>,
}

/// A string that every file should have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExpectedString {
    pub(super) key: KeyId,
    /// Its context.
    pub context: TextId,
    /// Its source text.
    pub source: TextId,
}

impl ExpectedString {
    /// Its key.
    pub fn key(&self) -> KeyId {
        self.key
    }
}

/// The strings that one file lacks.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MissingStrings {
    /// Indexes in [`ExpectedStrings::strings`], ascending.
    pub strings: Box<[u32]>,
    /// The words of their sources.
    pub words: u64,
    /// Indexes of the strings that the file has a translation of an older source of, under the id of the unit.
    pub older: Box<[u32]>,
    /// The words of the sources of these.
    pub older_words: u64,
    /// The day on which the file was last merged with a template, if its header has it.
    pub merged: Option<Arc<str>>,
}

/// The age of the template of new files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TemplateAge {
    /// When the last commit was made that changed the template, in seconds since 1970.
    pub committed: i64,
    /// Number of mainline commits after it.
    pub commits: u32,
    /// Number of the source files that it names. Those that did not exist then do not count.
    pub files: u32,
    /// Number of those that changed since then.
    pub changed: u32,
}
