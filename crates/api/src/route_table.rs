//! The route table: every path that gitglot serves, and its service.
//!
//! The table drives dispatch, access, the route labels of metrics, the navigation of the browsable API and the OpenAPI
//! document. The rows of the API are in `handlers`, those of pages in `web`.

use std::sync::LazyLock;

use super::handlers::GROUPS;
use super::profile::Profile;
use super::route::PreDispatchTarget::{Asset, Document, Health, Hooks, Metrics, SignIn, SignOut};
use super::route::RouteTarget::{Api, Page, PreDispatch, Snapshot};
use super::route::SnapshotTarget::{
    Compare, Credits, CreditsData, Download, ProjectHealth, Revision, Rss, SourceLine, Stats,
};
use super::route::{Route, route};
use gitglot_web::paths;

/// Every route; the root of the API of 3.4 is the first. Of two patterns of a profile that match, the first one counts.
/// Patterns of the APIs begin with `/api/`, whatever their root is.
pub(super) static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let in_profile = |profile: Profile| {
        let api = GROUPS.iter().flat_map(|(_, routes)| *routes);
        let api = api.filter(move |api| api.profiles.contain(profile));
        api.map(move |api| Route {
            profile,
            ..route(api.pattern, Api(api))
        })
    };
    let pages = gitglot_web::PAGES.iter().map(|page| Route {
        operation: page.operation,
        ..route(page.pattern, Page(page))
    });
    let others = OTHER_ROUTES.iter().copied();
    let current = CURRENT_ROUTES.iter().map(|&own| Route {
        profile: Profile::Current,
        ..own
    });
    let legacy = in_profile(Profile::Legacy).chain(others).chain(pages);
    legacy
        .chain(in_profile(Profile::Current))
        .chain(current)
        .collect()
});

/// The document of the current API.
const CURRENT_ROUTES: &[Route] = &[
    route("/api/docs/", PreDispatch(Document)),
    route("/api/schema/", PreDispatch(Document)),
];

/// Routes outside of the API that serve no pages, and those of the OpenAPI document.
#[rustfmt::skip]
const OTHER_ROUTES: &[Route] = &[
    route("/api/docs/", PreDispatch(Document)),
    route("/api/openapi.json", PreDispatch(Document)),
    route("/api/openapi.yaml", PreDispatch(Document)),
    route(paths::COMPARE, Snapshot(Compare)),
    route(paths::REVISION, Snapshot(Revision)),
    route(paths::HEALTH, Snapshot(ProjectHealth)),
    route(paths::CREDITS, Snapshot(Credits)),
    route(paths::CREDITS_DATA, Snapshot(CreditsData)).operation("credits", "Who wrote the translations of a release"),
    route(paths::SOURCE_LINE, Snapshot(SourceLine)),
    route("/exports/stats/:project/", Snapshot(Stats)).operation("exportProjectStatistics", "The statistics of a project"),
    route(paths::COMPONENT_STATISTICS, Snapshot(Stats)).operation("exportComponentStatistics", "The statistics of a component"),
    route(paths::FEED, Snapshot(Rss)).operation("feed", "The ten newest changes as RSS"),
    route(paths::FEED_OF_LANGUAGE, Snapshot(Rss)).operation("feedOfLanguage", "The ten newest changes of a language as RSS"),
    route(paths::FEED_OF_PROJECT, Snapshot(Rss)).operation("feedOfProject", "The ten newest changes of a project as RSS"),
    route(paths::FEED_OF_COMPONENT, Snapshot(Rss)).operation("feedOfComponent", "The ten newest changes of a component as RSS"),
    route(paths::FEED_OF_TRANSLATION, Snapshot(Rss)).operation("feedOfTranslation", "The ten newest changes of a translation as RSS"),
    route(paths::DOWNLOAD, Snapshot(Download)).operation("downloadTranslation", "The translation file, unchanged or converted"),
    route("/hooks/update/:project/", PreDispatch(Hooks)).operation("updateProject", "Polls the repositories of a project now"),
    route("/hooks/update/:project/:component/", PreDispatch(Hooks)).operation("updateComponent", "Polls the repository of a component now"),
    route("/hooks/:service/", PreDispatch(Hooks)).operation("receiveHook", "Receives a push notification from a repository host"),
    route("/healthz", PreDispatch(Health)).operation("healthz", "Liveness of the process"),
    route("/healthz/", PreDispatch(Health)),
    route("/readyz", PreDispatch(Health)).operation("readyz", "Readiness of all components, with reasons if not ready"),
    route("/metrics", PreDispatch(Metrics)).operation("metrics", "Metrics in the Prometheus text format"),
    route("/static/*", PreDispatch(Asset)),
    route("/favicon.ico", PreDispatch(Asset)),
    route("/sign-in/", PreDispatch(SignIn)),
    route("/sign-out/", PreDispatch(SignOut)),
];
