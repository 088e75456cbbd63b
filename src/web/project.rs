//! The page of a project: its components, its languages, what happened last.

use askama::Template;

use super::parts::{Crumbs, Entry, Figures, Row, Scope, Table, Text, entries, plain};
use super::sums::{by_language, figures, last, of_project};
use super::visit::Visit;
use super::{Look, html};
use crate::catalog::TranslationView;
use crate::model::address::{encoded, is_web};

/// Changes that are shown.
const NEWEST: usize = 10;

#[derive(Template)]
#[template(path = "web/project.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    name: Text,
    title: String,
    slug: String,
    web: Option<String>,
    figures: Figures,
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
    let components = visit.snapshot.components_of(slug).map(|component| {
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
    let languages = by_language(of_project(visit, slug)).into_iter().map(|(language, views)| Row {
        name: Text::name(&language.display_name()),
        more: String::new(),
        href: visit.path(&["/languages/", &encoded(&language.code), "/", slug, "/"]),
        strings: None,
        figures: figures(views.iter().copied()),
        last: last(visit, views.into_iter()),
    });
    let components =
        Table { caption: "Components and how far they are".into(), first: "Component", rows: components.collect() };
    let languages =
        Table { caption: "Languages and how far they are".into(), first: "Language", rows: languages.collect() };
    Some(html(&Page {
        look: visit.look().clone(),
        crumbs: Crumbs::default().below("Projects", visit.path(&["/"])),
        name: Text::name(&project.name),
        title: plain(&project.name),
        slug: slug.to_owned(),
        web: is_web(&project.web).then(|| project.web.clone()),
        figures: figures(of_project(visit, slug)),
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
