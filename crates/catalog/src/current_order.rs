//! The order of objects by the ids that current Weblate gives (docs/spec/current-api.md#order).

use std::sync::Arc;

use super::component::ComponentSnapshot;
use super::current::FIRST_ID_WITHOUT_FILE;
use super::ids::{IdRun, IdRuns};
use super::snapshot::{CurrentOrder, Snapshot};
use super::views::{TranslationView, UnitView};
use gitglot_model::language::CurrentLanguage;
use gitglot_model::{FirstIds, SeededMap, SourceId, UnitId};

/// The index of the first component with the same repository and branch, of each component.
fn owners(components: &[Arc<ComponentSnapshot>]) -> Vec<u32> {
    let mut first = SeededMap::default();
    let owners = (0..).zip(components).map(|(at, component)| {
        let of = &component.component;
        *first.entry((&of.repo, &of.branch)).or_insert(at)
    });
    owners.collect()
}

impl Snapshot {
    /// The component with the same repository and branch that was configured first, if it is a different one.
    pub fn linked_component(&self, component: &ComponentSnapshot) -> Option<&ComponentSnapshot> {
        let own = self.index_of(component)?;
        let owners = self.owners.get_or_init(|| owners(&self.components));
        let owner = *owners.get(own as usize)?;
        (owner != own).then(|| self.component_at(owner))?
    }

    /// Sets the first ids of each batch, ascending.
    pub fn allocated_in(mut self, first_ids: Arc<[FirstIds]>) -> Self {
        self.first_ids = first_ids;
        self
    }

    /// The batch that allocated an id, as its index.
    fn batch_of(&self, id: u32, first: fn(&FirstIds) -> u32) -> usize {
        self.first_ids.partition_point(|ids| first(ids) <= id)
    }

    /// What orders the translations of a component: the batch, whether it is not the source language, and the code.
    fn current_rank<'a>(&self, view: TranslationView<'a>) -> (usize, bool, &'a str) {
        let translation = view.translation;
        let id = if translation.has_file() {
            Some(translation.id)
        } else {
            let translations = view.component.translations.iter();
            translations.map(|translation| translation.id).min()
        };
        let batch = id.map_or(0, |id| self.batch_of(id.0, |ids| ids.translation));
        (batch, !view.is_source(), &translation.current_language.code)
    }

    fn current_translation_at(&self, component: u32, index: u32) -> Option<TranslationView<'_>> {
        let component = self.component_at(component)?;
        Some(component.view_of(component.current_translation_at(index)?))
    }

    fn current_order(&self) -> &CurrentOrder {
        self.current_order.get_or_init(|| {
            let mut order = CurrentOrder::default();
            let mut rows = Vec::new();
            for (at, component) in (0..).zip(&self.components) {
                for (index, view) in (0..).zip(component.current_translations()) {
                    let (batch, is_other, code) = self.current_rank(view);
                    rows.push(((batch, at, is_other, code, index), view));
                }
            }
            rows.sort_unstable_by_key(|(key, _)| *key);
            let mut runs = Vec::new();
            for (rank, &((batch, at, .., index), view)) in (0..).zip(&rows) {
                order.translations.push((at, index));
                for &run in &view.translation.id_order.runs {
                    for (own_batch, run) in self.split(IdRun { list: rank, ..run }) {
                        let has_file = view.translation.has_file();
                        // No batch has allocated the ids of units without a file.
                        let batch = if has_file { own_batch } else { batch };
                        runs.push(((batch, at, rank, run.first), run));
                    }
                }
            }
            runs.sort_unstable_by_key(|(key, _)| *key);
            order.units = IdRuns::in_order(runs.into_iter().map(|(_, run)| run).collect());
            let languages = rows.iter().map(|(key, _)| *key);
            let languages = languages.map(|(_, at, _, code, index)| (code, (at, index)));
            let mut languages: Vec<_> = languages.collect();
            languages.sort_by_key(|(code, _)| *code);
            languages.dedup_by_key(|(code, _)| *code);
            order.languages = languages.into_iter().map(|(_, at)| at).collect();
            order
        })
    }

    /// The parts of a run that each batch allocated, with the batch.
    fn split(&self, mut run: IdRun) -> impl Iterator<Item = (usize, IdRun)> {
        std::iter::from_fn(move || {
            if run.len == 0 {
                return None;
            }
            let batch = self.batch_of(run.first, |ids| ids.unit);
            let end = self.first_ids.get(batch).map_or(u32::MAX, |ids| ids.unit);
            let len = run.len.min(end.saturating_sub(run.first)).max(1);
            let part = IdRun { len, ..run };
            run = IdRun {
                first: run.first + len,
                row: run.row + len,
                len: run.len - len,
                ..run
            };
            Some((batch, part))
        })
    }

    /// Number of translations of current Weblate.
    pub fn current_translation_count(&self) -> usize {
        self.current_order().translations.len()
    }

    /// Number of units of current Weblate.
    pub fn current_unit_count(&self) -> usize {
        self.current_order().units.len()
    }

    /// All translations in the order of current Weblate, from a rank on.
    pub fn current_translations_from(
        &self,
        rank: usize,
    ) -> impl Iterator<Item = TranslationView<'_>> {
        let order = self.current_order().translations.iter().skip(rank);
        order.filter_map(|&(component, index)| self.current_translation_at(component, index))
    }

    /// The translations of a component in the order of current Weblate.
    pub fn current_translations_of<'a>(
        &self,
        component: &'a ComponentSnapshot,
    ) -> Vec<TranslationView<'a>> {
        let mut views: Vec<_> = component.current_translations().collect();
        views.sort_unstable_by_key(|view| self.current_rank(*view));
        views
    }

    /// All units in the order of current Weblate, from a rank on.
    pub fn current_units_from(&self, rank: usize) -> impl Iterator<Item = UnitView<'_>> {
        let order = self.current_order();
        order.units.from_rank(rank).filter_map(|(list, row)| {
            let &(component, index) = order.translations.get(list as usize)?;
            self.current_translation_at(component, index)?.unit(row)
        })
    }

    /// The languages of translations, by code.
    pub fn current_languages(&self) -> impl Iterator<Item = &CurrentLanguage> {
        let first = self.current_order().languages.iter();
        first.filter_map(|&(component, index)| {
            let view = self.current_translation_at(component, index)?;
            Some(&view.translation.current_language)
        })
    }

    /// Finds a language of translations by code.
    pub fn current_language(&self, code: &str) -> Option<&CurrentLanguage> {
        let mut languages = self.current_languages();
        languages.find(|language| &*language.code == code)
    }

    /// Finds a unit of the current API by id.
    pub fn current_unit(&self, id: UnitId) -> Option<UnitView<'_>> {
        let Some(source) = id.0.checked_sub(FIRST_ID_WITHOUT_FILE) else {
            return self.unit(id)?.revised();
        };
        let source = self.source(SourceId(source))?;
        let view = source.component.view_of(source.component.without_file()?);
        view.unit_of_string(source.row)
    }
}
