//! A file of a state of a repository.

use std::sync::Arc;

use crate::file::WholeFile;
use gitglot_model::BlobId;

/// A file of a state.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) blob: BlobId,
    /// The content, if it is not an object of the repository.
    pub(crate) bytes: Option<Arc<Vec<u8>>>,
    /// Whether it is a file, not a link, a submodule or something else, which has no content.
    pub(crate) is_regular: bool,
    /// The file that it is a part of, if it is one.
    pub(crate) whole: Option<Arc<WholeFile>>,
}

impl SourceFile {
    /// A regular file.
    pub(crate) fn new(path: String, blob: BlobId, bytes: Option<Vec<u8>>) -> Self {
        Self {
            path,
            blob,
            bytes: bytes.map(Arc::new),
            is_regular: true,
            whole: None,
        }
    }

    pub(super) fn irregular(path: &str) -> Self {
        Self {
            is_regular: false,
            ..Self::new(path.to_owned(), BlobId([0; 20]), None)
        }
    }
}
