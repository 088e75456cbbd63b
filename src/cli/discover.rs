//! `gitglot discover`, and the same look at a tree for the commands that serve.

use std::process::ExitCode;

use anyhow::Context;

use super::DiscoverArgs;
use crate::config::{ProjectConfig, RepositoryTarget};
use crate::discover::{self, File};
use crate::git::{EntryKind, ObjectReader};
use crate::model::TreeId;

/// Runs the command.
///
/// # Errors
/// The reason why it cannot be done, for people.
pub(super) fn run(_: DiscoverArgs) -> anyhow::Result<ExitCode> {
    anyhow::bail!("the command discover is not there yet")
}

/// The project that the files below `tree` make, with what the settings say of it.
///
/// # Errors
/// When the tree cannot be read ([`crate::git::GitError`]), or when its files do not fit the settings
/// ([`discover::DiscoverError`]), which does not change by trying again.
pub fn project_at(reader: &mut ObjectReader, tree: TreeId, target: &RepositoryTarget) -> anyhow::Result<ProjectConfig> {
    let listed = reader.list_files(tree, "").context("the files of the branch cannot be listed")?;
    let file = |entry: crate::git::PathEntry| match entry.kind {
        // A path that is not UTF-8 cannot be written into a mask.
        EntryKind::File(blob) => Some(File { path: String::from_utf8(entry.path.into_vec()).ok()?, blob }),
        EntryKind::Tree(_) | EntryKind::Symlink(_) | EntryKind::Submodule(_) => None,
    };
    let files: Vec<File> = listed.into_iter().filter_map(file).collect();
    let mut read = |blob| {
        let mut bytes = Vec::new();
        reader.blob(blob, &mut bytes).ok().map(|()| bytes)
    };
    Ok(discover::describe(target, &files, &mut read)?)
}
