//! The modern checks of rows (docs/spec/checks.md#modern-checks). They run when they are first needed; a new snapshot
//! checks only strings that changed.

use super::rows::{SourceRow, UnitRow};
use super::statistics::Count;
use super::{TranslationView, UnitView};
use crate::checks::modern::{CheckFinding, ModernLanguageChecker, TextSpan, Unit};
use crate::checks::{CheckIds, SourceChange};
use crate::model::{PLURAL_SEPARATOR, PluralForm, TextId, Texts};

/// The strings of a translation that fail a modern check.
#[derive(Clone, Default, Debug)]
pub struct ModernFailures {
    /// Row and failing checks, by row. Stale strings are included.
    rows: Box<[(u32, CheckIds)]>,
    count: Count,
}

impl ModernFailures {
    /// Checks the units of a translation other than the template. `known` returns the result for a row, if an earlier
    /// snapshot has it.
    pub(super) fn new(
        units: &[UnitRow],
        sources: &[SourceRow],
        texts: &Texts,
        checker: &ModernLanguageChecker,
        mut known: impl FnMut(u32) -> Option<CheckIds>,
    ) -> Self {
        let (mut rows, mut count) = (Vec::new(), Count::default());
        for (row, (unit, source)) in (0..).zip(units.iter().zip(sources)) {
            if !is_checked(unit) {
                continue;
            }
            let failing = known(row)
                .unwrap_or_else(|| with_unit(texts, source, unit, |unit| checker.failing(unit)));
            if !failing.is_empty() {
                rows.push((row, failing));
                count += Count {
                    units: 1,
                    words: u64::from(source.words),
                };
            }
        }
        Self {
            rows: rows.into(),
            count,
        }
    }

    /// The failing checks of a row.
    pub fn of_row(&self, row: u32) -> CheckIds {
        match self.rows.binary_search_by_key(&row, |&(row, _)| row) {
            Ok(at) => self.rows.get(at).map(|&(_, failing)| failing),
            Err(_) => None,
        }
        .unwrap_or_default()
    }

    /// The rows that fail, ascending, with their failing checks.
    pub fn rows(&self) -> &[(u32, CheckIds)] {
        &self.rows
    }

    /// The number of strings that fail, and the words of their sources.
    pub fn count(&self) -> Count {
        self.count
    }
}

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
    pub fn modern_checks(self) -> CheckIds {
        if !self.is_checked() {
            return CheckIds::default();
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

/// Whether the modern checks run on a unit: it has a text, stale or not.
pub(super) fn is_checked(unit: &UnitRow) -> bool {
    unit.translated() || unit.fuzzy()
}

/// Calls a function with the texts of a unit.
fn with_unit<T>(
    texts: &Texts,
    source: &SourceRow,
    unit: &UnitRow,
    use_unit: impl FnOnce(&Unit<'_>) -> T,
) -> T {
    let (source_text, target_text) = (texts.get(source.source), texts.get(unit.target));
    if !unit.plural() {
        return use_unit(&Unit::new(&[source_text], &[target_text]));
    }
    with_forms(texts, source.source, unit.target, use_unit)
}

/// Calls a function with the plural forms of two texts.
pub(super) fn with_forms<T>(
    texts: &Texts,
    source: TextId,
    target: TextId,
    use_unit: impl FnOnce(&Unit<'_>) -> T,
) -> T {
    let (sources, targets): (Vec<&str>, Vec<&str>) = (
        texts.get(source).split(PLURAL_SEPARATOR).collect(),
        texts.get(target).split(PLURAL_SEPARATOR).collect(),
    );
    let categories: Vec<&str> = texts
        .forms(target)
        .filter_map(PluralForm::category)
        .collect();
    let is_named = categories.len() == targets.len();
    use_unit(&Unit {
        source: &sources,
        target: &targets,
        categories: if is_named { &categories } else { &[] },
    })
}
