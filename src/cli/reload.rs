//! The configuration file is read again when it changes, and when the program is told to (`SIGHUP`). What is wrong with
//! the new one is told, and the old one stays in force.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::manager::Manager;
use crate::config::{Config, Flags, Target};
use crate::follow::FollowConfig;
use crate::health::Readiness;

/// Editors write a file in several steps: so long nothing must happen to it before it is read.
const QUIET: Duration = Duration::from_millis(200);

/// Why to look at the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// Somebody asks for it.
    Asked,
    /// Something happened to it, or beside it.
    Touched,
}

/// Reads the configuration again.
pub(super) struct Reloader {
    pub flags: Flags,
    /// What is in force.
    pub running: Config,
    pub readiness: Arc<Readiness>,
    pub manager: Arc<Manager>,
    /// Who has to follow what is wanted.
    pub follow: Box<dyn Fn(FollowConfig) + Send>,
}

impl Reloader {
    /// Reads the file again whenever there is a cause, on a thread of its own. Gives where causes are told.
    pub fn start(mut self) -> Sender<Cause> {
        let (sender, causes) = mpsc::channel();
        let file = self.flags.target.config.clone();
        let watcher = file.as_deref().and_then(|file| watch(file, sender.clone()));
        let mut text = file.as_deref().and_then(|file| std::fs::read(file).ok());
        std::thread::spawn(move || {
            let _watcher = watcher;
            while let Some(cause) = next(&causes) {
                let Some(file) = &file else {
                    tracing::info!("there is no configuration file that could be read again");
                    continue;
                };
                let now = std::fs::read(file).ok();
                if cause == Cause::Asked || now != text {
                    text = now;
                    self.read();
                }
            }
        });
        sender
    }

    fn read(&mut self) {
        self.manager.reloading();
        let config = match Config::load(self.flags.clone()) {
            Ok(config) => config,
            Err(error) => {
                tracing::error!("the new configuration is refused, and the one before stays in force: {error}");
                self.readiness.configuration_error(Some(error.to_string()));
                return self.manager.reloaded();
            }
        };
        self.readiness.configuration_error(None);
        let later = self.running.restart_required(&config);
        if !later.is_empty() {
            tracing::warn!("{} changed in the configuration: restart gitglot for that", later.join(", "));
        }
        let same = config.target == self.running.target
            && config.settings.poll_interval == self.running.settings.poll_interval;
        let Target::Projects(projects) = &config.target else { return self.manager.reloaded() };
        if same {
            tracing::info!("the configuration was read again: the same projects as before");
            return self.manager.reloaded();
        }
        let wanted = FollowConfig { projects: projects.clone(), interval: config.settings.poll_interval.duration() };
        (self.running.target, self.running.settings.poll_interval) = (config.target, config.settings.poll_interval);
        (self.follow)(wanted);
    }
}

/// Waits for a cause, and then until it is quiet.
fn next(causes: &Receiver<Cause>) -> Option<Cause> {
    let mut cause = causes.recv().ok()?;
    // Something else beside the file may be written all the time.
    let end = Instant::now() + QUIET * 10;
    while Instant::now() < end
        && let Ok(another) = causes.recv_timeout(QUIET)
    {
        if another == Cause::Asked {
            cause = another;
        }
    }
    Some(cause)
}

/// Watches the folder of a file, since editors put a new file in the place of the old one; where the file is a link,
/// also the folder that it leads to.
fn watch(file: &Path, touched: Sender<Cause>) -> Option<RecommendedWatcher> {
    let heard = move |event: notify::Result<notify::Event>| {
        // Reading it is no change. An error means that signs were lost.
        if !event.is_ok_and(|event| event.kind.is_access() && !is_written(&event)) {
            let _ = touched.send(Cause::Touched);
        }
    };
    let real = file.canonicalize().ok();
    let folders = [Some(file), real.as_deref()].into_iter().flatten().filter_map(folder_of);
    let watching = notify::recommended_watcher(heard).and_then(|mut watcher| {
        for folder in folders {
            watcher.watch(&folder, RecursiveMode::NonRecursive)?;
        }
        Ok(watcher)
    });
    watching.inspect_err(|error| tracing::warn!("changes of {} are not seen: {error}", file.display())).ok()
}

fn is_written(event: &notify::Event) -> bool {
    use notify::event::{AccessKind, AccessMode};
    event.kind == notify::EventKind::Access(AccessKind::Close(AccessMode::Write))
}

fn folder_of(file: &Path) -> Option<PathBuf> {
    std::path::absolute(file).ok()?.parent().map(Path::to_owned)
}
