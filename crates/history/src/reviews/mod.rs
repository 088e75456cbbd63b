//! Acknowledged translations: stale texts that a commit says are right (docs/spec/change-log.md#acknowledged-translations).
//!
//! `trailers` and `file` parse the two ways to say so, `read` collects them for the commits of a step and reads the versions of
//! the file when `apply` needs them, `apply` makes entries of those of one commit, and `unknown` finds names that mean
//! nothing. [`Reviewed`] is what a log keeps of them. Only `read` reads the repository.

mod apply;
mod file;
mod read;
#[cfg(test)]
mod tests;
mod trailers;
mod unknown;

pub use file::{MAX_BYTES as MAX_REVIEWED_BYTES, REVIEWED_FILE, ReviewedFile, review_hash};
pub use read::{CommitReviews, LastFiles, blob_of, read};
pub use trailers::{REVIEW_TRAILER, has_review, trailer_key};

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use gitglot_model::{CommitId, FileFormat};
use trailers::Trailer;

/// The rows of a file: the hash of the reviewed source, by key and language code.
pub(crate) type Rows = BTreeMap<Arc<str>, BTreeMap<Arc<str>, i64>>;

/// Names that people write for a key: its id, and what pages show.
fn names_of(format: FileFormat, id: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let shown = format.shown_key(id);
    let other = (shown != id).then_some(shown);
    std::iter::once(id.into()).chain(other)
}

/// What a log keeps of acknowledgements.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Reviewed {
    /// The rows of the file in the last mainline commit.
    rows: Rows,
    /// Why the file in the last mainline commit cannot be read, or which of its rows.
    errors: Arc<[String]>,
    /// The last commit with trailers.
    last: Option<(CommitId, Vec<Trailer>)>,
}
