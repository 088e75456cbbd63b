//! The last character of a sentence (`docs/spec/checks.md#final-punctuation`).

use super::language_rules::LanguageRules;
use super::pair::{TextPair, at_most};
use super::{CheckId, CheckIds};

const STOP: &[char] = &[
    '.', '\u{3002}', '\u{964}', '\u{6d4}', '\u{589}', '\u{b7}', '\u{df4}', '\u{17d4}',
];
pub(super) const STOP_ARMENIAN: &[char] = &[
    '.', '\u{3002}', '\u{964}', '\u{6d4}', '\u{589}', '\u{b7}', '\u{df4}', '\u{17d4}', ':',
    '\u{55d}', '?', '!', '`',
];
const STOP_INDIC: &[char] = &['.', '\u{964}', '|'];
pub(super) const STOP_OR_COLON: &[char] = &[';', ':', '\u{ff1a}', '.', '\u{3002}'];
pub(super) const COLON: &[char] = &[':', '\u{ff1a}', '\u{17d6}'];
pub(super) const COLON_ARMENIAN: &[char] = &[':', '\u{55d}', '`'];
pub(super) const QUESTION: &[char] = &[
    '?', '\u{55e}', '\u{61f}', '\u{2e2e}', '\u{ff1f}', '\u{1367}', '\u{a60f}', '\u{2cfa}',
];
pub(super) const QUESTION_ARMENIAN: &[char] = &['?', '\u{55e}', '\u{589}'];
pub(super) const QUESTION_GREEK: &[char] = &['?', ';', '\u{37e}'];
pub(super) const EXCLAMATION: &[char] = &[
    '!', '\u{ff01}', '\u{55c}', '\u{1944}', '\u{109f}', '\u{7f9}',
];
pub(super) const ELLIPSIS: &[char] = &['\u{2026}'];
const SEMICOLON: &[char] = &[';'];

/// Checks the last characters of a pair.
pub(super) fn check(pair: &TextPair, rules: LanguageRules, failing: &mut CheckIds) {
    // All of these checks pass when one text is empty.
    let Some((source, target)) = pair.last() else {
        return;
    };
    // Most texts end with a letter in both languages. No rule concerns letters.
    if source.is_alphanumeric() && target.is_alphanumeric() {
        return;
    }
    let last = LastChars { source, target };
    let is_ellipsis_character = target == '\u{2026}' && pair.source.ends_with("...");
    failing.set(
        CheckId::EndStop,
        !is_ellipsis_character && end_stop(pair, last, rules),
    );
    failing.set(CheckId::EndColon, end_colon(pair, last, rules));
    failing.set(CheckId::EndQuestion, end_question(pair, last, rules));
    failing.set(CheckId::EndExclamation, end_exclamation(pair, last, rules));
    failing.set(
        CheckId::EndEllipsis,
        !is_ellipsis_character && rules != LanguageRules::Lojban && last.differ(ELLIPSIS),
    );
    failing.set(
        CheckId::EndSemicolon,
        !(rules == LanguageRules::Greek && source == '?') && last.differ(SEMICOLON),
    );
}

/// The last characters of two non-empty texts.
#[derive(Clone, Copy)]
struct LastChars {
    source: char,
    target: char,
}

impl LastChars {
    /// Whether exactly one of them is in the set.
    fn differ(self, marks: &[char]) -> bool {
        marks.contains(&self.source) != marks.contains(&self.target)
    }
}

fn end_stop(pair: &TextPair, last: LastChars, rules: LanguageRules) -> bool {
    if at_most(pair.source, 4) {
        return false;
    }
    last.differ(match rules {
        LanguageRules::Thai | LanguageRules::Lojban => return false,
        LanguageRules::Japanese if matches!(last.source, ':' | ';') => STOP_OR_COLON,
        LanguageRules::Armenian => STOP_ARMENIAN,
        LanguageRules::Indic => STOP_INDIC,
        _ => STOP,
    })
}

fn end_colon(pair: &TextPair, last: LastChars, rules: LanguageRules) -> bool {
    match rules {
        LanguageRules::Lojban => false,
        // Weblate 3.4 rejects U+202F before a colon and accepts this ending instead.
        LanguageRules::French => {
            let accepted = ends_in_french(pair.target, ':', &[" ", "&nbsp;", "\u{a0}"])
                || pair.target.ends_with("\u{202f}:\u{202f}: ");
            last.source == ':' && !accepted
        }
        LanguageRules::Armenian => last.source == ':' && last.differ(COLON_ARMENIAN),
        LanguageRules::Japanese => matches!(last.source, ':' | ';') && last.differ(STOP_OR_COLON),
        _ => last.differ(COLON),
    }
}

fn end_question(pair: &TextPair, last: LastChars, rules: LanguageRules) -> bool {
    match rules {
        LanguageRules::Lojban => false,
        LanguageRules::French => {
            last.source == '?' && !ends_in_french(pair.target, '?', FRENCH_SPACES)
        }
        LanguageRules::Armenian => last.source == '?' && last.differ(QUESTION_ARMENIAN),
        LanguageRules::Greek => last.source == '?' && !QUESTION_GREEK.contains(&last.target),
        _ => last.differ(QUESTION),
    }
}

fn end_exclamation(pair: &TextPair, last: LastChars, rules: LanguageRules) -> bool {
    match rules {
        LanguageRules::Lojban | LanguageRules::Armenian => false,
        LanguageRules::French => {
            last.source == '!' && !ends_in_french(pair.target, '!', FRENCH_SPACES)
        }
        LanguageRules::Basque
            if last.source == '!'
                && pair.target.contains('\u{a1}')
                && pair.target.contains('!') =>
        {
            false
        }
        // The name of a program.
        _ if pair.source.ends_with("Texy!") || pair.target.ends_with("Texy!") => false,
        _ => last.differ(EXCLAMATION),
    }
}

const FRENCH_SPACES: &[&str] = &[" ", "&nbsp;", "\u{a0}", "\u{202f}"];

/// Whether the text ends with one of the spaces and the mark; one more space may follow.
fn ends_in_french(text: &str, mark: char, spaces: &[&str]) -> bool {
    let before = text.strip_suffix(' ').unwrap_or(text).strip_suffix(mark);
    before.is_some_and(|before| spaces.iter().any(|space| before.ends_with(space)))
}
