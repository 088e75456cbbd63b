//! The page of one string in one language: its texts, what is wrong with it, its history, and its other languages.

use askama::Template;

use super::parts::{Crumbs, Entry, Scope, Text, Tongue, difference, plain};
use super::sums::way_to_component;
use super::translate::State;
use super::visit::{Visit, checksum, of_translation};
use super::wanted::Wanted;
use super::{Look, html};
use crate::catalog::{ChangeView, TranslationView, UnitView};
use crate::checks::CheckId;
use crate::model::address::file_page;

/// Entries of the history that are shown.
const NEWEST: usize = 100;

#[derive(Template)]
#[template(path = "web/unit.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    title: String,
    key: Text,
    name: Text,
    state: State,
    source_name: Text,
    source: Text,
    words: u32,
    target: Text,
    /// How the source became what it is, when the translation is of an older one.
    changed: Option<Text>,
    notes: Vec<Text>,
    checks: Vec<CheckId>,
    previous: Option<String>,
    next: Option<String>,
    list: String,
    place: usize,
    count: usize,
    in_file: Option<String>,
    /// The way to its line in the file, where the pages of the host are known.
    line: Option<String>,
    position: u32,
    path: Text,
    id: u32,
    history: Vec<Entry>,
    siblings: Vec<Sibling>,
}

/// The same string in another language.
struct Sibling {
    name: Text,
    href: String,
    target: Text,
    state: State,
}

/// The page of a unit; `wanted` are the strings that are gone through.
pub(super) fn page(visit: &Visit<'_>, view: UnitView<'_>, wanted: &Wanted) -> String {
    let UnitView { component, translation, unit, source, row } = view;
    let texts = &component.texts;
    let source_tongue = Tongue::of_code(&component.project.source_language);
    let tongue = Tongue::of(&translation.language);
    let text = texts.get(source.source);
    let changed = unit.fuzzy().then(|| texts.get(translation.previous_source(row)));
    let mut notes = vec![texts.get(source.note), texts.get(unit.note)];
    notes.dedup();
    notes.retain(|note| !note.is_empty());
    let mut rows = wanted.rows(view.of());
    if rows.binary_search(&row).is_err() {
        // It is not, or no longer, among them: it is gone through with all.
        rows = (0..translation.units.len() as u32).collect();
    }
    let place = rows.binary_search(&row).unwrap_or_default();
    let own = visit.strings(component, translation);
    let beside = |place: Option<usize>| {
        let source = component.sources.get(*rows.get(place?)? as usize)?;
        Some([&*own, &*wanted.query(&[("checksum", &checksum(source.id_hash))])].concat())
    };
    let named = translation.language.display_name();
    let key = texts.get(source.context);
    html(&Page {
        look: visit.look().clone(),
        crumbs: way_to_component(visit, component).below(&named, visit.translation(component, translation)),
        title: plain(&[&*named, " · ", &component.component.name, " · ", &component.project.name].concat()),
        key: Text::name(key),
        name: Text::name(&named),
        state: State::of(view),
        source_name: Text::name(&crate::language::resolve(&component.project.source_language).display_name()),
        source: Text::new(source_tongue.clone(), text),
        words: source.words,
        target: Text::new(tongue, texts.get(unit.target)),
        changed: changed.map(|old| difference(source_tongue, old, text)),
        notes: notes.into_iter().map(|note| Text::new(Tongue::unknown(), note)).collect(),
        checks: view.failing_checks().iter().collect(),
        previous: beside(place.checked_sub(1)),
        next: beside(Some(place + 1)),
        list: [&*own, &*wanted.query(&[])].concat(),
        place: place + 1,
        count: rows.len(),
        in_file: file_page(&component.component.repo, component.tip.id, &translation.path),
        line: line(visit, view),
        position: source.position,
        path: Text::name(&translation.path),
        id: unit.id.0,
        history: history(visit, view),
        siblings: siblings(visit, view),
    })
}

/// The way to a unit's line on the host of the repository, if its file has it.
fn line(visit: &Visit<'_>, view: UnitView<'_>) -> Option<String> {
    let UnitView { component, translation, unit, source, .. } = view;
    file_page(&component.component.repo, component.tip.id, &translation.path)?;
    let is_there = unit.translated() || unit.fuzzy() || translation.is_template;
    let name = ["/line/", &*of_translation(component, translation), "/?checksum=", &*checksum(source.id_hash)];
    is_there.then(|| visit.path(&name))
}

/// What happened to a unit and to its source, newest first.
fn history(visit: &Visit<'_>, view: UnitView<'_>) -> Vec<Entry> {
    let component = view.component;
    let template = component.translations.iter().map(|translation| &**translation).find(|other| other.is_template);
    let mut found: Vec<ChangeView<'_>> = Vec::new();
    let logs = [Some(view.translation), template.filter(|template| template.id != view.translation.id)];
    for translation in logs.into_iter().flatten() {
        let log = visit.snapshot.changes_of_translation(TranslationView { component, translation });
        let of_row = |change: &ChangeView<'_>| change.unit().is_some_and(|(_, row)| row == view.row);
        found.extend((0..log.len()).rev().filter_map(|at| log.get(at)).filter(of_row).take(NEWEST));
    }
    found.sort_by_key(|change| std::cmp::Reverse(change.entry.id));
    found.truncate(NEWEST);
    found.into_iter().map(|change| Entry::new(visit, change, Scope::Unit)).collect()
}

fn siblings(visit: &Visit<'_>, view: UnitView<'_>) -> Vec<Sibling> {
    let component = view.component;
    let others =
        component.named(0..component.by_name.len()).filter(|other| other.translation.id != view.translation.id);
    let others = others.filter_map(|other| other.unit(view.row));
    others
        .map(|other| Sibling {
            name: Text::name(&other.translation.language.display_name()),
            href: visit.unit(component, other.translation, view.source.id_hash),
            target: Text::short(Tongue::of(&other.translation.language), component.texts.get(other.unit.target)),
            state: State::of(other),
        })
        .collect()
}
