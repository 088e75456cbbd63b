//! The routes of pages, badges and redirects (docs/spec/pages.md#paths). The route table of the API contains them.

use super::pages::{
    about, changes, checks, component, engage, languages, project, search, sitemap, start, strings,
    translation,
};
use super::{PageRequest, PageResponse, badges, stats};
use crate::model::address::encoded;

/// Responds to a page request. The values are the decoded parameters of the pattern, in order. `None` for an unknown
/// object.
pub type PageHandler = fn(&PageRequest<'_>, &[&str]) -> Option<PageResponse>;

/// The pattern of each page, with its handler.
pub const PAGES: &[(&str, PageHandler)] = &[
    ("/", |request, _| html(start::page(request))),
    ("/projects/", |request, _| html(start::page(request))),
    ("/projects/:project/", |request, values| {
        let [project] = params(values)?;
        html(project::page(request, project)?)
    }),
    ("/projects/:project/:component/", |request, values| {
        let [project, component] = params(values)?;
        html(component::page(request, project, component)?)
    }),
    (
        "/projects/:project/:component/:language/",
        |request, values| {
            let [project, component, language] = params(values)?;
            html(translation::page(request, project, component, language)?)
        },
    ),
    (
        "/translate/:project/:component/:language/",
        |request, values| {
            let [project, component, language] = params(values)?;
            html(strings::page(request, project, component, language)?)
        },
    ),
    ("/languages/", |request, _| html(languages::all(request))),
    ("/languages/:language/", |request, values| {
        let [language] = params(values)?;
        html(languages::one(request, language)?)
    }),
    ("/languages/:language/:project/", |request, values| {
        let [language, project] = params(values)?;
        html(languages::in_project(request, language, project)?)
    }),
    ("/engage/:project/", |request, values| {
        let [project] = params(values)?;
        html(engage::page(request, project, None)?)
    }),
    ("/engage/:project/:language/", |request, values| {
        let [project, language] = params(values)?;
        html(engage::page(request, project, Some(language))?)
    }),
    ("/stats/", |_, _| redirect("projects", &[])),
    ("/stats/:project/", |request, values| {
        let [project] = params(values)?;
        html(stats::page(request, project, None)?)
    }),
    ("/stats/:project/:language/", |request, values| {
        let [project, language] = params(values)?;
        html(stats::page(request, project, Some(language))?)
    }),
    ("/changes/", |request, _| html(changes::page(request))),
    ("/checks/", |request, _| html(checks::all(request))),
    ("/checks/:check/", |request, values| {
        let [check] = params(values)?;
        html(checks::one(request, check, None)?)
    }),
    ("/checks/:check/:project/", |request, values| {
        let [check, project] = params(values)?;
        html(checks::one(request, check, Some(project))?)
    }),
    ("/search/", |request, _| html(search::page(request))),
    ("/about/", |request, _| html(about::page(request))),
    // Redirects of Weblate 3.4 (docs/spec/pages.md#redirects).
    ("/data/", |_, _| redirect("projects", &[])),
    ("/data/:project/", |_, values| redirect("projects", values)),
    (
        "/projects/:project/:component/:language/:view/",
        |_, values| match values {
            [translation @ .., "translate" | "zen" | "auto" | "upload"] => {
                redirect("translate", translation)
            }
            [translation @ .., "download"] => redirect("download", translation),
            _ => None,
        },
    ),
    ("/widgets/", badges::find),
    ("/widgets/:project/", badges::find),
    ("/widgets/:project/:language/:badge", badges::find),
    (
        "/widgets/:project/:language/:component/:badge",
        badges::find,
    ),
    ("/sitemap.xml", |request, _| Some(sitemap::page(request))),
];

fn params<'a, const N: usize>(values: &[&'a str]) -> Option<[&'a str; N]> {
    values.try_into().ok()
}

fn html(page: String) -> Option<PageResponse> {
    Some(PageResponse::Html(page))
}

/// A redirect to a page; `values` are its parameters.
fn redirect(page: &str, values: &[&str]) -> Option<PageResponse> {
    let segments = values.iter().map(|value| encoded(value).to_string() + "/");
    Some(PageResponse::Redirect(
        ["/", page, "/"]
            .into_iter()
            .map(str::to_owned)
            .chain(segments)
            .collect(),
    ))
}
