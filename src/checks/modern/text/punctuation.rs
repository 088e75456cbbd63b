//! The last character of a sentence, with the rules of current Weblate
//! (`docs/spec/checks.md#final-punctuation-in-modern-checks`).

use crate::checks::pair::{TextPair, at_most};
use crate::checks::punctuation::{
    COLON, COLON_ARMENIAN, ELLIPSIS, EXCLAMATION, QUESTION, QUESTION_ARMENIAN, QUESTION_GREEK,
    STOP_ARMENIAN, STOP_OR_COLON,
};
use crate::checks::xml::without_entities;

use crate::checks::CheckId;

const STOP: &[char] = &[
    '.', '\u{3002}', '\u{964}', '\u{6d4}', '\u{589}', '\u{b7}', '\u{df4}', '\u{17d4}', '\u{1362}',
];
const STOP_INDIC: &[char] = &['.', '\u{964}', '\u{9f7}', '|'];
const STOP_SANTALI: &[char] = &['.', '\u{1c7e}'];
const STOP_BURMESE: &[char] = &['.', '\u{104b}'];
const QUESTION_BURMESE: &str = "\u{1038}\u{104b}";
const EXCLAMATION_BURMESE: &[char] = &['!', '\u{109f}'];

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

/// The group of languages whose rules apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum PunctuationRules {
    /// All other languages.
    Default,
    Armenian,
    Basque,
    Burmese,
    /// Chinese, Japanese and Korean: a colon may become a full stop.
    Cjk,
    Greek,
    /// Hindi, Bengali and Odia.
    Indic,
    Santali,
    /// Thai and Lojban: no marks.
    WithoutMarks,
}

impl PunctuationRules {
    /// Returns the rules for a base code.
    pub(in super::super) fn of(base_code: &str) -> Self {
        match base_code {
            "hy" => Self::Armenian,
            "eu" => Self::Basque,
            "my" => Self::Burmese,
            "zh" | "ja" | "ko" => Self::Cjk,
            "el" => Self::Greek,
            "hi" | "bn" | "or" => Self::Indic,
            "sat" => Self::Santali,
            "th" | "jbo" => Self::WithoutMarks,
            _ => Self::Default,
        }
    }

    /// Calls a function with each failing check of the last characters. An empty text passes.
    pub(in super::super) fn check(self, pair: &TextPair, mut report: impl FnMut(CheckId)) {
        let Some((source, target)) = pair.last() else {
            return;
        };
        // No rule concerns letters and ASCII digits. Other numerals can be stops: U+09F7.
        let is_plain = |char: char| char.is_alphabetic() || char.is_ascii_digit();
        if is_plain(source) && is_plain(target) {
            return;
        }
        let last = TextEnds {
            pair,
            source,
            target,
        };
        let mut run = |check, fails: bool| {
            if fails {
                report(check);
            }
        };
        run(
            CheckId::EndSemicolon,
            !(self == Self::Greek && source == '?') && last.differs_in_semicolon(),
        );
        let has_interrobang = |text: &str| INTERROBANGS.iter().any(|mark| text.ends_with(mark));
        let (in_source, in_target) = (has_interrobang(pair.source), has_interrobang(pair.target));
        run(CheckId::EndInterrobang, in_source != in_target);
        if self == Self::WithoutMarks {
            return;
        }
        run(CheckId::EndColon, self.colon(&last));
        if !in_source && !in_target {
            run(CheckId::EndQuestion, self.question(&last));
            run(CheckId::EndExclamation, self.exclamation(&last));
        }
        // An ellipsis may replace three dots.
        if target != '\u{2026}' || !pair.source.ends_with("...") {
            run(CheckId::EndStop, self.stop(&last));
            run(CheckId::EndEllipsis, last.differ(ELLIPSIS));
        }
    }

    fn stop(self, last: &TextEnds) -> bool {
        // Short texts may be abbreviations.
        if at_most(last.pair.source, 4) {
            return false;
        }
        last.differ(match self {
            Self::Cjk if matches!(last.source, ':' | ';') => STOP_OR_COLON,
            Self::Armenian => STOP_ARMENIAN,
            Self::Indic => STOP_INDIC,
            Self::Santali => STOP_SANTALI,
            Self::Burmese if last.pair.target.ends_with(QUESTION_BURMESE) => return false,
            Self::Burmese => STOP_BURMESE,
            _ => STOP,
        })
    }

    fn colon(self, last: &TextEnds) -> bool {
        match self {
            Self::Armenian => last.source == ':' && last.differ(COLON_ARMENIAN),
            Self::Cjk => matches!(last.source, ':' | ';') && last.differ(STOP_OR_COLON),
            _ => last.differ(COLON),
        }
    }

    fn question(self, last: &TextEnds) -> bool {
        match self {
            Self::Armenian => last.source == '?' && last.differ(QUESTION_ARMENIAN),
            Self::Greek => last.source == '?' && !QUESTION_GREEK.contains(&last.target),
            Self::Burmese => (last.source == '?') != last.pair.target.ends_with(QUESTION_BURMESE),
            _ => last.differ(QUESTION),
        }
    }

    fn exclamation(self, last: &TextEnds) -> bool {
        let (source, target) = (last.pair.source, last.pair.target);
        match self {
            Self::Armenian => false,
            Self::Basque
                if last.source == '!' && target.contains('\u{a1}') && target.contains('!') =>
            {
                false
            }
            Self::Burmese => last.differ(EXCLAMATION_BURMESE),
            // The name of a program.
            _ if source.ends_with("Texy!") || target.ends_with("Texy!") => false,
            _ => last.differ(EXCLAMATION),
        }
    }
}

/// Two non-empty texts and their last characters.
struct TextEnds<'a> {
    pair: &'a TextPair<'a>,
    source: char,
    target: char,
}

impl TextEnds<'_> {
    /// Whether exactly one of them is in the set.
    fn differ(&self, marks: &[char]) -> bool {
        marks.contains(&self.source) != marks.contains(&self.target)
    }

    /// Whether exactly one text ends with a semicolon that does not end an entity.
    fn differs_in_semicolon(&self) -> bool {
        let ends = |text: &str, last: char| last == ';' && !ends_with_entity(text);
        ends(self.pair.source, self.source) != ends(self.pair.target, self.target)
    }
}

/// Whether a text ends with `&name;` or `&#number;`.
fn ends_with_entity(text: &str) -> bool {
    let entity = text.rfind('&').and_then(|at| text.get(at..));
    entity.is_some_and(|entity| without_entities(entity).is_empty())
}
