//! Recognizes language codes and names of templates.

use std::collections::HashMap;

use gitglot_model::language;

/// Recognizes language codes, with a cache.
#[derive(Default)]
pub(super) struct Codes<'a> {
    known: HashMap<&'a str, bool>,
}

impl<'a> Codes<'a> {
    /// Whether a text is a built-in language code, optionally with another region or script.
    pub fn is_language(&mut self, code: &'a str) -> bool {
        *self.known.entry(code).or_insert_with(|| is_language(code))
    }
}

fn is_language(code: &str) -> bool {
    if code.is_empty() || code.len() > 20 || special_rank(code).is_some() {
        return false;
    }
    if language::resolve(code).rank.is_some() {
        return true;
    }
    // Android's notation of codes with a script.
    let code = code.strip_prefix("b+").unwrap_or(code);
    let mut parts = code.split(['-', '_', '@', '+']);
    let base = parts.next().unwrap_or("");
    (2..=3).contains(&base.len()) && parts.all(is_region) && language::resolve(base).rank.is_some()
}

/// Scripts of ISO 15924 that languages are written in today, and a few older ones. Other words of four letters are none:
/// `tsconfig.no-decl.json`.
const SCRIPTS: [&str; 61] = [
    "adlm", "arab", "armn", "beng", "bopo", "brai", "cakm", "cans", "cham", "cher", "copt", "cyrl",
    "deva", "ethi", "geor", "goth", "grek", "gujr", "guru", "hang", "hani", "hans", "hant", "hebr",
    "hmnp", "java", "jpan", "khmr", "knda", "kore", "lana", "laoo", "latn", "lepc", "limb", "lisu",
    "mand", "mlym", "mong", "mtei", "mymr", "nkoo", "olck", "orya", "osge", "rohg", "runr", "shaw",
    "sinh", "sund", "syrc", "tale", "talu", "taml", "telu", "tfng", "thaa", "thai", "tibt", "vaii",
    "yiii",
];

/// A region (`BR`, `419`, Android's `rBR`, a doubled language as in `kab-KAB`) or a script (`Hant`).
fn is_region(part: &str) -> bool {
    let letters = part.chars().all(|c| c.is_ascii_alphabetic());
    match part.len() {
        2 => letters,
        4 => SCRIPTS
            .iter()
            .any(|script| part.eq_ignore_ascii_case(script)),
        3 if letters => part.starts_with('r') || part.chars().all(|c| c.is_ascii_uppercase()),
        3 => part.chars().all(|c| c.is_ascii_digit()),
        _ => false,
    }
}

/// Names of templates that are not language codes, most certain first.
const SPECIAL: [&str; 7] = [
    "source",
    "template",
    "templates",
    "base",
    "basefile",
    "default",
    "reference",
];

fn special_rank(code: &str) -> Option<usize> {
    SPECIAL
        .iter()
        .position(|name| code.eq_ignore_ascii_case(name))
}

/// Whether a name is that of a template only next to translations: a word with other uses, unlike `source`.
pub(super) fn is_common_word(code: &str) -> bool {
    special_rank(code).is_some_and(|rank| rank > 0)
}

/// The rank of `en_US`.
pub(super) const AMERICAN_RANK: usize = 2;
/// Names with this rank and higher ones, up to [`FIRST_UNCERTAIN_RANK`], are variants of English.
pub(super) const FIRST_VARIANT_RANK: usize = 9;
/// Names with a lower rank are certainly those of templates.
pub(super) const FIRST_UNCERTAIN_RANK: usize = 10;

/// Ranks how certainly a name is that of a template, 0 first; `None` if it is not.
pub(super) fn template_rank(code: &str) -> Option<usize> {
    const ENGLISH: [&str; 4] = ["en", "en_us", "en_en", "english"];
    match special_rank(code) {
        // Weblate never treats a file with this code as a translation.
        Some(0) => return Some(0),
        Some(rank) => return Some(20 + rank),
        None => {}
    }
    let code = code.to_ascii_lowercase().replace('-', "_");
    match ENGLISH.iter().position(|name| *name == code) {
        Some(rank) => Some(1 + rank),
        None if code == "en_gb" => Some(FIRST_VARIANT_RANK),
        None => (code.starts_with("en_") && is_language(&code)).then_some(FIRST_UNCERTAIN_RANK),
    }
}

/// The name that is most certainly that of a template, if one can be.
pub(super) fn most_certain_template<'c>(codes: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let ranked = codes.filter_map(|code| Some((template_rank(code)?, code)));
    ranked.min().map(|(_, code)| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_codes_are_recognized() {
        for code in [
            "cs",
            "pt_BR",
            "pt-rBR",
            "zh-Hant",
            "es_419",
            "kab-KAB",
            "de-CH",
            "bg-bg",
            "sr_Cyrl",
            "zh_Hant_TW",
            "b+sr+Latn",
            "b+es+419",
        ] {
            assert!(is_language(code), "{code}");
        }
        for word in [
            "",
            "common",
            "messages",
            "no-var",
            "is-odd-number",
            "no-decl",
            "percentages",
            "manifest",
            "source",
            "index",
            "b+",
            "night",
            "v21",
            "sw600dp",
        ] {
            assert!(!is_language(word), "{word}");
        }
    }

    #[test]
    fn english_is_preferred_as_template() {
        let mut names = [
            "default",
            "en-AU",
            "en_GB",
            "templates",
            "template",
            "en",
            "en-us",
            "source",
            "en_EN",
        ];
        names.sort_by_key(|name| template_rank(name));
        assert_eq!(
            names,
            [
                "source",
                "en",
                "en-us",
                "en_EN",
                "en_GB",
                "en-AU",
                "template",
                "templates",
                "default"
            ]
        );
        assert_eq!(template_rank("cs"), None);
        assert_eq!(template_rank("environment"), None);
    }
}
