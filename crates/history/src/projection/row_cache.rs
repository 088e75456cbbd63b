//! Reuses the rows of the last projection for translations that did not change.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::rows::{SourceString, TranslationState};
use super::tip::{TipFile, sources};
use crate::log::state::{Lineage, LogState};
use crate::versions::parsed::ParsedVersion;
use gitglot_model::LineageId;

/// The rows of the last projection.
#[derive(Clone, Default, Debug)]
pub struct RowCache {
    template: Option<Arc<ParsedVersion>>,
    sources: Arc<[SourceString]>,
    translations: FxHashMap<LineageId, CachedTranslation>,
}

/// The rows of a translation and all that they depend on besides the template.
#[derive(Clone, Debug)]
struct CachedTranslation {
    version: Option<Arc<ParsedVersion>>,
    /// [`Lineage::revision`] at that time.
    revision: u64,
    state: Arc<TranslationState>,
}

impl RowCache {
    /// Returns the rows of the template and of all files, by path.
    pub fn rows(
        &mut self,
        log: &LogState,
        files: &[TipFile],
        template: &Arc<ParsedVersion>,
    ) -> (Arc<[SourceString]>, Vec<Arc<TranslationState>>) {
        if !self
            .template
            .as_ref()
            .is_some_and(|cached| Arc::ptr_eq(cached, template))
        {
            self.sources = sources(template, &log.vocabulary.keys, |key| log.key(key).since).into();
            self.translations.clear();
            self.template = Some(template.clone());
        }
        let mut cached = std::mem::take(&mut self.translations);
        let mut states = Vec::with_capacity(files.len());
        for file in files {
            let Some(lineage) = log.lineages.get(usize::from(file.lineage.0)) else {
                continue;
            };
            let known = cached
                .remove(&file.lineage)
                .filter(|known| known.is_current(file, lineage));
            let translation = known.unwrap_or_else(|| CachedTranslation {
                version: file.version.clone(),
                revision: lineage.revision,
                state: Arc::new(self.build(file, lineage)),
            });
            states.push(translation.state.clone());
            self.translations.insert(file.lineage, translation);
        }
        (self.sources.clone(), states)
    }

    fn build(&self, file: &TipFile, lineage: &Lineage) -> TranslationState {
        let mut state = file.rows(&self.sources);
        state.last_change = lineage.last_change;
        state.older_paths.clone_from(&lineage.older_paths);
        if !file.is_template {
            state.find_stale(&self.sources, |key| lineage.source(key));
        }
        state
    }
}

impl CachedTranslation {
    fn is_current(&self, file: &TipFile, lineage: &Lineage) -> bool {
        self.version.as_ref().map(Arc::as_ptr) == file.version.as_ref().map(Arc::as_ptr)
            && self.revision == lineage.revision
            && self.state.path == file.path
            && self.state.is_template == file.is_template
            && self.state.last_change == lineage.last_change
            && self.state.older_paths == lineage.older_paths
    }
}
