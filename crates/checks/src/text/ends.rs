//! The first and last characters of a text (`docs/spec/checks.md#text-checks`).

use crate::language_rules::LanguageRules;
use crate::pair::TextPair;
use crate::{CheckId, CheckIds, punctuation, whitespace};

use super::super::finding::PartialFinding;
use super::super::input::FormPair;

/// Checks both ends of a pair and reports each failing check.
pub(in super::super) fn check(
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
