//! What can go wrong with objects that are on disk.

use std::path::PathBuf;

/// The kinds of git objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A commit.
    Commit,
    /// A folder.
    Tree,
    /// A file's content.
    Blob,
    /// An annotated tag.
    Tag,
}

impl std::fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Commit => "commit",
            Self::Tree => "tree",
            Self::Blob => "blob",
            Self::Tag => "tag",
        })
    }
}

impl From<gix::objs::Kind> for ObjectKind {
    fn from(kind: gix::objs::Kind) -> Self {
        match kind {
            gix::objs::Kind::Commit => Self::Commit,
            gix::objs::Kind::Tree => Self::Tree,
            gix::objs::Kind::Blob => Self::Blob,
            gix::objs::Kind::Tag => Self::Tag,
        }
    }
}

/// What went wrong while reading a repository on this disk.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The folder cannot be opened as a repository.
    #[error("'{}' cannot be opened as a git repository: {reason}", path.display())]
    Open {
        /// The folder.
        path: PathBuf,
        /// Why, in gix's words.
        reason: String,
    },
    /// The repository names its objects by SHA-256.
    #[error("'{}' uses SHA-256 object ids; only SHA-1 repositories can be read", .0.display())]
    ObjectFormat(PathBuf),
    /// An object that should be there is not.
    #[error("the {kind} {id} is missing from the repository")]
    Missing {
        /// What was looked for.
        kind: ObjectKind,
        /// Its id.
        id: String,
    },
    /// An object is there but cannot be read.
    #[error("the {kind} {id} cannot be read: {reason}")]
    Damaged {
        /// What was looked for.
        kind: ObjectKind,
        /// Its id.
        id: String,
        /// Why, in gix's words.
        reason: String,
    },
    /// The id names an object of another kind.
    #[error("{id} should be a {expected} but is a {found}")]
    WrongKind {
        /// The id.
        id: String,
        /// What was looked for.
        expected: ObjectKind,
        /// What is there.
        found: ObjectKind,
    },
    /// An object is larger than what is read.
    #[error("the {kind} {id} has {size} bytes; what has more than 64 MB is not read")]
    TooLarge {
        /// What was looked for.
        kind: ObjectKind,
        /// Its id.
        id: String,
        /// Its size in bytes.
        size: u64,
    },
    /// A tree holds more files than what is listed.
    #[error("the tree {0} holds too many files to be listed")]
    TooManyFiles(String),
}

impl GitError {
    /// Whether the objects on disk are incomplete or broken, so that a fresh copy of the
    /// repository may help.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Missing { .. } | Self::Damaged { .. } | Self::WrongKind { .. })
    }
}

/// The whole chain of an error's causes in one line, without repeating itself.
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
    text
}
