//! Quality checks on the text of a unit, one small file per family.
//!
//! This module contains the checks of Weblate 3.4 that fire without flags (`docs/spec/checks.md#legacy-checks`), and
//! [`Checker`], which runs both sets on the strings of a component.
//!
//! Must not depend on git, HTTP or any module other than `language`.
//!
//! ```
//! let checker = gitglot_checks::Checker::default().for_language("cs", "en");
//! assert!(checker.fails("It works.", "Funguje", ""), "the full stop is missing");
//! assert!(!checker.fails("It works.", "Funguje.", ""));
//! ```

mod bbcode;
mod char_class;
mod closest;
mod content;
pub mod current;
mod html;
mod language_rules;
mod limit;
mod marks;
mod pair;
mod punctuation;
mod registry;
mod same;
mod settings;
mod source_change;
mod steps;
mod whitespace;
mod words;
mod xml;

use std::collections::HashSet;
use std::sync::Arc;

use gitglot_model::language::base_code;

use language_rules::{LanguageGroup, LanguageRules};
use pair::TextPair;

pub use closest::closest;
pub use limit::{MAX_CHECKED, Proceed};
pub use registry::{CheckId, CheckIds, Severity};
pub use settings::{CheckSettings, PlaceholderSettings};
pub use source_change::SourceChange;
pub use words::Words;

/// Both sets of checks, with the words that the `same` check ignores. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Checker {
    words: Words,
    /// The modern checks of the component.
    current: current::CurrentChecker,
    settings: Arc<CheckSettings>,
    /// The legacy checks that the flags of the component add or turn off.
    flags: Option<Arc<current::LegacyFlags>>,
}

impl Default for Checker {
    fn default() -> Self {
        Self::new(Words::default())
    }
}

impl Checker {
    /// Creates the checks with a custom word list.
    pub fn new(words: Words) -> Self {
        Self {
            current: current::CurrentChecker::inferred("", words.clone()),
            words,
            settings: Arc::default(),
            flags: None,
        }
    }

    /// The checks of a component. Invalid flags, which the configuration refuses, have no effect.
    pub fn for_component(&self, settings: &CheckSettings, file_format: &str) -> Self {
        let words = &self.words;
        let flags = settings.flags.as_deref().filter(|_| !settings.current);
        Self {
            words: words.clone(),
            current: settings
                .current_checker(file_format, words.clone())
                .unwrap_or_else(|_| current::CurrentChecker::inferred(file_format, words.clone())),
            settings: Arc::new(settings.clone()),
            flags: flags
                .and_then(|flags| current::LegacyFlags::parse(flags).ok())
                .map(Arc::new),
        }
    }

    /// The settings of the component.
    pub fn settings(&self) -> &CheckSettings {
        &self.settings
    }

    /// Prepares the modern checks for a translation into `language`, as [`Self::for_language`] does for both sets.
    pub fn current(
        &self,
        language: &str,
        source_language: &str,
    ) -> current::CurrentLanguageChecker {
        self.current.for_translation(language, source_language)
    }

    /// The modern checks of the component.
    pub fn current_checker(&self) -> current::CurrentChecker {
        self.current.clone()
    }

    /// Identifies the inputs other than the texts: different word lists have different fingerprints.
    pub fn fingerprint(&self) -> String {
        self.words.fingerprint()
    }

    /// Prepares the checks for a translation into `language` of a project whose source language is `source_language`.
    /// Both are codes as in [`gitglot_model::language::Language::code`]. Call it once per translation.
    pub fn for_language(&self, language: &str, source_language: &str) -> LanguageChecker {
        let (full, full_source) = (language, source_language);
        let (language, source) = (base_code(language), base_code(source_language));
        LanguageChecker {
            rules: LanguageRules::legacy(language),
            same: !same::is_skipped(language, source),
            words: self.words.clone(),
            current: self
                .settings
                .current
                .then(|| self.current(full, full_source)),
            flags: self.flags.as_ref().map(|flags| {
                let checker = flags.checker.for_translation(full, full_source);
                (flags.clone(), checker)
            }),
        }
    }
}

impl Checker {
    /// As [`Self::for_language`], with the flags that a bilingual file gives to a unit, joined with commas. They add to
    /// those of the component (`docs/spec/checks.md#flags-in-files`).
    pub fn for_unit(&self, language: &str, source_language: &str, flags: &str) -> LanguageChecker {
        let mut checker = self.for_language(language, source_language);
        if flags.is_empty() {
            return checker;
        }
        if let Some(current) = &checker.current {
            checker.current = Some(current.for_flags(flags));
            return checker;
        }
        let own = self.settings.flags.as_deref().unwrap_or_default();
        let flags = [own, &flags.replace(' ', "")].join(",");
        checker.flags = current::LegacyFlags::parse(&flags).ok().map(|flags| {
            let current = flags.checker.for_translation(language, source_language);
            (Arc::new(flags), current)
        });
        checker
    }
}

/// The checks that the API reports, for one pair of languages.
#[derive(Clone, Debug)]
pub struct LanguageChecker {
    rules: LanguageRules,
    same: bool,
    words: Words,
    /// The modern checks, if they replace the legacy checks.
    current: Option<current::CurrentLanguageChecker>,
    flags: Option<(Arc<current::LegacyFlags>, current::CurrentLanguageChecker)>,
}

impl LanguageChecker {
    /// Whether a check fails that the API reports, with those that the settings of the component enable.
    pub fn fails(&self, source: &str, target: &str, comment: &str) -> bool {
        let legacy = match &self.current {
            Some(_) => CheckIds::default(),
            None => self.check(source, target, comment),
        };
        self.decide(legacy, &current::CheckInput::new(&[source], &[target]))
    }

    /// Whether a unit fails, given its failing legacy checks.
    pub fn decide(&self, legacy: CheckIds, unit: &current::CheckInput<'_>) -> bool {
        match (&self.current, &self.flags) {
            (Some(checker), _) => !checker.check(unit).is_empty(),
            (None, Some((_, checker))) => !legacy.is_empty() || !checker.check(unit).is_empty(),
            (None, None) => !legacy.is_empty(),
        }
    }

    /// The findings of the checks of Weblate 3.4 that flags enable, each with the id that the check has in 3.4.
    pub fn flagged(
        &self,
        unit: &current::CheckInput<'_>,
    ) -> Vec<(&'static str, current::CheckFinding)> {
        let Some((flags, checker)) = &self.flags else {
            return Vec::new();
        };
        let findings = checker.check(unit).into_iter();
        findings
            .map(|finding| (flags.legacy_id(finding.check), finding))
            .collect()
    }

    /// Runs every legacy check. Call it only for translated units of a translation that is not the template; all other
    /// units pass (`docs/spec/checks.md#units-that-are-checked`).
    pub fn check(&self, source: &str, target: &str, comment: &str) -> CheckIds {
        self.check_forms(&[source], &[target], comment)
    }

    /// Removes the checks that flags turn off.
    fn without_ignored(&self, failing: CheckIds) -> CheckIds {
        match &self.flags {
            Some((flags, _)) => failing.difference(flags.ignored),
            None => failing,
        }
    }

    fn legacy(&self, source: &str, target: &str, comment: &str) -> CheckIds {
        let mut failing = CheckIds::default();
        let pair = TextPair { source, target };
        if source == target {
            // Equal texts pass every comparison except the French rules for final punctuation.
            if self.rules.group == LanguageGroup::French {
                punctuation::check(&pair, self.rules, &mut failing);
            }
            failing.set(
                CheckId::Same,
                self.same && same::is_untranslated(source, comment, &self.words),
            );
            return failing;
        }
        whitespace::check(&pair, self.rules, &mut failing);
        punctuation::check(&pair, self.rules, &mut failing);
        content::check(&pair, self.rules, &mut failing);
        failing
    }

    /// Runs every check on a text with plural forms (`docs/spec/checks.md#plural-forms-in-legacy-checks`). `targets`
    /// has the number of forms of the language.
    pub fn check_forms(&self, sources: &[&str], targets: &[&str], comment: &str) -> CheckIds {
        if current::CheckInput::new(sources, targets).is_too_long() {
            return self.without_ignored(CheckIds::of(CheckId::NotChecked));
        }
        let ([singular, plurals @ ..], [first, others @ ..]) = (sources, targets) else {
            return CheckIds::default();
        };
        let mut failing = self.legacy(singular, first, comment);
        let Some(plural) = plurals.first() else {
            return self.without_ignored(failing);
        };
        for target in others {
            failing = failing.union(self.legacy(plural, target, comment));
        }
        let empty = targets.iter().filter(|form| form.is_empty()).count();
        failing.set(CheckId::Plurals, empty > 0 && empty < targets.len());
        let mut seen = HashSet::new();
        let repeats = targets.iter().any(|form| !seen.insert(form));
        failing.set(CheckId::SamePlurals, repeats && !first.is_empty());
        self.without_ignored(failing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One JSON array per line: source, translation, language and the checks that fail in Weblate 3.4.
    const VECTORS: &str = include_str!("../tests/data/check_vectors.jsonl");

    /// The words in the vectors that Weblate ignores.
    const IGNORED_WORDS: &str = "email\nenglish\ngerman\ngermany\ndownloads\nplugin\nversion\nabc\nfiles\ncopyright\nmail\nitems\nbar";

    #[test]
    fn every_vector_fails_the_checks_that_fail_in_weblate() {
        let checker = Checker::new(Words::parse(IGNORED_WORDS).unwrap());
        let mut seen = 0;
        for line in VECTORS.lines() {
            let (source, target, language, failing): (String, String, String, Vec<String>) =
                serde_json::from_str(line).unwrap();
            let wanted: CheckIds = failing
                .iter()
                .map(|id| CheckId::from_id(id).unwrap())
                .collect();
            let found = checker
                .for_language(&language, "en")
                .check(&source, &target, "");
            assert_eq!(found, wanted, "{line}");
            seen += 1;
        }
        assert_eq!(seen, 175);
    }

    #[test]
    fn plural_forms_are_compared_with_the_matching_source_form() {
        let checker = Checker::default().for_language("cs", "en");
        let check = |sources: &[&str], targets: &[&str]| checker.check_forms(sources, targets, "");
        let sources = ["1 file.", "%d files"];
        assert!(check(&sources, &["1 soubor.", "%d soubory", "%d souborů"]).is_empty());
        assert_eq!(
            check(&sources, &["1 soubor", "a", "b"]),
            CheckIds::from_iter([CheckId::EndStop])
        );
        assert_eq!(
            check(&sources, &["1 soubor.", "a", "b."]),
            CheckIds::from_iter([CheckId::EndStop])
        );
        assert_eq!(
            check(&sources, &["x.", "a", "a"]),
            CheckIds::from_iter([CheckId::SamePlurals])
        );
        assert_eq!(
            check(&sources, &["x.", "a", ""]),
            CheckIds::from_iter([CheckId::Plurals])
        );
        assert!(
            check(&["x"], &["a", "", ""]).is_empty(),
            "the source has no plural"
        );
    }

    #[test]
    fn flags_turn_off_the_checks_of_plural_forms() {
        let fails = |flags: &str, targets: &[&str]| {
            let settings = CheckSettings {
                current: false,
                flags: Some(flags.to_owned()),
                ..CheckSettings::default()
            };
            let checker = Checker::default().for_component(&settings, "json");
            let checker = checker.for_language("cs", "en");
            !checker.check_forms(&["x", "y"], targets, "").is_empty()
        };
        assert!(!fails("ignore-plurals", &["a", "b", ""]));
        assert!(!fails("ignore-same-plurals", &["a", "b", "b"]));
        assert!(fails("ignore-same-plurals", &["a", "b", ""]));
        assert!(fails("ignore-plurals", &["a", "b", "b"]));
    }

    #[test]
    fn equal_texts_fail_no_check_that_compares_them() {
        let checker = Checker::new(Words::parse("").unwrap());
        let check = |language, text| checker.for_language(language, "en").check(text, text, "");
        assert!(check("en_GB", " x: \n<b>[b]\\n\u{200b}\n").is_empty());
        assert_eq!(
            check("fr_CA", "Hello?"),
            CheckIds::from_iter([CheckId::Same, CheckId::EndQuestion])
        );
        assert_eq!(check("de", "Hello?"), CheckIds::from_iter([CheckId::Same]));
    }

    #[test]
    fn an_empty_text_fails_only_checks_of_spaces_and_tags() {
        let checker = Checker::default().for_language("cs", "en");
        assert!(
            checker
                .check("Hello <b>x</b>.\n", "", "")
                .contains(CheckId::XmlTags)
        );
        assert!(checker.check("", "Ahoj.\n\\n", "").is_empty());
        assert_eq!(
            checker.check("", " Ahoj", ""),
            CheckIds::from_iter([CheckId::BeginSpace])
        );
    }

    #[test]
    fn the_source_language_decides_where_same_runs() {
        let checker = Checker::new(Words::parse("").unwrap());
        let same = |language, source| {
            checker
                .for_language(language, source)
                .check("Hallo", "Hallo", "")
        };
        assert!(
            same("de_AT", "de").is_empty()
                && same("en", "en_US").is_empty()
                && same("ia", "en").is_empty()
        );
        assert!(!same("en", "de").is_empty() && !same("ia", "de").is_empty());
    }

    #[test]
    fn settings_of_a_component_add_ignore_and_replace_checks() {
        let fails = |current, flags: Option<&str>, source: &str, target: &str| {
            let settings = CheckSettings {
                current,
                flags: flags.map(str::to_owned),
                ..CheckSettings::default()
            };
            let checker = Checker::default().for_component(&settings, "json");
            checker.for_language("cs", "en").fails(source, target, "")
        };
        assert!(
            !fails(false, None, "Hello %s", "Ahoj")
                && fails(false, Some("c-format"), "Hello %s", "Ahoj")
        );
        assert!(
            fails(false, None, "Hello.", "Ahoj")
                && !fails(false, Some("ignore-end-stop"), "Hello.", "Ahoj")
        );
        assert!(
            fails(true, None, "Hello {{name}}", "Ahoj")
                && !fails(true, Some(""), "Hello {{name}}", "Ahoj")
        );
        assert!(fails(
            true,
            Some("i18next-interpolation"),
            "Hello {{name}}",
            "Ahoj"
        ));
        let invalid = CheckSettings {
            current: true,
            flags: Some("max-length:x".to_owned()),
            ..CheckSettings::default()
        };
        assert!(
            invalid.validate("json").is_err() && CheckSettings::default().fingerprint().is_empty()
        );
    }
}
