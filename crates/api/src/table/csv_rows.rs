//! Rows as CSV with a header (docs/spec/http.md#csv).

use std::borrow::Cow;
use std::io;

use super::{Cell, Column, RowEncoder, Table};
use crate::encode::csv::{CsvText, plain};

pub(super) struct CsvRows {
    writer: csv::Writer<Vec<u8>>,
    text: CsvText,
}

impl CsvRows {
    /// A writer that has written the header.
    pub fn new(table: &Table, text: CsvText) -> io::Result<Self> {
        let mut writer = plain(Vec::new());
        let names = table.columns().iter().map(|Column { name, .. }| name);
        writer.write_record(names)?;
        Ok(Self { writer, text })
    }
}

impl RowEncoder for CsvRows {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        for cell in cells {
            match cell {
                Cell::Null => self.writer.write_field("")?,
                Cell::Boolean(true) => self.writer.write_field("true")?,
                Cell::Boolean(false) => self.writer.write_field("false")?,
                Cell::Integer(value) => {
                    let mut digits = itoa::Buffer::new();
                    self.writer.write_field(digits.format(*value))?;
                }
                // Like in JSON, a whole number has one decimal.
                Cell::Number(value) => self.writer.write_field(format!("{value:?}"))?,
                Cell::Text(text) => self.writer.write_field(&*self.text.cell(text))?,
                Cell::Texts(texts) => {
                    let joined: Vec<&str> = texts.iter().map(Cow::as_ref).collect();
                    self.writer
                        .write_field(&*self.text.cell(&joined.join(" ")))?;
                }
            }
        }
        Ok(self.writer.write_record(None::<&[u8]>)?)
    }

    fn drain(&mut self, out: &mut Vec<u8>, _: bool) -> io::Result<()> {
        let writer = std::mem::replace(&mut self.writer, plain(Vec::new()));
        let bytes = writer.into_inner();
        let bytes = bytes.map_err(csv::IntoInnerError::into_error)?;
        out.extend_from_slice(&bytes);
        Ok(())
    }
}
