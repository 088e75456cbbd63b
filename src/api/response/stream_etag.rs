//! Tags of answers that are made while the client reads them. Nobody knows their bytes beforehand, so such a tag names
//! the snapshot and what was asked of it: whoever has the answer is spared it until another snapshot is published.

use std::hash::{BuildHasher, Hasher, RandomState};

use crate::api::response::cache::Key;

/// Makes tags. Those of two runs of the program have nothing in common: what was configured may have changed between.
pub(in crate::api) struct StreamEtags {
    run: u64,
}

impl StreamEtags {
    /// A maker of tags that no other run has.
    pub(in crate::api) fn new() -> Self {
        Self { run: RandomState::new().build_hasher().finish() }
    }

    /// The tag of the answer of that key made from a snapshot of that generation.
    pub(in crate::api) fn of(&self, generation: u64, key: &Key) -> u128 {
        key.hash(self.run.wrapping_add(generation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::response::content_encoding::ContentEncoding;

    #[test]
    fn a_tag_is_that_of_one_address_and_one_snapshot() {
        let tags = StreamEtags::new();
        let key = |target: &str| Key::new("http://h", target, b"", ContentEncoding::Identity, 0);
        let (first, second) = (1, 2);
        let tag = tags.of(first, &key("/api/units/?format=ndjson"));
        assert_eq!(tags.of(first, &key("/api/units/?format=ndjson")), tag);
        assert_ne!(tags.of(first, &key("/api/changes/?format=ndjson")), tag);
        assert_ne!(tags.of(second, &key("/api/units/?format=ndjson")), tag);
        assert_ne!(StreamEtags::new().of(first, &key("/api/units/?format=ndjson")), tag);
    }
}
