//! `gitglot config check`.

use std::process::ExitCode;

use anyhow::Context;

use super::follow_setup::FollowSetup;
use super::serve::certificate;
use super::{ConfigCheckArgs, access, config_connect, output};
use crate::config::{self, Config, Target};
use gitglot_model::counted;

/// Runs the command.
pub(super) fn run(args: ConfigCheckArgs) -> anyhow::Result<ExitCode> {
    let (explain, connect) = (args.explain, args.connect);
    let file = args.file.clone();
    let flags = args.flags();
    let config = Config::load(flags.clone())?;
    // The files that the settings name.
    access::access(&config.settings)?;
    certificate(&config.settings)?;
    let setup = FollowSetup::new(config);
    setup.words()?;
    let Target::Projects(projects) = &setup.config.target else {
        anyhow::bail!("give a configuration file")
    };
    if connect {
        let (report, is_valid) = config_connect::report(&setup.config, projects)?;
        output::print(&report)?;
        return Ok(if is_valid {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        });
    }
    if explain {
        let projects = config::to_toml(projects);
        let projects = projects.context("cannot write the configuration as TOML")?;
        let settings = config::explain(&flags, &setup.config)?;
        output::print(&format!("{settings}\n{projects}"))?;
    } else {
        let components = projects.iter().map(|project| project.components.len());
        let components = counted(components.sum(), "component");
        let (projects, file) = (counted(projects.len(), "project"), file.display());
        output::print(&format!("{file} is valid: {projects}, {components}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
