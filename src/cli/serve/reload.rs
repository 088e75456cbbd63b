//! Reloads the configuration file when it changes and on SIGHUP. Rules: `docs/spec/settings.md#reload`.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use super::server_parts::ServerParts;
use crate::cli::expanded_config::ExpandedConfig;
use crate::cli::file_triggers::{FileTriggers, Trigger};
use crate::config::{Config, ConfigFlags, Target, config_files, watched_paths};
use gitglot_follow::FollowConfig;

/// Reloads the configuration.
pub(super) struct Reloader {
    pub flags: ConfigFlags,
    /// The configuration in force.
    pub running: Config,
    pub parts: Arc<ServerParts>,
    pub names: Arc<ExpandedConfig>,
}

impl Reloader {
    /// Starts a thread that reloads the file on each trigger. Returns the sender of triggers.
    pub fn start(mut self) -> Sender<Trigger> {
        let file = self.flags.target.source.config.clone();
        let watched = file.as_deref().map(watched_paths).unwrap_or_default();
        let watched = watched.iter().map(PathBuf::as_path);
        let (sender, mut triggers) = FileTriggers::new(&self.parts.watcher, watched);
        let mut text = file.as_deref().and_then(|file| content(file).ok());
        std::thread::spawn(move || {
            while let Some(trigger) = triggers.next() {
                let Some(file) = &file else {
                    tracing::info!("there is no configuration file to reload");
                    continue;
                };
                let current = match content(file) {
                    Err(error) if error.kind() == ErrorKind::InvalidInput => {
                        let reason = format!("cannot reload {}: {error}", file.display());
                        tracing::error!("{reason}");
                        self.parts.readiness.configuration_error(Some(reason));
                        // The next regular file is loaded even if it has the same content.
                        text = None;
                        continue;
                    }
                    read => read.ok(),
                };
                if trigger == Trigger::Signal || current != text {
                    text = current;
                    self.parts.manager.reloading();
                    if !self.reload() {
                        self.parts.manager.reloaded();
                    }
                }
            }
        });
        sender
    }

    /// Reloads the file; returns whether a new configuration is being applied.
    fn reload(&mut self) -> bool {
        let new = match Config::load(self.flags.clone()) {
            Ok(new) => new,
            Err(error) => {
                tracing::error!(
                    "the new configuration is invalid, keeping the previous one: {error}"
                );
                self.parts
                    .readiness
                    .configuration_error(Some(error.to_string()));
                return false;
            }
        };
        self.parts.readiness.configuration_error(None);
        let restart_required = self.running.restart_required(&new);
        if !restart_required.is_empty() {
            let keys = restart_required.join(", ");
            tracing::warn!("{keys} changed in the configuration: restart gitglot to apply");
        }
        let interval = new.settings.poll_interval;
        if new.target == self.running.target && interval == self.running.settings.poll_interval {
            tracing::info!("reloaded the configuration: projects and poll interval are unchanged");
            return false;
        }
        let Target::Projects(projects) = &new.target else {
            return false;
        };
        let config = FollowConfig {
            projects: projects.clone(),
            interval: interval.duration(),
        };
        (self.running.target, self.running.settings.poll_interval) = (new.target, interval);
        self.parts.loop_connection.reload(self.names.reload(config));
        true
    }
}

/// The content of the configuration: the paths and texts of its files. Reading a pipe could wait forever.
///
/// # Errors
/// If it cannot be read; [`ErrorKind::InvalidInput`] if it is neither a regular file nor a directory.
fn content(path: &Path) -> io::Result<String> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() && !metadata.is_dir() {
        let reason = "it is not a regular file";
        return Err(io::Error::new(ErrorKind::InvalidInput, reason));
    }
    let files = config_files(path).map_err(io::Error::other)?;
    let texts = files.into_iter();
    let texts = texts.map(|(path, text)| [&path.to_string_lossy(), "\n", &text].concat());
    Ok(texts.collect())
}
