//! The route table: every path that gitglot serves, and its service.
//!
//! The table drives dispatch, the route labels of metrics, the navigation of the browsable API and the OpenAPI
//! document. How a path matches: docs/spec/http.md#paths.

use std::sync::LazyLock;

use super::response::media_type::Representation;
use crate::web::{self, PageHandler};

/// A path pattern and the service behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    /// The path. `:name` matches one segment, a final `*` everything below.
    pub(super) pattern: &'static str,
    /// The service.
    pub(super) service: RouteTarget,
}

/// The service behind a route.
#[derive(Clone, Copy, Debug)]
pub(super) enum RouteTarget {
    /// A handler of the API.
    Api(ApiRoute),
    /// The OpenAPI document or its page.
    Document,
    /// A page for people, or a picture that belongs to one.
    Page(PageHandler),
    /// A file that pages load.
    Asset,
    /// The page of a comparison.
    Compare,
    /// The page of a project at a revision.
    Revision,
    /// `/exports/stats/`.
    Stats,
    /// `/exports/rss/`.
    Rss,
    /// The file of a translation.
    Download,
    /// The redirect to the line of a string at the host of its repository.
    SourceLine,
    /// The form that asks for a token.
    SignIn,
    /// The end of a session.
    SignOut,
    /// The server's metrics.
    Metrics,
    /// The health endpoints.
    Health,
    /// Notifications of services that host repositories.
    Hooks,
}

/// A handler of the API.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ApiRoute {
    /// How the route treats suffixes and content negotiation.
    pub(super) kind: RouteKind,
    /// `name` of the `OPTIONS` body.
    pub(super) name: &'static str,
    /// `description` of the `OPTIONS` body.
    pub(super) about: &'static str,
}

/// How a route of the API treats suffixes and content negotiation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RouteKind {
    /// The root, a list or one object: links in the body repeat the suffix of the request.
    Resource,
    /// Something below an object: links in the body end with a slash.
    Action,
    /// A file below an object, sent as it is but negotiated like a resource.
    Attachment,
    /// A file that is sent regardless of `Accept`.
    Download,
    /// A stream that is sent regardless of `Accept`; it has no suffix.
    Stream,
    /// Like an action, but without a suffix.
    Plain,
}

/// A route that a path matches.
#[derive(Clone, Debug)]
pub(super) struct RouteMatch {
    /// Index in [`ROUTES`].
    pub(super) index: usize,
    /// The suffix, without its dot.
    pub(super) suffix: Option<String>,
    /// Whether the path lacks the final slash of the pattern.
    pub(super) missing_slash: bool,
}

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
        api(
            "/api/",
            Resource,
            "Api Root",
            "Where the lists of this API are.",
        ),
        api("/api/projects/", Resource, "Project List", "All projects."),
        api(
            "/api/projects/:project/",
            Resource,
            "Project Instance",
            "One project.",
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
            "How far each language of a project is.",
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
            "The repositories of a project.",
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
            "One component.",
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
            "How far each translation is.",
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
            "Files that are left out or cannot be read.",
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
            "The changes between two revisions.",
        ),
        api(
            "/api/components/:project/:component/lock/",
            Action,
            "Lock",
            "Whether the component is locked.",
        ),
        api(
            "/api/components/:project/:component/repository/",
            Action,
            "Repository",
            "The commit that is shown.",
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
            "One translation.",
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
            "How far a translation is.",
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
            "The translation file, as it is or converted.",
        ),
        api(
            "/api/translations/:project/:component/:language/repository/",
            Action,
            "Repository",
            "The commit that is shown.",
        ),
        api(
            "/api/languages/",
            Resource,
            "Language List",
            "The languages that are translated to.",
        ),
        api(
            "/api/languages/:language/",
            Resource,
            "Language Instance",
            "One language.",
        ),
        api(
            "/api/changes/",
            Resource,
            "Change List",
            "The whole change log, oldest first.",
        ),
        api(
            "/api/changes/:id/",
            Resource,
            "Change Instance",
            "One entry of the change log.",
        ),
        api(
            "/api/changes/:id/details/",
            Action,
            "Details",
            "The commit of an entry of the change log.",
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
            "One string in one language.",
        ),
        api(
            "/api/units/:id/translations/",
            Action,
            "Translations",
            "The same source string in every language.",
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
            "One source string.",
        ),
        api(
            "/api/screenshots/",
            Resource,
            "Screenshot List",
            "There are no screenshots: the list is empty.",
        ),
        api(
            "/api/screenshots/:id/",
            Resource,
            "Screenshot Instance",
            "There are no screenshots.",
        ),
        api(
            "/api/screenshots/:id/file/",
            Download,
            "File",
            "There are no screenshots.",
        ),
        api(
            "/api/users/",
            Resource,
            "User List",
            "The people in the change log.",
        ),
        api(
            "/api/users/:id/",
            Resource,
            "User Instance",
            "A person in the change log.",
        ),
        api(
            "/api/metrics/",
            Plain,
            "Metrics",
            "How much there is of everything.",
        ),
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

/// Label of paths without a route.
const OTHER: &str = "other";
/// The most segments in a pattern.
const MAX_SEGMENTS: usize = 7;

/// A pattern, taken apart.
struct Pattern {
    segments: Vec<&'static str>,
    /// Whether it ends with `*`.
    open: bool,
    /// Whether it ends with a slash.
    slash: bool,
}

impl Pattern {
    fn new(pattern: &'static str) -> Self {
        let closed = pattern.strip_suffix("/*");
        let text = closed.unwrap_or(pattern);
        Self {
            segments: segments(text).collect(),
            open: closed.is_some(),
            slash: text.ends_with('/'),
        }
    }

    fn matches(&self, path: &[&str]) -> bool {
        let fits = |own: &str, segment: &str| {
            own == segment || (own.starts_with(':') && !segment.is_empty())
        };
        self.segments
            .iter()
            .zip(path)
            .all(|(own, segment)| fits(own, segment))
    }
}

/// The indexes of the patterns that paths with a number of segments may match, by that number. Longer paths use the last
/// entry.
static BY_LENGTH: LazyLock<[Vec<(usize, Pattern)>; MAX_SEGMENTS + 2]> = LazyLock::new(|| {
    std::array::from_fn(|length| {
        let patterns = ROUTES
            .iter()
            .map(|route| Pattern::new(route.pattern))
            .enumerate();
        let fits =
            |of: &Pattern| of.segments.len() == length || (of.open && of.segments.len() < length);
        patterns.filter(|(_, pattern)| fits(pattern)).collect()
    })
});

/// The segments of a path; slashes at both ends are no segments.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.strip_suffix('/').unwrap_or(path).split('/')
}

/// The route of a decoded path.
pub(super) fn find(path: &str) -> Option<RouteMatch> {
    // Segments beyond the longest pattern do not matter.
    let (mut buffer, mut length) = ([""; MAX_SEGMENTS + 1], 0);
    for (slot, segment) in buffer.iter_mut().zip(segments(path)) {
        *slot = segment;
        length += 1;
    }
    let slash = path.ends_with('/');
    let exact = lookup(&buffer[..length], slash);
    if let Some((index, false)) = exact {
        return Some(RouteMatch {
            index,
            suffix: None,
            missing_slash: false,
        });
    }
    if let Some((index, suffix)) = suffixed(&mut buffer[..length]) {
        return Some(RouteMatch {
            index,
            suffix: Some(suffix.to_owned()),
            missing_slash: false,
        });
    }
    exact.map(|(index, missing_slash)| RouteMatch {
        index,
        suffix: None,
        missing_slash,
    })
}

/// The first pattern that fits, and whether the path lacks its final slash.
fn lookup(path: &[&str], slash: bool) -> Option<(usize, bool)> {
    let found = BY_LENGTH.get(path.len())?.iter().find(|(_, pattern)| {
        let ends = match pattern.open {
            true => slash || path.len() > pattern.segments.len(),
            false => pattern.slash || !slash,
        };
        ends && pattern.matches(path)
    });
    found.map(|(index, pattern)| (*index, pattern.slash && !pattern.open && !slash))
}

/// The route of the API that a path without its suffix matches, and the suffix.
fn suffixed<'a>(path: &mut [&'a str]) -> Option<(usize, &'a str)> {
    if path.first() != Some(&"api") || path.len() < 2 {
        return None;
    }
    let (stem, suffix) = path.last()?.rsplit_once('.')?;
    if suffix.is_empty()
        || !suffix
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    {
        return None;
    }
    let length = path.len();
    let path = match stem {
        "" if length == 2 => &path[..1],
        _ => {
            *path.last_mut()? = stem;
            &path[..]
        }
    };
    let (index, _) = lookup(path, true)?;
    let kind = ROUTES.get(index)?.api()?.kind;
    (!matches!(kind, RouteKind::Plain | RouteKind::Stream)).then_some((index, suffix))
}

/// The labels of all routes in metrics; the last one is for paths without a route.
pub fn route_labels() -> Vec<String> {
    ROUTES
        .iter()
        .map(|route| route.pattern)
        .chain([OTHER])
        .map(str::to_owned)
        .collect()
}

impl RouteMatch {
    /// The route.
    pub(super) fn route(&self) -> &'static Route {
        &ROUTES[self.index]
    }

    /// The values of the pattern's parameters in a path that matches it, by name.
    pub(super) fn params(&self, path: &str) -> Vec<(&'static str, String)> {
        let suffix = self.suffix.as_ref().map_or(0, |suffix| suffix.len() + 1);
        let path = path.strip_suffix('/').unwrap_or(path);
        let path = path
            .get(..path.len().saturating_sub(suffix))
            .unwrap_or(path);
        let pairs = segments(self.route().pattern).zip(segments(path));
        pairs
            .filter_map(|(own, value)| Some((own.strip_prefix(':')?, value.to_owned())))
            .collect()
    }
}

impl Route {
    /// The handler, if this is a route of the API.
    pub(super) fn api(&self) -> Option<&ApiRoute> {
        match &self.service {
            RouteTarget::Api(api) => Some(api),
            _ => None,
        }
    }

    /// The segments of the pattern below `/api/`.
    pub(super) fn below_api(&self) -> impl DoubleEndedIterator<Item = &'static str> {
        let below = self.pattern.strip_prefix("/api/").unwrap_or_default();
        below.trim_end_matches('/').split('/')
    }

    /// Whether a route of the API serves a paged list.
    pub(super) fn is_list(&self) -> bool {
        // The statistics of a project are an array.
        let is_array = self.pattern == "/api/projects/:project/statistics/";
        self.representations().contains(&Representation::NdJson) && !is_array
    }

    /// The representations of a route of the API in order of preference. Empty for downloads and streams, which are not
    /// negotiated.
    pub(super) fn representations(&self) -> &'static [Representation] {
        use Representation::{Csv, Html, Json, NdJson, Parquet};
        let Some(api) = self.api() else { return &[] };
        let is_statistics_of_translation = self.pattern.starts_with("/api/translations/:");
        match self.below_api().next_back().unwrap_or_default() {
            _ if matches!(api.kind, RouteKind::Download | RouteKind::Stream) => &[],
            "statistics" if is_statistics_of_translation => &[Json, Html],
            "projects" | "components" | "translations" | "languages" | "sources" | "units"
            | "changes" | "statistics" | "screenshots" | "users" | "problems" | "checks" => {
                &[Json, Html, NdJson, Csv, Parquet]
            }
            _ => &[Json, Html],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str) -> String {
        match find(path) {
            None => "not found".to_owned(),
            Some(RouteMatch {
                index,
                missing_slash: true,
                ..
            }) => format!("{} without slash", ROUTES[index].pattern),
            Some(RouteMatch {
                index,
                suffix: Some(suffix),
                ..
            }) => format!("{} .{suffix}", ROUTES[index].pattern),
            Some(RouteMatch { index, .. }) => ROUTES[index].pattern.to_owned(),
        }
    }

    #[test]
    fn paths_match_as_in_weblate() {
        for (path, expected) in [
            ("/api/", "/api/"),
            ("/api", "/api/ without slash"),
            ("/api/.json", "/api/ .json"),
            ("/api/.json/", "/api/ .json"),
            ("/api/units/", "/api/units/"),
            ("/api/units", "/api/units/ without slash"),
            ("/api/units.json", "/api/units/ .json"),
            ("/api/units.json/", "/api/units/ .json"),
            ("/api/units//", "not found"),
            ("/api//units/", "not found"),
            ("/api/UNITS/", "not found"),
            ("/api/units/1/", "/api/units/:id/"),
            ("/api/units/1", "/api/units/:id/ without slash"),
            ("/api/units/1.json", "/api/units/:id/ .json"),
            ("/api/units/1.json/", "/api/units/:id/"),
            ("/api/units/1/extra/", "not found"),
            ("/api/units/1.JSON", "/api/units/:id/ without slash"),
            (
                "/api/projects/p/components.json/",
                "/api/projects/:project/components/ .json",
            ),
            ("/api/components/p/", "not found"),
            (
                "/api/translations/p/c/l/file.po",
                "/api/translations/:project/:component/:language/file/ .po",
            ),
            (
                "/api/translations/p/c/cs@x.y/units/",
                "/api/translations/:project/:component/:language/units/",
            ),
            ("/api/events/", "/api/events/"),
            ("/api/events.json", "not found"),
            ("/api/metrics/", "/api/metrics/"),
            ("/api/metrics.json", "not found"),
            ("/api/metrics", "/api/metrics/ without slash"),
            ("/api/openapi.json", "/api/openapi.json"),
            ("/api/openapi.json/", "not found"),
            ("/api/docs", "/api/docs/ without slash"),
            ("/api/a/b/c/d/e/f/g/", "not found"),
        ] {
            assert_eq!(shown(path), expected, "{path}");
        }
    }

    #[test]
    fn other_paths_match_by_segment() {
        for (path, expected) in [
            ("/", "/"),
            ("", "/ without slash"),
            (
                "/projects/p/c/cs/",
                "/projects/:project/:component/:language/",
            ),
            (
                "/widgets/p/-/svg-badge.svg",
                "/widgets/:project/:language/:badge",
            ),
            (
                "/widgets/p/-/c/svg-badge.svg",
                "/widgets/:project/:language/:component/:badge",
            ),
            ("/widgets/p/svg/", "not found"),
            ("/widgets/p/svg/badge/", "not found"),
            ("/widgets/a/b/c/d/e/f/g/h", "not found"),
            (
                "/exports/rss/language/cs/",
                "/exports/rss/language/:language/",
            ),
            ("/exports/rss/p/c/", "/exports/rss/:project/:component/"),
            ("/exports/rss", "/exports/rss/ without slash"),
            ("/exports//rss/", "not found"),
            ("/static/style.css", "/static/*"),
            ("/hooks/update/p/c/", "/hooks/*"),
            ("/hooks/", "/hooks/*"),
            ("/healthz", "/healthz"),
            ("/healthz/", "/healthz/"),
            ("/metrics", "/metrics"),
            ("/nope.php", "not found"),
        ] {
            assert_eq!(shown(path), expected, "{path}");
        }
    }

    #[test]
    fn every_pattern_matches_itself() {
        for (index, route) in ROUTES.iter().enumerate() {
            assert_eq!(
                find(&route.pattern.replace('*', "x")).map(|found| found.index),
                Some(index),
                "{route:?}"
            );
        }
        assert!(ROUTES.len() < 120);
    }

    #[test]
    fn parameters_are_the_segments_without_the_suffix() {
        let params = |path: &str| {
            find(path)
                .map(|found| found.params(path))
                .unwrap_or_default()
        };
        assert_eq!(params("/api/units/1.json"), [("id", "1".to_owned())]);
        assert_eq!(params("/api/.json"), []);
        let all = params("/api/translations/p/c/ěš/units.json/");
        assert_eq!(
            all,
            [
                ("project", "p".to_owned()),
                ("component", "c".to_owned()),
                ("language", "ěš".to_owned())
            ]
        );
    }
}
