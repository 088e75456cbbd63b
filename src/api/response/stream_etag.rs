//! Tags of answers that are made while the client reads them. Nobody knows their bytes beforehand, so such a tag names
//! the snapshot and what was asked of it: whoever has the answer is spared it until another snapshot is published.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::api::response::cache::Key;
use crate::catalog::Snapshot;

/// Makes tags. Those of two runs of the program have nothing in common: what was configured may have changed between.
pub(in crate::api) struct StreamEtags {
    run: u64,
    newest: Mutex<Newest>,
}

/// The snapshot that was seen last, and how many were seen before. A weak pointer keeps its address from being used
/// again.
#[derive(Default)]
struct Newest {
    of: Weak<Snapshot>,
    number: u64,
}

impl StreamEtags {
    /// A maker of tags that no other run has.
    pub(in crate::api) fn new() -> Self {
        Self { run: RandomState::new().build_hasher().finish(), newest: Mutex::default() }
    }

    /// The tag of the answer of that key made from this snapshot.
    pub(in crate::api) fn of(&self, snapshot: &Arc<Snapshot>, key: &Key) -> u128 {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::ptr::eq(newest.of.as_ptr(), Arc::as_ptr(snapshot)) {
            *newest = Newest { of: Arc::downgrade(snapshot), number: newest.number + 1 };
        }
        key.hash(self.run.wrapping_add(newest.number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::response::content_encoding::ContentEncoding;

    #[test]
    fn a_tag_is_that_of_one_address_and_one_snapshot() {
        let tags = StreamEtags::new();
        let key = |target: &str| Key::new("http://h", target, b"", ContentEncoding::Identity);
        let (first, second) = (Arc::new(Snapshot::default()), Arc::new(Snapshot::default()));
        let tag = tags.of(&first, &key("/api/units/?format=ndjson"));
        assert_eq!(tags.of(&first, &key("/api/units/?format=ndjson")), tag);
        assert_ne!(tags.of(&first, &key("/api/changes/?format=ndjson")), tag);
        assert_ne!(tags.of(&second, &key("/api/units/?format=ndjson")), tag);
        assert_ne!(StreamEtags::new().of(&first, &key("/api/units/?format=ndjson")), tag);
    }
}
