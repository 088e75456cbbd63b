//! The mark that a sentence ends with (`checks.md` 3).

use super::manner::Manner;
use super::pair::{Pair, at_most};
use super::{CheckId, Failing};

const STOP: &[char] = &['.', '\u{3002}', '\u{964}', '\u{6d4}', '\u{589}', '\u{b7}', '\u{df4}', '\u{17d4}'];
const STOP_ARMENIAN: &[char] =
    &['.', '\u{3002}', '\u{964}', '\u{6d4}', '\u{589}', '\u{b7}', '\u{df4}', '\u{17d4}', ':', '\u{55d}', '?', '!', '`'];
const STOP_INDIC: &[char] = &['.', '\u{964}', '|'];
const STOP_OR_COLON_JAPANESE: &[char] = &[';', ':', '\u{ff1a}', '.', '\u{3002}'];
const COLON: &[char] = &[':', '\u{ff1a}', '\u{17d6}'];
const COLON_ARMENIAN: &[char] = &[':', '\u{55d}', '`'];
const QUESTION: &[char] = &['?', '\u{55e}', '\u{61f}', '\u{2e2e}', '\u{ff1f}', '\u{1367}', '\u{a60f}', '\u{2cfa}'];
const QUESTION_ARMENIAN: &[char] = &['?', '\u{55e}', '\u{589}'];
const QUESTION_GREEK: &[char] = &['?', ';', '\u{37e}'];
const EXCLAMATION: &[char] = &['!', '\u{ff01}', '\u{55c}', '\u{1944}', '\u{109f}', '\u{7f9}'];
const ELLIPSIS: &[char] = &['\u{2026}'];
const SEMICOLON: &[char] = &[';'];

/// Checks the marks at the end of a pair.
pub(super) fn check(pair: &Pair, manner: Manner, failing: &mut Failing) {
    // All of these checks leave a pair alone when one side is empty.
    let Some((source, target)) = pair.last() else { return };
    // Most sentences end with a letter in both languages; no rule looks at letters.
    if source.is_alphanumeric() && target.is_alphanumeric() {
        return;
    }
    let last = Last { source, target };
    let three_dots_became_one = target == '\u{2026}' && pair.source.ends_with("...");
    failing.set(CheckId::EndStop, !three_dots_became_one && end_stop(pair, last, manner));
    failing.set(CheckId::EndColon, end_colon(pair, last, manner));
    failing.set(CheckId::EndQuestion, end_question(pair, last, manner));
    failing.set(CheckId::EndExclamation, end_exclamation(pair, last, manner));
    failing.set(CheckId::EndEllipsis, !three_dots_became_one && manner != Manner::Lojban && last.differ(ELLIPSIS));
    failing.set(CheckId::EndSemicolon, !(manner == Manner::Greek && source == '?') && last.differ(SEMICOLON));
}

/// The last characters of two texts that are not empty.
#[derive(Clone, Copy)]
struct Last {
    source: char,
    target: char,
}

impl Last {
    /// Whether exactly one of them is a mark of the set.
    fn differ(self, marks: &[char]) -> bool {
        marks.contains(&self.source) != marks.contains(&self.target)
    }
}

fn end_stop(pair: &Pair, last: Last, manner: Manner) -> bool {
    if at_most(pair.source, 4) {
        return false;
    }
    last.differ(match manner {
        Manner::Thai | Manner::Lojban => return false,
        Manner::Japanese if matches!(last.source, ':' | ';') => STOP_OR_COLON_JAPANESE,
        Manner::Armenian => STOP_ARMENIAN,
        Manner::Indic => STOP_INDIC,
        _ => STOP,
    })
}

fn end_colon(pair: &Pair, last: Last, manner: Manner) -> bool {
    match manner {
        Manner::Lojban => false,
        // A narrow no-break space before the colon is no good ending; what stands here instead never occurs.
        Manner::French => {
            let good = ends_in_french(pair.target, ':', &[" ", "&nbsp;", "\u{a0}"])
                || pair.target.ends_with("\u{202f}:\u{202f}: ");
            last.source == ':' && !good
        }
        Manner::Armenian => last.source == ':' && last.differ(COLON_ARMENIAN),
        Manner::Japanese => matches!(last.source, ':' | ';') && last.differ(STOP_OR_COLON_JAPANESE),
        _ => last.differ(COLON),
    }
}

fn end_question(pair: &Pair, last: Last, manner: Manner) -> bool {
    match manner {
        Manner::Lojban => false,
        Manner::French => last.source == '?' && !ends_in_french(pair.target, '?', FRENCH_SPACES),
        Manner::Armenian => last.source == '?' && last.differ(QUESTION_ARMENIAN),
        Manner::Greek => last.source == '?' && !QUESTION_GREEK.contains(&last.target),
        _ => last.differ(QUESTION),
    }
}

fn end_exclamation(pair: &Pair, last: Last, manner: Manner) -> bool {
    match manner {
        Manner::Lojban | Manner::Armenian => false,
        Manner::French => last.source == '!' && !ends_in_french(pair.target, '!', FRENCH_SPACES),
        Manner::Basque if last.source == '!' && pair.target.contains('\u{a1}') && pair.target.contains('!') => false,
        // The name of a program, not a cry.
        _ if pair.source.ends_with("Texy!") || pair.target.ends_with("Texy!") => false,
        _ => last.differ(EXCLAMATION),
    }
}

const FRENCH_SPACES: &[&str] = &[" ", "&nbsp;", "\u{a0}", "\u{202f}"];

/// Whether the text ends with one of the spaces and the mark, or with these and one more space.
fn ends_in_french(text: &str, mark: char, spaces: &[&str]) -> bool {
    let before = text.strip_suffix(' ').unwrap_or(text).strip_suffix(mark);
    before.is_some_and(|before| spaces.iter().any(|space| before.ends_with(space)))
}
