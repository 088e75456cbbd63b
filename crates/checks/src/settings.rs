//! Which checks run on a component (`docs/spec/checks.md#settings-of-a-component`).

use super::Words;
use super::modern::{CheckFlags, FlagsError, LegacyFlags, ModernChecker};

/// The settings `checks` and `check_flags` of a component.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CheckSettings {
    /// Whether the API reports the modern checks instead of the legacy ones.
    pub modern: bool,
    /// The flags: in today's names with `modern`, else with the meaning of Weblate 3.4.
    pub flags: Option<String>,
}

impl CheckSettings {
    /// Checks the flags.
    ///
    /// # Errors
    /// If a flag is unknown or invalid.
    pub fn validate(&self, file_format: &str) -> Result<(), FlagsError> {
        match (&self.flags, self.modern) {
            (Some(flags), true) => {
                CheckFlags::parse(flags)?.validate()?;
                self.modern_checker(file_format, Words::default()).map(drop)
            }
            (Some(flags), false) => {
                LegacyFlags::validate(flags)?;
                LegacyFlags::parse(flags).map(drop)
            }
            (None, _) => Ok(()),
        }
    }

    /// Identifies the settings; `""` for the default.
    pub fn fingerprint(&self) -> String {
        if *self == Self::default() {
            String::new()
        } else {
            format!("{self:?}")
        }
    }

    /// The modern checks of the component: those that its flags enable, or else those that fit its texts.
    ///
    /// # Errors
    /// If a flag is invalid.
    pub fn modern_checker(
        &self,
        file_format: &str,
        words: Words,
    ) -> Result<ModernChecker, FlagsError> {
        match &self.flags {
            Some(flags) if self.modern => {
                ModernChecker::from_flags(&CheckFlags::parse(flags)?, file_format, words)
            }
            _ => Ok(ModernChecker::inferred(file_format, words)),
        }
    }
}
