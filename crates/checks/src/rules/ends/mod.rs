//! The first and last characters of a text (`docs/spec/checks.md#text-checks`).

pub(crate) mod accepted;
pub(crate) mod punctuation;

use crate::language_rules::LanguageRules;
use crate::pair::TextPair;
use crate::rules::spacing::whitespace;
use crate::{CheckId, CheckIds};

use crate::finding::PartialFinding;
use crate::input::FormPair;

/// The checks of final marks. At most one of them reports a pair.
pub(crate) const FINAL_MARKS: CheckIds = CheckIds::of(CheckId::EndStop)
    .union(CheckIds::of(CheckId::EndColon))
    .union(CheckIds::of(CheckId::EndQuestion))
    .union(CheckIds::of(CheckId::EndExclamation))
    .union(CheckIds::of(CheckId::EndEllipsis))
    .union(CheckIds::of(CheckId::EndInterrobang))
    .union(CheckIds::of(CheckId::EndSemicolon));

/// Checks both ends of a pair and reports each failing check.
pub(crate) fn check(
    pair: &FormPair,
    rules: LanguageRules,
    mut report: impl FnMut(CheckId, PartialFinding),
) {
    let FormPair { source, target, .. } = *pair;
    let texts = TextPair { source, target };
    let mut failing = CheckIds::default();
    whitespace::check(&texts, rules, &mut failing);
    punctuation::check(&texts, rules, &mut failing);
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
