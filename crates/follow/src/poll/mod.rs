//! Polling of repositories: targets, schedule and results. Must not depend on history or the ledger.

mod held_back;
mod host_limits;
mod plan;
mod repositories;
mod schedule;
mod target;
mod tracked;

pub(super) use held_back::PollBatch;
pub(super) use host_limits::{HostLimits, spread};
pub(super) use plan::{ComponentBranch, plan};
pub(super) use repositories::TrackedRepos;
pub(super) use schedule::jitter;
pub use target::{PollTarget, branch_state};
pub(super) use tracked::{Fetch, IDLE_FETCH, LONG_FETCH, Poll, PollJob, RepoIndex, TrackedRepo};
