//! Errors of the configuration.

use std::io;
use std::path::{Path, PathBuf};

/// Why a configuration is invalid: one sentence that names the next step.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The configuration file cannot be read.
    #[error("cannot read the configuration file {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// The directory of the configuration has no file.
    #[error("the directory has no configuration file: add one that ends with .toml")]
    EmptyDirectory,
    /// The configuration file contains an error.
    #[error("{}:{line}: {}{problem}", path.display(), key_prefix(key))]
    InFile {
        /// The file.
        path: PathBuf,
        /// The line, 1-based.
        line: usize,
        /// The key, or `""` if the error concerns no single key.
        key: String,
        /// The problem and how to fix it.
        problem: String,
    },
    /// Both a file and a repository are given.
    #[error("both REPO and a configuration file ({}) are given: remove one of them", .0.display())]
    RepoAndFile(PathBuf),
    /// Neither a file nor a repository is given, and the current directory is not in a repository.
    #[error(
        "nothing to read: the current directory is not in a git repository; give the URL or path of one, or a \
         configuration file with --config FILE"
    )]
    NoSource,
    /// A setting for a single repository is given together with a file.
    #[error("--{0} applies to a single repository: with --config, set it in the file")]
    OverrideWithFile(String),
    /// Only one of certificate and key is given.
    #[error("{0} is not set: TLS needs both tls-cert and tls-key")]
    IncompleteTls(&'static str),
    /// Nothing can be served: the repositories are not followed, and there is no shared ledger or no file.
    #[error(
        "follow is false: this requires a shared ledger (--ledger) and projects in a configuration file (--config)"
    )]
    NothingToFollow,
    /// The address of the repository is invalid.
    #[error("{0}")]
    Repository(String),
    /// The name of a repository at a host is given instead of its URL.
    #[error("there is no directory {0}: for the repository at GitHub, give https://github.com/{0}")]
    ShortName(String),
    /// No default state directory exists.
    #[error(
        "the default state directory is unknown because HOME is not set: choose one with --state-dir DIR"
    )]
    NoStateFolder,
    /// The current directory is unknown, and a relative path is given.
    #[error("cannot determine the current directory: {0}")]
    NoCurrentFolder(io::Error),
}

impl ConfigError {
    /// The error for a file that cannot be read.
    pub(super) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Unreadable { path, source }
    }
}

fn key_prefix(key: &str) -> String {
    if key.is_empty() {
        String::new()
    } else {
        format!("{key}: ")
    }
}
