//! A repository that is polled, and its polls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::plan::ComponentBranch;
use super::schedule::Schedule;
use super::target::{PollResult, PollTarget};
use crate::events::PollOutcome;
use crate::observation::{Freshness, Observation};
use gitglot_git::{FetchLimits, FetchPhase, FetchProgress, Mirror, RefWatch, Watch};
use gitglot_model::{CommitId, ComponentIndex};
use gitglot_watch::DirWatcher;

/// A fetch that has received nothing for this long no longer counts as active.
pub(crate) const IDLE_FETCH: Duration = Duration::from_secs(5);
/// A fetch that lasts longer no longer counts as active, either, so that slow servers do not delay other repositories.
pub(crate) const LONG_FETCH: Duration = Duration::from_secs(60);

/// The position of a repository in the list of the loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct RepoIndex(usize);

impl RepoIndex {
    pub fn new(position: usize) -> Self {
        Self(position)
    }

    pub fn get(self) -> usize {
        self.0
    }
}

/// A finished poll.
#[derive(Debug)]
pub(crate) struct Poll {
    pub repository: RepoIndex,
    pub started: Instant,
    pub result: PollResult,
}

/// A repository and the components that read it.
pub(crate) struct TrackedRepo {
    pub target: PollTarget,
    /// The address, without credentials.
    pub name: String,
    pub components: Vec<ComponentBranch>,
    pub schedule: Schedule,
    /// `None` during a poll, or when the next poll must open it.
    pub mirror: Option<Mirror>,
    pub polling: bool,
    /// The mirror is maintained on another thread. It is not polled meanwhile.
    pub maintaining: bool,
    /// A notification arrived during the poll.
    pub poll_again: bool,
    /// The mirror is corrupt: the next poll clones it again.
    pub damaged: bool,
    /// The last poll succeeded, and all components show what it found.
    pub is_settled: bool,
    /// At least one poll has finished.
    pub polled: bool,
    /// The failure that was logged last.
    pub logged_failure: Option<String>,
    pub watch: Option<RefWatch>,
    /// The next poll is held back and processed together with others.
    pub held_back: bool,
    /// No component reads the repository any more. Aborts a fetch.
    removed: Arc<AtomicBool>,
    pub fetch: Option<Fetch>,
}

/// A fetch on a thread of its own.
pub(crate) struct Fetch {
    receiving: Arc<AtomicBool>,
    pub started: Instant,
    /// It was reported that the fetch takes long.
    pub is_reported: bool,
}

impl Fetch {
    /// When the fetch no longer counts towards the limit of parallel fetches.
    pub fn active_until(&self) -> Instant {
        let is_receiving = self.receiving.load(Ordering::Relaxed);
        self.started + if is_receiving { LONG_FETCH } else { IDLE_FETCH }
    }
}

/// Runs a poll.
pub(crate) type PollJob = Box<dyn FnOnce(Box<dyn Watch>) -> Poll + Send>;

impl TrackedRepo {
    /// A repository whose first poll is due.
    pub fn new(
        target: PollTarget,
        components: Vec<ComponentBranch>,
        interval: Duration,
        now: Instant,
    ) -> Self {
        let schedule = Schedule::new(interval, target.is_local(), now);
        Self {
            name: target.source.to_string(),
            target,
            components,
            schedule,
            mirror: None,
            polling: false,
            maintaining: false,
            poll_again: false,
            damaged: false,
            is_settled: false,
            polled: false,
            logged_failure: None,
            watch: None,
            held_back: false,
            removed: Arc::default(),
            fetch: None,
        }
    }

    /// Whether no component reads it any more.
    pub fn is_removed(&self) -> bool {
        self.removed.load(Ordering::Relaxed)
    }

    /// When the next poll can start; `None` during one, and for a removed repository.
    pub fn due(&self) -> Option<Instant> {
        (!self.is_busy() && !self.is_removed()).then_some(self.schedule.next)
    }

    /// Whether a poll would find what is already shown.
    pub fn is_unchanged(&self) -> bool {
        self.is_settled && self.mirror.as_ref().is_some_and(Mirror::is_unchanged)
    }

    /// Whether a poll or maintenance is in progress.
    pub fn is_busy(&self) -> bool {
        self.polling || self.maintaining
    }

    /// Whether to repack the mirror now.
    pub fn needs_maintenance(&self) -> bool {
        !self.damaged
            && !self.is_busy()
            && self.mirror.as_ref().is_some_and(Mirror::needs_maintenance)
    }

    /// Aborts a poll in progress.
    pub fn abort(&self) {
        self.removed.store(true, Ordering::Relaxed);
    }

    /// Stops tracking. The entry stays in the list, because messages may refer to its index.
    pub fn remove(&mut self) {
        self.abort();
        self.components.clear();
        self.polled = true;
        (self.mirror, self.watch, self.held_back) = (None, None, false);
    }

    /// Schedules a poll for a notification, also when one is in progress.
    pub fn schedule_now(&mut self) {
        self.poll_again |= self.polling;
        self.schedule.schedule_now(Instant::now());
    }

    /// Schedules a poll that is not skipped, because the state of its components is not known to be right.
    pub fn poll_again_now(&mut self) {
        self.is_settled = false;
        self.schedule_now();
    }

    /// Takes the mirror for a poll. `needed` are the commits that a new clone of a corrupt mirror must keep.
    pub fn start_poll(
        &mut self,
        repository: RepoIndex,
        needed: Vec<CommitId>,
        now: Instant,
    ) -> PollJob {
        let (target, mirror) = (self.target.clone(), self.mirror.take());
        let (needed, suspect) = (self.damaged.then_some(needed), self.schedule.failures > 0);
        self.polling = true;
        let receiving = Arc::<AtomicBool>::default();
        if !target.is_local() {
            self.fetch = Some(Fetch {
                receiving: receiving.clone(),
                started: now,
                is_reported: false,
            });
        }
        let removed = self.removed.clone();
        Box::new(move |inner| {
            let mut watch = PollWatch {
                inner,
                removed,
                receiving,
            };
            Poll {
                repository,
                started: now,
                result: target.poll_safely(mirror, needed.as_deref(), suspect, &mut watch),
            }
        })
    }

    /// The observations of a poll, one for each component.
    pub fn observations(&self, result: &PollResult) -> Vec<Observation> {
        let observe = |reads: &ComponentBranch| Observation {
            component: reads.component,
            state: result.branch_state(&reads.branch),
            freshness: match result.failure(&reads.branch) {
                None => Freshness::Current,
                Some(_) => Freshness::Old,
            },
        };
        self.components.iter().map(observe).collect()
    }

    /// Notes the result of a poll and schedules the next one. `damaged` are the components with a corrupt mirror.
    pub fn finish_poll(
        &mut self,
        result: &PollResult,
        damaged: &[ComponentIndex],
        jitter: f64,
    ) -> PollOutcome {
        let mut reads = self.components.iter();
        self.damaged = result.damaged || reads.any(|reads| damaged.contains(&reads.component));
        let outcome = if self.damaged {
            PollOutcome::Damaged
        } else {
            result.outcome()
        };
        let now = Instant::now();
        self.schedule.finished(outcome, now, jitter);
        if std::mem::take(&mut self.poll_again) {
            self.schedule.schedule_now(now);
        }
        outcome
    }

    /// Logs why the repository cannot be fetched, once for each reason, and when it can be fetched again. `is_served`:
    /// whether an earlier state of it is.
    pub fn log_failure(&mut self, failure: Option<String>, is_served: bool) {
        if failure == self.logged_failure {
            return;
        }
        match &failure {
            Some(reason) if is_served => {
                tracing::warn!("fetch failed, serving the state of the last fetch: {reason}")
            }
            Some(reason) => tracing::warn!("fetch failed, nothing to serve yet: {reason}"),
            None => tracing::info!("{} can be fetched again", self.name),
        }
        self.logged_failure = failure;
    }

    /// Watches the refs of a local repository.
    pub fn watch_refs(&mut self, watcher: &DirWatcher, changed: impl Fn() + Send + Sync + 'static) {
        if self.watch.as_ref().is_some_and(RefWatch::is_stale) {
            // A different directory, or none, is at its path now.
            self.watch = None;
        }
        if self.watch.is_some() || !watcher.can_watch() {
            return;
        }
        let Some(dirs) = self.mirror.as_ref().and_then(Mirror::local_dirs) else {
            return;
        };
        match RefWatch::new(watcher, &dirs.git_dir, &dirs.common_dir, changed) {
            Ok(watch) => {
                self.watch = Some(watch);
                // It may have changed before the watch started.
                self.schedule.schedule_now(Instant::now());
            }
            Err(error) => tracing::debug!("{error}"),
        }
    }
}

/// Aborts the poll of a removed repository, and records whether data arrives.
struct PollWatch {
    inner: Box<dyn Watch>,
    removed: Arc<AtomicBool>,
    receiving: Arc<AtomicBool>,
}

impl Watch for PollWatch {
    fn progress(&mut self, progress: &FetchProgress) {
        self.receiving
            .store(progress.phase != FetchPhase::Asking, Ordering::Relaxed);
        self.inner.progress(progress);
    }

    fn stop(&self) -> bool {
        self.removed.load(Ordering::Relaxed) || self.inner.stop()
    }

    fn limits(&self) -> FetchLimits {
        self.inner.limits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fetch_frees_its_place_when_it_is_idle_or_takes_long() {
        let fetch = Fetch {
            receiving: Arc::default(),
            started: Instant::now(),
            is_reported: false,
        };
        assert_eq!(fetch.active_until(), fetch.started + IDLE_FETCH);
        fetch.receiving.store(true, Ordering::Relaxed);
        assert_eq!(fetch.active_until(), fetch.started + LONG_FETCH);
    }
}
