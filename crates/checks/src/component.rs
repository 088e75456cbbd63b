//! The checks of a component in both profiles.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::{CheckProfile, CheckSettings, Checker, Words};
use gitglot_model::SeededMap;

/// The checks of many components, which ignore the same words. Those with equal settings share theirs.
#[derive(Default, Debug)]
pub struct SharedChecks {
    words: Words,
    /// By settings and file format.
    known: Mutex<SeededMap<(CheckSettings, &'static str), ComponentChecks>>,
}

impl SharedChecks {
    /// Checks that ignore these words.
    pub fn new(words: Words) -> Self {
        Self {
            words,
            ..Self::default()
        }
    }

    /// The checks of a component with these settings.
    pub fn of(&self, settings: &CheckSettings, file_format: &'static str) -> ComponentChecks {
        let mut known = self.known.lock();
        let key = (settings.clone(), file_format);
        let new = || ComponentChecks::new(settings, file_format, &self.words);
        known.entry(key).or_insert_with(new).clone()
    }
}

/// The checks of a component in both profiles. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ComponentChecks {
    settings: Arc<CheckSettings>,
    weblate34: Checker,
    current: Checker,
    /// Those of current Weblate as Weblate runs them.
    exact: Checker,
}

impl Default for ComponentChecks {
    fn default() -> Self {
        Self::new(&CheckSettings::default(), "", &Words::default())
    }
}

impl ComponentChecks {
    /// Prepares the checks. Invalid flags, which the configuration refuses, have no effect.
    pub fn new(settings: &CheckSettings, file_format: &str, words: &Words) -> Self {
        let without_settings = |profile| match profile {
            CheckProfile::Weblate34 => Checker::weblate34(words.clone()),
            CheckProfile::Current => Checker::inferred(file_format, words.clone()),
        };
        let checker = |profile| {
            let checker = settings.checker(profile, file_format, words.clone());
            checker.unwrap_or_else(|_| without_settings(profile))
        };
        Self {
            settings: Arc::new(settings.clone()),
            weblate34: checker(CheckProfile::Weblate34),
            current: checker(CheckProfile::Current),
            exact: settings
                .exact_checker(file_format, words.clone())
                .unwrap_or_else(|_| without_settings(CheckProfile::Current)),
        }
    }

    /// The settings of the component.
    pub fn settings(&self) -> &CheckSettings {
        &self.settings
    }

    /// The checks in a profile.
    pub const fn of(&self, profile: CheckProfile) -> &Checker {
        match profile {
            CheckProfile::Weblate34 => &self.weblate34,
            CheckProfile::Current => &self.current,
        }
    }

    /// The checks of current Weblate as Weblate runs them, without inference and its exceptions, which the current API
    /// reports (`docs/spec/current-api.md#failing-checks`).
    pub const fn exact(&self) -> &Checker {
        &self.exact
    }

    /// The checks that decide whether the API reports a unit as failing.
    pub fn deciding(&self) -> &Checker {
        self.of(self.settings.profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_with_equal_settings_share_their_checks() {
        let shared = SharedChecks::default();
        let settings = CheckSettings::default();
        let current = CheckSettings {
            profile: CheckProfile::Current,
            ..CheckSettings::default()
        };
        let first = shared.of(&settings, "json");
        assert!(Arc::ptr_eq(
            &first.settings,
            &shared.of(&settings, "json").settings
        ));
        for other in [shared.of(&settings, "po"), shared.of(&current, "json")] {
            assert!(!Arc::ptr_eq(&first.settings, &other.settings));
        }
    }
}
