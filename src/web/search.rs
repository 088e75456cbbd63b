//! `/search/`: strings in all projects and languages. A string is shown once, in the first language in which it is wanted.

use askama::Template;

use super::changes::Choice;
use super::parts::{Pager, Stretch, Text, Tongue};
use super::translate::State;
use super::visit::Visit;
use super::{Look, html};
use crate::catalog::{ComponentSnapshot, UnitView};
use crate::query::{Query, parse};

/// Strings on a page.
const SIZE: usize = 25;
/// Strings after which the search ends.
const MOST: usize = 500;
/// Strings that are looked at one by one before all texts are looked through at once.
const PATIENCE: usize = 5_000;

#[derive(Template)]
#[template(path = "web/search.html")]
struct Page {
    look: Look,
    own: String,
    /// The search as it came.
    asked: String,
    projects: Vec<Choice>,
    languages: Vec<Choice>,
    problem: Option<String>,
    count: usize,
    /// Whether there may be more than were counted.
    more: bool,
    found: Vec<Line>,
    pager: Pager,
}

/// A string that was found.
struct Line {
    key: Text,
    href: String,
    /// Component and language.
    place: Text,
    source: Text,
    target: Text,
    state: State,
}

/// The page.
pub(super) fn page(visit: &Visit<'_>) -> String {
    let asked = visit.value("q").unwrap_or_default();
    let (project, language) = (visit.value("project"), visit.value("lang"));
    let snapshot = visit.snapshot;
    let (query, problem) = match parse(asked) {
        Ok(query) => (query, None),
        Err(error) => (Query::Any, Some(error.to_string())),
    };
    let mut found = Vec::new();
    let components = snapshot.components().iter().filter(|_| !asked.is_empty() && problem.is_none());
    for component in components.filter(|of| project.is_none_or(|slug| of.project.slug.as_str() == slug)) {
        found.extend(strings(component, language, &query, MOST + 1 - found.len()));
    }
    let more = found.len() > MOST;
    found.truncate(MOST);
    let stretch = Stretch::new(visit, found.len(), SIZE);
    let shown = found.get(stretch.entries.clone()).unwrap_or_default();
    html(&Page {
        look: visit.look().clone(),
        own: visit.path(&["/search/"]),
        asked: asked.to_owned(),
        projects: Choice::projects(visit, project),
        languages: Choice::languages(visit, language),
        problem,
        count: found.len(),
        more,
        found: shown.iter().map(|unit| Line::of(visit, *unit)).collect(),
        pager: Pager::new(visit, &stretch),
    })
}

/// The wanted strings of a component, in template order, `most` at most.
fn strings<'a>(
    component: &'a ComponentSnapshot,
    language: Option<&str>,
    query: &Query,
    most: usize,
) -> Vec<UnitView<'a>> {
    let of_language = |code: &str| language.is_none_or(|wanted| wanted == code);
    let mut views: Vec<_> = component
        .named(0..component.by_name.len())
        .filter(|view| of_language(&view.translation.language.code))
        .collect();
    // What is in the source is not to be told of another language.
    views.sort_by_key(|view| !view.translation.is_template);
    let rows = component.sources.len() as u32;
    let (mut found, mut asked, mut row) = (Vec::new(), 0, 0);
    // Where much fits, a page is soon full.
    while row < rows && asked < PATIENCE && found.len() < most {
        let mut units = views.iter().filter_map(|view| view.unit(row)).inspect(|_| asked += 1);
        found.extend(units.find(|unit| query.wants(*unit)));
        row += 1;
    }
    if row == rows || found.len() == most {
        return found;
    }
    let swept = query.sweep(&component.texts);
    let mut first: Vec<Option<UnitView<'a>>> = vec![None; rows as usize];
    // One translation after the other, as they lie in memory.
    for view in views {
        for (at, first) in first.iter_mut().enumerate().skip(row as usize).filter(|(_, first)| first.is_none()) {
            *first = view.unit(at as u32).filter(|unit| swept.wants(*unit));
        }
    }
    found.extend(first.into_iter().flatten());
    found.truncate(most);
    found
}

impl Line {
    fn of(visit: &Visit<'_>, view: UnitView<'_>) -> Self {
        let UnitView { component, translation, unit, source, .. } = view;
        let texts = &component.texts;
        let place = [&*component.component.name, ", ", &translation.language.display_name()].concat();
        Self {
            key: Text::name(texts.get(source.context)),
            href: visit.unit(component, translation, source.id_hash),
            place: Text::name(&place),
            source: Text::short(Tongue::of_code(&component.project.source_language), texts.get(source.source)),
            target: Text::short(Tongue::of(&translation.language), texts.get(unit.target)),
            state: State::of(view),
        }
    }
}
