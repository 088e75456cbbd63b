//! The strings of an earlier state of a component.

use super::align::{Aligned, TemplateStrings};
use super::component_files::ComponentFiles;
use super::file::ParsedFile;
use super::language_file::LanguageFile;

/// A string of a language in an earlier state.
#[derive(Clone, Copy)]
pub(super) struct EarlierString<'a> {
    pub(super) source: &'a str,
    /// Its entry, if the file has one.
    pub(super) entry: Option<EarlierEntry<'a>>,
}

/// An entry of a file of an earlier state.
#[derive(Clone, Copy, Debug)]
pub(super) struct EarlierEntry<'a> {
    pub(super) file: &'a ParsedFile,
    pub(super) index: usize,
}

impl<'a> EarlierString<'a> {
    pub(super) fn translation(&self) -> Option<&'a str> {
        let EarlierEntry { file, index } = self.entry?;
        file.is_translated(index).then(|| file.text(index))
    }

    /// The flags that the file gave it.
    pub(super) fn flags(&self) -> &'a str {
        self.entry.map_or("", |entry| entry.file.flags(entry.index))
    }

    /// The plural categories of its translation.
    pub(super) fn categories(&self) -> Vec<&'static str> {
        let categories = self.entry.map(|entry| entry.file.categories(entry.index));
        categories.unwrap_or_default()
    }
}

/// The strings of an earlier state, by row of the present template.
pub(super) struct EarlierStrings<'a> {
    pub(super) side: &'a ComponentFiles,
    pub(super) rows: TemplateStrings<'a>,
    row_of: Vec<Option<usize>>,
}

impl<'a> EarlierStrings<'a> {
    /// `None` if the state has no readable strings.
    pub fn new(side: &'a ComponentFiles, present: &TemplateStrings<'_>) -> Option<Self> {
        let rows = TemplateStrings::new(&side.readable_template()?.content);
        let row_of = (0..present.len())
            .map(|row| rows.row(present.key(row)))
            .collect();
        Some(Self { side, rows, row_of })
    }

    /// Makes the row of each old key the earlier one of the string's new row.
    pub(super) fn follow(&mut self, renamed_rows: &[(usize, usize)]) {
        for &(old, new) in renamed_rows {
            if let Some(slot) = self.row_of.get_mut(new) {
                *slot = Some(old);
            }
        }
    }

    /// The earlier row of a row, also under an older key.
    pub(super) fn row(&self, row: usize) -> Option<usize> {
        self.row_of.get(row).copied().flatten()
    }
}

/// A language in an earlier state.
pub(super) struct EarlierLanguage<'a> {
    pub(super) strings: &'a EarlierStrings<'a>,
    pub(super) entries: Aligned<'a>,
}

impl<'a> EarlierLanguage<'a> {
    /// The strings of the counterpart of a file of the state `head`.
    pub(super) fn new(
        strings: &'a EarlierStrings<'a>,
        file: &LanguageFile,
        head: &ComponentFiles,
    ) -> Option<Self> {
        let earlier = strings.side.counterpart(file, head)?;
        let content = Some(&earlier.content).filter(|content| content.error.is_none())?;
        let entries = Aligned::new(content, &strings.rows);
        Some(Self { strings, entries })
    }

    /// The string of a row.
    pub(super) fn string(&self, row: usize) -> Option<EarlierString<'a>> {
        let row = self.strings.row(row)?;
        let (file, index) = (self.entries.file, self.entries.entry(row));
        Some(EarlierString {
            source: self.strings.rows.source(row),
            entry: index.map(|index| EarlierEntry { file, index }),
        })
    }

    /// The key of a row.
    pub(super) fn key(&self, row: usize) -> Option<&'a str> {
        Some(self.strings.rows.key(self.strings.row(row)?))
    }

    /// The plural categories of the source of a row.
    pub(super) fn source_categories(&self, row: usize) -> Option<Vec<&'static str>> {
        let rows = &self.strings.rows;
        Some(rows.file.categories(rows.entry(self.strings.row(row)?)))
    }
}
