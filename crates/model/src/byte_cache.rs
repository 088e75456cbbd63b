//! A cache with a limit of bytes: when it is full, the least recently used entries leave.

use std::hash::Hash;
use std::num::NonZeroUsize;

use crate::seeded::Seeded;
use clru::{CLruCache, CLruCacheConfig, WeightScale};

/// The cache.
pub struct ByteCache<K, V>(CLruCache<K, SizedValue<V>, Seeded, ByteScale>);

struct SizedValue<V> {
    value: V,
    bytes: usize,
}

struct ByteScale;

impl<K, V> WeightScale<K, SizedValue<V>> for ByteScale {
    fn weight(&self, _: &K, value: &SizedValue<V>) -> usize {
        // The cache itself adds 1 for each entry.
        value.bytes.saturating_sub(1)
    }
}

impl<K: Eq + Hash, V: Clone> ByteCache<K, V> {
    /// An empty cache.
    pub fn new(limit: usize) -> Self {
        let config = CLruCacheConfig::new(NonZeroUsize::new(limit).unwrap_or(NonZeroUsize::MIN));
        let config = config.with_hasher(Seeded::default()).with_scale(ByteScale);
        Self(CLruCache::with_config(config))
    }

    /// The value of a key.
    pub fn get(&mut self, key: &K) -> Option<V> {
        self.0.get(key).map(|known| known.value.clone())
    }

    /// Stores a value of a size. A value that is larger than half of the limit is not stored.
    pub fn put(&mut self, key: K, value: V, bytes: usize) {
        if bytes <= self.0.capacity() / 2 {
            // It fails only for values that are larger than the limit.
            let _ = self.0.put_with_weight(key, SizedValue { value, bytes });
        }
    }

    /// Raises the limit, which removes all values.
    pub fn grow(&mut self, limit: usize) {
        if limit > self.0.capacity() {
            *self = Self::new(limit);
        }
    }

    /// Removes all values and frees their memory.
    pub fn clear(&mut self) {
        *self = Self::new(self.0.capacity());
    }

    /// The size of all values.
    pub fn bytes(&self) -> usize {
        self.0.weight() + self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_values_leave() {
        let mut cache = ByteCache::new(100);
        for key in 0..4 {
            cache.put(key, key, 25);
        }
        assert_eq!(cache.get(&0), Some(0));
        cache.put(4, 4, 25);
        assert_eq!((cache.get(&0), cache.get(&1)), (Some(0), None));
        cache.put(5, 5, 51);
        assert_eq!(cache.get(&5), None, "too large");
        let mut grown = ByteCache::new(10);
        grown.put(1, 1, 5);
        grown.grow(100);
        grown.put(2, 2, 50);
        grown.grow(50);
        assert_eq!((grown.get(&1), grown.get(&2)), (None, Some(2)));
        cache.put(0, 7, 10);
        assert_eq!((cache.get(&0), cache.bytes()), (Some(7), 85));
        for key in 10..1000 {
            cache.put(key, key, 7);
            assert!(cache.bytes() <= 100);
        }
    }
}
