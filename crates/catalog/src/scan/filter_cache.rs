//! The results of filters, so that paging through a filtered list searches it once (docs/spec/http.md#caching).

use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

use gitglot_model::ByteCache;

/// Size limit in bytes.
const LIMIT: usize = 32 << 20;

/// A generation of the snapshot, and a list and its filter.
pub type FilterKey = (u64, String);

/// The positions that filters match.
pub struct FilterCache(Mutex<ByteCache<FilterKey, Arc<[u32]>>>);

impl Default for FilterCache {
    fn default() -> Self {
        Self(Mutex::new(ByteCache::new(LIMIT)))
    }
}

impl fmt::Debug for FilterCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilterCache").finish_non_exhaustive()
    }
}

impl FilterCache {
    /// The positions that a filter of a list matches, if they are known.
    pub fn get(&self, key: &FilterKey) -> Option<Arc<[u32]>> {
        self.0.lock().get(key)
    }

    /// Stores the positions that a filter of a list matches.
    pub fn put(&self, key: FilterKey, positions: Arc<[u32]>) {
        let bytes = size_of::<FilterKey>() + key.1.len() + size_of_val(&*positions);
        self.0.lock().put(key, positions, bytes);
    }
}
