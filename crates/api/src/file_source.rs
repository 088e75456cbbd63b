//! The interface that downloads read from. `cli` provides the implementation.

use gitglot_model::{BlobId, CommitId, ComponentId};

/// A file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// The repository has no such file.
    #[error("there is no such file in the repository")]
    Missing,
    /// The repository cannot be read.
    #[error("the repository cannot be read: {0}")]
    Unreadable(String),
}

/// Reads files of a component's repository. Called outside the async threads, so it may block.
pub trait FileSource: Send + Sync {
    /// The bytes of a blob.
    ///
    /// # Errors
    /// If it does not exist or cannot be read.
    fn blob(&self, component: ComponentId, blob: BlobId) -> Result<Vec<u8>, FileError>;

    /// The bytes of a file at a commit; `path` starts at the root of the repository.
    ///
    /// # Errors
    /// If it does not exist or cannot be read.
    fn at_path(
        &self,
        component: ComponentId,
        commit: CommitId,
        path: &str,
    ) -> Result<Vec<u8>, FileError>;
}

/// A source without files, for the OpenAPI document and tests.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoFiles;

impl FileSource for NoFiles {
    fn blob(&self, _: ComponentId, _: BlobId) -> Result<Vec<u8>, FileError> {
        Err(FileError::Missing)
    }

    fn at_path(&self, _: ComponentId, _: CommitId, _: &str) -> Result<Vec<u8>, FileError> {
        Err(FileError::Missing)
    }
}
