//! The publication of snapshots: one pointer swap for all components, the failures of components, and the dates of
//! responses (docs/spec/http.md#caching).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arc_swap::ArcSwapOption;
use chrono::Utc;
use parking_lot::Mutex;
use tokio::sync::watch;

use super::snapshot::{ModifiedDate, Snapshot, UpdateFailures};

/// Contains the current snapshot. Readers load it once per request and never wait.
#[derive(Default, Debug)]
pub struct Published {
    current: ArcSwapOption<Snapshot>,
    news: watch::Sender<()>,
    /// Part of every published snapshot. Locked while publishing: publishers wait, readers do not.
    failures: Mutex<UpdateFailures>,
    /// When the configuration was applied that the next snapshot shows, if known.
    configured: Mutex<Option<i64>>,
    /// Whether a request needed the checks of the current API.
    exact_checks: AtomicBool,
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

    /// The snapshots that are published from now on show a new configuration.
    pub fn begin_configuration(&self) {
        *self.configured.lock() = Some(change_time());
    }

    /// From now on, the [checks of the current API](crate::run_exact_checks) are part of the background work.
    pub fn want_exact_checks(&self) {
        self.exact_checks.store(true, Ordering::Relaxed);
    }

    /// Whether a request has [wanted](Self::want_exact_checks) the checks of the current API.
    pub fn wants_exact_checks(&self) -> bool {
        self.exact_checks.load(Ordering::Relaxed)
    }

    /// Replaces the current snapshot with one pointer swap and notifies subscribers.
    pub fn publish(&self, mut snapshot: Snapshot) {
        let failures = self.failures.lock();
        let before = self.load().unwrap_or_default();
        snapshot.generation = before.generation + 1;
        snapshot.failures = failures.clone();
        snapshot.failures_revision = before.failures_revision;
        let configured = *self.configured.lock();
        snapshot.modified = configured.max(after(before.modified()));
        snapshot.page_modified = after(before.page_modified());
        self.current.store(Some(Arc::new(snapshot)));
        drop(failures);
        self.news.send_replace(());
    }

    /// Records why `project/component` cannot be served or may lack newer commits; `None` clears it. Takes effect with the
    /// next publication, of a snapshot or of [failures](Self::publish_failures).
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
    }

    /// Removes the failures of all components not in `names`.
    pub fn retain_failures(&self, names: &BTreeSet<String>) {
        let mut failures = self.failures.lock();
        if failures.keys().any(|name| !names.contains(name)) {
            Arc::make_mut(&mut failures).retain(|name, _| names.contains(name));
        }
    }

    /// Replaces the failures of the current snapshot by those that were reported. Its generation stays, so cached
    /// responses that do not show them remain valid. Copies the snapshot once for any number of reports.
    pub fn publish_failures(&self) {
        let failures = self.failures.lock();
        if let Some(current) = self.load()
            && !Arc::ptr_eq(&failures, &current.failures)
        {
            let mut snapshot = Snapshot::clone(&current);
            snapshot.failures = failures.clone();
            snapshot.failures_revision += 1;
            snapshot.page_modified = Some(change_time()).max(after(current.page_modified()));
            self.current.store(Some(Arc::new(snapshot)));
        }
    }

    /// Subscribes to publications. Several in a row can cause a single notification.
    pub fn listen(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }
}

/// The date of a change that happens now, in Unix seconds. Dates of responses have no fractions, so it is later than
/// the date of every response that was sent before.
fn change_time() -> i64 {
    Utc::now().timestamp() + 1
}

/// The next date.
fn after(date: Option<ModifiedDate>) -> Option<i64> {
    date.map(|date| date.seconds.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_response_has_a_later_date() {
        let published = Published::new();
        let seconds = |date: Option<ModifiedDate>| date.map(|date| date.seconds);
        let dates = || {
            let snapshot = published.load()?;
            Some((
                seconds(snapshot.modified()),
                seconds(snapshot.page_modified()),
            ))
        };
        let report = |reason| {
            published.report_failure("a/b", reason);
            published.publish_failures();
        };
        let batch = |time| Snapshot::default().at(time);
        published.publish(batch(100));
        assert_eq!(dates(), Some((Some(100), Some(100))));
        assert!(published.load().unwrap().modified().unwrap().is_recorded);
        published.publish(batch(100));
        assert_eq!(dates(), Some((Some(101), Some(101))));
        assert!(!published.load().unwrap().modified().unwrap().is_recorded);

        let now = Utc::now().timestamp();
        report(Some("no answer"));
        let (modified, notice) = dates().unwrap();
        assert_eq!(modified, Some(101), "only pages show failures");
        assert!(notice > Some(now), "{notice:?} {now}");
        report(None);
        let (_, cleared) = dates().unwrap();
        assert!(cleared > notice);
        published.publish(batch(200));
        let (modified, page) = dates().unwrap();
        assert!(modified == Some(200) && page > cleared);

        published.begin_configuration();
        published.publish(batch(200));
        let (configured, page_after) = dates().unwrap();
        assert!(configured > Some(now) && page_after > page);
    }

    #[test]
    fn a_failed_fetch_keeps_the_generation() {
        let published = Published::new();
        let numbers = || {
            published
                .load()
                .map(|snapshot| (snapshot.generation(), snapshot.failures_revision()))
        };
        let report = |reason| {
            published.report_failure("a/b", reason);
            published.publish_failures();
        };
        report(Some("no answer"));
        published.publish(Snapshot::default());
        assert_eq!(numbers(), Some((1, 0)));
        report(Some("no route"));
        assert_eq!(numbers(), Some((1, 1)));
        report(Some("no route"));
        assert_eq!(numbers(), Some((1, 1)), "nothing has changed");
        published.publish(Snapshot::default());
        assert_eq!(numbers(), Some((2, 1)));
        assert_eq!(
            published.load().map(|snapshot| snapshot.failures().len()),
            Some(1)
        );
    }
    #[test]
    fn many_failures_are_published_once() {
        let published = Published::new();
        published.publish(Snapshot::default());
        for at in 0..10 {
            published.report_failure(&format!("a/{at}"), Some("no answer"));
        }
        published.publish_failures();
        published.publish_failures();
        let snapshot = published.load().unwrap();
        assert_eq!(
            (snapshot.failures().len(), snapshot.failures_revision()),
            (10, 1)
        );
    }
}
