//! Flags with the meaning that they have in Weblate 3.4 (`docs/spec/checks.md#legacy-flags`).

use std::collections::BTreeSet;

use super::CurrentChecker;
use super::flag_names::{names, validate_names};
use super::flags::{CheckFlags, FlagsError};
use crate::{CheckId, CheckIds};

/// A check that Weblate 3.4 enables by flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LegacyFlag {
    /// The flag in Weblate 3.4.
    flag: &'static str,
    /// The id of the check in Weblate 3.4.
    check: &'static str,
    /// The check with the same rule in current Weblate.
    current: CheckId,
}

/// All flags of Weblate 3.4 that enable a check.
const LEGACY_FLAGS: &[LegacyFlag] = &[
    legacy("python-format", "python_format", CheckId::PythonFormat),
    legacy(
        "python-brace-format",
        "python_brace_format",
        CheckId::PythonBraceFormat,
    ),
    legacy("php-format", "php_format", CheckId::PhpFormat),
    legacy("c-format", "c_format", CheckId::CFormat),
    legacy("perl-format", "perl_format", CheckId::PerlFormat),
    legacy(
        "javascript-format",
        "javascript_format",
        CheckId::JavascriptFormat,
    ),
    legacy("c-sharp-format", "c_sharp_format", CheckId::CSharpFormat),
    legacy("java-format", "java_format", CheckId::JavaPrintfFormat),
    legacy(
        "java-messageformat",
        "java_messageformat",
        CheckId::JavaFormat,
    ),
    legacy(
        "auto-java-messageformat",
        "java_messageformat",
        CheckId::JavaFormat,
    ),
    legacy(
        "angularjs-format",
        "angularjs_format",
        CheckId::AngularjsFormat,
    ),
    legacy("max-length", "max-length", CheckId::MaxLength),
];

const fn legacy(flag: &'static str, check: &'static str, current: CheckId) -> LegacyFlag {
    LegacyFlag {
        flag,
        check,
        current,
    }
}

/// Flags of Weblate 3.4 that enable no check of gitglot. They have no effect.
const LEGACY_WITHOUT_EFFECT: &str = "dos-eol font-family font-size font-spacing font-weight ignore-ellipsis ignore-inconsistent \
     ignore-multiple-failures ignore-optional-plural ignore-rst-references ignore-translated \
     ignore-url max-size priority read-only rst-text skip-review-flag url xml-text";

/// The effect of flags of Weblate 3.4.
#[derive(Clone, Debug)]
pub struct LegacyFlags {
    enabled: Vec<LegacyFlag>,
    /// Legacy checks that the flags turn off.
    pub(crate) ignored: CheckIds,
    /// Runs only the checks that the flags enable.
    pub(crate) checker: CurrentChecker,
}

impl LegacyFlags {
    /// Parses a comma-separated list as Weblate 3.4 does: flags are compared literally, with their spaces.
    ///
    /// # Errors
    /// Fails if `max-length` has no number.
    pub fn parse(text: &str) -> Result<Self, FlagsError> {
        let flags: Vec<&str> = text.split(',').filter(|flag| !flag.is_empty()).collect();
        let name = |flag: &str| flag.split(':').next().unwrap_or_default().to_owned();
        let is_ignored = |flag: &str| {
            flags
                .iter()
                .any(|it| it.strip_prefix("ignore-") == Some(flag))
        };
        let enabled: Vec<LegacyFlag> = LEGACY_FLAGS
            .iter()
            .filter(|known| flags.iter().any(|flag| name(flag) == known.flag))
            .filter(|known| !is_ignored(&known.check.replace('_', "-")))
            .copied()
            .collect();
        let mut current = Vec::new();
        for known in &enabled {
            let values = flags
                .iter()
                .find(|flag| name(flag) == known.flag)
                .and_then(|flag| flag.split_once(':'));
            let flag = if known.flag.starts_with("auto-") {
                known.flag.to_owned()
            } else {
                known.current.flag()
            };
            current.push(values.map_or(flag.clone(), |(_, value)| format!("{flag}:{value}")));
        }
        let current = CheckFlags::parse(&current.join(","))?;
        let only = enabled.iter().map(|known| known.current).collect();
        let ignored = CheckId::LEGACY
            .into_iter()
            .filter(|check| is_ignored(&check.flag()));
        Ok(Self {
            checker: CurrentChecker::only(current, only)?,
            ignored: ignored.collect(),
            enabled,
        })
    }

    /// Checks that all flags of a list are flags of Weblate 3.4, which compares them literally.
    ///
    /// # Errors
    /// [`FlagsError::Unknown`], with the most similar name.
    pub fn validate(text: &str) -> Result<(), FlagsError> {
        let mut known: BTreeSet<String> = names(LEGACY_WITHOUT_EFFECT).collect();
        for flag in LEGACY_FLAGS {
            known.insert(flag.flag.to_owned());
            known.insert(format!("ignore-{}", flag.check.replace('_', "-")));
        }
        let checks = CheckId::LEGACY
            .iter()
            .map(|check| format!("ignore-{}", check.flag()));
        known.extend(checks);
        let flags = text.split(',').filter(|flag| !flag.is_empty());
        validate_names(
            flags.map(|flag| flag.split(':').next().unwrap_or_default()),
            &known,
        )
    }

    /// Returns the id in Weblate 3.4 of a check that the flags enable.
    pub(crate) fn legacy_id(&self, check: CheckId) -> &'static str {
        let known = self.enabled.iter().find(|known| known.current == check);
        known.map_or(check.id(), |known| known.check)
    }
}

#[cfg(test)]
mod tests {
    use super::super::CheckInput;
    use super::*;

    fn failing(flags: &str, source: &str, target: &str) -> Vec<&'static str> {
        let flags = LegacyFlags::parse(flags).unwrap();
        let checker = flags.checker.for_language("cs", "en", None);
        let findings = checker.check(&CheckInput::new(&[source], &[target]));
        findings.iter().map(|finding| finding.check.id()).collect()
    }

    #[test]
    fn flags_have_the_meaning_of_weblate_3_4() {
        assert_eq!(failing("java-format", "%s", "x."), ["java_printf_format"]);
        assert_eq!(failing("java-messageformat", "{0}", "x"), ["java_format"]);
        assert_eq!(
            failing("c-format,angularjs-format", "%s {{a}}", "x"),
            ["c_format", "angularjs_format"]
        );
        assert_eq!(failing("max-length:3", "x", "abcd"), ["max-length"]);
    }

    #[test]
    fn only_enabled_checks_run_and_spaces_in_flags_count() {
        assert!(failing("", "Hello. %s", "Hello").is_empty());
        assert!(
            failing("x, c-format", "%s", "x").is_empty(),
            "a space is part of the flag"
        );
        assert!(failing("c-format,ignore-c-format", "%s", "x").is_empty());
        assert!(
            LegacyFlags::parse("ignore-end-stop")
                .unwrap()
                .ignored
                .contains(CheckId::EndStop)
        );
        assert!(LegacyFlags::parse("max-length").is_err());
    }

    #[test]
    fn flags_of_weblate_3_4_are_compared_literally() {
        assert!(LegacyFlags::validate("java-messageformat,max-length:10,ignore-end-stop").is_ok());
        let message = |flags: &str| LegacyFlags::validate(flags).unwrap_err().to_string();
        assert!(message("x, c-format").contains("'x'"));
        assert!(message("php-format, c-format").contains("did you mean 'c-format'?"));
        assert!(message("i18next-interpolation").contains("'i18next-interpolation'"));
    }
}
