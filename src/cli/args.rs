//! The command line and its help.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::check::{
    CHECK_HELP, CREDITS_HELP, CheckArgs, CreditsArgs, DIGEST_HELP, DigestArgs, REVIEW_HELP,
    ReviewArgs, TODO_HELP, TodoArgs,
};
use super::export::{EXPORT_HELP, ExportArgs};
use super::init::{INIT_HELP, InitArgs};
use super::ledger::LedgerCommand;
use super::site::{SITE_HELP, SiteArgs};
use crate::config::{
    ApiProfile, ConfigFlags, DataArgs, HttpArgs, LogArgs, Overrides, RepoAccessArgs, TargetArgs,
};
use gitglot_api::Profile;

/// The commit of an optimized build (`build.rs`), empty if it is not known.
pub(super) const COMMIT: &str = match option_env!("GITGLOT_COMMIT") {
    Some(commit) => commit,
    None => "",
};

/// What `--version` prints: the version and the commit of the build.
fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let version = env!("CARGO_PKG_VERSION");
        if COMMIT.is_empty() {
            version.to_owned()
        } else {
            format!("{version} ({COMMIT})")
        }
    });
    &VERSION
}

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "gitglot",
    version = version(),
    about = "Serves the translation files of git repositories as the read API of Weblate 3.4",
    after_help = "\
Examples:
  gitglot demo
      Try gitglot without a repository and without a network
  gitglot serve https://github.com/gorhill/uBlock
      Follow a repository and serve it on http://127.0.0.1:8000
  gitglot check --base origin/main
      Check the translations that a branch changes
  gitglot
      Say what gitglot finds in the current repository

Every flag has an environment variable, such as GITGLOT_STATE_DIR for
--state-dir. Flags override variables, and variables override the
configuration file.
Run `gitglot COMMAND --help` for the flags of a command."
)]
pub struct Cli {
    /// The command to run. Without one, gitglot describes the repository that contains the current directory.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Follow repositories and serve their translations and history
    #[command(after_help = SERVE_HELP)]
    Serve(Box<ConfigFlags>),
    /// Serve the bundled example repositories, without a network
    #[command(after_help = DEMO_HELP)]
    Demo(DemoArgs),
    /// Write gitglot.toml for the current repository, and workflows that use it
    #[command(after_help = INIT_HELP)]
    Init(InitArgs),
    /// Print a configuration file for the translation files of a repository
    #[command(after_help = DISCOVER_HELP)]
    Discover(DiscoverArgs),
    /// Check translation files, and compare them with a base
    #[command(after_help = CHECK_HELP)]
    Check(Box<CheckArgs>),
    /// List the strings to translate, review and repair, and check proposals for them
    #[command(after_help = TODO_HELP)]
    Todo(Box<TodoArgs>),
    /// Print what acknowledges stale translations that are right
    #[command(after_help = REVIEW_HELP)]
    Review(Box<ReviewArgs>),
    /// Tell the translators of each language what changed and what is left
    #[command(after_help = DIGEST_HELP)]
    Digest(Box<DigestArgs>),
    /// List the people who translated a release, by language
    #[command(after_help = CREDITS_HELP)]
    Credits(Box<CreditsArgs>),
    /// Write all strings, translations and changes to files
    #[command(after_help = EXPORT_HELP)]
    Export(Box<ExportArgs>),
    /// Write pages, badges and API responses as files for any web server
    #[command(after_help = SITE_HELP)]
    Site(Box<SiteArgs>),
    /// Work with configuration files
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Verify, copy and compact shared ledgers
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Print the OpenAPI document
    #[command(after_help = OPENAPI_HELP)]
    Openapi {
        /// Format of the document
        #[arg(long, value_enum, default_value_t)]
        format: OpenApiFormat,
        /// API that the document describes
        #[arg(long, value_enum, default_value_t)]
        api: ApiProfile,
    },
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_HELP)]
    Completions {
        /// The shell
        #[arg(value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Write the manual pages to a directory
    #[command(after_help = MAN_HELP)]
    Man {
        /// The directory for the pages; created if missing
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
}

const SERVE_HELP: &str = "\
gitglot prints one line on standard output once it listens, for a single
local repository once that was read:
listening on http://ADDRESS:PORT
Logs and progress go to standard error. /healthz returns 200 while the
process runs, /readyz once everything has been read. Ctrl-C stops gitglot.

Examples:
  gitglot serve
      Serve the repository that contains the current directory; a
      gitglot.toml at its root names its components
  gitglot serve https://github.com/gorhill/uBlock
      Serve a remote repository
  gitglot serve . --filemask 'po/*.json' --template po/en.json
      Name the translation files instead of detecting them
  gitglot serve --config gitglot.toml
      Serve several projects; gitglot discover prints a file to start with
  gitglot serve . --listen 0.0.0.0:8000 --base-url https://l10n.example.org
      Listen on all interfaces, behind a reverse proxy";

const DEMO_HELP: &str = "\
Examples:
  gitglot demo
      Serve two example projects on http://127.0.0.1:8000
  gitglot demo --listen 127.0.0.1:0
      Use any free port; the first line of the output names it";

const DISCOVER_HELP: &str = "\
Detects translation files, the template and the format in the latest
commit. Does not change the repository.

Examples:
  gitglot discover . > gitglot.toml
      Write a configuration file for the current repository
  gitglot discover https://github.com/gorhill/uBlock --branch master
      Inspect one branch of a remote repository";

const OPENAPI_HELP: &str = "\
Example:
  gitglot openapi --format yaml > gitglot.yaml
      Write the document for a client generator";

const CONFIG_CHECK_HELP: &str = "\
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

const COMPLETIONS_HELP: &str = "\
Examples:
  gitglot completions bash > /etc/bash_completion.d/gitglot
      Install completions for bash
  gitglot completions zsh > \"${fpath[1]}/_gitglot\"
      Install completions for zsh
  gitglot completions fish > ~/.config/fish/completions/gitglot.fish
      Install completions for fish";

const MAN_HELP: &str = "\
Example:
  gitglot man /usr/local/share/man/man1
      Install a page for gitglot and one for each command";

/// The commands of `gitglot config`.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Check a configuration file
    #[command(after_help = CONFIG_CHECK_HELP)]
    Check(Box<ConfigCheckArgs>),
}

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

/// The format of the OpenAPI document.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum OpenApiFormat {
    /// JSON
    #[default]
    Json,
    /// YAML
    Yaml,
}

impl OpenApiFormat {
    /// The document of an API in this format.
    pub(super) fn document(self, api: Profile) -> String {
        match self {
            Self::Json => gitglot_api::document(api),
            Self::Yaml => gitglot_api::document_yaml(api),
        }
    }
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

impl DiscoverArgs {
    /// The flags for [`crate::config::Config::load`].
    pub fn flags(self) -> ConfigFlags {
        let target = TargetArgs {
            repo: self.repo,
            config: None,
            overrides: self.overrides,
            access: self.access,
        };
        let data = DataArgs {
            state_dir: self.state_dir,
            ..DataArgs::default()
        };
        ConfigFlags {
            target,
            data,
            log: self.log,
            ..ConfigFlags::default()
        }
    }
}

impl ConfigCheckArgs {
    /// The flags for [`crate::config::Config::load`].
    pub fn flags(self) -> ConfigFlags {
        let target = TargetArgs {
            config: Some(self.file),
            ..TargetArgs::default()
        };
        ConfigFlags {
            target,
            http: self.http,
            data: self.data,
            log: self.log,
        }
    }
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
    fn help_fits_a_terminal_of_80_columns() {
        let command = Cli::command();
        let helps = std::iter::once(&command).chain(command.get_subcommands());
        for help in helps.filter_map(clap::Command::get_after_help) {
            for line in help.to_string().lines() {
                assert!(line.chars().count() < 80, "{line}");
            }
        }
    }

    #[test]
    fn the_demo_is_temporary_unless_a_state_directory_is_given() {
        let demo =
            |line: &[&str]| match Cli::parse_from(["gitglot", "demo"].iter().chain(line)).command {
                Some(Command::Demo(args)) => args.flags("/example".to_owned(), "/temporary".into()),
                other => panic!("{other:?}"),
            };
        assert_eq!(demo(&[]).data.state_dir, Some("/temporary".into()));
        assert_eq!(
            demo(&["--state-dir", "/state"]).data.state_dir,
            Some("/state".into())
        );
        assert_eq!(demo(&[]).target.repo.as_deref(), Some("/example"));
    }
}
