//! Which entries of a list a filter wants, kept for a while: whoever pages through a filtered list looks at the whole
//! list once, not once for each page.

use std::sync::{Arc, Mutex, PoisonError};

/// Places that are kept for all filters together.
const MOST_PLACES: usize = 4 << 20;
/// Filters that are kept.
const MOST_FILTERS: usize = 64;

/// The places that filters of one snapshot want.
#[derive(Default)]
pub(in crate::api) struct FilterCache(Mutex<CachedResponse>);

#[derive(Default)]
struct CachedResponse {
    /// The generation of the snapshot that the places are of.
    generation: u64,
    /// List and filter, and the places; oldest first.
    found: Vec<(String, Arc<[u32]>)>,
}

impl FilterCache {
    /// The places that a filter of a list wants, when they are known.
    pub(in crate::api) fn get(&self, generation: u64, filter: &str) -> Option<Arc<[u32]>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.generation != generation {
            return None;
        }
        kept.found.iter().find(|(known, _)| known == filter).map(|(_, places)| places.clone())
    }

    /// Keeps the places that a filter of a list wants.
    pub(in crate::api) fn put(&self, generation: u64, filter: String, places: Arc<[u32]>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.generation != generation {
            *kept = CachedResponse { generation, found: Vec::new() };
        }
        if places.len() > MOST_PLACES || kept.found.iter().any(|(known, _)| *known == filter) {
            return;
        }
        kept.found.push((filter, places));
        let total = |found: &[(String, Arc<[u32]>)]| found.iter().map(|(_, places)| places.len()).sum::<usize>();
        while kept.found.len() > MOST_FILTERS || total(&kept.found) > MOST_PLACES {
            kept.found.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_known_until_another_snapshot_comes() {
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
    fn what_is_kept_has_a_limit() {
        let matches = FilterCache::default();
        for at in 0..=MOST_FILTERS {
            matches.put(1, at.to_string(), Arc::from([0]));
        }
        assert_eq!(matches.get(1, "0"), None);
        assert!(matches.get(1, &MOST_FILTERS.to_string()).is_some());
    }
}
