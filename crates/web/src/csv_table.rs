//! Tables as CSV, in which no text is a formula. Must not depend on what is in them.

use gitglot_model::spreadsheet_text;

use crate::request::PageResponse;

/// Rows of texts from repositories and of numbers.
pub(crate) struct CsvTable(csv::Writer<Vec<u8>>);

impl CsvTable {
    /// A table whose first row is this.
    pub(crate) fn new(columns: &[&str]) -> Self {
        let mut table = Self(csv::Writer::from_writer(Vec::new()));
        table.push(columns);
        table
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, cells: &[&str]) {
        let cells = cells.iter().map(|cell| spreadsheet_text(cell));
        // Writing to memory cannot fail.
        let _ = self.0.write_record(cells.map(|cell| cell.into_owned()));
    }

    /// The response.
    pub(crate) fn response(self) -> PageResponse {
        let bytes = self.0.into_inner().unwrap_or_default();
        PageResponse::File(bytes, "text/csv; charset=utf-8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        let mut table = CsvTable::new(&["language", "name"]);
        table.push(&["=1_1", "@sum"]);
        let PageResponse::File(bytes, _) = table.response() else {
            panic!("no file");
        };
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text, "language,name\n'=1_1','@sum'\n");
    }
}
