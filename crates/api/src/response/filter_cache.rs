//! The results of filters, so that paging through a filtered list searches it once (docs/spec/http.md#caching).

use std::sync::Arc;

use parking_lot::Mutex;

/// Largest number of positions of all results together.
const MAX_POSITIONS: usize = 4 << 20;
/// Largest number of results.
const MAX_FILTERS: usize = 64;

/// The results of filters on one generation of the snapshot.
#[derive(Default)]
pub(crate) struct FilterCache(Mutex<Results>);

#[derive(Default)]
struct Results {
    generation: u64,
    /// List and filter, and the matching positions; oldest first.
    found: Vec<(String, Arc<[u32]>)>,
}

impl FilterCache {
    /// The positions that a filter of a list matches, if they are known.
    pub(crate) fn get(&self, generation: u64, filter: &str) -> Option<Arc<[u32]>> {
        let results = self.0.lock();
        if results.generation != generation {
            return None;
        }
        let (_, positions) = results.found.iter().find(|(known, _)| known == filter)?;
        Some(positions.clone())
    }

    /// Stores the positions that a filter of a list matches.
    pub(crate) fn put(&self, generation: u64, filter: String, positions: Arc<[u32]>) {
        let mut results = self.0.lock();
        if results.generation != generation {
            *results = Results {
                generation,
                found: Vec::new(),
            };
        }
        if positions.len() > MAX_POSITIONS
            || results.found.iter().any(|(known, _)| *known == filter)
        {
            return;
        }
        results.found.push((filter, positions));
        let total = |found: &[(String, Arc<[u32]>)]| {
            found.iter().map(|(_, found)| found.len()).sum::<usize>()
        };
        while results.found.len() > MAX_FILTERS || total(&results.found) > MAX_POSITIONS {
            results.found.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filtered_positions_are_cached_per_snapshot() {
        let matches = FilterCache::default();
        let (first, second) = (1, 2);
        matches.put(first, "a".into(), Arc::from([1, 2]));
        assert_eq!(matches.get(first, "a").as_deref(), Some(&[1, 2][..]));
        assert_eq!(matches.get(first, "b"), None);
        assert_eq!(matches.get(second, "a"), None);
        matches.put(second, "b".into(), Arc::from([3]));
        assert_eq!(matches.get(first, "a"), None);
    }

    #[test]
    fn the_cache_is_limited() {
        let matches = FilterCache::default();
        for at in 0..=MAX_FILTERS {
            matches.put(1, at.to_string(), Arc::from([0]));
        }
        assert_eq!(matches.get(1, "0"), None);
        assert!(matches.get(1, &MAX_FILTERS.to_string()).is_some());
    }
}
