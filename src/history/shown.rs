//! What the last projection has shown, so that the next one makes anew only what has changed.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::past::{Lineage, Past};
use super::tip::{Served, sources};
use super::versions::Good;
use super::{SourceString, TranslationState};
use crate::model::LineageId;

/// The rows of the last projection.
#[derive(Default, Debug)]
pub(super) struct Shown {
    template: Option<Arc<Good>>,
    sources: Arc<[SourceString]>,
    translations: FxHashMap<LineageId, Translation>,
}

/// The rows of a translation, and what they were made from.
#[derive(Debug)]
struct Translation {
    good: Option<Arc<Good>>,
    /// How many values the log had of it.
    revision: u64,
    state: Arc<TranslationState>,
}

impl Shown {
    /// The rows of the template and of all files, by path.
    pub fn show(
        &mut self,
        past: &Past,
        served: &[Served],
        template: &Arc<Good>,
        template_path: &str,
    ) -> (Arc<[SourceString]>, Vec<Arc<TranslationState>>) {
        if !self.template.as_ref().is_some_and(|known| Arc::ptr_eq(known, template)) {
            let mut strings = sources(template, &past.vocabulary.keys);
            for string in &mut strings {
                string.since = past.key(string.key).since;
            }
            self.translations.clear();
            self.sources = strings.into();
            self.template = Some(template.clone());
        }
        let mut before = std::mem::take(&mut self.translations);
        let mut states = Vec::with_capacity(served.len());
        for file in served {
            let Some(lineage) = past.lineages.get(usize::from(file.lineage.0)) else { continue };
            let known = before.remove(&file.lineage).filter(|known| known.stands(file, lineage));
            let translation = known.unwrap_or_else(|| Translation {
                good: file.good.clone(),
                revision: lineage.revision,
                state: Arc::new(self.state(file, lineage, &*file.path == template_path)),
            });
            states.push(translation.state.clone());
            self.translations.insert(file.lineage, translation);
        }
        (self.sources.clone(), states)
    }

    /// The rows of a file with what only the log knows: stale or not, by whom.
    fn state(&self, file: &Served, lineage: &Lineage, is_template: bool) -> TranslationState {
        let mut state = file.rows(&self.sources, is_template);
        state.last_change = lineage.last_change;
        state.older_paths.clone_from(&lineage.older_paths);
        if !is_template {
            let rows = (0..).zip(&state.units).zip(self.sources.iter());
            let stale = rows.filter_map(|((row, unit), source)| {
                let from = lineage.source(source.key);
                (unit.translated && from != source.source).then_some((row, from))
            });
            state.stale = stale.collect();
        }
        state
    }
}

impl Translation {
    /// Whether the rows are those of that file, as the log has it now.
    fn stands(&self, file: &Served, lineage: &Lineage) -> bool {
        let same_version = match (&self.good, &file.good) {
            (Some(here), Some(there)) => Arc::ptr_eq(here, there),
            (None, None) => true,
            _ => false,
        };
        same_version
            && self.revision == lineage.revision
            && self.state.path == file.path
            && self.state.last_change == lineage.last_change
            && self.state.older_paths == lineage.older_paths
    }
}
