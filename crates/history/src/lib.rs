//! The state of a component at a tip and the change log that leads to it.
//!
//! Reads git and parses files; knows nothing of ids, HTTP or the disk. [`History::step`] runs the pipeline:
//! `graph` (new commits) → `files` (their language files, through renames) → `versions` (parsed contents) →
//! `reviews` (acknowledged texts) → `log` (entries) → `projection` (rows of the tip). docs/spec/change-log.md defines the rules.
//!
//! ```
//! use gitglot_model::{Component, ComponentSettings, FileFormat, FileMask, Slug};
//! use gitglot_testkit::{Repo, commit};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let history = commit("one")
//!     .write("en.json", r#"{"hello": "Hello"}"#)
//!     .write("cs.json", r#"{"hello": "Ahoj"}"#);
//! let repo = Repo::with(&folder.path().join("repo.git"), &history);
//! let (slug, mask) = (Slug::new("app").unwrap(), FileMask::new("*.json").unwrap());
//! let settings = ComponentSettings::new(slug, mask, "en.json", FileFormat::Json);
//! let repository = gitglot_git::Repository::open(repo.dir()).unwrap();
//! let tip = repo.tip("main");
//! let component = Component::new(settings);
//! let state = gitglot_history::read_tip(&component, "en", &repository, tip, gitglot_history::MAX_ID_BYTES).unwrap();
//! assert_eq!((state.sources.len(), state.translations.len()), (1, 2));
//! ```

mod changed_texts;
mod checkpoint;
pub mod component_moves;
mod error;
mod files;
mod graph;
mod history;
mod log;
mod projection;
mod reviews;
mod revision;
mod step_input;
mod string_renames;
mod tip_only;
mod versions;
mod window;

pub use changed_texts::ChangedTexts;
pub use checkpoint::SavedHistory;
pub use error::{HistoryError, MAX_ID_BYTES};
pub use files::layout::{Layouts, check_mask, layout_at};
pub use files::parts::{group_view, has_group_view, view};
pub use history::{History, StepProgress, StepSummary};
pub use log::authors::{AuthorResolver, Person, Usernames};
pub use log::origins::{Account, Accounts, platform_names};
pub use log::text_sources::SourceTimes;
pub use projection::expected::{ExpectedString, ExpectedStrings, MissingStrings, TemplateAge};
pub use projection::rows::{
    BilingualUnit, BilingualUnits, FileProblem, Projection, SourceString, TranslationState,
    UnitState,
};
pub use projection::unknown_names::UnknownNames;
pub use reviews::{
    MAX_REVIEWED_BYTES, REVIEW_TRAILER, REVIEWED_FILE, Reviewed, ReviewedFile, has_review,
    review_hash, trailer_key,
};
pub use revision::{RevisionInput, state_at, state_within};
pub use string_renames::{RenameSide, StringRename};
pub use tip_only::read_tip;

#[cfg(test)]
mod bilingual_tests;
#[cfg(test)]
mod group_tests;
#[cfg(test)]
mod growth_tests;
#[cfg(test)]
mod incremental_tests;
#[cfg(test)]
mod limit_tests;
#[cfg(test)]
mod part_tests;
#[cfg(test)]
mod plural_group_tests;
#[cfg(test)]
mod rename_tests;
#[cfg(test)]
mod testing;
