//! The profile of Weblate 3.4: its checks that run without flags (`docs/spec/checks.md#legacy-checks`).
//!
//! Its checks that flags enable have the rules of current Weblate.

mod content;
pub(super) mod flags;

use std::collections::HashSet;

use crate::input::{CheckInput, FormPair};
use crate::language_rules::{LanguageGroup, LanguageRules};
use crate::registry::{CheckId, CheckIds};
use crate::rules::{ends::punctuation, same, spacing::whitespace};
use crate::words::Words;

/// Runs the checks on all forms of a unit (`docs/spec/checks.md#plural-forms-in-legacy-checks`).
///
/// `words` are those that may stay untranslated, where the language is not the one of the source.
pub(super) fn failing(
    unit: &CheckInput<'_>,
    rules: LanguageRules,
    words: Option<&Words>,
) -> CheckIds {
    let pairs = unit.pairs();
    let of_pairs = pairs.map(|pair| failing_in(&pair, unit.comment, rules, words));
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
    pair: &FormPair<'_>,
    comment: &str,
    rules: LanguageRules,
    words: Option<&Words>,
) -> CheckIds {
    let mut failing = CheckIds::default();
    if pair.source == pair.target {
        // Equal texts pass every comparison except the French rules for final punctuation.
        if rules.group == LanguageGroup::French {
            punctuation::check(pair, rules, &mut failing);
        }
        let is_untranslated = |words| same::is_untranslated(pair.source, comment, words);
        failing.set(CheckId::Same, words.is_some_and(is_untranslated));
        return failing;
    }
    whitespace::check(pair, rules, &mut failing);
    punctuation::check(pair, rules, &mut failing);
    content::check(pair, rules, &mut failing);
    failing
}

#[cfg(test)]
mod tests;
