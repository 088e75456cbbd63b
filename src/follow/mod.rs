//! Follows repositories and publishes their state: repositories → history → ledger → catalog.
//!
//! [`pipeline`] contains the push path: poll → observe → advance → commit batch → publish. `poll` decides when a
//! repository is polled and fetches its mirror, `component` contains the state of one component, `batch` allocates ids
//! and writes the ledger, and `reload` applies a new configuration. Must not depend on HTTP: servers implement
//! [`FollowEvents`] and read the published snapshot.

mod batch;
mod component;
mod events;
mod follow_loop;
mod follower;
mod handle;
mod ledger_watch;
mod outage;
mod pipeline;
mod poll;
mod reload;
mod replica_objects;
#[cfg(test)]
mod replica_tests;
mod sources;
#[cfg(test)]
mod tests;

use crate::git::{GitError, Repository};
use crate::history::HistoryError;
use crate::ledger::LedgerError;
use crate::model::{CommitId, ComponentIndex};

pub use events::{FollowEvents, PollOutcome, PollReport};
pub use follow_loop::{FollowLoop, WatchFactory};
pub use follower::Follower;
pub use handle::FollowHandle;
pub use poll::{PollTarget, branch_state};
pub use reload::FollowConfig;
pub use sources::PublishedRepositories;

/// Why nothing can be published.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The state directory.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// Why one component cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ComponentError {
    /// Its repository.
    #[error(transparent)]
    Git(#[from] GitError),
    /// Its files.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// Any other problem with its repository, as a sentence.
    #[error("{0}")]
    Repository(String),
}

impl ComponentError {
    /// Whether objects of the mirror are missing or corrupt.
    fn is_damage(&self) -> bool {
        match self {
            Self::Git(error) => error.is_damage(),
            Self::History(error) => error.is_damage(),
            Self::Repository(_) => false,
        }
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
