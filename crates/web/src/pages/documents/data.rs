//! The documents of a component in each language as JSON and CSV (docs/spec/pages.md#documents).

use serde_json::{Map, json};

use super::{Matrix, status};
use crate::csv_table::CsvTable;
use crate::pages::unit_document::document_file;
use crate::parts::{Time, UnitStatus};
use crate::request::{PageRequest, PageResponse};

/// The columns of the table as data.
const FIELDS: [&str; 7] = [
    "document", "words", "language", "state", "change", "since", "path",
];

/// Responds with the documents as JSON or CSV; `None` as for the page.
pub(crate) fn data(request: &PageRequest<'_>, names: [&str; 2]) -> Option<PageResponse> {
    let matrix = Matrix::of(request, names)?;
    let is_csv = request.value("format") == Some("csv");
    let mut table = CsvTable::new(&FIELDS);
    let [project, component] = names;
    let head = json!({
        "project": project,
        "component": component,
        "commit": matrix.of.tip.id.to_string(),
    });
    let mut body = head.to_string();
    body.truncate(body.len() - 1);
    body.push_str(",\"documents\":[");
    let documents = matrix.rows.iter().filter_map(|row| matrix.document(*row));
    for (at, document) in documents.enumerate() {
        if !request.budget.spend(matrix.languages.len() as u64) {
            break;
        }
        let mut translations = Map::new();
        for view in &matrix.languages {
            let unit = view.unit_of_string(document.row);
            let state = status(request, unit);
            let (name, change) = match state {
                UnitStatus::Stale(change) => ("stale", Some(change.id())),
                UnitStatus::Translated => ("done", None),
                UnitStatus::Failing => ("failing", None),
                UnitStatus::Missing | UnitStatus::Draft => ("missing", None),
            };
            let since = unit.filter(|_| change.is_some());
            let since = since.and_then(|unit| unit.state_since(request.budget));
            let since = since.map(|since| Time::new(since).iso());
            let path = unit.and_then(document_file);
            let code = &*view.translation.language.code;
            if is_csv {
                table.push(&[
                    document.key,
                    itoa::Buffer::new().format(document.source.words),
                    code,
                    name,
                    change.unwrap_or_default(),
                    since.as_deref().unwrap_or_default(),
                    path.as_deref().unwrap_or_default(),
                ]);
                continue;
            }
            let value = json!({ "state": name, "change": change, "since": since, "path": path });
            translations.insert(code.to_owned(), value);
        }
        if !is_csv {
            let source = matrix.source;
            let source = source.and_then(|view| view.unit_of_string(document.row));
            let document = json!({
                "document": document.key,
                "path": source.and_then(document_file),
                "words": document.source.words,
                "translations": translations,
            });
            body.push_str(if at > 0 { "," } else { "" });
            body.push_str(&document.to_string());
        }
    }
    if is_csv {
        return Some(table.response());
    }
    body.push_str("]}\n");
    Some(PageResponse::File(body.into_bytes(), "application/json"))
}
