//! Keys that left a template although source code still uses them (docs/spec/pages.md#keys-that-code-uses).

use std::sync::Arc;

use super::compare::{separators, spec_of};
use super::reader::{CacheEntry, CacheKey, Revisions};
use super::revision::{RevisionProblem, RevisionReadError};
use super::used_key::UsedKey;
use gitglot_catalog::ComponentSnapshot;
use gitglot_lint::{ComponentSpec, RepositoryState, RepositoryTree, SourceCode};
use gitglot_model::{ComponentId, KeyId, SeededSet, WorkLimit};

/// Most keys that are looked for, the newest first.
const MAX_KEYS: usize = 10_000;

/// The work at the end, in the bytes that a limit counts: enough to look at the clock and for the client.
const WORK_TO_LOOK: usize = 1 << 16;

impl Revisions {
    /// As [`Self::used_keys`], if that is known without a look at the repository.
    pub fn known_used_keys(
        &self,
        component: &ComponentSnapshot,
        others: &[Arc<ComponentSnapshot>],
    ) -> Option<Arc<[UsedKey]>> {
        if !component.component.file_format.shape().has_template() {
            return Some(Arc::default());
        }
        let known = self.cache().get(&cache_key(component, others))?;
        let CacheEntry::UsedKeys(known_for, known) = known else {
            return None;
        };
        Arc::ptr_eq(&known_for, &component.component).then_some(known)
    }

    /// The keys that the templates of components had and that the code at the tip certainly uses, for each component the last
    /// to leave first. The components have one repository, branch and tip. A key that one of `others` of the repository has is
    /// not lost.
    ///
    /// # Errors
    /// If the repository cannot be read, or the limit is exceeded.
    pub fn used_keys(
        &self,
        components: &[Arc<ComponentSnapshot>],
        others: &[Arc<ComponentSnapshot>],
        limit: &dyn WorkLimit,
    ) -> Result<Vec<Arc<[UsedKey]>>, RevisionProblem> {
        let Some(first) = components.first() else {
            return Ok(Vec::new());
        };
        self.with_repository(first, |repository| {
            let of_repository = of_repository(first, others).map(|other| &*other.component);
            let tree = RepositoryTree::open(repository, RepositoryState::Commit(first.tip.id))?;
            let code = SourceCode::new(tree, of_repository.collect(), &|_| false, limit);
            let removed = components.iter().map(|component| removed_keys(component));
            let removed: Vec<_> = removed.collect();
            let found = used_keys(components, &removed, &code);
            if !limit.meter()(WORK_TO_LOOK) {
                return Err(RevisionReadError::Stopped);
            }
            if let Some(error) = code.into_error() {
                return Err(error.into());
            }
            for (component, found) in components.iter().zip(&found) {
                self.keep(component, others, found);
            }
            Ok(found)
        })
    }

    fn keep(
        &self,
        component: &ComponentSnapshot,
        others: &[Arc<ComponentSnapshot>],
        found: &Arc<[UsedKey]>,
    ) {
        let key = cache_key(component, others);
        let paths: usize = found.iter().map(|used| used.path.len()).sum();
        let bytes = 256 + others.len() * size_of::<ComponentId>() + size_of_val(&**found) + paths;
        let known = CacheEntry::UsedKeys(component.component.clone(), found.clone());
        self.cache_value(key, known, bytes);
    }
}

/// The removed keys that code uses, of each component.
fn used_keys(
    components: &[Arc<ComponentSnapshot>],
    removed: &[Vec<(KeyId, u32)>],
    code: &SourceCode<'_>,
) -> Vec<Arc<[UsedKey]>> {
    let with_removed = components.iter().zip(removed);
    let specs = components
        .iter()
        .map(|component| spec_of(component, &component.component));
    let specs: Vec<ComponentSpec> = specs.collect();
    let keys = with_removed.map(|(component, removed)| {
        let keys = removed.iter().map(|(key, _)| key_of(component, *key));
        keys.collect()
    });
    let keys: Vec<Vec<&str>> = keys.collect();
    let wanted: Vec<_> = specs.iter().zip(keys.iter().map(Vec::as_slice)).collect();
    let places = code.places_of(&wanted);
    let found = removed.iter().zip(places).map(|(removed, places)| {
        let found = removed.iter().zip(places);
        let found = found.filter_map(|(&(key, entry), place)| {
            let place = place.filter(|place| place.is_certain)?;
            Some(UsedKey {
                key,
                entry,
                path: place.path,
                line: place.line,
            })
        });
        found.collect()
    });
    found.collect()
}

fn cache_key(component: &ComponentSnapshot, others: &[Arc<ComponentSnapshot>]) -> CacheKey {
    let others = of_repository(component, others).map(|other| other.component.id);
    CacheKey::UsedKeys(component.component.id, component.tip.id, others.collect())
}

/// The components of the same repository and branch.
fn of_repository<'a>(
    component: &'a ComponentSnapshot,
    others: &'a [Arc<ComponentSnapshot>],
) -> impl Iterator<Item = &'a ComponentSnapshot> {
    let settings = &component.component;
    let others = others.iter().map(|other| &**other);
    others.filter(|other| {
        other.component.repo == settings.repo && other.component.branch == settings.branch
    })
}

/// The keys that left the template, and the entries at which they did, the last first.
fn removed_keys(component: &ComponentSnapshot) -> Vec<(KeyId, u32)> {
    if !component.component.file_format.shape().has_template() {
        return Vec::new();
    }
    let log = &component.log;
    let removed = log.removals().map(|removal| (removal.key, removal.entry));
    let renamed = log.renames().map(|rename| (rename.from, rename.entry));
    let mut all: Vec<_> = removed.chain(renamed).collect();
    all.sort_unstable_by_key(|&(key, entry)| (std::cmp::Reverse(entry), key));
    let mut seen = SeededSet::default();
    all.retain(|&(key, _)| component.row_of_key(key).is_none() && seen.insert(key));
    if all.is_empty() {
        return all;
    }
    let contexts = component.sources.iter().map(|source| source.context);
    let contexts = contexts.map(|context| component.texts.get(context));
    let present: SeededSet<&str> = contexts.collect();
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
