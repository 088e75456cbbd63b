//! The immutable snapshot that serves every request, its indexes and its publication.
//!
//! Does no I/O and knows nothing of HTTP, and of git only the plain type `Commit`. Nothing changes a snapshot after it
//! is published; publishing is one pointer swap. Results of the modern checks are added when they are known.
//!
//! ```
//! assert_eq!(gitglot_catalog::percent(1, 3, 1000), 333, "tenths of a percent");
//! use gitglot_catalog::query::{Dialect, parse};
//! let now = gitglot_model::Timestamp::from_seconds(1_600_000_000);
//! assert!(parse("language:cs state:translated", Dialect::Current, now).is_ok());
//! assert!(parse("(language:cs", Dialect::Current, now).is_err());
//! ```

pub mod query;
pub mod scan;

mod arrivals;
mod arrived_strings;
mod background_checks;
mod check_results;
mod checked_units;
mod component;
mod contributions;
mod current;
mod current_cache;
mod current_log;
mod current_order;
mod current_rows;
mod current_state;
mod digest;
mod exact_checks;
mod ids;
mod log;
mod merged;
mod origins;
mod prepared_rows;
mod problems;
mod published;
mod recorded_source;
mod restored;
mod restricted;
mod rows;
mod snapshot;
mod source_changes;
mod statistics;
mod template_checks;
mod translation;
mod translation_builder;
mod unit_text;
mod views;

pub use arrivals::{Arrivals, StringArrival};
pub use arrived_strings::{ArrivedString, StringPart};
pub use background_checks::{
    current_checks_are_known, exact_checks_are_known, run_current_checks, run_exact_checks,
};
pub use check_results::CheckResults;
pub use component::ComponentSnapshot;
pub use contributions::{
    Contribution, LanguageContributions, by_language, contributions, platform,
};
pub use current::{Forms, current_last_entry, recent_changes};
pub use current_rows::{
    CurrentChange, CurrentRows, RowDetails, actions, component_of_current_change, has_current_log,
    read_current_log,
};
pub use current_state::CurrentState;
pub use digest::digest;
pub use exact_checks::{current_counts, exact_failures, exact_results, has_exact_results};
pub use gitglot_history::{ExpectedString, FileProblem, MissingStrings, TemplateAge};
pub use gitglot_model::percent;
pub use ids::{IdRun, IdRuns};
pub use log::{ChangeView, LogView, OnRequest};
pub use origins::origin_counts;
pub use prepared_rows::{PreparedRows, PreviousResults};
pub use problems::problems_of;
pub use published::Published;
pub use recorded_source::{RecordedSource, RecordedValue};
pub use restored::{RestoredText, restored_texts};
pub use restricted::restricted;
pub use rows::{SourceRow, UnitRow};
pub use snapshot::{ModifiedDate, Snapshot, UpdateFailures, User};
pub use statistics::{
    Count, CurrentCount, CurrentStatistics, OriginCounts, Statistics, cut_percent,
};
pub use translation::TranslationSnapshot;
pub use unit_text::push_comment;
pub use views::{SourceView, TranslationView, UnitView};

#[cfg(test)]
mod test_snapshot;
// The file names this crate as other crates do.
#[cfg(test)]
extern crate self as gitglot_catalog;
