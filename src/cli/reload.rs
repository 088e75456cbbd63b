//! Reloads the configuration file when it changes and on SIGHUP. Rules: `docs/spec/settings.md#reload`.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::service_manager::ServiceManager;
use crate::config::{Config, ConfigFlags, Target, read_text_file};
use crate::follow::FollowConfig;
use crate::health::Readiness;

/// Editors write a file in several steps: wait until it does not change for this time.
const QUIET: Duration = Duration::from_millis(200);

/// Why to reload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trigger {
    /// SIGHUP: reload in any case.
    Signal,
    /// The file or its directory changed: reload if the content differs.
    FileEvent,
}

/// Reloads the configuration.
pub(super) struct Reloader {
    pub flags: ConfigFlags,
    /// The configuration in force.
    pub running: Config,
    pub readiness: Arc<Readiness>,
    pub manager: Arc<ServiceManager>,
    /// Applies a new configuration.
    pub apply: Box<dyn Fn(FollowConfig) + Send>,
}

impl Reloader {
    /// Starts a thread that reloads the file on each trigger. Returns the sender of triggers.
    pub fn start(mut self) -> Sender<Trigger> {
        let (sender, triggers) = mpsc::channel();
        let file = self.flags.target.config.clone();
        let watcher = file.as_deref().and_then(|file| watch(file, sender.clone()));
        let mut text = file.as_deref().and_then(|file| content(file).ok());
        std::thread::spawn(move || {
            let _watcher = watcher;
            while let Some(trigger) = next(&triggers) {
                let Some(file) = &file else {
                    tracing::info!("there is no configuration file to reload");
                    continue;
                };
                let current = match content(file) {
                    Err(error) if error.kind() == ErrorKind::InvalidInput => {
                        let reason = format!("cannot reload {}: {error}", file.display());
                        tracing::error!("{reason}");
                        self.readiness.configuration_error(Some(reason));
                        // The next regular file is loaded even if it has the same content.
                        text = None;
                        continue;
                    }
                    read => read.ok(),
                };
                if trigger == Trigger::Signal || current != text {
                    text = current;
                    self.manager.reloading();
                    if !self.reload() {
                        self.manager.reloaded();
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
                self.readiness.configuration_error(Some(error.to_string()));
                return false;
            }
        };
        self.readiness.configuration_error(None);
        let restart_required = self.running.restart_required(&new);
        if !restart_required.is_empty() {
            tracing::warn!(
                "{} changed in the configuration: restart gitglot to apply",
                restart_required.join(", ")
            );
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
        (self.apply)(config);
        true
    }
}

/// The content of the configuration file. Reading a pipe could wait forever.
///
/// # Errors
/// If it cannot be read; [`ErrorKind::InvalidInput`] if it is not a regular file.
fn content(file: &Path) -> io::Result<String> {
    if !std::fs::metadata(file)?.is_file() {
        let reason = "it is not a regular file";
        return Err(io::Error::new(ErrorKind::InvalidInput, reason));
    }
    read_text_file(file)
}

/// Waits for a trigger, and then until no more arrive.
pub(super) fn next(triggers: &Receiver<Trigger>) -> Option<Trigger> {
    let mut trigger = triggers.recv().ok()?;
    // Other files in the directory may change continuously.
    let end = Instant::now() + QUIET * 10;
    while Instant::now() < end
        && let Ok(another) = triggers.recv_timeout(QUIET)
    {
        if another == Trigger::Signal {
            trigger = another;
        }
    }
    Some(trigger)
}

/// Watches the directory of a file, because editors replace files, and the directory of the target of a link.
pub(super) fn watch(file: &Path, sender: Sender<Trigger>) -> Option<RecommendedWatcher> {
    let on_event = move |event: notify::Result<notify::Event>| {
        // An error means that events were lost.
        if !event.is_ok_and(|event| event.kind.is_access() && !is_write_end(&event)) {
            let _ = sender.send(Trigger::FileEvent);
        }
    };
    let real = file.canonicalize().ok();
    let folders = [Some(file), real.as_deref()]
        .into_iter()
        .flatten()
        .filter_map(folder_of);
    let watching = notify::recommended_watcher(on_event).and_then(|mut watcher| {
        for folder in folders {
            watcher.watch(&folder, RecursiveMode::NonRecursive)?;
        }
        Ok(watcher)
    });
    let failed = |error: &notify::Error| {
        tracing::warn!(
            "cannot watch {}, send SIGHUP to reload it: {error}",
            file.display()
        );
    };
    watching.inspect_err(failed).ok()
}

fn is_write_end(event: &notify::Event) -> bool {
    use notify::event::{AccessKind, AccessMode};
    event.kind == notify::EventKind::Access(AccessKind::Close(AccessMode::Write))
}

fn folder_of(file: &Path) -> Option<PathBuf> {
    std::path::absolute(file).ok()?.parent().map(Path::to_owned)
}
