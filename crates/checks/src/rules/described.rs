//! What the rule of a check says about it: its id, name, description, severity and documentation.

use crate::registry::{CheckId, CheckIds, Severity, all_checks};
use crate::rules::{self, Rule};

macro_rules! rules_by_id {
    ($($variant:ident = $($path:ident)::+;)*) => {
        impl CheckId {
            pub(crate) const fn rule(self) -> &'static Rule {
                match self { $(Self::$variant => &rules::$($path)::+,)* }
            }
        }
    };
}

all_checks!(rules_by_id);

impl CheckId {
    /// Returns the id in Weblate, for example `i18next_interpolation`.
    pub const fn id(self) -> &'static str {
        self.rule().id
    }

    /// Returns the English name, for example `i18next interpolation`.
    pub const fn name(self) -> &'static str {
        self.rule().name
    }

    /// Returns a human-readable sentence that describes a unit on which the check fails.
    pub const fn description(self) -> &'static str {
        self.rule().description
    }

    /// Returns what the check finds, why it matters and what it passes, in Markdown: paragraphs of one line each.
    pub fn documentation(self) -> String {
        let paragraphs = self.rule().documentation.split("\n\n");
        let joined =
            paragraphs.map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
        joined.collect::<Vec<_>>().join("\n\n")
    }

    /// Returns the check with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|check| check.id() == id)
    }

    /// Returns the weight of a failure.
    pub const fn severity(self) -> Severity {
        self.rule().severity
    }

    /// Returns the flag that enables the check, or that disables it after `ignore-`.
    pub fn flag(self) -> String {
        match self {
            Self::IcuMessageFormatSyntax => "icu-message-format".to_owned(),
            _ => self.id().replace('_', "-"),
        }
    }
}

impl std::fmt::Debug for CheckIds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(CheckId::id)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_its_own_id_and_bit() {
        assert!(CheckId::ALL.len() <= 128);
        for (index, &check) in CheckId::ALL.iter().enumerate() {
            assert_eq!(check as usize, index);
            assert_eq!(CheckId::from_id(check.id()), Some(check));
        }
        assert_eq!(CheckId::from_id("unknown"), None);
        assert!(CheckId::LEGACY.is_sorted());
    }

    #[test]
    fn a_set_returns_the_checks_it_was_built_from() {
        let mut set = CheckIds::from_iter([CheckId::UnnamedFormat, CheckId::Same]);
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            [CheckId::Same, CheckId::UnnamedFormat]
        );
        assert!(set.contains(CheckId::Same) && !set.contains(CheckId::EndStop));
        set.set(CheckId::Same, false);
        assert!(!set.contains(CheckId::Same) && !set.is_empty());
        assert_eq!(format!("{set:?}"), r#"{"unnamed_format"}"#);
        assert!(CheckIds::default().is_empty());
    }
}
