//! The command line, as `--help` tells it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::{DataArgs, Flags, HttpArgs, LogArgs, Overrides, RepoAccess, TargetArgs};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "gitglot",
    version,
    about = "Serves the translation files of a git repository as the read API of Weblate 3.4",
    after_help = "\
Examples:
  gitglot serve https://github.com/gorhill/uBlock
      follow a repository and answer on http://127.0.0.1:8000/api/
  gitglot check . --fail-under 80
      how complete each language is, for people and for CI
  gitglot demo
      try it without a repository and without a network

Every flag is also a variable: --state-dir is GITGLOT_STATE_DIR. A flag wins
over a variable, a variable over the configuration file.
`gitglot COMMAND --help` tells more of a command."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Follow repositories and serve what their files and history say
    #[command(after_help = SERVE_HELP)]
    Serve(Box<ServeArgs>),
    /// Serve the bundled example repository, without a network
    #[command(after_help = DEMO_HELP)]
    Demo(DemoArgs),
    /// Print the configuration that fits what a repository holds
    #[command(after_help = DISCOVER_HELP)]
    Discover(DiscoverArgs),
    /// Print how complete each language is, once
    #[command(after_help = CHECK_HELP)]
    Check(CheckArgs),
    /// Print the OpenAPI document, for client generators
    #[command(after_help = OPENAPI_HELP)]
    Openapi(OpenApiArgs),
}

const SERVE_HELP: &str = "\
Prints one line on standard output when it listens:
listening on http://ADDRESS:PORT
Progress and logs go to standard error. /healthz says that the process lives,
/readyz that everything has been read. Ctrl-C ends it.

Examples:
  gitglot serve .
      the repository in this folder
  gitglot serve https://github.com/gorhill/uBlock
      a repository elsewhere
  gitglot serve . --filemask 'po/*.json' --template po/en.json
      where the translations are not found by themselves
  gitglot serve --config gitglot.toml
      several projects; gitglot discover writes a first file
  gitglot serve . --listen 0.0.0.0:8000 --base-url https://l10n.example.org
      behind a proxy";

const DEMO_HELP: &str = "\
Example:
  gitglot demo --listen 127.0.0.1:0
      at any free port; the first line says which";

const DISCOVER_HELP: &str = "\
Looks at the files of one commit: which of them are translations, which one
they are translated from, and how they are written. Changes nothing.

Examples:
  gitglot discover . > gitglot.toml
  gitglot discover https://github.com/gorhill/uBlock --branch master";

const CHECK_HELP: &str = "\
Reads everything once, prints a row per language and ends.

Exit status:
  0  every file was read, and no language is below --fail-under
  1  a language is below --fail-under, or something could not be read

Examples:
  gitglot check .
  gitglot check . --fail-under 80 --history none
      quicker: does not look for outdated translations";

const OPENAPI_HELP: &str = "\
Example:
  gitglot openapi --format yaml > gitglot.yaml";

/// `gitglot serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// All settings.
    #[command(flatten)]
    pub flags: Flags,
}

/// `gitglot demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// How to answer.
    #[command(flatten)]
    pub http: HttpArgs,
    /// The state directory.
    #[arg(
        long,
        env = "GITGLOT_STATE_DIR",
        value_name = "FOLDER",
        hide_env_values = true,
        help_heading = "Reading the history",
        help = "Folder for what is kept [default: a temporary one, gone afterwards]"
    )]
    pub state_dir: Option<PathBuf>,
    /// What to log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// `gitglot discover`.
#[derive(Debug, Args)]
pub struct DiscoverArgs {
    /// URL or path of a git repository
    #[arg(value_name = "REPO", help_heading = "Arguments")]
    pub repo: String,
    /// What need not be found out.
    #[command(flatten)]
    pub overrides: Overrides,
    /// How the repository is reached.
    #[command(flatten)]
    pub access: RepoAccess,
    /// The folder that keeps the mirror.
    #[arg(
        long,
        env = "GITGLOT_STATE_DIR",
        value_name = "FOLDER",
        hide_env_values = true,
        help_heading = "Reading the repository",
        help = "Folder that keeps what was fetched [default: the one of gitglot serve REPO]"
    )]
    pub state_dir: Option<PathBuf>,
    /// What to log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// `gitglot check`.
#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    /// What to read.
    #[command(flatten)]
    pub target: TargetArgs,
    /// What to make of it.
    #[command(flatten)]
    pub data: DataArgs,
    /// What to log.
    #[command(flatten)]
    pub log: LogArgs,
    /// End with status 1 when a language is translated to less than this percentage
    #[arg(long, value_name = "PERCENT", value_parser = percentage, help_heading = "Answer")]
    pub fail_under: Option<f64>,
}

/// `gitglot openapi`.
#[derive(Debug, Args)]
pub struct OpenApiArgs {
    /// How the document is written
    #[arg(long, value_enum, default_value_t)]
    pub format: OpenApiFormat,
}

/// How the OpenAPI document is written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum OpenApiFormat {
    /// JSON
    #[default]
    Json,
    /// YAML
    Yaml,
}

impl DemoArgs {
    /// The flags that serve the example from the folder `repo`, and keep what must be kept in `state_dir` unless
    /// another folder is given.
    pub fn flags(self, repo: String, state_dir: PathBuf) -> Flags {
        let target = TargetArgs { repo: Some(repo), ..TargetArgs::default() };
        let data = DataArgs { state_dir: self.state_dir.or(Some(state_dir)), ..DataArgs::default() };
        Flags { target, http: self.http, data, log: self.log }
    }
}

impl DiscoverArgs {
    /// The flags, for [`crate::config::Config::load`].
    pub fn flags(self) -> Flags {
        let target = TargetArgs { repo: Some(self.repo), config: None, overrides: self.overrides, access: self.access };
        let data = DataArgs { state_dir: self.state_dir, ..DataArgs::default() };
        Flags { target, http: HttpArgs::default(), data, log: self.log }
    }
}

impl CheckArgs {
    /// The flags, for [`crate::config::Config::load`].
    pub fn flags(&self) -> Flags {
        let CheckArgs { target, data, log, fail_under: _ } = self.to_owned();
        Flags { target, http: HttpArgs::default(), data, log }
    }
}

fn percentage(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').parse().ok().filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| format!("'{text}' is no percentage: write a number from 0 to 100"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn what_help_says_fits_a_terminal_of_80_columns() {
        let command = Cli::command();
        let helps = std::iter::once(&command).chain(command.get_subcommands());
        for help in helps.filter_map(clap::Command::get_after_help) {
            for line in help.to_string().lines() {
                assert!(line.chars().count() < 80, "{line}");
            }
        }
    }

    #[test]
    fn the_demo_keeps_nothing_unless_a_folder_is_given() {
        let demo = |line: &[&str]| match Cli::parse_from(["gitglot", "demo"].iter().chain(line)).command {
            Command::Demo(args) => args.flags("/example".to_owned(), "/temporary".into()),
            other => panic!("{other:?}"),
        };
        assert_eq!(demo(&[]).data.state_dir, Some("/temporary".into()));
        assert_eq!(demo(&["--state-dir", "/kept"]).data.state_dir, Some("/kept".into()));
        assert_eq!(demo(&[]).target.repo.as_deref(), Some("/example"));
    }

    #[test]
    fn a_percentage_is_a_number_from_0_to_100() {
        assert_eq!(percentage("80"), Ok(80.0));
        assert_eq!(percentage("99.5%"), Ok(99.5));
        for wrong in ["", "-1", "101", "NaN", "many"] {
            assert!(percentage(wrong).is_err(), "{wrong}");
        }
    }
}
