//! The page of a project: its components, its languages, what happened last.

use askama::Template;

use super::parts::{Crumbs, Entry, Row, Scope, Table, Text, Tiles, Troubles, entries, plain};
use super::sums::{Named, by_language, figures, last, of_project, row};
use super::visit::Visit;
use super::{Look, html};
use crate::catalog::TranslationView;
use crate::model::address::{encoded, is_web};

/// Changes that are shown.
const NEWEST: usize = 5;

#[derive(Template)]
#[template(path = "web/project.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    name: Text,
    title: String,
    slug: String,
    web: Option<String>,
    percent: String,
    tiles: Tiles,
    troubles: Troubles,
    components: Table,
    languages: Table,
    changes: Vec<Entry>,
    /// Address of this page and of its badge, to be copied.
    own: String,
    badge: String,
}

/// The page; `None` for an unknown project.
pub(super) fn page(visit: &Visit<'_>, slug: &str) -> Option<String> {
    let project = visit.snapshot.project(slug)?;
    let all: Vec<_> = visit.snapshot.components_of(slug).collect();
    let components = all.iter().map(|component| {
        let translations =
            || component.translations.iter().map(|translation| TranslationView { component, translation });
        Row {
            name: Text::name(&component.component.name),
            more: format!("{} languages", component.translations.len()),
            href: visit.component(component),
            strings: None,
            figures: figures(translations()),
            last: last(visit, translations()),
        }
    });
    let said = ("Languages and how far they are", "Language");
    // With one component there is nothing between the project and its translations.
    let languages = match all[..] {
        [only] => Table::page(visit, said, only.named(0..only.by_name.len()).collect(), |view| {
            row(visit, view, Named::Language)
        }),
        _ => Table::page(visit, said, by_language(of_project(visit, slug)), |(language, views)| Row {
            name: Text::name(&language.display_name()),
            more: String::new(),
            href: visit.path(&["/languages/", &encoded(&language.code), "/", slug, "/"]),
            strings: None,
            figures: figures(views.iter().copied()),
            last: last(visit, views.into_iter()),
        }),
    };
    let components = Table::new("Components and how far they are", "Component", components);
    let sums = figures(of_project(visit, slug));
    Some(html(&Page {
        troubles: Troubles::of(visit, |project, _| project == slug),
        look: visit.live_look(&[slug]),
        crumbs: Crumbs::default().below("Projects", visit.path(&["/"])),
        name: Text::name(&project.name),
        title: plain(&project.name),
        slug: slug.to_owned(),
        web: is_web(&project.web).then(|| project.web.clone()),
        percent: sums.percent(),
        tiles: Tiles::of(sums),
        components,
        languages,
        changes: visit
            .snapshot
            .changes_of_project(slug)
            .map(|log| entries(visit, log, NEWEST, Scope::Project))
            .unwrap_or_default(),
        own: visit.absolute(&["/projects/", slug, "/"]),
        badge: visit.absolute(&["/widgets/", slug, "/-/svg-badge.svg"]),
    }))
}
