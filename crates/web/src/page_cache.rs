//! What several pages of a snapshot need: the positions that the filter of a list selects, the histories that the tabs of
//! statistics show, and for programs that write all pages the differences of texts, each of which is in several lists.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::PageRequest;
use crate::faults::{self, PairKey};
use crate::stats::ProjectHistory;
use gitglot_catalog::ChangeView;
use gitglot_catalog::scan::FilterCache;
use gitglot_lint::Severity;
use gitglot_model::{ByteCache, ComponentId};

/// Size limit of histories, in bytes.
const HISTORIES_LIMIT: usize = 4 << 20;

/// Results that pages share, until other ones need the memory.
pub struct PageCache {
    filters: Arc<FilterCache>,
    histories: Mutex<ByteCache<HistoryKey, Option<Arc<ProjectHistory>>>>,
    differences: Mutex<ByteCache<DifferenceKey, Arc<str>>>,
    /// The worst fault of pairs of documents.
    pub(crate) faults: Mutex<ByteCache<PairKey, Option<Severity>>>,
}

/// A generation of the snapshot, and a project.
type HistoryKey = (u64, String);

/// A generation of the snapshot, a component and the index of a change in its log.
type DifferenceKey = (u64, ComponentId, u32);

impl fmt::Debug for PageCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageCache").finish_non_exhaustive()
    }
}

impl PageCache {
    /// An empty cache, next to the results of filters that others also use. `differences` is the size limit of differences,
    /// in bytes.
    pub fn new(filters: Arc<FilterCache>, differences: usize) -> Self {
        Self {
            filters,
            histories: Mutex::new(ByteCache::new(HISTORIES_LIMIT)),
            differences: Mutex::new(ByteCache::new(differences)),
            faults: Mutex::new(ByteCache::new(faults::LIMIT)),
        }
    }
}

impl PageRequest<'_> {
    /// The positions that a filter selects. `filter` identifies it and the list.
    pub(crate) fn selected(&self, filter: &str, select: impl FnOnce() -> Vec<u32>) -> Arc<[u32]> {
        let Some(cache) = self.cache else {
            return select().into();
        };
        let key = self.cache_key(filter);
        if let Some(known) = cache.filters.get(&key) {
            return known;
        }
        let found = Arc::<[u32]>::from(select());
        if self.budget.exhausted().is_none() {
            cache.filters.put(key, found.clone());
        }
        found
    }

    /// The history of a project.
    pub(crate) fn history(&self, project: &str) -> Option<Arc<ProjectHistory>> {
        let read = || ProjectHistory::of(self, project).map(Arc::new);
        let cache = self.cache.map(|cache| &cache.histories);
        self.cached_in(
            cache,
            || self.cache_key(project),
            read,
            |history| project.len() + history.as_ref().map_or(0, |history| history.bytes()),
        )
    }

    /// The rendered difference of a change in lists.
    pub(crate) fn difference(
        &self,
        change: &ChangeView<'_>,
        compare: impl FnOnce() -> Arc<str>,
    ) -> Arc<str> {
        let component = change.component.component.id;
        let key = || (self.snapshot.generation(), component, change.index);
        let cache = self.cache.map(|cache| &cache.differences);
        let bytes = |html: &Arc<str>| size_of::<DifferenceKey>() + html.len();
        self.cached_in(cache, key, compare, bytes)
    }

    /// Returns the cached value of a key, or makes it. A new value is cached, with its size, unless the budget is exhausted.
    pub(crate) fn cached_in<K: Hash + Eq, V: Clone>(
        &self,
        cache: Option<&Mutex<ByteCache<K, V>>>,
        key: impl FnOnce() -> K,
        make: impl FnOnce() -> V,
        bytes: impl FnOnce(&V) -> usize,
    ) -> V {
        let Some(cache) = cache else {
            return make();
        };
        let key = key();
        if let Some(known) = cache.lock().get(&key) {
            return known;
        }
        let made = make();
        if self.budget.exhausted().is_none() {
            let bytes = bytes(&made);
            cache.lock().put(key, made.clone(), bytes);
        }
        made
    }

    /// What a result depends on.
    fn cache_key(&self, name: &str) -> (u64, String) {
        let restriction = self.snapshot.restriction();
        let name = [itoa::Buffer::new().format(restriction), " ", name].concat();
        (self.snapshot.generation(), name)
    }
}
