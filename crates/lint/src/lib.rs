//! Checks the translation files of one state of a repository, and compares two states
//! (`docs/spec/lint.md`).
//!
//! [`RepositoryTree`] is a state: a commit, the index or the working tree. [`ComponentFiles::at`] parses the files of
//! a component in it, [`compare`] returns the numbers and findings of a component, and [`Report`] collects them.
//! [`Gates`] decides whether a report passes, and `output` writes it.
//!
//! Must not depend on HTTP, the catalog, the configuration or the state directory.
//!
//! ```
//! use gitglot_lint::FindingKind;
//!
//! assert!(FindingKind::from_id("stale").is_some());
//! assert!(FindingKind::from_id("unknown").is_none());
//! ```

mod accelerators;
mod align;
mod bilingual;
mod bilingual_language;
mod code_comments;
mod collector;
mod compare;
mod component_check;
mod component_files;
mod context;
mod differences;
mod documents;
mod earlier;
mod error;
mod faults;
mod file;
mod finding;
mod gates;
mod groups;
mod language;
mod language_file;
mod language_run;
mod left_over;
mod listed;
mod mistyped;
#[cfg(test)]
mod monotone_tests;
mod moves;
pub mod output;
mod own_rules;
mod positions;
mod renames;
mod report;
mod restored;
mod same_unit;
mod spec;
mod stale;
mod template;
mod template_keys;
mod text_checks;
mod text_walk;
pub mod todo;
mod translated;
mod tree;
mod unit_entries;
mod use_syntax;
mod uses;

pub use collector::FileFindings;
pub use compare::{CheckedComponent, compare};
pub use component_files::{ComponentFiles, ParsedFileStore};
pub use context::{
    CheckOptions, CheckScope, FileVersion, ForbiddenText, KnownResults, SeverityRule,
};
pub use differences::{TextDifference, differences};
pub use documents::{DocumentFault, document_faults, source_document_faults};
pub use error::LintError;
pub use file::ParsedFile;
pub use finding::{Finding, FindingKey, FindingKind, Relevance, SourcePlace};
pub use gates::{GateError, GateOutcome, Gates};
pub use gitglot_checks::Severity;
pub use language_file::ParsedFileKey;
pub use moves::{ComponentChange, ComponentMoves, changes_strings, find_moves};
pub use renames::{OldKeyUse, RenamedKey};
pub use report::{
    BaseRead, ChangeCounts, ComponentReport, Counts, HistoryRead, LanguageReport, ReadState,
    Report, StaleCount,
};
pub use restored::RestoredTexts;
pub use spec::ComponentSpec;
pub use stale::{StaleHistory, StaleReference, StaleStrings};
pub use tree::{RepositoryState, RepositoryTree};
pub use uses::{KeyUse, KeyUses, SourceCode};
