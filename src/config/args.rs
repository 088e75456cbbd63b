//! The flags that name the source of the data, and all flags of a command.

use std::path::PathBuf;

use super::settings::{CONFIG, help};
use super::{DataArgs, HttpArgs, LogArgs, Overrides, RepoAccessArgs};

/// The flags of a command. Groups that a command does not offer stay empty.
#[derive(Clone, Default, Debug, clap::Args)]
pub struct ConfigFlags {
    /// The source of the data.
    #[command(flatten)]
    pub target: TargetArgs,
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

/// The source of the data: a repository or a configuration file.
#[derive(Clone, Default, Debug, clap::Args)]
pub struct TargetArgs {
    /// URL or path of a git repository [default: the repository that contains the current directory]
    #[arg(value_name = "REPO", help_heading = "Arguments")]
    pub repo: Option<String>,
    /// The other flags that name the source.
    #[command(flatten)]
    pub source: SourceArgs,
}

/// The flags that name the source, without the repository, which some commands read together with another argument.
#[derive(Clone, Default, Debug, clap::Args)]
#[command(next_help_heading = "Source")]
pub struct SourceArgs {
    /// The configuration file.
    #[arg(long, env = CONFIG.variable, value_name = "FILE", help = help(CONFIG.default, CONFIG.help), hide_env_values = true)]
    pub config: Option<PathBuf>,
    /// Replaces the detection of components in the repository.
    #[command(flatten)]
    pub overrides: Overrides,
    /// Credentials for the repository.
    #[command(flatten)]
    pub access: RepoAccessArgs,
}
