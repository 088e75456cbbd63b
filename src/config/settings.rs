//! The table of settings. One row defines the flag, the environment variable, the file key, the default and the help
//! text of a setting. `docs/configuration.md` contains the same rows; a test compares them.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Deserialize;
use toml::Spanned;

use super::tables::ProjectTable;
use super::{
    ApiProfile, BadgeAccess, BaseUrl, ByteSize, CheckConfig, HeaderField, HistoryMode, HostName,
    LedgerAddress, ListenAddress, LogFormat, LogLevel, MetricsDetail, Origin, People, Period,
    ProxyAddress, Rate, ReleaseConfig,
};
use gitglot_checks::MessageSyntax;
use gitglot_model::{FileFormat, MaskPattern, PathPattern, RefPattern, RepoPath, Slug};

/// A setting: flag `--listen`, variable `GITGLOT_LISTEN`, file key `listen`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The file key.
    pub key: &'static str,
    /// The environment variable.
    pub variable: &'static str,
    /// The default value or a description of it; `""` for none.
    pub default: &'static str,
    /// One sentence without a full stop.
    pub help: &'static str,
}

/// The settings under one heading of `--help`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SettingGroup {
    /// The heading.
    pub heading: &'static str,
    /// The settings, in the order of `--help`.
    pub settings: &'static [Setting],
}

impl Setting {
    /// The flag, such as `--state-dir`.
    pub fn flag(&self) -> String {
        format!("--{}", self.key.replace('_', "-"))
    }
}

/// Defines a group of flags. Each row: key, type, variable, placeholder of the value, default, help.
macro_rules! group {
    ($(#[$doc:meta])* $group:ident $heading:literal {
        $($(#[$attr:meta])* $key:ident: $type:ty, $variable:literal, $value:literal, $default:literal, $help:literal;)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Default, Debug, clap::Args)]
        #[command(next_help_heading = $heading)]
        pub struct $group {$(
            #[doc = $help]
            #[arg(long, env = $variable, value_name = $value, help = help($default, $help), hide_env_values = true)]
            $(#[$attr])*
            pub $key: Option<$type>,
        )*}

        impl $group {
            /// The rows of the group.
            pub(super) const GROUP: SettingGroup = SettingGroup { heading: $heading, settings: &[$(
                Setting { key: stringify!($key), variable: $variable, default: $default, help: $help },
            )*] };

            /// The keys of the settings that have a value.
            pub(super) fn given(&self) -> impl Iterator<Item = &'static str> {
                [$((stringify!($key), self.$key.is_some()),)*].into_iter().filter_map(|(key, given)| given.then_some(key))
            }
        }
    };
}

/// Defines the groups of settings that a configuration file may contain. The first word of a row is its kind:
/// `default` parses the default, `optional` has no value without a setting, `path` is an optional path that starts at
/// the current directory, or in a file at the directory of the file.
macro_rules! settings {
    ($($(#[$doc:meta])* $args:ident: $group:ident $heading:literal {
        $($(#[$attr:meta])* $kind:ident $key:ident: $type:ty, $variable:literal, $value:literal, $default:literal,
            $help:literal;)*
    })*) => {
        $(group! {
            $(#[$doc])* $group $heading {
                $($(#[$attr])* $key: $type, $variable, $value, $default, $help;)*
            }
        })*

        /// The content of a configuration file.
        #[derive(Default, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct FileSettings {
            $($(pub(super) $key: Option<$type>,)*)*
            #[serde(default)]
            pub(super) check: CheckConfig,
            #[serde(default)]
            pub(super) release: ReleaseConfig,
            #[serde(default)]
            pub(super) people: People,
            #[serde(default)]
            pub(super) project: Vec<Spanned<ProjectTable>>,
        }

        /// The value of every setting that a configuration file may contain.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Settings {$($(
            #[doc = $help]
            pub $key: value_type!($kind $type),
        )*)*}

        impl FileSettings {
            /// The keys that have a value, apart from projects.
            pub(super) fn given(&self) -> impl Iterator<Item = &'static str> {
                let given = [
                    $($((stringify!($key), self.$key.is_some()),)*)*
                    ("check", self.check != CheckConfig::default()),
                    ("release", self.release != ReleaseConfig::default()),
                    ("people", self.people != People::default()),
                ];
                given.into_iter().filter_map(|(key, given)| given.then_some(key))
            }
        }

        impl Settings {
            /// Flags win over the file, the file over defaults. Relative paths start at `folder` in flags and at
            /// `file_folder` in the file.
            pub(super) fn resolve(
                $($args: $group,)*
                file: FileSettings,
                folder: &Path,
                file_folder: &Path,
            ) -> Self {
                Self {$($($key: resolve!($kind, $args.$key, file.$key, $default, folder, file_folder),)*)*}
            }

            /// Every setting in the order of `--help`: its key, its value as TOML if it has one, and its default.
            pub(super) fn effective(&self) -> Vec<(&'static str, Option<toml::Value>, &'static str)> {
                vec![$($((stringify!($key), effective!($kind, self.$key), $default),)*)*]
            }

            /// The keys of the settings that differ.
            pub(super) fn differences(&self, other: &Self) -> impl Iterator<Item = &'static str> {
                let differ = [$($((stringify!($key), self.$key != other.$key),)*)*];
                differ.into_iter().filter_map(|(key, differs)| differs.then_some(key))
            }
        }
    };
}

macro_rules! value_type {
    (default $type:ty) => { $type };
    ($kind:ident $type:ty) => { Option<$type> };
}

/// The value of a setting as TOML; `None` without one.
macro_rules! effective {
    (path, $value:expr) => {
        effective!(text, $value.as_deref().map(Path::to_string_lossy))
    };
    ($kind:ident, $value:expr) => {
        toml::Value::try_from(&$value).ok()
    };
}

macro_rules! resolve {
    (default, $flag:expr, $file:expr, $default:literal, $folder:ident, $file_folder:ident) => {
        $flag.or($file).unwrap_or_else(|| parse_default($default))
    };
    (optional, $flag:expr, $file:expr, $default:literal, $folder:ident, $file_folder:ident) => {
        $flag.or($file)
    };
    (path, $flag:expr, $file:expr, $default:literal, $folder:ident, $file_folder:ident) => {
        $flag
            .map(|path| $folder.join(path))
            .or($file.map(|path| $file_folder.join(path)))
    };
}

group! {
    /// Replaces the detection of components in a single repository.
    Overrides "Repository (default: detect everything)" {
        project: Slug, "GITGLOT_PROJECT", "SLUG", "last path segment of the repository", "Slug of the project";
        component: Slug, "GITGLOT_COMPONENT", "SLUG", "derived from the file mask",
            "Slug of the component: names that of a file mask, selects one of those that are detected";
        branch: String, "GITGLOT_BRANCH", "NAME", "the remote's HEAD", "Branch to follow";
        #[arg(value_delimiter = ',')]
        branches: Vec<RefPattern>, "GITGLOT_BRANCHES", "PATTERN,…",
            "for serve without credentials, all branches; otherwise none",
            "Other branches and references that requests may name, such as release/* or refs/pull/*/head";
        filemask: MaskPattern, "GITGLOT_FILEMASK", "MASK", "detected",
            "Path pattern of the translation files, with * for the language code; {language} and {name} create one \
             component per name";
        template: RepoPath, "GITGLOT_TEMPLATE", "PATH", "detected", "Path of the file with the source strings";
        #[arg(value_parser = file_format())]
        file_format: FileFormat, "GITGLOT_FILE_FORMAT", "FORMAT", "detected", "Format of the translation files";
        #[arg(value_parser = message_syntax())]
        message_syntax: MessageSyntax, "GITGLOT_MESSAGE_SYNTAX", "SYNTAX",
            "that of the file format, or of the library that a manifest names", "Placeholders and markup of the texts";
        #[arg(value_delimiter = ',')]
        exclude: Vec<PathPattern>, "GITGLOT_EXCLUDE", "PATTERN,…", "none",
            "Files and directories that detection leaves out, as in .gitignore, such as fixtures or docs/**/*.json";
        source_language: String, "GITGLOT_SOURCE_LANGUAGE", "CODE",
            "en, unless the template is named after a different language", "Language code of the template";
    }
}

group! {
    /// Credentials and trust anchors for a repository. All components of a repository share them.
    RepoAccessArgs "Repository access" {
        token_file: PathBuf, "GITGLOT_TOKEN_FILE", "FILE", "", "File with the HTTPS token or user:password";
        token_env: String, "GITGLOT_TOKEN_ENV", "NAME", "",
            "Environment variable with the HTTPS token or user:password";
        username: String, "GITGLOT_USERNAME", "NAME", "the user name in the URL, or one that the host accepts",
            "User name for the token";
        credential_helper: String, "GITGLOT_CREDENTIAL_HELPER", "HELPER", "none",
            "Credential helper, in the syntax of git's credential.helper";
        ssh_key: PathBuf, "GITGLOT_SSH_KEY", "FILE", "the SSH agent and ssh's default keys", "Private key for SSH";
        known_hosts: PathBuf, "GITGLOT_KNOWN_HOSTS", "FILE", "ssh's default files", "File with trusted SSH host keys";
        ca_file: PathBuf, "GITGLOT_CA_FILE", "FILE", "the system's certificates",
            "PEM file with the certificate authorities to trust for HTTPS";
    }
}

settings! {
    /// Settings of the HTTP server.
    http: HttpArgs "HTTP server" {
        default listen: ListenAddress, "GITGLOT_LISTEN", "HOST:PORT", "127.0.0.1:8000",
            "Address to listen on; port 0 picks a free port";
        path tls_cert: PathBuf, "GITGLOT_TLS_CERT", "FILE", "",
            "PEM file with the certificate chain; enables HTTPS; reloaded when it changes";
        path tls_key: PathBuf, "GITGLOT_TLS_KEY", "FILE", "", "PEM file with the private key of tls-cert";
        optional base_url: BaseUrl, "GITGLOT_BASE_URL", "URL", "scheme and host of the request",
            "Base URL of all API links";
        default api: ApiProfile, "GITGLOT_API", "VERSION", "3.4",
            "API at /api/: that of Weblate 3.4, or current; the other one is at /current/api/ or /3.4/api/";
        optional site_url: BaseUrl, "GITGLOT_SITE_URL", "URL", "the base URL", "Base URL of links to HTML pages";
        #[arg(value_delimiter = ',')]
        optional allowed_hosts: Vec<HostName>, "GITGLOT_ALLOWED_HOSTS", "HOST,…",
            "loopback names, the listen address, IP addresses, the machine's name and the host of base-url",
            "Additional host names that requests may use; .NAME includes subdomains, * allows all";
        #[arg(value_delimiter = ',')]
        optional trusted_proxies: Vec<ProxyAddress>, "GITGLOT_TRUSTED_PROXIES", "ADDRESS,…", "none",
            "Addresses or networks of proxies whose Forwarded and X-Forwarded-* headers are trusted";
        #[arg(value_delimiter = ',')]
        optional cors_origins: Vec<Origin>, "GITGLOT_CORS_ORIGINS", "ORIGIN,…", "none",
            "Origins whose pages may read responses; * allows all";
        path tokens: PathBuf, "GITGLOT_TOKENS", "FILE", "",
            "File with read tokens, one per line, or with grants; if set, every request needs a token; reloaded when it changes";
        optional user_header: HeaderField, "GITGLOT_USER_HEADER", "NAME", "none",
            "Header in which trusted proxies report the person whom they signed in, such as X-Forwarded-User";
        optional groups_header: HeaderField, "GITGLOT_GROUPS_HEADER", "NAME", "none",
            "Header in which trusted proxies report the groups of the person, separated by commas";
        default badge_access: BadgeAccess, "GITGLOT_BADGE_ACCESS", "ACCESS", "token",
            "Access to badges if requests need a token: public, or only with a token";
        optional rate_limit: Rate, "GITGLOT_RATE_LIMIT", "N/TIME", "none",
            "Maximum request rate per client, such as 20/s or 600/m; further requests get a 429";
        default max_connections: NonZeroU32, "GITGLOT_MAX_CONNECTIONS", "N", "1000",
            "Maximum number of open connections; clients that wait longer than one second get a 503";
        optional max_connections_per_client: NonZeroU32, "GITGLOT_MAX_CONNECTIONS_PER_CLIENT", "N",
            "a quarter of max-connections",
            "Maximum number of open connections per client address, except for loopback and trusted proxies; further ones get a 429";
        default header_timeout: Period, "GITGLOT_HEADER_TIMEOUT", "TIME", "10s",
            "Timeout for receiving the request headers";
        default idle_timeout: Period, "GITGLOT_IDLE_TIMEOUT", "TIME", "60s", "Timeout for idle connections";
        default cache_size: ByteSize, "GITGLOT_CACHE_SIZE", "SIZE", "64MB",
            "Memory for cached responses; 0 disables the cache";
        default revision_cache_size: ByteSize, "GITGLOT_REVISION_CACHE_SIZE", "SIZE", "64MB",
            "Memory for cached revisions and comparisons; 0 disables the cache";
        default max_scan_time: Period, "GITGLOT_MAX_SCAN_TIME", "TIME", "2s",
            "Maximum CPU time of a search, filter, export or page; requests that need more get a 400";
        default max_scan_rows: NonZeroU32, "GITGLOT_MAX_SCAN_ROWS", "N", "20000000",
            "Maximum number of strings or changes that a search, filter, export or page examines; requests that need more get a 400";
    }
    /// Settings of the data and its storage.
    data: DataArgs "Data" {
        path state_dir: PathBuf, "GITGLOT_STATE_DIR", "DIR", "a directory below the user's state directory",
            "Directory for mirrors, ids and checkpoints; only one gitglot at a time can use it";
        default history: HistoryMode, "GITGLOT_HISTORY", "MODE", "full",
            "How much history to read: every commit, or only the tip";
        default poll_interval: Period, "GITGLOT_POLL_INTERVAL", "TIME", "60s",
            "Interval between polls of a repository, plus or minus 10 %";
        optional ledger: LedgerAddress, "GITGLOT_LEDGER", "URL", "the state directory",
            "Ledger that several replicas share: s3://BUCKET/PREFIX, gs://…, az://… or file:///DIR";
        default ledger_poll_interval: Period, "GITGLOT_LEDGER_POLL_INTERVAL", "TIME", "1s",
            "Interval between reads of the shared ledger";
        #[arg(action = clap::ArgAction::Set)]
        default follow: bool, "GITGLOT_FOLLOW", "BOOL", "true",
            "Whether to poll the repositories; false serves only the content of the shared ledger";
        default max_mirror_size: ByteSize, "GITGLOT_MAX_MIRROR_SIZE", "SIZE", "10GB",
            "Maximum size of the mirror of a repository; a repository that needs more keeps its last state";
        default max_fetch_time: Period, "GITGLOT_MAX_FETCH_TIME", "TIME", "2h",
            "Maximum time of a fetch from a repository";
        default disk_reserve: ByteSize, "GITGLOT_DISK_RESERVE", "SIZE", "250MB",
            "Space on the disk of the state directory that fetches leave free, of which small ones may use half";
        path same_words: PathBuf, "GITGLOT_SAME_WORDS", "FILE", "a built-in list",
            "File that replaces the list of words that may stay untranslated: a JSON array, a JSON object with `words`, or one word per line";
    }
    /// Settings of the log and the metrics.
    log: LogArgs "Logging and metrics" {
        default log_format: LogFormat, "GITGLOT_LOG_FORMAT", "FORMAT", "text", "Format of the log on standard error";
        default log_level: LogLevel, "GITGLOT_LOG_LEVEL", "LEVEL", "info", "Lowest level of messages to log";
        default metrics_detail: MetricsDetail, "GITGLOT_METRICS_DETAIL", "DETAIL", "auto",
            "Labels of metrics: one series per component and repository, per project, or in total; auto is the most detailed with at most 500 series per metric";
    }
}

/// `--config`, the only setting that neither describes a repository nor has a file key.
pub(super) const CONFIG: Setting = Setting {
    key: "config",
    variable: "GITGLOT_CONFIG",
    default: "",
    help: "Configuration file with projects and components, or directory with one file per project, instead of REPO",
};

/// Every setting, in the order of `gitglot serve --help`.
pub fn setting_groups() -> [SettingGroup; 6] {
    let source = SettingGroup {
        heading: "Source",
        settings: &[CONFIG],
    };
    [
        source,
        Overrides::GROUP,
        RepoAccessArgs::GROUP,
        HttpArgs::GROUP,
        DataArgs::GROUP,
        LogArgs::GROUP,
    ]
}

/// The help text of a flag.
pub(super) fn help(default: &str, help: &str) -> String {
    if default.is_empty() {
        help.to_owned()
    } else {
        format!("{help} [default: {default}]")
    }
}

fn parse_default<T: std::str::FromStr>(text: &str) -> T {
    match text.parse() {
        Ok(value) => value,
        Err(_) => unreachable!("a test parses every default, also {text}"),
    }
}

fn file_format() -> impl TypedValueParser<Value = FileFormat> {
    PossibleValuesParser::new(FileFormat::ALL.map(FileFormat::name)).try_map(|name| name.parse())
}

fn message_syntax() -> impl TypedValueParser<Value = MessageSyntax> {
    let names = MessageSyntax::all().map(MessageSyntax::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

impl Overrides {
    /// Whether detection leaves out a path.
    pub fn excludes(&self, path: &str) -> bool {
        let mut patterns = self.exclude.iter().flatten();
        patterns.any(|pattern| pattern.matches(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn rows() -> Vec<Setting> {
        setting_groups()
            .iter()
            .flat_map(|group| group.settings)
            .copied()
            .collect()
    }

    #[test]
    fn every_setting_is_a_flag_and_a_variable() {
        let command = crate::cli::Cli::command();
        let serve = command.find_subcommand("serve").unwrap();
        let flags = serve
            .get_arguments()
            .filter(|flag| flag.get_long().is_some_and(|name| name != "help"));
        let flags: Vec<_> = flags
            .map(|flag| {
                let variable = flag.get_env().unwrap().to_str().unwrap().to_owned();
                (
                    format!("--{}", flag.get_long().unwrap()),
                    variable,
                    flag.get_help().unwrap().to_string(),
                )
            })
            .collect();
        let expected: Vec<_> = rows()
            .iter()
            .map(|row| {
                (
                    row.flag(),
                    row.variable.to_owned(),
                    help(row.default, row.help),
                )
            })
            .collect();
        assert_eq!(flags, expected);
    }

    #[test]
    fn variables_are_named_after_their_flags() {
        for row in rows() {
            assert_eq!(row.variable, format!("GITGLOT_{}", row.key.to_uppercase()));
        }
    }

    #[test]
    fn every_default_is_valid() {
        let (none, folder) = (FileSettings::default(), Path::new("/"));
        let settings = Settings::resolve(
            <_>::default(),
            <_>::default(),
            <_>::default(),
            none,
            folder,
            folder,
        );
        assert_eq!(settings.max_connections.get(), 1000);
        assert_eq!(settings.differences(&settings).next(), None);
    }
}
