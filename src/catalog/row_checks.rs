//! Runs the checks on the rows of a translation.

use super::modern_failures::with_forms;
use super::rows::SourceRow;
use super::unit_text::{check_forms, fitted, push_comment, split_forms};
use crate::checks::modern::Unit;
use crate::checks::{Checker, Failing, LanguageChecker};
use crate::history::UnitState;
use crate::language::Language;
use crate::model::{FileFormat, Texts};

/// Checks rows of a translation.
pub(super) struct RowChecks<'a> {
    texts: &'a Texts,
    language: &'a Language,
    format: FileFormat,
    is_modern: bool,
    checker: LanguageChecker,
    /// Reused for the note of each unit.
    comment: String,
}

impl<'a> RowChecks<'a> {
    /// The checks of translations from `source_language` to `language`.
    pub(super) fn new(
        checker: &Checker,
        source_language: &str,
        language: &'a Language,
        format: FileFormat,
        texts: &'a Texts,
    ) -> Self {
        Self {
            texts,
            language,
            format,
            is_modern: checker.settings().modern,
            checker: checker.for_language(&language.code, source_language),
            comment: String::new(),
        }
    }

    /// Whether a translated row fails a check.
    pub(super) fn fail(&mut self, source: &SourceRow, unit: &UnitState, is_plural: bool) -> bool {
        let (texts, checker, comment) = (self.texts, &self.checker, &mut self.comment);
        comment.clear();
        push_comment(comment, texts.get(source.note), texts.get(unit.note));
        let (source_text, target) = (texts.get(source.source), texts.get(unit.target));
        if !is_plural {
            return checker.fails(source_text, target, comment);
        }
        if self.is_modern {
            let decide = |unit: &Unit<'_>| checker.decide(Failing::default(), unit);
            return with_forms(texts, source.source, unit.target, decide);
        }
        let target = fitted(target, self.format, self.language);
        let legacy = check_forms(checker, source_text, &target, comment);
        let (sources, targets) = (split_forms(source_text), split_forms(&target));
        checker.decide(legacy, &Unit::new(&sources, &targets))
    }
}
