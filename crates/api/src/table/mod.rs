//! Lists as tables: columns with types, and rows as CSV or Parquet (docs/spec/http.md#tables).
//!
//! The columns are those of the schema types that describe the bodies in the OpenAPI document. Rows are written as JSON
//! first, like in every other representation, and split into cells. Must not depend on handlers.

mod cells;
mod columns;
mod csv_rows;
mod exports;
#[cfg(feature = "parquet")]
mod parquet_rows;
mod schema_page;

use std::io;

pub(crate) use cells::Cell;
pub(crate) use columns::{Column, ColumnKind, Table};
pub use exports::{EXPORTS, Export};
pub use schema_page::schema_page;

use crate::encode::csv::CsvText;
use crate::response::media_type::Representation;
use csv_rows::CsvRows;

/// Whether this program writes Parquet.
pub(crate) const HAS_PARQUET: bool = cfg!(feature = "parquet");

trait RowEncoder: Send {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()>;

    /// Appends the encoded bytes to `out`. Rows can remain buffered until the table `is_complete`.
    fn drain(&mut self, out: &mut Vec<u8>, is_complete: bool) -> io::Result<()>;
}

/// Writes a list as a table.
pub(crate) struct TableEncoder {
    table: Table,
    rows: Box<dyn RowEncoder>,
    /// The object that is converted.
    object: Vec<u8>,
    /// Why a row could not be written.
    failure: Option<io::Error>,
}

impl TableEncoder {
    /// An encoder of rows in a representation. `properties` are names and values that describe the table, where the
    /// representation has metadata.
    ///
    /// # Errors
    /// When the representation is no table, or this program does not support it.
    pub fn new(
        table: Table,
        representation: Representation,
        text: CsvText,
        #[cfg_attr(not(feature = "parquet"), expect(unused_variables))] properties: &[(
            &str,
            String,
        )],
    ) -> io::Result<Self> {
        let rows: Box<dyn RowEncoder> = match representation {
            Representation::Csv => Box::new(CsvRows::new(&table, text)?),
            #[cfg(feature = "parquet")]
            Representation::Parquet => {
                Box::new(parquet_rows::ParquetRows::new(&table, properties)?)
            }
            _ => return Err(io::ErrorKind::Unsupported.into()),
        };
        Ok(Self {
            table,
            rows,
            object: Vec::new(),
            failure: None,
        })
    }

    /// Adds a row, which `write` writes as a JSON object.
    pub(crate) fn add(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.object.clear();
        write(&mut self.object);
        let added = self.table.cells(&self.object).map_err(io::Error::other);
        let added = added.and_then(|cells| self.rows.row(&cells));
        if let Err(error) = added {
            self.failure.get_or_insert(error);
        }
    }

    /// Appends the bytes of the rows so far to `out`; all of them if the table `is_complete`.
    ///
    /// # Errors
    /// When a row could not be written.
    pub(crate) fn drain(&mut self, out: &mut Vec<u8>, is_complete: bool) -> io::Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.rows.drain(out, is_complete)
    }
}
