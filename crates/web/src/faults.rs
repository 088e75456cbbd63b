//! The faults of documents, found by the engine of `gitglot check` (docs/spec/pages.md#documents).

use gitglot_catalog::scan::Budget;
use gitglot_catalog::{CheckResults, ComponentSnapshot, Count, TranslationView, UnitView};
use gitglot_lint::{DocumentFault, Severity, document_faults, source_document_faults};
use gitglot_model::FileFormat;

use crate::page_cache::PairKey;
use crate::request::PageRequest;

/// Whether each string of a component is a document.
fn has_documents(component: &ComponentSnapshot) -> bool {
    component.component.file_format == FileFormat::Document
}

/// The faults of a document: of a translation compared with its source, of a source on its own.
pub(crate) fn faults(unit: UnitView<'_>) -> Vec<DocumentFault> {
    let texts = &unit.component.texts;
    let (source, target) = (texts.get(unit.source.source), texts.get(unit.unit.target));
    match () {
        () if !has_documents(unit.component) => Vec::new(),
        () if unit.translation.is_template => source_document_faults(source),
        () if target.is_empty() => Vec::new(),
        () => document_faults(source, target),
    }
}

/// The weight of the worst fault of a document; `None` if there are only notes, and if the budget is exhausted.
fn worst_fault(unit: UnitView<'_>, budget: &Budget) -> Option<Severity> {
    if !has_documents(unit.component) || !budget.spend_text(unit.text_bytes()) {
        return None;
    }
    let severities = faults(unit).into_iter().map(|fault| fault.kind.severity());
    severities
        .filter(|severity| *severity > Severity::Note)
        .max()
}

/// Whether a unit is a document with a fault that is no note.
pub fn has_fault(unit: UnitView<'_>, budget: &Budget) -> bool {
    worst_fault(unit, budget).is_some()
}

/// The strings of a translation that fail a modern check, and the documents with a fault that is no note.
pub fn failing(view: TranslationView<'_>, budget: &Budget) -> Count {
    let results = view.check_results(budget);
    let faulty = faulty_documents(view, results, budget, |unit| has_fault(unit, budget));
    [results.count(), count(view, &faulty)].into_iter().sum()
}

/// The rows of documents that fail no check and have a fault.
fn faulty_documents(
    view: TranslationView<'_>,
    results: &CheckResults,
    budget: &Budget,
    is_faulty: impl Fn(UnitView<'_>) -> bool,
) -> Vec<u32> {
    if !has_documents(view.component) {
        return Vec::new();
    }
    let units = view.units_from(0).take_while(|_| budget.spend(1));
    let faulty = units.filter(|unit| results.of_row(unit.row).is_empty() && is_faulty(*unit));
    faulty.map(|unit| unit.row).collect()
}

/// The number of rows and of the words of their sources.
fn count(view: TranslationView<'_>, rows: &[u32]) -> Count {
    let units = rows.iter().filter_map(|&row| view.unit(row));
    units.map(|unit| Count::one(unit.source.words)).sum()
}

/// Bytes of a result in the cache, with its key and what the cache has for an entry.
const RESULT_BYTES: usize = 80;

impl PageRequest<'_> {
    /// The strings of a translation that fail a modern check, and the documents with a fault that is no note.
    pub(crate) fn failing(&self, view: TranslationView<'_>) -> Count {
        let results = view.check_results(self.budget);
        if !has_documents(view.component) {
            return results.count();
        }
        let list = view.component.path_of(view.translation);
        let faulty = self.selected(&["/faults/", &list].concat(), || {
            let is_faulty = |unit: UnitView<'_>| self.worst_fault(unit).is_some();
            faulty_documents(view, results, self.budget, is_faulty)
        });
        [results.count(), count(view, &faulty)].into_iter().sum()
    }

    /// The weight of the worst fault of a document; `None` if there are only notes, and if the budget is exhausted.
    pub(crate) fn worst_fault(&self, unit: UnitView<'_>) -> Option<Severity> {
        if !has_documents(unit.component) {
            return None;
        }
        let worst = || worst_fault(unit, self.budget);
        let cache = self.cache.map(|cache| &cache.faults);
        self.cached_in(cache, || pair_key(unit), worst, |_| RESULT_BYTES)
    }
}

fn pair_key(unit: UnitView<'_>) -> PairKey {
    let texts = &unit.component.texts;
    let source = texts.get(unit.source.source);
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[u8::from(unit.translation.is_template)]);
    hasher.update(&source.len().to_le_bytes());
    hasher.update(source.as_bytes());
    if !unit.translation.is_template {
        hasher.update(texts.get(unit.unit.target).as_bytes());
    }
    let mut key = PairKey::default();
    hasher.finalize_xof().fill(&mut key);
    key
}
