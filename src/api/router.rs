//! The paths of the API, with and without suffix and final slash (api.md 5 and 8).

use crate::api::request::negotiate::Representation;

/// How a route treats suffixes and negotiation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RouteKind {
    /// The root, a list or one object: links in its body repeat the request's suffix.
    Resource,
    /// Something below an object: its links end with a slash whatever the request's suffix.
    Action,
    /// A file below an object, sent as it is but negotiated as if there were a page of it.
    Attachment,
    /// A download that is sent whatever the `Accept` header says.
    Download,
    /// A stream that is sent whatever the `Accept` header says; without a suffix form.
    Stream,
    /// A route without a suffix form.
    Plain,
}

/// One route.
#[derive(Debug)]
pub(super) struct Route {
    /// What follows `/api/`, without slashes; `:name` stands for any part.
    pub(super) path: &'static [&'static str],
    /// How it treats suffixes.
    pub(super) kind: RouteKind,
    /// `name` of its `OPTIONS` body.
    pub(super) name: &'static str,
    /// `description` of its `OPTIONS` body.
    pub(super) about: &'static str,
}

const fn route(path: &'static [&'static str], kind: RouteKind, name: &'static str, about: &'static str) -> Route {
    Route { path, kind, name, about }
}

/// Every route of the API; the root is the first.
pub(super) const ROUTES: &[Route] = {
    use RouteKind::{Action, Attachment, Download, Plain, Resource, Stream};
    const P: &str = ":project";
    const C: &str = ":component";
    const L: &str = ":language";
    &[
        route(&[], Resource, "Api Root", "Where the lists of this API are."),
        route(&["projects"], Resource, "Project List", "All projects."),
        route(&["projects", P], Resource, "Project Instance", "One project."),
        route(&["projects", P, "components"], Action, "Components", "The components of a project."),
        route(&["projects", P, "statistics"], Action, "Statistics", "How far each language of a project is."),
        route(&["projects", P, "changes"], Action, "Changes", "The change log of a project, newest first."),
        route(&["projects", P, "repository"], Action, "Repository", "The repositories of a project."),
        route(&["components"], Resource, "Component List", "All components."),
        route(&["components", P, C], Resource, "Component Instance", "One component."),
        route(&["components", P, C, "translations"], Action, "Translations", "The translations of a component."),
        route(&["components", P, C, "statistics"], Action, "Statistics", "How far each translation is."),
        route(&["components", P, C, "changes"], Action, "Changes", "The change log of a component, newest first."),
        route(&["components", P, C, "problems"], Action, "Problems", "Files that are left out or cannot be read."),
        route(&["components", P, C, "lock"], Action, "Lock", "Whether the component is locked."),
        route(&["components", P, C, "repository"], Action, "Repository", "The commit that is shown."),
        route(&["components", P, C, "monolingual_base"], Attachment, "Monolingual base", "The template file."),
        route(
            &["components", P, C, "new_template"],
            Attachment,
            "New template",
            "The file that new languages start from.",
        ),
        route(&["translations"], Resource, "Translation List", "All translations."),
        route(&["translations", P, C, L], Resource, "Translation Instance", "One translation."),
        route(&["translations", P, C, L, "units"], Action, "Units", "The strings of a translation."),
        route(&["translations", P, C, L, "statistics"], Action, "Statistics", "How far a translation is."),
        route(
            &["translations", P, C, L, "changes"],
            Action,
            "Changes",
            "The change log of a translation, newest first.",
        ),
        route(&["translations", P, C, L, "file"], Download, "File", "The translation file, as it is or converted."),
        route(&["translations", P, C, L, "repository"], Action, "Repository", "The commit that is shown."),
        route(&["languages"], Resource, "Language List", "The languages that are translated to."),
        route(&["languages", L], Resource, "Language Instance", "One language."),
        route(&["changes"], Resource, "Change List", "The whole change log, oldest first."),
        route(&["changes", ":id"], Resource, "Change Instance", "One entry of the change log."),
        route(&["changes", ":id", "details"], Action, "Details", "What git knows of an entry of the change log."),
        route(&["events"], Stream, "Events", "What is new in the change log, while it happens."),
        route(&["units"], Resource, "Unit List", "All strings in all languages."),
        route(&["units", ":id"], Resource, "Unit Instance", "One string in one language."),
        route(&["units", ":id", "translations"], Action, "Translations", "The same source string in every language."),
        route(&["units", ":id", "changes"], Action, "Changes", "The change log of a string, newest first."),
        route(&["sources"], Resource, "Source List", "All source strings."),
        route(&["sources", ":id"], Resource, "Source Instance", "One source string."),
        route(&["screenshots"], Resource, "Screenshot List", "There are no screenshots: the list is empty."),
        route(&["screenshots", ":id"], Resource, "Screenshot Instance", "There are no screenshots."),
        route(&["screenshots", ":id", "file"], Download, "File", "There are no screenshots."),
        route(&["users"], Resource, "User List", "The people whom the change log names."),
        route(&["users", ":id"], Resource, "User Instance", "Somebody whom the change log names."),
        route(&["metrics"], Plain, "Metrics", "How much there is of everything."),
    ]
};

impl Route {
    /// The forms that its answers can be had in, as 3.4 prefers them. A file is negotiated as if there were a page of
    /// it, then sent as it is.
    pub(super) fn forms(&self) -> &'static [Representation] {
        match self.path {
            _ if matches!(self.kind, RouteKind::Download | RouteKind::Stream) => &[],
            ["translations", _, _, _, "statistics"] => &[Representation::Json, Representation::Html],
            [.., "changes" | "statistics"] => {
                &[Representation::Json, Representation::Html, Representation::NdJson, Representation::Csv]
            }
            [.., "projects" | "components" | "translations" | "languages"]
            | [.., "units" | "sources" | "screenshots" | "users" | "problems"] => {
                &[Representation::Json, Representation::Html, Representation::NdJson]
            }
            _ => &[Representation::Json, Representation::Html],
        }
    }

    fn matches(&self, parts: &[&str]) -> bool {
        self.path.len() == parts.len()
            && self.path.iter().zip(parts).all(|(own, part)| own.starts_with(':') || own == part)
    }
}

/// Where a path leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum RouteMatch<'a> {
    /// To a route.
    Route {
        /// The route.
        route: &'static Route,
        /// The suffix, if any.
        suffix: Option<&'a str>,
    },
    /// To a route, were there a slash at the end.
    MissingSlash,
    /// Nowhere.
    NotFound,
}

/// Finds what a path means; `rest` is what follows `/api/`, decoded.
pub(super) fn find(rest: &str) -> RouteMatch<'_> {
    let plain = |path: &str| -> Option<&'static Route> {
        match path.strip_suffix('/') {
            Some(path) => lookup(path),
            None => path.is_empty().then_some(&ROUTES[0]),
        }
    };
    if let Some(route) = plain(rest) {
        return RouteMatch::Route { route, suffix: None };
    }
    if let Some((route, suffix)) = suffixed(rest.strip_suffix('/').unwrap_or(rest)) {
        return RouteMatch::Route { route, suffix: Some(suffix) };
    }
    if !rest.ends_with('/') && lookup(rest).is_some() { RouteMatch::MissingSlash } else { RouteMatch::NotFound }
}

/// The parts of a path without its final slash: at most five are ever looked at.
fn lookup(path: &str) -> Option<&'static Route> {
    let mut parts = [""; 5];
    let mut len = 0;
    for part in path.split('/') {
        if part.is_empty() {
            return None;
        }
        *parts.get_mut(len)? = part;
        len += 1;
    }
    let parts = parts.get(..len)?;
    ROUTES.iter().find(|route| route.matches(parts))
}

fn suffixed(path: &str) -> Option<(&'static Route, &str)> {
    let (stem, suffix) = path.rsplit_once('.')?;
    if suffix.is_empty() || !suffix.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
        return None;
    }
    let route = if stem.is_empty() { &ROUTES[0] } else { lookup(stem)? };
    (!matches!(route.kind, RouteKind::Plain | RouteKind::Stream)).then_some((route, suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_where_they_lead_in_weblate() {
        let shown = |path| match find(path) {
            RouteMatch::Route { route, suffix: None } => route.path.join("/"),
            RouteMatch::Route { route, suffix: Some(suffix) } => format!("{} .{suffix}", route.path.join("/")),
            RouteMatch::MissingSlash => "slash".to_owned(),
            RouteMatch::NotFound => "nowhere".to_owned(),
        };
        let cases = [
            ("", ""),
            (".json", " .json"),
            (".json/", " .json"),
            ("units/", "units"),
            ("units", "slash"),
            ("units.json", "units .json"),
            ("units.json/", "units .json"),
            ("units//", "nowhere"),
            ("/units/", "nowhere"),
            ("UNITS/", "nowhere"),
            ("units/1/", "units/:id"),
            ("units/1", "slash"),
            ("units/1.json", "units/:id .json"),
            ("units/1.json/", "units/:id"),
            ("units/1/extra/", "nowhere"),
            ("units/1.JSON", "slash"),
            ("projects/p/components.json/", "projects/:project/components .json"),
            ("components/p/", "nowhere"),
            ("translations/p/c/l/file.po", "translations/:project/:component/:language/file .po"),
            ("events/", "events"),
            ("events.json", "nowhere"),
            ("metrics/", "metrics"),
            ("metrics.json", "nowhere"),
            ("metrics", "slash"),
            ("a/b/c/d/e/f/", "nowhere"),
        ];
        for (path, expected) in cases {
            assert_eq!(shown(path), expected, "{path}");
        }
    }
}
