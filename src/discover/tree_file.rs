//! The files of a tree, as the caller gives them.

use gitglot_model::BlobId;

/// A regular file of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeFile {
    /// The path from the repository's root.
    pub path: String,
    /// Its content.
    pub blob: BlobId,
}

/// Returns the bytes of a blob; `None` if it cannot be read.
pub type ReadBlob<'a> = &'a mut dyn FnMut(BlobId) -> Option<Vec<u8>>;
