//! Acknowledged translations: stale texts that a commit says are right (docs/spec/change-log.md#acknowledged-translations).
//!
//! `trailers` and `file` parse the two ways to say so, and `read` collects them for the commits of a step and reads the
//! versions of the file when the log needs them, which makes entries of them. [`Reviewed`] is what a log keeps of them. Only `read` reads the repository.

mod file;
mod read;
#[cfg(test)]
mod tests;
mod trailers;

pub use file::{
    MAX_BYTES as MAX_REVIEWED_BYTES, REVIEWED_FILE, ReviewedFile, hash_of, review_hash,
};
pub use read::{CommitReviews, LastFiles, blob_of, read};

pub use trailers::{
    ALL_LANGUAGES, MAX_PATTERNS, REVIEW_TRAILER, has_review, keys_in, patterns_in, trailer_key,
};

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use gitglot_model::{CommitId, FileFormat};
use trailers::Trailer;

/// The rows of a file: the hash of the reviewed source, by key and language code.
pub(crate) type Rows = BTreeMap<Arc<str>, BTreeMap<Arc<str>, i64>>;

/// Names that people write for a key: its id, and what pages show.
pub(crate) fn names_of(format: FileFormat, id: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let shown = format.shown_key(id);
    let other = (shown != id).then_some(shown);
    std::iter::once(id.into()).chain(other)
}

/// What a log keeps of acknowledgements. Snapshots share it.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Reviewed {
    /// The rows of the file in the last mainline commit.
    pub(crate) rows: Arc<Rows>,
    /// Why the file in the last mainline commit cannot be read, or which of its rows.
    pub(crate) errors: Arc<[String]>,
    /// The last commit with trailers.
    pub(crate) last: Option<(CommitId, Arc<[Trailer]>)>,
}

impl Reviewed {
    /// Takes over the file of a mainline commit.
    pub(crate) fn take(&mut self, file: &ReviewedFile) {
        self.rows = file.rows.clone();
        self.errors = file.errors.clone().into();
    }
}
