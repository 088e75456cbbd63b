//! `/sitemap.xml`: the URLs of projects, components, translations and languages, in parts if there are many
//! (docs/spec/pages.md#paths).

use askama::Template;

use crate::layout::render;
use crate::paths;
use crate::request::{PageRequest, PageResponse};
use gitglot_model::address::encoded;

#[derive(Template)]
#[template(path = "pages/sitemap.xml", escape = "html")]
struct Sitemap<'a> {
    urls: &'a [String],
}

#[derive(Template)]
#[template(path = "pages/sitemap_index.xml", escape = "html")]
struct SitemapIndex {
    urls: Vec<String>,
}

/// The most URLs of a file (<https://www.sitemaps.org/protocol.html#index>).
const MAX_URLS: usize = 50_000;

/// Renders the list, its index, or the part that the request names; `None` for a part that does not exist.
pub(crate) fn page(request: &PageRequest<'_>) -> Option<PageResponse> {
    let snapshot = request.snapshot;
    let projects = snapshot
        .projects()
        .map(|project| request.absolute(paths::PROJECT, &[project.slug.as_str()]));
    let components = snapshot.components().iter().flat_map(|of| {
        let own = request.absolute(paths::COMPONENT, &[&of.path()]);
        let translations = of.views().take_while(|_| request.budget.spend(1));
        let below = translations
            .map(|view| request.absolute(paths::TRANSLATION, &[&of.path_of(view.translation)]));
        std::iter::once(own).chain(below.collect::<Vec<_>>())
    });
    let languages = snapshot.languages().iter();
    let languages =
        languages.map(|language| request.absolute(paths::LANGUAGE, &[&encoded(&language.code)]));
    let urls: Vec<String> = projects.chain(components).chain(languages).collect();
    let text = match request.value("part") {
        Some(part) => part_of(&urls, part, MAX_URLS)?,
        // A site has no queries.
        None if urls.len() > MAX_URLS && request.layout.has_server() => {
            let parts = 1..=urls.len().div_ceil(MAX_URLS);
            let of = |part| format!("{}/sitemap.xml?part={part}", request.base);
            render(&SitemapIndex {
                urls: parts.map(of).collect(),
            })
        }
        None => render(&Sitemap { urls: &urls }),
    };
    let media_type = "application/xml; charset=utf-8";
    Some(PageResponse::File(text.into_bytes(), media_type))
}

/// The part with a number from 1.
fn part_of(urls: &[String], part: &str, size: usize) -> Option<String> {
    let part: usize = part.parse().ok()?;
    let urls = urls.chunks(size).nth(part.checked_sub(1)?)?;
    Some(render(&Sitemap { urls }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_sitemap_has_its_urls_only() {
        let urls: Vec<String> = (0..5).map(|at| format!("https://h/{at}")).collect();
        let urls_of = |part| {
            let text = part_of(&urls, part, 2)?;
            Some(text.matches("<loc>").count())
        };
        let counts = ["1", "2", "3"].map(urls_of);
        assert_eq!(counts, [Some(2), Some(2), Some(1)]);
        for unknown in ["0", "4", "", "x", "-1"] {
            assert_eq!(urls_of(unknown), None, "{unknown}");
        }
    }
}
