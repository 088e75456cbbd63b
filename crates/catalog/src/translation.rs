//! The snapshot of a component in one language.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::check_results::ResultsCell;
use super::ids::IdOrder;
use super::rows::{FAILING, UnitRow, UnitRows};
use super::statistics::{CurrentStatistics, OriginCounts, Statistics};
use gitglot_history::TranslationState;
use gitglot_model::language::{CurrentLanguage, resolve_current};
use gitglot_model::{BlobId, TextId, TranslationId, UnitId};

/// A component in one language. It dereferences to the state that it was built from.
#[derive(Debug)]
pub struct TranslationSnapshot {
    /// Its id.
    pub id: TranslationId,
    /// Ids and states of its units.
    pub(super) rows: UnitRows,
    /// Counts of the units.
    pub statistics: Statistics,
    /// Those of them whose source text is empty.
    pub(super) blank: Statistics,
    /// The ids of the units.
    pub(super) id_order: IdOrder,
    /// The strings that fail a modern check, once they are known.
    pub(super) current: ResultsCell,
    /// The strings that fail a check in current Weblate, once they are known.
    pub(super) exact: ResultsCell,
    /// The language in current Weblate.
    pub(super) current_language: CurrentLanguage,
    /// The counts of current Weblate without failing checks, once they were asked for.
    pub(super) counts: OnceLock<CurrentStatistics>,
    /// Who wrote its texts, once it was asked for, with the number of texts that came from other components: which ones
    /// did can become known later.
    pub(super) origins: Mutex<Option<(usize, OriginCounts)>>,
    pub(super) state: Arc<TranslationState>,
    /// The translation as programs see it, if Weblate 3.4 sees another one.
    pub(super) revised: Option<Box<TranslationSnapshot>>,
}

impl Deref for TranslationSnapshot {
    type Target = TranslationState;

    fn deref(&self) -> &TranslationState {
        &self.state
    }
}

impl TranslationSnapshot {
    /// The translation of a state with the ids and flags of its units, without any counts and results of checks.
    pub(super) fn new(
        id: TranslationId,
        state: Arc<TranslationState>,
        ids: impl Into<Box<[UnitId]>>,
        flags: impl Into<Box<[u8]>>,
    ) -> Self {
        let ids = ids.into();
        Self {
            id,
            id_order: IdOrder::of(ids.iter().map(|id| id.0)),
            rows: UnitRows {
                ids,
                flags: flags.into(),
            },
            statistics: Statistics::default(),
            blank: Statistics::default(),
            current: ResultsCell::default(),
            exact: ResultsCell::default(),
            current_language: resolve_current(&state.file_code),
            counts: OnceLock::new(),
            origins: Mutex::default(),
            state,
            revised: None,
        }
    }

    /// The number of its units: one per source of the component in the same order, or none; of a bilingual file, one per
    /// string of the file.
    pub fn unit_count(&self) -> usize {
        self.rows.flags.len()
    }

    /// The translation as programs see it. All but the API of Weblate 3.4 shows this one
    /// (docs/spec/formats.md#differences-of-entries).
    pub fn revised(&self) -> &Self {
        self.revised.as_deref().unwrap_or(self)
    }

    /// The unit of a row.
    pub fn unit_row(&self, row: u32) -> Option<UnitRow> {
        let at = row as usize;
        self.rows.get(at, self.state.units.get(at)?)
    }

    /// Its units.
    pub fn unit_rows(&self) -> impl Iterator<Item = UnitRow> + '_ {
        let units = self.state.units.iter().enumerate();
        units.map_while(|(at, unit)| self.rows.get(at, unit))
    }

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

    /// The rows that fail a check, ascending.
    pub fn failing_rows(&self) -> impl Iterator<Item = u32> + '_ {
        let flags = (0..).zip(&self.rows.flags);
        flags.filter_map(|(row, flags)| (flags & FAILING != 0).then_some(row))
    }

    /// The names of the blobs that the units come from, as `revision` shows them (docs/spec/units.md#revision).
    pub fn revision(&self, template: BlobId) -> String {
        match self.blob {
            None => String::new(),
            Some(blob) if self.is_bilingual() => blob.to_string(),
            Some(blob) => format!("{blob},{template}"),
        }
    }

    /// Whether a file has its texts; else they are the sources of bilingual files.
    pub fn has_file(&self) -> bool {
        !self.path.is_empty()
    }

    /// The language in current Weblate.
    pub fn current_language(&self) -> &CurrentLanguage {
        &self.current_language
    }
}
