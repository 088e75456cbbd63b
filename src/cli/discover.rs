//! `gitglot discover`.

use std::process::ExitCode;

use anyhow::Context;

use super::DiscoverArgs;
use super::service::{FollowService, temporary_state};
use crate::config::{self, Config, Target};
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
    let (project, _) = service.discover(target, &[])?;
    let text = config::to_toml(&[project]).context("cannot write the configuration as TOML")?;
    super::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
