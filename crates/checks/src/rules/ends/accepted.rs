//! The marks at the end of a text.

use crate::input::FormPair;
use crate::languages;
use crate::registry::CheckId;

/// Full stops that are not in the set of current Weblate: of Meetei Mayek, Tibetan, Mongolian, Ol Chiki, Arabic,
/// Devanagari (twice), and the wide forms of East Asia.
const STOPS: &[char] = &[
    '.', '。', '．', '｡', '।', '॥', '۔', '։', '·', '។', '።', '෴', '꯫', '།', '᠃', '᱾', '၊', '။', '|',
];

const COLONS: &[char] = &[':', '：', '៖', '፡', '፦', '՝', 'ः', '︰', '․'];
const QUESTIONS: &[char] = &['?', '？', '؟', '՞', '፧', ';', '\u{37e}', '⸮', '꘏'];
const EXCLAMATIONS: &[char] = &['!', '！', '՜', '᥄', '႟', '߹'];
const ELLIPSES: &[&str] = &["…", "...", "⋯", "。。。", "..", "．．．", "&hellip;"];

/// Words at the start of a question that is answered with yes or no.
const VERBS: &[&str] = &[
    "am", "are", "can", "could", "did", "do", "does", "has", "have", "is", "may", "should", "was",
    "were", "will", "would",
];

/// Whether a different mark is usual in the language, or the texts end with the same mark before a closing quotation
/// mark, a bracket, a tag or a space.
pub(crate) fn accepts(check: CheckId, pair: &FormPair, language: &str) -> bool {
    let (source, target) = (core(pair.source), core(pair.target));
    if source.is_empty() || target.is_empty() {
        return true;
    }
    let ends = |marks: &[char]| (source.ends_with(marks), target.ends_with(marks));
    let has_ellipsis = |text: &str| ELLIPSES.iter().any(|mark| text.ends_with(mark));
    match check {
        CheckId::EndStop => {
            let (wanted, found) = ends(STOPS);
            wanted == found
                || has_ellipsis(target)
                || target.ends_with(['!', '?', '！', '？', '؟'])
                || languages::is_ideographic(language)
                || language == "ko"
                || (found && !is_short_label(source, target))
                || is_abbreviated(source)
                || is_abbreviated(target)
                || (wanted && languages::has_no_final_stop(language))
        }
        CheckId::EndColon => {
            let (wanted, found) = ends(COLONS);
            wanted == found
                || (language == "hy" && target.ends_with(['.', ',', '՝']))
                || (wanted && languages::has_no_spaces(language))
        }
        CheckId::EndQuestion => {
            let (wanted, found) = ends(QUESTIONS);
            // A question can be put as a request. Only a lost mark is a fault: behind a verb, or doubled ones.
            let is_lost = wanted
                && begins_with(source, VERBS)
                && !target.contains(QUESTIONS)
                && !target.ends_with(STOPS)
                && !has_ellipsis(target);
            wanted == found || !(is_lost || target.ends_with("??"))
        }
        CheckId::EndExclamation => {
            let (wanted, found) = ends(EXCLAMATIONS);
            // A full stop is calmer, and a sentence can end with something in brackets.
            wanted == found
                || source.ends_with('.')
                || target.ends_with(STOPS)
                || (wanted && target.contains(EXCLAMATIONS))
        }
        // Three dots for the character are one fault, of this check only.
        CheckId::EndEllipsis => {
            // A translation may add dots.
            !has_ellipsis(source)
                || target.ends_with(['⋯', '．'])
                || target.ends_with("。。。")
                || target.starts_with('…')
        }
        CheckId::EndSemicolon => source.ends_with([';', '；']) == target.ends_with([';', '；']),
        _ => false,
    }
}

/// A text without spaces, quotation marks, brackets and closing tags at its end.
fn core(text: &str) -> &str {
    let mut text = text;
    loop {
        let trimmed = text.trim_end_matches(|char: char| {
            char.is_whitespace()
                || "\"'”“’‘»«›‹„)]）】」』\u{200b}\u{200e}\u{200f}*_`".contains(char)
        });
        let without_tag = if trimmed.ends_with('>') {
            trimmed
                .rfind('<')
                .and_then(|at| trimmed.get(..at))
                .unwrap_or(trimmed)
        } else {
            trimmed
        };
        if without_tag.len() == text.len() {
            return text;
        }
        text = without_tag;
    }
}

/// Whether the last word is an abbreviation.
fn is_abbreviated(text: &str) -> bool {
    let Some(word) = text.strip_suffix('.') else {
        return false;
    };
    let mut words = word.rsplit(|char: char| char.is_whitespace() || char == '(');
    let word = words.next().unwrap_or_default();
    let is_short = word.chars().count() <= 3;
    // A single word with a full stop is shortened: `min.`
    is_short || !text.contains(char::is_whitespace) || word.contains('.')
}

/// Whether a text begins with one of these words.
fn begins_with(text: &str, words: &[&str]) -> bool {
    let mut parts = text.split(|char: char| !char.is_alphabetic());
    let word = parts.find(|word| !word.is_empty()).unwrap_or_default();
    words.contains(&word.to_lowercase().as_str())
}

/// Whether both texts have at most three words, so that none is a sentence.
fn is_short_label(source: &str, target: &str) -> bool {
    let is_short = |text: &str| text.split_whitespace().nth(3).is_none();
    is_short(source) && is_short(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(check: CheckId, source: &str, target: &str, language: &str) -> bool {
        let pair = FormPair {
            source,
            target,
            source_form: 0,
            target_form: 0,
        };
        super::accepts(check, &pair, language)
    }

    #[test]
    fn marks_of_a_language_are_accepted() {
        for (check, source, target, language, wanted) in [
            (CheckId::EndStop, "It works.", "動作します", "ja", true),
            (CheckId::EndStop, "It works.", "動作します．", "ja", true),
            (CheckId::EndStop, "It works.", "Es geht", "de", false),
            (
                CheckId::EndStop,
                "Say \"yes.\"",
                "Sag \u{201e}ja\u{201c}.",
                "de",
                true,
            ),
            (CheckId::EndStop, "Minutes", "Min.", "de", true),
            (CheckId::EndStop, "Wait…", "Warten...", "de", true),
            (CheckId::EndColon, "Name:", "Անունը՝", "hy", true),
            (CheckId::EndColon, "Name:", "Name", "de", false),
            (CheckId::EndQuestion, "Is it?", "Ի՞նչ է", "hy", true),
            (CheckId::EndQuestion, "Is it?", "Είναι;", "el", true),
            (CheckId::EndQuestion, "Is it?", "هل؟", "ar", true),
            (CheckId::EndQuestion, "Is it?", "ነው፧", "am", true),
            (CheckId::EndQuestion, "Is it?", "Ist es", "de", false),
            (
                CheckId::EndQuestion,
                "Delete it?",
                "Bitte bestätigen.",
                "de",
                true,
            ),
            (
                CheckId::EndQuestion,
                "What to bring",
                "Was mitbringen?",
                "de",
                true,
            ),
            (CheckId::EndEllipsis, "Wait…", "Warten...", "de", false),
        ] {
            assert_eq!(accepts(check, source, target, language), wanted, "{target}");
        }
    }
}
