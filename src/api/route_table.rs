//! The route table: every path that gitglot serves, and its service.
//!
//! The table drives dispatch, the route labels of metrics, the navigation of the browsable API and the OpenAPI
//! document.

use std::sync::LazyLock;

use super::handlers::GROUPS;
use super::route::RouteTarget::{Early, Outside};
use super::route::{EarlyTarget, OutsideTarget, Route, RouteTarget};
use crate::web;

const fn route(pattern: &'static str, service: RouteTarget) -> Route {
    Route { pattern, service }
}

/// Every route; the root of the API is the first. Of two patterns that match, the first one counts.
pub(super) static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let api = GROUPS.iter().flat_map(|(_, routes)| *routes);
    let api = api.map(|api| route(api.pattern, RouteTarget::Api(api)));
    let pages = web::PAGES
        .iter()
        .map(|(pattern, handler)| route(pattern, RouteTarget::Page(*handler)));
    api.chain(DOCUMENTS.iter().copied())
        .chain(pages)
        .chain(OTHER_ROUTES.iter().copied())
        .collect()
});

/// The routes of the OpenAPI document.
const DOCUMENTS: &[Route] = &[
    route("/api/docs/", Early(EarlyTarget::Document)),
    route("/api/openapi.json", Early(EarlyTarget::Document)),
    route("/api/openapi.yaml", Early(EarlyTarget::Document)),
];

/// Routes outside of the API that serve no pages.
const OTHER_ROUTES: &[Route] = &[
    route(
        "/compare/:project/:component/:range/",
        Outside(OutsideTarget::Compare),
    ),
    route(
        "/revisions/:project/:revision/",
        Outside(OutsideTarget::Revision),
    ),
    route(
        "/line/:project/:component/:language/",
        Outside(OutsideTarget::SourceLine),
    ),
    route("/exports/stats/:project/", Outside(OutsideTarget::Stats)),
    route(
        "/exports/stats/:project/:component/",
        Outside(OutsideTarget::Stats),
    ),
    route("/exports/rss/", Outside(OutsideTarget::Rss)),
    route(
        "/exports/rss/language/:language/",
        Outside(OutsideTarget::Rss),
    ),
    route("/exports/rss/:project/", Outside(OutsideTarget::Rss)),
    route(
        "/exports/rss/:project/:component/",
        Outside(OutsideTarget::Rss),
    ),
    route(
        "/exports/rss/:project/:component/:language/",
        Outside(OutsideTarget::Rss),
    ),
    route(
        "/download/:project/:component/:language/",
        Outside(OutsideTarget::Download),
    ),
    route("/static/*", Early(EarlyTarget::Asset)),
    route("/favicon.ico", Early(EarlyTarget::Asset)),
    route("/sign-in/", Early(EarlyTarget::SignIn)),
    route("/sign-out/", Early(EarlyTarget::SignOut)),
    route("/metrics", Early(EarlyTarget::Metrics)),
    route("/healthz", Early(EarlyTarget::Health)),
    route("/healthz/", Early(EarlyTarget::Health)),
    route("/readyz", Early(EarlyTarget::Health)),
    route("/hooks/*", Early(EarlyTarget::Hooks)),
];
