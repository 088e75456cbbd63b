//! Commits → steps → changes: the state of a component at a tip, and the log that leads to it.
//!
//! Reads git and formats; knows nothing of ids, HTTP or the disk.

mod checkpoint;
mod draft;
mod elders;
mod files;
mod fold;
mod graph;
mod jobs;
mod keys;
mod listings;
mod past;
mod people;
mod projection;
mod renames;
mod shown;
mod step;
mod takes;
mod times;
mod tip;
mod trees;
mod values;
mod versions;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::formats;
use crate::git::{GitError, Repository};
use crate::model::{BlobId, CommitId, Component, LineageId, Timestamp};
use files::Place;
use tip::{Served, one_per_language, what_is_wrong};
use versions::{Job, Version, Vocabulary};

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

impl HistoryError {
    /// Whether the repository's objects on disk are incomplete or broken.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Git(error) if error.is_damage())
    }
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
    let format = formats::reader(component.file_format);
    let tip = Arc::new(reader.commit(tip)?);
    let place = Place {
        mask: component.filemask.clone(),
        template: component.template.as_str().into(),
        template_code: source_language.into(),
    };
    let found = place.list(&mut reader, tip.tree)?;
    let mut problems: Vec<_> = found.odd.into_iter().map(|(path, what)| Problem::left_out(path, what)).collect();
    let template = found.files.get(&place.template).map(|file| file.blob).ok_or_else(|| no_template(component))?;
    let files = one_per_language(found.files, &place.template, &mut problems);
    let mut jobs: FxHashMap<BlobId, Job> = FxHashMap::default();
    for (path, file) in &files {
        let job = jobs.entry(file.blob).or_insert_with(|| Job { blobs: vec![file.blob], is_template: false });
        job.is_template |= *path == place.template;
    }
    let mut vocabulary = Vocabulary::default();
    let versions = versions::read(repository, format, jobs.into_values().collect(), &mut vocabulary, &|| {})?;
    let good = |blob| match versions.get(&blob) {
        Some(Version::Good(good)) => Some(good.clone()),
        _ => None,
    };
    let Some(template) = good(template) else {
        return Err(broken_template(component, what_is_wrong(&mut reader, format, template)));
    };
    // Nothing is known of before the tip, so each string is as old as that.
    let since = Timestamp::from_seconds(tip.committer.time.seconds);
    let sources = tip::sources(&template, &vocabulary.keys).into_iter();
    let sources: Arc<[SourceString]> = sources.map(|source| SourceString { since, ..source }).collect();
    let mut translations = Vec::with_capacity(files.len());
    for (at, (path, file)) in files.into_iter().enumerate() {
        let is_template = path == place.template;
        let good = good(file.blob);
        let served = Served { path, file, lineage: LineageId(at as u16), good };
        problems.extend(served.problem(&mut reader, format));
        translations.push(Arc::new(served.rows(&sources, is_template)));
    }
    Ok(Projection {
        texts: vocabulary.texts.freeze(),
        tip,
        template_blob: template.blob,
        sources,
        translations,
        problems,
        log: Arc::default(),
        people: Arc::new([]),
    })
}

fn no_template(component: &Component) -> HistoryError {
    HistoryError::NoTemplate { template: component.template.clone(), branch: component.branch.clone() }
}

fn broken_template(component: &Component, what: String) -> HistoryError {
    HistoryError::BrokenTemplate { template: component.template.clone(), what }
}
