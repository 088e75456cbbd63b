//! `/exports/stats/…`: statistics in one response.

use poem::http::StatusCode;
use serde_json::{Map, Value};

use crate::api::encode::csv;
use crate::api::encode::json;
use crate::api::request::context::RequestContext;
use crate::api::response::api_response::ApiResponse;
use crate::api::response::media_type::{CSV, JSON};
use crate::api::views::{exported_statistics, languages_of_project, statistics_of_language};
use crate::scan::Budget;

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

/// The statistics of the project in the path, a row for each language.
pub(crate) fn of_project(ctx: &RequestContext, budget: &Budget) -> Option<ApiResponse> {
    let project = ctx.project().ok()?.slug.as_str();
    let components = ctx.snapshot.components_of(project);
    let rows: usize = components.map(|of| of.by_name.len()).sum();
    budget.spend(rows as u64).then_some(())?;
    let mut body = Vec::new();
    json::list(
        &mut body,
        languages_of_project(&ctx.snapshot, project),
        statistics_of_language,
    );
    respond(ctx, &body, &OF_PROJECT, project)
}

/// The statistics of the component in the path, a row for each translation.
pub(crate) fn of_component(ctx: &RequestContext, budget: &Budget) -> Option<ApiResponse> {
    let of = ctx.component().ok()?;
    budget.spend(of.by_name.len() as u64).then_some(())?;
    let mut body = Vec::new();
    json::list(&mut body, of.named(0..of.by_name.len()), |out, view| {
        exported_statistics(out, &ctx.links, &ctx.snapshot, view);
    });
    let name = [of.project.slug.as_str(), "-", of.component.slug.as_str()].concat();
    respond(ctx, &body, &OF_COMPONENT, &name)
}

fn respond(ctx: &RequestContext, body: &[u8], columns: &[&str], name: &str) -> Option<ApiResponse> {
    if ctx.format.as_deref() != Some("csv") {
        return Some(ApiResponse::outside(
            StatusCode::OK,
            JSON,
            json::ascii(&json::indented(body, 2)),
        ));
    }
    let rows: Vec<Map<String, Value>> = serde_json::from_slice(body).ok()?;
    let mut out = csv::plain(Vec::new());
    out.write_record(columns).ok()?;
    for object in &rows {
        csv::row(&mut out, object, columns.iter().copied(), ctx.csv_text).ok()?;
    }
    let file = format!("attachment; filename=stats-{name}.csv");
    Some(ApiResponse::outside(StatusCode::OK, CSV, out.into_inner().ok()?).with_disposition(&file))
}
