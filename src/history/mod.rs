//! The state of a component at a tip and the change log that leads to it.
//!
//! Reads git and parses files; knows nothing of ids, HTTP or the disk. [`History::step`] runs the pipeline:
//! `graph` (new commits) → `files` (their language files, through renames) → `versions` (parsed contents) → `log`
//! (entries) → `projection` (rows of the tip). docs/spec/change-log.md defines the rules.

mod checkpoint;
mod error;
mod files;
mod graph;
#[expect(clippy::module_inception, reason = "the main type of this module")]
mod history;
mod log;
mod present;
mod projection;
mod revision;
mod step_input;
mod versions;

pub use checkpoint::SavedHistory;
pub use error::HistoryError;
pub use files::layout::{Layouts, layout_at};
pub use history::{History, StepProgress, StepSummary};
pub use log::authors::{PLATFORMS, Person, username};
pub use present::present;
pub use projection::rows::{FileProblem, Projection, SourceString, TranslationState, UnitState};
pub use revision::{RevisionInput, state_at};
