//! The pages of languages: all of them, one, and one in a project.

use askama::Template;

use super::parts::{Crumbs, Figures, Row, Table, Text, plain};
use super::sums::{Named, by_language, figures, last, of_project, row};
use super::visit::Visit;
use super::{Look, html};
use crate::catalog::TranslationView;
use crate::language::{Language, resolve};
use crate::model::address::encoded;

#[derive(Template)]
#[template(path = "web/languages.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    title: String,
    heading: Text,
    /// What stands below the heading, when there is something.
    about: String,
    figures: Figures,
    table: Table,
    /// Names and addresses of what leads on.
    actions: Vec<(&'static str, String)>,
}

/// The page of all languages.
pub(super) fn all(visit: &Visit<'_>) -> String {
    let all = by_language(visit.snapshot.translations_from(0));
    let table = Table::page(visit, ("Languages and how far they are", "Language"), all, |(language, views)| Row {
        name: Text::name(&language.display_name()),
        more: plain(&language.code),
        href: visit.language(language),
        strings: None,
        figures: figures(views.iter().copied()),
        last: last(visit, views.into_iter()),
    });
    html(&Page {
        look: visit.look().clone(),
        crumbs: Crumbs::default().below("Projects", visit.path(&["/"])),
        title: "Languages".into(),
        heading: Text::name("Languages"),
        about: format!("{} languages in all projects together.", table.len()),
        figures: figures(visit.snapshot.translations_from(0)),
        table,
        actions: Vec::new(),
    })
}

/// The page of a language that a translation or a project's source is in.
pub(super) fn one(visit: &Visit<'_>, code: &str) -> Option<String> {
    let language = known(visit, code)?;
    let views: Vec<TranslationView<'_>> =
        visit.snapshot.translations_from(0).filter(|view| view.translation.language.code == language.code).collect();
    let code = encoded(&language.code);
    Some(html(&Page {
        look: visit.look().clone(),
        crumbs: Crumbs::default().below("Languages", visit.path(&["/languages/"])),
        title: plain(&language.display_name()),
        heading: Text::name(&language.display_name()),
        about: about(&language),
        figures: figures(views.iter().copied()),
        table: Table::page(visit, ("Components in this language", "Component"), views, |view| {
            row(visit, view, Named::Both)
        }),
        actions: vec![
            ("Changes", visit.path(&["/changes/?lang=", &code])),
            ("Feed", visit.path(&["/exports/rss/language/", &code, "/"])),
            ("API", visit.path(&["/api/languages/", &code, "/"])),
        ],
    }))
}

/// The page of a language in a project.
pub(super) fn in_project(visit: &Visit<'_>, code: &str, slug: &str) -> Option<String> {
    let (language, project) = (known(visit, code)?, visit.snapshot.project(slug)?);
    let views: Vec<TranslationView<'_>> =
        of_project(visit, slug).filter(|view| view.translation.language.code == language.code).collect();
    let code = encoded(&language.code);
    Some(html(&Page {
        look: visit.look().clone(),
        crumbs: Crumbs::default()
            .below("Projects", visit.path(&["/"]))
            .below(&project.name, visit.project(project))
            .below(&language.display_name(), visit.language(&language)),
        title: plain(&[&*language.display_name(), " · ", &*project.name].concat()),
        heading: Text::name(&[&language.display_name(), " in ", &project.name].concat()),
        about: about(&language),
        figures: figures(views.iter().copied()),
        table: Table::page(visit, ("Components in this language", "Component"), views, |view| {
            row(visit, view, Named::Component)
        }),
        actions: vec![
            ("Take part", visit.path(&["/engage/", slug, "/", &code, "/"])),
            ("History and contributors", visit.path(&["/stats/", slug, "/", &code, "/"])),
            ("Changes", visit.path(&["/changes/?project=", slug, "&lang=", &code])),
        ],
    }))
}

/// The language of that code, if anything here is in it.
pub(super) fn known(visit: &Visit<'_>, code: &str) -> Option<Language> {
    let used = visit.snapshot.languages().iter().find(|language| &*language.code == code).cloned();
    used.or_else(|| {
        let mut sources = visit.snapshot.projects().map(|project| resolve(&project.source_language));
        sources.find(|language| &*language.code == code)
    })
}

fn about(language: &Language) -> String {
    let direction = if language.rtl { "from right to left" } else { "from left to right" };
    format!("Code {}, written {direction}, {} plural forms.", plain(&language.code), language.plural.forms)
        .replace(", 1 plural forms", ", one plural form")
}
