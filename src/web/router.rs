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
        with(request, values, project::page)
    }),
    ("/projects/:project/:component/", |request, values| {
        with(request, values, component::page)
    }),
    (
        "/projects/:project/:component/:language/",
        |request, values| with(request, values, translation::page),
    ),
    (
        "/translate/:project/:component/:language/",
        |request, values| with(request, values, strings::page),
    ),
    ("/languages/", |request, _| html(languages::all(request))),
    ("/languages/:language/", |request, values| {
        with(request, values, languages::one)
    }),
    ("/languages/:language/:project/", |request, values| {
        with(request, values, languages::in_project)
    }),
    ("/engage/:project/", |request, values| {
        html(engage::page(request, values)?)
    }),
    ("/engage/:project/:language/", |request, values| {
        html(engage::page(request, values)?)
    }),
    ("/stats/", |_, _| redirect("projects", &[])),
    ("/stats/:project/", |request, values| {
        html(stats::page(request, values)?)
    }),
    ("/stats/:project/:language/", |request, values| {
        html(stats::page(request, values)?)
    }),
    ("/changes/", |request, _| html(changes::page(request))),
    ("/checks/", |request, _| html(checks::all(request))),
    ("/checks/:check/", |request, values| {
        html(checks::one(request, values)?)
    }),
    ("/checks/:check/:project/", |request, values| {
        html(checks::one(request, values)?)
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

/// The response of a page with a fixed number of parameters.
fn with<const N: usize>(
    request: &PageRequest<'_>,
    values: &[&str],
    page: impl Fn(&PageRequest<'_>, [&str; N]) -> Option<String>,
) -> Option<PageResponse> {
    html(page(request, values.try_into().ok()?)?)
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
