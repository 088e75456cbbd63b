//! The state of one component: its history, replay from the ledger, and checkpoints.

mod checkpoint;
mod replay;
mod state;

pub(super) use checkpoint::CheckpointStore;
pub(super) use state::{Advance, ComponentState};
