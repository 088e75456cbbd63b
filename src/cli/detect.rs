//! Detects the project in a commit of a repository: joins `git` and `discover`.

use std::sync::Arc;

use anyhow::Context;

use crate::config::RepositoryTarget;
use crate::discover::{self, BrokenComponents, TreeFile};
use gitglot_follow::{BranchState, ProjectConfig};
use gitglot_git::{ObjectReader, PathEntry};
use gitglot_model::{BlobId, CommitId};

/// Detects the project in a commit; the settings of `target` win over detection. Logs what is left out.
///
/// # Errors
/// When the commit cannot be read ([`gitglot_git::GitError`]), or when its files do not match the settings
/// ([`discover::DiscoverError`]), which a retry cannot fix.
pub(super) fn project_at(
    state: &BranchState,
    target: &RepositoryTarget,
) -> anyhow::Result<ProjectConfig> {
    let mut reader = state.repository.reader();
    let files = files_at(&mut reader, state.tip)?;
    let broken = BrokenComponents::LeaveOut;
    let described = discover::describe(target, &files, broken, &mut blobs(&mut reader))?;
    for line in discover::unread_lines(&described.left_out) {
        tracing::warn!("not part of the project: {line}");
    }
    Ok(described.project)
}

/// The files of a commit. A mask cannot contain a path that is not UTF-8, so these are left out.
pub(super) fn files_at(
    reader: &mut ObjectReader,
    commit: CommitId,
) -> anyhow::Result<Vec<TreeFile>> {
    let tree = reader.commit_header(commit)?.tree;
    let listed = reader
        .list_files(tree, "")
        .context("cannot list the files of the branch")?;
    Ok(listed.into_iter().filter_map(file).collect())
}

/// Reads the blobs that detection asks for.
pub(super) fn blobs(reader: &mut ObjectReader) -> impl FnMut(BlobId) -> Option<Vec<u8>> {
    |blob| reader.blob(blob).ok().map(Arc::unwrap_or_clone)
}

/// A regular file of a listing.
pub(super) fn file(entry: PathEntry) -> Option<TreeFile> {
    let blob = entry.kind.file()?;
    let path = String::from_utf8(entry.path.into_vec()).ok()?;
    Some(TreeFile { path, blob })
}
