//! CSV with CR LF line ends (RFC 4180), and texts that are safe in spreadsheet programs.

use std::borrow::Cow;
use std::io;

use gitglot_model::spreadsheet_text;

/// Appends a row. All cells have quotes if `quotes_all`, otherwise those that need them, as Python's `csv` writes it.
pub(crate) fn push_row<T: AsRef<str>>(
    out: &mut String,
    cells: impl IntoIterator<Item = T>,
    quotes_all: bool,
) {
    for (at, cell) in cells.into_iter().enumerate() {
        let cell = cell.as_ref();
        if at > 0 {
            out.push(',');
        }
        if quotes_all || cell.contains(['"', ',', '\n', '\r']) {
            out.push('"');
            for (at, part) in cell.split('"').enumerate() {
                out.push_str(if at > 0 { "\"\"" } else { "" });
                out.push_str(part);
            }
            out.push('"');
        } else {
            out.push_str(cell);
        }
    }
    out.push_str("\r\n");
}

/// A writer that quotes where it is needed.
pub(crate) fn plain<W: io::Write>(out: W) -> csv::Writer<W> {
    csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(out)
}

/// How texts are written in a table (docs/spec/http.md#csv).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum CsvText {
    /// Texts that spreadsheet programs would evaluate are changed.
    #[default]
    SpreadsheetSafe,
    /// Texts are unchanged.
    Raw,
}

impl CsvText {
    /// The value of the parameter `csv` of a request.
    pub(crate) fn read(value: Option<&str>) -> Self {
        match value {
            Some("raw") => Self::Raw,
            _ => Self::SpreadsheetSafe,
        }
    }

    pub(crate) fn cell(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::SpreadsheetSafe => spreadsheet_text(text),
            Self::Raw => text.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_needed() {
        let mut out = String::new();
        push_row(&mut out, ["a", "b,\"c\""], false);
        assert_eq!(out, "a,\"b,\"\"c\"\"\"\r\n");
    }

    #[test]
    fn formulas_become_texts() {
        for (text, shown) in [
            ("=A1", "'=A1'"),
            ("|x|", "'\\|x\\|'"),
            ("%d files", "'%d files'"),
            ("\t=A1", "'\t=A1'"),
            ("\rtext", "'\rtext'"),
            ("\ntext", "'\ntext'"),
            ("\u{a0}=A1", "'\u{a0}=A1'"),
            ("\u{b}+1", "'\u{b}+1'"),
            ("\u{feff}\u{a0}@SUM(1)", "'\u{feff}\u{a0}@SUM(1)'"),
            ("＝A1", "'＝A1'"),
            ("＋1", "'＋1'"),
            ("－1", "'－1'"),
            ("＠A1", "'＠A1'"),
        ] {
            assert_eq!(spreadsheet_text(text), shown);
        }
        for text in [
            "a=b|c",
            " =A1",
            " - item",
            "\u{a0}text",
            "\u{a0}",
            "„=“",
            "",
        ] {
            assert_eq!(spreadsheet_text(text), text);
        }
    }

    #[test]
    fn raw_texts_are_unchanged() {
        assert_eq!(
            (
                CsvText::Raw.cell("=A1"),
                CsvText::SpreadsheetSafe.cell("=A1")
            ),
            ("=A1".into(), "'=A1'".into())
        );
    }
}
