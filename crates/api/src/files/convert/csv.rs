//! Units as CSV, with the columns of Weblate.

use super::Conversion;
use super::exported_unit::{ExportedUnit, WorkFields};
use crate::encode::csv::push_row;
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
pub(super) fn file(of: &Conversion<'_>) -> Vec<u8> {
    let mut out = String::new();
    let previous = of.is_for_work().then_some(PREVIOUS_SOURCE);
    push_row(&mut out, COLUMNS.into_iter().chain(previous), true);
    for view in of.units() {
        let text = ExportedUnit::of(view);
        let work = of.is_for_work().then(|| WorkFields::of(view));
        let locations = work.as_ref().map(|work| work.locations.join(", "));
        let previous = work.map(|work| work.previous.join(PLURAL_SEPARATOR));
        let fuzzy = if view.unit.fuzzy() { "True" } else { "False" };
        let cells = [
            locations.as_deref().unwrap_or_default(),
            text.source,
            &text.target,
            "",
            fuzzy,
            text.context,
            "",
            &text.comment,
        ];
        let cells = cells.into_iter().chain(previous.as_deref());
        push_row(&mut out, cells.map(spreadsheet_text), true);
    }
    out.into_bytes()
}
