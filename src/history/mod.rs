//! Commits → steps → changes: the state of a component at a tip, and the log that leads to it.
//!
//! Reads git and formats; knows nothing of ids, HTTP or the disk.

mod files;
mod fold;
mod graph;
mod keys;
mod past;
mod people;
mod projection;
mod renames;
mod step;
mod times;
mod tip;
mod trees;
mod values;
mod versions;

use std::sync::Arc;

use crate::git::{GitError, Repository};
use crate::model::{CommitId, Component, TextPool};
use files::Place;
use keys::Keys;
use tip::TipReader;

pub use people::{PLATFORMS, username};
pub use projection::{Person, Problem, Projection, SourceString, TranslationState, UnitState};

pub use step::{History, Progress, Stepped};

/// Why a component cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The repository cannot be read.
    #[error(transparent)]
    Git(GitError),
    /// The template is not in the tip's tree.
    #[error(
        "there is no file {template} at the tip of the branch {branch}: set the template to the path of the file \
         that holds the source texts"
    )]
    NoTemplate {
        /// The path that was looked for.
        template: String,
        /// The branch.
        branch: String,
    },
    /// The template cannot be read, and no older version can stand in.
    #[error("the template {template} cannot be read: {what}")]
    BrokenTemplate {
        /// Its path.
        template: String,
        /// What is wrong with it.
        what: String,
    },
    /// Not even the template matches.
    #[error("the file mask {mask} matches no file at the tip of the branch {branch}: check it with `gitglot discover`")]
    NothingMatches {
        /// The mask.
        mask: String,
        /// The branch.
        branch: String,
    },
}

/// Reads the present state of a component, without any history (`history = none`).
///
/// # Errors
/// When the repository cannot be read, the mask matches nothing, or the template is missing or does not parse.
pub fn present(
    component: &Component,
    source_language: &str,
    repository: &Repository,
    tip: CommitId,
) -> Result<Projection, HistoryError> {
    let mut reader = repository.reader();
    let tip = Arc::new(reader.commit(tip)?);
    let place = Place {
        mask: component.filemask.clone(),
        template: component.template.as_str().into(),
        template_code: source_language.into(),
    };
    let mut texts = TextPool::new();
    let mut keys = Keys::default();
    TipReader { component, reader: &mut reader, texts: &mut texts, keys: &mut keys }.read_present(&place, tip)
}
