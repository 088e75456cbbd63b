//! The strings of a translation: a list of them, or one (`checksum=`, or `offset=` in the list).

use askama::Template;

use super::parts::{Crumbs, Pager, Stretch, Text, Tongue, plain};
use super::sums::way_to_component;
use super::visit::{Visit, checksum, id_hash};
use super::wanted::Wanted;
use super::{Look, html, unit};
use crate::catalog::{ComponentSnapshot, TranslationView, UnitView};

/// Strings on a page.
const SIZE: usize = 25;

#[derive(Template)]
#[template(path = "web/strings.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    title: String,
    name: Text,
    /// This page without its query.
    own: String,
    wanted: Wanted,
    count: usize,
    strings: Vec<Line>,
    pager: Pager,
}

/// A string in the list.
struct Line {
    key: Text,
    href: String,
    source: Text,
    target: Text,
    state: State,
}

/// What is to be said of a string at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Missing,
    Stale,
    Failing,
    Translated,
}

impl State {
    /// That of a unit.
    pub(super) fn of(view: UnitView<'_>) -> Self {
        match view.unit {
            unit if unit.fuzzy() => Self::Stale,
            unit if unit.failing() => Self::Failing,
            unit if unit.translated() => Self::Translated,
            _ => Self::Missing,
        }
    }

    /// What people read.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Stale => "stale",
            Self::Failing => "a check fails",
            Self::Translated => "translated",
        }
    }

    /// The class of its mark.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Missing => "k-none",
            Self::Stale => "k-stale",
            Self::Failing => "k-bad",
            Self::Translated => "k-good",
        }
    }
}

/// The row of the string that `checksum=` names in a component (human_pages.md 1).
pub fn row_of(component: &ComponentSnapshot, checksum: &str) -> Option<u32> {
    let wanted = id_hash(checksum)?;
    component.sources.iter().position(|source| source.id_hash == wanted)?.try_into().ok()
}

/// The page; `None` for an unknown translation or string.
pub(super) fn page(visit: &Visit<'_>, project: &str, component: &str, language: &str) -> Option<String> {
    let view = visit.snapshot.translation(project, component, language)?;
    let wanted = Wanted::of(visit);
    if let Some(checksum) = visit.value("checksum") {
        return Some(unit::page(visit, view.unit(row_of(view.component, checksum)?)?, &wanted));
    }
    let rows = wanted.rows(view);
    if let Some(offset) = visit.value("offset") {
        let row = rows.get(offset.parse::<usize>().ok()?)?;
        return Some(unit::page(visit, view.unit(*row)?, &wanted));
    }
    Some(list(visit, view, wanted, &rows))
}

fn list(visit: &Visit<'_>, view: TranslationView<'_>, wanted: Wanted, rows: &[u32]) -> String {
    let TranslationView { component, translation } = view;
    let stretch = Stretch::new(visit, rows.len(), SIZE);
    let own = visit.strings(component, translation);
    let source_tongue = Tongue::of_code(&component.project.source_language);
    let tongue = Tongue::of(&translation.language);
    let texts = &component.texts;
    let shown = rows.get(stretch.entries.clone()).unwrap_or_default();
    let lines = shown.iter().filter_map(|&row| view.unit(row)).map(|unit| Line {
        key: Text::name(texts.get(unit.source.context)),
        href: [&*own, &*wanted.query(&[("checksum", &checksum(unit.source.id_hash))])].concat(),
        source: Text::short(source_tongue.clone(), texts.get(unit.source.source)),
        target: Text::short(tongue.clone(), texts.get(unit.unit.target)),
        state: State::of(unit),
    });
    let named = translation.language.display_name();
    html(&Page {
        look: visit.look().clone(),
        crumbs: way_to_component(visit, component).below(&named, visit.translation(component, translation)),
        title: plain(&[&*named, " · ", &component.component.name, " · ", &component.project.name].concat()),
        name: Text::name(&named),
        strings: lines.collect(),
        own,
        count: rows.len(),
        pager: Pager::new(visit, &stretch),
        wanted,
    })
}
