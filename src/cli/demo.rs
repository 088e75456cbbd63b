//! `gitglot demo`.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::follow_setup::temporary_folder;
use super::serve::serve;
use crate::config::{Config, ConfigFlags, DataArgs, HttpArgs, LogArgs, Target, TargetArgs};
use crate::{demo, log};
use gitglot_follow::{ComponentConfig, ProjectConfig, RepoAddress};
use gitglot_model::{ComponentSettings, FileMask, Slug};

const NOT_UTF8: &str =
    "the path of the temporary directory is not UTF-8: set TMPDIR to a different directory";

/// The part of `gitglot demo --help` after the flags.
pub const DEMO_HELP: &str = "\
Examples:
  gitglot demo
      Serve two example projects on http://127.0.0.1:8000
  gitglot demo --listen 127.0.0.1:0
      Use any free port; the first line of the output names it";

/// The arguments of `gitglot demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Settings of the HTTP server.
    #[command(flatten)]
    pub http: HttpArgs,
    /// The state directory.
    #[arg(
        long,
        env = "GITGLOT_STATE_DIR",
        value_name = "DIR",
        hide_env_values = true,
        help_heading = "Data",
        help = "Directory for mirrors, ids and checkpoints [default: a temporary directory]"
    )]
    pub state_dir: Option<PathBuf>,
    /// Settings of the log.
    #[command(flatten)]
    pub log: LogArgs,
}

impl DemoArgs {
    /// The flags to serve the directory `repo`, with `state_dir` as the default state directory.
    pub fn flags(self, repo: String, state_dir: PathBuf) -> ConfigFlags {
        let target = TargetArgs {
            repo: Some(repo),
            ..TargetArgs::default()
        };
        let data = DataArgs {
            state_dir: self.state_dir.or(Some(state_dir)),
            ..DataArgs::default()
        };
        ConfigFlags {
            target,
            http: self.http,
            data,
            log: self.log,
        }
    }
}

/// Runs the command.
pub(super) fn run(args: DemoArgs) -> anyhow::Result<()> {
    let folder = temporary_folder()?;
    let repository = folder.path().to_str().context(NOT_UTF8)?.to_owned();
    let flags = args.flags(repository, folder.path().join("state"));
    let mut config = Config::load(flags.clone())?;
    config.target = Target::Projects(projects(folder.path())?.into());
    log::start_logging(config.settings.log_format, config.settings.log_level);
    serve(config, flags)
}

/// Writes the bundled repositories to a directory.
fn projects(folder: &std::path::Path) -> anyhow::Result<Vec<ProjectConfig>> {
    demo::DEMOS
        .iter()
        .map(|demo| {
            let path = folder.join(format!("{}.git", demo.project));
            demo.write(&path)
                .with_context(|| format!("cannot create the example {}", demo.project))?;
            let path = path.to_str().context(NOT_UTF8)?;
            let repo = RepoAddress::parse(path, folder)?;
            let (slug, mask) = (Slug::new(demo.component)?, FileMask::new(demo.filemask)?);
            let settings = ComponentSettings {
                name: demo.component_name.to_owned(),
                license: demo.license.to_owned(),
                ..ComponentSettings::new(slug, mask, demo.template, demo.file_format)
            };
            let component = ComponentConfig {
                branch: Some(demo.branch.to_owned()),
                ..ComponentConfig::new(repo, settings)
            };
            Ok(ProjectConfig {
                slug: Slug::new(demo.project)?,
                name: demo.project_name.to_owned(),
                web: demo.web.to_owned(),
                instructions: String::new(),
                source_language: demo.source_language.to_owned(),
                components: vec![component],
            })
        })
        .collect()
}
