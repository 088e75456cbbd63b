//! The flags that a bilingual file gives to a unit, such as `python-format` in PO
//! (`docs/spec/checks.md#flags-in-files`).
//!
//! Must not read flags with patterns: anyone who can change a file would decide how long the checks take.

use std::sync::{Arc, RwLock};

use crate::flags::{CheckFlags, Flag};
use crate::profile::CheckProfile;
use crate::registry::{CheckId, CheckIds};
use crate::setup::{Setup, other_flags};
use crate::tokens;
use gitglot_model::SeededMap;

/// Most lists of flags of a translation that are kept. More are read again for each unit.
const MAX_KEPT: usize = 64;

/// The configurations for the flags of units so far.
#[derive(Clone, Default, Debug)]
pub(super) struct SetupsByFlags(Arc<RwLock<SeededMap<String, Arc<Setup>>>>);

impl SetupsByFlags {
    /// The configuration of a unit with these flags in a translation with this configuration.
    pub(super) fn setup(&self, of_translation: &Arc<Setup>, flags: &str) -> Arc<Setup> {
        let known = self.0.read().ok();
        if let Some(known) = known.and_then(|known| known.get(flags).cloned()) {
            return known;
        }
        let setup = of_translation.with_flags(flags).map(Arc::new);
        let setup = setup.unwrap_or_else(|| of_translation.clone());
        if let Ok(mut known) = self.0.write()
            && known.len() < MAX_KEPT
        {
            known.insert(flags.to_owned(), setup.clone());
        }
        setup
    }
}

impl Setup {
    /// The configuration with the flags of a unit; `None` if they change nothing.
    fn with_flags(&self, flags: &str) -> Option<Self> {
        let flags = flags.replace(' ', "");
        match self.profile {
            CheckProfile::Weblate34 => self.with_weblate34_flags(&flags),
            CheckProfile::Current => self.with_current_flags(&flags),
        }
    }

    /// Those of the component count first.
    fn with_weblate34_flags(&self, flags: &str) -> Option<Self> {
        let of_unit = CheckFlags::parse_weblate34(flags).ok()?;
        of_unit.iter().next()?;
        self.clone().with(of_unit.with(&self.flags)).ok()
    }

    fn with_current_flags(&self, flags: &str) -> Option<Self> {
        let mut of_unit = CheckFlags::parse(flags).ok()?;
        of_unit.retain(is_read);
        of_unit.iter().next()?;
        let formats = |prefix: &str| -> CheckIds {
            let names = of_unit
                .iter()
                .filter_map(|flag| flag.name.strip_prefix(prefix));
            names.filter_map(format_check).collect()
        };
        let (enabled, disabled) = (formats(""), formats("no-"));
        let mut setup = self.clone().with(self.flags.with(&of_unit)).ok()?;
        let of_source = self.enabled.intersection(CheckId::of_source());
        setup.enabled = setup.enabled.union(of_source).difference(disabled);
        setup.format_checks.retain(|&id| !disabled.contains(id));
        // The file says what is a placeholder, so nothing else with the same sign is one.
        let of_file = enabled.union(disabled).iter();
        setup.not_inferred = of_file.flat_map(tokens::alternatives).collect();
        // Programs such as `xgettext` and `msgfmt` compare all placeholders of the format.
        setup.rules.certain_only = setup.rules.certain_only && enabled.is_empty();
        Some(setup)
    }
}

/// Whether a flag of a file has an effect.
fn is_read(flag: &Flag) -> bool {
    match flag.name.as_str() {
        "max-length" | "max-lines" => true,
        name => {
            let name = name.strip_prefix("no-").unwrap_or(name);
            flag.values.is_empty()
                && (format_check(name).is_some()
                    || name.starts_with("ignore-")
                    || matches!(name, "xml-text" | "md-text" | "rst-text" | "bbcode-text")
                    || matches!(name, "safe-html" | "auto-safe-html")
                    || matches!(name, "strict-same" | "strict-format"))
        }
    }
}

/// The format check that a flag enables.
fn format_check(name: &str) -> Option<CheckId> {
    let mut checks = CheckId::ALL.iter().copied();
    checks.find(|&check| {
        tokens::is_format_check(check)
            && (check.flag() == name || other_flags(check).contains(&name))
    })
}

#[cfg(test)]
mod tests {
    use crate::{CheckFlags, CheckId, CheckInput, Checker, Words};

    fn failing(flags: &str, source: &str, target: &str) -> Vec<&'static str> {
        let checker = Checker::inferred("po", Words::default());
        let (source, target) = ([source], [target]);
        let input = CheckInput {
            flags,
            ..CheckInput::new(&source, &target)
        };
        let found = checker.for_translation("cs", "en").check(&input);
        found.iter().map(|finding| finding.check.id()).collect()
    }

    #[test]
    fn the_flags_of_a_unit_say_what_is_a_placeholder() {
        assert_eq!(failing("", "Save %s now", "Uložit"), ["c_format"]);
        assert_eq!(
            failing("python-format", "Save %s now", "Uložit"),
            ["python_format"]
        );
        assert!(failing("no-c-format", "Save %s now", "Uložit").is_empty());
        assert!(failing("no-python-format", "Save %s now", "Uložit").is_empty());
        assert_eq!(
            failing("python-brace-format", "Save {} now", "Uložit"),
            ["python_brace_format"]
        );
        assert_eq!(
            failing("csharp-format, c-format", "Save {0} %d", "Uložit"),
            ["c_format", "c_sharp_format"]
        );
        assert_eq!(failing("max-length:4", "Save", "Uložit"), ["max-length"]);
    }

    #[test]
    fn flags_that_are_unknown_or_have_patterns_have_no_effect() {
        for flags in [
            "sh-format",
            "range: 0..10",
            "regex:x",
            "max-length",
            "a:\"b",
        ] {
            assert!(failing(flags, "Save", "Uložit").is_empty(), "{flags}");
            assert_eq!(failing(flags, "Save %s", "Uložit"), ["c_format"], "{flags}");
        }
    }

    #[test]
    fn the_flags_of_the_component_stay() {
        let flags = CheckFlags::parse("c-format").unwrap();
        let checker = Checker::from_flags(&flags, "po", Words::default()).unwrap();
        let found = |flags| {
            let input = CheckInput {
                flags,
                ..CheckInput::new(&["%s {a}"], &["x"])
            };
            checker.for_translation("cs", "en").failing(&input)
        };
        assert!(found("python-brace-format").contains(CheckId::CFormat));
        assert!(found("python-brace-format").contains(CheckId::PythonBraceFormat));
        assert!(!found("no-c-format").contains(CheckId::CFormat));
        assert!(!found("ignore-c-format").contains(CheckId::CFormat));
    }
}
