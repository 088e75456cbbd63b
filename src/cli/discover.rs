//! `gitglot discover`.

use std::process::ExitCode;

use anyhow::Context;

use super::DiscoverArgs;
use super::detect::{blobs, files_at};
use super::follow_setup::{FollowSetup, temporary_state};
use super::output;
use crate::config::{self, Config, Target};
use crate::discover;
use crate::log;

/// Runs the command.
pub(super) fn run(args: DiscoverArgs) -> anyhow::Result<ExitCode> {
    let mut config = Config::load(args.flags())?;
    log::start_logging(config.settings.log_format, config.settings.log_level);
    let _temporary = temporary_state(&mut config)?;
    let setup = FollowSetup::new(config);
    let Target::Repository(target) = &setup.config.target else {
        anyhow::bail!("give the URL or path of a repository")
    };
    let _lock = setup.ledger()?;
    let state = setup.fetch_target(target, &[])?;
    let mut reader = state.repository.reader();
    let mut files = files_at(&mut reader, state.tip)?;
    files.retain(|file| !target.overrides.excludes(&file.path));
    let mut read = blobs(&mut reader);
    let description = discover::describe(target, &files, &mut read)?;
    let text = config::to_toml(std::slice::from_ref(&description.project))
        .context("cannot write the configuration as TOML")?;
    let report = discover::report(description, &files, &mut read);
    // The report is no part of the configuration file.
    eprint!("{report}");
    let suggestions = report.suggestions;
    output::print(&(text + &suggestions))?;
    Ok(ExitCode::SUCCESS)
}
