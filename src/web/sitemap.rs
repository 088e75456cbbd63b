//! `/sitemap.xml`: the addresses of projects, components, translations and languages, for search engines.

use askama::Template;

use super::html;
use super::pages::Found;
use super::visit::{Visit, of_component, of_translation};
use crate::model::address::encoded;

#[derive(Template)]
#[template(path = "web/sitemap.xml", escape = "html")]
struct Sitemap {
    addresses: Vec<String>,
}

/// The list.
pub(super) fn find(visit: &Visit<'_>) -> Found {
    let snapshot = visit.snapshot;
    let projects = snapshot.projects().map(|it| visit.absolute(&["/projects/", it.slug.as_str(), "/"]));
    let components = snapshot.components().iter().flat_map(|of| {
        let own = visit.absolute(&["/projects/", &of_component(of), "/"]);
        let translations = of.named(0..of.by_name.len());
        let below = translations.map(|it| visit.absolute(&["/projects/", &of_translation(of, it.translation), "/"]));
        std::iter::once(own).chain(below.collect::<Vec<_>>())
    });
    let languages = snapshot.languages().iter().map(|it| visit.absolute(&["/languages/", &encoded(&it.code), "/"]));
    let addresses = projects.chain(components).chain(languages).collect();
    Found::File(html(&Sitemap { addresses }).into_bytes(), "application/xml; charset=utf-8")
}
