//! The code in a file name → a language: its code, name, direction and plural rule (`languages.md`).
//!
//! Knows neither git nor HTTP, nor any other room. The table of languages is data of this project's own making: codes,
//! names and directions are facts.

mod data;
mod resolve;
mod table;

use std::sync::Arc;

pub use resolve::resolve;

/// A language of Weblate 3.4, shipped or made from a code that is not.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Language {
    /// The code, e.g. `pt_BR`.
    pub code: Arc<str>,
    /// The English name.
    pub name: Arc<str>,
    /// Whether it is written from right to left.
    pub rtl: bool,
    /// Its place among the shipped languages, 0-based; `None` for a generated one.
    pub rank: Option<u16>,
    /// How it counts.
    pub plural: Plural,
}

/// How a language counts: what a gettext file says under `Plural-Forms` (`languages.md` 6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Plural {
    /// The number of forms, 1 or more.
    pub forms: u8,
    /// A C expression over `n` that gives the form's index, 0-based.
    pub formula: &'static str,
}

impl Plural {
    /// The rule of a language that nothing is known of.
    const USUAL: Self = Self { forms: 2, formula: "n != 1" };
}

impl Language {
    /// The name that pages for people show: the code stands behind a name that would not tell regions or scripts apart
    /// (`languages.md` 5).
    pub fn display_name(&self) -> String {
        let said = self.name.contains('(') || !self.code.contains(['_', '-']);
        if said || data::NO_CODE_SHOWN.split(' ').any(|code| code == &*self.code) {
            self.name.to_string()
        } else {
            format!("{} ({})", self.name, self.code)
        }
    }
}

/// The shipped languages in rank order: the order of their ids, hence of a list of languages.
pub fn shipped() -> &'static [Language] {
    table::table().languages()
}

/// The part of a code that decides direction and quality checks: up to the first `-` or `_`, but not up to an `@`
/// (`languages.md` 4).
pub fn base_code(code: &str) -> &str {
    code.split(['-', '_']).next().unwrap_or(code)
}

/// Whether a language of this code is written from right to left (`languages.md` 4).
fn is_rtl(code: &str) -> bool {
    data::RIGHT_TO_LEFT.contains(&base_code(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_language_is_listed_in_rank_order() {
        let languages = shipped();
        assert_eq!(languages.len(), 337);
        for (rank, language) in languages.iter().enumerate() {
            assert_eq!(language.rank.map(usize::from), Some(rank), "{}", language.code);
            assert!(language.plural.forms >= 1, "{}", language.code);
        }
        let place = |code: &str| languages.iter().position(|language| &*language.code == code);
        assert!(place("aa") < place("cs") && place("cs") < place("zu"));
    }

    #[test]
    fn a_language_knows_its_plural_rule() {
        let forms = |code: &str| resolve(code).plural.forms;
        assert_eq!((forms("ja"), forms("de"), forms("cs"), forms("ar")), (1, 2, 3, 6));
        assert_eq!(resolve("ar_AE").plural, resolve("ar").plural, "a generated language counts as its base");
        assert_eq!(resolve("xx").plural, Plural::USUAL);
    }

    #[test]
    fn pages_add_the_code_where_the_name_alone_is_not_enough() {
        assert_eq!(resolve("cs").display_name(), "Czech");
        assert_eq!(resolve("cs_SK").display_name(), "Czech (cs_SK)");
        assert_eq!(resolve("pt_BR").display_name(), "Portuguese (Brazil)");
        assert_eq!(resolve("nb_NO").display_name(), "Norwegian Bokmål");
        assert_eq!(resolve("xx_YY").display_name(), "xx_YY (generated)");
    }

    #[test]
    fn the_script_does_not_decide_the_direction() {
        assert!(resolve("ar_EG").rtl && resolve("ha").rtl);
        assert!(!resolve("az_Arab").rtl && !resolve("ug@arab").rtl && !resolve("sd").rtl);
    }
}
