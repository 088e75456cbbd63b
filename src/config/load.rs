//! Flags over variables over the file over defaults. (Variables reach us as flags: clap reads them.)

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::file::{self, FileConfig};
use super::{Config, ConfigError, Flags, RepoAddress, RepositoryTarget, Target, state};

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
            let target = RepositoryTarget { repo, overrides: target.overrides };
            (FileConfig::default(), Target::Repository(target), readable, identity)
        }
        (None, Some(path)) => {
            if let Some(flag) = target.overrides.first_given() {
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
        base_url: http.base_url.or(file.base_url),
        site_url: http.site_url.or(file.site_url),
        same_words: data.same_words.map(absolute).or(file.same_words),
        log_format: log.log_format.or(file.log_format).unwrap_or_default(),
        log_level: log.log_level.or(file.log_level).unwrap_or_default(),
        target,
    })
}
