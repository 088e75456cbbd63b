//! Units as CSV, with the columns of Weblate.

use std::io;

use super::exported_unit::{ExportedUnit, WorkFields};
use crate::encode::csv::quoted;
use gitglot_catalog::UnitView;
use gitglot_model::{PLURAL_SEPARATOR, spreadsheet_text};

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

/// The column that files for work have after those of Weblate.
const PREVIOUS_SOURCE: &str = "previous_source";

/// Writes CSV with all fields quoted. A file for work has locations and a column with earlier sources.
pub(super) fn file<'a>(
    units: impl Iterator<Item = UnitView<'a>>,
    is_for_work: bool,
) -> io::Result<Vec<u8>> {
    let mut table = quoted(Vec::new());
    let previous = is_for_work.then_some(PREVIOUS_SOURCE);
    table.write_record(COLUMNS.into_iter().chain(previous))?;
    for view in units {
        let text = ExportedUnit::of(view);
        let work = is_for_work.then(|| WorkFields::of(view));
        let locations = work.as_ref().map(|work| work.locations.join(", "));
        let previous = work.map(|work| work.previous.join(PLURAL_SEPARATOR));
        let fuzzy = if view.unit.fuzzy() { "True" } else { "False" };
        let (source, target) = (
            spreadsheet_text(text.source),
            spreadsheet_text(&text.target),
        );
        let cells = [
            &*spreadsheet_text(locations.as_deref().unwrap_or_default()),
            &source,
            &target,
            "",
            fuzzy,
            &spreadsheet_text(text.context),
            "",
            &spreadsheet_text(&text.comment),
        ];
        let previous = previous.as_deref().map(spreadsheet_text);
        table.write_record(cells.into_iter().chain(previous.as_deref()))?;
    }
    table
        .into_inner()
        .map_err(|error| io::Error::other(error.to_string()))
}
