//! `gitglot discover`.

use std::process::ExitCode;

use anyhow::Context;

use super::DiscoverArgs;
use super::detect::{blobs, files_at};
use super::output;
use super::service::{FollowService, temporary_state};
use crate::config::{self, Config, Target};
use crate::discover;
use crate::log;

/// Runs the command.
pub(super) fn run(args: DiscoverArgs) -> anyhow::Result<ExitCode> {
    let mut config = Config::load(args.flags())?;
    log::start_logging(config.settings.log_format, config.settings.log_level);
    let _temporary = temporary_state(&mut config)?;
    let service = FollowService::new(config);
    let Target::Repository(target) = &service.config.target else {
        anyhow::bail!("give the URL or path of a repository")
    };
    let _lock = service.ledger()?;
    let (project, state) = service.discover(target, &[])?;
    let mut reader = state.repository.reader();
    let mut files = files_at(&mut reader, state.tip)?;
    files.retain(|file| !target.overrides.excludes(&file.path));
    let report = discover::report(&project, &files, &mut blobs(&mut reader));
    // The report is no part of the configuration file.
    eprint!("{report}");
    let suggestions = report.suggestions;
    let text = config::to_toml(std::slice::from_ref(&project))
        .context("cannot write the configuration as TOML")?;
    output::print(&(text + &suggestions))?;
    Ok(ExitCode::SUCCESS)
}
