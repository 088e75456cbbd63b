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
mod observation;
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

pub use events::{FollowEvents, PollOutcome, PollReport};
pub use follow_loop::{FollowLoop, WatchFactory};
pub use follower::Follower;
pub use handle::FollowHandle;
pub use observation::{BranchState, ComponentError, Freshness, Observation};
pub use poll::{PollTarget, branch_state};
pub use reload::FollowConfig;
pub use sources::PublishedRepositories;
