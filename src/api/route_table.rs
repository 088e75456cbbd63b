//! The route table: every path that gitglot serves, and its service.
//!
//! The table drives dispatch, the route labels of metrics, the navigation of the browsable API and the OpenAPI
//! document.

use std::sync::LazyLock;

use super::route::{ApiRoute, Route, RouteKind, RouteTarget};
use crate::web;

const fn api(
    pattern: &'static str,
    kind: RouteKind,
    name: &'static str,
    about: &'static str,
) -> Route {
    Route {
        pattern,
        service: RouteTarget::Api(ApiRoute { kind, name, about }),
    }
}

const fn route(pattern: &'static str, service: RouteTarget) -> Route {
    Route { pattern, service }
}

/// Every route; the root of the API is the first. Of two patterns that match, the first one counts.
pub(super) static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let pages = web::PAGES
        .iter()
        .map(|(pattern, handler)| route(pattern, RouteTarget::Page(*handler)));
    API_ROUTES
        .iter()
        .copied()
        .chain(pages)
        .chain(OTHER_ROUTES.iter().copied())
        .collect()
});

/// The routes of the API and its document.
const API_ROUTES: &[Route] = {
    use RouteKind::{Action, Attachment, Download, Plain, Resource, Stream};
    &[
        api("/api/", Resource, "Api Root", "URLs of the lists."),
        api("/api/projects/", Resource, "Project List", "All projects."),
        api(
            "/api/projects/:project/",
            Resource,
            "Project Instance",
            "A project.",
        ),
        api(
            "/api/projects/:project/components/",
            Action,
            "Components",
            "The components of a project.",
        ),
        api(
            "/api/projects/:project/statistics/",
            Action,
            "Statistics",
            "Statistics of each language of a project.",
        ),
        api(
            "/api/projects/:project/changes/",
            Action,
            "Changes",
            "The change log of a project, newest first.",
        ),
        api(
            "/api/projects/:project/repository/",
            Action,
            "Repository",
            "The repository status of a project.",
        ),
        api(
            "/api/components/",
            Resource,
            "Component List",
            "All components.",
        ),
        api(
            "/api/components/:project/:component/",
            Resource,
            "Component Instance",
            "A component.",
        ),
        api(
            "/api/components/:project/:component/translations/",
            Action,
            "Translations",
            "The translations of a component.",
        ),
        api(
            "/api/components/:project/:component/statistics/",
            Action,
            "Statistics",
            "Statistics of each translation of a component.",
        ),
        api(
            "/api/components/:project/:component/changes/",
            Action,
            "Changes",
            "The change log of a component, newest first.",
        ),
        api(
            "/api/components/:project/:component/problems/",
            Action,
            "Problems",
            "Files that are excluded or do not parse.",
        ),
        api(
            "/api/components/:project/:component/revisions/:revision/",
            Plain,
            "Revision",
            "The component at a commit, tag, branch or time.",
        ),
        api(
            "/api/components/:project/:component/revisions/:revision/translations/",
            Action,
            "Translations",
            "The translations at a revision.",
        ),
        api(
            "/api/components/:project/:component/revisions/:revision/units/",
            Action,
            "Units",
            "The strings at a revision.",
        ),
        api(
            "/api/components/:project/:component/revisions/:revision/file/",
            Download,
            "File",
            "The file of a language at a revision.",
        ),
        api(
            "/api/components/:project/:component/compare/:range/",
            Plain,
            "Comparison",
            "A comparison of two revisions.",
        ),
        api(
            "/api/components/:project/:component/lock/",
            Action,
            "Lock",
            "The lock status of a component.",
        ),
        api(
            "/api/components/:project/:component/repository/",
            Action,
            "Repository",
            "The repository status, with the newest commit.",
        ),
        api(
            "/api/components/:project/:component/monolingual_base/",
            Attachment,
            "Monolingual base",
            "The template file.",
        ),
        api(
            "/api/components/:project/:component/new_template/",
            Attachment,
            "New template",
            "The file that new languages start from.",
        ),
        api(
            "/api/translations/",
            Resource,
            "Translation List",
            "All translations.",
        ),
        api(
            "/api/translations/:project/:component/:language/",
            Resource,
            "Translation Instance",
            "A translation.",
        ),
        api(
            "/api/translations/:project/:component/:language/units/",
            Action,
            "Units",
            "The strings of a translation.",
        ),
        api(
            "/api/translations/:project/:component/:language/statistics/",
            Action,
            "Statistics",
            "Statistics of a translation.",
        ),
        api(
            "/api/translations/:project/:component/:language/changes/",
            Action,
            "Changes",
            "The change log of a translation, newest first.",
        ),
        api(
            "/api/translations/:project/:component/:language/file/",
            Download,
            "File",
            "The translation file, unchanged or converted.",
        ),
        api(
            "/api/translations/:project/:component/:language/repository/",
            Action,
            "Repository",
            "The repository status, with the newest commit.",
        ),
        api(
            "/api/languages/",
            Resource,
            "Language List",
            "Languages with a translation.",
        ),
        api(
            "/api/languages/:language/",
            Resource,
            "Language Instance",
            "A language.",
        ),
        api(
            "/api/changes/",
            Resource,
            "Change List",
            "The change log, oldest first.",
        ),
        api(
            "/api/changes/:id/",
            Resource,
            "Change Instance",
            "An entry of the change log.",
        ),
        api(
            "/api/changes/:id/details/",
            Action,
            "Details",
            "The details of an entry of the change log.",
        ),
        api(
            "/api/events/",
            Stream,
            "Events",
            "A stream of new entries of the change log.",
        ),
        api(
            "/api/units/",
            Resource,
            "Unit List",
            "All strings in all languages.",
        ),
        api(
            "/api/units/:id/",
            Resource,
            "Unit Instance",
            "A string in one language.",
        ),
        api(
            "/api/units/:id/translations/",
            Action,
            "Translations",
            "The same string in every language.",
        ),
        api(
            "/api/units/:id/checks/",
            Action,
            "Checks",
            "The failing checks of a string.",
        ),
        api(
            "/api/units/:id/changes/",
            Action,
            "Changes",
            "The change log of a string, newest first.",
        ),
        api(
            "/api/sources/",
            Resource,
            "Source List",
            "All source strings.",
        ),
        api(
            "/api/sources/:id/",
            Resource,
            "Source Instance",
            "A source string.",
        ),
        api(
            "/api/screenshots/",
            Resource,
            "Screenshot List",
            "Screenshots (always empty).",
        ),
        api(
            "/api/screenshots/:id/",
            Resource,
            "Screenshot Instance",
            "A screenshot (always 404).",
        ),
        api(
            "/api/screenshots/:id/file/",
            Download,
            "File",
            "The image of a screenshot (always 404).",
        ),
        api(
            "/api/users/",
            Resource,
            "User List",
            "Users in the change log.",
        ),
        api(
            "/api/users/:id/",
            Resource,
            "User Instance",
            "A user in the change log.",
        ),
        api("/api/metrics/", Plain, "Metrics", "Counts of all objects."),
        route("/api/docs/", RouteTarget::Document),
        route("/api/openapi.json", RouteTarget::Document),
        route("/api/openapi.yaml", RouteTarget::Document),
    ]
};

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
