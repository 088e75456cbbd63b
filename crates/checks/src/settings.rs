//! Which checks run on a component (`docs/spec/checks.md#settings-of-a-component`).

use crate::checker::Checker;
use crate::flags::{CheckFlags, FlagsError};
use crate::infer;
use crate::profile::CheckProfile;
use crate::syntax::{KnownSyntax, MessageSyntax, SyntaxOrigin};
use crate::words::Words;
use gitglot_model::SeparatorSettings;

/// The settings `checks` and `check_flags` of a component.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct CheckSettings {
    /// The profile whose checks decide whether the API reports a unit as failing.
    pub profile: CheckProfile,
    /// The flags, as this profile reads them.
    pub flags: Option<String>,
    /// How placeholders are written.
    pub placeholders: PlaceholderSettings,
    /// The syntax of the texts: `message_syntax`.
    pub syntax: Option<MessageSyntax>,
    /// How keys are written: `key_separator`, `ns_separator` and `plural_separator`.
    pub separators: SeparatorSettings,
}

/// How the texts of a component write placeholders, beyond what the file format and the texts show.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
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
    pub fn apply(&self, mut checker: Checker) -> Result<Checker, FlagsError> {
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
        // Most components have no settings, and a configuration can have thousands of components.
        if self.flags.is_none() && self.placeholders == PlaceholderSettings::default() {
            return Ok(());
        }
        if let Some(flags) = &self.flags {
            match self.profile {
                CheckProfile::Current => CheckFlags::parse(flags)?.validate()?,
                CheckProfile::Weblate34 => CheckFlags::validate_weblate34(flags)?,
            }
        }
        for profile in [CheckProfile::Weblate34, CheckProfile::Current] {
            self.checker(profile, file_format, Words::default())?;
        }
        Ok(())
    }

    /// Identifies the settings; `""` for the default.
    pub fn fingerprint(&self) -> String {
        if *self == Self::default() {
            String::new()
        } else {
            format!("{self:?}")
        }
    }

    /// The checks of the component in a profile. Its flags apply only to the profile that it reports; without flags, the
    /// checks of current Weblate are those that fit the texts.
    ///
    /// # Errors
    /// If a flag is invalid.
    pub fn checker(
        &self,
        profile: CheckProfile,
        file_format: &str,
        words: Words,
    ) -> Result<Checker, FlagsError> {
        let flags = self.flags.as_deref().filter(|_| profile == self.profile);
        // The checks of texts are made for sentences, not for documents (docs/spec/formats.md#document).
        let flags = match (flags, file_format) {
            (None, "document") => Some("ignore-all-checks"),
            (flags, _) => flags,
        };
        let checker = match (profile, flags) {
            (CheckProfile::Weblate34, flags) => {
                let flags = CheckFlags::parse_weblate34(flags.unwrap_or_default())?;
                return Checker::weblate34_from_flags(flags, words);
            }
            (CheckProfile::Current, Some(flags)) => {
                Checker::from_flags(&CheckFlags::parse(flags)?, file_format, words)?
            }
            (CheckProfile::Current, None) => Checker::inferred(file_format, words),
        };
        let set = self.syntax.map(|syntax| KnownSyntax {
            syntax,
            origin: SyntaxOrigin::Setting,
        });
        let checker = set.map_or(checker.clone(), |known| checker.with_syntax(&known));
        self.placeholders.apply(checker)
    }

    /// The checks that current Weblate runs: those that are on by default, and those that the flags of its profile and
    /// the file format enable. Source checks are among them.
    ///
    /// # Errors
    /// If a flag is invalid.
    pub fn exact_checker(&self, file_format: &str, words: Words) -> Result<Checker, FlagsError> {
        let is_current = self.profile == CheckProfile::Current;
        let flags = self.flags.as_deref().filter(|_| is_current);
        let flags = CheckFlags::parse(flags.unwrap_or_default())?;
        let flags = infer::format_flags(file_format).with(&flags);
        Checker::from_flags(&flags, file_format, words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckInput;

    /// The checks that fail with settings.
    fn failing(placeholders: PlaceholderSettings, format: &str, texts: [&str; 2]) -> Vec<String> {
        let settings = CheckSettings {
            placeholders,
            ..CheckSettings::default()
        };
        let checker = settings.checker(CheckProfile::Current, format, Words::default());
        let checker = checker.unwrap();
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
