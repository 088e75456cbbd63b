//! What a commit changed, in the order of strings.

/// The changes of a commit to strings and translations that still exist, in the order of strings.
#[derive(Default)]
pub(super) struct Changes {
    /// Row of the string, and entry.
    pub(super) added: Vec<(u32, u32)>,
    /// Row of the string, and entry.
    pub(super) sources: Vec<(u32, u32)>,
    /// Index of the translation, row of the string, and entry.
    pub(super) texts: Vec<(u32, u32, u32)>,
    /// Index of the translation, and entry.
    pub(super) files: Vec<(u32, u32)>,
    pub(super) removed: Vec<u32>,
    /// Index of the translation, if one has the file, and entry.
    pub(super) broken: Vec<(Option<u32>, u32)>,
    pub(super) alerts: Vec<u32>,
    /// The translation of the source language changed.
    pub(super) has_source: bool,
}

impl Changes {
    /// Number of rows about the component.
    pub(super) fn rows_of_component(&self) -> u64 {
        let alerts = if self.broken.is_empty() { 0 } else { 2 };
        (self.removed.len() + self.broken.len() + self.alerts.len() + alerts) as u64
    }

    /// The texts of a translation.
    pub(super) fn texts_of(&self, index: u32) -> &[(u32, u32, u32)] {
        let start = self.texts.partition_point(|(of, ..)| *of < index);
        let end = self.texts.partition_point(|(of, ..)| *of <= index);
        self.texts.get(start..end).unwrap_or_default()
    }

    /// The texts of a string in a translation.
    pub(super) fn texts_of_unit(&self, index: u32, string: u32) -> &[(u32, u32, u32)] {
        let texts = self.texts_of(index);
        let start = texts.partition_point(|(_, of, _)| *of < string);
        let end = texts.partition_point(|(_, of, _)| *of <= string);
        texts.get(start..end).unwrap_or_default()
    }

    /// The first entry about the file of a translation.
    pub(super) fn file_of(&self, index: u32) -> Option<u32> {
        let at = self.files.partition_point(|(of, _)| *of < index);
        let own = self.files.get(at).filter(|(of, _)| *of == index);
        own.map(|(_, entry)| *entry)
    }

    /// Whether the commit changed the file of a translation, or that of its sources.
    pub(super) fn has_file(&self, index: u32) -> bool {
        let is_broken = || self.broken.iter().any(|(of, _)| *of == Some(index));
        self.file_of(index).is_some() || (self.has_source && !is_broken())
    }
}

/// Whether a list that is sorted by strings has one.
pub(super) fn contains(list: &[(u32, u32)], string: u32) -> bool {
    list.binary_search_by_key(&string, |(of, _)| *of).is_ok()
}
