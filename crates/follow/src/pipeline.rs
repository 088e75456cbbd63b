//! The push path: poll → observe → advance → commit batch → publish.
//!
//! | Stage | Result |
//! |---|---|
//! | [`poll`](PollLoop::poll) | the repositories that are due are fetched; on threads of their own unless they are local |
//! | [`observe`](PollLoop::observe) | for each component, the tip of its branch or the reason why there is none |
//! | [`advance`](FollowedComponents::advance) | the histories, and with them the change logs, of the components that moved, and their states |
//! | [`commit_batch`](FollowedComponents::commit_batch) | new ids and the ledger lines that record them, on disk; new component snapshots |
//! | [`publish`](FollowedComponents::publish) | the new snapshot, with one pointer swap, and the notifications |
//!
//! [`PollLoop::run`] repeats the stages. Schedules, mirror maintenance and new checkpoints wait until a batch is
//! published. Source: `docs/spec/ids-and-ledger.md#batches`.

use std::sync::Arc;
use std::time::Instant;

use chrono::Utc;

use super::batch::{BatchCommit, project_of};
use super::component::{Advance, ComponentState, Failure};
use super::events::{FollowEvents, LedgerProblem};
use super::followed_components::FollowedComponents;
use super::handle::LedgerNews;
use super::id_limit::allowed_id_bytes;
use super::observation::{BranchState, ComponentError, Freshness, Observation};
use super::poll::{Poll, TrackedRepo};
use super::poll_loop::{MAX_SLEEP, PollLoop};
use gitglot_catalog::{ComponentSnapshot, Snapshot};
use gitglot_git::Repository;
use gitglot_history::{Projection, StepProgress};
use gitglot_ledger::{Appended, LedgerError};
use gitglot_model::{ChangeId, ComponentIndex, Timestamp};

impl PollLoop {
    /// Follows all repositories until the loop is stopped.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn run(&mut self, events: &dyn FollowEvents) -> Result<(), LedgerError> {
        loop {
            // A poll would create a mirror in a removed state directory.
            let in_place = self.followed.ledger.check_in_place();
            in_place.inspect_err(|error| self.report_all_behind(error, events))?;
            let Some(polls) = self.poll(events) else {
                return Ok(());
            };
            self.process(polls, events)?;
            self.followed.catch_up_if_due();
        }
    }

    /// Starts the polls that are due, waits for one to finish, and applies a new configuration. Returns the polls to
    /// process, which may be none; `None` when the loop is stopped.
    pub(super) fn poll(&mut self, events: &dyn FollowEvents) -> Option<Vec<Poll>> {
        let mut polls = Vec::new();
        self.report_long_fetches(events);
        if !self.stopped {
            self.start_polls(&mut polls, events);
        }
        if polls.is_empty()
            && self.requested.is_none()
            && self.ledger_news.is_empty()
            && !self.stopped
        {
            let until = self.next_poll().min(Instant::now() + MAX_SLEEP);
            let others = [
                self.poll_batch.deadline,
                self.followed.catch_up_at(),
                self.followed.outage.retry_at,
            ];
            self.recv_messages(
                others.into_iter().flatten().fold(until, Instant::min),
                &mut polls,
            );
        }
        if self.stopped {
            return None;
        }
        if self.followed.outage.take_retry() {
            self.tracked.update_all(TrackedRepo::poll_again_now);
            if !self.followed.is_polling {
                self.unpolled = self.followed.recorded_observations();
            }
        }
        if let Some(config) = self.requested.take() {
            self.reconfigure(config, events);
        }
        Some(self.poll_batch.hold_back(polls, &mut self.tracked))
    }

    /// Processes finished polls as one batch.
    pub(super) fn process(
        &mut self,
        polls: Vec<Poll>,
        events: &dyn FollowEvents,
    ) -> Result<(), LedgerError> {
        self.apply_ledger_news(events)?;
        if polls.is_empty() && (self.unpolled.is_empty() || self.poll_batch.deadline.is_some()) {
            return Ok(());
        }
        let observed_at = Timestamp(Utc::now().timestamp_micros());
        let observations = self.observe(&polls, events);
        let result = self.followed.ingest(observations, observed_at, events);
        self.finish_polls(polls, result.as_deref().unwrap_or_default(), events);
        result
            .inspect_err(|error| self.report_all_behind(error, events))
            .map(drop)
    }

    fn report_all_behind(&self, error: &LedgerError, events: &dyn FollowEvents) {
        let reason = error.to_string();
        self.followed
            .names()
            .iter()
            .for_each(|name| events.behind(name, Some(&reason)));
    }

    /// Finds the state of the branch of each polled component, in configuration order.
    fn observe(&mut self, polls: &[Poll], events: &dyn FollowEvents) -> Vec<Observation> {
        let mut observations = std::mem::take(&mut self.unpolled);
        for poll in polls {
            let tracked = &self.tracked[poll.repository];
            let mut observed = tracked.observations(&poll.result);
            for observation in &mut observed {
                let component = observation.component;
                if observation.freshness == Freshness::Current
                    && self.followed.is_moved_since(component, poll.started)
                {
                    observation.freshness = Freshness::Overtaken;
                }
            }
            observations.extend(observed);
            // Reported before the previous state is published.
            for reads in &tracked.components {
                if let (Some(name), Some(failure)) = (
                    self.followed.name(reads.component),
                    poll.result.failure(&reads.branch),
                ) {
                    events.behind(name, Some(&failure));
                }
            }
        }
        observations.sort_by_key(|observation| observation.component);
        observations
    }

    /// Applies the batches of other replicas.
    pub(super) fn apply_ledger_news(
        &mut self,
        events: &dyn FollowEvents,
    ) -> Result<(), LedgerError> {
        for news in std::mem::take(&mut self.ledger_news) {
            match news {
                LedgerNews::Batches => self.followed.follow_ledger(events)?,
                LedgerNews::Check if self.followed.ledger.is_checked() => {
                    match self.followed.ledger.recheck() {
                        // The next poll of the ledger reports an outage.
                        Err(LedgerError::Store(_)) => {}
                        checked => checked?,
                    }
                }
                LedgerNews::Check => self.followed.check_ledger(events)?,
                LedgerNews::Outage(error) => self.followed.outage.note(&error, events),
                LedgerNews::Recovered => {
                    self.followed.check_ledger(events)?;
                    // A batch may wait for the store.
                    self.tracked.update_all(TrackedRepo::poll_again_now);
                }
            }
        }
        Ok(())
    }
}

impl FollowedComponents {
    /// Checks the shared ledger after an outage: the store may have lost batches.
    fn check_ledger(&mut self, events: &dyn FollowEvents) -> Result<(), LedgerError> {
        match self.ledger.check(self.is_polling) {
            Ok(()) => {
                self.outage.over(events);
                events.ledger(LedgerProblem::Damaged, None);
            }
            Err(LedgerError::Store(error)) => self.outage.note(&error.to_string(), events),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Processes observations, in configuration order, as one batch: advances the components, commits the batch and
    /// publishes the result. If the batch cannot be recorded because another replica was faster or the store failed,
    /// undoes the advances, applies the batches of other replicas, and tries again. Returns the components whose mirrors
    /// turned out to be corrupt. Checkpoints are written later, by [`Self::catch_up`].
    ///
    /// # Errors
    /// When the ledger cannot be written, or was moved; then nothing is published.
    pub fn ingest(
        &mut self,
        mut observations: Vec<Observation>,
        observed_at: Timestamp,
        events: &dyn FollowEvents,
    ) -> Result<Vec<ComponentIndex>, LedgerError> {
        let started = Instant::now();
        self.ledger.check_in_place()?;
        let mirrors = observations
            .iter()
            .filter_map(|observation| observation.state.as_ref().ok());
        let recloned = mirrors
            .map(|state| &state.repository)
            .any(Repository::is_recloned);
        let advanced = loop {
            let next = self.ledger.next_batch();
            let before = self
                .ledger
                .shared()
                .map(|_| (self.ledger.ids.clone(), observations.clone()));
            let mut advanced = self.advance(observations, observed_at, events);
            self.find_moved_strings(&mut advanced);
            let projections = std::mem::take(&mut advanced.projections);
            match self.commit_batch(&advanced.advances, projections, observed_at) {
                Ok(Appended::Recorded) => {
                    let is_written = self.ledger.next_batch() > next;
                    self.outage.end(&mut self.ledger, is_written, events);
                    break advanced;
                }
                // Another replica was faster.
                Ok(Appended::Lost) => {}
                Err(LedgerError::Store(error))
                    if before.is_some() && self.ledger.read_only().is_none() =>
                {
                    self.outage.begin(&mut self.ledger, &error, events);
                }
                Err(error) => return Err(error),
            }
            let (ids, retry) = before.unwrap_or_else(|| (self.ledger.ids.clone(), Vec::new()));
            self.undo(&advanced.advances, ids);
            observations = self.apply_news(retry, events)?;
        };
        let is_new = !advanced.advances.is_empty()
            || self.published.load().is_none()
            || self.has_new_batches();
        self.share_sources(advanced.observed.iter().copied());
        self.publish(is_new);

        if is_new {
            events.batch(started.elapsed());
        }
        self.report(&advanced.observed, &advanced.damaged, events);
        self.report_missing_objects(events);
        if is_new || recloned {
            self.defer_checkpoints();
        }
        Ok(advanced.damaged)
    }

    /// Advances each component to its observed tip, and projects its state there.
    fn advance(
        &mut self,
        observations: Vec<Observation>,
        observed_at: Timestamp,
        events: &dyn FollowEvents,
    ) -> Advanced {
        let mut advanced = Advanced::default();
        for Observation {
            component: index,
            state,
            freshness,
        } in self.prepare(observations)
        {
            advanced.observed.push(index);
            let started = Instant::now();
            let name = self.components[index.get()].name.clone();
            let seen = state.as_ref().ok().map(|state| state.tip);
            let advance = match state {
                Ok(state) => {
                    let progress = |progress| events.progress(&name, progress);
                    self.advance_component(index, state, freshness, observed_at, &progress)
                }
                Err(reason) => Err(ComponentError::Repository(reason)),
            };
            let component = &mut self.components[index.get()];
            if freshness == Freshness::Overtaken && seen != component.phase.tip() {
                self.outage.retry_at = Some(Instant::now());
            }
            match advance {
                Ok(Some((advance, projection))) => {
                    let begins = component.phase.history().is_some()
                        && advance.from.is_none()
                        && !advance.replayed;
                    events.advanced(
                        &name,
                        started.elapsed(),
                        begins && self.ledger.has_moves_of(&name),
                    );
                    advanced.advances.push(advance);
                    advanced.projections.push(projection);
                }
                Ok(None) => {}
                Err(error) => {
                    // The next poll fetches objects that only the repository has.
                    let may_come = self.objects.is_some() && freshness != Freshness::Current;
                    let is_damaged = error.is_damage() && !may_come;
                    advanced.damaged.extend(is_damaged.then_some(index));
                    component.fail(Failure {
                        reason: error.to_string(),
                        lacks_objects: error.is_damage() && !self.is_polling,
                    });
                }
            }
        }
        advanced
    }

    /// Adds stored objects to the observed repositories, and restores their components from checkpoints.
    fn prepare(&mut self, mut observations: Vec<Observation>) -> Vec<Observation> {
        observations.retain(|it| it.component.get() < self.components.len());
        for Observation {
            component, state, ..
        } in &mut observations
        {
            if let Ok(state) = state {
                *state = self.with_objects(*component, state.clone());
            }
        }
        self.restore(&observations);
        for Observation {
            component, state, ..
        } in &observations
        {
            if state.as_ref().is_ok_and(|it| it.repository.is_recloned()) {
                // Commits that the new mirror lacks exist only in the log in memory: write its checkpoint soon.
                if let Some(log) = self.components[component.get()].phase.log_mut() {
                    log.saved = None;
                }
            }
        }
        observations
    }

    /// Advances a component to an observed state. If the repository lacks objects, takes them from the object store and
    /// tries again.
    fn advance_component(
        &mut self,
        index: ComponentIndex,
        state: BranchState,
        freshness: Freshness,
        observed_at: Timestamp,
        progress: &(dyn Fn(StepProgress) + Sync),
    ) -> Result<Option<(Advance, Projection)>, ComponentError> {
        let max_id_bytes = allowed_id_bytes(&self.components, &self.lookup, index.get());
        let (component, ledger) = (&mut self.components[index.get()], &self.ledger);
        component.max_id_bytes = max_id_bytes;
        let advance = |component: &mut ComponentState, state| {
            component.advance(index, state, freshness, ledger, observed_at, progress)
        };
        let advanced = advance(component, state.clone());
        if let (Err(error), Some(objects)) = (&advanced, &mut self.objects)
            && error.is_damage()
            && objects.import_all(component, ledger)
        {
            let repository = objects.attach(state.repository.clone());
            let state = BranchState {
                repository,
                ..state
            };
            return advance(component, state);
        }
        advanced
    }

    /// Allocates ids, records the batch in the ledger and builds the new component snapshots, unless another replica was
    /// faster.
    fn commit_batch(
        &mut self,
        advances: &[Advance],
        projections: Vec<Projection>,
        observed_at: Timestamp,
    ) -> Result<Appended, LedgerError> {
        let (ledger, components) = (&mut self.ledger, &mut self.components);
        let batch = BatchCommit::new(ledger, components, advances, projections);
        batch.run(
            observed_at,
            self.objects.as_mut(),
            (&self.projects, &self.lookup),
            (&self.words, &self.moved),
        )
    }

    /// Publishes the new state if there is any.
    pub(super) fn publish(&mut self, is_new: bool) {
        if !is_new {
            return;
        }
        let configured = self.projects.iter();
        let projects = configured.filter_map(|project| project_of(&self.ledger.ids, project));
        let served: Vec<Arc<ComponentSnapshot>> = self
            .components
            .iter()
            .filter_map(|component| component.served().cloned())
            .collect();
        let last = ChangeId(self.ledger.ids.next_change().saturating_sub(1));
        let before = self.published.load();
        let snapshot = Snapshot::after(before.as_deref(), projects.collect(), served, self.users())
            .numbered_to(last)
            .allocated_in(self.ledger.ids.first_ids())
            .held_back_from(self.first_hidden_change());
        self.published_batch = self.ledger.next_batch() - 1;
        let snapshot = snapshot.recorded_in(self.ledger.id(), self.published_batch);
        // Batches of the same second get different times, because clients compare times (`Last-Modified`).
        let seconds = self
            .ledger
            .batches
            .iter()
            .map(|(batch, _)| Timestamp(batch.seen).seconds());
        let time = seconds.reduce(|last, seen| seen.max(last + 1));
        self.published.publish(match time {
            Some(time) => snapshot.at(time),
            None => snapshot,
        });
        self.background_checks.start();
    }
}

/// The result of advancing components.
#[derive(Default)]
pub(super) struct Advanced {
    observed: Vec<ComponentIndex>,
    pub(super) advances: Vec<Advance>,
    /// The new state of each advance.
    pub(super) projections: Vec<Projection>,
    /// The components whose mirrors are corrupt.
    damaged: Vec<ComponentIndex>,
}
