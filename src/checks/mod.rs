//! Quality checks of Weblate 3.4 on the text of a unit (`checks.md`), one small file per family.
//!
//! Here stand the checks of a translation that can fire without flags set by an administrator. Those that compare
//! several translations, and those of the source text, never show in the API and are left out (`checks.md` 1 and 6).
//!
//! Knows neither git nor HTTP, nor any room but `language`.

mod bbcode;
mod edges;
mod html;
mod manner;
mod marks;
mod pair;
mod punctuation;
mod registry;
mod same;
mod words;
mod xml;

use crate::language::base_code;

use manner::Manner;
use pair::Pair;

pub use registry::{CheckId, Failing};
pub use words::{Words, WordsError};

/// The checks, with the words that the `same` check leaves alone. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    words: Words,
}

impl Checker {
    /// The checks with other words than the built-in ones.
    pub fn new(words: Words) -> Self {
        Self { words }
    }

    /// What the outcome depends on beside the texts: other words have another fingerprint.
    pub fn fingerprint(&self) -> String {
        self.words.fingerprint()
    }

    /// The checks for a translation into `language` of a project whose source language is `source_language`, both codes
    /// as in [`crate::language::Language::code`]. To be made once per translation.
    pub fn for_language(&self, language: &str, source_language: &str) -> LanguageChecker {
        let (language, source) = (base_code(language), base_code(source_language));
        LanguageChecker {
            manner: Manner::of(language),
            same: !same::is_skipped(language, source),
            words: self.words.clone(),
        }
    }
}

/// The checks with all that depends on the language worked out.
#[derive(Clone, Debug)]
pub struct LanguageChecker {
    manner: Manner,
    same: bool,
    words: Words,
}

impl LanguageChecker {
    /// Runs every check. To be asked only of units that are translated, in a translation that is not the template: in
    /// all others nothing fails (`checks.md` 2). Texts are compared as they are, without trimming or normalisation.
    pub fn check(&self, source: &str, target: &str, comment: &str) -> Failing {
        let mut failing = Failing::default();
        if source == target {
            // Of equal texts none of the checks that compare the two can fail, but for the two of French ends.
            if self.manner == Manner::French {
                punctuation::check(&Pair::new(source, target), self.manner, &mut failing);
            }
            failing.set(CheckId::Same, self.same && same::is_untranslated(source, comment, &self.words));
            return failing;
        }
        let pair = Pair::new(source, target);
        edges::check(&pair, self.manner, &mut failing);
        punctuation::check(&pair, self.manner, &mut failing);
        marks::check(&pair, self.manner, &mut failing);
        failing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source, translation, language and failing checks, as Weblate 3.4 answers; one JSON array a line.
    const VECTORS: &str = include_str!("../../tests/data/check_vectors.jsonl");

    /// Words that the recorded answers take for granted.
    const KNOWN: &str =
        "email\nenglish\ngerman\ngermany\ndownloads\nplugin\nversion\nabc\nfiles\ncopyright\nmail\nitems\nbar";

    #[test]
    fn every_recorded_unit_fails_the_checks_that_weblate_gives() {
        let checker = Checker::new(Words::parse(KNOWN).unwrap());
        let mut seen = 0;
        for line in VECTORS.lines() {
            let (source, target, language, failing): (String, String, String, Vec<String>) =
                serde_json::from_str(line).unwrap();
            let wanted: Failing = failing.iter().map(|id| CheckId::from_id(id).unwrap()).collect();
            let found = checker.for_language(&language, "en").check(&source, &target, "");
            assert_eq!(found, wanted, "{line}");
            seen += 1;
        }
        assert_eq!(seen, 175);
    }

    #[test]
    fn equal_texts_fail_no_check_that_compares_them() {
        let checker = Checker::new(Words::parse("").unwrap());
        let check = |language, text| checker.for_language(language, "en").check(text, text, "");
        assert!(check("en_GB", " x: \n<b>[b]\\n\u{200b}\n").is_empty());
        assert_eq!(check("fr_CA", "Hello?"), Failing::from_iter([CheckId::Same, CheckId::EndQuestion]));
        assert_eq!(check("de", "Hello?"), Failing::from_iter([CheckId::Same]));
    }

    #[test]
    fn an_empty_text_fails_nothing_but_spaces() {
        let checker = Checker::default().for_language("cs", "en");
        assert!(checker.check("Hello <b>x</b>.\n", "", "").contains(CheckId::XmlTags));
        assert!(checker.check("", "Ahoj.\n\\n", "").is_empty());
        assert_eq!(checker.check("", " Ahoj", ""), Failing::from_iter([CheckId::BeginSpace]));
    }

    #[test]
    fn the_source_language_decides_what_may_stay_untranslated() {
        let checker = Checker::new(Words::parse("").unwrap());
        let same = |language, source| checker.for_language(language, source).check("Hallo", "Hallo", "");
        assert!(same("de_AT", "de").is_empty() && same("en", "en_US").is_empty() && same("ia", "en").is_empty());
        assert!(!same("en", "de").is_empty() && !same("ia", "de").is_empty());
    }
}
