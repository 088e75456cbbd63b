//! Unchanged translations (`docs/spec/checks.md#unchanged-translations-in-modern-checks`).

use std::collections::HashSet;

use super::{is_untranslated_with, is_upper_case, names};
use crate::finding::PartialFinding;
use crate::html::without_tags;
use crate::input::CheckInput;
use crate::registry::CheckId;
use crate::rules::placeholders::Placeholders;
use crate::words::Words;
use crate::{languages, tokens};

/// Words that current Weblate ignores in addition to those of the legacy check: products, languages and technical terms.
const ADDITIONAL_WORDS: &str = "css frontend github gitlab javascript jquery markdown mysql php postgresql redirect typescript";

/// The rules for texts that may stay unchanged.
pub(crate) struct Unchanged<'a> {
    pub(crate) words: &'a Words,
    /// Whether only texts of nothing but placeholders may.
    pub(crate) is_strict: bool,
    pub(crate) format_checks: Vec<CheckId>,
    pub(crate) placeholders: Option<&'a Placeholders>,
    /// The known names: inferred checks.
    pub(crate) names: Option<Names<'a>>,
}

/// The known names: texts that are the same in all languages.
pub(crate) struct Names<'a> {
    /// The base code of the language.
    pub(crate) language: &'a str,
    /// The placeholders of the template.
    pub(crate) placeholders: Option<&'a Placeholders>,
    /// The names in the template.
    pub(crate) of_template: &'a HashSet<String>,
}

impl Unchanged<'_> {
    /// Checks all forms of a unit.
    pub(crate) fn check(&self, unit: &CheckInput) -> Option<PartialFinding> {
        let is_untranslated = |text: &str| {
            let text = &*self.words.without_phrases(text);
            self.is_untranslated(text) && !self.is_name(text)
        };
        let pair = unit
            .pairs()
            .find(|pair| pair.source == pair.target && is_untranslated(pair.source))?;
        let message = CheckId::Same.description();
        let all = 0..pair.target.len();
        Some(PartialFinding::in_target(&pair, message, all))
    }

    fn is_name(&self, text: &str) -> bool {
        let Some(names) = &self.names else {
            return false;
        };
        let is_known = |word: &str| self.is_word(word) || names.of_template.contains(word);
        let primary = languages::primary_code(names.language);
        match names.placeholders {
            Some(placeholders) => names::is_name(&placeholders.strip(text), primary, is_known),
            None => names::is_name(text, primary, is_known),
        }
    }

    /// Whether a word is the same in all languages.
    fn is_word(&self, word: &str) -> bool {
        ADDITIONAL_WORDS.split(' ').any(|known| known == word) || self.words.contains(word)
    }

    fn is_untranslated(&self, text: &str) -> bool {
        let without_placeholders = |mut text: String| {
            for &check in &self.format_checks {
                if tokens::may_occur(check, &text) {
                    text = tokens::strip(check, &text);
                }
            }
            match self.placeholders {
                Some(placeholders) => placeholders.strip(&text),
                None => text,
            }
        };
        // Only single characters and texts of nothing but placeholders may stay unchanged.
        if self.is_strict {
            return text.chars().nth(1).is_some() && !without_placeholders(text.into()).is_empty();
        }
        let is_word = |word: &str| self.is_word(word);
        is_untranslated_with(text, "", is_word, without_placeholders)
            && !is_upper_case(&without_tags(&without_placeholders(text.into())))
    }
}
