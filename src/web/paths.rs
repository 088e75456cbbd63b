//! The paths of pages and of files that pages link to, as patterns of the route table, and links made from them.

/// The list of projects at the root.
pub(crate) const START: &str = "/";
pub(crate) const PROJECTS: &str = "/projects/";
pub(crate) const PROJECT: &str = "/projects/:project/";
pub(crate) const COMPONENT: &str = "/projects/:project/:component/";
pub(crate) const TRANSLATION: &str = "/projects/:project/:component/:language/";
/// The list of a translation's strings.
pub(crate) const STRINGS: &str = "/translate/:project/:component/:language/";
pub(crate) const LANGUAGES: &str = "/languages/";
pub(crate) const LANGUAGE: &str = "/languages/:language/";
pub(crate) const LANGUAGE_IN_PROJECT: &str = "/languages/:language/:project/";
pub(crate) const ENGAGE: &str = "/engage/:project/";
pub(crate) const ENGAGE_LANGUAGE: &str = "/engage/:project/:language/";
pub(crate) const STATS: &str = "/stats/:project/";
pub(crate) const STATS_LANGUAGE: &str = "/stats/:project/:language/";
pub(crate) const CHANGES: &str = "/changes/";
pub(crate) const CHECKS: &str = "/checks/";
pub(crate) const CHECK: &str = "/checks/:check/";
pub(crate) const SEARCH: &str = "/search/";
pub(crate) const ABOUT: &str = "/about/";
pub(crate) const BADGES: &str = "/widgets/:project/";
pub(crate) const BADGE: &str = "/widgets/:project/:language/:badge";
pub(crate) const BADGE_OF_COMPONENT: &str = "/widgets/:project/:language/:component/:badge";
/// The feed of all changes.
pub(crate) const FEED: &str = "/exports/rss/";
pub(crate) const FEED_OF_LANGUAGE: &str = "/exports/rss/language/:language/";
pub(crate) const FEED_OF_PROJECT: &str = "/exports/rss/:project/";
pub(crate) const FEED_OF_COMPONENT: &str = "/exports/rss/:project/:component/";
pub(crate) const FEED_OF_TRANSLATION: &str = "/exports/rss/:project/:component/:language/";
/// The statistics of a component.
pub(crate) const COMPONENT_STATISTICS: &str = "/exports/stats/:project/:component/";
/// The file of a translation.
pub(crate) const DOWNLOAD: &str = "/download/:project/:component/:language/";
pub(crate) const COMPARE: &str = "/compare/:project/:component/:range/";
/// A project at a revision.
pub(crate) const REVISION: &str = "/revisions/:project/:revision/";
/// The redirect to the line of a string at the host of its repository.
pub(crate) const SOURCE_LINE: &str = "/line/:project/:component/:language/";

/// The part of a pattern before its first parameter. In the patterns above, only parameters follow.
pub(crate) fn before_parameters(pattern: &'static str) -> &'static str {
    pattern.split(':').next().unwrap_or_default()
}

/// The path with percent-encoded values for the parameters of a pattern. One value can be that of several parameters,
/// separated by slashes.
pub(crate) fn link(pattern: &'static str, values: &[&str]) -> String {
    let start = before_parameters(pattern);
    let end = if start != pattern && pattern.ends_with('/') {
        "/"
    } else {
        ""
    };
    [start, &values.join("/"), end].concat()
}
