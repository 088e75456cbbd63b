//! A cache with a limit of bytes: when it is full, the least recently used entries leave.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// The cache. Shared by threads.
pub struct ByteCache<K, V> {
    limit: usize,
    entries: Mutex<CacheEntries<K, V>>,
}

struct CacheEntries<K, V> {
    by_key: FxHashMap<K, CachedValue<V>>,
    /// The keys by the time of their last use.
    by_use: BTreeMap<u64, K>,
    next_use: u64,
    bytes: usize,
}

struct CachedValue<V> {
    value: V,
    bytes: usize,
    used: u64,
}

impl<K: Clone + Eq + Hash, V: Clone> ByteCache<K, V> {
    /// An empty cache.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            entries: Mutex::new(CacheEntries {
                by_key: FxHashMap::default(),
                by_use: BTreeMap::new(),
                next_use: 0,
                bytes: 0,
            }),
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<V> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let CacheEntries {
            by_key,
            by_use,
            next_use,
            ..
        } = &mut *entries;
        let found = by_key.get_mut(key)?;
        if let Some(key) = by_use.remove(&found.used) {
            found.used = *next_use;
            by_use.insert(*next_use, key);
            *next_use += 1;
        }
        Some(found.value.clone())
    }

    /// Stores a value of a size. A value that is larger than half of the limit is not stored.
    pub fn put(&self, key: K, value: V, bytes: usize) {
        if bytes > self.limit / 2 {
            return;
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.remove(&key);
        let used = entries.next_use;
        entries.next_use += 1;
        entries.bytes += bytes;
        entries.by_use.insert(used, key.clone());
        entries
            .by_key
            .insert(key, CachedValue { value, bytes, used });
        while entries.bytes > self.limit {
            let Some((_, oldest)) = entries.by_use.first_key_value() else {
                break;
            };
            let oldest = oldest.clone();
            entries.remove(&oldest);
        }
    }

    /// The size of all values.
    pub fn bytes(&self) -> usize {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.bytes
    }
}

impl<K: Eq + Hash, V> CacheEntries<K, V> {
    fn remove(&mut self, key: &K) {
        if let Some(old) = self.by_key.remove(key) {
            self.by_use.remove(&old.used);
            self.bytes -= old.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_values_leave() {
        let cache = ByteCache::new(100);
        for key in 0..4 {
            cache.put(key, key, 25);
        }
        assert_eq!(cache.get(&0), Some(0));
        cache.put(4, 4, 25);
        assert_eq!((cache.get(&0), cache.get(&1)), (Some(0), None));
        cache.put(5, 5, 51);
        assert_eq!(cache.get(&5), None, "too large");
        cache.put(0, 7, 10);
        assert_eq!((cache.get(&0), cache.bytes()), (Some(7), 85));
        for key in 10..1000 {
            cache.put(key, key, 7);
            assert!(cache.bytes() <= 100);
        }
    }
}
