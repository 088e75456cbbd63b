//! Answers that were made once, kept to be given again while their snapshot is the published one (design 6,
//! `cache-size`).
//!
//! When the room is full, answers go in the order in which they came; one that was asked for since its turn came last
//! is let off once more.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use dashmap::DashMap;
use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::api::response::conditional::CachedResponse;
use crate::api::response::content_encoding::ContentEncoding;
use crate::observe::Counters;

/// What an entry costs beside its bytes, roughly.
const OVERHEAD: usize = 1 << 10;

/// The answers that are kept.
pub(in crate::api) struct Cache {
    /// Bytes that may be held.
    room: usize,
    shelf: ArcSwap<Shelf>,
    figures: Arc<CacheFigures>,
}

/// How well keeping answers does.
#[derive(Debug)]
pub struct CacheFigures {
    lookups: Counters,
    bytes: AtomicUsize,
}

/// Places in the counts.
const HITS: usize = 0;
const MISSES: usize = 1;

impl Default for CacheFigures {
    fn default() -> Self {
        Self { lookups: Counters::new(2), bytes: AtomicUsize::new(0) }
    }
}

impl CacheFigures {
    /// How often an answer was there that was looked for.
    pub fn hits(&self) -> u64 {
        self.lookups.get(HITS)
    }

    /// How often it was not.
    pub fn misses(&self) -> u64 {
        self.lookups.get(MISSES)
    }

    /// Bytes that are held, roughly.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

/// The answers of one snapshot.
#[derive(Default)]
struct Shelf {
    /// The generation of the snapshot that the answers were made from.
    generation: u64,
    answers: DashMap<Key, Place>,
    /// The keys in the order in which their turn to go comes.
    turns: Mutex<VecDeque<Key>>,
    bytes: AtomicUsize,
}

struct Place {
    kept: Arc<CachedResponse>,
    /// Whether it was asked for since its turn came last.
    asked: AtomicBool,
}

/// All that an answer depends on beside the snapshot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::api) struct Key(Arc<[u8]>);

impl Key {
    /// `base` is what links begin with, `target` path and query as they came, `accept` what names the form. `revision`
    /// is that of what a page shows beside what its generation has; 0 for none.
    pub(in crate::api) fn new(base: &str, target: &str, accept: &[u8], coding: ContentEncoding, revision: u64) -> Self {
        let mut key = Vec::with_capacity(base.len() + target.len() + accept.len() + 11);
        key.push(coding as u8);
        // Neither a base nor a target holds this byte.
        for part in [base.as_bytes(), target.as_bytes()] {
            key.extend_from_slice(part);
            key.push(0);
        }
        key.extend_from_slice(&revision.to_le_bytes());
        key.extend_from_slice(accept);
        Self(key.into())
    }

    /// A number that tells keys of a snapshot apart.
    pub(in crate::api) fn hash(&self, seed: u64) -> u128 {
        xxh3_128_with_seed(&self.0, seed)
    }

    /// The key of the same answer in another coding.
    pub(in crate::api) fn coded(&self, coding: ContentEncoding) -> Self {
        let mut key = self.0.to_vec();
        key[0] = coding as u8;
        Self(key.into())
    }
}

impl Cache {
    /// An empty one with room for so many bytes.
    pub(in crate::api) fn new(room: usize) -> Self {
        Self { room, shelf: ArcSwap::default(), figures: Arc::default() }
    }

    /// The same, counting there.
    pub(in crate::api) fn counted_by(self, figures: Arc<CacheFigures>) -> Self {
        Self { figures, ..self }
    }

    /// The answer of that key, if it was made from this snapshot and is still there.
    pub(in crate::api) fn get(&self, generation: u64, key: &Key) -> Option<Arc<CachedResponse>> {
        let found = self.find(generation, key);
        self.figures.lookups.add(if found.is_some() { HITS } else { MISSES }, 1);
        found
    }

    fn find(&self, generation: u64, key: &Key) -> Option<Arc<CachedResponse>> {
        let shelf = self.shelf.load();
        if shelf.generation != generation {
            return None;
        }
        let place = shelf.answers.get(key)?;
        // A write that changes nothing would take the line from the other cores.
        if !place.asked.load(Ordering::Relaxed) {
            place.asked.store(true, Ordering::Relaxed);
        }
        Some(place.kept.clone())
    }

    /// Keeps an answer that was made from this snapshot while that needs no place that others may want: not beyond half
    /// of the room.
    pub(in crate::api) fn put_aside(&self, generation: u64, key: Key, kept: Arc<CachedResponse>) {
        let shelf = self.shelf.load();
        if shelf.generation != generation || shelf.bytes.load(Ordering::Relaxed) + weight(&key, &kept) < self.room / 2 {
            self.put(generation, key, kept);
        }
    }

    /// Keeps an answer that was made from this snapshot.
    pub(in crate::api) fn put(&self, generation: u64, key: Key, kept: Arc<CachedResponse>) {
        let weight = weight(&key, &kept);
        if weight > self.room / 4 {
            return;
        }
        let mut shelf = self.shelf.load_full();
        if shelf.generation != generation {
            let fresh = Arc::new(Shelf { generation, ..Shelf::default() });
            self.shelf.compare_and_swap(&shelf, fresh);
            shelf = self.shelf.load_full();
        }
        // Somebody else may have put the shelf of another snapshot there meanwhile: then nothing is kept.
        let place = Place { kept, asked: AtomicBool::new(false) };
        if shelf.generation == generation && shelf.answers.insert(key.clone(), place).is_none() {
            shelf.bytes.fetch_add(weight, Ordering::Relaxed);
            shelf.make_room(key, self.room);
            self.figures.bytes.store(shelf.bytes.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}

/// Bytes that an entry takes, roughly.
fn weight(key: &Key, kept: &CachedResponse) -> usize {
    key.0.len() + kept.bytes() + OVERHEAD
}

impl Shelf {
    /// Lets answers go until no more bytes are held than there is room for; the turn of `newest` comes last.
    fn make_room(&self, newest: Key, room: usize) {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.push_back(newest);
        while self.bytes.load(Ordering::Relaxed) > room {
            let Some(key) = turns.pop_front() else { return };
            let let_off = self.answers.get(&key).is_some_and(|place| place.asked.swap(false, Ordering::Relaxed));
            if let_off {
                turns.push_back(key);
            } else if let Some((key, place)) = self.answers.remove(&key) {
                self.bytes.fetch_sub(weight(&key, &place.kept), Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poem::IntoResponse;

    fn kept(bytes: usize) -> Arc<CachedResponse> {
        let mut head = "".into_response();
        Arc::new(CachedResponse::new(std::mem::take(head.headers_mut()), vec![b'x'; bytes].into(), None))
    }

    fn key(number: usize) -> Key {
        Key::new("http://h", &format!("/api/{number}/"), b"", ContentEncoding::Identity, 0)
    }

    #[test]
    fn an_answer_is_given_again_until_another_snapshot_is_published() {
        let cache = Cache::new(1 << 20);
        let (first, second) = (1, 2);
        assert!(cache.get(first, &key(1)).is_none());
        cache.put(first, key(1), kept(10));
        assert_eq!(cache.get(first, &key(1)).unwrap().bytes(), kept(10).bytes());
        assert!(cache.get(first, &key(2)).is_none());
        assert!(cache.get(second, &key(1)).is_none());
        cache.put(second, key(1), kept(20));
        assert_eq!(cache.get(second, &key(1)).unwrap().bytes(), kept(20).bytes());
        assert!(cache.get(first, &key(1)).is_none());
    }

    #[test]
    fn what_is_asked_for_stays_and_what_is_not_goes() {
        let cache = Cache::new(1 << 20);
        for number in 0..1000 {
            cache.put(1, key(number), kept(10_000));
            assert!(cache.get(1, &key(0)).is_some(), "{number}");
        }
        assert!(cache.get(1, &key(999)).is_some());
        assert!(cache.get(1, &key(1)).is_none());
        let shelf = cache.shelf.load();
        let held: usize = shelf.answers.iter().map(|place| weight(place.key(), &place.kept)).sum();
        assert!(held <= 1 << 20 && held == shelf.bytes.load(Ordering::Relaxed), "{held}");
        assert_eq!(shelf.turns.lock().unwrap().len(), shelf.answers.len());
    }

    #[test]
    fn all_of_the_room_can_be_used() {
        let cache = Cache::new(1 << 20);
        // Ninety of them fit.
        (0..90).for_each(|number| cache.put(1, key(number), kept(10_000)));
        for _ in 0..3 {
            assert!((0..90).all(|number| cache.get(1, &key(number)).is_some()));
        }
    }

    #[test]
    fn what_is_put_aside_takes_no_place_from_others() {
        let cache = Cache::new(1 << 20);
        for number in 0..10 {
            cache.put(1, key(number), kept(40_000));
            cache.put_aside(1, key(100 + number), kept(40_000));
        }
        assert!((0..10).all(|number| cache.get(1, &key(number)).is_some()));
        let aside = (100..110).filter(|&number| cache.get(1, &key(number)).is_some()).count();
        assert!((1..8).contains(&aside), "{aside}");
    }

    #[test]
    fn what_would_fill_the_room_alone_is_not_kept() {
        let cache = Cache::new(1 << 20);
        cache.put(1, key(1), kept(1 << 19));
        assert!(cache.get(1, &key(1)).is_none());
        let none = Cache::new(0);
        none.put(1, key(1), kept(1));
        assert!(none.get(1, &key(1)).is_none());
    }
}
