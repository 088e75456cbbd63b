//! Unchanged translations (`docs/spec/checks.md#unchanged-translations-in-modern-checks`).

use super::names;
use super::{is_untranslated_with, is_upper_case};
use crate::finding::PartialFinding;
use crate::html::without_tags;
use crate::input::CheckInput;
use crate::setup::Setup;
use crate::{CheckId, LanguageChecker, languages, tokens};

/// Words that current Weblate ignores in addition to those of the legacy check: products, languages and technical terms.
const ADDITIONAL_WORDS: &str = "css frontend github gitlab javascript jquery markdown mysql php postgresql redirect typescript";

/// Checks all forms of a unit.
pub(crate) fn check(
    unit: &CheckInput,
    setup: &Setup,
    format_checks: &[CheckId],
    language: &LanguageChecker,
) -> Option<PartialFinding> {
    let is_untranslated = |text: &str| {
        let text = &*setup.words.without_phrases(text);
        is_untranslated(text, setup, format_checks)
            && !(setup.is_precise && is_name(text, setup, language))
    };
    let pair = unit
        .pairs()
        .find(|pair| pair.source == pair.target && is_untranslated(pair.source))?;
    let message = CheckId::Same.description();
    Some(PartialFinding::in_target(
        &pair,
        message,
        0..pair.target.len(),
    ))
}

/// Whether a text is the same in all languages.
fn is_name(text: &str, setup: &Setup, language: &LanguageChecker) -> bool {
    let is_known = |word: &str| {
        is_additional(word) || setup.words.contains(word) || language.traits.is_name(word)
    };
    let primary = languages::primary_code(&language.base);
    match language.traits.placeholders().next() {
        Some(placeholders) => names::is_name(&placeholders.strip(text), primary, is_known),
        None => names::is_name(text, primary, is_known),
    }
}

fn is_additional(word: &str) -> bool {
    ADDITIONAL_WORDS.split(' ').any(|known| known == word)
}

fn is_untranslated(text: &str, setup: &Setup, format_checks: &[CheckId]) -> bool {
    let without_placeholders = |mut text: String| {
        for &check in format_checks {
            if tokens::may_occur(check, &text) {
                text = tokens::strip(check, &text);
            }
        }
        match &setup.placeholders {
            Some(placeholders) => placeholders.strip(&text),
            None => text,
        }
    };
    // Only single characters and texts of nothing but placeholders may stay unchanged.
    if setup.flags.contains("strict-same") {
        return text.chars().nth(1).is_some() && !without_placeholders(text.into()).is_empty();
    }
    let is_word = |word: &str| is_additional(word) || setup.words.contains(word);
    is_untranslated_with(text, "", is_word, without_placeholders)
        && !is_upper_case(&without_tags(&without_placeholders(text.into())))
}
