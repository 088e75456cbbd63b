//! The state of one component: its history, its advance to a new tip, replay from the ledger, and checkpoints.

mod advance;
mod checkpoint;
mod phase;
mod replay;
mod state;

pub(super) use advance::Advance;
pub(super) use checkpoint::CheckpointStore;
pub(super) use state::{ComponentState, Failure, Served, Source};
