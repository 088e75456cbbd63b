//! Writes the entries of a list in any representation: a JSON array, JSON lines, or CSV.

use serde_json::{Map, Value};

use super::media_type::Representation;
use crate::api::encode::csv::{self, CsvText};

/// Writes the entries of a list one after the other.
pub(crate) struct ListWriter<'a> {
    out: &'a mut Vec<u8>,
    representation: Representation,
    csv_text: CsvText,
    is_first: bool,
}

impl<'a> ListWriter<'a> {
    /// A writer that appends to `out`; `is_first` unless the list has entries before.
    pub(crate) fn new(
        out: &'a mut Vec<u8>,
        representation: Representation,
        is_first: bool,
    ) -> Self {
        Self {
            out,
            representation,
            csv_text: CsvText::default(),
            is_first,
        }
    }

    /// The same writer with a different form of texts in CSV.
    pub(crate) fn with_csv_text(self, csv_text: CsvText) -> Self {
        Self { csv_text, ..self }
    }

    /// Whether nothing was written yet.
    pub(crate) fn is_first(&self) -> bool {
        self.is_first
    }

    /// Writes entries as JSON objects with `write`, and converts them.
    pub(crate) fn each<I>(
        &mut self,
        items: impl IntoIterator<Item = I>,
        mut write: impl FnMut(&mut Vec<u8>, I),
    ) {
        for item in items {
            match self.representation {
                Representation::Json | Representation::Html => {
                    if !self.is_first {
                        self.out.push(b',');
                    }
                    write(self.out, item);
                }
                Representation::NdJson => {
                    write(self.out, item);
                    self.out.push(b'\n');
                }
                Representation::Csv => {
                    let start = self.out.len();
                    write(self.out, item);
                    self.convert_to_row(start);
                }
            }
            self.is_first = false;
        }
    }

    /// Replaces the object from `start` on with a CSV row. The header row with its field names precedes the first one.
    fn convert_to_row(&mut self, start: usize) {
        let object: Map<String, Value> = self
            .out
            .get(start..)
            .map(serde_json::from_slice)
            .and_then(Result::ok)
            .unwrap_or_default();
        let object = csv::flattened(object);
        self.out.truncate(start);
        let mut rows = csv::plain(&mut *self.out);
        // Writing to memory cannot fail.
        if self.is_first {
            let _ = rows.write_record(object.keys());
        }
        let _ = csv::row(
            &mut rows,
            &object,
            object.keys().map(String::as_str),
            self.csv_text,
        );
    }
}
