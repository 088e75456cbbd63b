//! Why a state cannot be checked.

/// Most bytes of ids in all files of a state.
pub(super) const MAX_ID_BYTES: usize = 256 << 20;

/// Why a state cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum LintError {
    /// The repository cannot be read.
    #[error(transparent)]
    Git(#[from] gitglot_git::GitError),
    /// The history cannot be read.
    #[error(transparent)]
    History(#[from] gitglot_history::HistoryError),
    /// A file of the working tree cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file or directory.
        path: String,
        /// The cause.
        source: std::io::Error,
    },
    /// The files have too long ids.
    #[error(
        "the files of the component have more than {} MB of ids: shorten the names in the files, or narrow the file \
         mask",
        MAX_ID_BYTES >> 20
    )]
    TooManyIds,
    /// The work had to end.
    #[error("the work was cancelled")]
    Stopped,
    /// The repository is bare.
    #[error("the repository has no working tree: give a revision")]
    Bare,
}
