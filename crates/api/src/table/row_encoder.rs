//! The interface of writers of rows.

use std::io;

use super::cells::Cell;

/// Writes the rows of a table.
pub(super) trait RowEncoder: Send {
    /// Adds a row.
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()>;

    /// Appends the encoded bytes to `out`. Rows can remain buffered until the table `is_complete`.
    fn drain(&mut self, out: &mut Vec<u8>, is_complete: bool) -> io::Result<()>;
}
