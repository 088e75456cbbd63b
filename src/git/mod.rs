//! The only room that knows gix: mirrors, commits, trees and blobs.
//!
//! A [`Mirror`] follows the branches of one [`Source`] into the state directory. Reading goes through
//! [`Repository`] (shared between threads) and [`ObjectReader`] (one per thread, with caches).
//! Knows neither formats nor HTTP.

mod commit;
mod error;
mod fast_import;
mod mirror;
mod objects;
mod refs;
#[cfg(test)]
mod test_support;
mod transport;

pub use commit::mailmap::Mailmap;
pub use error::{GitError, ObjectKind};
pub use fast_import::{ImportError, Imported, fast_import};
pub use mirror::mirror::{Lost, Mirror, Tip};
pub use objects::reader::{OBJECT_LIMIT, ObjectReader};
pub use objects::repository::Repository;
pub use refs::branch::{Branch, BranchChange, BranchNameError, FollowedBranch, MissingBranch};
pub use refs::watch::{RefWatch, WatchError};
pub use transport::credentials::{Access, Timeouts, Token};
pub use transport::error::{FetchError, Problem};
pub use transport::progress::{Phase, Progress, Watch};
pub use transport::source::{LocalGitDir, ParseSourceError, Source};

use crate::model::{BlobId, CommitId, OffsetTime, TreeId};

/// A commit, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// Its id.
    pub id: CommitId,
    /// The root tree.
    pub tree: TreeId,
    /// Its parents, first parent first; none at the boundary of a shallow repository.
    pub parents: Vec<CommitId>,
    /// Who wrote it.
    pub author: Signature,
    /// Who committed it.
    pub committer: Signature,
    /// The whole message; invalid UTF-8 replaced.
    pub message: String,
}

/// What a walk over commits needs of each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommitHeader {
    /// The root tree.
    pub tree: TreeId,
    /// Its parents, first parent first; none at the boundary of a shallow repository.
    pub parents: Vec<CommitId>,
    /// When it was committed, in seconds since 1970-01-01T00:00:00Z; 0 when that cannot be read.
    pub committed: i64,
}

/// A person at a time, as a commit names them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The name as written, may be empty.
    pub name: String,
    /// The mail address as written, may be empty.
    pub email: String,
    /// When, with the offset of the person's clock.
    pub time: OffsetTime,
}

/// What a name in a tree stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EntryKind {
    /// A folder.
    Tree(TreeId),
    /// A file.
    File(BlobId),
    /// A symbolic link.
    Symlink(BlobId),
    /// Another repository.
    Submodule(CommitId),
}

/// A name in a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeEntry {
    /// The name, in the tree's own order; not always UTF-8.
    pub name: Box<[u8]>,
    /// What it stands for.
    pub kind: EntryKind,
}

/// A file, link or submodule anywhere below a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathEntry {
    /// The path from the root tree, parts joined by `/`; not always UTF-8.
    pub path: Box<[u8]>,
    /// What it stands for, never a folder.
    pub kind: EntryKind,
}
