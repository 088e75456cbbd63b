//! Unchanged translations (`checks.md` 4).

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::Words;
use super::html::without_tags;
use super::pair::at_most;

/// Whether a language is so near to the source language that equal texts say nothing. Both are base codes. Weblate
/// looks for the one inside the other, so English as the source language also leaves out the codes `e` and `n`.
pub(super) fn is_skipped(language: &str, source_language: &str) -> bool {
    source_language.contains(language) || (source_language == "en" && language == "ia")
}

/// Whether a text that is its own translation looks as if nobody had translated it.
pub(super) fn is_untranslated(text: &str, comment: &str, words: &Words) -> bool {
    if at_most(text, 1)
        || is_upper_case(text)
        || matches!(comment, "Tag: screen" | "Tag: indexterm" | "Tag: programlisting")
        || at_most(text.trim_matches(|char: char| char.is_ascii_digit() || ":/,.".contains(char)), 1)
        || text.contains('\u{a9}')
    {
        return false;
    }
    let lower = text.to_lowercase();
    if lower.contains("(c) copyright") {
        return false;
    }
    let stripped = stripped(&lower);
    !at_most(&stripped, 1) && !split(&stripped).all(|word| at_most(word, 2) || words.contains(word))
}

/// Some letter has a case, and none is a small or title-case one.
fn is_upper_case(text: &str) -> bool {
    let title = |char| {
        matches!(char, '\u{1c5}' | '\u{1c8}' | '\u{1cb}' | '\u{1f2}' | '\u{1f88}'..='\u{1f8f}' | '\u{1f98}'..='\u{1f9f}')
            || matches!(char, '\u{1fa8}'..='\u{1faf}' | '\u{1fbc}' | '\u{1fcc}' | '\u{1ffc}')
    };
    text.chars().any(char::is_uppercase) && !text.chars().any(|char| char.is_lowercase() || title(char))
}

macro_rules! host {
    () => {
        r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,6}\.?|[a-z0-9-]{2,}\.?)"
    };
}

/// What is no text for people, in the order in which it goes: one of the characters, without which there is nothing to
/// look for; the pattern; what stands there instead.
static NO_TEXT: LazyLock<Vec<(&str, Regex, &str)>> = LazyLock::new(|| {
    [
        ("", "[\u{2600}-\u{27bf}\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}]", " "),
        ("@", r"[a-z0-9_.-]+@[a-z0-9_.-]+\.[a-z0-9-]{2,}", ""),
        (
            "/",
            concat!(
                r"(?:https?|ftps?)://(?:",
                host!(),
                r"|localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:/?|[/?][^\s\x1c-\x1f]+)\n?$",
            ),
            "",
        ),
        ("#", "#[A-Za-z0-9_-]*", ""),
        (".", host!(), ""),
        ("/", r"(?:^| )(?:/[a-zA-Z0-9=:?._-]+)+", ""),
        ("{@", r"\{[a-z_-]+\}|@[A-Z_]@", ""),
    ]
    .into_iter()
    .filter_map(|(sign, pattern, instead)| Some((sign, Regex::new(pattern).ok()?, instead)))
    .collect()
});

/// A lower-case text without markup, addresses, paths and placeholders.
fn stripped(lower: &str) -> Cow<'_, str> {
    let mut text = if lower.contains('<') { Cow::Owned(without_tags(lower)) } else { Cow::Borrowed(lower) };
    for (signs, pattern, instead) in NO_TEXT.iter() {
        let wanted = if signs.is_empty() { !text.is_ascii() } else { text.contains(|char| signs.contains(char)) };
        if wanted && let Cow::Owned(shorter) = pattern.replace_all(&text, *instead) {
            text = Cow::Owned(shorter);
        }
    }
    text
}

const ENTITIES: [&str; 9] = ["&nbsp;", "&rsaquo;", "&lt;", "&gt;", "&amp;", "&ldquo;", "&rdquo;", "&times;", "&quot;"];

/// The words of a text: what stands between signs. Letters, `$`, tabs and most signs beyond ASCII belong to words.
pub(super) fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = skip_signs(rest);
        let end = rest.find(is_sign).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

fn skip_signs(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|char| is_sign(char) && char != '&');
        if !rest.starts_with('&') {
            return rest;
        }
        let entity = ENTITIES.iter().find_map(|entity| rest.strip_prefix(entity));
        rest = entity.or_else(|| rest.strip_prefix('&')).unwrap_or_default();
    }
}

fn is_sign(char: char) -> bool {
    matches!(char, ' '..='#' | '%'..='@' | '['..='`' | '{'..='~' | '\r' | '\n')
        || matches!(char, '\u{2011}' | '\u{2014}' | '\u{2026}' | '\u{2713}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        Words::parse("mail\nsettings").unwrap()
    }

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(NO_TEXT.len(), 7);
    }

    #[test]
    fn addresses_paths_and_placeholders_are_no_text() {
        for (text, left) in [
            ("me@example.org!", "!"),
            ("at https://a.example.org/b?c", "at "),
            ("https://a.example.org:80/b c", "https://:80/b c"),
            ("http://localhost/x", ""),
            ("ftp://10.0.0.1", ""),
            ("#a-b c #", " c "),
            ("see a-b.net. now", "see  now"),
            ("see a.museums", "see s"),
            ("a /usr/bin /x", "a"),
            ("a/usr", "a/usr"),
            ("{name}{two words}@_@", "{two words}"),
            ("\u{1f600}\u{2713}x", "  x"),
            ("<b>x</b>", "x"),
        ] {
            assert_eq!(stripped(text), left, "{text}");
        }
    }

    #[test]
    fn signs_digits_and_entities_part_words() {
        let words = |text| split(text).collect::<Vec<_>>();
        assert_eq!(words("wi-fi, 4you\u{2026}&nbsp;&amp;&copy;"), ["wi", "fi", "you", "copy"]);
        assert_eq!(words("$user$ a\tb \u{a1}c"), ["$user$", "a\tb", "\u{a1}c"]);
        assert_eq!(words(""), Vec::<&str>::new());
    }

    #[test]
    fn a_text_of_known_words_may_stay_as_it_is() {
        assert!(!is_untranslated("E-Mail settings", "", &words()));
        assert!(is_untranslated("Open settings", "", &words()));
        assert!(!is_untranslated("Open settings", "Tag: screen", &words()));
    }

    #[test]
    fn capital_letters_are_a_name() {
        assert!(is_upper_case("ÀÉ 1") && !is_upper_case("12") && !is_upper_case("A\u{1c5}") && !is_upper_case("Aa"));
    }

    #[test]
    fn english_is_near_to_interlingua_and_to_every_english() {
        assert!(is_skipped("en", "en") && is_skipped("ia", "en") && is_skipped("e", "en") && is_skipped("st", "ast"));
        assert!(!is_skipped("ia", "fr") && !is_skipped("de", "en"));
    }
}
