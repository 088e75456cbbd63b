//! When to read files again: after a signal, after an event of their directories, and, because events can be missing,
//! when their stamps differ.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::config::read_text_file;
use gitglot_watch::{DirWatch, DirWatcher, FileStamp, WatchedDir};

/// Editors write a file in several steps: wait until it does not change for this time.
const QUIET: Duration = Duration::from_millis(200);
/// Interval between comparisons of the stamps.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Why to read files again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trigger {
    /// SIGHUP: read in any case.
    Signal,
    /// A file or its directory changed: read if the content differs.
    FileEvent,
}

/// Waits for changes of files.
pub(super) struct FileTriggers {
    receiver: Receiver<Trigger>,
    files: Vec<PathBuf>,
    stamps: Vec<Option<FileStamp>>,
    interval: Duration,
    _watch: Option<DirWatch>,
}

impl FileTriggers {
    /// Waits for changes of these files, and for triggers of the returned sender.
    pub fn new<'a>(
        watcher: &DirWatcher,
        files: impl IntoIterator<Item = &'a Path>,
    ) -> (Sender<Trigger>, Self) {
        let (sender, receiver) = mpsc::channel();
        let files: Vec<PathBuf> = files.into_iter().map(Path::to_owned).collect();
        // Editors replace files. A link can get a different target, and the target can change.
        let real = files.iter().filter_map(|file| file.canonicalize().ok());
        let dirs = files.iter().cloned().chain(real).filter_map(|file| {
            Some(WatchedDir {
                path: std::path::absolute(file).ok()?.parent()?.to_owned(),
                is_recursive: false,
            })
        });
        let dirs: Vec<WatchedDir> = dirs.collect();
        let events = sender.clone();
        let watch = (!dirs.is_empty()).then(|| {
            watcher.watch(&dirs, move |_| {
                let _ = events.send(Trigger::FileEvent);
            })
        });
        let watch = watch.and_then(|watch| {
            let failed = watch.inspect_err(|error| tracing::debug!("{error}"));
            failed.ok()
        });
        let triggers = Self {
            receiver,
            stamps: files.iter().map(|file| FileStamp::of(file)).collect(),
            files,
            interval: POLL_INTERVAL,
            _watch: watch,
        };
        (sender, triggers)
    }

    /// Waits for a trigger, and then until no more arrive.
    pub fn next(&mut self) -> Option<Trigger> {
        let mut trigger = self.first()?;
        // Other files in the directory may change continuously.
        let end = Instant::now() + QUIET * 10;
        while Instant::now() < end
            && let Ok(another) = self.receiver.recv_timeout(QUIET)
        {
            if another == Trigger::Signal {
                trigger = another;
            }
        }
        self.stamps = self.files.iter().map(|file| FileStamp::of(file)).collect();
        Some(trigger)
    }

    fn first(&self) -> Option<Trigger> {
        if self.files.is_empty() {
            return self.receiver.recv().ok();
        }
        loop {
            match self.receiver.recv_timeout(self.interval) {
                Ok(trigger) => return Some(trigger),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {
                    let mut files = self.files.iter().zip(&self.stamps);
                    if files.any(|(file, known)| FileStamp::of(file) != *known) {
                        return Some(Trigger::FileEvent);
                    }
                }
            }
        }
    }
}

/// For each kind of file that is reloaded, whether its newest version was rejected.
#[derive(Clone, Default)]
pub(super) struct RejectedReloads(Arc<Mutex<BTreeMap<&'static str, bool>>>);

impl RejectedReloads {
    fn set(&self, name: &'static str, is_rejected: bool) {
        self.0.lock().insert(name, is_rejected);
    }

    /// The kinds in use.
    pub fn all(&self) -> BTreeMap<&'static str, bool> {
        self.0.lock().clone()
    }
}

/// Starts a thread that reads files again, with `reload`, when their content changes and on a signal. `name` is their
/// content. Returns the sender of triggers.
pub(super) fn reload_on_change<E: std::fmt::Display>(
    watcher: &DirWatcher,
    files: &[&Path],
    name: &'static str,
    rejected: RejectedReloads,
    reload: impl Fn() -> Result<(), E> + Send + 'static,
) -> Sender<Trigger> {
    let (sender, mut triggers) = FileTriggers::new(watcher, files.iter().copied());
    rejected.set(name, false);
    std::thread::spawn(move || {
        let read = |files: &[PathBuf]| -> Vec<Option<String>> {
            files.iter().map(|file| read_text_file(file).ok()).collect()
        };
        let mut texts = read(&triggers.files);
        while let Some(trigger) = triggers.next() {
            let current = read(&triggers.files);
            if trigger == Trigger::FileEvent && current == texts {
                continue;
            }
            texts = current;
            let result = reload();
            rejected.set(name, result.is_err());
            match result {
                Ok(()) => tracing::info!("reloaded the {name}"),
                Err(error) => {
                    tracing::error!("cannot reload the {name}, keeping the previous one: {error}");
                }
            }
        }
    });
    sender
}

#[cfg(test)]
mod tests {
    use super::*;
    use gitglot_testkit::FakeSystem;

    fn replace(file: &Path, text: &str) {
        let new = file.with_extension("new");
        std::fs::write(&new, text).unwrap();
        std::fs::rename(&new, file).unwrap();
    }

    #[test]
    fn a_replaced_file_is_noticed_with_and_without_watches() {
        let systems = [
            FakeSystem::default(),
            FakeSystem::with_limit(0),
            FakeSystem::without_watchers(),
        ];
        for (at, system) in systems.into_iter().enumerate() {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("gitglot.toml");
            std::fs::write(&file, "one").unwrap();
            let (_sender, mut triggers) = FileTriggers::new(&system.watcher(), [&*file]);
            if at == 0 {
                triggers.interval = Duration::from_secs(3600);
                replace(&file, "other");
                system.renamed(&file.with_extension("new"), &file);
            } else {
                triggers.interval = Duration::from_millis(1);
                replace(&file, "other");
            }
            assert_eq!(triggers.next(), Some(Trigger::FileEvent), "{at}");
        }
    }

    #[test]
    fn a_signal_counts_more_than_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cert.pem");
        let system = FakeSystem::default();
        let (sender, mut triggers) = FileTriggers::new(&system.watcher(), [&*file]);
        sender.send(Trigger::FileEvent).unwrap();
        sender.send(Trigger::Signal).unwrap();
        assert_eq!(triggers.next(), Some(Trigger::Signal));
    }
}
