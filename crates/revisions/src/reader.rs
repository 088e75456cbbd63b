//! Reads the states of components, and caches everything that is read.

use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use super::comparison::Comparison;
use super::revision::{RevisionProblem, RevisionReadError};
use super::used_key::UsedKey;
use gitglot_catalog::{ComponentSnapshot, PreparedRows, PreviousResults};
use gitglot_git::Repository;
use gitglot_history::{Projection, RevisionInput, SourceString, state_within};
use gitglot_lint::{Counts, FileVersion, ParsedFile, ParsedFileKey};
use gitglot_model::{
    ByteCache, CommitId, Component, ComponentId, FileFormat, ProjectionIds, SeededMap, SeededSet,
    SourceId, TranslationId, UnitId, WorkLimit,
};

/// Opens the repository of a component.
pub type OpenRepository = dyn Fn(ComponentId) -> Option<Repository> + Send + Sync;

/// Reads revisions of components.
pub struct Revisions {
    open: Box<OpenRepository>,
    cache: Mutex<ByteCache<CacheKey, CacheEntry>>,
}

impl std::fmt::Debug for Revisions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Revisions").finish_non_exhaustive()
    }
}

/// Identifies a cached value. States and comparisons depend on the settings and the log. A cached one is used only with
/// the `Arc<Component>` that it was computed with; every new snapshot of a component has a new one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum CacheKey {
    State(ComponentId, CommitId),
    Comparison(ComponentId, CommitId, CommitId),
    File(FileFormat, ParsedFileKey),
    /// The numbers of a file, given the settings that they depend on.
    Counts(Arc<str>, FileVersion),
    /// The commits that references reach.
    Reachable(ComponentId, Vec<CommitId>),
    /// The keys that code at a commit uses, given the components of the repository that are known.
    UsedKeys(ComponentId, CommitId, Vec<ComponentId>),
    /// The merge base of two commits in a git directory: components of one repository ask for the same.
    MergeBase(PathBuf, CommitId, CommitId),
}

#[derive(Clone)]
pub(super) enum CacheEntry {
    State(Arc<ComponentSnapshot>),
    Comparison(Arc<Comparison>),
    File(Arc<ParsedFile>),
    Counts(Counts),
    Reachable(Arc<SeededSet<CommitId>>),
    UsedKeys(Arc<Component>, Arc<[UsedKey]>),
    MergeBase(Option<CommitId>),
}

impl Revisions {
    /// Reads the repositories that `open` returns. Uses up to `cache_size` bytes for results.
    pub fn new(open: Box<OpenRepository>, cache_size: usize) -> Self {
        Self {
            open,
            cache: Mutex::new(ByteCache::new(cache_size)),
        }
    }

    pub(super) fn cache(&self) -> MutexGuard<'_, ByteCache<CacheKey, CacheEntry>> {
        self.cache.lock()
    }

    /// Caches a value of a size in bytes.
    pub(super) fn cache_value(&self, key: CacheKey, value: CacheEntry, bytes: usize) {
        self.cache().put(key, value, bytes);
    }

    /// The state of a component at a commit, if it is known without a look at the repository.
    pub fn cached_state(
        &self,
        tip: &Arc<ComponentSnapshot>,
        commit: CommitId,
    ) -> Option<Arc<ComponentSnapshot>> {
        if commit == tip.tip.id {
            return Some(tip.clone());
        }
        let key = CacheKey::State(tip.component.id, commit);
        let CacheEntry::State(known) = self.cache().get(&key)? else {
            return None;
        };
        Arc::ptr_eq(&known.component, &tip.component).then_some(known)
    }

    /// The state of a component at a commit. Strings that the tip has too have its ids, others have the id 0.
    ///
    /// # Errors
    /// If the commit cannot be read or has no template, or the limit is exceeded.
    pub fn state(
        &self,
        tip: &Arc<ComponentSnapshot>,
        commit: CommitId,
        limit: &dyn WorkLimit,
    ) -> Result<Arc<ComponentSnapshot>, RevisionProblem> {
        if let Some(known) = self.cached_state(tip, commit) {
            return Ok(known);
        }
        let input = RevisionInput {
            component: &tip.component,
            layouts: &tip.layouts,
            log: &tip.log,
            texts: &tip.texts,
        };
        let projection = self.with_repository(tip, |repository| {
            Ok(state_within(input, repository, commit, limit)?)
        })?;
        let meter = limit.meter();
        let ids = ids_of_tip(tip, &projection);
        let (project, component) = (tip.project.clone(), tip.component.clone());
        let (language, before) = (&project.source_language, PreviousResults::Nothing);
        let rows = PreparedRows::new(
            &component,
            language,
            &projection,
            tip.checks(),
            before,
            &*meter,
        );
        let state = Arc::new(rows.into_component(project, component, projection, ids));
        if !meter(0) {
            return Err(RevisionProblem::Stopped);
        }
        let bytes = state.memory();
        let key = CacheKey::State(tip.component.id, commit);
        self.cache_value(key, CacheEntry::State(state.clone()), bytes);
        Ok(state)
    }

    /// Approximate size of the cached results, in bytes.
    pub fn cached_bytes(&self) -> usize {
        self.cache().bytes()
    }

    pub(super) fn repository(
        &self,
        component: &ComponentSnapshot,
    ) -> Result<Repository, RevisionProblem> {
        let gone = || RevisionProblem::Unreadable("the component is no longer served".to_owned());
        (self.open)(component.component.id).ok_or_else(gone)
    }

    /// Runs `read`, and once more with a repository that sees the newest packs if an object is missing.
    pub(super) fn with_repository<T>(
        &self,
        component: &ComponentSnapshot,
        read: impl Fn(&Repository) -> Result<T, RevisionReadError>,
    ) -> Result<T, RevisionProblem> {
        let repository = self.repository(component)?;
        let result = match read(&repository) {
            Err(error) if error.is_damage() => {
                let reopened = repository.reopen().map_err(RevisionReadError::from);
                reopened.and_then(|repository| read(&repository))
            }
            result => result,
        };
        result.map_err(RevisionProblem::from)
    }
}

/// The ids that the strings of a state have at the tip, or 0.
fn ids_of_tip(tip: &ComponentSnapshot, state: &Projection) -> ProjectionIds {
    let rows = rows_by_key(tip);
    let row = |source: &SourceString| {
        let [context, text] = [source.context, source.source].map(|text| state.texts.get(text));
        rows.get(&*state.shape.key(context, text)).copied()
    };
    let rows: Vec<Option<usize>> = state.sources.iter().map(row).collect();
    let source = |row: &Option<usize>| {
        let source = row.and_then(|row| tip.sources.get(row));
        source.map_or(SourceId(0), |source| source.id)
    };
    let mut ids = ProjectionIds {
        sources: rows.iter().map(source).collect(),
        ..ProjectionIds::default()
    };
    for translation in &state.translations {
        let known = tip.translation_in(&translation.language.code);
        let known = known.map(|view| view.translation);
        let id = known.map_or(TranslationId(0), |known| known.id);
        ids.translations.push(id);
        let unit = |string: u32| {
            let row = (*rows.get(string as usize)?)? as u32;
            Some(known?.unit_row(known?.unit_of(row)?)?.id)
        };
        let strings = (0..translation.units.len() as u32).map(|row| translation.string_of(row));
        let units = strings.map(|string| unit(string).unwrap_or(UnitId(0)));
        ids.units.push(units.collect());
    }
    ids
}

pub(super) fn rows_by_key(component: &ComponentSnapshot) -> SeededMap<String, usize> {
    let keys = component.sources.iter().map(|source| component.key(source));
    keys.zip(0..).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_snapshot::snapshot;
    use gitglot_model::Unlimited;

    #[test]
    fn the_tip_is_known_without_its_repository() {
        let revisions = Revisions::new(Box::new(|_| None), 1 << 20);
        let snapshot = snapshot();
        let tip = &snapshot.components()[0];
        let state = revisions.state(tip, tip.tip.id, &Unlimited).unwrap();
        assert!(Arc::ptr_eq(&state, tip));
    }

    #[test]
    fn a_component_that_is_not_served_has_no_other_states() {
        let revisions = Revisions::new(Box::new(|_| None), 1 << 20);
        let snapshot = snapshot();
        let tip = &snapshot.components()[0];
        let problem = revisions
            .state(tip, CommitId([7; 20]), &Unlimited)
            .unwrap_err();
        assert_eq!(problem.to_string(), "the component is no longer served");
        assert_eq!(revisions.cached_bytes(), 0);
    }
}
