//! The route table: every path that gitglot serves, and its service.
//!
//! The table drives dispatch, access, the route labels of metrics, the navigation of the browsable API and the OpenAPI
//! document. The rows of the API are in `handlers`, those of pages in `web`.

use std::sync::LazyLock;

use super::handlers::GROUPS;
use super::route::RouteTarget::{self, Early, Outside};
use super::route::{EarlyTarget, OutsideTarget, Route};
use crate::web::{self, paths};

const fn route(pattern: &'static str, service: RouteTarget) -> Route {
    Route {
        pattern,
        service,
        operation: None,
    }
}

/// A route that the OpenAPI document describes.
const fn public(
    pattern: &'static str,
    service: RouteTarget,
    id: &'static str,
    summary: &'static str,
) -> Route {
    Route {
        operation: Some((id, summary)),
        ..route(pattern, service)
    }
}

/// Every route; the root of the API is the first. Of two patterns that match, the first one counts.
pub(super) static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let api = GROUPS.iter().flat_map(|(_, routes)| *routes);
    let api = api.map(|api| route(api.pattern, RouteTarget::Api(api)));
    let pages = web::PAGES.iter().map(|page| Route {
        operation: page.operation,
        ..route(page.pattern, RouteTarget::Page(page))
    });
    let others = OTHER_ROUTES.iter().copied();
    api.chain(others).chain(pages).collect()
});

/// Routes outside of the API that serve no pages, and those of the OpenAPI document.
const OTHER_ROUTES: &[Route] = &[
    route("/api/docs/", Early(EarlyTarget::Document)),
    route("/api/openapi.json", Early(EarlyTarget::Document)),
    route("/api/openapi.yaml", Early(EarlyTarget::Document)),
    route(paths::COMPARE, Outside(OutsideTarget::Compare)),
    route(paths::REVISION, Outside(OutsideTarget::Revision)),
    route(paths::SOURCE_LINE, Outside(OutsideTarget::SourceLine)),
    public(
        "/exports/stats/:project/",
        Outside(OutsideTarget::Stats),
        "exportProjectStatistics",
        "The statistics of a project",
    ),
    public(
        paths::COMPONENT_STATISTICS,
        Outside(OutsideTarget::Stats),
        "exportComponentStatistics",
        "The statistics of a component",
    ),
    public(
        paths::FEED,
        Outside(OutsideTarget::Rss),
        "feed",
        "The ten newest changes as RSS",
    ),
    public(
        paths::FEED_OF_LANGUAGE,
        Outside(OutsideTarget::Rss),
        "feedOfLanguage",
        "The ten newest changes of a language as RSS",
    ),
    public(
        paths::FEED_OF_PROJECT,
        Outside(OutsideTarget::Rss),
        "feedOfProject",
        "The ten newest changes of a project as RSS",
    ),
    public(
        paths::FEED_OF_COMPONENT,
        Outside(OutsideTarget::Rss),
        "feedOfComponent",
        "The ten newest changes of a component as RSS",
    ),
    public(
        paths::FEED_OF_TRANSLATION,
        Outside(OutsideTarget::Rss),
        "feedOfTranslation",
        "The ten newest changes of a translation as RSS",
    ),
    public(
        paths::DOWNLOAD,
        Outside(OutsideTarget::Download),
        "downloadTranslation",
        "The translation file, unchanged or converted",
    ),
    public(
        "/hooks/update/:project/",
        Early(EarlyTarget::Hooks),
        "updateProject",
        "Polls the repositories of a project now",
    ),
    public(
        "/hooks/update/:project/:component/",
        Early(EarlyTarget::Hooks),
        "updateComponent",
        "Polls the repository of a component now",
    ),
    public(
        "/hooks/:service/",
        Early(EarlyTarget::Hooks),
        "receiveHook",
        "Receives a push notification from a repository host",
    ),
    public(
        "/healthz",
        Early(EarlyTarget::Health),
        "healthz",
        "Liveness of the process",
    ),
    route("/healthz/", Early(EarlyTarget::Health)),
    public(
        "/readyz",
        Early(EarlyTarget::Health),
        "readyz",
        "Readiness of all components, with reasons if not ready",
    ),
    public(
        "/metrics",
        Early(EarlyTarget::Metrics),
        "metrics",
        "Metrics in the Prometheus text format",
    ),
    route("/static/*", Early(EarlyTarget::Asset)),
    route("/favicon.ico", Early(EarlyTarget::Asset)),
    route("/sign-in/", Early(EarlyTarget::SignIn)),
    route("/sign-out/", Early(EarlyTarget::SignOut)),
];
