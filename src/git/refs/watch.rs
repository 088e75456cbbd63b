//! Tells when branches of a repository on this machine may have moved, so that nobody has to wait for the next look.
//!
//! Only refs are watched, never objects or the work tree. What changed does not matter: any sign means "look now".
//! The system may drop signs, and some file systems send none, so looking at intervals goes on beside it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::git::LocalGitDir;

/// Watches the refs of one repository for as long as it lives.
#[derive(Debug)]
pub struct RefWatch {
    _watcher: RecommendedWatcher,
    /// The folders that are watched, with what tells them from others that come to the same paths.
    watched: Vec<(PathBuf, Option<Identity>)>,
}

/// What tells a folder from another one at the same path.
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

/// NotInPacks it is only known whether there is one.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.exists().then_some((0, 0))
}

/// The refs cannot be watched.
#[derive(Debug, thiserror::Error)]
#[error("changes in '{}' cannot be watched ({reason}); they are found at the next look", path.display())]
pub struct WatchError {
    path: PathBuf,
    reason: String,
}

impl RefWatch {
    /// Calls `moved` from a thread of its own whenever a ref may have moved: also when nothing did, and often several
    /// times for one change.
    ///
    /// # Errors
    /// When the system does not let us watch.
    pub fn new(place: &LocalGitDir, moved: impl Fn() + Send + 'static) -> Result<Self, WatchError> {
        let failed = |path: &Path, error: notify::Error| WatchError {
            path: path.to_owned(),
            reason: match error.kind {
                notify::ErrorKind::Io(error) => error.to_string(),
                other => format!("{other:?}"),
            },
        };
        let refs = place.common_dir.join("refs");
        let below = refs.clone();
        let heard = move |event: notify::Result<Event>| {
            // An error means that signs were lost.
            if event.as_ref().map_or(true, |event| matters(event, &below)) {
                moved();
            }
        };
        let mut watcher = notify::recommended_watcher(heard).map_err(|error| failed(&place.git_dir, error))?;
        let mut watched = Vec::new();
        let mut watch = |path: &Path, mode| {
            watched.push((path.to_owned(), identity(path)));
            watcher.watch(path, mode).map_err(|error| failed(path, error))
        };
        watch(&place.git_dir, RecursiveMode::NonRecursive)?;
        if place.common_dir != place.git_dir {
            watch(&place.common_dir, RecursiveMode::NonRecursive)?;
        }
        watch(&refs, RecursiveMode::Recursive)?;
        Ok(Self { _watcher: watcher, watched })
    }

    /// Whether what it watches is gone, even if something else stands at the same path: it hears nothing of that.
    pub fn is_stale(&self) -> bool {
        self.watched.iter().any(|(path, known)| known.is_none() || identity(path) != *known)
    }
}

/// Whether a ref may have moved. Lock files come and go before it does.
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
            let told = ["HEAD", "packed-refs", "refs", "shallow"].map(OsStr::new).contains(&name);
            !lock && (told || path.starts_with(refs))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{CreateKind, ModifyKind, RenameMode};
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn only_refs_matter() {
        let refs = Path::new("/r/.git/refs");
        let says = |kind, paths: &[&str]| {
            let event = paths.iter().fold(Event::new(kind), |event, path| event.add_path(path.into()));
            matters(&event, refs)
        };
        let made = EventKind::Create(CreateKind::File);
        let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::Both));
        assert!(says(renamed, &["/r/.git/refs/heads/main.lock", "/r/.git/refs/heads/main"]));
        assert!(says(renamed, &["/r/.git/packed-refs.lock", "/r/.git/packed-refs"]));
        assert!(says(made, &["/r/.git/HEAD"]));
        assert!(!says(made, &["/r/.git/refs/heads/main.lock"]));
        assert!(!says(made, &["/r/.git/index"]));
        assert!(!says(made, &["/r/.git/COMMIT_EDITMSG"]));
        assert!(!says(EventKind::Access(AccessKind::Read), &["/r/.git/HEAD"]));
    }

    #[test]
    fn a_watch_knows_that_another_repository_stands_in_the_place_of_the_one_it_watches() {
        let folder = tempfile::tempdir().unwrap();
        let git_dir = folder.path().join("a.git");
        std::fs::create_dir_all(git_dir.join("refs/heads")).unwrap();
        let place = LocalGitDir { git_dir: git_dir.clone(), common_dir: git_dir.clone() };
        let watch = RefWatch::new(&place, || ()).unwrap();
        assert!(!watch.is_stale());
        std::fs::rename(&git_dir, folder.path().join("b.git")).unwrap();
        assert!(watch.is_stale());
        std::fs::create_dir_all(git_dir.join("refs/heads")).unwrap();
        assert!(watch.is_stale());
    }

    #[test]
    fn a_moved_branch_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let git_dir = folder.path().to_owned();
        std::fs::create_dir_all(git_dir.join("refs/heads")).unwrap();
        let (told, heard) = mpsc::channel();
        let place = LocalGitDir { git_dir: git_dir.clone(), common_dir: git_dir.clone() };
        let _watch = RefWatch::new(&place, move || told.send(()).unwrap_or_default()).unwrap();
        for (lock, real) in [("refs/heads/main.lock", "refs/heads/main"), ("packed-refs.lock", "packed-refs")] {
            while heard.try_recv().is_ok() {}
            std::fs::write(git_dir.join(lock), "x").unwrap();
            std::fs::rename(git_dir.join(lock), git_dir.join(real)).unwrap();
            heard.recv_timeout(Duration::from_secs(20)).unwrap();
        }
    }
}
