//! The modern checks of a translation (docs/spec/checks.md#modern-checks). They run when they are first needed; a new
//! snapshot checks only strings that changed.

use super::modern_failures::{ModernFailures, is_checked, with_unit};
use super::{TranslationView, UnitView};
use crate::checks::SourceChange;
use crate::checks::modern::{CheckFinding, ModernLanguageChecker, ModernSet, TextSpan, Unit};

impl<'a> TranslationView<'a> {
    /// The strings that fail a modern check. The first call may run the checks.
    pub fn modern_failures(self) -> &'a ModernFailures {
        self.translation.modern.get_or_init(|| {
            let component = self.component;
            ModernFailures::new(
                self.translation.checked_units(),
                &component.sources,
                &component.texts,
                &self.modern_checker(),
                |_| None,
            )
        })
    }

    /// Whether a text is the translation of a row and is known to pass all modern checks. Runs none.
    pub fn passes_modern_checks(self, row: usize, translation: &str) -> bool {
        let of = self.translation;
        of.checked_units().get(row).is_some_and(|unit| {
            is_checked(unit)
                && !unit.plural()
                && self.component.texts.get(unit.target) == translation
        }) && of
            .modern
            .get()
            .is_some_and(|failures| failures.of_row(row as u32).is_empty())
    }

    fn modern_checker(self) -> ModernLanguageChecker {
        self.component.checker.modern(
            &self.translation.language.code,
            &self.component.project.source_language,
        )
    }
}

impl UnitView<'_> {
    /// Whether the modern checks run on the unit: it has a text and is not the template's.
    fn is_checked(self) -> bool {
        is_checked(self.unit) && !self.translation.is_template
    }

    /// The failing modern checks.
    pub fn modern_checks(self) -> ModernSet {
        if !self.is_checked() {
            return ModernSet::default();
        }
        match self.translation.modern.get() {
            Some(failures) => failures.of_row(self.row),
            None => self.with_texts(|unit| self.of().modern_checker().failing(unit)),
        }
    }

    /// The findings of the failing modern checks.
    pub fn modern_findings(self) -> Vec<CheckFinding> {
        if !self.is_checked() {
            return Vec::new();
        }
        self.with_texts(|unit| self.of().modern_checker().check(unit))
    }

    /// The placeholders of source and target, as the modern checks recognize them.
    pub fn placeholders(self) -> Vec<TextSpan> {
        self.with_texts(|unit| self.of().modern_checker().placeholders(unit))
    }

    /// How much the source changed since the translation was written; `None` if the unit is not stale.
    pub fn source_change(self) -> Option<SourceChange> {
        let texts = &self.component.texts;
        let previous = texts.get(self.translation.previous_source(self.row));
        self.unit
            .fuzzy()
            .then(|| SourceChange::between(previous, texts.get(self.source.source)))
    }

    fn with_texts<T>(self, use_unit: impl FnOnce(&Unit<'_>) -> T) -> T {
        with_unit(&self.component.texts, self.source, self.unit, use_unit)
    }
}
