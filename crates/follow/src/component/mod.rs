//! The state of one component: its history, its advance to a new tip, replay from the ledger, and checkpoints.

mod advance;
mod carry_over;
mod checkpoint;
mod checks;
mod overtaken;
mod phase;
mod recorded;
mod replay;
mod state;
#[cfg(test)]
mod tests;

pub(super) use advance::{Advance, AdvanceInput, Advanced};
pub(super) use carry_over::carry_over;
pub(super) use checkpoint::{CheckpointStore, DueCheckpoint, write_and_index};
pub(super) use checks::FollowedChecks;
pub(super) use recorded::RecordedLog;
pub(super) use replay::{hides, unapplied_moves};
pub(super) use state::{ComponentState, Failure, LATE, Served, Source, StepId};
