//! Mirrors, commits, trees and blobs. The only module that uses gix.
//!
//! A [`Mirror`] tracks the branches of one [`RepositorySource`] in the state directory. [`Repository`] (shared between
//! threads) and [`ObjectReader`] (one per thread, with caches) read objects. Must not depend on formats or HTTP.

mod commit;
mod error;
mod fast_import;
mod mirror;
mod objects;
mod refs;
#[cfg(test)]
pub(crate) mod test_support;
mod transport;

pub use commit::mailmap::Mailmap;
pub use error::{GitError, ObjectKind};
pub use fast_import::{ImportError, Imported, fast_import};
pub use mirror::mirror::{Lost, Mirror, Tip};
pub use objects::checkout::{Completeness, Head, RevisionError, blob_id};
pub use objects::exchange::{ObjectExchange, PackedObjects};
pub use objects::reader::{OBJECT_LIMIT, ObjectReader};
pub use objects::repository::Repository;
pub use refs::branch::{Branch, BranchChange, BranchNameError, FollowedBranch, MissingBranch};
pub use refs::named::{FoundRevision, find_named, named_commits};
pub use refs::watch::{RefWatch, WatchError};
pub use transport::credentials::{RepositoryAccess, Timeouts, TokenLocation};
pub use transport::error::{FetchError, FetchProblem};
pub use transport::progress::{FetchPhase, FetchProgress, Watch};
pub use transport::source::{LocalGitDir, ParseSourceError, RepositorySource};

use std::sync::Arc;

use crate::model::{BlobId, CommitId, OffsetTime, TreeId};

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

/// The parts of a commit that a history walk needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommitHeader {
    /// The root tree.
    pub tree: TreeId,
    /// The parents, first parent first; none at a shallow boundary.
    pub parents: Vec<CommitId>,
    /// The commit time in seconds since 1970-01-01T00:00:00Z; 0 when it is malformed.
    pub committed: i64,
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

/// The object of a tree entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EntryKind {
    /// A directory.
    Tree(TreeId),
    /// A file.
    File(BlobId),
    /// A symbolic link.
    Symlink(BlobId),
    /// A submodule commit.
    Submodule(CommitId),
}

/// A tree entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeEntry {
    /// The name; may be invalid UTF-8.
    pub name: Box<[u8]>,
    /// The object.
    pub kind: EntryKind,
}

/// A file, symbolic link or submodule anywhere in a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathEntry {
    /// The path from the root tree, joined by `/`; may be invalid UTF-8.
    pub path: Box<[u8]>,
    /// The object; never a directory.
    pub kind: EntryKind,
}
