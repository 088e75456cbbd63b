//! Watches the references of local repositories, so that a push does not wait for the next poll.
//!
//! Watches only references, never objects or the work tree. Any event means "poll now".

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use gitglot_watch::{DirWatch, DirWatcher, WatchError, WatchedDir};

/// Watches the references of one repository until it is dropped.
#[derive(Debug)]
pub struct RefWatch(DirWatch);

impl RefWatch {
    /// Calls `moved` on another thread when a reference may have moved. Spurious and repeated calls are possible.
    /// `git_dir` contains `HEAD`, and `common_dir` the references.
    ///
    /// # Errors
    /// When the system refuses the watch.
    pub fn new(
        watcher: &DirWatcher,
        git_dir: &Path,
        common_dir: &Path,
        moved: impl Fn() + Send + Sync + 'static,
    ) -> Result<Self, WatchError> {
        let refs = common_dir.join("refs");
        let below = refs.canonicalize().unwrap_or_else(|_| refs.clone());
        let dirs = [(git_dir, false), (common_dir, false), (&*refs, true)];
        let dirs = dirs.map(|(path, is_recursive)| WatchedDir {
            path: path.to_owned(),
            is_recursive,
        });
        let watch = watcher.watch(&dirs, move |paths| {
            if paths.is_none_or(|paths| are_references(paths, &below)) {
                moved();
            }
        });
        watch.map(Self)
    }

    /// Whether a watched directory is gone or was replaced; a replacement sends no events.
    pub fn is_stale(&self) -> bool {
        self.0.is_stale()
    }
}

/// Whether one of the changed paths may be a reference. Events of lock files precede the move.
fn are_references(paths: &[PathBuf], refs: &Path) -> bool {
    paths.iter().any(|path| {
        let name = path.file_name().unwrap_or_default();
        let lock = path.extension().is_some_and(|end| end == "lock");
        let references = ["HEAD", "packed-refs", "refs", "shallow"];
        let is_reference = references.map(OsStr::new).contains(&name);
        !lock && (is_reference || path.starts_with(refs))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use gitglot_testkit::FakeSystem;

    #[test]
    fn only_events_of_references_matter() {
        let refs = Path::new("/r/.git/refs");
        let matches = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            are_references(&paths, refs)
        };
        assert!(matches(&[
            "/r/.git/refs/heads/main.lock",
            "/r/.git/refs/heads/main"
        ]));
        assert!(matches(&[
            "/r/.git/packed-refs.lock",
            "/r/.git/packed-refs"
        ]));
        assert!(matches(&["/r/.git/HEAD"]));
        assert!(!matches(&["/r/.git/refs/heads/main.lock"]));
        assert!(!matches(&["/r/.git/index"]));
        assert!(!matches(&["/r/.git/COMMIT_EDITMSG"]));
    }

    #[test]
    fn a_watch_of_a_replaced_repository_is_stale() {
        let folder = tempfile::tempdir().unwrap();
        let git_dir = folder.path().join("a.git");
        std::fs::create_dir_all(git_dir.join("refs/heads")).unwrap();
        let watcher = FakeSystem::default().watcher();
        let watch = RefWatch::new(&watcher, &git_dir, &git_dir, || ()).unwrap();
        assert!(!watch.is_stale());
        std::fs::rename(&git_dir, folder.path().join("b.git")).unwrap();
        assert!(watch.is_stale());
        std::fs::create_dir_all(git_dir.join("refs/heads")).unwrap();
        assert!(watch.is_stale());
    }

    #[test]
    fn a_moved_branch_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let git_dir = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(git_dir.join("refs/heads")).unwrap();
        let (send, receive) = mpsc::channel();
        let system = FakeSystem::default();
        let moved = move || send.send(()).unwrap_or_default();
        let _watch = RefWatch::new(&system.watcher(), &git_dir, &git_dir, moved).unwrap();
        for (lock, real) in [
            ("refs/heads/main.lock", "refs/heads/main"),
            ("packed-refs.lock", "packed-refs"),
        ] {
            system.renamed(&git_dir.join(lock), &git_dir.join(real));
            assert_eq!(receive.try_iter().count(), 1, "{real}");
        }
    }
}
