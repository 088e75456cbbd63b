//! Unchanged translations (`docs/spec/checks.md#unchanged-translations-in-modern-checks`).

use crate::checks::html::without_tags;
use crate::checks::same::{is_untranslated_with, is_upper_case};
use crate::checks::{CheckId, Words};

use super::finding::PartialFinding;
use super::placeholders::Placeholders;
use super::tokens;
use super::unit::Unit;

/// Names of products and languages that current Weblate ignores in addition to the words of the legacy check.
const PRODUCTS: &str =
    "css github gitlab javascript jquery markdown mysql php postgresql typescript";

/// Settings of the check.
pub(super) struct SameRules<'a> {
    /// Only single characters and texts of nothing but placeholders may stay unchanged: the flag `strict-same`.
    pub(super) strict: bool,
    pub(super) format_checks: &'a [CheckId],
    pub(super) placeholders: Option<&'a Placeholders>,
    pub(super) words: &'a Words,
}

/// Checks all forms of a unit.
pub(super) fn check(unit: &Unit, rules: &SameRules) -> Option<PartialFinding> {
    let pair = unit
        .pairs()
        .find(|pair| pair.source == pair.target && is_untranslated(pair.source, rules))?;
    let message = CheckId::Same.description();
    Some(PartialFinding::in_target(
        &pair,
        message,
        0..pair.target.len(),
    ))
}

fn is_untranslated(text: &str, rules: &SameRules) -> bool {
    if rules.strict {
        return text.chars().nth(1).is_some()
            && !rules.without_placeholders(text.into()).is_empty();
    }
    let is_word = |word: &str| {
        PRODUCTS.split(' ').any(|product| product == word) || rules.words.contains(word)
    };
    let strip = |text| rules.without_placeholders(text);
    is_untranslated_with(text, "", is_word, strip)
        && !is_upper_case(&without_tags(&rules.without_placeholders(text.into())))
}

impl SameRules<'_> {
    fn without_placeholders(&self, mut text: String) -> String {
        for &check in self.format_checks {
            if tokens::may_occur(check, &text) {
                text = tokens::strip(check, &text);
            }
        }
        match self.placeholders {
            Some(placeholders) => placeholders.strip(&text),
            None => text,
        }
    }
}
