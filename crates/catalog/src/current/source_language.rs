//! The translation of the source language of bilingual components, which has no file: current Weblate lists one with the
//! sources of all files (docs/spec/current-api.md#sources-of-bilingual-files).

use std::sync::Arc;

use crate::check_results::ResultsCell;
use crate::current::CurrentCounts;
use crate::origins::OriginCell;
use crate::rows::{PLURAL, TRANSLATED, UnitRows};
use crate::{
    ComponentSnapshot, IdOrder, IdRuns, Snapshot, Statistics, TranslationSnapshot, TranslationView,
    UnitView,
};
use gitglot_history::{BilingualUnit, BilingualUnits, TranslationState, UnitState};
use gitglot_model::language::{resolve, resolve_current};
use gitglot_model::{Action, LineageId, LogEntry, SourceId, TranslationId, UnitId};

/// Added to the ids of sources and components, which gives the ids of units and translations without a file.
const WITHOUT_FILE: u32 = 1 << 31;

/// The lineage of a translation without a file in rows of the log: logs have fewer translations.
const LINEAGE: LineageId = LineageId(u16::MAX);

impl TranslationSnapshot {
    /// Whether a file has its texts; else they are the sources of bilingual files.
    pub fn has_file(&self) -> bool {
        !self.path.is_empty()
    }
}

impl ComponentSnapshot {
    /// The translation of the source language, if the files are bilingual and none is in that language.
    pub(crate) fn without_file(&self) -> Option<&TranslationSnapshot> {
        let build = || {
            let code = self.source_code();
            let is_source = |view: TranslationView<'_>| {
                view.is_source() || view.translation.current_language.code == code
            };
            let has_sources = self.component.file_format.shape().has_template()
                || self.views_by_path().any(is_source);
            (!has_sources).then(|| Box::new(self.sources_of_files()))
        };
        self.current.without_file.get_or_init(build).as_deref()
    }

    /// The translation at an index of [`Self::translations`], or after the last one that [without a
    /// file](Self::without_file).
    pub(crate) fn current_translation_at(&self, index: u32) -> Option<&TranslationSnapshot> {
        Some(self.logged_translation(index)?.revised())
    }

    /// The same translation as Weblate 3.4 sees it, as the log does.
    pub(crate) fn logged_translation(&self, index: u32) -> Option<&TranslationSnapshot> {
        let index = index as usize;
        match self.translations.get(index) {
            Some(translation) => Some(translation),
            None => self
                .without_file()
                .filter(|_| index == self.translations.len()),
        }
    }

    /// All translations in the order of [`Self::current_translation_at`].
    pub(crate) fn current_translations(&self) -> impl Iterator<Item = TranslationView<'_>> {
        let without_file = self.without_file().map(|translation| TranslationView {
            component: self,
            translation,
        });
        let views = self.views_by_path().map(TranslationView::revised);
        views.chain(without_file)
    }

    /// The index of a translation in that order.
    pub(crate) fn current_index(&self, lineage: LineageId) -> Option<u32> {
        let index = self.translation_of_lineage.get(usize::from(lineage.0));
        match index.copied().unwrap_or(u32::MAX) {
            u32::MAX if lineage == LINEAGE => Some(self.translations.len() as u32),
            u32::MAX => None,
            index => Some(index),
        }
    }

    /// The last entry that added a source which still exists.
    pub(super) fn last_source(&self) -> Option<&LogEntry> {
        let find = || {
            let entries = (0..self.log.len()).rev().filter_map(|at| self.log.get(at));
            let mut added = entries.filter(|entry| entry.action == Action::NewSourceString);
            added.find(|entry| crate::current_log::string_of(self, entry).is_some())
        };
        self.current.last_source.get_or_init(find).as_ref()
    }

    /// Builds the translation of the source language. Its units are in the order of the files by language code, each as
    /// the first file has it.
    fn sources_of_files(&self) -> TranslationSnapshot {
        let texts = &self.texts;
        let views = self
            .translations
            .iter()
            .map(|translation| translation.revised());
        let mut views: Vec<_> = views.collect();
        views.sort_by(|one, other| one.current_language.code.cmp(&other.current_language.code));
        let mut is_known = vec![false; self.sources.len()];
        let (mut units, mut rows) = (Vec::new(), Vec::new());
        let (mut ids, mut flags) = (Vec::new(), Vec::new());
        for view in views {
            for (row, unit) in (0..).zip(&view.units) {
                let Some(own) = view.bilingual_unit(row).copied() else {
                    continue;
                };
                let string = own.string as usize;
                let (Some(source), Some(known)) =
                    (self.sources.get(string), is_known.get_mut(string))
                else {
                    continue;
                };
                if std::mem::replace(known, true) {
                    continue;
                }
                let is_plural =
                    self.component.file_format.has_plurals() && texts.is_plural(source.source);
                units.push(UnitState::new(source.source, unit.note, true));
                rows.push(own);
                ids.push(UnitId(WITHOUT_FILE | source.id.0));
                flags.push(TRANSLATED | if is_plural { PLURAL } else { 0 });
            }
        }
        self.translation_without_file(units, rows, ids, flags)
    }

    fn translation_without_file(
        &self,
        units: Vec<UnitState>,
        rows: Vec<BilingualUnit>,
        ids: Vec<UnitId>,
        flags: Vec<u8>,
    ) -> TranslationSnapshot {
        let code = self.source_code();
        let shape = self.component.file_format.shape();
        let state = TranslationState {
            lineage: LINEAGE,
            path: Arc::from(""),
            own_path: Arc::from(""),
            older_paths: Vec::new(),
            file_code: code.clone(),
            language: resolve(&self.project.source_language),
            blob: None,
            is_template: false,
            units,
            stale: Vec::new(),
            last_change: None,
            bilingual: Some(Box::new(BilingualUnits::new(shape, rows, None))),
        };
        TranslationSnapshot {
            id: TranslationId(WITHOUT_FILE | self.component.id.0),
            id_runs: IdRuns::of_rows(0, ids.iter().map(|id| id.0)).collect(),
            id_order: IdOrder::default(),
            rows: UnitRows {
                ids: ids.into(),
                flags: flags.into(),
            },
            // Only the API of 3.4 has these counts, and not this translation.
            statistics: Statistics::default(),
            blank: Statistics::default(),
            current: ResultsCell::default(),
            exact: ResultsCell::default(),
            current_language: resolve_current(&code),
            counts: CurrentCounts::default(),
            origins: OriginCell::default(),
            state: Arc::new(state),
            revised: None,
        }
    }
}

impl Snapshot {
    /// Finds a unit of the current API by id.
    pub fn current_unit(&self, id: UnitId) -> Option<UnitView<'_>> {
        let Some(source) = id.0.checked_sub(WITHOUT_FILE) else {
            return self.unit(id)?.revised();
        };
        let source = self.source(SourceId(source))?;
        let translation = source.component.without_file()?;
        let view = TranslationView {
            component: source.component,
            translation,
        };
        view.unit_of_string(source.row)
    }
}
