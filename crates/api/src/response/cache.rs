//! The cache of responses of one generation of the snapshot (docs/spec/http.md#caching).
//!
//! A lookup holds its lock for about 0.1 µs. A map with a lock per shard and a bit per response for eviction takes twice
//! as long per lookup, with one thread as well as with four on two cores.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use xxhash_rust::xxh3::xxh3_128_with_seed;

use super::conditional::CachedResponse;
use super::content_encoding::ContentEncoding;
use gitglot_metrics::Counters;
use gitglot_model::ByteCache;

/// Approximate size of an entry without its body, in bytes.
const OVERHEAD: usize = 1 << 10;

pub(crate) struct Cache {
    /// Size limit in bytes.
    capacity: usize,
    current: Mutex<Generation>,
    counters: Arc<CacheCounters>,
}

/// The responses of one generation of the snapshot; each is published with a greater number.
struct Generation {
    number: u64,
    responses: ByteCache<ResponseKey, Arc<CachedResponse>>,
}

/// Statistics of the cache.
#[derive(Debug)]
pub struct CacheCounters {
    lookups: Counters,
    bytes: AtomicUsize,
}

/// Indexes of the counters.
const HITS: usize = 0;
const MISSES: usize = 1;

impl Default for CacheCounters {
    fn default() -> Self {
        Self {
            lookups: Counters::new(2),
            bytes: AtomicUsize::new(0),
        }
    }
}

impl CacheCounters {
    /// Lookups that found a response.
    pub fn hits(&self) -> u64 {
        self.lookups.get(HITS)
    }

    /// Lookups that found none.
    pub fn misses(&self) -> u64 {
        self.lookups.get(MISSES)
    }

    /// Approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

/// Everything that a response depends on, except for the generation of the snapshot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ResponseKey(Arc<[u8]>);

impl ResponseKey {
    /// `base`: the start of links. `target`: path and query as they were sent. `accept`: the `Accept` headers.
    /// `revisions`: those of anything that differs within a generation.
    pub fn new(
        base: &str,
        target: &str,
        accept: &[u8],
        encoding: ContentEncoding,
        revisions: [u64; 2],
    ) -> Self {
        let mut key = Vec::with_capacity(base.len() + target.len() + accept.len() + 19);
        key.push(encoding as u8);
        // Neither a base nor a target contains this byte.
        for part in [base.as_bytes(), target.as_bytes()] {
            key.extend_from_slice(part);
            key.push(0);
        }
        for revision in revisions {
            key.extend_from_slice(&revision.to_le_bytes());
        }
        key.extend_from_slice(accept);
        Self(key.into())
    }

    /// The hash for the entity tag of a stream, whose bytes are not known in advance: it identifies the request, the
    /// content of the snapshot, and the program and settings that write it (docs/spec/http.md#caching).
    pub(crate) fn stream_tag(&self, digest: u64, writer: u64) -> u128 {
        xxh3_128_with_seed(&self.0, digest ^ writer)
    }

    /// The key of the same response in a different encoding.
    pub(crate) fn encoded(&self, encoding: ContentEncoding) -> Self {
        let mut key = self.0.to_vec();
        key[0] = encoding as u8;
        Self(key.into())
    }
}

impl Cache {
    /// An empty cache of this size in bytes.
    pub fn new(capacity: usize, counters: Arc<CacheCounters>) -> Self {
        Self {
            capacity,
            current: Mutex::new(Generation {
                number: 0,
                responses: ByteCache::new(capacity),
            }),
            counters,
        }
    }

    pub(crate) fn get(&self, generation: u64, key: &ResponseKey) -> Option<Arc<CachedResponse>> {
        let found = {
            let mut current = self.current.lock();
            let is_current = current.number == generation;
            is_current.then(|| current.responses.get(key)).flatten()
        };
        let outcome = if found.is_some() { HITS } else { MISSES };
        self.counters.lookups.add(outcome, 1);
        found
    }

    /// Stores a response of a generation unless more than half of the cache is in use.
    pub(crate) fn insert_if_spare(
        &self,
        generation: u64,
        key: ResponseKey,
        response: Arc<CachedResponse>,
    ) {
        self.insert(generation, key, response, self.capacity / 2);
    }

    pub(crate) fn put(&self, generation: u64, key: ResponseKey, response: Arc<CachedResponse>) {
        self.insert(generation, key, response, usize::MAX);
    }

    /// Stores a response unless the cache is then larger than `most` bytes, or has responses of a later generation.
    fn insert(
        &self,
        generation: u64,
        key: ResponseKey,
        response: Arc<CachedResponse>,
        most: usize,
    ) {
        let weight = key.0.len() + response.bytes() + OVERHEAD;
        if weight > self.capacity / 4 {
            return;
        }
        let mut current = self.current.lock();
        // Freed after the lock.
        let mut earlier = None;
        if current.number < generation {
            let responses = ByteCache::new(self.capacity);
            earlier = Some(std::mem::replace(&mut current.responses, responses));
            current.number = generation;
        }
        if current.number == generation && current.responses.bytes() + weight <= most {
            current.responses.put(key, response, weight);
            let bytes = current.responses.bytes();
            self.counters.bytes.store(bytes, Ordering::Relaxed);
        }
        drop(current);
        drop(earlier);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poem::IntoResponse;

    fn cached(bytes: usize) -> Arc<CachedResponse> {
        let mut head = "".into_response();
        Arc::new(CachedResponse::new(
            std::mem::take(head.headers_mut()),
            vec![b'x'; bytes].into(),
            None,
        ))
    }

    fn key(number: usize) -> ResponseKey {
        ResponseKey::new(
            "http://h",
            &format!("/api/{number}/"),
            b"",
            ContentEncoding::Identity,
            [0; 2],
        )
    }

    #[test]
    fn the_tag_of_a_stream_is_that_of_one_address_and_one_snapshot() {
        let (digest, other_digest) = (5 << 40, 6 << 40);
        let tag = key(1).stream_tag(digest, 1);
        assert_eq!(key(1).stream_tag(digest, 1), tag);
        assert_ne!(key(2).stream_tag(digest, 1), tag);
        assert_ne!(key(1).stream_tag(digest, 2), tag);
        assert_ne!(key(1).stream_tag(other_digest, 1), tag);
    }

    #[test]
    fn a_response_is_cached_until_the_next_snapshot() {
        let cache = Cache::new(1 << 20, Arc::default());
        let (first, second) = (1, 2);
        assert!(cache.get(first, &key(1)).is_none());
        cache.put(first, key(1), cached(10));
        assert_eq!(
            cache.get(first, &key(1)).unwrap().bytes(),
            cached(10).bytes()
        );
        assert!(cache.get(first, &key(2)).is_none());
        assert!(cache.get(second, &key(1)).is_none());
        cache.put(second, key(1), cached(20));
        assert_eq!(
            cache.get(second, &key(1)).unwrap().bytes(),
            cached(20).bytes()
        );
        assert!(cache.get(first, &key(1)).is_none());
    }

    #[test]
    fn only_requested_findings_remain() {
        let cache = Cache::new(1 << 20, Arc::default());
        for number in 0..1000 {
            cache.put(1, key(number), cached(10_000));
            assert!(cache.get(1, &key(0)).is_some(), "{number}");
        }
        assert!(cache.get(1, &key(999)).is_some());
        assert!(cache.get(1, &key(1)).is_none());
        let bytes = cache.counters.bytes();
        assert!((1_000_000..=1 << 20).contains(&bytes), "{bytes}");
    }

    #[test]
    fn the_whole_capacity_can_be_used() {
        let cache = Cache::new(1 << 20, Arc::default());
        // Ninety of them fit.
        (0..90).for_each(|number| cache.put(1, key(number), cached(10_000)));
        for _ in 0..3 {
            assert!((0..90).all(|number| cache.get(1, &key(number)).is_some()));
        }
    }

    #[test]
    fn side_entries_do_not_evict_others() {
        let cache = Cache::new(1 << 20, Arc::default());
        for number in 0..10 {
            cache.put(1, key(number), cached(40_000));
            cache.insert_if_spare(1, key(100 + number), cached(40_000));
        }
        assert!((0..10).all(|number| cache.get(1, &key(number)).is_some()));
        let aside = (100..110)
            .filter(|&number| cache.get(1, &key(number)).is_some())
            .count();
        assert!((1..8).contains(&aside), "{aside}");
    }

    #[test]
    fn a_response_larger_than_the_cache_is_not_stored() {
        let cache = Cache::new(1 << 20, Arc::default());
        cache.put(1, key(1), cached(1 << 19));
        assert!(cache.get(1, &key(1)).is_none());
        let none = Cache::new(0, Arc::default());
        none.put(1, key(1), cached(1));
        assert!(none.get(1, &key(1)).is_none());
    }
}
