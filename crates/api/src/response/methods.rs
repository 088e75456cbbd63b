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
const CREATE_ONLY: &str = "POST, OPTIONS";
const REMOVE_ONLY: &str = "DELETE, OPTIONS";

/// The resources of the current API with methods that write, below `/api/`. Parameters have no names.
const WRITTEN: [(&str, &str); 85] = [
    ("addons/:", CHANGE),
    ("addons/:/preview", CREATE_ONLY),
    ("addons/:/trigger", CREATE_ONLY),
    ("categories", CREATE),
    ("categories/:", CHANGE),
    ("categories/:/announcements", CREATE),
    ("categories/:/announcements/:", REMOVE_ONLY),
    ("categories/:/reports", CREATE),
    ("component-lists", CREATE),
    ("component-lists/:", CHANGE),
    ("component-lists/:/components", CREATE),
    ("component-lists/:/components/:", REMOVE_ONLY),
    ("components/:/:", CHANGE),
    ("components/:/:/addons", CREATE_ONLY),
    ("components/:/:/announcements", CREATE),
    ("components/:/:/announcements/:", REMOVE_ONLY),
    ("components/:/:/links", CREATE),
    ("components/:/:/links/:", REMOVE_ONLY),
    ("components/:/:/lock", CREATE),
    ("components/:/:/reports", CREATE),
    ("components/:/:/repository", CREATE),
    ("components/:/:/translations", CREATE),
    ("groups", CREATE),
    ("groups/:", CHANGE),
    ("groups/:/admins", CREATE_ONLY),
    ("groups/:/admins/:", REMOVE_ONLY),
    ("groups/:/componentlists", CREATE_ONLY),
    ("groups/:/componentlists/:", REMOVE_ONLY),
    ("groups/:/components", CREATE_ONLY),
    ("groups/:/components/:", REMOVE_ONLY),
    ("groups/:/languages", CREATE_ONLY),
    ("groups/:/languages/:", REMOVE_ONLY),
    ("groups/:/projects", CREATE_ONLY),
    ("groups/:/projects/:", REMOVE_ONLY),
    ("groups/:/roles", CREATE_ONLY),
    ("groups/:/roles/:", REMOVE_ONLY),
    ("languages", CREATE),
    ("languages/:", CHANGE),
    ("memory/:", DELETE),
    ("projects", CREATE),
    ("projects/:", CHANGE),
    ("projects/:/addons", CREATE_ONLY),
    ("projects/:/announcements", CREATE),
    ("projects/:/announcements/:", REMOVE_ONLY),
    ("projects/:/backups", CREATE),
    ("projects/:/components", CREATE),
    ("projects/:/labels", CREATE),
    ("projects/:/labels/:", REMOVE_ONLY),
    ("projects/:/languages/:/announcements", CREATE),
    ("projects/:/languages/:/announcements/:", REMOVE_ONLY),
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
    ("screenshots/:/units", CREATE_ONLY),
    ("screenshots/:/units/:", REMOVE_ONLY),
    ("suggestions/:", DELETE),
    ("suggestions/:/accept", CREATE_ONLY),
    ("suggestions/:/vote", CREATE_ONLY),
    ("tasks/:", DELETE),
    ("translations/:/:/:", DELETE),
    ("translations/:/:/:/announcements", CREATE),
    ("translations/:/:/:/announcements/:", REMOVE_ONLY),
    ("translations/:/:/:/autotranslate", CREATE_ONLY),
    ("translations/:/:/:/file", UPLOAD),
    ("translations/:/:/:/repository", CREATE),
    ("translations/:/:/:/units", CREATE),
    ("units/:", CHANGE),
    ("units/:/comments", CREATE),
    ("units/:/screenshots", CREATE),
    ("units/:/screenshots/:", REMOVE_ONLY),
    ("units/:/source", CREATE_ONLY),
    ("units/:/suggestions", CREATE),
    ("users", CREATE),
    ("users/:", CHANGE),
    ("users/:/groups", "POST, DELETE, OPTIONS"),
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

    /// Those of a route of the current API.
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
