//! The entries of an XLIFF file by the id of their unit.

use super::file::ParsedFile;
use gitglot_model::SeededMap;

/// The character between context and source in a key.
const AFTER_CONTEXT: char = '\u{4}';

/// The entries of a file by the id of their unit; none for an id that occurs twice.
pub(super) struct UnitEntries<'a>(SeededMap<&'a str, Option<usize>>);

impl<'a> UnitEntries<'a> {
    pub(super) fn of(file: &'a ParsedFile) -> Self {
        let mut entries: SeededMap<&str, Option<usize>> = SeededMap::default();
        for entry in 0..file.len() {
            if let Some((id, _)) = file.key(entry).split_once(AFTER_CONTEXT) {
                let is_first = !entries.contains_key(id);
                entries.insert(id, is_first.then_some(entry));
            }
        }
        Self(entries)
    }

    /// The only entry of the unit of a key.
    pub(super) fn entry(&self, key: &str) -> Option<usize> {
        let (id, _) = key.split_once(AFTER_CONTEXT)?;
        self.0.get(id).copied().flatten()
    }
}
