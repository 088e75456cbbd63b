//! The plural categories of whole numbers in CLDR (`docs/spec/languages.md#plural-categories`).

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Language, Plural, base_code, resolve, resolve_current};

/// Lines of categories, a tab and the codes of the languages.
const CATEGORIES: &str = include_str!("plural_categories.tsv");

static BY_CODE: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let lines = CATEGORIES.lines().filter_map(|line| line.split_once('\t'));
    lines
        .flat_map(|(categories, codes)| {
            codes
                .split(' ')
                .map(|code| (code, categories.split(' ').collect()))
        })
        .collect()
});

/// Returns the categories of a language in the order from `zero` to `other`; `None` if CLDR has no rules for it.
/// A regional code such as `de_AT` has the categories of its language.
pub fn plural_categories(code: &str) -> Option<&'static [&'static str]> {
    BY_CODE
        .get(code)
        .or_else(|| BY_CODE.get(code.split(['-', '_', '@', '+']).next()?))
        .map(Vec::as_slice)
}

/// Whether a language has a category for decimal fractions only, as in `1,5 dne`, which is not among its
/// [`plural_categories`].
pub fn is_for_fractions(code: &str, category: &str) -> bool {
    category == "many" && matches!(base_code(code), "cs" | "lt" | "sk")
}

/// Whether a language has a single plural form. `code` is written as in a file name.
pub fn has_single_form(code: &str) -> bool {
    let language = resolve(code);
    plural_categories(&language.code).map_or(language.plural.forms == 1, |categories| {
        categories.len() == 1
    })
}

/// For each form of the plural rule of gettext, the category of the first number that it is for; `None` if the categories of
/// the language are not known (`docs/spec/languages.md#plural-categories`).
pub fn categories_of_forms(language: &Language) -> Option<Vec<&'static str>> {
    let categories = plural_categories(&language.code)?;
    let named = resolve_current(&language.code).named_plural;
    let named = Plural {
        forms: named.forms,
        formula: named.formula,
    };
    let named = named
        .rule()
        .filter(|rule| rule.forms() == categories.len())?;
    let rule = language.plural.rule()?;
    let category = |form| {
        let number = (0..=LARGEST_SAMPLE).find(|&number| rule.form(number) == form)?;
        categories.get(named.form(number)).copied()
    };
    (0..rule.forms()).map(category).collect()
}

/// Each form of a rule of gettext is for a number up to this one.
const LARGEST_SAMPLE: u64 = 200;

/// Returns the categories that a plural text lacks: those of the language that are not in `present` or whose text is
/// empty. Each pair of `present` is a category and its text. Empty for a language without rules in CLDR.
pub fn missing_categories(code: &str, present: &[(&str, &str)]) -> Vec<&'static str> {
    let needed = plural_categories(code).unwrap_or_default();
    let has = |category: &str| {
        let mut present = present.iter();
        present.any(|(name, text)| *name == category && !text.is_empty())
    };
    let missing = needed.iter().copied().filter(|category| !has(category));
    missing.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_have_the_categories_of_their_language() {
        let of = |code: &str| plural_categories(&resolve(code).code).unwrap_or_default();
        for code in ["no", "nb-NO", "no-NO", "lij", "en@pirate"] {
            assert_eq!(of(code), ["one", "other"], "{code}");
        }
        for code in ["scn", "ca@valencia", "es-419"] {
            assert_eq!(of(code), ["one", "many", "other"], "{code}");
        }
        assert_eq!(of("b+zh+Hans+CN"), ["other"]);
        assert_eq!(of("br"), ["one", "two", "few", "many", "other"]);
    }

    #[test]
    fn forms_of_gettext_have_the_category_of_their_numbers() {
        let of = |code: &str| categories_of_forms(&resolve(code)).unwrap();
        assert_eq!(of("en"), ["one", "other"]);
        assert_eq!(of("ja"), ["other"]);
        assert_eq!(of("pl"), ["one", "few", "many"]);
        assert_eq!(of("ca"), ["one", "other"]);
        assert_eq!(of("fr"), ["one", "other"]);
        assert_eq!(of("cs"), ["one", "few", "other"]);
        assert_eq!(of("lv"), ["zero", "one", "other"]);
    }

    #[test]
    fn categories_come_from_cldr() {
        assert_eq!(plural_categories("pl"), Some(&["one", "few", "many"][..]));
        assert_eq!(plural_categories("cs"), Some(&["one", "few", "other"][..]));
        assert_eq!(plural_categories("de_AT"), Some(&["one", "other"][..]));
        assert_eq!(plural_categories("ja"), Some(&["other"][..]));
        assert_eq!(plural_categories("xx"), None);
    }

    #[test]
    fn some_languages_have_a_category_for_fractions() {
        assert!(is_for_fractions("cs_CZ", "many") && is_for_fractions("lt", "many"));
        assert!(!is_for_fractions("cs", "few") && !is_for_fractions("hr", "many"));
    }

    #[test]
    fn languages_with_a_single_form_are_known_by_file_code() {
        assert!(
            has_single_form("ja")
                && has_single_form("zh-Hans")
                && !has_single_form("de")
                && !has_single_form("xx")
        );
    }

    #[test]
    fn missing_categories_are_named() {
        let present = [("one", "1 plik"), ("other", "")];
        assert_eq!(missing_categories("pl", &present), ["few", "many"]);
        assert!(missing_categories("en", &[("one", "a"), ("other", "b")]).is_empty());
        assert!(missing_categories("xx", &[]).is_empty());
    }
}
