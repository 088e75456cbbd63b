//! The methods in `Allow`. Those that write are refused: the current API only lists them (docs/spec/current-api.md#paths).

/// The methods that every route of the API supports.
pub(crate) const METHODS: &str = "GET, HEAD, OPTIONS";

/// The methods that a path takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Methods {
    /// Those that read.
    Read,
    /// Those of a form.
    Form,
    /// Those that Weblate has, as a list.
    Listed(&'static str),
}

const CREATE: &str = "GET, POST, HEAD, OPTIONS";
const CHANGE: &str = "GET, PUT, PATCH, DELETE, HEAD, OPTIONS";
const DELETE: &str = "GET, DELETE, HEAD, OPTIONS";
const UPLOAD: &str = "GET, POST, PUT, HEAD, OPTIONS";
pub(crate) const CREATE_ONLY: &str = "POST, OPTIONS";
pub(crate) const REMOVE_ONLY: &str = "DELETE, OPTIONS";

/// The resources of the current API with methods that read and methods that write, below `/api/`. Parameters have no names.
const WRITTEN: [(&str, &str); 53] = [
    ("addons/:", CHANGE),
    ("categories", CREATE),
    ("categories/:", CHANGE),
    ("categories/:/announcements", CREATE),
    ("categories/:/reports", CREATE),
    ("component-lists", CREATE),
    ("component-lists/:", CHANGE),
    ("component-lists/:/components", CREATE),
    ("components/:/:", CHANGE),
    ("components/:/:/announcements", CREATE),
    ("components/:/:/links", CREATE),
    ("components/:/:/lock", CREATE),
    ("components/:/:/reports", CREATE),
    ("components/:/:/repository", CREATE),
    ("components/:/:/translations", CREATE),
    ("groups", CREATE),
    ("groups/:", CHANGE),
    ("languages", CREATE),
    ("languages/:", CHANGE),
    ("memory/:", DELETE),
    ("projects", CREATE),
    ("projects/:", CHANGE),
    ("projects/:/announcements", CREATE),
    ("projects/:/backups", CREATE),
    ("projects/:/components", CREATE),
    ("projects/:/labels", CREATE),
    ("projects/:/languages/:/announcements", CREATE),
    (
        "projects/:/languages/:/workflow",
        "GET, PATCH, DELETE, HEAD, OPTIONS",
    ),
    ("projects/:/lock", CREATE),
    (
        "projects/:/machinery_settings",
        "GET, POST, PUT, PATCH, HEAD, OPTIONS",
    ),
    ("projects/:/reports", CREATE),
    ("projects/:/repository", CREATE),
    ("reports", CREATE),
    ("roles", CREATE),
    ("roles/:", CHANGE),
    ("screenshots", CREATE),
    ("screenshots/:", CHANGE),
    ("screenshots/:/file", UPLOAD),
    ("suggestions/:", DELETE),
    ("tasks/:", DELETE),
    ("translations/:/:/:", DELETE),
    ("translations/:/:/:/announcements", CREATE),
    ("translations/:/:/:/file", UPLOAD),
    ("translations/:/:/:/repository", CREATE),
    ("translations/:/:/:/units", CREATE),
    ("units/:", CHANGE),
    ("units/:/comments", CREATE),
    ("units/:/screenshots", CREATE),
    ("units/:/suggestions", CREATE),
    ("users", CREATE),
    ("users/:", CHANGE),
    ("users/:/notifications", CREATE),
    ("users/:/notifications/:", CHANGE),
];

impl Methods {
    /// The list for a header.
    pub(crate) fn list(self) -> &'static str {
        match self {
            Self::Read => METHODS,
            Self::Form => "GET, HEAD, POST",
            Self::Listed(list) => list,
        }
    }

    /// Those of a route of the current API that has methods that read.
    pub(crate) fn of_current(pattern: &str) -> Self {
        let path = pattern.trim_start_matches("/api/").trim_end_matches('/');
        let unnamed = |segment| match segment {
            segment if str::starts_with(segment, ':') => ":",
            segment => segment,
        };
        let found = WRITTEN
            .iter()
            .find(|(written, _)| path.split('/').map(unnamed).eq(written.split('/')));
        found.map_or(Self::Read, |(_, list)| Self::Listed(list))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_found_by_their_place() {
        let list = |pattern| Methods::of_current(pattern).list();
        assert_eq!(list("/api/units/:id/"), CHANGE);
        assert_eq!(list("/api/projects/"), CREATE);
        assert_eq!(list("/api/projects/:project/statistics/"), METHODS);
        assert_eq!(
            list("/api/translations/:project/:component/:language/"),
            DELETE
        );
    }
}
