//! Maps and sets for keys that repositories or clients choose. Nobody outside of the process knows the seed of their
//! hashes, so that nobody can choose keys that collide.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

/// A map whose order differs in each process.
pub type SeededMap<K, V> = HashMap<K, V, Seeded>;

/// A set whose order differs in each process.
pub type SeededSet<K> = HashSet<K, Seeded>;

/// Makes hashes that are equal in one process only: they must not be stored, and no output may depend on them.
#[derive(Clone, Copy, Debug)]
pub struct Seeded(&'static Secret);

#[derive(Debug)]
struct Secret {
    start: u64,
    shared: SharedSeed,
}

/// From the operating system, through the standard library.
static SECRET: LazyLock<Secret> = LazyLock::new(|| Secret {
    start: RandomState::new().hash_one(0),
    shared: SharedSeed::from_u64(RandomState::new().hash_one(1)),
});

impl Default for Seeded {
    fn default() -> Self {
        Self(&SECRET)
    }
}

/// What [`Seeded`] builds.
pub type SeededHasher = FoldHasher<'static>;

impl BuildHasher for Seeded {
    type Hasher = SeededHasher;

    #[inline]
    fn build_hasher(&self) -> Self::Hasher {
        FoldHasher::with_seed(self.0.start, &self.0.shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_collide_with_a_known_seed_do_not_here() {
        // FxHash of all of these is the same: their third eight bytes are the state after the first sixteen.
        let text =
            |at: usize| format!("sfcrljVRcujaxYJnBBBBBBBBBBBBBBBBkbeKX5gz{at:08}SSSSSSSSSSSSSSSS");
        let hasher = Seeded::default();
        let hashes: SeededSet<u64> = (0..10_000).map(|at| hasher.hash_one(text(at))).collect();
        assert_eq!(hashes.len(), 10_000);
        // Neither their lowest bits, which select the place, nor the highest, which are compared there.
        let buckets: SeededSet<u64> = hashes.iter().map(|hash| hash & 0x3fff).collect();
        assert!(buckets.len() > 5_000, "{}", buckets.len());
    }
}
