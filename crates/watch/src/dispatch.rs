//! Sends the events of the system to those who watch their directories.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use notify::event::{AccessKind, AccessMode};
use notify::{ErrorKind, Event, EventKind};
use parking_lot::RwLock;

/// A directory to watch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WatchedDir {
    /// The directory.
    pub path: PathBuf,
    /// Whether to watch the directories below it, too. Links are not followed.
    pub is_recursive: bool,
}

/// Receives the events of the system.
pub type Handler = Box<dyn Fn(notify::Result<Event>) + Send>;

/// Receives the changed paths, or `None` if events were lost.
pub(super) type Listener = dyn Fn(Option<&[PathBuf]>) + Send + Sync;

#[derive(Default)]
pub(super) struct Dispatcher {
    listeners: RwLock<Listeners>,
    /// The system has run out of watches, and a warning was logged.
    is_reported: AtomicBool,
}

#[derive(Default)]
struct Listeners {
    next: u64,
    all: BTreeMap<u64, (Vec<PathBuf>, Arc<Listener>)>,
    /// Who watches a directory, and whether also the directories below it.
    by_dir: HashMap<PathBuf, Vec<(u64, bool)>>,
}

impl Dispatcher {
    /// Adds a listener; returns its id.
    pub(super) fn add(&self, dirs: &[WatchedDir], listener: Arc<Listener>) -> u64 {
        let mut listeners = self.listeners.write();
        let id = listeners.next;
        listeners.next += 1;
        for dir in dirs {
            let of_dir = listeners.by_dir.entry(dir.path.clone()).or_default();
            of_dir.push((id, dir.is_recursive));
        }
        let paths = dirs.iter().map(|dir| dir.path.clone()).collect();
        listeners.all.insert(id, (paths, listener));
        id
    }

    pub(super) fn remove(&self, id: u64) {
        let mut listeners = self.listeners.write();
        let Some((paths, _)) = listeners.all.remove(&id) else {
            return;
        };
        for path in paths {
            if let Some(of_dir) = listeners.by_dir.get_mut(&path) {
                of_dir.retain(|(other, _)| *other != id);
                if of_dir.is_empty() {
                    listeners.by_dir.remove(&path);
                }
            }
        }
    }

    /// Sends an event to those who watch one of its directories.
    pub(super) fn dispatch(&self, event: notify::Result<Event>) {
        let event = match event {
            Ok(event) if event.need_rescan() => None,
            Ok(event) if !is_change(&event.kind) => return,
            Ok(event) => Some(event),
            Err(error) => {
                self.report_limit(&error);
                None
            }
        };
        let paths = event.as_ref().map(|event| &event.paths[..]);
        let listeners = match paths {
            Some(paths) => self.listeners.read().of(paths),
            None => self.listeners.read().everybody(),
        };
        listeners.iter().for_each(|listener| listener(paths));
    }

    /// Whether an error means that the system has run out of watches. Logs that once.
    pub(super) fn report_limit(&self, error: &notify::Error) -> bool {
        let Some(setting) = exhausted(error) else {
            return false;
        };
        if !self.is_reported.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "cannot watch all repositories and files for changes: raise {setting}; \
                 gitglot finds changes at the next poll instead"
            );
        }
        true
    }
}

impl Listeners {
    fn everybody(&self) -> Vec<Arc<Listener>> {
        let all = self.all.values();
        all.map(|(_, listener)| listener.clone()).collect()
    }

    /// Those who watch the directory of one of the paths, each once.
    fn of(&self, paths: &[PathBuf]) -> Vec<Arc<Listener>> {
        let mut ids = BTreeSet::new();
        for path in paths {
            for (distance, dir) in path.ancestors().enumerate() {
                let of_dir = self.by_dir.get(dir).into_iter().flatten();
                let near = of_dir.filter(|(_, is_recursive)| *is_recursive || distance <= 1);
                ids.extend(near.map(|(id, _)| *id));
            }
        }
        let found = ids.iter().filter_map(|id| self.all.get(id));
        found.map(|(_, listener)| listener.clone()).collect()
    }
}

/// Whether an event is a change. Files are also opened and read.
fn is_change(kind: &EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    }
}

/// The setting of the system to raise after an error, if it has run out of watchers or watches.
pub(super) fn exhausted(error: &notify::Error) -> Option<&'static str> {
    #[cfg(unix)]
    let is_out_of_instances = |error: &std::io::Error| {
        error.raw_os_error() == Some(rustix::io::Errno::MFILE.raw_os_error())
    };
    #[cfg(not(unix))]
    let is_out_of_instances = |_: &std::io::Error| false;
    match &error.kind {
        ErrorKind::MaxFilesWatch => Some("fs.inotify.max_user_watches"),
        ErrorKind::Io(error) if is_out_of_instances(error) => Some("fs.inotify.max_user_instances"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_name_the_setting_to_raise() {
        let out_of_instances = std::io::Error::from_raw_os_error(24);
        for (error, setting) in [
            (
                notify::Error::new(ErrorKind::MaxFilesWatch),
                Some("fs.inotify.max_user_watches"),
            ),
            (
                notify::Error::io(out_of_instances),
                Some("fs.inotify.max_user_instances"),
            ),
            (notify::Error::path_not_found(), None),
        ] {
            assert_eq!(exhausted(&error), setting, "{error}");
        }
    }
}
