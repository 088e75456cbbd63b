//! The first and last characters of a text (`docs/spec/checks.md#text-checks`).

use crate::checks::CheckId;
use crate::checks::pair::TextPair;

use super::super::finding::{PartialFinding, TextSide};
use super::super::unit::FormPair;
use super::punctuation::PunctuationRules;

/// Checks both ends of a pair and reports each failing check.
pub(in super::super) fn check(
    pair: &FormPair,
    rules: PunctuationRules,
    mut report: impl FnMut(CheckId, PartialFinding),
) {
    let texts = TextPair::new(pair.source, pair.target);
    rules.check(&texts, |check| {
        report(check, last(pair, check.description()))
    });
    if let (Some(first), Some(end)) = (texts.first(), texts.last()) {
        if (first.0 == '\n') != (first.1 == '\n') {
            report(
                CheckId::BeginNewline,
                PartialFinding::new(CheckId::BeginNewline.description()),
            );
        }
        if (end.0 == '\n') != (end.1 == '\n') {
            report(
                CheckId::EndNewline,
                last(pair, CheckId::EndNewline.description()),
            );
        }
    }
    spaces(pair, report);
}

/// Compares the number of leading and trailing spaces.
fn spaces(pair: &FormPair, mut report: impl FnMut(CheckId, PartialFinding)) {
    let tiny = |text: &str| text.chars().nth(1).is_none();
    let leading = |text: &str| text.len() - text.trim_start_matches(' ').len();
    let trailing = |text: &str| text.len() - text.trim_end_matches(' ').len();
    let (begin, end) = (leading(pair.target), trailing(pair.target));
    let differs = (leading(pair.source) != begin, trailing(pair.source) != end);
    if differs == (false, false)
        || begin == pair.target.len()
        || (tiny(pair.source) && tiny(pair.target))
    {
        return;
    }
    if differs.0 {
        let problem = PartialFinding::new(CheckId::BeginSpace.description());
        report(
            CheckId::BeginSpace,
            problem.with(TextSide::Target, pair.target_form, 0..begin),
        );
    }
    if differs.1 && !pair.source.is_empty() {
        let problem = PartialFinding::new(CheckId::EndSpace.description());
        let range = pair.target.len() - end..pair.target.len();
        report(
            CheckId::EndSpace,
            problem.with(TextSide::Target, pair.target_form, range),
        );
    }
}

/// A problem with the last characters of both texts.
fn last(pair: &FormPair, message: &str) -> PartialFinding {
    let range = |text: &str| {
        text.char_indices()
            .next_back()
            .map_or(0..0, |(at, _)| at..text.len())
    };
    PartialFinding::new(message)
        .with(TextSide::Source, pair.source_form, range(pair.source))
        .with(TextSide::Target, pair.target_form, range(pair.target))
}
