//! The state of a component at any commit (docs/spec/revisions.md).
//!
//! `lineage` finds the last mainline commit before a commit, `branch` reads the files of the commits after it,
//! `written_for` replays the log up to it, `branch_changes` adds the texts of the commits after it, and `state` builds
//! the rows. Reads the repository and a log that is
//! complete; changes neither.

mod branch;
mod branch_changes;
mod lineage;
mod state;
mod written_for;

pub use branch::RevisionInput;
pub(super) use branch::{commit_files, plan};
pub(super) use state::commit_state;
pub use state::{state_at, state_within};
