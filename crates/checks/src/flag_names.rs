//! The names of all flags (`docs/spec/checks.md#flags`), to find misspelt ones.

use std::collections::BTreeSet;

use super::flags::{CheckFlags, FlagsError};
use crate::closest;
use crate::registry::CheckId;

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

impl CheckFlags {
    /// Checks that all flags exist.
    ///
    /// # Errors
    /// [`FlagsError::Unknown`], with the most similar name.
    pub fn validate(&self) -> Result<(), FlagsError> {
        let mut known: BTreeSet<String> = names(OTHER).collect();
        let flags_of_checks = CheckId::ALL.iter().map(|check| check.flag());
        for flag in flags_of_checks.chain(names(UNIMPLEMENTED)) {
            known.insert(format!("ignore-{flag}"));
            known.insert(flag);
        }
        known.extend(names(WITHOUT_EFFECT));
        validate_names(self.iter().map(|flag| &*flag.name), &known)
    }
}

/// The names of a list.
pub(super) fn names(names: &'static str) -> impl Iterator<Item = String> {
    names.split(' ').map(str::to_owned)
}

/// Checks that all flags are known.
///
/// # Errors
/// [`FlagsError::Unknown`], with the most similar name.
pub(super) fn validate_names<'f>(
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
}
