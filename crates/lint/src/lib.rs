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
mod extension;
mod faults;
mod file;
mod finding;
mod gates;
mod language;
mod language_file;
mod left_over;
mod mistyped;
#[cfg(test)]
mod monotone_tests;
mod moves;
pub mod output;
mod own_rules;
mod renames;
mod report;
mod restored;
mod same_unit;
mod stale;
mod template;
mod text_checks;
mod text_walk;
pub mod todo;
mod tree;
mod unit_entries;
mod uses;

pub use collector::FileFindings;
pub use compare::{CheckedComponent, compare};
pub use component_files::{ComponentFiles, ParsedFileStore};
pub use context::{
    CheckOptions, CheckScope, ComponentSpec, FileVersion, KnownResults, SeverityRule,
};
pub use differences::{TextDifference, differences};
pub use file::ParsedFile;
pub use finding::{Finding, FindingKey, FindingKind, Relevance, SourcePlace};
pub use gates::{GateError, GateOutcome, Gates};
pub use gitglot_checks::Severity;
pub use language_file::ParsedFileKey;
pub use moves::{ComponentChange, ComponentMoves, changes_strings, find_moves};
pub use own_rules::ForbiddenText;
pub use renames::{OldKeyUse, RenamedKey};
pub use report::{
    BaseRead, ChangeCounts, ComponentReport, Counts, HistoryRead, LanguageReport, ReadState,
    Report, StaleCount,
};
pub use restored::RestoredTexts;
pub use stale::{StaleHistory, StaleReference, StaleStrings};
pub use tree::{RepositoryState, RepositoryTree};
pub use uses::{KeyUse, KeyUses, SourceCode};

/// Most bytes of ids in all files of a state.
const MAX_ID_BYTES: usize = 256 << 20;

/// Why a state cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum LintError {
    /// The repository cannot be read.
    #[error(transparent)]
    Git(#[from] gitglot_git::GitError),
    /// The history cannot be read.
    #[error(transparent)]
    History(#[from] gitglot_history::HistoryError),
    /// A file of the working tree cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file or directory.
        path: String,
        /// The cause.
        source: std::io::Error,
    },
    /// The files have too long ids.
    #[error(
        "the files of the component have more than {} MB of ids: shorten the names in the files, or narrow the file \
         mask",
        MAX_ID_BYTES >> 20
    )]
    TooManyIds,
    /// The work had to end.
    #[error("the work was cancelled")]
    Stopped,
    /// The repository is bare.
    #[error("the repository has no working tree: give a revision")]
    Bare,
}
