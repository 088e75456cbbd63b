//! The texts of units as the checks read them (docs/spec/checks.md#modern-checks).

use super::check_results::CheckedRows;
use super::rows::{SourceRow, UnitRow};
use super::template_checks::TemplateChecks;
use super::translation::TranslationSnapshot;
use super::unit_text::split_forms;
use gitglot_checks::{
    CheckIds, CheckInput, LanguageChecker, MAX_CHECKED, Proceed, StringTexts, TextRole,
};
use gitglot_history::TranslationState;
use gitglot_model::{PluralForm, TextId, Texts};

/// The units of a translation other than the template, and their modern checks.
#[derive(Clone, Copy)]
pub(super) struct CheckedUnits<'a> {
    pub(super) translation: &'a TranslationSnapshot,
    pub(super) sources: &'a [SourceRow],
    pub(super) texts: &'a Texts,
    pub(super) template: &'a TemplateChecks,
    pub(super) checker: &'a LanguageChecker,
}

impl CheckedUnits<'_> {
    fn source(&self, row: u32) -> Option<&SourceRow> {
        self.sources.get(self.translation.string_of(row) as usize)
    }

    /// What the key of a row says about its text.
    pub(super) fn role(&self, row: u32) -> TextRole {
        let string = self.translation.string_of(row);
        self.template.role(self.translation, string)
    }

    /// What people read in place of the source of a row.
    pub(super) fn wording(&self, row: u32) -> Option<TextId> {
        self.template.wording(self.translation.string_of(row))
    }

    /// Calls a function with the texts of a row; none beyond the last row.
    pub(super) fn with_string<T>(
        &self,
        row: u32,
        use_string: impl FnOnce(&StringTexts<'_>) -> T,
    ) -> Option<T> {
        let (unit, source) = (self.translation.unit_row(row)?, self.source(row)?);
        let texts = self.texts;
        let categories = |text: TextId| -> Vec<&str> {
            let categories = texts.forms(text).map(PluralForm::category);
            categories.collect::<Option<_>>().unwrap_or_default()
        };
        Some(use_string(&StringTexts {
            source: texts.get(source.source),
            source_categories: &categories(source.source),
            target: texts.get(unit.target),
            categories: &categories(unit.target),
            flags: flags_of(texts, self.translation, row),
            role: self.role(row),
            wording: self.wording(row).map(|text| texts.get(text)),
        }))
    }
}

impl CheckedRows for CheckedUnits<'_> {
    fn len(&self) -> usize {
        // The texts of the template cannot fail.
        if self.translation.is_template {
            0
        } else {
            self.translation.unit_count().min(self.sources.len())
        }
    }

    fn is_checked(&self, row: u32) -> bool {
        let unit = self.translation.unit_row(row);
        unit.is_some_and(|unit| is_checked(&unit, self.translation))
    }

    fn words(&self, row: u32) -> u32 {
        self.source(row).map_or(0, |source| source.words)
    }

    fn failing(&self, row: u32, proceed: Proceed<'_>) -> (CheckIds, usize) {
        let check = |string: &StringTexts<'_>| {
            let bytes = string.source.len() + string.target.len();
            (self.checker.failing_of_string(string, proceed), bytes)
        };
        self.with_string(row, check).unwrap_or_default()
    }
}

/// Whether the modern checks run on a unit: it has a text, stale or not. Programs do not use the fuzzy texts of
/// bilingual files, which tools fill with similar texts.
pub(super) fn is_checked(unit: &UnitRow, state: &TranslationState) -> bool {
    unit.translated() || (unit.fuzzy() && state.bilingual.is_none())
}

/// The flags that a bilingual file gives to a unit.
pub(super) fn flags_of<'t>(texts: &'t Texts, state: &TranslationState, row: u32) -> &'t str {
    let own = state.bilingual_unit(row);
    own.map_or("", |own| texts.get(own.flags))
}

/// Calls a function with the texts of a unit as Weblate 3.4 shows them: with all forms of the language.
pub(super) fn with_fitted<T>(
    source: &str,
    target: &str,
    is_plural: bool,
    unit: CheckInput<'_>,
    use_unit: impl FnOnce(&CheckInput<'_>) -> T,
) -> T {
    if !is_plural || source.len() + target.len() > MAX_CHECKED {
        return use_unit(&CheckInput {
            source: &[source],
            target: &[target],
            ..unit
        });
    }
    use_unit(&CheckInput {
        source: &split_forms(source),
        target: &split_forms(target),
        ..unit
    })
}

/// Calls a function with the plural forms of two texts.
pub(super) fn with_forms<T>(
    texts: &Texts,
    source: TextId,
    target: TextId,
    flags: &str,
    use_unit: impl FnOnce(&CheckInput<'_>) -> T,
) -> T {
    let (source_text, target_text) = (texts.get(source), texts.get(target));
    if source_text.len() + target_text.len() > MAX_CHECKED {
        // Too long for the checks, and perhaps of very many forms.
        return use_unit(&CheckInput {
            flags,
            ..CheckInput::new(&[source_text], &[target_text])
        });
    }
    let (sources, targets) = (split_forms(source_text), split_forms(target_text));
    let categories = |text: TextId, count: usize| -> Vec<&str> {
        let categories = texts.forms(text).filter_map(PluralForm::category);
        let categories: Vec<&str> = categories.collect();
        if categories.len() == count {
            categories
        } else {
            Vec::new()
        }
    };
    use_unit(&CheckInput {
        source: &sources,
        source_categories: Some(&categories(source, sources.len())),
        target: &targets,
        categories: &categories(target, targets.len()),
        flags,
        comment: "",
    })
}
