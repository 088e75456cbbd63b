//! The paths of pages and of files that pages link to, as patterns of the route table, and links made from them.

/// The list of projects at the root.
pub const START: &str = "/";
pub const PROJECTS: &str = "/projects/";
pub const PROJECT: &str = "/projects/:project/";
pub const COMPONENT: &str = "/projects/:project/:component/";
pub const TRANSLATION: &str = "/projects/:project/:component/:language/";
/// The list of a translation's strings.
pub const STRINGS: &str = "/translate/:project/:component/:language/";
/// The documents of a component in all languages.
pub const DOCUMENTS: &str = "/documents/:project/:component/";
pub const LANGUAGES: &str = "/languages/";
pub const LANGUAGE: &str = "/languages/:language/";
pub const LANGUAGE_IN_PROJECT: &str = "/languages/:language/:project/";
pub const ENGAGE: &str = "/engage/:project/";
pub const ENGAGE_LANGUAGE: &str = "/engage/:project/:language/";
pub const STATS: &str = "/stats/:project/";
pub const STATS_LANGUAGE: &str = "/stats/:project/:language/";
/// What to do in a project.
pub const HEALTH: &str = "/health/:project/";
pub const CHANGES: &str = "/changes/";
pub const CHECKS: &str = "/checks/";
pub const CHECK: &str = "/checks/:check/";
pub const SEARCH: &str = "/search/";
pub const ABOUT: &str = "/about/";
pub const BADGES: &str = "/widgets/:project/";
pub const BADGE: &str = "/widgets/:project/:language/:badge";
pub const BADGE_OF_COMPONENT: &str = "/widgets/:project/:language/:component/:badge";
/// The feed of all changes.
pub const FEED: &str = "/exports/rss/";
pub const FEED_OF_LANGUAGE: &str = "/exports/rss/language/:language/";
pub const FEED_OF_PROJECT: &str = "/exports/rss/:project/";
pub const FEED_OF_COMPONENT: &str = "/exports/rss/:project/:component/";
pub const FEED_OF_TRANSLATION: &str = "/exports/rss/:project/:component/:language/";
/// The data of the charts of a project.
pub const PROGRESS: &str = "/exports/progress/:project/";
/// The documents of a component in all languages, as data.
pub const DOCUMENT_STATES: &str = "/exports/documents/:project/:component/";
/// The statistics of a component.
pub const COMPONENT_STATISTICS: &str = "/exports/stats/:project/:component/";
/// The file of a translation.
pub const DOWNLOAD: &str = "/download/:project/:component/:language/";
pub const COMPARE: &str = "/compare/:project/:component/:range/";
/// The redirect to a project at a revision that a form names.
pub const REVISIONS: &str = "/revisions/:project/";
/// A project at a revision.
pub const REVISION: &str = "/revisions/:project/:revision/";
/// Who wrote the translations of a release.
pub const CREDITS: &str = "/credits/:project/";
/// The same as data.
pub const CREDITS_DATA: &str = "/exports/credits/:project/";
/// The redirect to the line of a string at the host of its repository.
pub const SOURCE_LINE: &str = "/line/:project/:component/:language/";

/// The part of a pattern before its first parameter. In the patterns above, only parameters follow.
pub fn before_parameters(pattern: &'static str) -> &'static str {
    pattern.split(':').next().unwrap_or_default()
}

/// The path with percent-encoded values for the parameters of a pattern. One value can be that of several parameters,
/// separated by slashes.
pub fn link(pattern: &'static str, values: &[&str]) -> String {
    let start = before_parameters(pattern);
    let is_folder = start != pattern && pattern.ends_with('/');
    let end = if is_folder { "/" } else { "" };
    [start, &values.join("/"), end].concat()
}
