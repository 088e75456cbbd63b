//! Reads a component without its history (docs/spec/change-log.md#history-none).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::error::HistoryError;
use super::files::layout::{Layouts, ListedFile};
use super::projection::rows::Projection;
use super::projection::tip::{CommitState, TipFile, left_out, one_per_language, why_unreadable};
use super::versions::parsed::Vocabulary;
use super::versions::read::{ReadJob, read};
use crate::formats;
use crate::git::Repository;
use crate::language;
use crate::model::{BlobId, CommitId, Component, LineageId};

/// Reads the tip of a component only: an empty log, nothing stale, no authors.
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
    let file_format = component.file_format;
    let format = formats::reader(file_format);
    let tip = Arc::new(reader.commit(tip)?);
    let layouts = Arc::new(Layouts::configured(component, source_language));
    let template_path = &layouts.newest().template;
    let found = layouts.newest().list(&mut reader, tip.tree)?;
    layouts.newest().check_clash(&found)?;
    let template = found.files.get(template_path);
    let template = template.ok_or_else(|| HistoryError::no_template(component))?;
    let template = template.blob;
    let files = one_per_language(&found.files, template_path);

    let mut vocabulary = Vocabulary::default();
    let jobs = plan(&files, template_path);
    let versions = read(repository, file_format, jobs, &mut vocabulary, &|| {})?;
    let version = |blob| versions.get(&blob)?.parsed().cloned();
    let Some(template) = version(template) else {
        return Err(HistoryError::broken_template(
            component,
            why_unreadable(&mut reader, format, template),
        ));
    };
    let files = files.into_iter().zip(0..);
    let files = files.map(|((path, file), index)| TipFile {
        path: path.clone(),
        file: file.clone(),
        lineage: LineageId(index),
        version: version(file.blob),
    });
    let files: Vec<TipFile> = files.collect();
    let mut problems = left_out(found, &files);
    let state = CommitState {
        component,
        commit: tip,
        template,
        template_path,
        files,
        layouts: layouts.clone(),
    };
    let projection = state.project(&mut reader, &mut vocabulary);
    problems.extend(projection.problems);
    Ok(Projection {
        problems,
        ..projection
    })
}

/// One job for each distinct file.
fn plan(files: &[(&Arc<str>, &ListedFile)], template_path: &str) -> Vec<ReadJob> {
    let mut jobs: FxHashMap<BlobId, ReadJob> = FxHashMap::default();
    for (path, file) in files {
        let job = jobs.entry(file.blob).or_insert_with(|| ReadJob {
            blobs: vec![file.blob],
            is_template: false,
            single_form: language::has_single_form(&file.code),
        });
        job.is_template |= ***path == *template_path;
    }
    jobs.into_values().collect()
}
