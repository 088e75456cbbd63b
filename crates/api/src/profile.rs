//! The two profiles of the API: that of Weblate 3.4 and that of current Weblate (docs/spec/current-api.md#profiles).
//!
//! What differs between them is in `apis`.

/// A profile of the API.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Profile {
    /// The API of Weblate 3.4.
    #[default]
    Legacy,
    /// The API of current Weblate.
    Current,
}

impl Profile {
    /// Both, in the order of their numbers.
    pub(crate) const ALL: [Self; 2] = [Self::Legacy, Self::Current];
}

/// The profiles that have a field or a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Profiles {
    Both,
    Only(Profile),
}

impl Profiles {
    pub(crate) fn contain(self, profile: Profile) -> bool {
        match self {
            Self::Both => true,
            Self::Only(own) => own == profile,
        }
    }
}

/// The path of the API, below the root of its profile.
const API: &str = "/api";

/// Where the two APIs are: that of one profile is at `/api/`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Roots {
    /// The profile at `/api/`.
    pub main: Profile,
}

impl Roots {
    /// The path in front of `/api/` of a profile: `""`, `/current` or `/3.4`.
    pub(crate) fn root(self, profile: Profile) -> &'static str {
        match profile {
            _ if profile == self.main => "",
            Profile::Legacy => "/3.4",
            Profile::Current => "/current",
        }
    }

    /// The profile that a path belongs to and the length of its root. Paths outside of the APIs belong to that of 3.4.
    pub(crate) fn split(self, path: &str) -> (Profile, usize) {
        let is_api = |rest: &str| {
            rest.strip_prefix(API)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let below = |profile| {
            let root = self.root(profile);
            let is_below = path.strip_prefix(root).is_some_and(is_api);
            is_below.then_some((profile, root.len()))
        };
        let found = below(Profile::Current).or_else(|| below(Profile::Legacy));
        found.unwrap_or((Profile::Legacy, 0))
    }

    /// Whether a path is one of an API.
    pub(crate) fn is_api(self, path: &str) -> bool {
        let (_, root) = self.split(path);
        path.get(root..)
            .is_some_and(|rest| rest.starts_with("/api/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_profile_has_a_root() {
        let roots = Roots::default();
        assert_eq!(roots.split("/api/units/"), (Profile::Legacy, 0));
        assert_eq!(roots.split("/current/api/units/"), (Profile::Current, 8));
        assert_eq!(roots.split("/3.4/api/units/"), (Profile::Legacy, 0));
        assert_eq!(roots.split("/current/apis/"), (Profile::Legacy, 0));
        let swapped = Roots {
            main: Profile::Current,
        };
        assert_eq!(swapped.split("/api/units/"), (Profile::Current, 0));
        assert_eq!(swapped.split("/3.4/api"), (Profile::Legacy, 4));
        assert!(swapped.is_api("/3.4/api/") && !swapped.is_api("/current/api/"));
    }
}
