//! `/search/`: strings of all projects. Each string is listed once, in the first language that matches
//! (docs/spec/pages.md#search).

use askama::Template;

use super::changes::SelectOption;
use super::unit_filter::{OPERATORS, SearchProblem, parse_search};
use crate::layout::{PageLayout, render};
use crate::parts::{Pager, RowAttrs, StringRow, StringTable, Time};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::query::Selection;
use gitglot_catalog::{ComponentSnapshot, UnitView};
use gitglot_model::address::encoded_value;

const PAGE_SIZE: usize = 25;
/// The search stops after this many results.
const MAX_RESULTS: usize = 500;
/// Number of units to test row by row before testing one translation after the other.
const ROW_BY_ROW: usize = 5_000;

#[derive(Template)]
#[template(path = "pages/search.html")]
struct SearchPage<'a> {
    layout: PageLayout,
    path: String,
    search: &'a str,
    projects: Vec<SelectOption>,
    languages: Vec<SelectOption>,
    error: Option<SearchProblem>,
    /// Whether the examples are shown: until there are results.
    is_open: bool,
    count: usize,
    /// Whether there are more results than [`MAX_RESULTS`].
    more: bool,
    results: StringTable,
    pager: Pager,
}

pub(crate) fn page(request: &PageRequest<'_>) -> String {
    let search = request.value("q").unwrap_or_default();
    let (project, language) = (request.value("project"), request.value("lang"));
    let (filter, error) = parse_search(search);
    let users = request.snapshot.users();
    let (mut found, mut selection) = (Vec::new(), Selection::new(&filter, users, request.budget));
    let is_selected = |of: &ComponentSnapshot| {
        let is_in_project = project.is_none_or(|slug| of.project.slug.as_str() == slug);
        is_in_project && !search.is_empty() && error.is_none()
    };
    let components = request.snapshot.components().iter();
    for component in components.filter(|of| is_selected(of)) {
        let most = MAX_RESULTS + 1 - found.len();
        found.extend(strings(component, language, &mut selection, most));
    }
    let more = found.len() > MAX_RESULTS;
    found.truncate(MAX_RESULTS);
    let pager = Pager::new(request, found.len(), PAGE_SIZE);
    let shown = found.get(pager.entries.clone()).unwrap_or_default();
    let mut results = StringTable::new("Search results");
    for unit in shown {
        let language = unit.translation.language.display_name();
        let location = [&*unit.component.component.name, &language].join(", ");
        let href = request.unit(*unit);
        let since = unit.state_since(request.budget).map(Time::new);
        let row = StringRow {
            href: Some(&href),
            location: Some(&location),
            since: since.as_ref(),
            filter: Some(&filter),
            ..StringRow::default()
        };
        results.push(*unit, &RowAttrs::of(unit.of()), &row);
    }
    render(&SearchPage {
        layout: request.layout.clone(),
        path: request.link(paths::SEARCH, &[]),
        search,
        projects: SelectOption::projects(request, project),
        languages: SelectOption::languages(request, language),
        error,
        is_open: found.is_empty(),
        count: found.len(),
        more,
        results,
        pager,
    })
}

/// Returns up to `most` matching strings of a component, in template order.
fn strings<'a>(
    component: &'a ComponentSnapshot,
    language: Option<&str>,
    selection: &mut Selection<'_, 'a>,
    most: usize,
) -> Vec<UnitView<'a>> {
    let mut views: Vec<_> = component.views().collect();
    views.retain(|view| language.is_none_or(|wanted| *view.translation.language.code == *wanted));
    // The source language comes first, so that matches in the source text are listed under it.
    views.sort_by_key(|view| !view.translation.is_template);
    let rows = component.sources.len() as u32;
    let (mut found, mut tested, mut row) = (Vec::new(), 0, 0);
    // Common words fill a page quickly.
    while row < rows && tested < ROW_BY_ROW && found.len() < most {
        let mut units = views
            .iter()
            .filter_map(|view| view.unit_of_string(row))
            .inspect(|_| tested += 1);
        found.extend(units.find(|unit| selection.selects(*unit)));
        row += 1;
    }
    if row == rows || found.len() == most {
        return found;
    }
    let mut first: Vec<Option<UnitView<'a>>> = vec![None; rows as usize];
    // One translation after the other, in memory order.
    for view in views {
        let untested = (0..rows).zip(&mut first).skip(row as usize);
        for (string, first) in untested.filter(|(_, first)| first.is_none()) {
            let unit = view.unit_of_string(string);
            *first = unit.filter(|unit| selection.selects(*unit));
        }
    }
    found.extend(first.into_iter().flatten());
    found.truncate(most);
    found
}
