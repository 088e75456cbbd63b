//! The first and last characters of a text (`docs/spec/checks.md#text-checks`).

pub(crate) mod accepted;
pub(crate) mod punctuation;

use crate::language_rules::LanguageRules;
use crate::registry::{CheckId, CheckIds};
use crate::rules::spacing::whitespace;

use crate::finding::PartialFinding;
use crate::input::FormPair;

rule! {
    /// A full stop says that a text is a sentence; texts of one list should agree.
    ///
    /// Each language has its own marks. Inferred checks accept `!` and `?` for a full stop, abbreviations, a full stop that only a
    /// translation of more than three words has, and languages without spaces. Spaces, quotation marks, brackets and tags at the end do not count. Of the checks of marks at the end, at most one reports a text.
    END_STOP: "end_stop" "Trailing stop" "Only one of source and translation ends with a full stop." Note;
    fails "json" "de" "Please wait." "Bitte warten";
    passes "json" "de" "Please wait." "Bitte warten.";
    passes "json" "hi" "Please wait." "कृपया प्रतीक्षा करें।";
}

rule! {
    /// A colon introduces what follows: a field or a list. Each language has its own marks. Spaces, quotation marks, brackets and tags at the end do not count. Of the checks of marks at the end, at most one reports a text.
    END_COLON: "end_colon" "Trailing colon" "The colon at the end differs from the source." Note;
    fails "json" "de" "Your name:" "Dein Name";
    passes "json" "de" "Your name:" "Dein Name:";
    passes "json" "ja" "Your name:" "名前：";
}

rule! {
    /// A lost question mark makes a statement of a question. Each language has its own marks.
    ///
    /// Inferred checks report only questions that begin with a verb, and `??`, because other questions may become requests.
    END_QUESTION: "end_question" "Trailing question" "The question mark at the end differs from the source." Warning;
    fails "json" "de" "Is it rated?" "Ist es gewertet";
    passes "json" "de" "Is it rated?" "Ist es gewertet?";
    passes "json" "el" "Is it rated?" "Βαθμολογήθηκε;";
}

rule! {
    /// The exclamation mark differs from the source. Each language has its own marks.
    ///
    /// Inferred checks accept a full stop for the mark, and the reverse.
    END_EXCLAMATION: "end_exclamation" "Trailing exclamation" "The exclamation mark at the end differs from the source." Note;
    fails "json" "de" "Well done!" "Gut gemacht";
    passes "json" "de" "Well done!" "Gut gemacht.";
}

rule! {
    /// Only one text ends with `?!` or `!?`, also in other scripts.
    END_INTERROBANG: "end_interrobang" "Trailing interrobang" "Only one of source and translation ends with ?! or !?." Note;
    fails "json" "de" "What?!" "Was?";
    passes "json" "de" "What?!" "Was!?";
}

rule! {
    /// An ellipsis says that something goes on, or that a dialog follows.
    ///
    /// Inferred checks accept dots that only the translation has.
    END_ELLIPSIS: "end_ellipsis" "Trailing ellipsis" "Only one of source and translation ends with an ellipsis." Note;
    fails "json" "de" "Please wait…" "Bitte warten";
    passes "json" "de" "Please wait…" "Bitte warten…";
}

rule! {
    /// The semicolon at the end differs from the source. In Greek, it is the question mark. An entity such as `&nbsp;` ends with no semicolon.
    END_SEMICOLON: "end_semicolon" "Trailing semicolon" "Only one of source and translation ends with a semicolon." Note;
    fails "json" "de" "int x;" "int x";
    passes "json" "de" "int x;" "int y;";
}

/// The checks of final marks. At most one of them reports a pair.
pub(crate) const FINAL_MARKS: CheckIds = CheckIds::all(&[
    CheckId::EndStop,
    CheckId::EndColon,
    CheckId::EndQuestion,
    CheckId::EndExclamation,
    CheckId::EndEllipsis,
    CheckId::EndInterrobang,
    CheckId::EndSemicolon,
]);

/// Checks both ends of a pair and reports each failing check.
pub(crate) fn check(
    pair: &FormPair,
    rules: LanguageRules,
    mut report: impl FnMut(CheckId, PartialFinding),
) {
    let mut failing = CheckIds::default();
    whitespace::check(pair, rules, &mut failing);
    punctuation::check(pair, rules, &mut failing);
    if failing.is_empty() {
        return;
    }
    let length = pair.target.len();
    let last = |text: &str| {
        let start = text.char_indices().next_back().map_or(0, |(at, _)| at);
        Some(start..text.len())
    };
    for check in failing.iter() {
        let message = check.description();
        let finding = match check {
            CheckId::BeginNewline => PartialFinding::new(message),
            CheckId::BeginSpace => {
                let spaces = length - pair.target.trim_start_matches(' ').len();
                PartialFinding::in_target(pair, message, 0..spaces)
            }
            CheckId::EndSpace => {
                let start = pair.target.trim_end_matches(' ').len();
                PartialFinding::in_target(pair, message, start..length)
            }
            _ => PartialFinding::new(message).in_both(pair, last(pair.source), last(pair.target)),
        };
        report(check, finding);
    }
}
