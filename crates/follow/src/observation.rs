//! The state of a component's branch as a poll finds it, and why a component cannot be served.

use gitglot_git::{GitError, Repository};
use gitglot_history::HistoryError;
use gitglot_model::{CommitId, ComponentIndex};

/// Why one component cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ComponentError {
    /// Its repository.
    #[error(transparent)]
    Git(#[from] GitError),
    /// Its files.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A fault of this program.
    #[error(
        "an internal error occurred at commit {0}: {1}. Please report it; the component is read again at its next commit"
    )]
    Crash(CommitId, String),
    /// Any other problem with its repository, as a sentence.
    #[error("{0}")]
    Repository(String),
}

impl ComponentError {
    /// Whether objects of the mirror are missing or corrupt.
    pub(super) fn is_damage(&self) -> bool {
        match self {
            Self::Git(error) => error.is_damage(),
            Self::History(error) => error.is_damage(),
            Self::Crash(..) | Self::Repository(_) => false,
        }
    }

    /// Whether the commit is readable but nothing can be shown from it.
    pub(super) fn is_about_files(&self) -> bool {
        matches!(self, Self::History(error) if error.is_about_files())
    }
}

/// A branch of a repository and its tip.
#[derive(Clone, Debug)]
pub struct BranchState {
    /// The repository.
    pub repository: Repository,
    /// The name of the branch.
    pub branch: String,
    /// The newest commit.
    pub tip: CommitId,
}

/// The result of a poll for one component.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The component.
    pub component: ComponentIndex,
    /// Its branch, or the reason why there is none, as a sentence.
    pub state: Result<BranchState, String>,
    /// How current the tip is.
    pub freshness: Freshness,
}

/// How current an observed tip is. Replicas record only current tips: others may be older than the recorded one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// It was read from the repository just now.
    Current,
    /// It was current until another replica recorded a tip.
    Overtaken,
    /// It is from an earlier poll.
    Old,
}
