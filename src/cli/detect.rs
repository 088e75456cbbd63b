//! Detects the project in a tree of a repository: joins `git` and `discover`.

use std::sync::Arc;

use anyhow::Context;

use crate::config::{ProjectConfig, RepositoryTarget};
use crate::discover::{self, TreeFile};
use crate::git::{EntryKind, ObjectReader, PathEntry};
use crate::model::TreeId;

/// Detects the project in `tree`; the settings of `target` win over detection.
///
/// # Errors
/// When the tree cannot be read ([`crate::git::GitError`]), or when its files do not match the settings
/// ([`discover::DiscoverError`]), which a retry cannot fix.
pub fn project_at(
    reader: &mut ObjectReader,
    tree: TreeId,
    target: &RepositoryTarget,
) -> anyhow::Result<ProjectConfig> {
    let files = list_files(reader, tree)?;
    let mut read = |blob| reader.blob(blob).ok().map(Arc::unwrap_or_clone);
    Ok(discover::describe(target, &files, &mut read)?)
}

/// The files of a tree. A mask cannot contain a path that is not UTF-8, so these are left out.
pub(super) fn list_files(reader: &mut ObjectReader, tree: TreeId) -> anyhow::Result<Vec<TreeFile>> {
    let listed = reader
        .list_files(tree, "")
        .context("cannot list the files of the branch")?;
    Ok(listed.into_iter().filter_map(file).collect())
}

/// A regular file of a listing.
pub(super) fn file(entry: PathEntry) -> Option<TreeFile> {
    match entry.kind {
        EntryKind::File(blob) => Some(TreeFile {
            path: String::from_utf8(entry.path.into_vec()).ok()?,
            blob,
        }),
        EntryKind::Tree(_) | EntryKind::Symlink(_) | EntryKind::Submodule(_) => None,
    }
}
