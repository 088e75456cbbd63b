//! Loads a [`Config`]: flags win over variables, variables over the file, the file over defaults. clap reads the
//! variables, so they arrive as flags. Rules: `docs/spec/settings.md#precedence`.

use std::ffi::OsString;
use std::path::Path;

use super::directory::config_files;
use super::settings::FileSettings;
use super::text_file::read_text_file;
use super::{
    CheckFile, Config, ConfigError, ConfigFlags, RepositoryTarget, Settings, SourceArgs, Target,
    TargetArgs, file, repo_access, state,
};
use gitglot_follow::RepoAddress;

/// Settings that a reload applies without a restart, besides the projects.
const RELOADABLE: [&str; 1] = ["poll_interval"];

impl Config {
    /// Loads the configuration from flags, environment variables and, if one is named, a file.
    ///
    /// # Errors
    /// The first problem, in one sentence.
    pub fn load(flags: ConfigFlags) -> Result<Self, ConfigError> {
        let folder = std::env::current_dir().map_err(ConfigError::NoCurrentFolder)?;
        load(flags, &folder, &|name| std::env::var_os(name))
    }

    /// The flags, without `--`, of the settings that differ in `new` and apply only after a restart.
    pub fn restart_required(&self, new: &Self) -> Vec<String> {
        let differences = self
            .settings
            .differences(&new.settings)
            .filter(|key| !RELOADABLE.contains(key));
        differences.map(|key| key.replace('_', "-")).collect()
    }
}

/// A target, the settings of its file, and the name and identity of its default state directory.
struct ConfigSource {
    target: Target,
    file: FileSettings,
    name: String,
    identity: String,
}

/// Loads a configuration; relative paths start at `folder`, and `variable` looks up the environment.
fn load(
    flags: ConfigFlags,
    folder: &Path,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Config, ConfigError> {
    let ConfigFlags {
        target,
        http,
        data,
        log,
    } = flags;
    let TargetArgs { repo, source: args } = target;
    let file = args.config.as_ref().map(|path| folder.join(path));
    let file_folder = file.as_deref().filter(|file| !file.is_dir());
    let file_folder = file_folder.and_then(Path::parent);
    let file_folder = file_folder.or(file.as_deref()).unwrap_or(folder);
    let source = match (&repo, &args.config) {
        (Some(_), Some(path)) => return Err(ConfigError::RepoAndFile(path.clone())),
        (None, None) => {
            let around = enclosing_repository(folder).ok_or(ConfigError::NoSource)?;
            repository_source(&around.to_string_lossy(), &args, folder)?
        }
        (Some(repo), None) => repository_source(repo, &args, folder)?,
        (None, Some(path)) => file_source(&folder.join(path), &args)?,
    };
    let settings = Settings::resolve(http, data, log, source.file, folder, file_folder);
    match (&settings.tls_cert, &settings.tls_key) {
        (Some(_), None) => return Err(ConfigError::IncompleteTls("tls-key")),
        (None, Some(_)) => return Err(ConfigError::IncompleteTls("tls-cert")),
        _ => {}
    }
    let has_projects = matches!(source.target, Target::Projects(_));
    if !settings.follow && (settings.ledger.is_none() || !has_projects) {
        return Err(ConfigError::NothingToFollow);
    }
    let state_dir = match &settings.state_dir {
        Some(path) => path.clone(),
        None => state::default_dir(variable, &source.name, &source.identity)
            .ok_or(ConfigError::NoStateFolder)?,
    };
    Ok(Config {
        settings,
        state_dir,
        target: source.target,
        is_checkout: false,
    })
}

/// The innermost git repository that contains `folder`: a work tree or a bare repository.
fn enclosing_repository(folder: &Path) -> Option<&Path> {
    let is_bare = |path: &Path| {
        path.join("HEAD").is_file() && path.join("objects").is_dir() && path.join("refs").is_dir()
    };
    folder
        .ancestors()
        .find(|path| path.join(".git").exists() || is_bare(path))
}

/// The settings of the configuration file that `flags` name.
pub(super) fn file_settings(flags: &ConfigFlags) -> Result<FileSettings, ConfigError> {
    let source = &flags.target.source;
    match &source.config {
        Some(path) => Ok(file_source(path, source)?.file),
        None => Ok(FileSettings::default()),
    }
}

fn repository_source(
    repo: &str,
    args: &SourceArgs,
    folder: &Path,
) -> Result<ConfigSource, ConfigError> {
    let target = RepositoryTarget::new(repo, args, folder)?;
    let (name, identity) = (target.repo.last_part(), target.repo.public());
    Ok(ConfigSource {
        target: Target::Repository(Box::new(target)),
        file: FileSettings::default(),
        name,
        identity,
    })
}

/// Whether a text is `owner/repository`, as websites of hosts show it.
fn is_short_name(repo: &str) -> bool {
    let is_name = |part: &str| {
        let is_character = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        !part.is_empty() && !part.starts_with('.') && part.chars().all(is_character)
    };
    repo.split_once('/')
        .is_some_and(|(owner, name)| is_name(owner) && is_name(name))
}

impl RepositoryTarget {
    /// A repository with the overrides and credentials of a command line; relative paths start at `folder`.
    ///
    /// # Errors
    /// If the address or a credential setting is invalid.
    pub fn new(repo: &str, args: &SourceArgs, folder: &Path) -> Result<Self, ConfigError> {
        if is_short_name(repo) && !folder.join(repo).exists() {
            return Err(ConfigError::ShortName(repo.to_owned()));
        }
        let repo = RepoAddress::parse(repo, folder)
            .map_err(|error| ConfigError::Repository(error.to_string()))?;
        let access = repo_access::in_folder(args.access.clone().into(), folder);
        if let Some((key, problem)) = repo_access::problem(&access) {
            return Err(ConfigError::Repository(format!(
                "--{}: {problem}",
                key.replace('_', "-")
            )));
        }
        Ok(Self {
            repo,
            overrides: args.overrides.clone(),
            access: Box::new(access),
        })
    }
}

impl CheckFile {
    /// Reads the part of a configuration file that `gitglot check` needs. `args` must not describe a repository.
    ///
    /// # Errors
    /// The first problem, in one sentence.
    pub fn load(path: &Path, args: &SourceArgs) -> Result<Self, ConfigError> {
        let path = std::path::absolute(path).map_err(ConfigError::NoCurrentFolder)?;
        args.refuse_overrides()?;
        let text = read_text_file(&path).map_err(ConfigError::unreadable(&path))?;
        Self::parse(&path, &text)
    }

    /// As [`CheckFile::load`], with the text of the file. `path` is absolute; relative paths in the file start at its
    /// directory.
    ///
    /// # Errors
    /// The first problem, in one sentence.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let file = (path.to_owned(), text.to_owned());
        let (settings, projects) = file::parse_any(&[file], false)?;
        Ok(Self {
            check: settings.check,
            people: settings.people,
            projects,
        })
    }
}

impl SourceArgs {
    /// Checks that no flag describes a repository, which a configuration file does.
    ///
    /// # Errors
    /// The first such flag.
    pub fn refuse_overrides(&self) -> Result<(), ConfigError> {
        match self.overrides.given().chain(self.access.given()).next() {
            Some(key) => Err(ConfigError::OverrideWithFile(key.replace('_', "-"))),
            None => Ok(()),
        }
    }
}

fn file_source(path: &Path, args: &SourceArgs) -> Result<ConfigSource, ConfigError> {
    args.refuse_overrides()?;
    let files = config_files(path)?;
    // All names of a file share one state directory. A pipe has none, and cannot be read again.
    let real = path.canonicalize().map_err(ConfigError::unreadable(path))?;
    let (file, projects) = file::parse(&files, path.is_dir())?;
    let name = real.file_stem().unwrap_or_default();
    Ok(ConfigSource {
        target: Target::Projects(projects.into()),
        file,
        name: name.to_string_lossy().into_owned(),
        identity: real.to_string_lossy().into_owned(),
    })
}

#[cfg(test)]
mod tests;
