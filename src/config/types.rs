//! What a configuration says, checked.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use super::{ByteSize, HostName, Origin, Overrides, ProxyAddress, Rate, RepoAccess, RepoAddress, Secret};
use crate::model::{Component, FileFormat, FileMask, Slug};

/// Everything that a run of gitglot is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Where to listen for requests.
    pub listen: ListenAddress,
    /// The folder that holds mirrors, ledger, checkpoint and lock. Absolute; may not exist yet.
    pub state_dir: PathBuf,
    /// How much of the history is read.
    pub history: HistoryMode,
    /// Time between two looks at a repository.
    pub poll_interval: Duration,
    /// Start of all API links, instead of the request's scheme and host.
    pub base_url: Option<BaseUrl>,
    /// Start of `web_url`, `share_url` and `translate_url`, instead of the base.
    pub site_url: Option<BaseUrl>,
    /// Hosts that requests may name, beside loopback names, addresses and the machine's own names.
    pub allowed_hosts: Vec<HostName>,
    /// Proxies whose word counts on the host and scheme that a request was sent to.
    pub trusted_proxies: Vec<ProxyAddress>,
    /// Pages of other origins that may read answers.
    pub cors_origins: Vec<Origin>,
    /// The file with the tokens that let somebody read; everybody may when it is not set. Absolute.
    pub tokens: Option<PathBuf>,
    /// How often one client may ask; as often as it likes when not set.
    pub rate_limit: Option<Rate>,
    /// How many connections are served at the same time.
    pub max_connections: NonZeroU32,
    /// Time in which the head of a request must have come.
    pub header_timeout: Duration,
    /// Time after which a connection without a request is closed.
    pub idle_timeout: Duration,
    /// The file that replaces the words of the `same` check. Absolute.
    pub same_words: Option<PathBuf>,
    /// How much memory answers may take that are kept to be given again.
    pub cache_size: ByteSize,
    /// How log lines are written.
    pub log_format: LogFormat,
    /// Which log lines are written.
    pub log_level: LogLevel,
    /// What is read.
    pub target: Target,
}

impl Config {
    /// How much memory kept answers may take unless told otherwise.
    pub const CACHE_SIZE: &str = "64MB";
    /// How many connections are served at the same time unless told otherwise.
    pub const MAX_CONNECTIONS: &str = "1000";
    /// Time for the head of a request unless told otherwise.
    pub const HEADER_TIMEOUT: &str = "10s";
    /// Time after which a connection without a request is closed unless told otherwise.
    pub const IDLE_TIMEOUT: &str = "60s";
    /// Time between two looks at a repository unless told otherwise.
    pub const POLL_INTERVAL: &str = "60s";
}

/// What is read: what a file lists, or one repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// The projects of a configuration file, in its order; at least one component in each.
    Projects(Vec<ProjectConfig>),
    /// One repository, whose components are found out.
    Repository(RepositoryTarget),
}

/// One repository and what is already known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepositoryTarget {
    /// Where it is.
    pub repo: RepoAddress,
    /// What need not be found out.
    pub overrides: Overrides,
    /// How it is reached.
    pub access: Box<RepoAccess>,
}

/// A project, as configured or as found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProjectConfig {
    /// Its name in URLs.
    pub slug: Slug,
    /// Its name for people; the slug unless given.
    pub name: String,
    /// Its web site, or `""`.
    pub web: String,
    /// Code of the language that the templates are written in.
    pub source_language: String,
    /// Its components, in configuration order.
    pub components: Vec<ComponentConfig>,
}

/// A component, as configured or as found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentConfig {
    /// Its name in URLs.
    pub slug: Slug,
    /// Its name for people; the slug unless given.
    pub name: String,
    /// The repository.
    pub repo: RepoAddress,
    /// How it is reached.
    pub access: RepoAccess,
    /// The branch; `None` for the one that the remote's HEAD names.
    pub branch: Option<String>,
    /// Which files are translations.
    pub filemask: FileMask,
    /// Path of the template from the repository's root.
    pub template: String,
    /// How the files are written.
    pub file_format: FileFormat,
    /// Licence of the translations, or `""`.
    pub license: String,
    /// Where that licence can be read, or `""`.
    pub license_url: String,
    /// Path of the file that new languages start from, or `""`.
    pub new_base: String,
    /// Public address of the repository for export, or `""`.
    pub git_export: String,
    /// Place among the components of its project: lower comes first.
    pub priority: u32,
    /// Masks that the files had before.
    pub previous_filemasks: Vec<FileMask>,
    /// More names of translation platforms.
    pub platforms: Vec<String>,
    /// What hooks for it must be signed with.
    pub hook_secret: Option<Secret>,
}

impl ComponentConfig {
    /// The priority of a component that is given none, as in Weblate 3.4.
    pub const MEDIUM_PRIORITY: u32 = Component::MEDIUM_PRIORITY;

    /// A component with all that one cannot be without; its name is its slug, and whatever else may be said of it is not.
    pub fn new(slug: Slug, repo: RepoAddress, filemask: FileMask, template: &str, file_format: FileFormat) -> Self {
        Self {
            name: slug.to_string(),
            slug,
            repo,
            access: RepoAccess::default(),
            branch: None,
            filemask,
            template: template.to_owned(),
            file_format,
            license: String::new(),
            license_url: String::new(),
            new_base: String::new(),
            git_export: String::new(),
            priority: Self::MEDIUM_PRIORITY,
            previous_filemasks: Vec::new(),
            platforms: Vec::new(),
            hook_secret: None,
        }
    }
}

/// How much of the history is read (design 3).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HistoryMode {
    /// Every commit.
    #[default]
    Full,
    /// Only the tip.
    None,
}

/// How log lines are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Which log lines are written: those of this level and of the graver ones.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// None.
    Off,
    /// What failed.
    Error,
    /// What somebody should look at.
    Warn,
    /// What happened.
    #[default]
    Info,
    /// How it happened.
    Debug,
    /// Everything, also of the libraries.
    Trace,
}

/// An address to listen at: host name or IP literal, and port; port 0 is any free one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListenAddress(String);

impl ListenAddress {
    /// Where to listen unless told otherwise.
    pub const DEFAULT: &str = "127.0.0.1:8000";

    /// Takes `HOST:PORT`; an IPv6 address stands in brackets.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no address to listen at: write HOST:PORT, for instance {}", Self::DEFAULT);
        let (host, port) = text.rsplit_once(':').ok_or_else(wrong)?;
        let bare_v6 = host.contains(':') && !(host.starts_with('[') && host.ends_with(']'));
        if host.is_empty() || bare_v6 || host.contains(char::is_whitespace) || port.parse::<u16>().is_err() {
            return Err(wrong());
        }
        Ok(Self(text.to_owned()))
    }

    /// The text as given, to be resolved when it is bound.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for ListenAddress {
    fn default() -> Self {
        Self(Self::DEFAULT.to_owned())
    }
}

/// The start of links: scheme, host and perhaps a path, without a slash at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// Takes an `http` or `https` URL; slashes at its end are dropped.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no start of links: write a URL such as https://translations.example.org");
        let url: poem::http::Uri = text.parse().map_err(|_| wrong())?;
        let scheme = url.scheme_str().is_some_and(|scheme| scheme == "http" || scheme == "https");
        let host = url.authority().is_some_and(|it| !it.host().is_empty() && !it.as_str().contains('@'));
        if !scheme || !host || text.contains(['?', '#']) {
            return Err(wrong());
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }

    /// The URL, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_to_listen_at_has_a_host_and_a_port() {
        for right in ["127.0.0.1:8000", "localhost:0", "[::1]:80", "0.0.0.0:65535"] {
            assert_eq!(ListenAddress::parse(right).unwrap().as_str(), right);
        }
        for wrong in ["", "8000", ":8000", "localhost", "localhost:", "localhost:65536", "::1:80", "a b:1"] {
            assert!(ListenAddress::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_start_of_links_is_an_http_url_without_a_slash_at_its_end() {
        for (given, kept) in [
            ("https://translations.example.org/", "https://translations.example.org"),
            ("http://[::1]:8080/l10n//", "http://[::1]:8080/l10n"),
        ] {
            assert_eq!(BaseUrl::parse(given).unwrap().as_str(), kept);
        }
        for wrong in [
            "",
            "translations.example.org",
            "ftp://a.example",
            "https://",
            "https://u:p@a.example",
            "/a",
            "https://a.example/?x",
        ] {
            assert!(BaseUrl::parse(wrong).is_err(), "{wrong}");
        }
    }
}
