//! `/sitemap.xml`: the URLs of projects, components, translations and languages.

use askama::Template;

use crate::paths;
use crate::{PageRequest, PageResponse, render};
use gitglot_model::address::encoded;

#[derive(Template)]
#[template(path = "pages/sitemap.xml", escape = "html")]
struct Sitemap {
    urls: Vec<String>,
}

/// Renders the list.
pub(crate) fn page(request: &PageRequest<'_>) -> PageResponse {
    let snapshot = request.snapshot;
    let projects = snapshot
        .projects()
        .map(|it| request.absolute(paths::PROJECT, &[it.slug.as_str()]));
    let components = snapshot.components().iter().flat_map(|of| {
        let own = request.absolute(paths::COMPONENT, &[&of.path()]);
        let translations = of.views().take_while(|_| request.budget.spend(1));
        let below = translations
            .map(|it| request.absolute(paths::TRANSLATION, &[&of.path_of(it.translation)]));
        std::iter::once(own).chain(below.collect::<Vec<_>>())
    });
    let languages = snapshot
        .languages()
        .iter()
        .map(|it| request.absolute(paths::LANGUAGE, &[&encoded(&it.code)]));
    let urls = projects.chain(components).chain(languages).collect();
    PageResponse::File(
        render(&Sitemap { urls }).into_bytes(),
        "application/xml; charset=utf-8",
    )
}
