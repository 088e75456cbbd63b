//! What can be wrong with a configuration.

use std::path::PathBuf;

/// Why a configuration cannot be used: one sentence for people.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The configuration file cannot be read.
    #[error("cannot read the configuration file {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Something in the configuration file is wrong.
    #[error("{}:{line}: {}{what}", path.display(), key_prefix(key))]
    InFile {
        /// The file.
        path: PathBuf,
        /// The line, 1-based.
        line: usize,
        /// The key, or `""` where no single key is at fault.
        key: String,
        /// What is wrong, and what to write instead.
        what: String,
    },
    /// Both a file and a repository are given.
    #[error("both REPO and a configuration file ({}) are given: leave one of them out", .0.display())]
    RepoAndFile(PathBuf),
    /// Neither a file nor a repository is given.
    #[error("nothing to read: give the URL or path of a repository, or a configuration file with --config FILE")]
    NothingToRead,
    /// A setting about one repository is given together with a file.
    #[error("{0} is for one repository: with --config, write it into the file")]
    OverrideWithFile(&'static str),
    /// The repository's address cannot be one.
    #[error("{0}")]
    Repository(String),
    /// No place is known for the state directory.
    #[error("no folder is known for what gitglot keeps, as HOME is not set: give one with --state-dir FOLDER")]
    NoStateFolder,
    /// The current folder is unknown, and a relative path is given.
    #[error("the current folder cannot be found out: {0}")]
    NoCurrentFolder(std::io::Error),
}

fn key_prefix(key: &str) -> String {
    if key.is_empty() { String::new() } else { format!("{key}: ") }
}
