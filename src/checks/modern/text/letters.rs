//! Letters and words (`docs/spec/checks.md#text-checks`).

use super::super::finding::{PartialFinding, TextSide};
use super::super::unit::FormPair;

/// Finds a word with consecutive capital letters, unless the source has one.
pub(in super::super) fn multiple_capital(pair: &FormPair) -> Option<PartialFinding> {
    let at = consecutive_capitals(pair.target)?;
    if consecutive_capitals(pair.source).is_some() {
        return None;
    }
    let problem = PartialFinding::new(
        "The translation has a word with several capital letters, the source has none.",
    );
    Some(problem.with(TextSide::Target, pair.target_form, at))
}

fn consecutive_capitals(text: &str) -> Option<std::ops::Range<usize>> {
    if text.is_ascii() {
        let pairs = text.as_bytes().windows(2);
        let at = pairs
            .into_iter()
            .position(|pair| pair.iter().all(u8::is_ascii_uppercase))?;
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

/// Finds a tatweel between two Arabic letters.
pub(in super::super) fn kashida(pair: &FormPair) -> Option<PartialFinding> {
    if pair.target.is_ascii() {
        return None;
    }
    let mut before = None;
    let mut start = None;
    for (at, char) in pair.target.char_indices() {
        if is_kashida(char) {
            if start.is_none() && before.is_some_and(is_arabic_letter) {
                start = Some(at);
            }
        } else {
            if let Some(start) = start.take()
                && is_arabic_letter(char)
            {
                let problem =
                    PartialFinding::new("The translation has a decorative kashida letter.");
                return Some(problem.with(TextSide::Target, pair.target_form, start..at));
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

fn is_arabic_letter(char: char) -> bool {
    matches!(char, '\u{620}'..='\u{63f}' | '\u{641}'..='\u{64a}' | '\u{66e}'..='\u{6d3}' | '\u{6d5}' | '\u{6ee}'..='\u{6ef}')
        || matches!(char, '\u{6fa}'..='\u{6fc}' | '\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{8a0}'..='\u{8c9}')
}

/// Words that grammar repeats, by base code.
const REPEATED_BY_GRAMMAR: &[(&str, &[&str])] = &[("fr", &["nous", "vous"])];

/// Finds a word that occurs twice in a row, unless the source repeats a word.
pub(in super::super) fn duplicate(pair: &FormPair, language: &str) -> Option<PartialFinding> {
    let allowed = REPEATED_BY_GRAMMAR
        .iter()
        .find(|(code, _)| *code == language)
        .map_or(&[][..], |(_, words)| words);
    let range = repeated_word(pair.target, allowed)?;
    if repeated_word(pair.source, &[]).is_some() {
        return None;
    }
    let problem = PartialFinding::new("The translation has a word twice in a row.");
    Some(problem.with(TextSide::Target, pair.target_form, range))
}

/// Words are separated by whitespace and parentheses, and have at least two characters. Punctuation belongs to the word.
fn repeated_word(text: &str, allowed: &[&str]) -> Option<std::ops::Range<usize>> {
    let mut previous: Option<(&str, usize)> = None;
    let mut at = 0;
    for word in text.split(|char: char| char.is_whitespace() || matches!(char, '(' | ')')) {
        let start = at;
        if !word.is_empty() {
            if let Some((before, begin)) = previous
                && before == word
                && word.chars().nth(1).is_some()
                && !allowed.contains(&word)
            {
                return Some(begin..start + word.len());
            }
            previous = Some((word, start));
        }
        let separator = text
            .get(start + word.len()..)?
            .chars()
            .next()
            .map_or(0, char::len_utf8);
        at = start + word.len() + separator;
    }
    None
}
