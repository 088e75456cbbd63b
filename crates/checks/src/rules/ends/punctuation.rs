//! The last character of a sentence (`docs/spec/checks.md#final-punctuation` and
//! `docs/spec/checks.md#final-punctuation-in-modern-checks`).

use crate::input::FormPair;
use crate::language_rules::{LanguageGroup, LanguageRules};
use crate::pair::at_most;
use crate::registry::{CheckId, CheckIds};
use crate::xml::without_entities;

const STOP: &[char] = &[
    '.', '\u{3002}', '\u{964}', '\u{6d4}', '\u{589}', '\u{b7}', '\u{df4}', '\u{17d4}', '\u{1362}',
];
const STOP_LEGACY: &[char] = &[
    '.', '\u{3002}', '\u{964}', '\u{6d4}', '\u{589}', '\u{b7}', '\u{df4}', '\u{17d4}',
];
const STOP_ARMENIAN: &[char] = &[
    '.', '\u{3002}', '\u{964}', '\u{6d4}', '\u{589}', '\u{b7}', '\u{df4}', '\u{17d4}', ':',
    '\u{55d}', '?', '!', '`',
];
const STOP_INDIC: &[char] = &['.', '\u{964}', '\u{9f7}', '|'];
const STOP_INDIC_LEGACY: &[char] = &['.', '\u{964}', '|'];
const STOP_SANTALI: &[char] = &['.', '\u{1c7e}'];
const STOP_BURMESE: &[char] = &['.', '\u{104b}'];
const STOP_OR_COLON: &[char] = &[';', ':', '\u{ff1a}', '.', '\u{3002}'];
const COLON: &[char] = &[':', '\u{ff1a}', '\u{17d6}'];
const COLON_ARMENIAN: &[char] = &[':', '\u{55d}', '`'];
const QUESTION: &[char] = &[
    '?', '\u{55e}', '\u{61f}', '\u{2e2e}', '\u{ff1f}', '\u{1367}', '\u{a60f}', '\u{2cfa}',
];
const QUESTION_ARMENIAN: &[char] = &['?', '\u{55e}', '\u{589}'];
const QUESTION_GREEK: &[char] = &['?', ';', '\u{37e}'];
const QUESTION_BURMESE: &str = "\u{1038}\u{104b}";
const EXCLAMATION: &[char] = &[
    '!', '\u{ff01}', '\u{55c}', '\u{1944}', '\u{109f}', '\u{7f9}',
];
const EXCLAMATION_BURMESE: &[char] = &['!', '\u{109f}'];
const ELLIPSIS: &[char] = &['\u{2026}'];

/// The marks that combine a question and an exclamation.
const INTERROBANGS: &[&str] = &[
    "?!",
    "!?",
    "\u{61f}!",
    "!\u{61f}",
    "\u{ff1f}\u{ff01}",
    "\u{ff01}\u{ff1f}",
    "\u{2048}",
    "\u{2049}",
];

const FRENCH_SPACES: &[&str] = &[" ", "&nbsp;", "\u{a0}", "\u{202f}"];

/// Checks the last characters of a pair. An empty text passes.
pub(crate) fn check(pair: &FormPair, rules: LanguageRules, failing: &mut CheckIds) {
    let Some((source, target)) = pair.last() else {
        return;
    };
    // Most texts end with a letter in both languages. No rule concerns letters and ASCII digits. Other numerals can be
    // stops: U+09F7.
    let is_plain = |char: char| char.is_alphabetic() || char.is_ascii_digit();
    if is_plain(source) && is_plain(target) {
        return;
    }
    let last = LastChars {
        pair,
        source,
        target,
        rules,
    };
    failing.set(CheckId::EndSemicolon, last.semicolon());
    let has_interrobang = |text: &str| INTERROBANGS.iter().any(|mark| text.ends_with(mark));
    let (in_source, in_target) = if rules.is_current {
        (has_interrobang(pair.source), has_interrobang(pair.target))
    } else {
        (false, false)
    };
    failing.set(CheckId::EndInterrobang, in_source != in_target);
    if rules.group == LanguageGroup::WithoutMarks {
        return;
    }
    failing.set(CheckId::EndColon, last.colon());
    if !in_source && !in_target {
        failing.set(CheckId::EndQuestion, last.question());
        failing.set(CheckId::EndExclamation, last.exclamation());
    }
    // An ellipsis may replace three dots.
    if target != '\u{2026}' || !pair.source.ends_with("...") {
        failing.set(CheckId::EndStop, last.stop());
        failing.set(CheckId::EndEllipsis, last.differ(ELLIPSIS));
    }
}

/// The last characters of two non-empty texts.
struct LastChars<'a> {
    pair: &'a FormPair<'a>,
    source: char,
    target: char,
    rules: LanguageRules,
}

impl LastChars<'_> {
    /// Whether exactly one of them is in the set.
    fn differ(&self, marks: &[char]) -> bool {
        marks.contains(&self.source) != marks.contains(&self.target)
    }

    fn semicolon(&self) -> bool {
        // In current Weblate, the semicolon of an entity does not count.
        let ends = |text: &str, last: char| {
            last == ';' && !(self.rules.is_current && ends_with_entity(text))
        };
        !(self.rules.group == LanguageGroup::Greek && self.source == '?')
            && ends(self.pair.source, self.source) != ends(self.pair.target, self.target)
    }

    fn stop(&self) -> bool {
        // Short texts may be abbreviations.
        if at_most(self.pair.source, 4) {
            return false;
        }
        self.differ(match (self.rules.group, self.rules.is_current) {
            (LanguageGroup::Thai, _) => return false,
            (LanguageGroup::Cjk, _) if matches!(self.source, ':' | ';') => STOP_OR_COLON,
            (LanguageGroup::Armenian, _) => STOP_ARMENIAN,
            (LanguageGroup::Indic, true) => STOP_INDIC,
            (LanguageGroup::Indic, false) => STOP_INDIC_LEGACY,
            (LanguageGroup::Santali, _) => STOP_SANTALI,
            (LanguageGroup::Burmese, _) if self.pair.target.ends_with(QUESTION_BURMESE) => {
                return false;
            }
            (LanguageGroup::Burmese, _) => STOP_BURMESE,
            (_, true) => STOP,
            (_, false) => STOP_LEGACY,
        })
    }

    fn colon(&self) -> bool {
        match self.rules.group {
            // Weblate 3.4 rejects U+202F before a colon and accepts this ending instead.
            LanguageGroup::French => {
                let accepted = ends_in_french(self.pair.target, ':', &[" ", "&nbsp;", "\u{a0}"])
                    || self.pair.target.ends_with("\u{202f}:\u{202f}: ");
                self.source == ':' && !accepted
            }
            LanguageGroup::Armenian => self.source == ':' && self.differ(COLON_ARMENIAN),
            LanguageGroup::Cjk => matches!(self.source, ':' | ';') && self.differ(STOP_OR_COLON),
            _ => self.differ(COLON),
        }
    }

    fn question(&self) -> bool {
        let target = self.pair.target;
        match self.rules.group {
            LanguageGroup::French => {
                self.source == '?' && !ends_in_french(target, '?', FRENCH_SPACES)
            }
            LanguageGroup::Armenian => self.source == '?' && self.differ(QUESTION_ARMENIAN),
            LanguageGroup::Greek => self.source == '?' && !QUESTION_GREEK.contains(&self.target),
            LanguageGroup::Burmese => (self.source == '?') != target.ends_with(QUESTION_BURMESE),
            _ => self.differ(QUESTION),
        }
    }

    fn exclamation(&self) -> bool {
        let (source, target) = (self.pair.source, self.pair.target);
        match self.rules.group {
            LanguageGroup::Armenian => false,
            LanguageGroup::French => {
                self.source == '!' && !ends_in_french(target, '!', FRENCH_SPACES)
            }
            LanguageGroup::Basque
                if self.source == '!' && target.contains('\u{a1}') && target.contains('!') =>
            {
                false
            }
            LanguageGroup::Burmese => self.differ(EXCLAMATION_BURMESE),
            // The name of a program.
            _ if source.ends_with("Texy!") || target.ends_with("Texy!") => false,
            _ => self.differ(EXCLAMATION),
        }
    }
}

/// Whether a text ends with `&name;` or `&#number;`.
fn ends_with_entity(text: &str) -> bool {
    let entity = text.rfind('&').and_then(|at| text.get(at..));
    entity.is_some_and(|entity| without_entities(entity).is_empty())
}

/// Whether the text ends with one of the spaces and the mark; one more space may follow.
fn ends_in_french(text: &str, mark: char, spaces: &[&str]) -> bool {
    let before = text.strip_suffix(' ').unwrap_or(text).strip_suffix(mark);
    before.is_some_and(|before| spaces.iter().any(|space| before.ends_with(space)))
}
