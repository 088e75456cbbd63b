//! `/translate/PROJECT/COMPONENT/LANGUAGE/`: the strings of a translation as a list, or one of them
//! (docs/spec/pages.md#strings).

use std::borrow::Cow;

use askama::Template;

use super::unit;
use super::unit_filter::{OPERATORS, StringFilter};
use crate::aggregates::breadcrumbs_to_component;
use crate::layout::{PageLayout, render_list};
use crate::parts::{
    Breadcrumbs, LocalizedText, Pager, RowAttrs, StringRow, StringTable, Time, plain,
};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::{ComponentSnapshot, TranslationView, UnitView};
use gitglot_model::address::{edit_page, encoded_value, file_page};
use gitglot_model::{checksum, counted, parse_checksum};

const PAGE_SIZE: usize = 25;

#[derive(Template)]
#[template(path = "pages/strings.html")]
struct StringsPage<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    view: TranslationView<'a>,
    name: String,
    /// The path of this page without its query.
    path: String,
    filter: StringFilter,
    /// The choices of its form: id, label, and whether it is selected.
    choices: Vec<(Cow<'static, str>, &'static str, bool)>,
    count: usize,
    strings: StringTable,
    pager: Pager,
    /// The page where the file can be edited, or else seen, at the host of the repository.
    edit: Option<String>,
    /// How to contribute to the language.
    engage: String,
    /// The address of the file with the strings of the list, without the format.
    file: Option<String>,
}

/// Finds the row of the string with this checksum (docs/spec/pages.md#checksum).
pub fn row_of(component: &ComponentSnapshot, checksum: &str) -> Option<u32> {
    let id_hash = parse_checksum(checksum)?;
    let mut sources = component.sources.iter();
    let found = sources.position(|source| source.id_hash == id_hash);
    match found {
        Some(row) => row.try_into().ok(),
        None => component.row_in_current(id_hash),
    }
}

/// Renders the list or, with `checksum=` or `offset=`, one string; `None` for an unknown translation or string.
pub(crate) fn page(
    request: &PageRequest<'_>,
    [project, component, language]: [&str; 3],
) -> Option<String> {
    let view = request.snapshot.translation(project, component, language)?;
    let view = view.revised();
    let filter = StringFilter::of(request);
    if let Some(checksum) = request.value("checksum") {
        let unit = view.unit_of_string(row_of(view.component, checksum)?)?;
        return Some(unit::page(request, unit, &filter));
    }
    if let Some(offset) = request.value("offset") {
        let rows = filter.rows(view, request);
        let row = rows.get(offset.parse::<usize>().ok()?)?;
        return Some(unit::page(request, view.unit(*row)?, &filter));
    }
    Some(list(request, view, filter))
}

fn list(request: &PageRequest<'_>, view: TranslationView<'_>, filter: StringFilter) -> String {
    let (component, translation) = (view.component, view.translation);
    // Without a filter, row numbers are positions.
    let rows = (!filter.is_whole_file()).then(|| filter.rows(view, request));
    let all = translation.unit_count();
    let count = rows.as_ref().map_or(all, |rows| rows.len());
    let pager = Pager::new(request, count, PAGE_SIZE);
    let path = request.strings(view);
    let row_at = |at: usize| match &rows {
        Some(rows) => rows.get(at).copied(),
        None => at.try_into().ok(),
    };
    let shown = pager.entries.clone().filter_map(row_at);
    let attrs = RowAttrs::of(view);
    // The parameters of the list after that of the string.
    let kept = filter.query(&[]).replacen('?', "&", 1);
    let page_of = |unit: UnitView<'_>| {
        let string = checksum(unit.source.id_hash);
        [&*path, "?checksum=", &*string, &*kept].concat()
    };
    let has_pages = request.layout.has_string_pages();
    let has_search = !filter.search.is_empty();
    let mut strings = StringTable::new("Strings with source and translation");
    for unit in shown.filter_map(|row| view.unit(row)) {
        let href = has_pages.then(|| page_of(unit));
        let since = unit.state_since(request.budget).map(Time::new);
        let line = unit::line(request, unit);
        let row = StringRow {
            href: href.as_deref(),
            since: since.as_ref(),
            line: line.as_deref(),
            filter: has_search.then(|| filter.parsed()),
            ..StringRow::default()
        };
        strings.push(unit, &attrs, &row);
    }
    // Without a server there is no form.
    let choices = if request.layout.has_server() {
        filter.choices(&view, request.budget)
    } else {
        Vec::new()
    };
    let name = translation.language.display_name();
    let slug = component.project.slug.as_str();
    let of = &component.component;
    let in_repository = &*translation.path;
    // The files of a directory are edited one by one.
    let is_file = of.filemask.names_files();
    let edit = edit_page(&of.repo, &of.branch, in_repository).filter(|_| is_file);
    let file = || {
        let file = format!("/api/translations/{}/file/", component.path_of(translation));
        let query = match filter.as_query() {
            // The file of all strings has them for work, too.
            all if all.is_empty() => "state:>=empty".to_owned(),
            query => query,
        };
        request.layout.url(&file) + "?q=" + &encoded_value(&query) + "&format="
    };
    render_list(&StringsPage {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_component(request, component)
            .below(&name, request.translation(view)),
        view,
        name,
        strings,
        edit: edit.or_else(|| file_page(&of.repo, component.tip.id, in_repository)),
        engage: request.engage(slug, &translation.language),
        file: (request.layout.has_server() && count > 0).then(file),
        path,
        count,
        pager,
        choices,
        filter,
    })
}
