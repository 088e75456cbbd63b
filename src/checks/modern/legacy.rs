//! Flags with the meaning that they have in Weblate 3.4 (`docs/spec/checks.md#legacy-flags`).

use super::ModernChecker;
use super::flag_names::{LEGACY_FLAGS, LegacyFlag, validate_legacy};
use super::flags::{CheckFlags, FlagsError};
use crate::checks::{CheckIds, Words};

/// The checks that flags of Weblate 3.4 enable.
#[derive(Clone, Debug)]
pub struct LegacyFlags {
    enabled: Vec<LegacyFlag>,
    ignored: Vec<String>,
    modern: CheckFlags,
}

impl LegacyFlags {
    /// Parses a comma-separated list as Weblate 3.4 does: flags are compared literally, with their spaces.
    ///
    /// # Errors
    /// Fails if `max-length` has no number.
    pub fn parse(text: &str) -> Result<Self, FlagsError> {
        let flags: Vec<&str> = text.split(',').filter(|flag| !flag.is_empty()).collect();
        let name = |flag: &str| flag.split(':').next().unwrap_or_default().to_owned();
        let ignored: Vec<String> = flags
            .iter()
            .filter_map(|flag| Some(flag.strip_prefix("ignore-")?.to_owned()))
            .collect();
        let enabled: Vec<LegacyFlag> = LEGACY_FLAGS
            .iter()
            .filter(|known| flags.iter().any(|flag| name(flag) == known.flag))
            .filter(|known| !ignored.contains(&known.check.replace('_', "-")))
            .copied()
            .collect();
        let mut modern = Vec::new();
        for known in &enabled {
            let values = flags
                .iter()
                .find(|flag| name(flag) == known.flag)
                .and_then(|flag| flag.split_once(':'));
            let flag = if known.flag.starts_with("auto-") {
                known.flag.to_owned()
            } else {
                known.modern.flag()
            };
            modern.push(values.map_or(flag.clone(), |(_, value)| format!("{flag}:{value}")));
        }
        let modern = CheckFlags::parse(&modern.join(","))?;
        modern.number("max-length")?;
        Ok(Self {
            enabled,
            ignored,
            modern,
        })
    }

    /// Checks that all flags of a list are flags of Weblate 3.4.
    ///
    /// # Errors
    /// [`FlagsError::Unknown`].
    pub fn validate(text: &str) -> Result<(), FlagsError> {
        validate_legacy(text)
    }

    /// Whether `ignore-ID` turns a check of Weblate 3.4 off. `id` is the id of the check.
    pub fn ignores(&self, id: &str) -> bool {
        self.ignored.contains(&id.replace('_', "-"))
    }

    /// Returns the checks that the flags enable.
    pub fn enabled(&self) -> &[LegacyFlag] {
        &self.enabled
    }

    /// Returns a checker that runs only the enabled checks.
    ///
    /// # Errors
    /// Fails if a value of a flag is invalid.
    pub fn checker(&self) -> Result<ModernChecker, FlagsError> {
        let only: CheckIds = self.enabled.iter().map(|known| known.modern).collect();
        ModernChecker::only(&self.modern, only, Words::default())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Unit;
    use super::*;

    fn failing(flags: &str, source: &str, target: &str) -> Vec<&'static str> {
        let checker = LegacyFlags::parse(flags)
            .unwrap()
            .checker()
            .unwrap()
            .for_language("cs", "en", None);
        let findings = checker.check(&Unit::new(&[source], &[target]));
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
                .ignores("end_stop")
        );
        assert!(LegacyFlags::parse("max-length").is_err());
    }
}
