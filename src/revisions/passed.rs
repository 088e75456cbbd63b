//! The results of the modern checks at the tip, which spare those of equal texts at other revisions.

use rustc_hash::FxHashMap;

use crate::catalog::{ComponentSnapshot, TranslationView};
use crate::lint::PassedChecks;

/// The strings of the tip.
pub(super) struct TipChecks<'a> {
    tip: &'a ComponentSnapshot,
    rows: FxHashMap<&'a str, usize>,
}

impl<'a> TipChecks<'a> {
    pub(super) fn new(tip: &'a ComponentSnapshot) -> Self {
        Self {
            tip,
            rows: rows_by_key(tip),
        }
    }
}

impl PassedChecks for TipChecks<'_> {
    fn language(&self, code: &str) -> Option<usize> {
        self.tip.translation(code).map(|index| index as usize)
    }

    fn string(&self, key: &str, source: &str) -> Option<usize> {
        let &row = self.rows.get(key)?;
        let known = self.tip.sources.get(row)?;
        (self.tip.texts.get(known.source) == source).then_some(row)
    }

    fn passes(&self, language: usize, string: usize, translation: &str) -> bool {
        let Some(known) = self.tip.translations.get(language) else {
            return false;
        };
        let view = TranslationView {
            component: self.tip,
            translation: known,
        };
        view.passes_modern_checks(string, translation)
    }
}

/// The row of each key.
pub(super) fn rows_by_key(component: &ComponentSnapshot) -> FxHashMap<&str, usize> {
    let sources = component.sources.iter().enumerate();
    sources
        .map(|(row, source)| (component.texts.get(source.context), row))
        .collect()
}
