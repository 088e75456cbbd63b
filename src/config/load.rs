//! Flags over variables over the file over defaults. (Variables reach us as flags: clap reads them.)

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::file::{self, FileConfig};
use super::{Config, ConfigError, Flags, Period, RepoAddress, RepositoryTarget, Target, state};

/// [`Config::POLL_INTERVAL`].
const POLL_INTERVAL: Duration = Duration::from_secs(60);
/// [`Config::MAX_CONNECTIONS`].
const MAX_CONNECTIONS: NonZeroU32 = NonZeroU32::MIN.saturating_add(999);
/// [`Config::HEADER_TIMEOUT`].
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// [`Config::IDLE_TIMEOUT`].
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

impl Config {
    /// The configuration that flags, variables and, where named, the file make together.
    ///
    /// # Errors
    /// The first thing that is wrong, in one sentence.
    pub fn load(flags: Flags) -> Result<Self, ConfigError> {
        let folder = std::env::current_dir().map_err(ConfigError::NoCurrentFolder)?;
        load(flags, &folder, &|name| std::env::var_os(name))
    }
}

/// As [`Config::load`]; relative paths start at `folder`, `variable` looks up the environment.
fn load(flags: Flags, folder: &Path, variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Config, ConfigError> {
    let Flags { target, http, data, log } = flags;
    let (file, target, readable, identity) = match (target.repo, target.config) {
        (Some(_), Some(path)) => return Err(ConfigError::RepoAndFile(path)),
        (None, None) => return Err(ConfigError::NothingToRead),
        (Some(repo), None) => {
            let repo = RepoAddress::parse(&repo, folder).map_err(ConfigError::Repository)?;
            let (readable, identity) = (repo.last_part(), repo.public());
            let access = target.access.in_folder(folder);
            if let Some((key, what)) = access.contradiction() {
                return Err(ConfigError::Repository(format!("--{}: {what}", key.replace('_', "-"))));
            }
            let target = RepositoryTarget { repo, overrides: target.overrides, access: Box::new(access) };
            (FileConfig::default(), Target::Repository(target), readable, identity)
        }
        (None, Some(path)) => {
            if let Some(flag) = target.overrides.first_given().or(target.access.first_given()) {
                return Err(ConfigError::OverrideWithFile(flag));
            }
            let path = folder.join(path);
            let unreadable = |source| ConfigError::Unreadable { path: path.clone(), source };
            // The real path gives one file one state directory, whatever it is called by.
            let real = path.canonicalize().map_err(unreadable)?;
            let text = std::fs::read_to_string(&real).map_err(unreadable)?;
            let mut file = file::parse(&path, &text)?;
            let projects = std::mem::take(&mut file.projects);
            let readable = real.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (file, Target::Projects(projects), readable, real.to_string_lossy().into_owned())
        }
    };
    let absolute = |path: PathBuf| folder.join(path);
    let state_dir = match data.state_dir.map(absolute).or(file.state_dir) {
        Some(given) => given,
        None => state::default_dir(variable, &readable, &identity).ok_or(ConfigError::NoStateFolder)?,
    };
    Ok(Config {
        listen: http.listen.or(file.listen).unwrap_or_default(),
        state_dir,
        history: data.history.or(file.history).unwrap_or_default(),
        poll_interval: data.poll_interval.or(file.poll_interval).map_or(POLL_INTERVAL, Period::duration),
        base_url: http.base_url.or(file.base_url),
        site_url: http.site_url.or(file.site_url),
        allowed_hosts: http.allowed_hosts.or(file.allowed_hosts).unwrap_or_default(),
        trusted_proxies: http.trusted_proxies.or(file.trusted_proxies).unwrap_or_default(),
        cors_origins: http.cors_origins.or(file.cors_origins).unwrap_or_default(),
        tokens: http.tokens.map(absolute).or(file.tokens),
        rate_limit: http.rate_limit.or(file.rate_limit),
        max_connections: http.max_connections.or(file.max_connections).unwrap_or(MAX_CONNECTIONS),
        header_timeout: http.header_timeout.or(file.header_timeout).map_or(HEADER_TIMEOUT, Period::duration),
        idle_timeout: http.idle_timeout.or(file.idle_timeout).map_or(IDLE_TIMEOUT, Period::duration),
        same_words: data.same_words.map(absolute).or(file.same_words),
        cache_size: http.cache_size.or(file.cache_size).unwrap_or_default(),
        log_format: log.log_format.or(file.log_format).unwrap_or_default(),
        log_level: log.log_level.or(file.log_level).unwrap_or_default(),
        target,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::config::{HistoryMode, LogFormat};
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
    }

    /// What a command line makes, in a folder, for somebody with a home.
    pub(in crate::config) fn loaded(folder: &Path, line: &[&str]) -> Result<Config, ConfigError> {
        let words = ["gitglot"].iter().chain(line).copied();
        let flags = Line::try_parse_from(words).map_err(|error| error.to_string()).unwrap().flags;
        load(flags, folder, &|name| (name == "HOME").then(|| "/home/somebody".into()))
    }

    fn folder_with(text: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("gitglot.toml"), text).unwrap();
        folder
    }

    const FILE: &str = r#"
listen = "127.0.0.1:9000"
state_dir = "kept"
history = "none"
[[project]]
[[project.component]]
repo = "project"
filemask = "*.json"
template = "en.json"
file_format = "json"
"#;

    #[test]
    fn one_repository_needs_no_configuration() {
        let config = loaded(Path::new("/base"), &["project"]).unwrap();
        assert_eq!(config.listen.as_str(), "127.0.0.1:8000");
        assert_eq!(config.history, HistoryMode::Full);
        assert_eq!(config.max_connections.to_string(), Config::MAX_CONNECTIONS);
        let times = [config.poll_interval, config.header_timeout, config.idle_timeout];
        let written = [Config::POLL_INTERVAL, Config::HEADER_TIMEOUT, Config::IDLE_TIMEOUT];
        assert_eq!(times, written.map(|time| Period::parse(time).unwrap().duration()));
        assert_eq!((config.base_url, config.site_url, config.same_words), (None, None, None));
        let Target::Repository(target) = config.target else { panic!() };
        assert_eq!(target.repo.for_git(), "/base/project");
        assert_eq!(target.overrides.first_given(), None);
    }

    #[test]
    fn a_flag_wins_over_the_file_and_the_file_over_the_default() {
        let folder = folder_with(FILE);
        let config = loaded(folder.path(), &["--config", "gitglot.toml"]).unwrap();
        assert_eq!(config.listen.as_str(), "127.0.0.1:9000");
        assert_eq!(config.history, HistoryMode::None);
        assert_eq!(config.log_format, LogFormat::Text);
        assert_eq!(config.state_dir, folder.path().join("kept"));
        let line = ["--config", "gitglot.toml", "--listen", "[::1]:0", "--history", "full", "--state-dir", "mine"];
        let config = loaded(folder.path(), &line).unwrap();
        assert_eq!(config.listen.as_str(), "[::1]:0");
        assert_eq!(config.history, HistoryMode::Full);
        assert_eq!(config.state_dir, folder.path().join("mine"));
    }

    #[test]
    fn paths_in_the_file_start_at_its_folder() {
        let folder = folder_with(FILE);
        let file = folder.path().join("gitglot.toml");
        let config = loaded(Path::new("/base"), &["--config", file.to_str().unwrap()]).unwrap();
        let Target::Projects(projects) = config.target else { panic!() };
        assert_eq!(projects[0].components[0].repo.for_git(), folder.path().join("project").to_str().unwrap());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn each_configuration_and_each_repository_has_its_own_state_folder() {
        let (one, two) = (folder_with(FILE), folder_with(FILE));
        let files = [&one, &two].map(|folder| {
            let text = FILE.replace("state_dir = \"kept\"\n", "");
            std::fs::write(folder.path().join("gitglot.toml"), text).unwrap();
            loaded(folder.path(), &["--config", "gitglot.toml"]).unwrap().state_dir
        });
        let repositories = ["https://a.example/x", "https://u:p@a.example/x", "https://b.example/x"]
            .map(|repo| loaded(Path::new("/base"), &[repo]).unwrap().state_dir);
        assert_ne!(files[0], files[1]);
        assert_eq!(repositories[0], repositories[1], "a new password is no other repository");
        assert_ne!(repositories[0], repositories[2]);
        for (dir, start) in [(&files[0], "gitglot-"), (&repositories[0], "x-")] {
            let path = dir.to_str().unwrap();
            assert!(path.starts_with(&format!("/home/somebody/.local/state/gitglot/{start}")), "{path}");
        }
    }

    #[test]
    fn what_contradicts_itself_is_told() {
        let folder = folder_with(FILE);
        for (line, message) in [
            (&["project", "--config", "gitglot.toml"][..], "both REPO and a configuration file"),
            (&[], "nothing to read"),
            (&["--config", "gitglot.toml", "--branch", "main"], "--branch is for one repository"),
            (&["--branch", "main"], "nothing to read"),
            (&["--config", "missing.toml"], "cannot read the configuration file"),
            (&[""], "the address of the repository is empty"),
        ] {
            let error = loaded(folder.path(), line).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
