//! Commits → steps → changes: the state of a component at a tip, and the log that leads to it.
//!
//! Reads git and formats; knows nothing of ids, HTTP or the disk.

mod projection;

pub use projection::{Person, Problem, Projection, SourceString, TranslationState, UnitState};
