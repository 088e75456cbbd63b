//! `/exports/stats/…`: statistics in one response.

use poem::http::StatusCode;

use crate::encode::json;
use crate::request::context::RequestContext;
use crate::response::api_response::ApiResponse;
use crate::response::media_type::{CSV, JSON, Representation};
use crate::table::{Table, TableEncoder};
use crate::views::{self, languages_of_project, statistics, statistics_of_language};
use gitglot_catalog::scan::Budget;

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

/// The statistics of the project or component in the path.
pub(crate) fn response(ctx: &RequestContext, budget: &Budget) -> Option<ApiResponse> {
    match ctx.param("component") {
        "" => of_project(ctx, budget),
        _ => of_component(ctx, budget),
    }
}

/// The statistics of a project, a row for each language.
fn of_project(ctx: &RequestContext, budget: &Budget) -> Option<ApiResponse> {
    let project = ctx.project().ok()?.slug.as_str();
    let components = ctx.snapshot.components_of(project);
    let rows: usize = components.map(|of| of.translations.len()).sum();
    budget.spend(rows as u64).then_some(())?;
    let rows = languages_of_project(&ctx.snapshot, project);
    let table = Table::of(&views::LanguageStatistics::object(), false);
    respond(ctx, project, table, rows, statistics_of_language)
}

/// The statistics of a component, a row for each translation.
fn of_component(ctx: &RequestContext, budget: &Budget) -> Option<ApiResponse> {
    let of = ctx.component().ok()?;
    budget.spend(of.translations.len() as u64).then_some(())?;
    let name = [of.project.slug.as_str(), "-", of.component.slug.as_str()].concat();
    let mut row = views::TranslationStatistics::object();
    row.fields
        .sort_by_key(|field| OF_COMPONENT.iter().position(|name| *name == field.name));
    let table = Table::of(&row, false);
    respond(ctx, &name, table, of.named(), |out, view| {
        statistics(out, &ctx.links, &ctx.snapshot, view, json::millis);
    })
}

fn respond<T>(
    ctx: &RequestContext,
    name: &str,
    table: Table,
    rows: impl IntoIterator<Item = T>,
    write: impl Fn(&mut Vec<u8>, T),
) -> Option<ApiResponse> {
    let mut body = Vec::new();
    if ctx.format.as_deref() != Some("csv") {
        json::list(&mut body, rows, write);
        let body = json::ascii(&json::indented(&body, 2));
        return Some(ApiResponse::outside(StatusCode::OK, JSON, body));
    }
    let mut encoder = TableEncoder::new(table, Representation::Csv, ctx.csv_text, &[]).ok()?;
    for row in rows {
        encoder.add(|out| write(out, row));
    }
    encoder.drain(&mut body, true).ok()?;
    let file = format!("attachment; filename=stats-{name}.csv");
    Some(ApiResponse::outside(StatusCode::OK, CSV, body).with_disposition(&file))
}
