//! The route table: every path that gitglot serves, and its service.
//!
//! The table drives dispatch, the route labels of metrics, the navigation of the browsable API and the OpenAPI
//! document.

use std::sync::LazyLock;

use super::handlers::GROUPS;
use super::route::{Route, RouteTarget};
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
    route("/api/docs/", RouteTarget::Document),
    route("/api/openapi.json", RouteTarget::Document),
    route("/api/openapi.yaml", RouteTarget::Document),
];

/// Routes outside of the API that serve no pages.
const OTHER_ROUTES: &[Route] = &[
    route("/compare/:project/:component/:range/", RouteTarget::Compare),
    route("/revisions/:project/:revision/", RouteTarget::Revision),
    route(
        "/line/:project/:component/:language/",
        RouteTarget::SourceLine,
    ),
    route("/exports/stats/:project/", RouteTarget::Stats),
    route("/exports/stats/:project/:component/", RouteTarget::Stats),
    route("/exports/rss/", RouteTarget::Rss),
    route("/exports/rss/language/:language/", RouteTarget::Rss),
    route("/exports/rss/:project/", RouteTarget::Rss),
    route("/exports/rss/:project/:component/", RouteTarget::Rss),
    route(
        "/exports/rss/:project/:component/:language/",
        RouteTarget::Rss,
    ),
    route(
        "/download/:project/:component/:language/",
        RouteTarget::Download,
    ),
    route("/static/*", RouteTarget::Asset),
    route("/favicon.ico", RouteTarget::Asset),
    route("/sign-in/", RouteTarget::SignIn),
    route("/sign-out/", RouteTarget::SignOut),
    route("/metrics", RouteTarget::Metrics),
    route("/healthz", RouteTarget::Health),
    route("/healthz/", RouteTarget::Health),
    route("/readyz", RouteTarget::Health),
    route("/hooks/*", RouteTarget::Hooks),
];
