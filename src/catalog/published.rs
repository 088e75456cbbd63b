//! The publication of snapshots: one pointer swap for all components, and the failures of components.

use std::collections::BTreeSet;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use parking_lot::Mutex;
use tokio::sync::watch;

use super::snapshot::{Snapshot, UpdateFailures};

/// Contains the current snapshot. Readers load it once per request and never wait.
#[derive(Default, Debug)]
pub struct Published {
    current: ArcSwapOption<Snapshot>,
    news: watch::Sender<()>,
    /// Part of every published snapshot. Locked while publishing: publishers wait, readers do not.
    failures: Mutex<UpdateFailures>,
}

impl Published {
    /// Nothing published yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The current snapshot; `None` before the first publication.
    pub fn load(&self) -> Option<Arc<Snapshot>> {
        self.current.load_full()
    }

    /// Replaces the current snapshot with one pointer swap and notifies subscribers.
    pub fn publish(&self, mut snapshot: Snapshot) {
        let failures = self.failures.lock();
        let before = self.load().unwrap_or_default();
        snapshot.generation = before.generation + 1;
        snapshot.failures = failures.clone();
        snapshot.failures_revision = before.failures_revision;
        self.current.store(Some(Arc::new(snapshot)));
        drop(failures);
        self.news.send_replace(());
    }

    /// Records why `project/component` cannot be served or may lack newer commits; `None` clears it. Takes effect at once.
    pub fn report_failure(&self, component: &str, reason: Option<&str>) {
        let mut failures = self.failures.lock();
        if failures.get(component).map(String::as_str) == reason {
            return;
        }
        let known = Arc::make_mut(&mut failures);
        match reason {
            Some(reason) => known.insert(component.to_owned(), reason.to_owned()),
            None => known.remove(component),
        };
        self.publish_failures(&failures);
    }

    /// Removes the failures of all components not in `names`.
    pub fn retain_failures(&self, names: &BTreeSet<String>) {
        let mut failures = self.failures.lock();
        if failures.keys().any(|name| !names.contains(name)) {
            Arc::make_mut(&mut failures).retain(|name, _| names.contains(name));
            self.publish_failures(&failures);
        }
    }

    /// Replaces the failures of the current snapshot. Its generation stays, so cached responses that do not show them
    /// remain valid.
    fn publish_failures(&self, failures: &UpdateFailures) {
        if let Some(current) = self.load() {
            let mut snapshot = Snapshot::clone(&current);
            snapshot.failures = failures.clone();
            snapshot.failures_revision += 1;
            self.current.store(Some(Arc::new(snapshot)));
        }
    }

    /// Subscribes to publications. Several in a row can cause a single notification.
    pub fn listen(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_fetch_keeps_the_generation() {
        let published = Published::new();
        let numbers = || {
            published
                .load()
                .map(|it| (it.generation(), it.failures_revision()))
        };
        published.report_failure("a/b", Some("no answer"));
        published.publish(Snapshot::default());
        assert_eq!(numbers(), Some((1, 0)));
        published.report_failure("a/b", Some("no route"));
        assert_eq!(numbers(), Some((1, 1)));
        published.report_failure("a/b", Some("no route"));
        assert_eq!(numbers(), Some((1, 1)), "nothing has changed");
        published.publish(Snapshot::default());
        assert_eq!(numbers(), Some((2, 1)));
        assert_eq!(published.load().map(|it| it.failures().len()), Some(1));
    }
}
