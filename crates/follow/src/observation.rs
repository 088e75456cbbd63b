//! The state of a component's branch as a poll finds it, and why a component cannot be served.

use std::sync::Arc;

use gitglot_git::{BranchNameError, GitError, ParseSourceError, Repository};
use gitglot_history::HistoryError;
use gitglot_ledger::LedgerError;
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
    /// Its branch.
    #[error(transparent)]
    Branch(#[from] BranchError),
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
            Self::Branch(_) | Self::Crash(..) | Self::Repository(_) => false,
        }
    }

    /// Whether the commit is readable but nothing can be shown from it.
    pub(super) fn is_about_files(&self) -> bool {
        matches!(self, Self::History(error) if error.is_about_files())
    }
}

/// Why the state of a branch is not known.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BranchError {
    /// Its name is invalid.
    #[error(transparent)]
    Name(#[from] BranchNameError),
    /// The address of its repository is invalid.
    #[error(transparent)]
    Address(#[from] ParseSourceError),
    /// The poll failed, with the reason, and no earlier one succeeded.
    #[error("{0}")]
    Poll(String),
    /// The poll did not find it.
    #[error("the repository has no such branch, or no commits")]
    Missing,
    /// The mirror cannot be read.
    #[error(transparent)]
    Git(Arc<GitError>),
    /// The shared ledger, which is the only source, cannot be read.
    #[error(transparent)]
    Ledger(Arc<LedgerError>),
    /// The shared ledger, which is the only source, has no moves of the component.
    #[error("the shared ledger does not contain it with these settings")]
    NotRecorded,
    /// The last move in the shared ledger is invalid.
    #[error("the recorded tip is invalid")]
    InvalidTip,
    /// The objects of other replicas cannot be read.
    #[error("the ledger is not shared")]
    NotShared,
}

impl From<GitError> for BranchError {
    fn from(error: GitError) -> Self {
        Self::Git(Arc::new(error))
    }
}

impl From<LedgerError> for BranchError {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(Arc::new(error))
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
    /// Its branch, or the reason why there is none.
    pub state: Result<BranchState, BranchError>,
    /// How current the tip is.
    pub freshness: Freshness,
}

impl Observation {
    /// One that was not read from the repository just now.
    pub(crate) fn old(component: ComponentIndex, state: Result<BranchState, BranchError>) -> Self {
        Self {
            component,
            state,
            freshness: Freshness::Old,
        }
    }

    /// Whether the mirror was cloned again.
    pub(super) fn is_recloned(&self) -> bool {
        let state = self.state.as_ref();
        state.is_ok_and(|state| state.repository.is_recloned())
    }
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
