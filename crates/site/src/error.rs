//! Why a site cannot be written.

use std::io;
use std::path::PathBuf;

/// Why a site cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The directory contains something that gitglot did not write.
    #[error(
        "{0} is not a file of this site: choose an empty directory, or move the file elsewhere and run the command again"
    )]
    Foreign(PathBuf),
    /// A different run writes to the directory.
    #[error("a different run writes to {0}: wait until it ends, or choose a different directory")]
    Locked(PathBuf),
    /// The file system does not distinguish two names.
    #[error(
        "{0} has the name of a different file of the site, because this file system ignores the case of letters: write \
         the site to one that does not"
    )]
    SameName(String),
    /// The list of files cannot be read.
    #[error("{0} is damaged: delete the directory of the site and run the command again")]
    Manifest(PathBuf),
    /// A file or directory cannot be read or written.
    #[error("cannot write {path}: {error}; free space or choose a different directory")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A response that cannot be a file.
    #[error("{address} cannot be published: status {status}, {body}; report this as a bug")]
    Response {
        /// Its path and query.
        address: String,
        /// The status of the response.
        status: u16,
        /// The start of the body.
        body: String,
    },
    /// Nothing was read yet.
    #[error("nothing was read from the repositories: check the messages above")]
    NoSnapshot,
    /// A part of the index or the figures cannot be written as JSON.
    #[error("cannot write the data of a page: {0}; report this as a bug")]
    Json(#[from] serde_json::Error),
    /// A thread cannot be started, or has crashed.
    #[error("cannot use a thread to write files: {0}; run the command again")]
    Thread(String),
}

impl SiteError {
    /// The error of something at a path.
    pub(crate) fn at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self::Io { path, error }
    }
}
