//! The faults of documents, found by the engine of `gitglot check` (docs/spec/pages.md#documents).

use gitglot_catalog::UnitView;
use gitglot_lint::{DocumentFault, Severity, document_faults, source_document_faults};
use gitglot_model::FileFormat;

use crate::PageRequest;

/// The texts of a source and of its translation, as a hash. Later snapshots have most pairs, too.
pub(crate) type PairKey = [u8; 16];

/// Size limit of known results, in bytes.
pub(crate) const LIMIT: usize = 8 << 20;

/// The faults of a document: of a translation compared with its source, of a source on its own.
pub(crate) fn faults(unit: UnitView<'_>) -> Vec<DocumentFault> {
    let texts = &unit.component.texts;
    let (source, target) = (texts.get(unit.source.source), texts.get(unit.unit.target));
    match () {
        () if unit.component.component.file_format != FileFormat::Document => Vec::new(),
        () if unit.translation.is_template => source_document_faults(source),
        () if target.is_empty() => Vec::new(),
        () => document_faults(source, target),
    }
}

/// Bytes of a result in the cache, with its key and what the cache has for an entry.
const RESULT_BYTES: usize = 80;

impl PageRequest<'_> {
    /// The weight of the worst fault of a document; `None` without any but notes, and if the budget is exhausted.
    pub(crate) fn worst_fault(&self, unit: UnitView<'_>) -> Option<Severity> {
        let worst = || {
            if !self.budget.spend_text(unit.text_bytes()) {
                return None;
            }
            let found = faults(unit).into_iter();
            let severities = found.map(|fault| fault.kind.severity());
            severities.filter(|it| *it > Severity::Note).max()
        };
        let Some(cache) = self.cache else {
            return worst();
        };
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
        if let Some(known) = cache.faults.lock().get(&key) {
            return known;
        }
        let found = worst();
        if self.budget.exhausted().is_none() {
            cache.faults.lock().put(key, found, RESULT_BYTES);
        }
        found
    }
}
