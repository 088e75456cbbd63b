//! The cache of decoded objects.

use std::num::NonZeroUsize;
use std::sync::Arc;

use clru::{CLruCache, CLruCacheConfig, WeightScale};
use rustc_hash::FxBuildHasher;

/// A decoded object.
#[derive(Clone)]
pub(crate) struct Decoded {
    pub(crate) kind: gix::objs::Kind,
    pub(crate) bytes: Arc<Vec<u8>>,
}

/// The least recently used objects, by pack and offset. An object of more than half its size is not cached.
pub(super) struct PackCache(CLruCache<(u32, u64), Decoded, FxBuildHasher, ByBytes>);

struct ByBytes;

impl WeightScale<(u32, u64), Decoded> for ByBytes {
    fn weight(&self, _: &(u32, u64), object: &Decoded) -> usize {
        object.bytes.len()
    }
}

impl PackCache {
    pub(super) fn new(bytes: usize) -> Self {
        let config = CLruCacheConfig::new(NonZeroUsize::new(bytes).unwrap_or(NonZeroUsize::MIN));
        let config = config.with_hasher(FxBuildHasher).with_scale(ByBytes);
        Self(CLruCache::with_config(config))
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new(self.0.capacity());
    }

    pub(super) fn get(&mut self, pack: u32, offset: u64) -> Option<Decoded> {
        self.0.get(&(pack, offset)).cloned()
    }

    pub(super) fn put(&mut self, pack: u32, offset: u64, object: Decoded) {
        if object.bytes.len() <= self.0.capacity() / 2 {
            // Refused only if it does not fit.
            let _ = self.0.put_with_weight((pack, offset), object);
        }
    }
}

#[cfg(test)]
mod tests {
    use gix::objs::Kind;

    use super::*;

    #[test]
    fn the_cache_evicts_objects_that_were_not_used_recently() {
        let mut cache = PackCache::new(40);
        let object = |byte| Decoded {
            kind: Kind::Blob,
            bytes: Arc::new(vec![byte; 10]),
        };
        cache.put(0, 1, object(1));
        cache.put(0, 2, object(2));
        cache.put(0, 3, object(3));
        assert!(cache.get(0, 1).is_some());
        cache.put(0, 4, object(4));
        cache.put(0, 5, object(5));
        let cached: Vec<u64> = (1..=5)
            .filter(|&offset| cache.get(0, offset).is_some())
            .collect();
        assert!(cached.contains(&5) && !cached.contains(&2), "{cached:?}");
        cache.put(
            1,
            9,
            Decoded {
                kind: Kind::Blob,
                bytes: Arc::new(vec![0; 30]),
            },
        );
        assert!(
            cache.get(1, 9).is_none(),
            "an object of more than half the size is not cached"
        );
    }
}
