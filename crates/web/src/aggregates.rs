//! Sums and table rows over several translations, and breadcrumbs.

use std::collections::HashMap;

use crate::parts::{Breadcrumbs, LastChange, LocalizedText, TableRow, Time, name_of};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::{ComponentSnapshot, Statistics, TranslationView};
use gitglot_model::language::Language;
use gitglot_model::{Project, Timestamp, UserId};

/// Returns the newest change of some translations.
pub(crate) fn last_change<'a>(
    request: &PageRequest<'_>,
    translations: impl IntoIterator<Item = TranslationView<'a>>,
) -> Option<LastChange> {
    let changes = translations.into_iter().filter_map(|view| {
        let (time, person) = view.translation.last_change?;
        Some((time, view.component.users.get(person.0 as usize).copied()))
    });
    let (time, user): (Timestamp, Option<UserId>) = changes.max_by_key(|(time, _)| *time)?;
    let author = user.and_then(|user| request.snapshot.user(user));
    Some(LastChange {
        time: Time::new(time),
        author: author.map(name_of),
    })
}

/// The time of the newest change of some translations.
pub(crate) fn last_time<'a>(
    translations: impl IntoIterator<Item = TranslationView<'a>>,
) -> Option<Timestamp> {
    let changes = translations.into_iter();
    changes
        .filter_map(|view| Some(view.translation.last_change?.0))
        .max()
}

/// The table row of one translation; `named` selects its label.
pub(crate) fn translation_row(
    request: &PageRequest<'_>,
    view: TranslationView<'_>,
    named: RowName,
) -> TableRow {
    let (component, translation) = (view.component, view.translation);
    let name = match named {
        RowName::Language => translation.language.display_name(),
        RowName::Component => component.component.name.clone(),
        RowName::ProjectAndComponent => {
            [&component.project.name, " / ", &component.component.name].concat()
        }
    };
    let is_source = named == RowName::Language && translation.is_template;
    let more = if is_source { "source" } else { "" }.to_owned();
    TableRow {
        strings: Some(request.strings(view)),
        ..group_row(request, &name, more, request.translation(view), &[view])
    }
}

/// The label of a translation's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RowName {
    Language,
    Component,
    ProjectAndComponent,
}

/// The table row of several translations; `more` follows the name in small print.
pub(crate) fn group_row(
    request: &PageRequest<'_>,
    name: &str,
    more: String,
    href: String,
    translations: &[TranslationView<'_>],
) -> TableRow {
    TableRow {
        name: LocalizedText::name(name),
        more,
        href,
        is_broken: false,
        strings: None,
        progress: progress_of(request, translations.iter().copied()),
        last: last_change(request, translations.iter().copied()),
    }
}

/// Groups translations by language, ordered by language name.
pub fn group_by_language<'a>(
    translations: impl Iterator<Item = TranslationView<'a>>,
) -> Vec<(&'a Language, Vec<TranslationView<'a>>)> {
    let mut groups: Vec<(&Language, Vec<TranslationView<'a>>)> = Vec::new();
    let mut index_of = HashMap::new();
    for view in translations {
        let language = &view.translation.language;
        let index = *index_of.entry(&*language.code).or_insert(groups.len());
        match groups.get_mut(index) {
            Some((_, views)) => views.push(view),
            None => groups.push((language, vec![view])),
        }
    }
    groups.sort_by_key(|(language, _)| (language.name.clone(), language.code.clone()));
    groups
}

/// What counts in the sums of several languages: all but the source language (docs/spec/pages.md#percentages).
pub(crate) fn without_sources<'a>(
    translations: impl IntoIterator<Item = TranslationView<'a>>,
) -> impl Iterator<Item = TranslationView<'a>> {
    translations.into_iter().filter(|view| !view.is_source())
}

/// Sums the statistics of translations, with the strings that fail a modern check, and documents with faults.
pub(crate) fn progress_of<'a>(
    request: &PageRequest<'_>,
    translations: impl IntoIterator<Item = TranslationView<'a>>,
) -> Statistics {
    let statistics = |view: TranslationView<'a>| Statistics {
        failing: request.failing(view),
        ..view.totals()
    };
    translations.into_iter().map(statistics).sum()
}

/// Sums the statistics of translations.
pub(crate) fn statistics_of<'a>(
    translations: impl IntoIterator<Item = TranslationView<'a>>,
) -> Statistics {
    let statistics = translations.into_iter();
    statistics.map(TranslationView::totals).sum()
}

pub(crate) fn translations_of_project<'a>(
    request: &PageRequest<'a>,
    project: &str,
) -> impl Iterator<Item = TranslationView<'a>> {
    let (budget, components) = (request.budget, request.snapshot.components_of(project));
    let views = components.flat_map(|component| component.views());
    views.take_while(|_| budget.spend(1))
}

/// Breadcrumbs that end with a component.
pub(crate) fn breadcrumbs_to_component(
    request: &PageRequest<'_>,
    component: &ComponentSnapshot,
) -> Breadcrumbs {
    breadcrumbs_to_project(request, &component.project)
        .below(&component.component.name, request.component(component))
}

/// Breadcrumbs that end with a project.
pub(crate) fn breadcrumbs_to_project(request: &PageRequest<'_>, project: &Project) -> Breadcrumbs {
    breadcrumbs_to_projects(request).below(&project.name, request.project(project))
}

/// Breadcrumbs that end with the list of projects.
pub(crate) fn breadcrumbs_to_projects(request: &PageRequest<'_>) -> Breadcrumbs {
    Breadcrumbs::default().below("Projects", request.link(paths::START, &[]))
}
