//! Reads a component without its history (docs/spec/change-log.md#history-none).

use std::sync::Arc;

use super::error::HistoryError;
use super::files::layout::Layouts;
use super::files::parts::view;
use super::files::trees::Trees;
use super::projection::bilingual::{TipEntries, read_files};
use super::projection::rows::Projection;
use super::projection::tip::left_out;
use super::revision::{commit_files, commit_state, plan};
use super::versions::parsed::{ParsedVersion, Versions, Vocabulary};
use super::versions::read::ReadLimits;
use super::versions::read::read;
use gitglot_git::Repository;
use gitglot_model::{CommitId, Component};

/// Reads the tip of a component only: an empty log, nothing stale, no authors, at most this many bytes of ids.
///
/// # Errors
/// When the repository cannot be read, the mask matches nothing, the template is missing or does not parse, or there
/// are more bytes of ids.
pub fn read_tip(
    component: &Component,
    source_language: &str,
    repository: &Repository,
    tip: CommitId,
    id_bytes: usize,
) -> Result<Projection, HistoryError> {
    let repository = &view(repository, component);
    let mut reader = repository.reader();
    let header = reader.commit_header(tip)?;
    let layouts = Layouts::configured(component, source_language);
    let newest = layouts.newest();
    let found = newest.list(&mut reader, header.tree)?;
    let has_template = layouts.has_template();
    if has_template && !found.files.contains_key(&newest.template)
        || !has_template && found.files.is_empty()
    {
        return Err(HistoryError::no_template(component));
    }
    let template = has_template.then(|| newest.template.clone());
    let newest = Arc::new(Layouts {
        list: vec![newest.clone()],
        template_paths: template.into_iter().collect(),
        moved: Vec::new(),
    });
    let mut trees = Trees::default();
    let files = commit_files(&mut reader, &mut trees, &newest, &header, &[])?;

    let mut vocabulary = Vocabulary::default();
    let jobs = plan(&trees, &newest, std::slice::from_ref(&files));
    let format = component.file_format;
    let (mut versions, mut entries) = (Versions::default(), TipEntries::default());
    if has_template {
        let limits = ReadLimits::of_ids(id_bytes);
        versions = read(repository, format, jobs, &mut vocabulary, limits)?;
    } else {
        // Without a log, only the rows need the texts.
        let blobs = jobs.into_iter().flat_map(|job| job.blobs).collect();
        entries = read_files(repository, format, blobs, &mut vocabulary, id_bytes)?;
    }
    let version = |_, blob| {
        if entries.contains_key(&blob) {
            Some(Arc::new(ParsedVersion::without_texts(blob)))
        } else {
            versions.get(&blob)?.parsed().cloned()
        }
    };
    let state = commit_state(
        component,
        &newest,
        &mut reader,
        tip,
        &files.files,
        &trees,
        version,
    )?;
    let mut problems = left_out(&newest.newest().mask, found, &state.files);
    let projection = state.project(&mut reader, &mut vocabulary, &entries)?;
    problems.extend(projection.problems);
    Ok(Projection {
        problems,
        layouts: Arc::new(layouts),
        ..projection
    })
}
