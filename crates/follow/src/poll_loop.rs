//! The thread that follows all repositories: starts polls, receives messages and applies new configurations.
//!
//! One thread ingests, so batches never overlap. Remote repositories are fetched on threads of their own, a few at a
//! time. Local ones are polled in place, which takes no longer than starting a thread. Mirrors are repacked on threads
//! of their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use super::events::{FollowEvents, PollOutcome, PollReport};
use super::followed_components::FollowedComponents;
use super::handle::{FollowHandle, LedgerNews, Message, watch_ledger};
use super::observation::Observation;
use super::paused_hosts::note_limit;
use super::poll::{
    ComponentBranch, Fetch, HostLimits, IDLE_FETCH, LONG_FETCH, Poll, PollBatch, PollJob,
    RepoIndex, TrackedRepo, TrackedRepos, jitter, plan,
};
use crate::project::FollowConfig;
use gitglot_git::Watch;
use gitglot_ledger::LedgerError;
use gitglot_model::{ComponentIndex, catch_crash, in_parallel};
use gitglot_watch::DirWatcher;

/// Maximum number of parallel fetches from all servers.
const MAX_FETCHES: usize = 8;
/// The first batch waits this long for repositories that neither respond nor fail.
pub(super) const FIRST_BATCH: Duration = Duration::from_secs(600);
/// The exit waits this long for fetches in progress.
const EXIT_WAIT: Duration = Duration::from_millis(500);
/// Checkpoints that are written at the exit may take this long.
const EXIT_CHECKPOINTS: Duration = Duration::from_secs(1);
/// Longest sleep of the loop, in case the clock stops or a message is lost.
pub(super) const MAX_SLEEP: Duration = Duration::from_secs(60);

/// Creates the observer of a poll of the repository with that address.
pub type WatchFactory = Arc<dyn Fn(&str) -> Box<dyn Watch> + Send + Sync>;

/// Follows all repositories of a [`FollowedComponents`]. The push path is in [`super::pipeline`].
pub struct PollLoop {
    pub(super) followed: FollowedComponents,
    pub(super) mirrors: PathBuf,
    pub(super) tracked: TrackedRepos,
    /// Observations of components that cannot be polled or whose server does not respond.
    pub(super) unpolled: Vec<Observation>,
    watches: WatchFactory,
    /// Watches local repositories.
    watcher: Option<DirWatcher>,
    handle: FollowHandle,
    inbox: Receiver<Message>,
    /// A configuration that is not applied yet.
    pub(super) requested: Option<FollowConfig>,
    pub(super) poll_batch: PollBatch,
    /// Polls whose components are in late steps or have a checkpoint written. Their repositories are neither polled nor
    /// repacked meanwhile, unless a new configuration discards the step.
    pub(super) late_polls: Vec<Poll>,
    /// News from the shared ledger that is not applied yet.
    pub(super) ledger_news: Vec<LedgerNews>,
    pub(super) host_limits: HostLimits,
    /// The thread that watches the shared ledger ends when this is dropped.
    alive: Arc<()>,
    pub(super) stopped: bool,
}

impl PollLoop {
    /// Polls the repositories of `followed` at an interval; mirrors are subdirectories of `mirrors`.
    pub fn new(
        mut followed: FollowedComponents,
        mirrors: &Path,
        interval: Duration,
        watches: WatchFactory,
    ) -> Self {
        let (sender, inbox) = mpsc::channel();
        let now = Instant::now();
        followed.steps.wake = Some(sender.clone());
        let plan = plan(followed.projects(), mirrors);
        let mut tracked = TrackedRepos::with_capacity(plan.targets.len());
        for (target, components) in plan.targets {
            tracked.push(TrackedRepo::new(target, components, interval, now));
        }
        Self {
            followed,
            mirrors: mirrors.to_owned(),
            tracked,
            unpolled: plan.invalid,
            watches,
            watcher: None,
            handle: FollowHandle(sender),
            inbox,
            requested: None,
            poll_batch: PollBatch::default(),
            late_polls: Vec::new(),
            ledger_news: Vec::new(),
            host_limits: HostLimits::default(),
            alive: Arc::default(),
            stopped: false,
        }
    }

    /// Watches local repositories, so that pushes do not wait for the next poll.
    pub fn with_watcher(self, watcher: DirWatcher) -> Self {
        Self {
            watcher: Some(watcher),
            ..self
        }
    }

    /// Lets no repository wait long for the commits of another one: a step that is not done within a slice goes on on a
    /// thread of its own, and its components are behind. The slice is a minute at the start, then half a second.
    pub fn with_late_steps(mut self) -> Self {
        self.followed.steps.slice = Some(LONG_FETCH);
        self
    }

    /// Polls no repository: the shared ledger is the only source.
    pub fn without_polls(mut self) -> Self {
        self.followed.is_polling = false;
        let reason = "the repositories are not followed".to_owned();
        self.followed.ledger.set_read_only(Some(reason));
        self.tracked.clear();
        self.unpolled = self.followed.recorded_observations();
        self
    }

    /// Starts a thread that asks for new batches of the shared ledger at an interval.
    pub fn watch_ledger(&self, interval: Duration) {
        let Some(shared) = self.followed.ledger.shared().cloned() else {
            return;
        };
        let (alive, sender) = (Arc::downgrade(&self.alive), self.handle.0.clone());
        let failing = !self.followed.ledger.is_checked();
        std::thread::spawn(move || watch_ledger(&shared, interval, failing, &alive, &sender));
    }

    /// A handle for other threads.
    pub fn handle(&self) -> FollowHandle {
        self.handle.clone()
    }

    /// The followed components.
    pub fn followed(&self) -> &FollowedComponents {
        &self.followed
    }

    /// Polls all repositories once and publishes them as one batch, when each has been read or has failed, when the
    /// fetches of all others take longer than a minute, or after ten minutes. If every silent server has a mirror from
    /// an earlier run, waits only a few seconds and serves that; else publishes what was read every few seconds.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn first_batch(&mut self, events: &dyn FollowEvents) -> Result<(), LedgerError> {
        let started = Instant::now();
        let (deadline, patient_until) = (started + FIRST_BATCH, started + IDLE_FETCH);
        let (mut polls, mut publish_at) = (Vec::new(), patient_until);
        while self.tracked.has_unpolled() && Instant::now() < deadline && !self.stopped {
            self.start_polls(&mut polls, events);
            if !self.tracked.has_unpolled() {
                break;
            }
            let patient = Instant::now() < patient_until;
            if !patient && let Some(fetched_before) = self.last_fetched() {
                let reason =
                    "serving the state of the last fetch: the server has not responded yet";
                let components = fetched_before.iter().map(|fetched| fetched.component);
                for name in components.filter_map(|component| self.followed.name(component)) {
                    events.behind(name, Some(reason));
                }
                events.reported();
                self.unpolled.extend(fetched_before);
                break;
            }
            if Instant::now() >= publish_at && !polls.is_empty() {
                self.process(std::mem::take(&mut polls), events)?;
                publish_at = Instant::now() + IDLE_FETCH;
            }
            let wakes_at = if patient { patient_until } else { deadline };
            let wakes_at = if polls.is_empty() {
                wakes_at
            } else {
                wakes_at.min(publish_at)
            };
            let mut until = self.next_poll().min(wakes_at);
            if let Some(long_from) = self.unpolled_long_from().filter(|_| !polls.is_empty()) {
                if long_from <= Instant::now() {
                    break;
                }
                until = until.min(long_from);
            }
            self.recv_messages(until, &mut polls);
        }
        if self.stopped {
            return Ok(());
        }
        self.process(polls, events)?;
        self.reclone_damaged(deadline, events)?;
        self.report_unread(events);
        Ok(())
    }

    /// Reports the components that the first batch did not wait for and of which nothing is served: one silent server
    /// must not keep the others from being ready.
    fn report_unread(&self, events: &dyn FollowEvents) {
        let unread = self.tracked.iter().filter(|tracked| !tracked.polled);
        for reads in unread.flat_map(|tracked| &tracked.components) {
            if let Some(name) = self.followed.name(reads.component)
                && !self.followed.is_served(reads.component)
            {
                events.failed(name, "the first fetch takes longer than a minute");
            }
        }
        events.reported();
    }

    /// Clones corrupt mirrors again before the start completes: nothing of them is served yet.
    fn reclone_damaged(
        &mut self,
        deadline: Instant,
        events: &dyn FollowEvents,
    ) -> Result<(), LedgerError> {
        let damaged = self.tracked.indexes();
        let damaged: Vec<RepoIndex> = damaged.filter(|&at| self.tracked[at].damaged).collect();
        for &at in &damaged {
            self.tracked.update(at, |repo| {
                repo.schedule_now();
                repo.polled = false;
            });
        }
        while damaged.iter().any(|&at| !self.tracked[at].polled)
            && Instant::now() < deadline
            && !self.stopped
        {
            let mut polls = Vec::new();
            self.start_polls(&mut polls, events);
            if polls.is_empty() {
                let until = self.next_poll().min(deadline);
                self.recv_messages(until, &mut polls);
            }
            self.process(polls, events)?;
        }
        Ok(())
    }

    /// Shuts down: stops watching, aborts fetches and writes the checkpoints that lack moves, both with a time limit.
    pub fn shut_down(&mut self) {
        if let Some(watcher) = &self.watcher {
            watcher.close();
        }
        self.tracked.iter().for_each(TrackedRepo::abort);
        self.followed
            .write_checkpoints(Instant::now() + EXIT_CHECKPOINTS);
        let end = Instant::now() + EXIT_WAIT;
        while self.tracked.fetching().next().is_some() && Instant::now() < end {
            self.recv_messages(end, &mut Vec::new());
        }
    }

    /// Reports the components whose fetch takes long: they lack newer commits for an unknown time.
    pub(super) fn report_long_fetches(&mut self, events: &dyn FollowEvents) {
        let now = Instant::now();
        for at in self.tracked.fetching_indexes() {
            let is_long = |fetch: &mut Fetch| {
                now >= fetch.started + LONG_FETCH
                    && !std::mem::replace(&mut fetch.is_reported, true)
            };
            let reported = self
                .tracked
                .update(at, |repo| repo.fetch.as_mut().is_some_and(is_long));
            if reported != Some(true) {
                continue;
            }
            let reads = self.tracked[at].components.iter();
            for name in reads.filter_map(|reads| self.followed.name(reads.component)) {
                let reason =
                    "serving the state of the last fetch: the next one takes longer than a minute";
                events.behind(name, Some(reason));
            }
            events.reported();
        }
    }

    /// When the next poll can start. At the maximum of parallel fetches, of all servers or of theirs, remote
    /// repositories wait for one to finish, to become idle, or to take long.
    pub(super) fn next_poll(&mut self) -> Instant {
        let now = Instant::now();
        let full = self.tracked.active_fetches(now, None) >= MAX_FETCHES;
        let start = self.tracked.next_poll(!full);
        let fetching = self.tracked.fetching();
        let fetches = fetching.filter_map(|repo| repo.fetch.as_ref());
        let is_waiting = full || self.tracked.has_waiting();
        let free = fetches
            .map(Fetch::active_until)
            .filter(|&until| is_waiting && until > now)
            .min();
        let soonest = start.into_iter().chain(free).min();
        soonest.unwrap_or(now + MAX_SLEEP)
    }

    /// When the fetches of all repositories without a finished poll take long; `None` if one is not being fetched.
    fn unpolled_long_from(&self) -> Option<Instant> {
        let unpolled = self.tracked.iter().filter(|tracked| !tracked.polled);
        let long_from = unpolled.map(|repo| Some(repo.fetch.as_ref()?.started + LONG_FETCH));
        long_from.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// The last fetched states of all repositories without a finished poll; `None` when one of them has none.
    fn last_fetched(&self) -> Option<Vec<Observation>> {
        let unpolled = self.tracked.iter().filter(|tracked| !tracked.polled);
        let states = unpolled.flat_map(|tracked| {
            let reads = tracked.components.iter();
            reads.map(|ComponentBranch { component, branch }| {
                let state = tracked.target.last_fetched(branch)?;
                Some(Observation::old(*component, Ok(state)))
            })
        });
        states.collect()
    }

    /// Starts the polls that are due. Polls of local repositories finish here, on all cores, and are added to `polls`,
    /// except those that would find nothing new.
    pub(super) fn start_polls(&mut self, polls: &mut Vec<Poll>, events: &dyn FollowEvents) {
        let now = Instant::now();
        let mut fetches = self.tracked.active_fetches(now, None);
        let mut local_jobs = Vec::new();
        while let Some(at) = self.tracked.next_due(now, fetches < MAX_FETCHES) {
            let tracked = &self.tracked[at];
            if tracked.is_unchanged() {
                events.polled(&PollReport {
                    repository: &tracked.name,
                    outcome: PollOutcome::Success,
                    recloned: false,
                    unchanged: true,
                });
                self.tracked.update(at, |repo| {
                    repo.schedule.finished(PollOutcome::Success, now, jitter());
                });
                continue;
            }
            let components = tracked.components.iter().filter(|_| tracked.damaged);
            let components = components.map(|reads| reads.component);
            let needed = self.followed.needed_commits(components);
            let (name, local) = (tracked.name.clone(), tracked.target.is_local());
            let job = self.tracked.update(at, |repo| {
                repo.polled |= local;
                repo.start_poll(at, needed, now)
            });
            let Some(job) = job else { continue };
            if local {
                local_jobs.push((name, job));
                continue;
            }
            fetches += 1;
            let (sender, watches) = (self.handle.0.clone(), self.watches.clone());
            std::thread::spawn(move || {
                let poll = job(watches(&name));
                let _ = sender.send(Message::Polled(Box::new(poll)));
            });
        }
        let watches = &self.watches;
        polls.extend(in_parallel(local_jobs, || {
            |(name, job): (String, PollJob)| job(watches(&name))
        }));
    }

    /// Waits for a message until a deadline, then receives all that have arrived.
    pub(super) fn recv_messages(&mut self, deadline: Instant, polls: &mut Vec<Poll>) {
        let wait = deadline.saturating_duration_since(Instant::now());
        // The channel cannot be disconnected: the loop owns a sender.
        let mut next = self.inbox.recv_timeout(wait).ok();
        while let Some(message) = next {
            match message {
                Message::Polled(poll) => {
                    let finished = |it: &mut TrackedRepo| (it.fetch, it.polled) = (None, true);
                    self.tracked.update(poll.repository, finished);
                    note_limit(
                        &mut self.host_limits,
                        &mut self.tracked,
                        &mut self.unpolled,
                        &poll,
                    );
                    polls.push(*poll);
                }
                Message::Maintained(at) => {
                    self.tracked.update(at, |repo| repo.maintaining = false);
                }
                Message::StepFinished => {}
                Message::Ledger(news) => {
                    self.ledger_news.retain(|known| *known != news);
                    self.ledger_news.push(news);
                }
                Message::Stop => self.stopped = true,
                Message::Reload(config) => self.requested = Some(*config),
                Message::RefsChanged(at) => {
                    self.tracked.update(at, TrackedRepo::schedule_now);
                }
                Message::Notified(name) => {
                    let at = self.tracked.indexes().find(|&at| {
                        let mut reads = self.tracked[at].components.iter();
                        reads.any(|reads| self.followed.name(reads.component) == Some(&*name))
                    });
                    if let Some(at) = at {
                        self.tracked.update(at, TrackedRepo::schedule_now);
                    }
                }
            }
            next = self.inbox.try_recv().ok();
        }
    }

    /// After publishing: notes the results of polls, schedules the next ones and notifies. `damaged` are the components
    /// whose mirrors are corrupt.
    pub(super) fn finish_polls(
        &mut self,
        polls: Vec<Poll>,
        damaged: &[ComponentIndex],
        events: &dyn FollowEvents,
    ) {
        for poll in polls {
            let (at, result) = (poll.repository, poll.result);
            let finished = self.tracked.update(at, |tracked| {
                tracked.polling = false;
                let recloned = tracked.damaged && result.error.is_none();
                (!tracked.is_removed())
                    .then(|| (tracked.finish_poll(&result, damaged, jitter()), recloned))
            });
            let Some(Some((outcome, recloned))) = finished else {
                continue;
            };
            let tracked = &self.tracked[at];
            events.polled(&PollReport {
                repository: &tracked.name,
                outcome,
                recloned,
                unchanged: false,
            });
            let (mut logged, mut is_settled) = (None, outcome == PollOutcome::Success);
            for reads in &tracked.components {
                let failure = result.failure(&reads.branch);
                if let Some(name) = self.followed.name(reads.component) {
                    let behind = self.followed.failure(reads.component);
                    let behind = behind.or(failure.as_deref());
                    is_settled &= behind.is_none();
                    events.behind(name, behind);
                }
                logged = logged.or(failure);
            }
            let mut components = tracked.components.iter();
            let is_served = components.any(|reads| self.followed.is_served(reads.component));
            let (watcher, sender) = (self.watcher.clone(), self.handle.0.clone());
            self.tracked.update(at, |tracked| {
                tracked.log_failure(logged, is_served);
                tracked.mirror = result.into_mirror();
                tracked.is_settled = is_settled;
                if let Some(watcher) = &watcher {
                    tracked.watch_refs(watcher, move || {
                        let _ = sender.send(Message::RefsChanged(at));
                    });
                }
            });
            self.start_maintenance(at);
        }
        events.reported();
    }

    /// Repacks a mirror on a thread of its own, if that is due. Batches of other repositories do not wait for it.
    pub(super) fn start_maintenance(&mut self, at: RepoIndex) {
        if !self.tracked[at].needs_maintenance() {
            return;
        }
        self.tracked.update(at, |repo| repo.maintaining = true);
        let (target, sender) = (self.tracked[at].target.clone(), self.handle.0.clone());
        let name = self.tracked[at].name.clone();
        std::thread::spawn(move || {
            if let Err(crash) = catch_crash(|| target.maintain()) {
                tracing::error!("{name}: {crash}");
            }
            let _ = sender.send(Message::Maintained(at));
        });
    }
}
