//! The modern checks of rows (docs/spec/checks.md#modern-checks), and the rows that fail them.

use super::rows::{SourceRow, UnitRow};
use super::statistics::Count;
use super::unit_text::split_forms;
use crate::checks::CheckIds;
use crate::checks::modern::{ModernLanguageChecker, Unit};
use crate::model::{PluralForm, TextId, Texts};

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

/// Whether the modern checks run on a unit: it has a text, stale or not.
pub(super) fn is_checked(unit: &UnitRow) -> bool {
    unit.translated() || unit.fuzzy()
}

/// Calls a function with the texts of a unit.
pub(super) fn with_unit<T>(
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
    let sources = split_forms(texts.get(source));
    let targets = split_forms(texts.get(target));
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
