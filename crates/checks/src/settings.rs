//! Which checks run on a component (`docs/spec/checks.md#settings-of-a-component`).

use super::Words;
use super::current::{CheckFlags, CurrentChecker, FlagsError, LegacyFlags};

/// The settings `checks` and `check_flags` of a component.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CheckSettings {
    /// Whether the API reports the modern checks instead of the legacy ones.
    pub current: bool,
    /// The flags: in today's names with `modern`, else with the meaning of Weblate 3.4.
    pub flags: Option<String>,
    /// How placeholders are written.
    pub placeholders: PlaceholderSettings,
}

/// How the texts of a component write placeholders, beyond what the file format and the texts show.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlaceholderSettings {
    /// A regular expression of further placeholders: `placeholders`.
    pub pattern: Option<String>,
    /// The prefix and the suffix of values in i18next, if they are not `{{` and `}}`: `interpolation`.
    pub interpolation: Option<[String; 2]>,
    /// Whether apostrophes quote braces in ARB files: `use_escaping`, as in `l10n.yaml`.
    pub use_escaping: bool,
}

impl PlaceholderSettings {
    /// Adds them to checks.
    ///
    /// # Errors
    /// If the expression is invalid.
    pub fn apply(&self, mut checker: CurrentChecker) -> Result<CurrentChecker, FlagsError> {
        if let Some(pattern) = &self.pattern {
            checker = checker.with_placeholders(pattern)?;
        }
        if let Some([prefix, suffix]) = &self.interpolation {
            let (prefix, suffix) = (regex::escape(prefix), regex::escape(suffix));
            checker = checker.with_placeholders(&format!(r"{prefix}[^\n]+?{suffix}"))?;
        }
        if self.use_escaping {
            checker = checker.with_quotes();
        }
        Ok(checker)
    }
}

impl CheckSettings {
    /// Checks the flags.
    ///
    /// # Errors
    /// If a flag is unknown or invalid.
    pub fn validate(&self, file_format: &str) -> Result<(), FlagsError> {
        match (&self.flags, self.current) {
            (Some(flags), true) => {
                CheckFlags::parse(flags)?.validate()?;
                self.current_checker(file_format, Words::default())
                    .map(drop)
            }
            (Some(flags), false) => {
                LegacyFlags::validate(flags)?;
                LegacyFlags::parse(flags)?;
                self.current_checker(file_format, Words::default())
                    .map(drop)
            }
            (None, _) => self
                .current_checker(file_format, Words::default())
                .map(drop),
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
    pub fn current_checker(
        &self,
        file_format: &str,
        words: Words,
    ) -> Result<CurrentChecker, FlagsError> {
        let checker = match &self.flags {
            Some(flags) if self.current => {
                CurrentChecker::from_flags(&CheckFlags::parse(flags)?, file_format, words)?
            }
            _ => CurrentChecker::inferred(file_format, words),
        };
        self.placeholders.apply(checker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::current::CheckInput;

    /// The checks that fail with settings.
    fn failing(placeholders: PlaceholderSettings, format: &str, texts: [&str; 2]) -> Vec<String> {
        let settings = CheckSettings {
            placeholders,
            ..CheckSettings::default()
        };
        let checker = settings.current_checker(format, Words::default()).unwrap();
        let [source, target] = texts;
        let found = checker
            .for_translation("de", "en")
            .check(&CheckInput::new(&[source], &[target]));
        found.iter().map(|it| it.check.id().to_owned()).collect()
    }

    #[test]
    fn a_pattern_and_an_interpolation_add_placeholders() {
        let pattern = PlaceholderSettings {
            pattern: Some(r"#\w+#".to_owned()),
            ..PlaceholderSettings::default()
        };
        assert_eq!(
            failing(pattern.clone(), "json", ["Hi #NAME# there", "Hallo du"]),
            ["placeholders"]
        );
        assert!(failing(pattern, "json", ["Hi #NAME# there", "Hallo #NAME#, du"]).is_empty());
        let interpolation = PlaceholderSettings {
            interpolation: Some(["[[".to_owned(), "]]".to_owned()]),
            ..PlaceholderSettings::default()
        };
        assert_eq!(
            failing(
                interpolation,
                "i18nextv4",
                ["Hi [[name]] there", "Hallo du"]
            ),
            ["placeholders"]
        );
        let invalid = CheckSettings {
            placeholders: PlaceholderSettings {
                pattern: Some("(".to_owned()),
                ..PlaceholderSettings::default()
            },
            ..CheckSettings::default()
        };
        assert!(invalid.validate("json").is_err());
    }

    #[test]
    fn apostrophes_quote_braces_of_flutter_only_if_escaping_is_on() {
        let texts = ["You chose: '{value}'", "Sie wählten „{value}“"];
        let escaping = PlaceholderSettings {
            use_escaping: true,
            ..PlaceholderSettings::default()
        };
        assert!(failing(PlaceholderSettings::default(), "arb", texts).is_empty());
        assert_eq!(failing(escaping, "arb", texts), ["icu_message_format"]);
        let broken = ["Delete '{name}'", "'{name' löschen"];
        assert_eq!(
            failing(PlaceholderSettings::default(), "arb", broken),
            ["icu_message_format"]
        );
    }
}
