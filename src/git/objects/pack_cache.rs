//! The cache of decoded objects.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A decoded object.
#[derive(Clone)]
pub(crate) struct Decoded {
    pub(crate) kind: gix::objs::Kind,
    pub(crate) bytes: Arc<Vec<u8>>,
}

/// A two-generation cache, which approximates LRU: when the young generation is full it becomes the old one, and the
/// old one is dropped. Keyed by pack and offset.
pub(super) struct PackCache {
    half: usize,
    used: usize,
    young: FxHashMap<(u32, u64), Decoded>,
    old: FxHashMap<(u32, u64), Decoded>,
}

impl PackCache {
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            half: bytes / 2,
            used: 0,
            young: FxHashMap::default(),
            old: FxHashMap::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new(self.half * 2);
    }

    pub(super) fn get(&mut self, pack: u32, offset: u64) -> Option<Decoded> {
        if let Some(found) = self.young.get(&(pack, offset)) {
            return Some(found.clone());
        }
        let found = self.old.remove(&(pack, offset))?;
        self.put(pack, offset, found.clone());
        Some(found)
    }

    pub(super) fn put(&mut self, pack: u32, offset: u64, object: Decoded) {
        let bytes = object.bytes.len();
        if bytes > self.half {
            return;
        }
        if self.used + bytes > self.half {
            self.old = std::mem::take(&mut self.young);
            self.used = 0;
        }
        self.used += bytes;
        self.young.insert((pack, offset), object);
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
