//! Watches the references of local repositories, so that a push does not wait for the next poll.
//!
//! Watches only references, never objects or the work tree. Any event means "poll now". The system may drop events, and
//! some file systems send none, so interval polls continue.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// Watches the references of one repository until it is dropped.
#[derive(Debug)]
pub struct RefWatch {
    _watcher: RecommendedWatcher,
    /// The watched directories, with the identity that they had when the watch started.
    watched: Vec<(PathBuf, Option<FolderIdentity>)>,
}

/// The device and inode of a directory.
type FolderIdentity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<FolderIdentity> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path)
        .ok()
        .map(|found| (found.dev(), found.ino()))
}

/// On other systems, whether the directory exists.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<FolderIdentity> {
    path.exists().then_some((0, 0))
}

/// The references cannot be watched.
#[derive(Debug, thiserror::Error)]
#[error("cannot watch '{}' for changes ({reason}); gitglot finds them at the next poll", path.display())]
pub struct WatchError {
    path: PathBuf,
    reason: String,
}

impl RefWatch {
    /// Calls `moved` on another thread when a reference may have moved. Spurious and repeated calls are possible.
    /// `git_dir` contains `HEAD`, and `common_dir` the references.
    ///
    /// # Errors
    /// When the system refuses the watch.
    pub fn new(
        git_dir: &Path,
        common_dir: &Path,
        moved: impl Fn() + Send + 'static,
    ) -> Result<Self, WatchError> {
        let failed = |path: &Path, error: notify::Error| WatchError {
            path: path.to_owned(),
            reason: match error.kind {
                notify::ErrorKind::Io(error) => error.to_string(),
                other => format!("{other:?}"),
            },
        };
        let refs = common_dir.join("refs");
        let below = refs.clone();
        let heard = move |event: notify::Result<Event>| {
            // An error means that events were lost.
            if event.as_ref().map_or(true, |event| matters(event, &below)) {
                moved();
            }
        };
        let mut watcher =
            notify::recommended_watcher(heard).map_err(|error| failed(git_dir, error))?;
        let mut watched = Vec::new();
        let mut watch = |path: &Path, mode| {
            watched.push((path.to_owned(), identity(path)));
            watcher
                .watch(path, mode)
                .map_err(|error| failed(path, error))
        };
        watch(git_dir, RecursiveMode::NonRecursive)?;
        if common_dir != git_dir {
            watch(common_dir, RecursiveMode::NonRecursive)?;
        }
        watch(&refs, RecursiveMode::Recursive)?;
        Ok(Self {
            _watcher: watcher,
            watched,
        })
    }

    /// Whether a watched directory is gone or was replaced; a replacement sends no events.
    pub fn is_stale(&self) -> bool {
        self.watched
            .iter()
            .any(|(path, known)| known.is_none() || identity(path) != *known)
    }
}

/// Whether a reference may have moved. Events of lock files precede the move.
fn matters(event: &Event, refs: &Path) -> bool {
    let written = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    };
    written
        && event.paths.iter().any(|path| {
            let name = path.file_name().unwrap_or_default();
            let lock = path.extension().is_some_and(|end| end == "lock");
            let is_reference = ["HEAD", "packed-refs", "refs", "shallow"]
                .map(OsStr::new)
                .contains(&name);
            !lock && (is_reference || path.starts_with(refs))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{CreateKind, ModifyKind, RenameMode};
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn only_events_of_references_matter() {
        let refs = Path::new("/r/.git/refs");
        let matches = |kind, paths: &[&str]| {
            let event = paths
                .iter()
                .fold(Event::new(kind), |event, path| event.add_path(path.into()));
            matters(&event, refs)
        };
        let made = EventKind::Create(CreateKind::File);
        let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::Both));
        assert!(matches(
            renamed,
            &["/r/.git/refs/heads/main.lock", "/r/.git/refs/heads/main"]
        ));
        assert!(matches(
            renamed,
            &["/r/.git/packed-refs.lock", "/r/.git/packed-refs"]
        ));
        assert!(matches(made, &["/r/.git/HEAD"]));
        assert!(!matches(made, &["/r/.git/refs/heads/main.lock"]));
        assert!(!matches(made, &["/r/.git/index"]));
        assert!(!matches(made, &["/r/.git/COMMIT_EDITMSG"]));
        assert!(!matches(
            EventKind::Access(AccessKind::Read),
            &["/r/.git/HEAD"]
        ));
    }

    #[test]
    fn a_watch_of_a_replaced_repository_is_stale() {
        let folder = tempfile::tempdir().unwrap();
        let git_dir = folder.path().join("a.git");
        std::fs::create_dir_all(git_dir.join("refs/heads")).unwrap();
        let watch = RefWatch::new(&git_dir, &git_dir, || ()).unwrap();
        assert!(!watch.is_stale());
        std::fs::rename(&git_dir, folder.path().join("b.git")).unwrap();
        assert!(watch.is_stale());
        std::fs::create_dir_all(git_dir.join("refs/heads")).unwrap();
        assert!(watch.is_stale());
    }

    #[test]
    fn a_moved_branch_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let git_dir = folder.path().to_owned();
        std::fs::create_dir_all(git_dir.join("refs/heads")).unwrap();
        let (send, receive) = mpsc::channel();
        let _watch = RefWatch::new(&git_dir, &git_dir, move || {
            send.send(()).unwrap_or_default()
        })
        .unwrap();
        for (lock, real) in [
            ("refs/heads/main.lock", "refs/heads/main"),
            ("packed-refs.lock", "packed-refs"),
        ] {
            while receive.try_recv().is_ok() {}
            std::fs::write(git_dir.join(lock), "x").unwrap();
            std::fs::rename(git_dir.join(lock), git_dir.join(real)).unwrap();
            receive.recv_timeout(Duration::from_secs(20)).unwrap();
        }
    }
}
