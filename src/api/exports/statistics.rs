//! `/exports/stats/…`: statistics in one piece.

use serde_json::{Map, Value};

use crate::api::answer::{Answer, JSON};
use crate::api::bodies::{exported_statistics, languages_of_project, statistics_of_language};
use crate::api::call::Call;
use crate::api::json;
use crate::api::table;

/// The columns of a project's table, as 3.4 orders them.
const OF_PROJECT: [&str; 8] = [
    "language",
    "code",
    "total",
    "translated",
    "translated_percent",
    "total_words",
    "translated_words",
    "words_percent",
];

/// The columns of a component's table, as 3.4 orders them.
const OF_COMPONENT: [&str; 15] = [
    "name",
    "code",
    "total",
    "translated",
    "translated_percent",
    "total_words",
    "translated_words",
    "failing",
    "failing_percent",
    "fuzzy",
    "fuzzy_percent",
    "url_translate",
    "url",
    "last_change",
    "last_author",
];

/// The statistics of a project, a row for each language.
pub(in crate::api) fn of_project(call: &Call, project: &str) -> Option<Answer> {
    call.project(project)?;
    let mut body = Vec::new();
    json::list(&mut body, languages_of_project(&call.snapshot, project), statistics_of_language);
    answer(call, &body, &OF_PROJECT, project)
}

/// The statistics of a component, a row for each translation.
pub(in crate::api) fn of_component(call: &Call, project: &str, component: &str) -> Option<Answer> {
    let of = call.component(project, component)?;
    let mut body = Vec::new();
    json::list(&mut body, of.named(0..of.by_name.len()), |out, view| {
        exported_statistics(out, &call.links, &call.snapshot, view);
    });
    answer(call, &body, &OF_COMPONENT, &[project, "-", component].concat())
}

fn answer(call: &Call, body: &[u8], columns: &[&str], name: &str) -> Option<Answer> {
    if call.format.as_deref() != Some("csv") {
        return Some(Answer::export(json::ascii(&json::indented(body, 2)), JSON));
    }
    let rows: Vec<Map<String, Value>> = serde_json::from_slice(body).ok()?;
    let mut out = table::plain(Vec::new());
    out.write_record(columns).ok()?;
    for object in &rows {
        table::row(&mut out, object, columns.iter().copied()).ok()?;
    }
    let file = format!("attachment; filename=stats-{name}.csv");
    Some(Answer::export(out.into_inner().ok()?, table::CSV).with_disposition(&file))
}
