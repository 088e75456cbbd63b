//! The command line of `gitglot check`.

use std::path::PathBuf;

use clap::Args;

use crate::config::{DataArgs, LogArgs, Percentage, TargetArgs};
use gitglot_lint::output::Format;
use gitglot_model::InvalidValue;

/// The part of `gitglot check --help` after the flags.
pub const CHECK_HELP: &str = "\
Without REPO and --config, checks the repository that contains the current
directory, with the [check] table and the components of the gitglot.toml at
its root, if there is one. Reads the files on disk if they have changes,
otherwise the commit HEAD. With --base, reads commits only, and the
configuration of the base applies; the one of the commit can only add to it.
Failing checks and files that do not parse are errors; missing, stale,
removed and left-over strings are warnings.

Exit status:
  0  No finding that fails the run (errors, or the findings of
     --fail-on), and no failed gate
  1  A finding that fails the run, or a failed gate
  2  The check could not run, or a gate could not be decided

Examples:
  gitglot check
      Check all translations of this repository
  gitglot check --base origin/main --new-only
      Check a pull request: fail only on new problems
  gitglot check --staged --base HEAD --new-only
      Check the staged files before a commit
  gitglot check --base auto --format github
      Write annotations in GitHub Actions
  gitglot check --fail-on error,stale --fail-under 80
      Also fail on stale strings, and below 80 %";

/// The arguments of `gitglot check`.
#[derive(Clone, Default, Debug, Args)]
pub struct CheckArgs {
    /// The source of the data.
    #[command(flatten)]
    pub target: TargetArgs,
    /// The states to read.
    #[command(flatten)]
    pub read: ReadArgs,
    /// The result.
    #[command(flatten)]
    pub result: ResultArgs,
    /// Settings of the data and its storage.
    #[command(flatten)]
    pub data: DataArgs,
    /// Settings of the log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// The arguments of a command that reads the same data as `gitglot check`, and its own.
#[derive(Debug, Args)]
pub struct HistoryArgs<T: Args> {
    /// The source of the data.
    #[command(flatten)]
    pub target: TargetArgs,
    /// What the command selects, and its output.
    #[command(flatten)]
    pub own: T,
    /// Settings of the data and its storage.
    #[command(flatten)]
    pub data: DataArgs,
    /// Settings of the log.
    #[command(flatten)]
    pub log: LogArgs,
}

impl<T: Args> HistoryArgs<T> {
    /// The arguments of the check, and the own ones.
    pub fn split(self) -> (CheckArgs, T) {
        let check = CheckArgs {
            target: self.target,
            data: self.data,
            log: self.log,
            ..CheckArgs::default()
        };
        (check, self.own)
    }
}

/// The state to check, and the state to compare it with.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "State")]
pub struct ReadArgs {
    /// Commit, branch or tag to check [default: the files on disk if they have changes, otherwise HEAD]
    #[arg(long, visible_alias = "head", value_name = "REV", conflicts_with_all = ["worktree", "staged"])]
    pub revision: Option<String>,
    /// Check the files on disk, also with --base
    #[arg(long, conflicts_with = "staged")]
    pub worktree: bool,
    /// Check the staged files; stale strings are those that become stale since HEAD
    #[arg(long)]
    pub staged: bool,
    /// Compare with the merge base with this revision; auto is the default branch. Strings that were stale before
    /// are reported only with --history full
    #[arg(long, value_name = "REV|auto")]
    pub base: Option<String>,
    /// Trust the file of --config: check all of its repositories, also remote ones, with its credentials and
    /// credential helpers, and do not compare it with the base. Never for a file that a pull request can change
    #[arg(long, requires = "config", help_heading = "Source")]
    pub trust_config: bool,
}

/// Output and exit status.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Result")]
pub struct ResultArgs {
    /// Report and fail only on findings that are not in the base
    #[arg(long, requires = "base")]
    pub new_only: bool,
    /// Findings that fail the run: checks, missing, stale, removed, removed-used, renamed, restored, left-over,
    /// mistyped-key, duplicate-key, repeated-key, escape, header, plural-forms, forbidden-text, unequal-text, front-matter,
    /// merge-mark, code-block, code-content, document-link, configuration, parse-error, error, warning, note [default: error]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub fail_on: Option<Vec<String>>,
    /// Fail if less than this percentage is translated, in total or in a language; stale strings count as translated
    #[arg(long, value_name = "PERCENT")]
    pub fail_under: Option<Percentage>,
    /// Has no effect: no finding is weaker than its fault
    #[arg(long = "strict", hide = true)]
    pub _strict: bool,
    /// Check source texts too
    #[arg(long)]
    pub source_checks: bool,
    /// Format of the report: text, json, github, gitlab, sarif, junit, markdown or checkstyle
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        hide_default_value = false
    )]
    pub format: Format,
    /// List all findings in the format text, where more than 25 are a summary of at most 30 lines
    #[arg(long)]
    pub all: bool,
    /// Also write the report to a file, as FORMAT:FILE; may be given several times
    #[arg(long, value_name = "FORMAT:FILE")]
    pub write: Vec<FormatFile>,
    /// Address of a line of a file, with {path} and {line}, for links in the format markdown and in the page; default: that
    /// of the commit at the host of the remote origin, if it is known
    #[arg(long, value_name = "URL")]
    pub file_url: Option<String>,
    /// Write the comparison as a page that reviewers open without a server: new findings and changed texts
    #[arg(long, value_name = "FILE.html", requires = "base")]
    pub page: Option<PathBuf>,
    /// Write the renamed keys, and where files still use the old ones, as JSON for a script that renames them there
    #[arg(long, value_name = "FILE.json", requires = "base")]
    pub fix_list: Option<PathBuf>,
    /// Write a badge with the translated percentage; reads the history, so that stale strings do not count
    #[arg(long, value_name = "FILE.svg")]
    pub badge: Option<PathBuf>,
    /// Write the data of a shields.io endpoint badge; reads the history, too
    #[arg(long, value_name = "FILE.json")]
    pub badge_json: Option<PathBuf>,
}

/// A format and a file to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatFile {
    /// The format.
    pub format: Format,
    /// The file.
    pub path: PathBuf,
}

impl std::str::FromStr for FormatFile {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let parts = text.split_once(':').filter(|(_, path)| !path.is_empty());
        let (format, path) = parts.ok_or_else(|| {
            InvalidValue::new(text, "FORMAT:FILE: use a value such as json:report.json")
        })?;
        Ok(Self {
            format: format.parse()?,
            path: path.into(),
        })
    }
}
