//! The command line and its help.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Parser, Subcommand, ValueEnum};

use super::check::{
    CHECK_HELP, CREDITS_HELP, CheckArgs, CreditsArgs, DIGEST_HELP, DigestArgs, REVIEW_HELP,
    ReviewArgs, TODO_HELP, TodoArgs,
};
use super::config_check::{CONFIG_CHECK_HELP, ConfigCheckArgs};
use super::demo::{DEMO_HELP, DemoArgs};
use super::discover::{DISCOVER_HELP, DiscoverArgs};
use super::export::{EXPORT_HELP, ExportArgs};
use super::init::{INIT_HELP, InitArgs};
use super::ledger::LedgerCommand;
use super::serve::COMMIT;
use super::site::{SITE_HELP, SiteArgs};
use crate::config::{ApiProfile, ConfigFlags};
use gitglot_api::Profile;

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

const OPENAPI_HELP: &str = "\
Example:
  gitglot openapi --format yaml > gitglot.yaml
      Write the document for a client generator";

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
