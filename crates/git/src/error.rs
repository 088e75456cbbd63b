//! Errors of reading a repository on disk.

use std::path::PathBuf;

use super::types::ObjectKind;

/// An error of reading a repository on disk.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The directory is not a readable repository.
    #[error("'{}' cannot be opened as a git repository: {reason}", path.display())]
    Open {
        /// The directory.
        path: PathBuf,
        /// The reason, as gix reports it.
        reason: String,
    },
    /// The repository uses SHA-256 object ids.
    #[error(
        "'{}' uses SHA-256 object ids, which gitglot does not read: use a repository with SHA-1 object ids", .0.display()
    )]
    ObjectFormat(PathBuf),
    /// The repository lacks objects that its remote has.
    #[error(
        "'{}' is a partial clone, which lacks objects: clone it without --filter, or run 'git fetch --refetch --no-filter' in it \
         and unset extensions.partialClone and remote.NAME.promisor", .0.display()
    )]
    Partial(PathBuf),
    /// The repository stores its references in the format reftable.
    #[error(
        "'{}' stores its references as reftable, which gitglot does not read: \
         run 'git refs migrate --ref-format=files' in it", .0.display()
    )]
    RefFormat(PathBuf),
    /// An object is missing.
    #[error("the {kind} {id} is missing from the repository")]
    Missing {
        /// The expected kind.
        kind: ObjectKind,
        /// Its id.
        id: String,
    },
    /// An object is corrupt.
    #[error("the {kind} {id} cannot be read: {reason}")]
    Damaged {
        /// The expected kind.
        kind: ObjectKind,
        /// Its id.
        id: String,
        /// The reason, as gix reports it.
        reason: String,
    },
    /// The object has an unexpected kind.
    #[error("{id} should be a {expected} but is a {found}")]
    WrongKind {
        /// The id.
        id: String,
        /// The expected kind.
        expected: ObjectKind,
        /// The actual kind.
        found: ObjectKind,
    },
    /// The object exceeds the size limit.
    #[error("the {kind} {id} has {size} bytes; objects of more than 64 MB are not read")]
    TooLarge {
        /// The expected kind.
        kind: ObjectKind,
        /// Its id.
        id: String,
        /// Its size in bytes.
        size: u64,
    },
    /// The tree has too many files.
    #[error(
        "the tree {0} has too many files or directories to list: at most a million, with 256 MB of paths; use a file mask \
         with a directory that has fewer"
    )]
    TooManyFiles(String),
    /// A language has too many documents, or too much text.
    #[error(
        "a language has too many documents in {0}: at most 20,000 with 256 MB in total; use a file mask with a directory that \
         has fewer"
    )]
    LargeGroup(String),
}

impl GitError {
    /// The error of a directory that cannot be read as a repository.
    pub(super) fn open(path: impl Into<PathBuf>, reason: impl std::fmt::Display) -> Self {
        Self::Open {
            path: path.into(),
            reason: reason.to_string(),
        }
    }

    /// The same, for an error of gix.
    pub(super) fn unreadable(path: impl Into<PathBuf>, error: &gix::Error) -> Self {
        let reason = one_line(error);
        if reason.contains("\"sha256\"") && reason.contains("extensions.objectFormat") {
            return Self::ObjectFormat(path.into());
        }
        Self::open(path, reason)
    }

    /// Whether objects are missing or corrupt, so that a new clone may help.
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::Missing { .. } | Self::Damaged { .. } | Self::WrongKind { .. }
        )
    }
}

/// The maximum length of a reason in bytes: errors of gix contain unparsable input.
const MAX_BYTES: usize = 500;

/// The error and its causes in one line, without repetitions and not too long.
pub(super) fn one_line(error: &gix::Error) -> String {
    let mut text = String::new();
    for cause in error.iter_errors() {
        let cause = cause.to_string();
        let cause = cause.trim();
        if cause.is_empty() || text.contains(cause) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.extend(cause.split_whitespace().flat_map(|word| [word, " "]));
        text.truncate(text.trim_end().len());
    }
    if text.len() > MAX_BYTES {
        let start = (0..=MAX_BYTES).rev().find_map(|end| text.get(..end));
        text = format!("{}…", start.unwrap_or_default());
    }
    text
}
