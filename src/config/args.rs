//! Flags and variables, in groups that the commands put together.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::settings::help;
use super::{
    BaseUrl, ByteSize, HistoryMode, HostName, ListenAddress, LogFormat, LogLevel, Origin, Period, ProxyAddress, Rate,
    RepoAccess,
};
use crate::model::{FileFormat, FileMask, Slug};

/// All flags of a command; what it does not offer is left as by default.
#[derive(Clone, Default, Debug, Args)]
pub struct Flags {
    /// What to read.
    #[command(flatten)]
    pub target: TargetArgs,
    /// How to answer.
    #[command(flatten)]
    pub http: HttpArgs,
    /// What to make of it.
    #[command(flatten)]
    pub data: DataArgs,
    /// What to log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// What to read.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "What to read")]
pub struct TargetArgs {
    /// URL or path of a git repository; without a mask its components are found out
    #[arg(value_name = "REPO", help_heading = "Arguments")]
    pub repo: Option<String>,
    /// The configuration file.
    #[arg(long, env = "GITGLOT_CONFIG", value_name = "FILE", help = help("config"), hide_env_values = true)]
    pub config: Option<PathBuf>,
    /// What need not be found out about `repo`.
    #[command(flatten)]
    pub overrides: Overrides,
    /// How `repo` is reached.
    #[command(flatten)]
    pub access: RepoAccess,
}

/// What need not be found out about a repository.
#[derive(Clone, PartialEq, Eq, Default, Debug, Args)]
#[command(next_help_heading = "About REPO, where it should not be found out")]
pub struct Overrides {
    /// Slug of the project.
    #[arg(long, env = "GITGLOT_PROJECT", value_name = "SLUG", help = help("project"), hide_env_values = true, value_parser = Slug::new)]
    pub project: Option<Slug>,
    /// Slug of the component; the one to take where several are found.
    #[arg(long, env = "GITGLOT_COMPONENT", value_name = "SLUG", help = help("component"), hide_env_values = true, value_parser = Slug::new)]
    pub component: Option<Slug>,
    /// The branch.
    #[arg(long, env = "GITGLOT_BRANCH", value_name = "NAME", help = help("branch"), hide_env_values = true)]
    pub branch: Option<String>,
    /// Which files are translations.
    #[arg(long, env = "GITGLOT_FILEMASK", value_name = "MASK", help = help("filemask"), hide_env_values = true, value_parser = FileMask::new)]
    pub filemask: Option<FileMask>,
    /// Path of the template.
    #[arg(long, env = "GITGLOT_TEMPLATE", value_name = "PATH", help = help("template"), hide_env_values = true)]
    pub template: Option<String>,
    /// How the files are written.
    #[arg(long, env = "GITGLOT_FILE_FORMAT", value_name = "FORMAT", help = help("file-format"), hide_env_values = true, value_parser = file_format())]
    pub file_format: Option<FileFormat>,
    /// The language of the template.
    #[arg(long, env = "GITGLOT_SOURCE_LANGUAGE", value_name = "CODE", help = help("source-language"), hide_env_values = true)]
    pub source_language: Option<String>,
}

/// How to answer.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Answering requests")]
pub struct HttpArgs {
    /// Where to listen.
    #[arg(long, env = "GITGLOT_LISTEN", value_name = "HOST:PORT", help = help("listen"), hide_env_values = true, value_parser = ListenAddress::parse)]
    pub listen: Option<ListenAddress>,
    /// Start of all API links.
    #[arg(long, env = "GITGLOT_BASE_URL", value_name = "URL", help = help("base-url"), hide_env_values = true, value_parser = BaseUrl::parse)]
    pub base_url: Option<BaseUrl>,
    /// Start of links to pages for people.
    #[arg(long, env = "GITGLOT_SITE_URL", value_name = "URL", help = help("site-url"), hide_env_values = true, value_parser = BaseUrl::parse)]
    pub site_url: Option<BaseUrl>,
    /// Hosts that requests may name.
    #[arg(long, env = "GITGLOT_ALLOWED_HOSTS", value_name = "HOST,…", help = help("allowed-hosts"), hide_env_values = true, value_delimiter = ',', value_parser = HostName::parse)]
    pub allowed_hosts: Option<Vec<HostName>>,
    /// Proxies that are believed.
    #[arg(long, env = "GITGLOT_TRUSTED_PROXIES", value_name = "ADDRESS,…", help = help("trusted-proxies"), hide_env_values = true, value_delimiter = ',', value_parser = ProxyAddress::parse)]
    pub trusted_proxies: Option<Vec<ProxyAddress>>,
    /// Origins of pages that may read answers.
    #[arg(long, env = "GITGLOT_CORS_ORIGINS", value_name = "ORIGIN,…", help = help("cors-origins"), hide_env_values = true, value_delimiter = ',', value_parser = Origin::parse)]
    pub cors_origins: Option<Vec<Origin>>,
    /// The file with read tokens.
    #[arg(long, env = "GITGLOT_TOKENS", value_name = "FILE", help = help("tokens"), hide_env_values = true)]
    pub tokens: Option<PathBuf>,
    /// How often one client may ask.
    #[arg(long, env = "GITGLOT_RATE_LIMIT", value_name = "N/TIME", help = help("rate-limit"), hide_env_values = true, value_parser = Rate::parse)]
    pub rate_limit: Option<Rate>,
    /// How many connections are served at the same time.
    #[arg(long, env = "GITGLOT_MAX_CONNECTIONS", value_name = "N", help = help("max-connections"), hide_env_values = true)]
    pub max_connections: Option<NonZeroU32>,
    /// Time for the head of a request.
    #[arg(long, env = "GITGLOT_HEADER_TIMEOUT", value_name = "TIME", help = help("header-timeout"), hide_env_values = true, value_parser = Period::parse)]
    pub header_timeout: Option<Period>,
    /// Time after which a connection without a request is closed.
    #[arg(long, env = "GITGLOT_IDLE_TIMEOUT", value_name = "TIME", help = help("idle-timeout"), hide_env_values = true, value_parser = Period::parse)]
    pub idle_timeout: Option<Period>,
    /// Memory for kept answers.
    #[arg(long, env = "GITGLOT_CACHE_SIZE", value_name = "SIZE", help = help("cache-size"), hide_env_values = true, value_parser = ByteSize::parse)]
    pub cache_size: Option<ByteSize>,
}

/// What to make of the repositories, and where to keep it.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Reading the history")]
pub struct DataArgs {
    /// The state directory.
    #[arg(long, env = "GITGLOT_STATE_DIR", value_name = "FOLDER", help = help("state-dir"), hide_env_values = true)]
    pub state_dir: Option<PathBuf>,
    /// How much of the history is read.
    #[arg(long, env = "GITGLOT_HISTORY", value_name = "HOW", help = help("history"), hide_env_values = true)]
    pub history: Option<HistoryMode>,
    /// Time between two looks at a repository.
    #[arg(long, env = "GITGLOT_POLL_INTERVAL", value_name = "TIME", help = help("poll-interval"), hide_env_values = true, value_parser = Period::parse)]
    pub poll_interval: Option<Period>,
    /// The file that replaces the words of the `same` check.
    #[arg(long, env = "GITGLOT_SAME_WORDS", value_name = "FILE", help = help("same-words"), hide_env_values = true)]
    pub same_words: Option<PathBuf>,
}

/// What to log.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Logging")]
pub struct LogArgs {
    /// How log lines are written.
    #[arg(long, env = "GITGLOT_LOG_FORMAT", value_name = "FORMAT", help = help("log-format"), hide_env_values = true)]
    pub log_format: Option<LogFormat>,
    /// Which log lines are written.
    #[arg(long, env = "GITGLOT_LOG_LEVEL", value_name = "LEVEL", help = help("log-level"), hide_env_values = true)]
    pub log_level: Option<LogLevel>,
}

impl Overrides {
    /// The flag of the first thing that is given, if any is.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--project", self.project.is_some()),
            ("--component", self.component.is_some()),
            ("--branch", self.branch.is_some()),
            ("--filemask", self.filemask.is_some()),
            ("--template", self.template.is_some()),
            ("--file-format", self.file_format.is_some()),
            ("--source-language", self.source_language.is_some()),
        ];
        given.into_iter().find_map(|(flag, given)| given.then_some(flag))
    }
}

fn file_format() -> impl TypedValueParser<Value = FileFormat> {
    PossibleValuesParser::new(FileFormat::ALL.map(FileFormat::name))
        .try_map(|name| FileFormat::from_name(&name).ok_or("no such format"))
}
