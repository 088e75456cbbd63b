//! The pattern of a path: what many addresses have in common, for those who count requests.

use std::sync::LazyLock;

use crate::api::router::ROUTES;

/// The most parts of a path that has a pattern.
const PARTS: usize = 6;

/// What stands beside the API, here and in front of it. `:name` stands for any part, `*` for all that follow.
const BESIDE: &[&str] = &[
    "/",
    "/projects/",
    "/projects/:project/",
    "/projects/:project/:component/",
    "/projects/:project/:component/:language/",
    "/translate/:project/:component/:language/",
    "/languages/",
    "/languages/:language/",
    "/languages/:language/:project/",
    "/engage/:project/",
    "/engage/:project/:language/",
    "/stats/:project/",
    "/stats/:project/:language/",
    "/changes/",
    "/checks/",
    "/checks/:check/",
    "/checks/:check/:project/",
    "/search/",
    "/about/",
    "/widgets/*",
    "/line/:project/:component/:language/",
    "/sitemap.xml",
    "/exports/stats/:project/",
    "/exports/stats/:project/:component/",
    "/exports/rss/*",
    "/download/:project/:component/:language/",
    "/static/*",
    "/hooks/*",
    "/sign-in/",
    "/sign-out/",
    "/api/docs/",
    "/api/openapi.json",
    "/api/openapi.yaml",
    "/healthz",
    "/readyz",
    "/metrics",
];

/// The pattern of every other path.
const OTHER: &str = "other";

struct Pattern {
    text: String,
    parts: Vec<&'static str>,
    /// Whether any parts may follow.
    open: bool,
}

/// All patterns, and for each number of parts the places of those that paths with so many may have; paths with more
/// are with those that have the most.
struct Table {
    patterns: Vec<Pattern>,
    of_len: [Vec<usize>; PARTS + 2],
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let api = ROUTES.iter().map(|route| {
        let parts: Vec<_> = ["api"].iter().chain(route.path).copied().collect();
        Pattern { text: ["/", &parts.join("/"), "/"].concat(), parts, open: false }
    });
    let beside = BESIDE.iter().map(|&text| {
        let closed = text.strip_suffix("/*");
        let parts = parts(closed.unwrap_or(text)).collect();
        Pattern { text: text.to_owned(), parts, open: closed.is_some() }
    });
    let patterns: Vec<Pattern> = api.chain(beside).collect();
    let fitting = |len| {
        let fits = |of: &Pattern| if of.open { of.parts.len() < len } else { of.parts.len() == len };
        (0..patterns.len()).filter(|&at| fits(&patterns[at])).collect()
    };
    Table { of_len: std::array::from_fn(fitting), patterns }
});

/// The parts of a path; a slash at the end makes no difference.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.strip_suffix('/').unwrap_or(path).split('/')
}

/// All patterns; the last one is that of paths without another.
pub fn patterns() -> Vec<String> {
    TABLE.patterns.iter().map(|pattern| pattern.text.clone()).chain([OTHER.to_owned()]).collect()
}

/// The place of a path's pattern among [`patterns`]. A suffix as in `/api/units.json` makes no difference.
pub fn pattern_of(path: &str) -> usize {
    // What is longer than all patterns is looked at as far as they go.
    let (mut own, mut len) = ([""; PARTS + 1], 0);
    for (place, part) in own.iter_mut().zip(parts(path)) {
        *place = part;
        len += 1;
    }
    let table = &*TABLE;
    let found = table.find(&own[..len]).or_else(|| {
        let (stem, _) = own[..len].last()?.rsplit_once('.').filter(|_| own[0] == "api")?;
        own[len - 1] = stem;
        table.find(&own[..len])
    });
    found.unwrap_or(table.patterns.len())
}

impl Table {
    fn find(&self, parts: &[&str]) -> Option<usize> {
        let fits = |at: &&usize| {
            let own = &self.patterns[**at].parts;
            own.iter().zip(parts).all(|(own, part)| own == part || (own.starts_with(':') && !part.is_empty()))
        };
        self.of_len.get(parts.len())?.iter().find(fits).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_kind_have_one_pattern() {
        let names = patterns();
        for (path, pattern) in [
            ("/", "/"),
            ("/api/", "/api/"),
            ("/api", "/api/"),
            ("/api/units/", "/api/units/"),
            ("/api/units.json", "/api/units/"),
            ("/api/units/17/", "/api/units/:id/"),
            ("/api/units/17.json", "/api/units/:id/"),
            ("/api/translations/p/c/cs@x.y/units/", "/api/translations/:project/:component/:language/units/"),
            ("/api/translations/p/c/cs/units.json", "/api/translations/:project/:component/:language/units/"),
            ("/api/events/", "/api/events/"),
            ("/api/openapi.json", "/api/openapi.json"),
            ("/api/nope/", "other"),
            ("/api/a/b/c/d/e/f/g/", "other"),
            ("/api//units/", "other"),
            ("/projects/p/c/cs/", "/projects/:project/:component/:language/"),
            ("/widgets/p/-/svg-badge.svg", "/widgets/*"),
            ("/widgets/a/b/c/d/e/f/g/h", "/widgets/*"),
            ("/widgets/", "other"),
            ("/exports/rss/p/c/", "/exports/rss/*"),
            ("/static/style.css", "/static/*"),
            ("/healthz", "/healthz"),
            ("/metrics", "/metrics"),
            ("/nope.php", "other"),
            ("", "/"),
        ] {
            assert_eq!(names[pattern_of(path)], pattern, "{path}");
        }
    }

    #[test]
    fn every_pattern_is_its_own_and_there_are_few() {
        let names = patterns();
        for (at, name) in names.iter().enumerate().filter(|(_, name)| *name != OTHER) {
            assert_eq!(pattern_of(&name.replace('*', "x")), at, "{name}");
        }
        assert!(names.len() < 100);
    }
}
