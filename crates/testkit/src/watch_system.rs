//! A system whose watches and events a test controls.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use notify::event::{CreateKind, ModifyKind, RenameMode};
use notify::{Event, EventKind};
use parking_lot::Mutex;

use gitglot_watch::{DirWatcher, EventSource, Handler};

/// A system without limits. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct FakeSystem(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    watchers: usize,
    /// The watched directories, and whether those below them are watched, too.
    watched: BTreeMap<PathBuf, bool>,
    handler: Option<Handler>,
    /// How many directories can be watched.
    limit: Option<usize>,
    refuses_watchers: bool,
    requests: usize,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

struct FakeSource(FakeSystem);

impl EventSource for FakeSource {
    fn watch(&mut self, dir: &Path, is_recursive: bool) -> notify::Result<()> {
        let mut state = self.0.0.lock();
        state.requests += 1;
        if state
            .limit
            .is_some_and(|limit| state.watched.len() >= limit)
        {
            return Err(notify::Error::new(notify::ErrorKind::MaxFilesWatch));
        }
        state.watched.insert(dir.to_owned(), is_recursive);
        Ok(())
    }

    fn unwatch(&mut self, dir: &Path) {
        self.0.0.lock().watched.remove(dir);
    }
}

impl FakeSystem {
    /// A system that has no watcher left.
    pub fn without_watchers() -> Self {
        let system = Self::default();
        system.0.lock().refuses_watchers = true;
        system
    }

    /// A system on which this many directories can be watched.
    pub fn with_limit(limit: usize) -> Self {
        let system = Self::default();
        system.0.lock().limit = Some(limit);
        system
    }

    /// A watcher on this system.
    pub fn watcher(&self) -> DirWatcher {
        let system = self.clone();
        DirWatcher::new(Box::new(move |handler| {
            let mut state = system.0.lock();
            state.requests += 1;
            if state.refuses_watchers {
                // EMFILE
                let error = std::io::Error::from_raw_os_error(24);
                return Err(notify::Error::io(error));
            }
            state.watchers += 1;
            state.handler = Some(handler);
            let source: Box<dyn EventSource> = Box::new(FakeSource(system.clone()));
            Ok(source)
        }))
    }

    /// How many watchers were created.
    pub fn watchers(&self) -> usize {
        self.0.lock().watchers
    }

    /// How many watchers and watches were requested.
    pub fn requests(&self) -> usize {
        self.0.lock().requests
    }

    /// The watched directories.
    pub fn watched(&self) -> Vec<PathBuf> {
        self.0.lock().watched.keys().cloned().collect()
    }

    /// The system reports an event.
    pub fn send(&self, event: notify::Result<Event>) {
        let state = self.0.lock();
        state.handler.as_ref().expect("a watcher")(event);
    }

    /// A file was written under a different name and renamed, as git and editors do.
    pub fn renamed(&self, from: &Path, to: &Path) {
        let made = Event::new(EventKind::Create(CreateKind::File)).add_path(from.to_owned());
        let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::Both));
        let renamed = Event::new(renamed).add_path(from.to_owned());
        self.send(Ok(made));
        self.send(Ok(renamed.add_path(to.to_owned())));
    }
}
