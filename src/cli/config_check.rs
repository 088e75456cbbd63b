//! `gitglot config check`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::follow_setup::FollowSetup;
use super::serve::certificate;
use super::{access, config_connect, output};
use crate::config::{self, Config, ConfigFlags, DataArgs, HttpArgs, LogArgs, Target, TargetArgs};
use gitglot_model::counted;

/// The part of `gitglot config check --help` after the flags.
pub const CONFIG_CHECK_HELP: &str = "\
Reads the file as gitglot serve --config FILE does, with the same flags
and variables, and the files that it refers to. Without --connect, opens no
repository. Opens no state directory, so it can run next to a server.

With --connect, reads the branch of each component with its credentials and
prints one line per component. Clones remote repositories into a temporary
directory and removes them at the end.

Exit status:
  0  The configuration is valid
  1  The configuration is invalid; the message names the line and the key
  1  With --connect: a component cannot be served; its line has the reason

Examples:
  gitglot config check gitglot.toml
      Check a file before a server reloads it
  gitglot config check /etc/gitglot/projects --connect
      Check a directory of files, and whether all repositories can be read
  gitglot config check gitglot.toml --explain
      Print all settings as TOML, with the origin of each value";

/// The arguments of `gitglot config check`.
#[derive(Debug, Args)]
pub struct ConfigCheckArgs {
    /// The configuration file, or a directory of such files
    #[arg(value_name = "FILE", help_heading = "Arguments")]
    pub file: PathBuf,
    /// Try to read the repository, branch, template and files of each component
    #[arg(long, conflicts_with = "explain", help_heading = "Output")]
    pub connect: bool,
    /// Print all settings as TOML, with the origin of each value, and the projects with their defaults
    #[arg(long, help_heading = "Output")]
    pub explain: bool,
    /// Settings of the HTTP server.
    #[command(flatten)]
    pub http: HttpArgs,
    /// Settings of the data and its storage.
    #[command(flatten)]
    pub data: DataArgs,
    /// Settings of the log.
    #[command(flatten)]
    pub log: LogArgs,
}

impl ConfigCheckArgs {
    /// The flags for [`Config::load`].
    pub fn flags(self) -> ConfigFlags {
        let mut target = TargetArgs::default();
        target.source.config = Some(self.file);
        ConfigFlags {
            target,
            http: self.http,
            data: self.data,
            log: self.log,
        }
    }
}

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
