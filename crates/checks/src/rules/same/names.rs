//! Texts that stay the same in all languages: names, units, abbreviations, codes and addresses.

use std::borrow::Cow;

use crate::html::without_tags;
use crate::languages;
use crate::lazy_regex::LazyRegex;
use gitglot_model::steps;

/// Units and abbreviations that are no words of the built-in list.
const UNITS: &[&str] = &[
    "bpm", "dpi", "eib", "exabyte", "fps", "gbit", "ghz", "gib", "gigabyte", "gpx", "hpa", "hrs",
    "kbit", "kbps", "kcal", "khz", "kib", "kilobyte", "kwh", "lbs", "mbit", "mbps", "megabyte",
    "mhz", "mib", "min", "mmol", "mph", "pib", "ppm", "rpm", "sec", "tib",
];

/// Placeholders of all styles, entities, addresses, paths and endings of files.
static PLACEHOLDER: LazyRegex = LazyRegex::new(concat!(
    r"\$t\([^)]*\)|\$?\{\{[^{}]*\}\}|[%$#]?\{[^{}]*\}|%\([^)]*\)[a-zA-Z]|%<[^>]*>[a-zA-Z]?",
    r"|%(?:\d+\$)?[-+#0,']*[0-9.]*(?:hh|h|ll|l|L|q|z|t|j)?[a-zA-Z@]|%[A-Za-z0-9_]+%|%\d+",
    r"|\$[A-Za-z0-9_]+\$|\$\d|@[.:][\w.:()/-]+|&#?[A-Za-z0-9]+;|</?\d+/?>",
    r"|[a-zA-Z][a-zA-Z0-9+.-]*://\S+|\S+@\S+\.\S+|\*\.\w+",
));

/// Whether a text that equals its source has no word that must be translated. `is_known` knows words that may stay, in
/// lower case.
pub(crate) fn is_name(text: &str, language: &str, is_known: impl Fn(&str) -> bool) -> bool {
    let mut plain = without_tags(text);
    // Placeholders can contain others.
    for _ in 0..3 {
        steps::count(plain.len());
        match PLACEHOLDER.replace_all(&plain, " ") {
            Cow::Owned(shorter) if shorter != plain => plain = shorter,
            _ => break,
        }
    }
    let mut words = plain
        .split(|char: char| char.is_whitespace() || "()[]{},;!?\"“”«»|<>•·×=+*&".contains(char))
        .flat_map(parts)
        .filter(|word| !is_code(word) && !is_known(&word.to_lowercase()));
    match (words.next(), words.next()) {
        (None, _) => true,
        // Languages that take most of their words from English.
        _ if matches!(language, "en" | "jam" | "pcm") => true,
        // Single words are often the same in languages of one script, but not those that join others.
        (Some(_), None) => is_latin(language) && !is_sentence(&plain),
        _ => false,
    }
}

/// Words of English that only sentences have.
const JOINING: &[&str] = &[
    "are", "is", "the", "this", "to", "what", "which", "who", "your",
];

/// Whether a text has two of the English words that join others.
fn is_sentence(text: &str) -> bool {
    let mut words = text.split(|char: char| !char.is_alphabetic());
    let is_joining = |word: &str| JOINING.iter().any(|other| other.eq_ignore_ascii_case(word));
    words.by_ref().any(is_joining) && words.any(is_joining)
}

/// The parts of a word with hyphens, unless it is a code.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let separators: &[char] = if is_code(word) {
        &[]
    } else {
        &['-', '/', '–', '—', '…', '.', ':']
    };
    word.split(separators)
}

/// Whether a word is an abbreviation, an identifier or a name with an unusual spelling.
fn is_code(word: &str) -> bool {
    let word = word.trim_matches(|char: char| !char.is_alphanumeric());
    let letters = || word.chars().filter(|char| char.is_alphabetic());
    letters().nth(2).is_none()
        || word.chars().any(|char| char.is_ascii_digit())
        || letters().all(char::is_uppercase)
        || word.contains(['_', '\\', '@', '#', '~'])
        || has_inner_capital(word)
        || is_file(word)
        || UNITS.binary_search(&word.to_lowercase().as_str()).is_ok()
}

fn has_inner_capital(word: &str) -> bool {
    let mut chars = word.chars();
    let mut before = chars.next().is_some_and(char::is_lowercase);
    chars.any(|char| std::mem::replace(&mut before, char.is_lowercase()) && char.is_uppercase())
}

/// Whether a word is a path, or a name with a dot in it.
fn is_file(word: &str) -> bool {
    let is_inside = |at: usize| {
        let (before, after) = word.split_at(at);
        before.ends_with(char::is_alphanumeric)
            && after
                .get(1..)
                .is_some_and(|rest| rest.starts_with(char::is_alphabetic))
    };
    word.match_indices('.').any(|(at, _)| is_inside(at)) || word.matches('/').count() > 1
}

/// Whether the language is written with Latin letters.
fn is_latin(language: &str) -> bool {
    const OTHERS: &[&str] = &[
        "ab", "am", "ar", "as", "ba", "be", "bg", "bn", "ckb", "cv", "dv", "el", "fa", "gu", "he",
        "hi", "hy", "ka", "kk", "kn", "ko", "ky", "mk", "ml", "mn", "mr", "ne", "or", "os", "pa",
        "ps", "ru", "sa", "sd", "si", "sr", "ta", "te", "tg", "ti", "tt", "ug", "uk", "ur", "yi",
    ];
    !languages::has_no_spaces(language) && !OTHERS.contains(&language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_units_and_addresses_may_stay() {
        let is_name = |text, language| is_name(text, language, |word| word == "firefox");
        for text in [
            "%1$.2f Mbps",
            "{{value}} kcal",
            "{ $width } × { $height } { $unit }",
            "{ NUMBER($kb, maximumSignificantDigits: 2) } KB",
            "GitHub / GitLab",
            "https://example.org/path",
            "config.yaml",
            "H.265",
            "Firefox",
            "%{count} MB",
            "<0>{{name}}</0>",
            "@:general.open",
            "uBO",
            "SWF (*.swf)",
            "",
        ] {
            assert!(is_name(text, "ru"), "{text}");
        }
        for text in ["Save", "Save file", "{{count}} items", "Delete {name}?"] {
            assert!(!is_name(text, "ru"), "{text}");
        }
        assert!(is_name("Interval", "de") && !is_name("Save file", "de"));
        assert!(is_name("PDF to HTML", "de") && !is_name("What is to do?", "de"));
        assert!(is_name("Superset {{number}}", "de") && !is_name("Next week {{number}}", "de"));
    }

    #[test]
    fn units_are_sorted() {
        assert!(UNITS.is_sorted());
    }
}
