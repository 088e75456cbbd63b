//! The two profiles of checks: those of Weblate 3.4 and those of current Weblate.

use crate::registry::{CheckId, CheckIds};

/// A version of Weblate, which decides the checks that run, their rules, and the meaning of flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum CheckProfile {
    /// Weblate 3.4 (`docs/spec/checks.md#legacy-checks`).
    #[default]
    Weblate34,
    /// Current Weblate (`docs/spec/checks.md#modern-checks`).
    Current,
}

impl CheckProfile {
    /// The name in settings, queries and bodies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Weblate34 => "legacy",
            Self::Current => "modern",
        }
    }

    /// Whether only flags enable a check of Weblate 3.4. Such checks are the last of a report.
    pub(super) fn is_by_flag(self, check: CheckId) -> bool {
        self == Self::Weblate34 && !CheckIds::LEGACY.contains(check)
    }

    /// Returns the ids of checks, in the order of reports.
    pub fn ids(self, checks: CheckIds) -> Vec<&'static str> {
        let mut checks: Vec<CheckId> = checks.iter().collect();
        checks.sort_by_key(|&check| (self.is_by_flag(check), check));
        checks.into_iter().map(|check| check.id_in(self)).collect()
    }
}

impl CheckId {
    /// Returns the id of the check in this version of Weblate. Two of those that flags enable have been renamed.
    pub const fn id_in(self, profile: CheckProfile) -> &'static str {
        match (profile, self) {
            (CheckProfile::Weblate34, Self::JavaPrintfFormat) => "java_format",
            (CheckProfile::Weblate34, Self::JavaFormat) => "java_messageformat",
            _ => self.id(),
        }
    }

    /// Returns the name and the description of the check in this version of Weblate.
    pub const fn texts_in(self, profile: CheckProfile) -> (&'static str, &'static str) {
        let (name, description) = (self.name(), self.description());
        if matches!(profile, CheckProfile::Current) {
            return (name, description);
        }
        match self {
            Self::SamePlurals => (name, "Some plural forms are equal."),
            Self::Bbcode => (
                "Mismatched BBcode",
                "The BBcode tags differ from the source.",
            ),
            Self::ZeroWidthSpace => (
                name,
                "Only one of source and translation has a zero-width space.",
            ),
            Self::XmlInvalid => ("Invalid XML markup", description),
            Self::XmlTags => (
                "XML tags mismatch",
                "The tags or their order differ from the source.",
            ),
            _ => (name, description),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weblate_3_4_reports_checks_of_flags_last_and_by_their_old_ids() {
        let checks = [
            CheckId::JavaFormat,
            CheckId::Plurals,
            CheckId::JavaPrintfFormat,
        ];
        let ids = |profile: CheckProfile| profile.ids(CheckIds::from_iter(checks));
        assert_eq!(
            ids(CheckProfile::Weblate34),
            ["plurals", "java_format", "java_messageformat"]
        );
        assert_eq!(
            ids(CheckProfile::Current),
            ["java_printf_format", "java_format", "plurals"]
        );
    }
}
