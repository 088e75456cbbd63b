//! The page of a translation: strings by state, failing checks and newest changes.

use askama::Template;

use super::checks::{failure_counts, worst_first};
use super::unit_filter::UnitType;
use crate::aggregates::{breadcrumbs_to_component, last_change, progress_of};
use crate::layout::{PageLayout, render};
use crate::parts::{
    Breadcrumbs, EntryScope, EntryView, LangAttrs, LastChange, LocalizedText, Origins, Tiles,
    entries, plain,
};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::query::spend_check;
use gitglot_catalog::{Count, ExpectedString, TranslationView};
use gitglot_checks::{CheckId, SourceChange};
use gitglot_model::address::{encoded, file_page};

#[derive(Template)]
#[template(path = "pages/translation.html")]
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
    states: Vec<(UnitType, Count)>,
    checks: Vec<(CheckId, usize)>,
    missing: Option<MissingTable>,
    origins: Option<Origins>,
    changes: Vec<EntryView>,
}

/// The strings that the file lacks.
struct MissingTable {
    /// Why it should have them, and since when it was not updated.
    reason: String,
    /// The first ones, each with its context and source.
    rows: Vec<(LocalizedText, LocalizedText)>,
    /// Number of further ones.
    more: usize,
}

/// Number of missing strings shown.
const MISSING: usize = 100;

/// Renders the page; `None` for an unknown translation.
pub(crate) fn page(
    request: &PageRequest<'_>,
    [project, component, language]: [&str; 3],
) -> Option<String> {
    let view = request.snapshot.translation(project, component, language)?;
    let view = view.revised();
    let (of, translation) = (view.component, view.translation);
    let strings = request.strings(view);
    let name = translation.language.display_name();
    let origins = Origins::of(request, [view], Some(&[&*strings, "?"].concat()));
    let log = request.snapshot.changes_of_translation(view);
    Some(render(&TranslationPage {
        layout: request.subscribed_layout(&[project, component, language]),
        breadcrumbs: breadcrumbs_to_component(request, of),
        view,
        name,
        path: of.path_of(translation),
        tiles: Tiles {
            progress: progress_of(request, [view]),
            strings: Some(strings.clone()),
            noun: of.component.file_format.noun(),
        },
        strings,
        last: last_change(request, [view]),
        states: states(request, view),
        checks: worst_first(failure_counts(view, request.budget)),
        missing: missing(view),
        origins,
        changes: entries(request, log, EntryScope::Translation),
    }))
}

fn missing(view: TranslationView<'_>) -> Option<MissingTable> {
    let (found, of) = (view.missing()?, view.component);
    let source = LangAttrs::of_code(&of.project.source_language);
    let strings = found.strings.iter();
    let strings = strings.filter_map(|&at| of.expected.strings.get(at as usize));
    let row = |string: &ExpectedString| {
        let text = |attrs, id| LocalizedText::short(attrs, of.texts.get(id));
        (
            text(&LangAttrs::UNKNOWN, string.context),
            text(&source, string.source),
        )
    };
    let who = if of.expected.has_template {
        "The template has these strings"
    } else {
        "Most other languages have these strings"
    };
    let since = found.merged.as_deref();
    let since = since.map_or_else(String::new, |day| format!(": not merged since {day}"));
    Some(MissingTable {
        reason: format!("{who}, but the file does not{since}."),
        rows: strings.take(MISSING).map(row).collect(),
        more: found.strings.len().saturating_sub(MISSING),
    })
}

/// The numbers of strings by state.
fn states(request: &PageRequest<'_>, view: TranslationView<'_>) -> Vec<(UnitType, Count)> {
    let budget = request.budget;
    let translation = view.translation;
    let counts = &translation.statistics;
    let mut by_class = [Count::default(); SourceChange::ALL.len()];
    let stale = translation.stale.iter();
    let stale = stale.filter_map(|&(row, _)| view.unit(row));
    let mut drafts = Count::default();
    for unit in stale.take_while(|unit| spend_check(budget, *unit)) {
        let count = match unit.source_change() {
            Some(change) => &mut by_class[change as usize],
            None => &mut drafts,
        };
        *count += Count::one(unit.source.words);
    }
    let classes = SourceChange::ALL.into_iter().zip(by_class).rev();
    let classes = classes.filter(|(_, count)| count.units > 0);
    let mut states = vec![
        (UnitType::All, counts.all),
        (UnitType::Translated, counts.translated),
        (UnitType::Fuzzy, counts.fuzzy),
    ];
    if translation.is_bilingual() {
        states.push((UnitType::Stale, counts.fuzzy - drafts));
    }
    states.extend(classes.map(|(change, count)| (UnitType::StaleAs(change), count)));
    if translation.is_bilingual() {
        states.push((UnitType::Draft, drafts));
    }
    states.extend([
        (UnitType::Missing, counts.missing()),
        (UnitType::ToDo, counts.all - counts.translated),
        (UnitType::Failing, request.failing(view)),
    ]);
    states
}
