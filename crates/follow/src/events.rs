//! Notifications about polls, components and batches.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::project::ProjectConfig;

/// Receives notifications from the poll loop. Components are named `project/component`.
pub trait FollowEvents: Sync {
    /// A component is published.
    fn published(&self, component: &str);
    /// A component cannot be served.
    fn failed(&self, component: &str, reason: &str);
    /// The published state of a component may be older than its repository; `None` when it is up to date.
    fn behind(&self, component: &str, reason: Option<&str>);
    /// The reports on components above are complete for now.
    fn reported(&self) {}
    /// A poll has finished.
    fn polled(&self, _report: &PollReport<'_>) {}
    /// A component has advanced to a different tip; `rebuilt` when its existing change log was rebuilt with new ids.
    fn advanced(&self, _component: &str, _elapsed: Duration, _rebuilt: bool) {}
    /// A batch is published, this long after it was observed.
    fn batch(&self, _elapsed: Duration) {}
    /// The shared ledger has a problem, with the reason; `None` when it has not (any more).
    fn ledger(&self, _problem: LedgerProblem, _reason: Option<&str>) {}
    /// A new configuration with these projects and repositories is in use.
    fn reconfigured(&self, _projects: &[ProjectConfig], _repositories: &BTreeSet<String>) {}
}

/// A kind of problem with the shared ledger. Source: `docs/spec/ids-and-ledger.md#problems`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LedgerProblem {
    /// It cannot be read or written at the moment.
    Unavailable,
    /// A newer gitglot writes it.
    Newer,
    /// It lacks git objects that this replica needs.
    Incomplete,
    /// It lost batches, or they are corrupt.
    Damaged,
}

impl LedgerProblem {
    /// All kinds.
    pub const ALL: [Self; 4] = [
        Self::Unavailable,
        Self::Newer,
        Self::Incomplete,
        Self::Damaged,
    ];

    /// The name in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Newer => "newer",
            Self::Incomplete => "incomplete",
            Self::Damaged => "damaged",
        }
    }

    /// Whether a replica with this problem must not get requests.
    pub fn is_fatal(self) -> bool {
        matches!(self, Self::Incomplete | Self::Damaged)
    }
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
    /// Whether the references of the repository are known to be those of the last poll.
    pub unchanged: bool,
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
