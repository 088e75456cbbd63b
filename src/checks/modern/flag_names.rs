//! The names of all flags (`docs/spec/checks.md#flags`), to find misspelt ones.

use std::collections::BTreeSet;

use super::flags::{CheckFlags, FlagsError};
use crate::checks::{CheckId, closest};

/// A check that Weblate 3.4 enables by flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegacyFlag {
    /// The flag in Weblate 3.4.
    pub flag: &'static str,
    /// The id of the check in Weblate 3.4.
    pub check: &'static str,
    /// The check with the same rule in current Weblate.
    pub modern: CheckId,
}

/// All flags of Weblate 3.4 that enable a check.
pub const LEGACY_FLAGS: &[LegacyFlag] = &[
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

const fn legacy(flag: &'static str, check: &'static str, modern: CheckId) -> LegacyFlag {
    LegacyFlag {
        flag,
        check,
        modern,
    }
}

/// Flags other than those that have the name of a check.
const OTHER: &str = "auto-java-messageformat auto-safe-html bbcode-text case-insensitive csharp-format icu-flags \
     icu-tag-prefix ignore-all-checks md-text replacements rst-text strict-format strict-same \
     xml-text";

/// Checks of Weblate that gitglot does not have (`docs/spec/checks.md#not-implemented`), as flags. They have no effect.
const UNIMPLEMENTED: &str = "accelerator asciidoc-text check-glossary fluent-source-inner-html fluent-source-syntax \
     fluent-target-inner-html fluent-target-syntax inconsistent long-untranslated max-size \
     multiple-failures reused safe-mdx source-max-length translated";

/// Flags of Weblate that do not concern checks. They have no effect.
const WITHOUT_EFFECT: &str = "chars-around-tags discard dos-eol font-family font-size font-spacing font-weight forbidden \
     load-image merge-context priority read-only terminology variant";

/// Flags of Weblate 3.4 that enable no check of gitglot. They have no effect.
const LEGACY_WITHOUT_EFFECT: &str = "dos-eol font-family font-size font-spacing font-weight ignore-ellipsis ignore-inconsistent \
     ignore-multiple-failures ignore-optional-plural ignore-rst-references ignore-translated \
     ignore-url max-size priority read-only rst-text skip-review-flag url xml-text";

impl CheckFlags {
    /// Checks that all flags exist.
    ///
    /// # Errors
    /// [`FlagsError::Unknown`], with the most similar name.
    pub fn validate(&self) -> Result<(), FlagsError> {
        let mut known: BTreeSet<String> = names(OTHER).collect();
        let own = CheckId::ALL.iter().map(|check| check.flag());
        for flag in own.chain(names(UNIMPLEMENTED)) {
            known.insert(format!("ignore-{flag}"));
            known.insert(flag);
        }
        known.extend(names(WITHOUT_EFFECT));
        validate_names(self.iter().map(|flag| &*flag.name), &known)
    }
}

/// Checks that all flags of a list are flags of Weblate 3.4, which compares them literally.
///
/// # Errors
/// For an unknown name, with the most similar one.
pub(super) fn validate_legacy(text: &str) -> Result<(), FlagsError> {
    let mut known: BTreeSet<String> = names(LEGACY_WITHOUT_EFFECT).collect();
    for flag in LEGACY_FLAGS {
        known.insert(flag.flag.to_owned());
        known.insert(format!("ignore-{}", flag.check.replace('_', "-")));
    }
    let checks = CheckId::LEGACY
        .iter()
        .map(|check| format!("ignore-{}", check.id().replace('_', "-")));
    known.extend(checks);
    let flags = text.split(',').filter(|flag| !flag.is_empty());
    validate_names(
        flags.map(|flag| flag.split(':').next().unwrap_or_default()),
        &known,
    )
}

fn names(names: &'static str) -> impl Iterator<Item = String> {
    names.split(' ').map(str::to_owned)
}

fn validate_names<'f>(
    mut flags: impl Iterator<Item = &'f str>,
    known: &BTreeSet<String>,
) -> Result<(), FlagsError> {
    match flags.find(|&name| !known.contains(name)) {
        None => Ok(()),
        Some(name) => Err(FlagsError::Unknown {
            name: name.to_owned(),
            hint: closest(name, known.iter().map(String::as_str)).map_or_else(
                || "see the list of flags in the documentation of check_flags".to_owned(),
                |similar| format!("did you mean '{similar}'?"),
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_flags_are_errors_with_the_closest_name() {
        let message = |flags: &str| {
            let error = CheckFlags::parse(flags).unwrap().validate().unwrap_err();
            error.to_string()
        };
        assert!(message("i18next-interpolatoin").contains("'i18next-interpolation'"));
        assert!(message("c-format, ignore-endstop").contains("'ignore-end-stop'"));
        assert!(message("end_stop").contains("'end-stop'"));
        assert!(message("xyzzy").contains("check_flags"));
        let known =
            "c-format, max-length:10, ignore-all-checks, read-only, ignore-reused, icu-flags:xml";
        assert!(CheckFlags::parse(known).unwrap().validate().is_ok());
    }

    #[test]
    fn flags_of_weblate_3_4_are_compared_literally() {
        assert!(validate_legacy("java-messageformat,max-length:10,ignore-end-stop").is_ok());
        let message = |flags: &str| validate_legacy(flags).unwrap_err().to_string();
        assert!(message("x, c-format").contains("'x'"));
        assert!(message("php-format, c-format").contains("did you mean 'c-format'?"));
        assert!(message("i18next-interpolation").contains("'i18next-interpolation'"));
    }
}
