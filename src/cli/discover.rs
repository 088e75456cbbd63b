//! `gitglot discover`, and the detection that `gitglot init` and `gitglot` share with it.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use tempfile::TempDir;

use super::detect::{blobs, files_at};
use super::follow_setup::{FollowSetup, temporary_state};
use super::output;
use crate::config::{
    self, Config, ConfigFlags, DataArgs, LogArgs, Overrides, RepoAccessArgs, SourceArgs, Target,
    TargetArgs,
};
use crate::discover::{self, BrokenComponents, Description, DiscoverReport, TreeFile};
use crate::log;
use gitglot_follow::{BranchState, ProjectConfig};

/// The part of `gitglot discover --help` after the flags.
pub const DISCOVER_HELP: &str = "\
Detects translation files, the template and the format in the latest
commit. Does not change the repository.

Examples:
  gitglot discover . > gitglot.toml
      Write a configuration file for the current repository
  gitglot discover https://github.com/gorhill/uBlock --branch master
      Inspect one branch of a remote repository";

/// The arguments of `gitglot discover`.
#[derive(Debug, Args)]
pub struct DiscoverArgs {
    /// URL or path of a git repository [default: the repository that contains the current directory]
    #[arg(value_name = "REPO", help_heading = "Arguments")]
    pub repo: Option<String>,
    /// Replaces detection.
    #[command(flatten)]
    pub overrides: Overrides,
    /// Credentials for the repository.
    #[command(flatten)]
    pub access: RepoAccessArgs,
    /// The state directory.
    #[arg(
        long,
        env = "GITGLOT_STATE_DIR",
        value_name = "DIR",
        hide_env_values = true,
        help_heading = "Data",
        help = "Directory for the mirror [default: the one of gitglot serve REPO]"
    )]
    pub state_dir: Option<PathBuf>,
    /// Settings of the log.
    #[command(flatten)]
    pub log: LogArgs,
}

impl DiscoverArgs {
    /// The flags for [`Config::load`].
    pub fn flags(self) -> ConfigFlags {
        let source = SourceArgs {
            config: None,
            overrides: self.overrides,
            access: self.access,
        };
        let data = DataArgs {
            state_dir: self.state_dir,
            ..DataArgs::default()
        };
        ConfigFlags {
            target: TargetArgs {
                repo: self.repo,
                source,
            },
            data,
            log: self.log,
            ..ConfigFlags::default()
        }
    }
}

/// Runs the command.
pub(super) fn run(args: DiscoverArgs) -> anyhow::Result<()> {
    let config = Config::load(args.flags())?;
    log::start_logging(config.settings.log_format, config.settings.log_level);
    let discovered = Discovered::read(config)?;
    let folder = std::env::current_dir().context("cannot determine the current directory")?;
    let text = discovered.config_file(&folder)?;
    let report = discovered.report();
    // The report is no part of the configuration file.
    eprint!("{report}");
    output::print(&(text + &report.suggestions))
}

/// What detection finds in the newest commit of a repository.
pub(super) struct Discovered {
    pub(super) state: BranchState,
    /// The regular files of the commit that are not excluded.
    pub(super) files: Vec<TreeFile>,
    description: Description,
    /// The state directory of a local repository.
    _temporary: Option<TempDir>,
}

impl Discovered {
    /// Reads the repository of a configuration.
    ///
    /// # Errors
    /// When it cannot be read, or contains no translation files.
    pub(super) fn read(mut config: Config) -> anyhow::Result<Self> {
        let temporary = temporary_state(&mut config)?;
        let setup = FollowSetup::new(config);
        let Target::Repository(target) = &setup.config.target else {
            anyhow::bail!("give the URL or path of a repository")
        };
        let _lock = setup.ledger()?;
        let state = setup.fetch_target(target, &[])?;
        let mut reader = state.repository.reader();
        let mut files = files_at(&mut reader, state.tip)?;
        files.retain(|file| !target.overrides.excludes(&file.path));
        let broken = BrokenComponents::LeaveOut;
        let description = discover::describe(target, &files, broken, &mut blobs(&mut reader))?;
        Ok(Self {
            state,
            files,
            description,
            _temporary: temporary,
        })
    }

    /// The project.
    pub(super) fn project(&self) -> &ProjectConfig {
        &self.description.project
    }

    /// A configuration file for a directory.
    pub(super) fn config_file(&self, folder: &Path) -> anyhow::Result<String> {
        config::to_portable_toml(std::slice::from_ref(self.project()), folder)
            .context("cannot write the configuration as TOML")
    }

    /// Examines all files of the components.
    pub(super) fn report(self) -> DiscoverReport {
        let mut reader = self.state.repository.reader();
        discover::report(self.description, &self.files, &mut blobs(&mut reader))
    }
}
