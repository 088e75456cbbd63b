//! Entity tags of streams. Their bytes are not known in advance, so the tag identifies the generation of the snapshot and
//! the request (docs/spec/http.md#caching).

use std::hash::{BuildHasher, Hasher, RandomState};

use crate::api::response::cache::ResponseKey;

/// Creates entity tags. Those of two runs of the program differ, because the configuration may have changed.
pub(crate) struct StreamEtags {
    run: u64,
}

impl StreamEtags {
    /// Selects a random key for this run.
    pub(crate) fn new() -> Self {
        Self {
            run: RandomState::new().build_hasher().finish(),
        }
    }

    /// The tag of a response of a generation.
    pub(crate) fn of(&self, generation: u64, key: &ResponseKey) -> u128 {
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
        let key =
            |target: &str| ResponseKey::new("http://h", target, b"", ContentEncoding::Identity, 0);
        let (first, second) = (1, 2);
        let tag = tags.of(first, &key("/api/units/?format=ndjson"));
        assert_eq!(tags.of(first, &key("/api/units/?format=ndjson")), tag);
        assert_ne!(tags.of(first, &key("/api/changes/?format=ndjson")), tag);
        assert_ne!(tags.of(second, &key("/api/units/?format=ndjson")), tag);
        assert_ne!(
            StreamEtags::new().of(first, &key("/api/units/?format=ndjson")),
            tag
        );
    }
}
