//! The state of a component at any commit (docs/spec/revisions.md).
//!
//! `lineage` finds the last mainline commit before a commit, `written_for` replays the log up to it, `branch_changes`
//! adds the commits after it, and `state` reads the files and builds the rows. Reads the repository and a log that is
//! complete; changes neither.

mod branch_changes;
mod lineage;
mod state;
mod written_for;

pub use state::{RevisionInput, state_at, state_within};
pub(super) use state::{commit_files, commit_state, plan};
