//! The profile of Weblate 3.4: its checks that run without flags (`docs/spec/checks.md#legacy-checks`).
//!
//! Its checks that flags enable have the rules of current Weblate.

mod content;
pub(super) mod flags;

use std::collections::HashSet;

use crate::input::{CheckInput, FormPair};
use crate::language_rules::LanguageGroup;
use crate::pair::TextPair;
use crate::rules::{ends::punctuation, same, spacing::whitespace};
use crate::{CheckId, CheckIds, LanguageChecker};

/// Runs the checks on all forms of a unit (`docs/spec/checks.md#plural-forms-in-legacy-checks`).
pub(super) fn failing(checker: &LanguageChecker, unit: &CheckInput<'_>) -> CheckIds {
    let pairs = unit.pairs();
    let of_pairs = pairs.map(|pair| failing_in(checker, &pair, unit.comment));
    let mut failing = of_pairs.fold(CheckIds::default(), CheckIds::union);
    if let ([_, _, ..], [first, ..]) = (unit.source, unit.target) {
        let empty = unit.target.iter().filter(|form| form.is_empty()).count();
        failing.set(CheckId::Plurals, empty > 0 && empty < unit.target.len());
        let mut seen = HashSet::new();
        let repeats = unit.target.iter().any(|form| !seen.insert(form));
        failing.set(CheckId::SamePlurals, repeats && !first.is_empty());
    }
    failing
}

/// Compares a target text with its source.
fn failing_in(
    checker: &LanguageChecker,
    &FormPair { source, target, .. }: &FormPair<'_>,
    comment: &str,
) -> CheckIds {
    let rules = checker.rules;
    let mut failing = CheckIds::default();
    let pair = TextPair { source, target };
    if source == target {
        // Equal texts pass every comparison except the French rules for final punctuation.
        if rules.group == LanguageGroup::French {
            punctuation::check(&pair, rules, &mut failing);
        }
        let words = &checker.setup.words;
        failing.set(
            CheckId::Same,
            checker.same && same::is_untranslated(source, comment, words),
        );
        return failing;
    }
    whitespace::check(&pair, rules, &mut failing);
    punctuation::check(&pair, rules, &mut failing);
    content::check(&pair, rules, &mut failing);
    failing
}

#[cfg(test)]
mod tests;
