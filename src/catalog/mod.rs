//! The immutable snapshot that serves every request, its indexes and its publication.
//!
//! Does no I/O and knows nothing of HTTP, and of git only the plain type `Commit`. Nothing changes a snapshot after it
//! is published; publishing is one pointer swap. Results of the modern checks are added when they are first needed.

mod component;
mod ids;
mod log;
mod merged;
mod modern;
mod published;
mod rows;
mod snapshot;
mod statistics;
mod unit_text;
mod views;

pub use crate::history::FileProblem;
pub use component::{ComponentSnapshot, Ids, PreviousResults, TranslationSnapshot};
pub use ids::{IdRun, IdRuns};
pub use log::{ChangeView, LogView};
pub use modern::ModernFailures;
pub use published::Published;
pub use rows::{SourceRow, UnitRow};
pub use snapshot::{Snapshot, UpdateFailures, User};
pub use statistics::{Count, Statistics, percent};
pub use unit_text::{push_comment, signed_hash, words};
pub use views::{SourceView, TranslationView, UnitView};
