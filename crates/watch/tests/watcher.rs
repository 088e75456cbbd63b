//! Tests of the watcher on a system of their own.

#![allow(clippy::unwrap_used, reason = "a failed precondition fails the test")]

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};

use notify::event::{AccessMode, CreateKind, Flag};
use notify::{Event, EventKind};

use gitglot_testkit::FakeSystem;
use gitglot_watch::*;

fn dir(path: &Path, is_recursive: bool) -> WatchedDir {
    WatchedDir {
        path: path.to_owned(),
        is_recursive,
    }
}

/// Watches directories; each notification is a message.
fn listen(
    watcher: &DirWatcher,
    dirs: &[WatchedDir],
) -> (Result<DirWatch, WatchError>, Receiver<bool>) {
    let (sender, receiver) = mpsc::channel();
    let watch = watcher.watch(dirs, move |paths| sender.send(paths.is_some()).unwrap());
    (watch, receiver)
}

fn created(path: PathBuf) -> notify::Result<Event> {
    Ok(Event::new(EventKind::Create(CreateKind::File)).add_path(path))
}

struct Folders {
    root: tempfile::TempDir,
    one: PathBuf,
    two: PathBuf,
}

impl Folders {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let path = root.path().canonicalize().unwrap().join(name);
            std::fs::create_dir(&path).unwrap();
            path
        };
        let (one, two) = (folder("one"), folder("two"));
        Self { root, one, two }
    }
}

#[test]
fn all_directories_share_one_watcher_of_the_system() {
    let (folders, system) = (Folders::new(), FakeSystem::default());
    let watcher = system.watcher();
    assert_eq!(system.watchers(), 0, "nothing is watched yet");
    let (first, first_news) = listen(&watcher, &[dir(&folders.one, false)]);
    let (second, second_news) = listen(
        &watcher.clone(),
        &[dir(&folders.one, false), dir(&folders.two, true)],
    );
    assert_eq!(system.watchers(), 1);
    system.send(created(folders.one.join("file")));
    assert_eq!(
        (first_news.try_recv(), second_news.try_recv()),
        (Ok(true), Ok(true))
    );
    system.send(created(folders.two.join("a/b/file")));
    assert_eq!(second_news.try_recv(), Ok(true));
    system.send(created(folders.one.join("a/b/file")));
    let opened = EventKind::Access(notify::event::AccessKind::Open(AccessMode::Any));
    system.send(Ok(Event::new(opened).add_path(folders.one.join("file"))));
    assert!(first_news.try_recv().is_err() && second_news.try_recv().is_err());
    // Events were lost.
    let lost = Event::new(EventKind::Other).set_flag(Flag::Rescan);
    system.send(Ok(lost));
    assert_eq!(
        (first_news.try_recv(), second_news.try_recv()),
        (Ok(false), Ok(false))
    );

    drop(second);
    assert_eq!(system.watched(), std::slice::from_ref(&folders.one));
    system.send(created(folders.one.join("file")));
    assert_eq!(first_news.try_recv(), Ok(true));
    drop(first);
    assert_eq!(system.watched(), [] as [PathBuf; 0]);
}

#[test]
fn all_watches_end_at_once() {
    let (folders, system) = (Folders::new(), FakeSystem::default());
    let watcher = system.watcher();
    let (one, _) = listen(&watcher, &[dir(&folders.one, false)]);
    let (two, _) = listen(&watcher, &[dir(&folders.two, true)]);
    let watched = system.watched();
    watcher.close();
    drop((one, two));
    assert_eq!(system.watched(), watched, "none is stopped by itself");
}

#[test]
fn a_replaced_directory_is_watched_again() {
    let (folders, system) = (Folders::new(), FakeSystem::default());
    let watcher = system.watcher();
    let (first, _news) = listen(&watcher, &[dir(&folders.one, false)]);
    let (second, _more) = listen(&watcher, &[dir(&folders.one, false)]);
    let (first, second) = (first.unwrap(), second.unwrap());
    assert!(!first.is_stale());
    std::fs::rename(&folders.one, folders.root.path().join("away")).unwrap();
    assert!(first.is_stale());
    std::fs::create_dir(&folders.one).unwrap();
    assert!(first.is_stale() && second.is_stale());
    let before = system.requests();
    drop(first);
    let (again, news) = listen(&watcher, &[dir(&folders.one, false)]);
    assert_eq!(system.requests(), before + 1);
    assert!(!again.unwrap().is_stale() && second.is_stale());
    drop(second);
    system.send(created(folders.one.join("file")));
    assert!(news.try_recv().is_err(), "nobody watches any more");
}

#[test]
fn a_system_without_watches_is_not_asked_again_for_a_while() {
    let folders = Folders::new();
    for (system, setting) in [
        (FakeSystem::with_limit(1), "max_user_watches"),
        (FakeSystem::without_watchers(), "max_user_instances"),
    ] {
        let watcher = system.watcher();
        let (kept, _news) = listen(&watcher, &[dir(&folders.one, false)]);
        let (refused, _more) = listen(&watcher, &[dir(&folders.two, true)]);
        assert!(matches!(refused, Err(WatchError::Exhausted)), "{setting}");
        assert!(!watcher.can_watch(), "{setting}");
        let requests = system.requests();
        let (refused, _more) = listen(&watcher, &[dir(&folders.two, true)]);
        assert!(matches!(refused, Err(WatchError::Exhausted)), "{setting}");
        assert_eq!(system.requests(), requests, "{setting}");
        let Ok(kept) = kept else { continue };
        drop(kept);
        assert!(watcher.can_watch());
        assert!(listen(&watcher, &[dir(&folders.two, true)]).0.is_ok());
    }
}

#[test]
fn a_missing_directory_is_an_error_and_does_not_exhaust_the_system() {
    let (folders, system) = (Folders::new(), FakeSystem::default());
    let watcher = system.watcher();
    let missing = folders.root.path().join("missing");
    let (refused, _news) = listen(&watcher, &[dir(&folders.one, false), dir(&missing, false)]);
    assert!(matches!(refused, Err(WatchError::Refused { .. })));
    assert!(watcher.can_watch() && system.watched().is_empty());
}
