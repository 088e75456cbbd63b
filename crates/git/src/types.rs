//! Decoded objects.

pub use gix::objs::Kind as ObjectKind;

use gitglot_model::{BlobId, CommitId, TreeId};

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

impl EntryKind {
    /// The blob of a file.
    pub fn file(self) -> Option<BlobId> {
        match self {
            Self::File(blob) => Some(blob),
            _ => None,
        }
    }
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
