//! The routes of pages, badges and redirects (docs/spec/pages.md#paths). The route table of the API contains them.

use super::pages::{
    about, changes, checks, component, documents, engage, languages, project, readiness, search,
    sitemap, start, strings, translation,
};
use crate::badges;
use crate::paths;
use crate::request::{PageRequest, PageResponse};
use crate::stats;
use gitglot_model::address::encoded;

/// Responds to a page request. The values are the decoded parameters of the pattern, in order. `None` for an unknown
/// object.
pub type PageHandler = fn(&PageRequest<'_>, &[&str]) -> Option<PageResponse>;

/// The route of a page, badge or redirect.
pub struct PageRoute {
    /// `:name` matches one segment of the path.
    pub pattern: &'static str,
    /// Responds to a request.
    pub handler: PageHandler,
    /// Whether the cost grows with the number of strings or changes.
    pub is_scan: bool,
    /// Whether it shows results of the modern checks, which it computes if they are not known.
    pub reads_checks: bool,
    /// Whether it serves badges, which can be public.
    pub is_badge: bool,
    /// Whether it serves data as JSON or CSV.
    pub is_data: bool,
    /// The name of the operation in the OpenAPI document and its summary, if programs use the page.
    pub operation: Option<(&'static str, &'static str)>,
}

impl PageRoute {
    /// A page whose cost grows with the number of strings or changes.
    const fn scan(self) -> Self {
        Self {
            is_scan: true,
            ..self
        }
    }

    /// A page that shows results of the modern checks.
    const fn with_checks(self) -> Self {
        Self {
            reads_checks: true,
            ..self
        }
    }

    const fn operation(self, id: &'static str, summary: &'static str) -> Self {
        Self {
            operation: Some((id, summary)),
            ..self
        }
    }
}

const fn page(pattern: &'static str, handler: PageHandler) -> PageRoute {
    PageRoute {
        pattern,
        handler,
        is_scan: false,
        reads_checks: false,
        is_badge: false,
        is_data: false,
        operation: None,
    }
}

const fn badge(pattern: &'static str) -> PageRoute {
    PageRoute {
        is_badge: true,
        ..page(pattern, badges::badge)
    }
}

/// The handler of a page that takes the parameters as a slice or as an array.
macro_rules! html_page {
    ($page:path) => {
        |request, values| html($page(request, values.try_into().ok()?)?)
    };
}

/// The pages.
pub const PAGES: &[PageRoute] = &[
    page(paths::START, |request, _| html(start::page(request))).with_checks(),
    page(paths::PROJECTS, |request, _| html(start::page(request))).with_checks(),
    page(paths::PROJECT, html_page!(project::page)).scan(),
    page(paths::COMPONENT, html_page!(component::page)).scan(),
    page(paths::DOCUMENTS, html_page!(documents::page)).scan(),
    PageRoute {
        is_data: true,
        ..page(paths::DOCUMENT_STATES, |request, values| {
            documents::data(request, values.try_into().ok()?)
        })
    }
    .scan()
    .operation("documents", "The documents of a component in all languages"),
    page(paths::TRANSLATION, |request, values| {
        let found = translation::page(request, values.try_into().ok()?);
        html_or_current(found, request, paths::TRANSLATION, values)
    })
    .scan(),
    page(paths::STRINGS, |request, values| {
        let found = strings::page(request, values.try_into().ok()?);
        html_or_current(found, request, paths::STRINGS, values)
    })
    .scan(),
    page(paths::LANGUAGES, |request, _| html(languages::all(request))).scan(),
    page(paths::LANGUAGE, |request, values| {
        let found = languages::one(request, values.try_into().ok()?);
        html_or_current(found, request, paths::LANGUAGE, values)
    })
    .scan(),
    page(
        paths::LANGUAGE_IN_PROJECT,
        html_page!(languages::in_project),
    )
    .scan(),
    page(paths::ENGAGE, html_page!(engage::page)).with_checks(),
    page(paths::ENGAGE_LANGUAGE, html_page!(engage::page)).with_checks(),
    page("/stats/", |_, _| redirect(paths::PROJECTS, &[])),
    page(paths::STATS, html_page!(stats::page)).scan(),
    page(paths::STATS_LANGUAGE, html_page!(stats::page)).scan(),
    PageRoute {
        is_data: true,
        ..page(paths::PROGRESS, |request, values| {
            stats::data::response(request, values.try_into().ok()?)
        })
    }
    .scan()
    .operation("progress", "The progress of a project by month or year"),
    page(paths::CHANGES, |request, _| html(changes::page(request))).scan(),
    page(paths::REVISIONS, |request, values| {
        let [slug] = values.try_into().ok()?;
        Some(PageResponse::Redirect(readiness::at_revision(
            request, slug,
        )?))
    }),
    page(paths::CHECKS, |request, _| html(checks::all(request))).scan(),
    page(paths::CHECK, html_page!(checks::one)).scan(),
    page("/checks/:check/:project/", html_page!(checks::one)).scan(),
    page(paths::SEARCH, |request, _| html(search::page(request))).scan(),
    page(paths::ABOUT, |request, _| html(about::page(request))),
    // The address of the current API (docs/spec/pages.md#addresses-of-the-current-api).
    page("/engage/:project/-/:language/", |request, values| {
        html_or_current(None, request, paths::ENGAGE_LANGUAGE, values)
    }),
    // Redirects of Weblate 3.4 (docs/spec/pages.md#redirects).
    page("/data/", |_, _| redirect(paths::PROJECTS, &[])),
    page("/data/:project/", |_, values| {
        redirect(paths::PROJECT, values)
    }),
    page(
        "/projects/:project/:component/:language/:view/",
        |_, values| match values {
            [translation @ .., "translate" | "zen" | "auto" | "upload"] => {
                redirect(paths::STRINGS, translation)
            }
            [translation @ .., "download"] => redirect(paths::DOWNLOAD, translation),
            _ => None,
        },
    ),
    page("/widgets/", |_, _| redirect(paths::PROJECTS, &[])),
    // Badges at `/widgets/PROJECT-WIDGET-COLOR.EXT`, which 3.4 itself calls obsolete.
    page("/widgets/:file", |_, _| None),
    page(paths::BADGES, html_page!(badges::page))
        .operation("badges", "HTML page with the badges of a project"),
    badge(paths::BADGE).operation("badge", "A badge of a project; `-` for all languages"),
    badge(paths::BADGE_OF_COMPONENT).operation(
        "badgeOfComponent",
        "A badge of a component; `-` for all languages",
    ),
    page("/sitemap.xml", |request, _| sitemap::page(request)).scan(),
];

fn html(page: String) -> Option<PageResponse> {
    Some(PageResponse::Html(page))
}

/// A page, or the redirect from an address of the current API, which has other codes of languages and `-` for all
/// components.
fn html_or_current(
    page: Option<String>,
    request: &PageRequest<'_>,
    pattern: &'static str,
    values: &[&str],
) -> Option<PageResponse> {
    if let Some(page) = page {
        return html(page);
    }
    let (language, before) = values.split_last()?;
    let mut views = request.snapshot.translations_from(0);
    let view = views.find(|view| {
        let (of, translation) = (view.component, view.translation);
        let slugs = [of.project.slug.as_str(), of.component.slug.as_str()];
        *translation.current_language().code == **language
            && before
                .iter()
                .zip(slugs)
                .all(|(name, slug)| *name == slug || *name == "-")
    })?;
    let code = &*view.translation.language.code;
    match before {
        [project, "-"] => redirect(paths::LANGUAGE_IN_PROJECT, &[code, project]),
        [project] => redirect(pattern, &[project, code]),
        _ if code == *language => None,
        _ => redirect(pattern, &[before, &[code]].concat()),
    }
}

/// A redirect to a page; `values` are its parameters.
fn redirect(pattern: &'static str, values: &[&str]) -> Option<PageResponse> {
    let values: Vec<_> = values.iter().map(|value| encoded(value)).collect();
    let values: Vec<&str> = values.iter().map(|value| &**value).collect();
    Some(PageResponse::Redirect(paths::link(pattern, &values)))
}
