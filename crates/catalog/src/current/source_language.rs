//! The translation of the source language of bilingual components, which has no file: current Weblate lists one with the
//! sources of all files (docs/spec/current-api.md#sources-of-bilingual-files).

use std::sync::Arc;

use crate::check_results::ResultsCell;
use crate::current::CurrentCounts;
use crate::origins::OriginCell;
use crate::rows::{PLURAL, TRANSLATED, UnitRows};
use crate::{ComponentSnapshot, IdOrder, IdRuns, Statistics, TranslationSnapshot};
use gitglot_history::{BilingualUnit, BilingualUnits, TranslationState, UnitState};
use gitglot_model::language::{resolve, resolve_current};
use gitglot_model::{LineageId, TranslationId, UnitId};

/// Added to the ids of sources and components, which gives the ids of units and translations without a file.
pub(super) const FIRST_ID_WITHOUT_FILE: u32 = 1 << 31;

/// The lineage of a translation without a file in rows of the log: logs have fewer translations.
pub(super) const LINEAGE_WITHOUT_FILE: LineageId = LineageId(u16::MAX);

/// Builds the translation of the source language. Its units are in the order of the files by language code, each as
/// the first file has it.
pub(super) fn sources_of_files(component: &ComponentSnapshot) -> TranslationSnapshot {
    let texts = &component.texts;
    let views = component
        .translations
        .iter()
        .map(|translation| translation.revised());
    let mut views: Vec<_> = views.collect();
    views.sort_by(|one, other| one.current_language.code.cmp(&other.current_language.code));
    let mut is_known = vec![false; component.sources.len()];
    let (mut units, mut rows) = (Vec::new(), Vec::new());
    let (mut ids, mut flags) = (Vec::new(), Vec::new());
    for view in views {
        for (row, unit) in (0..).zip(&view.units) {
            let Some(own) = view.bilingual_unit(row).copied() else {
                continue;
            };
            let string = own.string as usize;
            let (Some(source), Some(known)) =
                (component.sources.get(string), is_known.get_mut(string))
            else {
                continue;
            };
            if std::mem::replace(known, true) {
                continue;
            }
            let is_plural =
                component.component.file_format.has_plurals() && texts.is_plural(source.source);
            units.push(UnitState::new(source.source, unit.note, true));
            rows.push(own);
            ids.push(UnitId(FIRST_ID_WITHOUT_FILE | source.id.0));
            flags.push(TRANSLATED | if is_plural { PLURAL } else { 0 });
        }
    }
    translation_without_file(component, units, rows, ids, flags)
}

fn translation_without_file(
    component: &ComponentSnapshot,
    units: Vec<UnitState>,
    rows: Vec<BilingualUnit>,
    ids: Vec<UnitId>,
    flags: Vec<u8>,
) -> TranslationSnapshot {
    let code = component.source_code();
    let shape = component.component.file_format.shape();
    let state = TranslationState {
        lineage: LINEAGE_WITHOUT_FILE,
        path: Arc::from(""),
        own_path: Arc::from(""),
        older_paths: Vec::new(),
        file_code: code.clone(),
        language: resolve(&component.project.source_language),
        blob: None,
        is_template: false,
        units,
        stale: Vec::new(),
        last_change: None,
        bilingual: Some(Box::new(BilingualUnits::new(shape, rows, None))),
    };
    TranslationSnapshot {
        id: TranslationId(FIRST_ID_WITHOUT_FILE | component.component.id.0),
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
