//! A decoded commit.

use std::sync::Arc;

use crate::object::{CommitId, TreeId};
use crate::time::OffsetTime;

/// A decoded commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// The id.
    pub id: CommitId,
    /// The root tree.
    pub tree: TreeId,
    /// The parents, first parent first; none at a shallow boundary.
    pub parents: Vec<CommitId>,
    /// The author.
    pub author: Signature,
    /// The committer.
    pub committer: Signature,
    /// The whole message, with invalid UTF-8 replaced.
    pub message: String,
}

/// An author or committer line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The name as written; may be empty.
    pub name: Arc<str>,
    /// The email address as written; may be empty.
    pub email: Arc<str>,
    /// The time, with the offset of the person's clock.
    pub time: OffsetTime,
}
