//! Unchanged translations (`docs/spec/checks.md#unchanged-translations`).

mod names;
pub(crate) mod unchanged;

use std::borrow::Cow;

use crate::html::without_tags;
use crate::lazy_regex::LazyRegex;
use crate::pair::at_most;
use crate::words::Words;

rule! {
    /// A text that equals its source is often one that nobody translated yet, or that a tool copied.
    ///
    /// Names, units, abbreviations, codes, addresses and placeholders may stay, and so may texts in which one word of a language with
    /// Latin letters is left, unless it is a sentence. Words of the list `same_words` and names of the template may stay, too. The
    /// flag `strict-same` permits only single characters and texts of placeholders.
    SAME: "same" "Unchanged translation" "The translation equals the source text." Note;
    fails "json" "de" "Choose the file that you want to open" "Choose the file that you want to open";
    passes "json" "de" "{{value}} kcal" "{{value}} kcal";
    passes "json" "de" "Interval" "Interval";
    passes "po" "en_GB" "Choose the file" "Choose the file";
}

/// Whether equal texts are normal for this pair of base codes. Weblate searches for the language as a substring of the
/// source language, so English as the source language also excludes the codes `e` and `n`.
pub(crate) fn is_skipped(language: &str, source_language: &str) -> bool {
    source_language.contains(language) || (source_language == "en" && language == "ia")
}

/// Whether a text that equals its translation is probably untranslated.
pub(crate) fn is_untranslated(text: &str, comment: &str, words: &Words) -> bool {
    is_untranslated_with(text, comment, |word| words.contains(word), |text| text)
}

/// As [`is_untranslated`], with functions that recognise ignored words and remove placeholders from the lower-case
/// text.
pub(crate) fn is_untranslated_with(
    text: &str,
    comment: &str,
    is_ignored: impl Fn(&str) -> bool,
    strip_placeholders: impl FnOnce(String) -> String,
) -> bool {
    if at_most(text, 1)
        || is_upper_case(text)
        || matches!(
            comment,
            "Tag: screen" | "Tag: indexterm" | "Tag: programlisting"
        )
        || at_most(
            text.trim_matches(|char: char| char.is_ascii_digit() || ":/,.".contains(char)),
            1,
        )
        || text.contains('\u{a9}')
    {
        return false;
    }
    let lower = text.to_lowercase();
    if lower.contains("(c) copyright") {
        return false;
    }
    let plain = strip_placeholders(without_tags(&lower));
    let stripped = stripped(&plain);
    !at_most(&stripped, 1) && !split(&stripped).all(|word| at_most(word, 2) || is_ignored(word))
}

static TITLE_CASE: LazyRegex = LazyRegex::new(r"\p{Lt}");

/// Whether the text has at least one cased character and no lower-case or title-case one.
pub(crate) fn is_upper_case(text: &str) -> bool {
    let title = |char: char| !char.is_ascii() && TITLE_CASE.has(char);
    text.chars().any(char::is_uppercase)
        && !text.chars().any(|char| char.is_lowercase() || title(char))
}

macro_rules! host {
    () => {
        r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,6}\.?|[a-z0-9-]{2,}\.?)"
    };
}

/// The parts to strip, in this order: characters of which at least one must be present for the pattern to match, the
/// pattern, and the replacement.
static STRIPPED: [(&str, LazyRegex, &str); 7] = [
    (
        "",
        LazyRegex::new("[\u{2600}-\u{27bf}\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}]"),
        " ",
    ),
    (
        "@",
        LazyRegex::new(r"[a-z0-9_.-]+@[a-z0-9_.-]+\.[a-z0-9-]{2,}"),
        "",
    ),
    (
        "/",
        LazyRegex::new(concat!(
            r"(?:https?|ftps?)://(?:",
            host!(),
            r"|localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:/?|[/?][^\s\x1c-\x1f]+)\n?$",
        )),
        "",
    ),
    ("#", LazyRegex::new("#[A-Za-z0-9_-]*"), ""),
    (".", LazyRegex::new(host!()), ""),
    ("/", LazyRegex::new(r"(?:^| )(?:/[a-zA-Z0-9=:?._-]+)+"), ""),
    ("{@", LazyRegex::new(r"\{[a-z_-]+\}|@[A-Z_]@"), ""),
];

/// Removes addresses, paths and templates from a lower-case text.
fn stripped(lower: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(lower);
    for (signs, pattern, replacement) in &STRIPPED {
        let may_match = if signs.is_empty() {
            !text.is_ascii()
        } else {
            text.contains(|char| signs.contains(char))
        };
        if may_match && let Cow::Owned(shorter) = pattern.replace_all(&text, *replacement) {
            text = Cow::Owned(shorter);
        }
    }
    text
}

const ENTITIES: [&str; 9] = [
    "&nbsp;", "&rsaquo;", "&lt;", "&gt;", "&amp;", "&ldquo;", "&rdquo;", "&times;", "&quot;",
];

/// Splits a text into words (`docs/spec/checks.md#words`). Letters, `$`, tabs and most characters beyond ASCII belong
/// to words.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = skip_separators(rest);
        let end = rest.find(is_separator).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

fn skip_separators(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|char| is_separator(char) && char != '&');
        if !rest.starts_with('&') {
            return rest;
        }
        let entity = ENTITIES.iter().find_map(|entity| rest.strip_prefix(entity));
        rest = entity.unwrap_or(&rest[1..]);
    }
}

fn is_separator(char: char) -> bool {
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
        assert_eq!(STRIPPED.len(), 7);
    }

    #[test]
    fn addresses_paths_and_templates_are_stripped() {
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
        ] {
            assert_eq!(stripped(text), left, "{text}");
        }
    }

    #[test]
    fn punctuation_digits_and_entities_separate_words() {
        let words = |text| split(text).collect::<Vec<_>>();
        assert_eq!(
            words("wi-fi, 4you\u{2026}&nbsp;&amp;&copy;"),
            ["wi", "fi", "you", "copy"]
        );
        assert_eq!(words("$user$ a\tb \u{a1}c"), ["$user$", "a\tb", "\u{a1}c"]);
        assert_eq!(words(""), Vec::<&str>::new());
    }

    #[test]
    fn a_text_of_ignored_words_may_stay_unchanged() {
        assert!(!is_untranslated("E-Mail settings", "", &words()));
        assert!(is_untranslated("Open settings", "", &words()));
        assert!(!is_untranslated("Open settings", "Tag: screen", &words()));
    }

    #[test]
    fn upper_case_needs_a_cased_character() {
        assert!(
            is_upper_case("ÀÉ 1")
                && !is_upper_case("12")
                && !is_upper_case("A\u{1c5}")
                && !is_upper_case("Aa")
        );
    }

    #[test]
    fn same_skips_interlingua_and_every_english_for_english() {
        assert!(
            is_skipped("en", "en")
                && is_skipped("ia", "en")
                && is_skipped("e", "en")
                && is_skipped("st", "ast")
        );
        assert!(!is_skipped("ia", "fr") && !is_skipped("de", "en"));
    }
}
