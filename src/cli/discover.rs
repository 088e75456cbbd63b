//! `gitglot discover`.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;

use super::DiscoverArgs;
use super::detect::list_files;
use super::output;
use super::service::{FollowService, temporary_state};
use crate::config::{self, Config, ProjectConfig, RepositoryTarget, Target};
use crate::discover::{self, DiscoverReport};
use crate::follow::branch_state;
use crate::git::{Branch, Mirror};
use crate::observe;

/// Runs the command.
pub(super) fn run(args: DiscoverArgs) -> anyhow::Result<ExitCode> {
    let mut config = Config::load(args.flags())?;
    observe::start_logging(config.settings.log_format, config.settings.log_level);
    let _temporary = temporary_state(&mut config)?;
    let service = FollowService::new(config);
    let Target::Repository(target) = &service.config.target else {
        anyhow::bail!("give the URL or path of a repository")
    };
    let _lock = service.ledger()?;
    let (project, mirror) = service.discover(target, &[])?;
    let report = report(target, &project, &mirror)?;
    // The report is no part of the configuration file.
    eprint!("{report}");
    let suggestions = report.suggestions;
    let text = config::to_toml(std::slice::from_ref(&project))
        .context("cannot write the configuration as TOML")?;
    output::print(&(text + &suggestions))?;
    Ok(ExitCode::SUCCESS)
}

/// Examines the files of the branch.
fn report(
    target: &RepositoryTarget,
    project: &ProjectConfig,
    mirror: &Mirror,
) -> anyhow::Result<DiscoverReport> {
    let branch = Branch::parse(target.overrides.branch.as_deref())?;
    let state = branch_state(mirror, &branch).map_err(anyhow::Error::msg)?;
    let state = state.context("the branch has no commits")?;
    let mut reader = state.repository.reader();
    let tree = reader.commit_header(state.tip)?.tree;
    let files = list_files(&mut reader, tree)?;
    let mut read = |blob| reader.blob(blob).ok().map(Arc::unwrap_or_clone);
    Ok(discover::report(project, &files, &mut read))
}
