//! Units as CSV, with the columns of Weblate.

use std::io;

use super::exported_unit::ExportedUnit;
use crate::encode::csv::{quoted, sanitize};
use gitglot_catalog::UnitView;

/// The columns of Weblate.
pub(super) const COLUMNS: [&str; 8] = [
    "location",
    "source",
    "target",
    "id",
    "fuzzy",
    "context",
    "translator_comments",
    "developer_comments",
];

/// Writes CSV with all fields quoted.
pub(super) fn file<'a>(units: impl Iterator<Item = UnitView<'a>>) -> io::Result<Vec<u8>> {
    let mut table = quoted(Vec::new());
    table.write_record(COLUMNS)?;
    for view in units {
        let text = ExportedUnit::of(view);
        let fuzzy = if view.unit.fuzzy() { "True" } else { "False" };
        let (source, target) = (sanitize(text.source), sanitize(&text.target));
        table.write_record([
            "",
            &source,
            &target,
            "",
            fuzzy,
            &sanitize(text.context),
            "",
            &sanitize(&text.comment),
        ])?;
    }
    table
        .into_inner()
        .map_err(|error| io::Error::other(error.to_string()))
}
