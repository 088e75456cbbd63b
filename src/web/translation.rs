//! The page of a translation: its strings by state, the checks that fail, what happened last.

use askama::Template;

use super::checks::counts;
use super::parts::{Crumbs, Entry, Figures, Last, Scope, Text, Tiles, Tongue, entries, plain};
use super::sums::{last, way_to_component};
use super::visit::{Visit, of_translation};
use super::wanted::Kind;
use super::{Look, html};
use crate::catalog::{Count, TranslationView};
use crate::checks::CheckId;
use crate::model::address::{encoded, file_page};

/// Changes that are shown.
const NEWEST: usize = 10;

#[derive(Template)]
#[template(path = "web/translation.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    title: String,
    name: Text,
    of: Text,
    tongue: Tongue,
    code: String,
    /// `project/component/language`, encoded.
    path: String,
    project: String,
    component: String,
    language: String,
    strings: String,
    figures: Figures,
    tiles: Tiles,
    last: Option<Last>,
    states: Vec<State>,
    checks: Vec<(CheckId, usize)>,
    file: Text,
    file_href: Option<String>,
    is_template: bool,
    changes: Vec<Entry>,
}

/// Strings of one kind.
struct State {
    kind: Kind,
    count: Count,
}

/// The page; `None` for an unknown translation.
pub(super) fn page(visit: &Visit<'_>, project: &str, component: &str, language: &str) -> Option<String> {
    let view = visit.snapshot.translation(project, component, language)?;
    let TranslationView { component: of, translation } = view;
    let sums = &translation.statistics;
    let rest = |whole: Count, parts: &[Count]| Count {
        units: parts.iter().fold(whole.units, |left, part| left.saturating_sub(part.units)),
        words: parts.iter().fold(whole.words, |left, part| left.saturating_sub(part.words)),
    };
    let states = [
        (Kind::All, sums.all),
        (Kind::Translated, sums.translated),
        (Kind::Stale, sums.fuzzy),
        (Kind::Missing, rest(sums.all, &[sums.translated, sums.fuzzy])),
        (Kind::ToDo, rest(sums.all, &[sums.translated])),
        (Kind::Failing, sums.failing),
    ];
    let checks = CheckId::ALL.into_iter().zip(counts(view)).filter(|(_, count)| *count > 0).collect();
    let named = translation.language.display_name();
    let figures = Figures::from(*sums);
    Some(html(&Page {
        look: visit.live_look(&[project, component, language]),
        crumbs: way_to_component(visit, of),
        title: plain(&[&*named, " · ", &of.component.name, " · ", &of.project.name].concat()),
        name: Text::name(&named),
        of: Text::name(&of.component.name),
        tongue: Tongue::of(&translation.language),
        code: plain(&translation.language.code),
        path: of_translation(of, translation),
        project: of.project.slug.to_string(),
        component: of.component.slug.to_string(),
        language: encoded(&translation.language.code).into_owned(),
        tiles: Tiles::of_one(figures, visit.strings(of, translation)),
        strings: visit.strings(of, translation),
        figures,
        last: last(visit, std::iter::once(view)),
        states: states.into_iter().map(|(kind, count)| State { kind, count }).collect(),
        checks,
        file: Text::name(&translation.path),
        file_href: file_page(&of.component.repo, of.tip.id, &translation.path),
        is_template: translation.is_template,
        changes: entries(visit, visit.snapshot.changes_of_translation(view), NEWEST, Scope::Translation),
    }))
}
