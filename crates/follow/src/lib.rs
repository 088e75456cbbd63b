//! Follows repositories and publishes their state: repositories → history → ledger → catalog.
//!
//! [`pipeline`] contains the push path: poll → observe → advance → commit batch → publish. `poll` decides when a
//! repository is polled and fetches its mirror, `ingest` makes one batch of what was observed, `steps` runs its steps, `replica` does so for a
//! ledger that replicas share, `component` contains the state of one component, `batch` allocates ids and writes the
//! ledger, and `reload` applies a new configuration. Must not depend on HTTP: servers implement [`FollowEvents`] and read
//! the published snapshot.
//!
//! ```
//! use std::path::Path;
//!
//! let address = "https://user:secret@host.example/a.git";
//! let address = gitglot_follow::RepoAddress::parse(address, Path::new("/")).unwrap();
//! assert_eq!(address.to_string(), "https://host.example/a.git");
//! ```

mod background_checkpoints;
mod background_checks;
mod batch;
#[cfg(test)]
mod bilingual_site_tests;
#[cfg(test)]
mod check_parity_tests;
mod component;
mod events;
mod followed_components;
mod followed_manifests;
#[cfg(test)]
mod growth_tests;
mod handle;
#[cfg(test)]
mod hostile_tests;
mod id_limit;
mod ingest;
mod known_users;
#[cfg(test)]
mod late_step_tests;
mod lookup;
mod moved_strings;
mod observation;
mod outage;
mod paused_hosts;
mod pipeline;
mod poll;
mod poll_loop;
mod project;
#[cfg(test)]
mod random_tests;
mod reload;
mod replica;
#[cfg(test)]
mod replica_fault_tests;
#[cfg(test)]
mod replica_late_tests;
mod replica_objects;
#[cfg(test)]
mod replica_race_tests;
#[cfg(test)]
mod replica_tests;
mod sources;
mod steps;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod unusable_tip_tests;

pub use events::{FollowEvents, LedgerProblem, PollOutcome, PollReport};
pub use followed_components::FollowedComponents;
pub use handle::FollowHandle;
pub use observation::{BranchError, BranchState, ComponentError, Freshness, Observation};
pub use outage::OutageLog;
pub use poll::{PollTarget, branch_state};
pub use poll_loop::{PollLoop, WatchFactory};
pub use project::{
    ComponentConfig, ComponentNames, FollowConfig, HistoryMode, ProjectConfig, RepoAccess,
    RepoAddress, RepoAddressError, Secret, each_component,
};
pub use sources::PublishedRepositories;
