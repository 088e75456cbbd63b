//! Finds the route of a path (docs/spec/http.md#paths).

use std::borrow::Cow;
use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use poem::Request;

use super::profile::{Profile, Roots};
use super::route::{Route, RouteKind};
use super::route_table::ROUTES;

#[derive(Clone, Debug)]
pub(super) struct RouteMatch {
    /// Index in [`ROUTES`].
    pub(super) index: usize,
    /// The suffix, without its dot.
    pub(super) suffix: Option<String>,
    /// Whether the path lacks the final slash of the pattern.
    pub(super) missing_slash: bool,
    /// The length of the root of its profile, in front of `/api/`.
    root: usize,
}

/// Label of paths without a route.
const OTHER: &str = "other";
const MAX_SEGMENTS: usize = 7;

struct Pattern {
    segments: Vec<&'static str>,
    /// Whether it ends with `*`.
    open: bool,
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
        let mut pairs = self.segments.iter().zip(path);
        pairs.all(|(own, segment)| fits(own, segment))
    }
}

/// The indexes of the patterns of each profile that paths with a number of segments may match, by that number. Longer paths
/// use the last entry.
static BY_LENGTH: [LazyLock<PatternTable>; 2] = [
    LazyLock::new(|| patterns(Profile::ALL[0])),
    LazyLock::new(|| patterns(Profile::ALL[1])),
];

type PatternTable = [Vec<(usize, Pattern)>; MAX_SEGMENTS + 2];

fn patterns(profile: Profile) -> PatternTable {
    std::array::from_fn(|length| {
        let routes = ROUTES.iter().enumerate();
        let routes = routes.filter(|(_, route)| route.profile == profile);
        let patterns = routes.map(|(index, route)| (index, Pattern::new(route.pattern)));
        let fits =
            |of: &Pattern| of.segments.len() == length || (of.open && of.segments.len() < length);
        patterns.filter(|(_, pattern)| fits(pattern)).collect()
    })
}

/// The path without percent encoding; `None` if that is not UTF-8.
///
/// In paths with names of revisions, `%2F` stays as it is: it is part of a name.
pub(super) fn decoded_path(request: &Request) -> Option<Cow<'_, str>> {
    let path = request.uri().path();
    let mut roots = ["/current", "/3.4"].iter();
    let below_root = roots.find_map(|root| path.strip_prefix(root));
    let path_of_names = below_root.unwrap_or(path);
    let mut starts = ["/api/components/", "/compare/", "/revisions/"].iter();
    let has_names = starts.any(|start| path_of_names.starts_with(start));
    if has_names && (path.contains("%2F") || path.contains("%2f")) {
        let path = path.replace("%2F", "%252F").replace("%2f", "%252F");
        let decoded = percent_decode_str(&path).decode_utf8().ok()?;
        return Some(Cow::Owned(decoded.into_owned()));
    }
    percent_decode_str(path).decode_utf8().ok()
}

/// The segments of a path; slashes at both ends are no segments.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.strip_suffix('/').unwrap_or(path).split('/')
}

/// The route of a decoded path.
pub(super) fn find(roots: Roots, path: &str) -> Option<RouteMatch> {
    let (profile, root) = roots.split(path);
    let path = path.get(root..)?;
    // Segments beyond the longest pattern do not matter.
    let (mut buffer, mut length) = ([""; MAX_SEGMENTS + 1], 0);
    for (slot, segment) in buffer.iter_mut().zip(segments(path)) {
        *slot = segment;
        length += 1;
    }
    let slash = path.ends_with('/');
    let found = |index, suffix: Option<&str>, missing_slash| RouteMatch {
        index,
        suffix: suffix.map(str::to_owned),
        missing_slash,
        root,
    };
    let exact = lookup(profile, &buffer[..length], slash);
    if let Some((index, false)) = exact {
        return Some(found(index, None, false));
    }
    if profile.envelope().has_suffixes
        && let Some((index, suffix)) = suffixed(profile, &mut buffer[..length])
    {
        return Some(found(index, Some(suffix), false));
    }
    exact.map(|(index, missing_slash)| found(index, None, missing_slash))
}

/// The first pattern that fits, and whether the path lacks its final slash.
fn lookup(profile: Profile, path: &[&str], slash: bool) -> Option<(usize, bool)> {
    let table = &BY_LENGTH[profile as usize];
    let found = table.get(path.len())?.iter().find(|(_, pattern)| {
        let ends = if pattern.open {
            slash || path.len() > pattern.segments.len()
        } else {
            pattern.slash || !slash
        };
        ends && pattern.matches(path)
    });
    found.map(|(index, pattern)| (*index, pattern.slash && !pattern.open && !slash))
}

/// The route of the API that a path without its suffix matches, and the suffix.
fn suffixed<'a>(profile: Profile, path: &mut [&'a str]) -> Option<(usize, &'a str)> {
    if path.first() != Some(&"api") || path.len() < 2 {
        return None;
    }
    let (stem, suffix) = path.last()?.rsplit_once('.')?;
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if suffix.is_empty() || !suffix.bytes().all(fits) {
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
    let (index, _) = lookup(profile, path, true)?;
    let kind = ROUTES.get(index)?.api()?.kind;
    use RouteKind::{Metrics, Plain, Stream};
    (!matches!(kind, Plain | Metrics | Stream)).then_some((index, suffix))
}

/// The labels of all routes in metrics; the last one is for paths without a route.
pub fn route_labels(roots: Roots) -> Vec<String> {
    let label = |route: &Route| {
        if route.pattern.starts_with("/api/") {
            [roots.root(route.profile), route.pattern].concat()
        } else {
            route.pattern.to_owned()
        }
    };
    ROUTES.iter().map(label).chain([OTHER.to_owned()]).collect()
}

impl RouteMatch {
    pub(super) fn route(&self) -> &'static Route {
        &ROUTES[self.index]
    }

    /// The values of the pattern's parameters in a path that matches it, by name.
    pub(super) fn params(&self, path: &str) -> Vec<(&'static str, String)> {
        let suffix = self.suffix.as_ref().map_or(0, |suffix| suffix.len() + 1);
        let path = path.get(self.root..).unwrap_or(path);
        let path = path.strip_suffix('/').unwrap_or(path);
        let end = path.len().saturating_sub(suffix);
        let path = path.get(..end).unwrap_or(path);
        let pairs = segments(self.route().pattern).zip(segments(path));
        pairs
            .filter_map(|(own, value)| Some((own.strip_prefix(':')?, value.to_owned())))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str) -> String {
        match find(Roots::default(), path) {
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
            ("/hooks/github/", "/hooks/:service/"),
            ("/hooks/update/p/c/", "/hooks/update/:project/:component/"),
            ("/hooks/", "not found"),
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
            let root = Roots::default().root(route.profile);
            let path = [root, &route.pattern.replace('*', "x")].concat();
            assert_eq!(
                find(Roots::default(), &path).map(|found| found.index),
                Some(index),
                "{}",
                route.pattern
            );
        }
        assert!(ROUTES.len() < 240);
    }

    #[test]
    fn parameters_are_the_segments_without_the_suffix() {
        let params = |path: &str| {
            find(Roots::default(), path)
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
