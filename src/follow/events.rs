//! Notifications about polls, components and batches.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::config::ProjectConfig;
use crate::history::StepProgress;

/// Receives notifications from a follower. Components are named `project/component`.
pub trait FollowEvents: Sync {
    /// Reading the history of a component has progressed.
    fn progress(&self, component: &str, progress: StepProgress);
    /// A component is published.
    fn published(&self, component: &str);
    /// A component cannot be served.
    fn failed(&self, component: &str, reason: &str);
    /// The published state of a component may be older than its repository; `None` when it is up to date.
    fn behind(&self, component: &str, reason: Option<&str>);
    /// A poll has finished.
    fn polled(&self, _report: &PollReport<'_>) {}
    /// A component has advanced to a different tip; `rebuilt` when its existing change log was rebuilt with new ids.
    fn advanced(&self, _component: &str, _elapsed: Duration, _rebuilt: bool) {}
    /// A batch is published, this long after it was observed.
    fn batch(&self, _elapsed: Duration) {}
    /// Why no batch can be recorded in the shared ledger; `None` when that is possible again.
    fn ledger(&self, _problem: Option<&str>) {}
    /// A new configuration with these projects and repositories is in use.
    fn reconfigured(&self, _projects: &[ProjectConfig], _repositories: &BTreeSet<String>) {}
}

/// How a poll of a repository ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PollReport<'a> {
    /// The address of the repository, without credentials.
    pub repository: &'a str,
    /// The outcome.
    pub outcome: PollOutcome,
    /// Whether the poll replaced a corrupt mirror by a new clone.
    pub recloned: bool,
}

/// The outcome of a poll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PollOutcome {
    /// All branches were read.
    Success,
    /// It failed, but may succeed later without intervention.
    Transient,
    /// It fails until somebody changes the configuration or the repository.
    Permanent,
    /// The mirror is corrupt; the next poll clones it again.
    Damaged,
}

impl PollOutcome {
    /// The name in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Transient => "transient",
            Self::Permanent => "permanent",
            Self::Damaged => "damaged",
        }
    }
}
