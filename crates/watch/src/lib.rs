//! Watches directories, with one watcher of the system for the whole program.
//!
//! Systems limit the watchers and the watched directories of a user, and all programs of the user share them. When they
//! run out, one warning names the setting to raise. The system may drop events, and some file systems send none. So
//! every user of this crate also looks for changes at an interval. Must not depend on other crates of the workspace.
//!
//! ```
//! use std::sync::mpsc;
//!
//! use gitglot_testkit::FakeSystem;
//! use gitglot_watch::WatchedDir;
//!
//! let folder = tempfile::tempdir().unwrap();
//! let file = folder.path().canonicalize().unwrap().join("config.toml");
//! let (system, (sender, changes)) = (FakeSystem::default(), mpsc::channel());
//! let dirs = [WatchedDir { path: folder.path().to_owned(), is_recursive: false }];
//! let _watch = system.watcher().watch(&dirs, move |_| sender.send(()).unwrap()).unwrap();
//! system.renamed(&file.with_extension("new"), &file);
//! assert!(changes.recv().is_ok());
//! ```

mod dispatch;
mod stamp;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use notify::{Config, RecommendedWatcher, RecursiveMode, Watcher};
use parking_lot::Mutex;

pub use dispatch::{Handler, WatchedDir};
pub use stamp::FileStamp;

use dispatch::Dispatcher;

/// After the system has run out of watches, it is asked again after this time.
const RETRY: Duration = Duration::from_secs(600);

/// Why a directory cannot be watched.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The system refuses to watch this directory.
    #[error("cannot watch '{}' for changes: {reason}", path.display())]
    Refused {
        /// The directory.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The system has no watches left.
    #[error("the system has no watches left")]
    Exhausted,
}

/// Watches directories until it is dropped.
#[derive(Debug)]
pub struct DirWatch {
    watcher: DirWatcher,
    id: u64,
    /// With the identity that they had when the watch started.
    dirs: Vec<(PathBuf, Option<DirIdentity>)>,
    /// Whether all directories are watched.
    is_complete: bool,
}

/// The watcher of the program. Clones share it; it is created when it is needed first.
#[derive(Clone, Debug)]
pub struct DirWatcher(Arc<Shared>);

struct Shared {
    connect: Box<Connect>,
    dispatcher: Arc<Dispatcher>,
    /// Never locked while events are dispatched: the thread that dispatches also carries out requests.
    system: Mutex<System>,
}

/// Creates the watcher of a system, which calls the handler with each event.
pub type Connect = dyn Fn(Handler) -> notify::Result<Box<dyn EventSource>> + Send + Sync;

/// The part of a watcher of the system that is used.
pub trait EventSource: Send {
    /// Starts to watch a directory.
    ///
    /// # Errors
    /// When the system refuses, for example because it has no watches left.
    fn watch(&mut self, dir: &Path, is_recursive: bool) -> notify::Result<()>;
    /// Stops watching a directory.
    fn unwatch(&mut self, dir: &Path);
}

impl EventSource for RecommendedWatcher {
    fn watch(&mut self, dir: &Path, is_recursive: bool) -> notify::Result<()> {
        let mode = if is_recursive {
            RecursiveMode::Recursive
        } else {
            RecursiveMode::NonRecursive
        };
        Watcher::watch(self, dir, mode)
    }

    fn unwatch(&mut self, dir: &Path) {
        // The directory may be gone, and its watch with it.
        let _ = Watcher::unwatch(self, dir);
    }
}

/// The watcher of the system and the directories that it watches.
#[derive(Default)]
struct System {
    source: Option<Box<dyn EventSource>>,
    dirs: HashMap<PathBuf, KnownDir>,
    /// It has run out of watches, and is not asked before this time.
    retry_at: Option<Instant>,
}

#[derive(Default)]
struct KnownDir {
    users: usize,
    is_recursive: bool,
    identity: Option<DirIdentity>,
}

type DirIdentity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<DirIdentity> {
    use std::os::unix::fs::MetadataExt;
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// On other systems, whether the directory exists.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<DirIdentity> {
    path.exists().then_some((0, 0))
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl Default for DirWatcher {
    fn default() -> Self {
        Self::new(Box::new(|handler| {
            let config = Config::default().with_follow_symlinks(false);
            let watcher: Box<dyn EventSource> =
                Box::new(<RecommendedWatcher as Watcher>::new(handler, config)?);
            Ok(watcher)
        }))
    }
}

impl DirWatcher {
    /// A watcher on a system other than the operating system's.
    pub fn new(connect: Box<Connect>) -> Self {
        Self(Arc::new(Shared {
            connect,
            dispatcher: Arc::default(),
            system: Mutex::default(),
        }))
    }

    /// Whether the system may have watches left.
    pub fn can_watch(&self) -> bool {
        !self.0.system.lock().is_exhausted()
    }

    /// Stops all watches at once, for the end of the program. To stop many watches one by one takes much longer.
    pub fn close(&self) {
        let mut system = self.0.system.lock();
        system.dirs.clear();
        system.source = None;
    }

    /// Calls `changed` on another thread with the changed paths below the directories, or with `None` if events were
    /// lost. Calls can be spurious and repeated. `changed` must not use the watcher.
    ///
    /// # Errors
    /// When the system refuses the watch.
    pub fn watch(
        &self,
        dirs: &[WatchedDir],
        changed: impl Fn(Option<&[PathBuf]>) + Send + Sync + 'static,
    ) -> Result<DirWatch, WatchError> {
        let mut real: Vec<WatchedDir> = Vec::new();
        for dir in dirs {
            // Events name the path of a directory that was watched last, so each directory has one path.
            let path = dir.path.canonicalize();
            let path = path.map_err(|error| WatchError::refused(&dir.path, &error))?;
            match real.iter_mut().find(|known| known.path == path) {
                Some(known) => known.is_recursive |= dir.is_recursive,
                None => real.push(WatchedDir {
                    path,
                    is_recursive: dir.is_recursive,
                }),
            }
        }
        let mut watch = DirWatch {
            watcher: self.clone(),
            id: self.0.dispatcher.add(&real, Arc::new(changed)),
            dirs: Vec::new(),
            is_complete: false,
        };
        for dir in &real {
            let identity = self.0.watch(dir)?;
            watch.dirs.push((dir.path.clone(), identity));
        }
        watch.is_complete = true;
        Ok(watch)
    }
}

impl Shared {
    fn watch(&self, dir: &WatchedDir) -> Result<Option<DirIdentity>, WatchError> {
        let mut system = self.system.lock();
        let identity = identity(&dir.path);
        if system.is_exhausted() {
            return Err(WatchError::Exhausted);
        }
        if let Err(error) = system.watch(dir, identity, self) {
            let is_exhausted = self.dispatcher.report_limit(&error);
            system.retry_at = is_exhausted.then(|| Instant::now() + RETRY);
            return Err(if is_exhausted {
                WatchError::Exhausted
            } else {
                WatchError::refused(&dir.path, &error)
            });
        }
        Ok(identity)
    }
}

impl System {
    fn is_exhausted(&self) -> bool {
        self.retry_at.is_some_and(|at| Instant::now() < at)
    }

    /// Watches a directory, unless it is watched already and was not replaced: a replacement sends no events.
    fn watch(
        &mut self,
        dir: &WatchedDir,
        identity: Option<DirIdentity>,
        shared: &Shared,
    ) -> notify::Result<()> {
        if self.source.is_none() {
            let dispatcher = shared.dispatcher.clone();
            self.source = Some((shared.connect)(Box::new(move |event| {
                dispatcher.dispatch(event);
            }))?);
        }
        let Some(source) = &mut self.source else {
            return Ok(());
        };
        let known = self.dirs.entry(dir.path.clone()).or_default();
        let is_recursive = known.is_recursive || dir.is_recursive;
        if known.identity != identity || known.is_recursive != is_recursive {
            source.unwatch(&dir.path);
            known.identity = None;
            if let Err(error) = source.watch(&dir.path, is_recursive) {
                // Some directories below it may be watched.
                source.unwatch(&dir.path);
                if known.users == 0 {
                    self.dirs.remove(&dir.path);
                }
                return Err(error);
            }
        }
        known.users += 1;
        (known.identity, known.is_recursive) = (identity, is_recursive);
        Ok(())
    }

    fn release(&mut self, dir: &Path) {
        let Some(known) = self.dirs.get_mut(dir) else {
            return;
        };
        known.users -= 1;
        if known.users == 0 {
            self.dirs.remove(dir);
            if let Some(source) = &mut self.source {
                source.unwatch(dir);
            }
        }
    }
}

impl DirWatch {
    /// Whether a watched directory is gone or was replaced. Then watch its path again.
    pub fn is_stale(&self) -> bool {
        let mut dirs = self.dirs.iter();
        dirs.any(|(path, known)| known.is_none() || identity(path) != *known)
    }
}

impl Drop for DirWatch {
    fn drop(&mut self) {
        let shared = &self.watcher.0;
        shared.dispatcher.remove(self.id);
        let mut system = shared.system.lock();
        self.dirs.iter().for_each(|(path, _)| system.release(path));
        if self.is_complete {
            // The system may have watches left again.
            system.retry_at = None;
        }
    }
}

impl WatchError {
    fn refused(path: &Path, reason: &dyn std::fmt::Display) -> Self {
        Self::Refused {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }
}
