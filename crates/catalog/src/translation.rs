//! The snapshot of a component in one language.

use std::ops::Deref;
use std::sync::Arc;

use super::check_results::ResultsCell;
use super::current::CurrentCounts;
use super::{IdRun, Statistics, UnitRow};
use gitglot_history::TranslationState;
use gitglot_model::language::CurrentLanguage;
use gitglot_model::{BlobId, TextId, TranslationId};

/// A component in one language. It dereferences to the state that it was built from.
#[derive(Debug)]
pub struct TranslationSnapshot {
    /// Its id.
    pub id: TranslationId,
    /// Its units, one per source of the component in the same order, or none; of a bilingual file, one per string of the
    /// file.
    pub units: Vec<UnitRow>,
    /// Counts of the units.
    pub statistics: Statistics,
    /// The ids of the units.
    pub(super) id_runs: Box<[IdRun]>,
    /// The strings that fail a modern check, once they are known.
    pub(super) current: ResultsCell,
    /// The strings that fail a check in current Weblate, once they are known.
    pub(super) exact: ResultsCell,
    /// The language in current Weblate.
    pub(super) current_language: CurrentLanguage,
    /// The counts of current Weblate, once they were asked for.
    pub(super) counts: CurrentCounts,
    pub(super) state: Arc<TranslationState>,
}

impl Deref for TranslationSnapshot {
    type Target = TranslationState;

    fn deref(&self) -> &TranslationState {
        &self.state
    }
}

impl TranslationSnapshot {
    /// The source that a stale unit was translated from, else `""`.
    pub fn previous_source(&self, row: u32) -> TextId {
        match self.stale.binary_search_by_key(&row, |&(row, _)| row) {
            Ok(at) => self.stale[at].1,
            Err(_) => TextId::EMPTY,
        }
    }

    /// The number of plural forms that its file declares.
    pub(super) fn plural_forms(&self) -> Option<usize> {
        self.bilingual.as_ref()?.plural_forms
    }

    /// The units that can fail a modern check: none of the template.
    pub(super) fn checked_units(&self) -> &[UnitRow] {
        match self.is_template {
            true => &[],
            false => &self.units,
        }
    }

    /// The rows that fail a check, ascending.
    pub fn failing_rows(&self) -> impl Iterator<Item = u32> + '_ {
        (0..)
            .zip(&self.units)
            .filter(|(_, unit)| unit.failing())
            .map(|(row, _)| row)
    }

    /// The names of the blobs that the units come from, as `revision` shows them (docs/spec/units.md#revision).
    pub fn revision(&self, template: BlobId) -> String {
        if self.is_bilingual() {
            return self.blob.map_or_else(String::new, |blob| blob.to_string());
        }
        self.blob
            .map_or_else(String::new, |blob| format!("{blob},{template}"))
    }
}
