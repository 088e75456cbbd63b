//! Answers that were made once, kept to be given again while their snapshot is the published one (design 6,
//! `cache-size`).
//!
//! Two shelves: what is asked for stands on the young one. When that holds half of the room it becomes the old one,
//! and what nobody asked for since the last change is forgotten.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use arc_swap::ArcSwap;
use dashmap::DashMap;

use super::coding::Coding;
use super::kept::Kept;
use crate::catalog::Snapshot;

/// What an entry costs beside its bytes, roughly.
const OVERHEAD: usize = 1 << 10;

/// The answers that are kept.
pub(super) struct Cache {
    /// Bytes that may be held.
    room: usize,
    shelves: ArcSwap<Shelves>,
}

#[derive(Default)]
struct Shelves {
    /// What the answers were made from. A weak pointer keeps its address from being used again.
    of: Weak<Snapshot>,
    young: Arc<Shelf>,
    old: Arc<Shelf>,
}

#[derive(Default)]
struct Shelf {
    answers: DashMap<Key, Arc<Kept>>,
    bytes: AtomicUsize,
}

/// All that an answer depends on beside the snapshot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key(Box<[u8]>);

impl Key {
    /// `base` is what links begin with, `target` path and query as they came, `accept` what names the form.
    pub(super) fn new(base: &str, target: &str, accept: &[u8], coding: Coding) -> Self {
        let mut key = Vec::with_capacity(base.len() + target.len() + accept.len() + 3);
        key.push(coding as u8);
        // Neither a base nor a target holds this byte.
        for part in [base.as_bytes(), target.as_bytes()] {
            key.extend_from_slice(part);
            key.push(0);
        }
        key.extend_from_slice(accept);
        Self(key.into())
    }

    /// The key of the same answer in another coding.
    pub(super) fn coded(&self, coding: Coding) -> Self {
        let mut key = self.0.clone();
        key[0] = coding as u8;
        Self(key)
    }
}

impl Cache {
    /// An empty one with room for so many bytes.
    pub(super) fn new(room: usize) -> Self {
        Self { room, shelves: ArcSwap::default() }
    }

    /// The answer of that key, if it was made from this snapshot and is still there.
    pub(super) fn get(&self, snapshot: &Arc<Snapshot>, key: &Key) -> Option<Arc<Kept>> {
        let shelves = self.shelves.load();
        if !shelves.are_of(snapshot) {
            return None;
        }
        if let Some(kept) = shelves.young.answers.get(key) {
            return Some(kept.value().clone());
        }
        let kept = shelves.old.answers.get(key)?.value().clone();
        self.put(snapshot, key.clone(), kept.clone());
        Some(kept)
    }

    /// Keeps an answer that was made from this snapshot.
    pub(super) fn put(&self, snapshot: &Arc<Snapshot>, key: Key, kept: Arc<Kept>) {
        let weight = key.0.len() + kept.bytes() + OVERHEAD;
        let most = self.room / 2;
        if weight > most / 2 {
            return;
        }
        let mut shelves = self.shelves.load_full();
        if !shelves.are_of(snapshot) {
            let fresh = Shelves { of: Arc::downgrade(snapshot), ..Shelves::default() };
            shelves = self.replace(&shelves, fresh);
        } else if shelves.young.bytes.load(Ordering::Relaxed) + weight > most {
            let turned = Shelves { of: shelves.of.clone(), young: Arc::default(), old: shelves.young.clone() };
            shelves = self.replace(&shelves, turned);
        }
        // Somebody else may have put the shelves of another snapshot there meanwhile: then nothing is kept.
        if shelves.are_of(snapshot) && shelves.young.answers.insert(key, kept).is_none() {
            shelves.young.bytes.fetch_add(weight, Ordering::Relaxed);
        }
    }

    /// Puts `next` in the place of `current`, unless somebody was faster; gives what stands there.
    fn replace(&self, current: &Arc<Shelves>, next: Shelves) -> Arc<Shelves> {
        self.shelves.compare_and_swap(current, Arc::new(next));
        self.shelves.load_full()
    }
}

impl Shelves {
    fn are_of(&self, snapshot: &Arc<Snapshot>) -> bool {
        std::ptr::eq(self.of.as_ptr(), Arc::as_ptr(snapshot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poem::IntoResponse;

    fn kept(bytes: usize) -> Arc<Kept> {
        let mut head = "".into_response();
        Arc::new(Kept::new(std::mem::take(head.headers_mut()), vec![b'x'; bytes].into(), None))
    }

    fn key(number: usize) -> Key {
        Key::new("http://h", &format!("/api/{number}/"), b"", Coding::Identity)
    }

    #[test]
    fn an_answer_is_given_again_until_another_snapshot_is_published() {
        let cache = Cache::new(1 << 20);
        let (first, second) = (Arc::new(Snapshot::default()), Arc::new(Snapshot::default()));
        assert!(cache.get(&first, &key(1)).is_none());
        cache.put(&first, key(1), kept(10));
        assert_eq!(cache.get(&first, &key(1)).unwrap().bytes(), kept(10).bytes());
        assert!(cache.get(&first, &key(2)).is_none());
        assert!(cache.get(&second, &key(1)).is_none());
        cache.put(&second, key(1), kept(20));
        assert_eq!(cache.get(&second, &key(1)).unwrap().bytes(), kept(20).bytes());
        assert!(cache.get(&first, &key(1)).is_none());
    }

    #[test]
    fn what_is_asked_for_stays_and_what_is_not_goes() {
        let cache = Cache::new(1 << 20);
        let snapshot = Arc::new(Snapshot::default());
        for number in 0..1000 {
            cache.put(&snapshot, key(number), kept(10_000));
            assert!(cache.get(&snapshot, &key(0)).is_some(), "{number}");
        }
        assert!(cache.get(&snapshot, &key(999)).is_some());
        assert!(cache.get(&snapshot, &key(1)).is_none());
        let shelves = cache.shelves.load();
        let held: usize = [&shelves.young, &shelves.old].iter().map(|shelf| shelf.answers.len() * 10_000).sum();
        assert!(held <= 1 << 20);
    }

    #[test]
    fn what_would_fill_the_room_alone_is_not_kept() {
        let cache = Cache::new(1 << 20);
        let snapshot = Arc::new(Snapshot::default());
        cache.put(&snapshot, key(1), kept(1 << 19));
        assert!(cache.get(&snapshot, &key(1)).is_none());
        let none = Cache::new(0);
        none.put(&snapshot, key(1), kept(1));
        assert!(none.get(&snapshot, &key(1)).is_none());
    }
}
