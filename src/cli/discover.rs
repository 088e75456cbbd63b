//! `gitglot discover`, and the same look at a tree for the commands that serve.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;

use super::DiscoverArgs;
use super::service::Service;
use crate::catalog::Published;
use crate::config::{self, Config, ProjectConfig, RepositoryTarget, Target};
use crate::discover::{self, File};
use crate::git::{EntryKind, ObjectReader};
use crate::model::TreeId;
use crate::observe;

/// Runs the command.
///
/// # Errors
/// The reason why it cannot be done, for people.
pub(super) fn run(args: DiscoverArgs) -> anyhow::Result<ExitCode> {
    let given = args.state_dir.is_some();
    let mut config = Config::load(args.flags())?;
    observe::start_logging(config.settings.log_format, config.settings.log_level);
    let Target::Repository(target) = config.target.clone() else { anyhow::bail!("name the repository to look at") };
    let temporary = if target.repo.local_path().is_some() && !given {
        let folder = tempfile::Builder::new().prefix("gitglot-discover-").tempdir();
        let folder = folder.context("a temporary folder cannot be made")?;
        config.state_dir = folder.path().join("state");
        Some(folder)
    } else {
        None
    };
    let service = Service {
        config: &config,
        published: Arc::new(Published::new()),
        stop: Arc::new(AtomicBool::new(false)),
        following: Arc::default(),
    };
    let lock = service.ledger()?;
    let (project, _) = service.discover(&target)?;
    drop(lock);
    let text = config::to_toml(&[project]).context("the configuration cannot be written down")?;
    std::io::stdout().write_all(text.as_bytes()).context("standard output cannot be written")?;
    drop(temporary);
    Ok(ExitCode::SUCCESS)
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
