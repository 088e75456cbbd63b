//! The page of a translation: strings by state, failing checks and newest changes.

use askama::Template;

use super::checks::failure_counts;
use super::unit_filter::UnitType;
use crate::catalog::{Count, TranslationView};
use crate::checks::CheckId;
use crate::model::address::{encoded, file_page};
use crate::web::aggregates::{breadcrumbs_to_component, last_change, progress_of};
use crate::web::parts::{
    Breadcrumbs, EntryScope, EntryView, LangAttrs, LastChange, LocalizedText, Tiles, entries, plain,
};
use crate::web::request::translation_path;
use crate::web::{PageLayout, PageRequest, render};

/// Number of changes shown.
const RECENT_CHANGES: usize = 10;

#[derive(Template)]
#[template(path = "web/pages/translation.html")]
struct TranslationPage<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    view: TranslationView<'a>,
    name: String,
    /// `project/component/language`, percent-encoded.
    path: String,
    strings: String,
    tiles: Tiles,
    last: Option<LastChange>,
    states: [(UnitType, Count); 6],
    checks: Vec<(CheckId, usize)>,
    changes: Vec<EntryView>,
}

/// Renders the page; `None` for an unknown translation.
pub(crate) fn page(
    request: &PageRequest<'_>,
    project: &str,
    component: &str,
    language: &str,
) -> Option<String> {
    let view = request.snapshot.translation(project, component, language)?;
    let TranslationView {
        component: of,
        translation,
    } = view;
    let sums = &translation.statistics;
    let strings = request.strings(of, translation);
    let name = translation.language.display_name();
    let log = request.snapshot.changes_of_translation(view);
    Some(render(&TranslationPage {
        layout: request.subscribed_layout(&[project, component, language]),
        breadcrumbs: breadcrumbs_to_component(request, of),
        view,
        name,
        path: translation_path(of, translation),
        tiles: Tiles {
            progress: progress_of([view]),
            strings: Some(strings.clone()),
        },
        strings,
        last: last_change(request, [view]),
        states: [
            (UnitType::All, sums.all),
            (UnitType::Translated, sums.translated),
            (UnitType::Stale, sums.fuzzy),
            (UnitType::Missing, sums.missing()),
            (UnitType::ToDo, sums.all - sums.translated),
            (UnitType::Failing, sums.failing),
        ],
        checks: CheckId::ALL
            .into_iter()
            .zip(failure_counts(view, request.budget))
            .filter(|(_, count)| *count > 0)
            .collect(),
        changes: entries(request, log, RECENT_CHANGES, EntryScope::Translation),
    }))
}
