//! The checks of a component in both profiles.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::checker::Checker;
use crate::profile::CheckProfile;
use crate::settings::CheckSettings;
use crate::syntax::KnownSyntax;
use crate::words::Words;
use gitglot_model::SeededMap;

/// The checks of many components, which ignore the same words. Those with equal settings share theirs.
#[derive(Default, Debug)]
pub struct SharedChecks {
    words: Words,
    known: Mutex<SeededMap<Key, ComponentChecks>>,
}

/// Settings, file format and the syntax that a manifest names.
type Key = (CheckSettings, &'static str, Option<KnownSyntax>);

impl SharedChecks {
    /// Checks that ignore these words.
    pub fn new(words: Words) -> Self {
        Self {
            words,
            ..Self::default()
        }
    }

    /// The checks of a component with these settings, and with the syntax that a manifest names.
    pub fn of(
        &self,
        settings: &CheckSettings,
        file_format: &'static str,
        syntax: Option<KnownSyntax>,
    ) -> ComponentChecks {
        let mut known = self.known.lock();
        let new = || {
            let mut checks = ComponentChecks::new(settings, file_format, &self.words);
            if let Some(syntax) = &syntax {
                checks.current = checks.current.with_syntax(syntax);
            }
            checks
        };
        let key = (settings.clone(), file_format, syntax.clone());
        known.entry(key).or_insert_with(new).clone()
    }
}

/// The checks of a component in both profiles. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ComponentChecks {
    settings: Arc<CheckSettings>,
    weblate34: Checker,
    current: Checker,
    /// Those that decide whether the API reports a unit as failing. They do not depend on manifests.
    deciding: Checker,
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
            deciding: checker(settings.profile),
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
    pub const fn deciding(&self) -> &Checker {
        &self.deciding
    }
}

/// Whether they are the same checks.
impl PartialEq for ComponentChecks {
    fn eq(&self, other: &Self) -> bool {
        self.settings == other.settings && self.current.syntax() == other.current.syntax()
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
        let first = shared.of(&settings, "json", None);
        assert!(Arc::ptr_eq(
            &first.settings,
            &shared.of(&settings, "json", None).settings
        ));
        for other in [
            shared.of(&settings, "po", None),
            shared.of(&current, "json", None),
        ] {
            assert!(!Arc::ptr_eq(&first.settings, &other.settings));
        }
    }
}
