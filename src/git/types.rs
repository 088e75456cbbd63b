//! Decoded objects.

use std::sync::Arc;

pub use gix::objs::Kind as ObjectKind;

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
