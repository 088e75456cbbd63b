//! Resolves the code in a file name to a language with code, name, direction and plural rule
//! (`docs/spec/languages.md#from-a-file-code-to-a-language`).
//!
//! Must not depend on git, HTTP or any other module.

mod current;
mod data;
mod plural_categories;
mod plural_rule;
mod resolve;
mod table;
mod tag;

use std::sync::Arc;

pub use current::{CurrentLanguage, CurrentPlural, current_languages, resolve_current};
pub use plural_categories::{
    categories_of_forms, has_single_form, is_for_fractions, missing_categories, plural_categories,
};
pub use plural_rule::{Coverage, Plural, PluralRule};
pub use resolve::resolve;
pub use table::shipped;
pub use tag::tag;

/// A language of Weblate 3.4, built in or generated from a code that is not built in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Language {
    /// The code, for example `pt_BR`.
    pub code: Arc<str>,
    /// The English name.
    pub name: Arc<str>,
    /// Whether the language is written from right to left.
    pub rtl: bool,
    /// The index among the built-in languages; `None` for a generated language.
    pub rank: Option<u16>,
    /// The plural rule.
    pub plural: Plural,
}

impl Language {
    /// Returns the name for pages. Appends the code where the name alone is ambiguous
    /// (`docs/spec/languages.md#display-names`).
    pub fn display_name(&self) -> String {
        let is_unambiguous = self.name.contains('(') || !self.code.contains(['_', '-']);
        if is_unambiguous
            || data::NO_CODE_SHOWN
                .split(' ')
                .any(|code| code == &*self.code)
        {
            self.name.to_string()
        } else {
            format!("{} ({})", self.name, self.code)
        }
    }
}

/// Returns the base code: the part up to the first `-` or `_` (`docs/spec/languages.md#writing-direction`). It
/// determines the writing direction and the rules of quality checks.
pub fn base_code(code: &str) -> &str {
    code.split(['-', '_']).next().unwrap_or(code)
}

/// Whether the code of a language is English or a variant of it.
pub fn is_english(code: &str) -> bool {
    base_code(code).eq_ignore_ascii_case("en")
}

/// Whether a code is for notes or generated test texts in place of translations: codes for private use such as `qqq` of
/// translatewiki and `qps-ploc` of Windows, `zxx`, and the regions `XA`, `XB` and `XC` of Android and ICU.
pub fn is_pseudo(code: &str) -> bool {
    let base = base_code(code).to_ascii_lowercase();
    let is_private = base.len() == 3 && ("qaa"..="qtz").contains(&&*base);
    let mut parts = code.split(['-', '_']).skip(1);
    let is_test = |part: &str| {
        let region = part.strip_prefix('r').unwrap_or(part);
        matches!(region, "XA" | "XB" | "XC") || part.eq_ignore_ascii_case("pseudo")
    };
    is_private || matches!(&*base, "qq" | "zxx" | "pseudo") || parts.any(is_test)
}

/// Whether a language with this code is written from right to left (`docs/spec/languages.md#writing-direction`).
fn is_rtl(code: &str) -> bool {
    data::RIGHT_TO_LEFT.contains(&base_code(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_languages_are_listed_in_rank_order() {
        let languages = shipped();
        assert_eq!(languages.len(), 337);
        for (rank, language) in languages.iter().enumerate() {
            assert_eq!(
                language.rank.map(usize::from),
                Some(rank),
                "{}",
                language.code
            );
            assert!(language.plural.forms >= 1, "{}", language.code);
        }
        let rank = |code: &str| {
            languages
                .iter()
                .position(|language| &*language.code == code)
        };
        assert!(rank("aa") < rank("cs") && rank("cs") < rank("zu"));
    }

    #[test]
    fn languages_have_a_plural_rule() {
        let forms = |code: &str| resolve(code).plural.forms;
        assert_eq!(
            (forms("ja"), forms("de"), forms("cs"), forms("ar")),
            (1, 2, 3, 6)
        );
        assert_eq!(
            resolve("ar_AE").plural,
            resolve("ar").plural,
            "a generated language has the rule of its base"
        );
        assert_eq!(resolve("xx").plural, Plural::DEFAULT);
    }

    #[test]
    fn pages_add_the_code_where_the_name_is_ambiguous() {
        assert_eq!(resolve("cs").display_name(), "Czech");
        assert_eq!(resolve("cs_SK").display_name(), "Czech (cs_SK)");
        assert_eq!(resolve("pt_BR").display_name(), "Portuguese (Brazil)");
        assert_eq!(resolve("nb_NO").display_name(), "Norwegian Bokmål");
        assert_eq!(resolve("xx_YY").display_name(), "xx_YY (generated)");
    }

    #[test]
    fn notes_and_test_texts_are_no_translations() {
        for code in [
            "qq",
            "qqq",
            "qqx",
            "qps-ploc",
            "qps_PLOCM",
            "en-XA",
            "ar-rXB",
            "en_XC",
            "zxx",
            "en-pseudo",
        ] {
            assert!(is_pseudo(code), "{code}");
        }
        for code in ["qu", "que", "xh", "zh_Hant", "en-XK", "de", "qya"] {
            assert!(!is_pseudo(code), "{code}");
        }
    }

    #[test]
    fn the_script_does_not_affect_the_direction() {
        assert!(resolve("ar_EG").rtl && resolve("ha").rtl);
        assert!(!resolve("az_Arab").rtl && !resolve("ug@arab").rtl && !resolve("sd").rtl);
    }
}
