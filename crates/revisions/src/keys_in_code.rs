//! Keys that left a template although source code still uses them (docs/spec/pages.md#keys-that-code-uses).

use std::sync::Arc;

use super::compare::{separators, spec_of};
use super::reader::{CacheEntry, CacheKey, Revisions};
use super::revision::{RevisionProblem, RevisionReadError};
use super::used_key::UsedKey;
use gitglot_catalog::ComponentSnapshot;
use gitglot_lint::{KeyUses, RepositoryState, RepositoryTree, SourceCode};
use gitglot_model::{KeyId, SeededSet, WorkLimit};

/// Most keys that are looked for, the newest first.
const MAX_KEYS: usize = 10_000;

impl Revisions {
    /// As [`Self::used_keys`], if that is known without a look at the repository.
    pub fn known_used_keys(
        &self,
        component: &ComponentSnapshot,
        others: &[Arc<ComponentSnapshot>],
    ) -> Option<Arc<[UsedKey]>> {
        if removed_keys(component).is_empty() {
            return Some(Arc::default());
        }
        match self.cache().get(&cache_key(component, others))? {
            CacheEntry::UsedKeys(of, known) if Arc::ptr_eq(&of, &component.component) => {
                Some(known)
            }
            _ => None,
        }
    }

    /// The keys that the template of a component had and that the code at the tip certainly uses, the last to leave first. A
    /// key that one of `others`, of the same repository, has is not lost.
    ///
    /// # Errors
    /// If the repository cannot be read, or the limit is exceeded.
    pub fn used_keys(
        &self,
        component: &ComponentSnapshot,
        others: &[Arc<ComponentSnapshot>],
        limit: &dyn WorkLimit,
    ) -> Result<Arc<[UsedKey]>, RevisionProblem> {
        if let Some(known) = self.known_used_keys(component, others) {
            return Ok(known);
        }
        let removed = removed_keys(component);
        let keys: Vec<&str> = removed
            .iter()
            .map(|(key, _)| key_of(component, *key))
            .collect();
        let spec = spec_of(component, &component.component);
        let found = self.with_repository(component, |repository| {
            let commit = RepositoryState::Commit(component.tip.id);
            let components = of_repository(component, others).map(|of| &*of.component);
            let tree = RepositoryTree::open(repository, commit)?;
            let code = SourceCode::new(tree, components.collect(), &|_| false, limit);
            let places = code.places(&spec, &keys);
            let is_complete = limit.meter()(0);
            is_complete
                .then_some(places)
                .ok_or(RevisionReadError::Stopped)
        })?;
        let found = removed
            .iter()
            .zip(found)
            .filter_map(|(&(key, entry), place)| {
                let place = place.filter(|it| it.is_certain)?;
                Some(UsedKey {
                    key,
                    entry,
                    path: place.path,
                    line: place.line,
                })
            });
        let found: Arc<[UsedKey]> = found.collect();
        let bytes = found.iter().map(|it| it.path.len() + size_of::<UsedKey>());
        let bytes = 256 + bytes.sum::<usize>();
        let known = CacheEntry::UsedKeys(component.component.clone(), found.clone());
        self.cache().put(cache_key(component, others), known, bytes);
        Ok(found)
    }
}

fn cache_key(component: &ComponentSnapshot, others: &[Arc<ComponentSnapshot>]) -> CacheKey {
    let others = of_repository(component, others).map(|of| of.component.id);
    CacheKey::UsedKeys(component.component.id, component.tip.id, others.collect())
}

/// The components of the same repository and branch.
fn of_repository<'a>(
    component: &'a ComponentSnapshot,
    others: &'a [Arc<ComponentSnapshot>],
) -> impl Iterator<Item = &'a ComponentSnapshot> {
    let own = &component.component;
    let others = others.iter().map(|of| &**of);
    others.filter(|of| of.component.repo == own.repo && of.component.branch == own.branch)
}

/// The keys that left the template, and the entries at which they did, the last first.
fn removed_keys(component: &ComponentSnapshot) -> Vec<(KeyId, u32)> {
    if !component.component.file_format.shape().has_template() {
        return Vec::new();
    }
    let log = &component.log;
    let removed = log.removals().map(|it| (it.key, it.entry));
    let renamed = log.renames().map(|it| (it.from, it.entry));
    let mut all: Vec<_> = removed.chain(renamed).collect();
    all.sort_unstable_by_key(|&(key, entry)| (std::cmp::Reverse(entry), key));
    let is_present = |key: KeyId| {
        let row = component.row_of_key.get(key.0 as usize);
        row.is_some_and(|&row| row != u32::MAX)
    };
    let mut seen = SeededSet::default();
    all.retain(|&(key, _)| !is_present(key) && seen.insert(key));
    if all.is_empty() {
        return all;
    }
    let sources = component.sources.iter();
    let present: SeededSet<&str> = sources
        .map(|source| component.texts.get(source.context))
        .collect();
    let separators = separators(component);
    all.retain(|&(key, _)| {
        !separators.has_plural_sibling(key_of(component, key), |key| present.contains(key))
    });
    all.truncate(MAX_KEYS);
    all
}

fn key_of(component: &ComponentSnapshot, key: KeyId) -> &str {
    component.context_of_key(key).unwrap_or_default()
}
