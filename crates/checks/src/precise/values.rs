//! Values that a translation has in place of a placeholder: `OpenSubtitles.com` for `%1`.

use std::ops::Range;

use super::super::tokens;
use crate::{CheckId, CheckInput};

/// The characters of placeholders, also those that typing errors leave: `1%` for `%1`.
const MARKS: &[char] = &['%', '٪', '％', '{', '}', '$'];

/// The first letter behind those of Latin.
const FIRST_OTHER: char = '\u{370}';

/// The least letters of a word in Latin letters that is a value between those of another script.
const MIN_LETTERS: usize = 3;

/// Whether the translation has a name, address, shortcut or degree sign that the source does not have, and no rest of a
/// placeholder.
pub(in super::super) fn has_value(check: CheckId, unit: &CheckInput) -> bool {
    let [target] = unit.target else {
        return false;
    };
    let tokens = tokens::find(check, target);
    // Java writes the value in capital letters.
    if check == CheckId::JavaPrintfFormat && tokens.iter().any(|it| it.text.ends_with('S')) {
        return true;
    }
    let is_in = |range: &Range<usize>, at: usize| range.contains(&at);
    let mut marks = target.match_indices(MARKS);
    if marks.any(|(at, _)| !tokens.iter().any(|token| is_in(&token.range, at))) {
        return false;
    }
    let source = unit.source.join(" ").to_lowercase();
    let is_latin = is_latin(target);
    let words =
        target.split(|char: char| !(char.is_alphanumeric() || matches!(char, '.' | '+' | '°')));
    words
        .map(|word| word.trim_matches(['.', '+']))
        .filter(|word| is_value(word, is_latin))
        .any(|word| !source.contains(&word.to_lowercase()))
}

/// The letters before a placeholder that is an ending of their word.
const MIN_WORD: usize = 2;

/// Whether a placeholder of the source is the ending of a word or of a number, which languages may not have or write out:
/// `%1 song%2`, `180%1`.
pub(in super::super) fn is_ending(name: &str, unit: &CheckInput) -> bool {
    let is_at_end = |text: &str, at: usize| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let word = before.trim_end_matches(char::is_alphanumeric);
        before.len() - word.len() >= MIN_WORD && !after.starts_with(char::is_alphanumeric)
    };
    let is_only_at_end = |text: &&str| {
        let mut places = text.match_indices(name).map(|(at, _)| at).peekable();
        places.peek().is_some() && places.all(|at| is_at_end(text, at))
    };
    unit.source.iter().any(is_only_at_end)
}

/// Whether nearly all letters are Latin. A short text of another script can have a long name.
fn is_latin(text: &str) -> bool {
    let letters = text.chars().filter(|char| char.is_alphabetic());
    let (latin, others): (Vec<char>, Vec<char>) = letters.partition(|&char| char < FIRST_OTHER);
    latin.len() > others.len() * 4
}

/// Whether a word is a value and not one of a language.
fn is_value(word: &str, is_latin: bool) -> bool {
    if word.ends_with('°') {
        return true;
    }
    if !word.is_ascii() {
        return false;
    }
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    let has_inner_capital = word
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let is_part = |part: &str| part.len() > 1 && part.chars().all(|char| char.is_ascii_lowercase());
    let is_domain = word
        .split_once('.')
        .is_some_and(|(host, rest)| host.len() > 1 && rest.split('.').all(is_part));
    has_inner_capital || is_domain || word.contains('+') || (!is_latin && letters >= MIN_LETTERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_may_stand_in_place_of_its_placeholder() {
        for (source, target, wanted) in [
            (
                "Upload subtitles to %1...",
                "Auf OpenSubtitles.com hochladen …",
                true,
            ),
            ("rotate by 180%1", "ruota di 180°", true),
            ("Then press %1", "Luego, pulse CTRL+ALT+B", true),
            ("The %1 process is restarted", "MPlayer 进程重启", true),
            (
                "Upload subtitles to %1...",
                "Auf den Server hochladen …",
                false,
            ),
            ("Open SMPlayer with %1", "打开 SMPlayer", false),
            ("About 5 of %1 in MySQL", "1% von 5 in GitHub", false),
            (
                "Size of the file is %1",
                "Dateigröße, z.B. in der URL",
                false,
            ),
        ] {
            let unit = CheckInput {
                source: &[source],
                target: &[target],
                ..CheckInput::new(&[], &[])
            };
            assert_eq!(has_value(CheckId::QtFormat, &unit), wanted, "{target}");
        }
        let song = CheckInput::new(&["%1 song%2 in 180%3, v%4"], &["%1 曲"]);
        for (name, wanted) in [("%1", false), ("%2", true), ("%3", true), ("%4", false)] {
            assert_eq!(is_ending(name, &song), wanted, "{name}");
        }
        let capital = CheckInput::new(&["%s is new"], &["%S je nový"]);
        assert!(has_value(CheckId::JavaPrintfFormat, &capital));
    }
}
