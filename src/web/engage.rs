//! The page that invites to take part in a project, or in one language of it: what there is to do, and where.

use askama::Template;

use super::languages::known;
use super::parts::{Bar, Crumbs, Figures, Text, plain};
use super::sums::{by_language, figures, of_project, way_to_project};
use super::visit::Visit;
use super::{Look, html};
use crate::model::address::{encoded, file_page, is_web};

#[derive(Template)]
#[template(path = "web/engage.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    title: String,
    name: Text,
    language: Option<Text>,
    figures: Figures,
    bar: Bar,
    count: usize,
    web: Option<String>,
    files: Vec<File>,
    /// Languages with what is left to do in each.
    languages: Vec<(Text, String, Figures)>,
}

/// A file that translators write.
struct File {
    component: Text,
    path: Text,
    href: Option<String>,
    to_do: u64,
    strings: String,
}

/// The page; `None` for an unknown project or a language that nothing here is in.
pub(super) fn page(visit: &Visit<'_>, slug: &str, code: Option<&str>) -> Option<String> {
    let project = visit.snapshot.project(slug)?;
    let language = match code {
        Some(code) => Some(known(visit, code)?),
        None => None,
    };
    let wanted = |code: &str| language.as_ref().is_none_or(|language| &*language.code == code);
    let views = || of_project(visit, slug).filter(|view| wanted(&view.translation.language.code));
    let files = views().filter(|_| language.is_some()).map(|view| {
        let component = &view.component.component;
        let href = file_page(&component.repo, view.component.tip.id, &view.translation.path);
        File {
            component: Text::name(&component.name),
            path: Text::name(&view.translation.path),
            href,
            to_do: Figures::from(view.translation.statistics).left(),
            strings: visit.strings(view.component, view.translation),
        }
    });
    let all = by_language(of_project(visit, slug));
    let count = all.len();
    let languages = all.into_iter().filter(|_| language.is_none()).map(|(language, views)| {
        let href = visit.path(&["/engage/", slug, "/", &encoded(&language.code), "/"]);
        (Text::name(&language.display_name()), href, figures(views))
    });
    let sums = figures(views());
    let named = language.as_ref().map(|language| language.display_name());
    Some(html(&Page {
        look: visit.look().clone(),
        crumbs: way_to_project(visit, project),
        title: plain(&match &named {
            Some(language) => ["Translate ", &project.name, " into ", language].concat(),
            None => ["Translate ", &project.name].concat(),
        }),
        name: Text::name(&project.name),
        language: named.map(|language| Text::name(&language)),
        figures: sums,
        bar: sums.bar(),
        count,
        web: is_web(&project.web).then(|| project.web.clone()),
        files: files.collect(),
        languages: languages.collect(),
    }))
}
