//! The cache of responses (docs/spec/http.md#caching): a second-chance cache per generation of the snapshot.
//!
//! When the cache is full, the oldest response is evicted unless it was requested since it was last considered; then it
//! is considered again after all others.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use arc_swap::ArcSwap;
use dashmap::DashMap;
use parking_lot::Mutex;
use xxhash_rust::xxh3::xxh3_128_with_seed;

use super::conditional::CachedResponse;
use super::content_encoding::ContentEncoding;
use gitglot_metrics::Counters;

/// Approximate size of an entry without its body, in bytes.
const OVERHEAD: usize = 1 << 10;

pub(crate) struct Cache {
    /// Size limit in bytes.
    capacity: usize,
    current: ArcSwap<Generation>,
    counters: Arc<CacheCounters>,
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

/// The responses of one generation of the snapshot.
#[derive(Default)]
struct Generation {
    number: u64,
    responses: DashMap<ResponseKey, CacheSlot>,
    /// The keys in the order in which they are considered for eviction.
    queue: Mutex<VecDeque<ResponseKey>>,
    bytes: AtomicUsize,
}

struct CacheSlot {
    response: Arc<CachedResponse>,
    /// Whether it was requested since it was last considered for eviction.
    referenced: AtomicBool,
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
            current: ArcSwap::default(),
            counters,
        }
    }

    /// The stored response of a generation.
    pub(crate) fn get(&self, generation: u64, key: &ResponseKey) -> Option<Arc<CachedResponse>> {
        let found = self.find(generation, key);
        self.counters
            .lookups
            .add(if found.is_some() { HITS } else { MISSES }, 1);
        found
    }

    fn find(&self, generation: u64, key: &ResponseKey) -> Option<Arc<CachedResponse>> {
        let current = self.current.load();
        if current.number != generation {
            return None;
        }
        let slot = current.responses.get(key)?;
        // A write that changes nothing would still invalidate the cache line of other cores.
        if !slot.referenced.load(Ordering::Relaxed) {
            slot.referenced.store(true, Ordering::Relaxed);
        }
        Some(slot.response.clone())
    }

    /// Stores a response of a generation unless more than half of the cache is in use.
    pub(crate) fn insert_if_spare(
        &self,
        generation: u64,
        key: ResponseKey,
        response: Arc<CachedResponse>,
    ) {
        let current = self.current.load();
        let used = current.bytes.load(Ordering::Relaxed);
        if current.number != generation || used + weight(&key, &response) < self.capacity / 2 {
            self.put(generation, key, response);
        }
    }

    /// Stores a response of a generation.
    pub(crate) fn put(&self, generation: u64, key: ResponseKey, response: Arc<CachedResponse>) {
        let weight = weight(&key, &response);
        if weight > self.capacity / 4 {
            return;
        }
        let mut current = self.current.load_full();
        if current.number != generation {
            let fresh = Arc::new(Generation {
                number: generation,
                ..Generation::default()
            });
            self.current.compare_and_swap(&current, fresh);
            current = self.current.load_full();
        }
        // A concurrent request may have stored a different generation: then nothing is stored.
        let slot = CacheSlot {
            response,
            referenced: AtomicBool::new(false),
        };
        if current.number == generation && current.responses.insert(key.clone(), slot).is_none() {
            current.bytes.fetch_add(weight, Ordering::Relaxed);
            current.evict(key, self.capacity);
            self.counters
                .bytes
                .store(current.bytes.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}

/// Approximate size of an entry in bytes.
fn weight(key: &ResponseKey, response: &CachedResponse) -> usize {
    key.0.len() + response.bytes() + OVERHEAD
}

impl Generation {
    /// Evicts responses until the size is at most `capacity`. `newest` is considered last.
    fn evict(&self, newest: ResponseKey, capacity: usize) {
        let mut queue = self.queue.lock();
        queue.push_back(newest);
        while self.bytes.load(Ordering::Relaxed) > capacity {
            let Some(key) = queue.pop_front() else { return };
            let slot = self.responses.get(&key);
            if slot.is_some_and(|slot| slot.referenced.swap(false, Ordering::Relaxed)) {
                queue.push_back(key);
            } else if let Some((key, slot)) = self.responses.remove(&key) {
                self.bytes
                    .fetch_sub(weight(&key, &slot.response), Ordering::Relaxed);
            }
        }
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
        let current = cache.current.load();
        let cached_bytes: usize = current
            .responses
            .iter()
            .map(|slot| weight(slot.key(), &slot.response))
            .sum();
        assert!(
            cached_bytes <= 1 << 20 && cached_bytes == current.bytes.load(Ordering::Relaxed),
            "{cached_bytes}"
        );
        assert_eq!(current.queue.lock().len(), current.responses.len());
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
