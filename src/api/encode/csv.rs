//! Tables as text: rows of JSON objects as CSV, with CR LF lines as RFC 4180 has them.

use std::borrow::Cow;
use std::io;

use serde_json::{Map, Value};

/// A writer that quotes every field.
pub(crate) fn quoted<W: io::Write>(out: W) -> csv::Writer<W> {
    let mut builder = csv::WriterBuilder::new();
    builder.quote_style(csv::QuoteStyle::Always).terminator(csv::Terminator::CRLF).from_writer(out)
}

/// A writer that quotes where it is needed.
pub(crate) fn plain<W: io::Write>(out: W) -> csv::Writer<W> {
    csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out)
}

/// A text that spreadsheet programs would read as a formula, made harmless as 3.4's exporter does it.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '|', '%']) {
        ["'", &text.replace('|', "\\|"), "'"].concat().into()
    } else {
        text.into()
    }
}

/// Writes one row: the values of those columns.
///
/// # Errors
/// What `table` writes to says.
pub(crate) fn row<'a, W: io::Write>(
    table: &mut csv::Writer<W>,
    object: &Map<String, Value>,
    columns: impl IntoIterator<Item = &'a str>,
) -> io::Result<()> {
    for column in columns {
        let cell = match object.get(column) {
            None | Some(Value::Null) => Cow::default(),
            Some(Value::String(text)) => harmless(text),
            Some(other) => other.to_string().into(),
        };
        table.write_field(&*cell)?;
    }
    Ok(table.write_record(None::<&[u8]>)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_texts() {
        for (text, shown) in [("=A1", "'=A1'"), ("|x|", "'\\|x\\|'"), ("%d files", "'%d files'"), ("a=b|c", "a=b|c")] {
            assert_eq!(harmless(text), shown);
        }
    }

    #[test]
    fn a_row_has_its_columns_in_order_and_nothing_for_null() {
        let object = serde_json::json!({"b": 2.5, "a": "x, \"y\"\nz", "c": null, "d": true, "e": "left out"});
        let mut table = plain(Vec::new());
        row(&mut table, object.as_object().unwrap(), ["a", "b", "c", "d"]).unwrap();
        assert_eq!(table.into_inner().unwrap(), b"\"x, \"\"y\"\"\nz\",2.5,,true\r\n");
    }
}
