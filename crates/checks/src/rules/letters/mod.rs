//! Letters and words (`docs/spec/checks.md#text-checks`).

pub(crate) mod capitals;
pub(crate) mod repeated;

use std::collections::HashSet;
use std::ops::Range;

use crate::finding::{FaultKind, PartialFinding};
use crate::input::FormPair;
use crate::lazy_regex::LazyRegex;
use crate::registry::CheckId;

rule! {
    /// Two capital letters at the start of a word are a slip of the keyboard.
    ///
    /// Inferred checks report only words with two capital letters and at least two small ones that the source does not have, and know
    /// `IJ` in Dutch and prefixes of Nguni languages. Abbreviations and names are inserted on purpose.
    MULTIPLE_CAPITAL: "multiple_capital" "Multiple capitals" "The translation has a word with several capital letters." Note;
    fails "json" "de" "Search the net" "DIese Suche im Netz";
    passes "json" "nl" "The lake" "Het IJsselmeer";
}

rule! {
    /// Kabyle letters look like Greek and Turkish ones, which keyboards have instead: searches do not find such words.
    KABYLE_CHARACTERS: "kabyle-characters" "Non-standard characters in Kabyle" "The translation has a letter of another alphabet that looks like a Kabyle letter." Note;
    fails "json" "kab" "Money" "Aγ";
    passes "json" "kab" "Money" "Aɣ";
}

rule! {
    /// The kashida U+0640 makes Arabic words longer for decoration. It disturbs searches, fonts and screen readers.
    KASHIDA: "kashida" "Kashida letter used" "The translation has a decorative kashida letter." Note;
    fails "json" "ar" "Save" "حـفظ";
    passes "json" "ar" "Save" "حفظ";
}

rule! {
    /// A word twice in a row is usually a slip.
    ///
    /// Inferred checks accept languages that repeat words, pronouns and articles that may follow each other such as `die die`, members of a
    /// list, and repetitions that the source has.
    DUPLICATE: "duplicate" "Consecutive duplicated words" "The translation has a word twice in a row." Note;
    fails "json" "fr" "To be sure that" "Pour être sûr que que";
    passes "json" "de" "Those who" "Die, die die";
}

/// Finds a word with consecutive capital letters, unless the source has one.
pub(crate) fn multiple_capital(pair: &FormPair) -> Option<PartialFinding> {
    let at = consecutive_capitals(pair.target)?;
    if consecutive_capitals(pair.source).is_some() {
        return None;
    }
    let message = "The translation has a word with several capital letters, the source has none.";
    Some(PartialFinding::in_target(pair, message, at))
}

fn consecutive_capitals(text: &str) -> Option<Range<usize>> {
    if text.is_ascii() {
        let mut pairs = text.as_bytes().windows(2);
        let at = pairs.position(|pair| pair.iter().all(u8::is_ascii_uppercase))?;
        return Some(at..at + 2);
    }
    let mut start = None;
    for (at, char) in text.char_indices() {
        match start {
            Some(start) if char.is_uppercase() => return Some(start..at + char.len_utf8()),
            _ => start = char.is_uppercase().then_some(at),
        }
    }
    None
}

/// Finds a tatweel between two characters of the Arabic script.
pub(crate) fn kashida(pair: &FormPair) -> Option<PartialFinding> {
    // The first bytes of the characters of `is_kashida`.
    memchr::memchr2(0xD9, 0xEF, pair.target.as_bytes())?;
    let mut before = None;
    let mut start = None;
    for (at, char) in pair.target.char_indices() {
        if is_kashida(char) {
            if start.is_none() && before.is_some_and(is_arabic) {
                start = Some(at);
            }
        } else {
            if let Some(start) = start.take()
                && is_arabic(char)
            {
                let message = CheckId::Kashida.description();
                return Some(PartialFinding::in_target(pair, message, start..at));
            }
            before = Some(char);
        }
    }
    None
}

fn is_kashida(char: char) -> bool {
    matches!(
        char,
        '\u{640}' | '\u{fcf2}'
            ..='\u{fcf4}'
                | '\u{fe71}'
                | '\u{fe77}'
                | '\u{fe79}'
                | '\u{fe7b}'
                | '\u{fe7d}'
                | '\u{fe7f}'
    )
}

static ARABIC: LazyRegex = LazyRegex::new(r"\p{Script=Arabic}");

/// Whether a character belongs to the Arabic script.
fn is_arabic(char: char) -> bool {
    !char.is_ascii() && ARABIC.has(char)
}

/// Greek and Turkish letters that look like letters of Kabyle.
const NOT_KABYLE: &[char] = &[
    '\u{3b3}', '\u{393}', '\u{3b5}', '\u{395}', '\u{11f}', '\u{11e}',
];

/// Finds a letter of another alphabet in a Kabyle text.
pub(crate) fn kabyle(pair: &FormPair) -> Option<PartialFinding> {
    let at = pair.target.find(NOT_KABYLE)?;
    let message = CheckId::KabyleCharacters.description();
    Some(PartialFinding::in_target(pair, message, at..at + 2))
}

/// Words that grammar repeats, by base code.
const REPEATED_BY_GRAMMAR: &[(&str, &[&str])] = &[
    ("fr", &["nous", "vous"]),
    ("fy", &["jo", "mei"]),
    ("hi", &["कर"]),
    ("sq", &["të"]),
    ("tr", &["adım", "gıcır", "sık", "tek"]),
];

/// Finds a word that occurs several times in a row, unless the source has as many repetitions or repeats the same word.
/// `placeholders` returns the bytes of the placeholders of a text, which are no words.
pub(crate) fn duplicate(
    pair: &FormPair,
    language: &str,
    placeholders: impl Fn(&str) -> Vec<Range<usize>>,
) -> Option<PartialFinding> {
    let mut repeated = REPEATED_BY_GRAMMAR.iter();
    let of_language = repeated.find(|(code, _)| *code == language);
    let allowed = of_language.map_or(&[][..], |(_, words)| words);
    let mut found = repeated_words(pair.target, allowed, &[]);
    if found.is_empty() {
        return None;
    }
    let ranges = placeholders(pair.target);
    if !ranges.is_empty() {
        found = repeated_words(pair.target, allowed, &ranges);
    }
    let wanted = repeated_words(pair.source, &[], &placeholders(pair.source));
    let counts =
        |words: &[RepeatedWord<'_>]| words.iter().map(|word| word.count).collect::<Vec<_>>();
    if counts(&found) == counts(&wanted) {
        return None;
    }
    let wanted: HashSet<&str> = wanted.iter().map(|word| word.text).collect();
    let word = found.iter().find(|word| !wanted.contains(word.text))?;
    let message = CheckId::Duplicate.description();
    let finding = PartialFinding::in_target(pair, message, word.range.clone());
    Some(finding.with_fault(FaultKind::Extra, word.text, pair.target_form))
}

/// A word that occurs several times in a row.
struct RepeatedWord<'a> {
    text: &'a str,
    count: usize,
    /// From the first to the last occurrence.
    range: Range<usize>,
}

/// Finds words that occur several times in a row. Words end at whitespace and parentheses; punctuation belongs to them.
/// Words of one character, `allowed` words and words with placeholders do not count.
fn repeated_words<'a>(
    text: &'a str,
    allowed: &[&str],
    placeholders: &[Range<usize>],
) -> Vec<RepeatedWord<'a>> {
    let mut words: Vec<RepeatedWord<'a>> = Vec::new();
    let mut previous: Option<(&str, usize)> = None;
    let mut repeats = false;
    let mut at = 0;
    let is_separator = |char: char| char.is_whitespace() || matches!(char, '(' | ')');
    for word in text.split_inclusive(is_separator) {
        let start = at;
        at += word.len();
        let word = word.trim_end_matches(is_separator);
        if word.is_empty() {
            continue;
        }
        let end = start + word.len();
        let is_word = || {
            let next = placeholders.partition_point(|range| range.end <= start);
            let placeholder = placeholders.get(next);
            word.chars().nth(1).is_some()
                && !allowed.contains(&word)
                && placeholder.is_none_or(|range| range.start >= end)
        };
        match (previous, words.last_mut()) {
            (Some((before, _)), Some(last)) if before == word && repeats && is_word() => {
                last.count += 1;
                last.range.end = end;
            }
            (Some((before, begin)), _) if before == word && is_word() => {
                repeats = true;
                words.push(RepeatedWord {
                    text: word,
                    count: 2,
                    range: begin..end,
                });
            }
            _ => repeats = false,
        }
        previous = Some((word, start));
    }
    words
}
