//! The only room that knows gix: mirrors, commits, trees and blobs.
//!
//! Knows neither formats nor HTTP.
//! (Interface sketch; see the design, section 1 and engineering notes 3.3.)

use crate::model::{BlobId, CommitId, OffsetTime, TreeId};

/// What went wrong in git.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// An object that should be there is not.
    #[error("the object {0} is missing from the repository")]
    Missing(String),
}

/// An open repository, shared between threads.
#[derive(Clone, Debug)]
pub struct Repository {}

/// One thread's view of a repository, with its own caches.
#[derive(Debug)]
pub struct ObjectReader {}

/// A commit, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// Its id.
    pub id: CommitId,
    /// The root tree.
    pub tree: TreeId,
    /// Its parents, first parent first.
    pub parents: Vec<CommitId>,
    /// Who wrote it.
    pub author: Signature,
    /// Who committed it.
    pub committer: Signature,
    /// The whole message; invalid UTF-8 replaced.
    pub message: String,
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

impl Repository {
    /// A view for one thread.
    pub fn reader(&self) -> ObjectReader {
        ObjectReader {}
    }
}

impl ObjectReader {
    /// Reads a commit.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn commit(&mut self, id: CommitId) -> Result<Commit, GitError> {
        Err(GitError::Missing(id.to_string()))
    }

    /// Lists a tree, in git's own order.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn tree(&mut self, id: TreeId) -> Result<Vec<TreeEntry>, GitError> {
        Err(GitError::Missing(id.to_string()))
    }

    /// The size of a blob in bytes.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn blob_size(&mut self, id: BlobId) -> Result<u64, GitError> {
        Err(GitError::Missing(id.to_string()))
    }

    /// Reads a blob into `into`, in place of what that held.
    ///
    /// # Errors
    /// When it is missing, damaged or larger than the limit of 64 MB.
    pub fn blob(&mut self, id: BlobId, into: &mut Vec<u8>) -> Result<(), GitError> {
        into.clear();
        Err(GitError::Missing(id.to_string()))
    }
}
