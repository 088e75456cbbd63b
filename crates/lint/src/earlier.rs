//! The strings of an earlier state of a component.

use super::align::TemplateStrings;
use super::component_files::ComponentFiles;
use super::file::ParsedFile;

/// The source and the translation of a string in an earlier state.
pub(super) type Before<'a> = (&'a str, Option<&'a str>);

/// An entry of a file of the older state.
pub(super) type EarlierEntry<'a> = (&'a ParsedFile, usize);

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
