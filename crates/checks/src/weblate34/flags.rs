//! Flags with the meaning that they have in Weblate 3.4 (`docs/spec/checks.md#legacy-flags`).

use std::collections::BTreeSet;

use crate::flag_names::{names, validate_names};
use crate::flags::{CheckFlags, FlagsError};
use crate::profile::CheckProfile;
use crate::registry::{CheckId, CheckIds};

/// All flags of Weblate 3.4 that enable a check, each with the check that has the same rule in current Weblate.
const FLAGS: [(&str, CheckId); 12] = [
    ("python-format", CheckId::PythonFormat),
    ("python-brace-format", CheckId::PythonBraceFormat),
    ("php-format", CheckId::PhpFormat),
    ("c-format", CheckId::CFormat),
    ("perl-format", CheckId::PerlFormat),
    ("javascript-format", CheckId::JavascriptFormat),
    ("c-sharp-format", CheckId::CSharpFormat),
    ("java-format", CheckId::JavaPrintfFormat),
    ("java-messageformat", CheckId::JavaFormat),
    ("auto-java-messageformat", CheckId::JavaFormat),
    ("angularjs-format", CheckId::AngularjsFormat),
    ("max-length", CheckId::MaxLength),
];

/// The checks that only flags enable.
pub(crate) const CHECKS: CheckIds = {
    let (mut checks, mut at) = (CheckIds::EMPTY, 0);
    while at < FLAGS.len() {
        checks.set(FLAGS[at].1, true);
        at += 1;
    }
    checks
};

impl CheckIds {
    /// All checks of Weblate 3.4: also those that only flags enable.
    pub const WEBLATE34: Self = Self::LEGACY.union(CHECKS);
}

/// Flags of Weblate 3.4 that enable no check of gitglot. They have no effect.
const WITHOUT_EFFECT: &str = "dos-eol font-family font-size font-spacing font-weight ignore-ellipsis ignore-inconsistent \
     ignore-multiple-failures ignore-optional-plural ignore-rst-references ignore-translated \
     ignore-url max-size priority read-only rst-text skip-review-flag url xml-text";

/// The checks that Weblate 3.4 has, each with the flag that turns it off.
fn ignoring_flags() -> impl Iterator<Item = (CheckId, String)> {
    CheckIds::WEBLATE34.iter().map(|check| {
        let id = check.id_in(CheckProfile::Weblate34).replace('_', "-");
        (check, format!("ignore-{id}"))
    })
}

fn split(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let flags = text.split(',').filter(|flag| !flag.is_empty());
    flags.map(|flag| flag.split_at(flag.find(':').unwrap_or(flag.len())))
}

impl CheckFlags {
    /// Parses a comma-separated list as Weblate 3.4 does, which compares flags literally, with their spaces. Returns the
    /// flags that have an effect, in today's names. The first of equal flags counts.
    ///
    /// # Errors
    /// Fails if a quote is not closed.
    pub fn parse_weblate34(text: &str) -> Result<Self, FlagsError> {
        let mut flags = Vec::new();
        for (flag, check) in FLAGS {
            if let Some((_, values)) = split(text).find(|(name, _)| *name == flag) {
                let today = match flag {
                    "auto-java-messageformat" => flag.to_owned(),
                    _ => check.flag(),
                };
                flags.push(today + values);
            }
        }
        for (check, flag) in ignoring_flags() {
            if split(text).any(|(name, values)| name == flag && values.is_empty()) {
                flags.push(format!("ignore-{}", check.flag()));
            }
        }
        Self::parse(&flags.join(","))
    }

    /// Checks that all flags of a list are flags of Weblate 3.4.
    ///
    /// # Errors
    /// [`FlagsError::Unknown`], with the most similar name.
    pub(crate) fn validate_weblate34(text: &str) -> Result<(), FlagsError> {
        let mut known: BTreeSet<String> = names(WITHOUT_EFFECT).collect();
        known.extend(FLAGS.map(|(flag, _)| flag.to_owned()));
        known.extend(ignoring_flags().map(|(_, flag)| flag));
        validate_names(split(text).map(|(name, _)| name), &known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckInput, Checker, Words};

    fn failing(flags: &str, source: &str, target: &str) -> Vec<&'static str> {
        let flags = CheckFlags::parse_weblate34(flags).unwrap();
        let checker = Checker::weblate34_from_flags(flags, Words::default()).unwrap();
        let checker = checker.for_language("cs", "en", None);
        let failing = checker.failing(&CheckInput::new(&[source], &[target]));
        let by_flag = failing.difference(CheckIds::LEGACY);
        by_flag.iter().map(CheckId::id).collect()
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
        assert_eq!(
            failing("max-length:3,max-length:9", "x", "abcd"),
            ["max-length"]
        );
    }

    #[test]
    fn only_enabled_checks_run_and_spaces_in_flags_count() {
        assert!(failing("", "Hello. %s", "Hello").is_empty());
        assert!(
            failing("x, c-format", "%s", "x").is_empty(),
            "a space is part of the flag"
        );
        assert!(failing("c-format,ignore-c-format", "%s", "x").is_empty());
        assert!(failing("java-format,ignore-java-format", "%s", "x").is_empty());
        assert_eq!(
            failing("java-format,ignore-java-messageformat", "%s", "x"),
            ["java_printf_format"]
        );
        assert!(failing("vue-format,md-text", "{a} [b](c)", "x").is_empty());
        let flags = CheckFlags::parse_weblate34("max-length").unwrap();
        assert!(Checker::weblate34_from_flags(flags, Words::default()).is_err());
    }

    #[test]
    fn flags_of_weblate_3_4_are_compared_literally() {
        let validate = CheckFlags::validate_weblate34;
        assert!(validate("java-messageformat,max-length:10,ignore-end-stop").is_ok());
        let message = |flags: &str| validate(flags).unwrap_err().to_string();
        assert!(message("x, c-format").contains("'x'"));
        assert!(message("php-format, c-format").contains("did you mean 'c-format'?"));
        assert!(message("i18next-interpolation").contains("'i18next-interpolation'"));
    }
}
