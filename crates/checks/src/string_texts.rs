//! The checks of a string as files have it: with its forms joined, their categories, and the role of its key. Pages and
//! `gitglot check` use them, so that both have the same results.

use crate::checker::LanguageChecker;
use crate::finding::{CheckFinding, TextSpan};
use crate::input::CheckInput;
use crate::limit::{MAX_CHECKED, Proceed};
use crate::registry::{CheckId, CheckIds, Severity};
use crate::string_role::TextRole;
use gitglot_model::{FileFormat, PLURAL_SEPARATOR};

/// Whether a source text can be only a name, because people read another text in place of it: it has no spaces.
fn is_name(source: &str) -> bool {
    !source.is_empty() && !source.contains(char::is_whitespace)
}

/// The texts of a string.
#[derive(Clone, Copy, Default, Debug)]
pub struct StringTexts<'a> {
    /// The source text, with plural forms joined.
    pub source: &'a str,
    /// The plural categories of its forms; empty if the file does not name them.
    pub source_categories: &'a [&'a str],
    /// The translation, as the source.
    pub target: &'a str,
    /// The categories of its forms.
    pub categories: &'a [&'a str],
    /// The flags that a bilingual file gives to the string.
    pub flags: &'a str,
    /// What the key says.
    pub role: TextRole,
    /// The text of the source language in a bilingual file, which people read in place of the source.
    pub wording: Option<&'a str>,
}

impl LanguageChecker {
    /// Runs the checks of a string, while the work may go on. An error does not count if the translation has none in
    /// comparison with what people read in place of the source.
    pub fn check_string(&self, string: &StringTexts, proceed: Proceed<'_>) -> Vec<CheckFinding> {
        if self.setup.inferred
            && let Some(named) = string.of_name()
        {
            let mut found = self.check_string(&named, proceed);
            if string.target == string.source {
                // Its text is the name, not what people read.
                let mut copied = self.check_texts(string, proceed).into_iter();
                found.extend(copied.find(|finding| finding.check == CheckId::Same));
            }
            return found;
        }
        let mut found = self.check_texts(string, proceed);
        // A term of Fluent is a name, which may be equal.
        found.retain(|finding| !string.role.is_term || finding.check != CheckId::Same);
        let is_error = |finding: &CheckFinding| finding.check.severity() == Severity::Error;
        let wording = string
            .wording
            .filter(|wording| *wording != string.source && found.iter().any(is_error));
        if let Some(source) = wording {
            let others = self.failing_of_string(
                &StringTexts {
                    source,
                    source_categories: &[],
                    categories: &[],
                    wording: None,
                    ..*string
                },
                proceed,
            );
            found.retain(|finding| !is_error(finding) || others.contains(finding.check));
        }
        found
    }

    /// As [`Self::check_string`]; returns only the checks that fail.
    pub fn failing_of_string(&self, string: &StringTexts, proceed: Proceed<'_>) -> CheckIds {
        let findings = self.check_string(string, proceed);
        findings.iter().map(|finding| finding.check).collect()
    }

    /// Runs the checks of the source and the translation of a string; the wording does not count.
    fn check_texts(&self, string: &StringTexts, proceed: Proceed<'_>) -> Vec<CheckFinding> {
        if string.is_checked(&self.setup.file_format) {
            string.with_input(|unit| self.check_while(unit, proceed))
        } else {
            Vec::new()
        }
    }

    /// The placeholders of a string, as [`Self::placeholders`] returns them.
    pub fn placeholders_of_string(&self, string: &StringTexts) -> Vec<TextSpan> {
        string.with_input(|unit| self.placeholders(unit))
    }
}

impl<'a> StringTexts<'a> {
    /// The string with what people read as its source, if the source is only a name. A JSON object is data of a
    /// script, whose values follow no style that is known here.
    fn of_name(&self) -> Option<Self> {
        let is_text = |wording: &&str| *wording != self.source && !wording.starts_with("{\"");
        let wording = self.wording.filter(is_text)?;
        is_name(self.source).then_some(Self {
            source: wording,
            source_categories: &[],
            wording: None,
            ..*self
        })
    }

    /// The plural categories of the translation.
    fn categories(&self) -> &[&'a str] {
        match &self.role.category {
            Some(category) => std::slice::from_ref(category),
            None => self.categories,
        }
    }

    /// Whether the checks of a file format run on it.
    fn is_checked(&self, file_format: &str) -> bool {
        let has_forms = |text: &str| text.contains(PLURAL_SEPARATOR);
        let (of_source, of_target) = (has_forms(self.source), has_forms(self.target));
        let has_format =
            |formats: &[FileFormat]| formats.iter().any(|format| format.name() == file_format);
        // Android has a string and a plural of one name: these are two texts.
        let is_string = of_target && !of_source && has_format(&[FileFormat::AndroidResource]);
        // So has i18next: a text without a category next to forms of others is for all other numbers.
        let is_plain = of_source && !of_target && self.categories().is_empty();
        let is_plain = is_plain && has_format(&[FileFormat::I18nextV4, FileFormat::I18nextModule]);
        !(self.source.is_empty() || is_string || is_plain)
    }

    /// Calls a function with the texts, divided into forms.
    fn with_input<T>(&self, use_unit: impl FnOnce(&CheckInput<'_>) -> T) -> T {
        let categories = self.categories();
        let is_plural = [self.source, self.target]
            .iter()
            .any(|text| text.contains(PLURAL_SEPARATOR));
        let unit = CheckInput {
            source: &[self.source],
            source_categories: Some(self.source_categories),
            target: &[self.target],
            categories: if is_plural {
                categories
            } else {
                categories.get(..1).unwrap_or_default()
            },
            flags: self.flags,
            comment: "",
        };
        // A text that is too long to be checked can have very many forms.
        if !is_plural || self.source.len() + self.target.len() > MAX_CHECKED {
            return use_unit(&unit);
        }
        let forms = |text: &'a str| text.split(PLURAL_SEPARATOR).collect::<Vec<_>>();
        use_unit(&CheckInput {
            source: &forms(self.source),
            target: &forms(self.target),
            ..unit
        })
    }
}
