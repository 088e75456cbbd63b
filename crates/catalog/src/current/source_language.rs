//! The translation of the source language of bilingual components, which has no file: current Weblate lists one with the
//! sources of all files (docs/spec/current-api.md#sources-of-bilingual-files).

use std::sync::Arc;

use crate::component::ComponentSnapshot;
use crate::rows::{PLURAL, TRANSLATED};
use crate::translation::TranslationSnapshot;
use gitglot_history::{BilingualUnits, TranslationState, UnitState};
use gitglot_model::language::resolve;
use gitglot_model::{LineageId, TranslationId, UnitId};

/// Added to the ids of sources and components, which gives the ids of units and translations without a file.
pub(crate) const FIRST_ID_WITHOUT_FILE: u32 = 1 << 31;

/// The lineage of a translation without a file in rows of the log: logs have fewer translations.
pub(super) const LINEAGE_WITHOUT_FILE: LineageId = LineageId(u16::MAX);

/// Builds the translation of the source language. Its units are in the order of the files by language code, each as
/// the first file has it.
pub(super) fn sources_of_files(component: &ComponentSnapshot) -> TranslationSnapshot {
    let texts = &component.texts;
    let translations = component.translations.iter();
    let mut views: Vec<_> = translations.map(|state| state.revised()).collect();
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
            let source = component.sources.get(string);
            let (Some(source), Some(known @ false)) = (source, is_known.get_mut(string)) else {
                continue;
            };
            *known = true;
            let format = component.component.file_format;
            let is_plural = format.has_plurals() && texts.is_plural(source.source);
            units.push(UnitState::new(source.source, unit.note, true));
            rows.push(own);
            ids.push(UnitId(FIRST_ID_WITHOUT_FILE | source.id.0));
            flags.push(TRANSLATED | if is_plural { PLURAL } else { 0 });
        }
    }
    let state = TranslationState {
        lineage: LINEAGE_WITHOUT_FILE,
        path: Arc::from(""),
        own_path: Arc::from(""),
        older_paths: Vec::new(),
        file_code: component.source_code(),
        language: resolve(&component.project.source_language),
        blob: None,
        is_template: false,
        units,
        stale: Vec::new(),
        last_change: None,
        bilingual: Some(Box::new(BilingualUnits::new(component.shape, rows, None))),
    };
    let id = TranslationId(FIRST_ID_WITHOUT_FILE | component.component.id.0);
    // Only the API of 3.4 has counts of units by state, and not this translation.
    TranslationSnapshot::new(id, Arc::new(state), ids, flags)
}
