//! The push path: poll → observe → advance → commit batch → publish.
//!
//! | Stage | Result |
//! |---|---|
//! | poll | the repositories that are due are fetched; on threads of their own unless they are local |
//! | observe | for each component, the tip of its branch or the reason why there is none |
//! | advance | the histories, and with them the change logs, of the components that moved |
//! | commit batch | new ids and the ledger lines that record them, on disk; new component snapshots |
//! | publish | the new snapshot, with one pointer swap, and the notifications |
//!
//! Everything else waits until a batch is published: schedules, log messages, mirror maintenance, checkpoints.
//! Source: `docs/spec/ids-and-ledger.md#batches`.

use std::time::Instant;

use chrono::Utc;

use super::batch::BatchCommit;
use super::component::{Advance, ComponentState};
use super::follow_loop::FollowLoop;
use super::follower::Follower;
use super::ledger_watch::LedgerNews;
use super::poll::{Poll, TrackedRepo};
use super::{BranchState, ComponentError, FollowError, FollowEvents, Freshness, Observation};
use crate::history::StepProgress;
use crate::ledger::{Appended, BatchDetails, LedgerError};
use crate::model::{ComponentIndex, Timestamp};

impl FollowLoop {
    /// Follows all repositories until the loop is stopped.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn run(&mut self, events: &dyn FollowEvents) -> Result<(), FollowError> {
        loop {
            // A poll would create a mirror in a removed state directory.
            if let Err(error) = self.follower.ledger.check_in_place() {
                self.report_all_behind(&error, events);
                return Err(error.into());
            }
            let Some(polls) = self.poll(events) else {
                return Ok(());
            };
            self.ingest(polls, events)?;
            self.follower.catch_up_if_due();
        }
    }

    fn report_all_behind(&self, error: &dyn std::error::Error, events: &dyn FollowEvents) {
        let reason = error.to_string();
        self.follower
            .names()
            .iter()
            .for_each(|name| events.behind(name, Some(&reason)));
    }

    /// Processes finished polls as one batch.
    pub(super) fn ingest(
        &mut self,
        polls: Vec<Poll>,
        events: &dyn FollowEvents,
    ) -> Result<(), FollowError> {
        self.follow_ledger(events)?;
        if polls.is_empty() && (self.unpolled.is_empty() || self.poll_batch.deadline().is_some()) {
            return Ok(());
        }
        let observed_at = Timestamp(Utc::now().timestamp_micros());
        let observations = self.observe(&polls, events);
        let result = self.follower.ingest(observations, observed_at, events);
        self.finish_polls(polls, result.as_deref().unwrap_or_default(), events);
        if let Err(error) = &result {
            self.report_all_behind(error, events);
        }
        result.map(drop)
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
                    && self.follower.is_moved_since(component, poll.started)
                {
                    observation.freshness = Freshness::Overtaken;
                }
            }
            observations.extend(observed);
            // Reported before an outdated state is published.
            for reads in &tracked.components {
                if let (Some(name), Some(failure)) = (
                    self.follower.name(reads.component),
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
    pub(super) fn follow_ledger(&mut self, events: &dyn FollowEvents) -> Result<(), FollowError> {
        for news in std::mem::take(&mut self.ledger_news) {
            match news {
                LedgerNews::Batches => self.follower.follow_ledger(events)?,
                LedgerNews::Outage(error) => {
                    tracing::warn!("{error}");
                    events.ledger(Some(&error));
                }
                LedgerNews::Recovered => {
                    events.ledger(self.follower.ledger.newer());
                    // A batch may wait for the store.
                    self.tracked.iter_mut().for_each(TrackedRepo::schedule_now);
                }
            }
        }
        Ok(())
    }
}

impl Follower {
    /// Processes observations, in configuration order, as one batch: advances the components, commits the batch and
    /// publishes the result. Returns the components whose mirrors turned out to be corrupt. Checkpoints are written
    /// later, by [`Self::catch_up`].
    ///
    /// # Errors
    /// When the ledger cannot be written, or was moved; then nothing is published.
    pub fn ingest(
        &mut self,
        observations: Vec<Observation>,
        observed_at: Timestamp,
        events: &dyn FollowEvents,
    ) -> Result<Vec<ComponentIndex>, FollowError> {
        let started = Instant::now();
        self.ledger.check_in_place()?;
        let cloned = |observation: &Observation| {
            observation
                .state
                .as_ref()
                .is_ok_and(|state| state.repository.is_recloned())
        };
        let recloned = observations.iter().any(cloned);
        let Ingested {
            observed,
            damaged,
            is_new,
        } = self.commit(observations, observed_at, events)?;
        self.publish(is_new);

        if is_new {
            events.batch(started.elapsed());
        }
        self.report(&observed, &damaged, events);
        if is_new || recloned {
            self.defer_checkpoints();
        }
        Ok(damaged)
    }

    /// Advances the components and commits the batch. Where another replica was faster, undoes the advances, applies
    /// the batches of the other replica, and tries again.
    fn commit(
        &mut self,
        mut observations: Vec<Observation>,
        observed_at: Timestamp,
        events: &dyn FollowEvents,
    ) -> Result<Ingested, FollowError> {
        loop {
            let next = self.ledger.next_batch();
            let ids = self.ledger.shared().map(|_| self.ledger.ids.clone());
            let retry = ids.as_ref().map(|_| observations.clone());
            let observed: Vec<ComponentIndex> = observations
                .iter()
                .map(|observation| observation.component)
                .filter(|component| component.0 < self.components.len())
                .collect();
            let Advanced {
                advances,
                mut damaged,
            } = self.advance(observations, observed_at, events);
            let committed = self.commit_batch(&advances, observed_at);
            let (ids, retry) = match (committed, ids, retry) {
                (Ok(Committed::Recorded(more)), ..) => {
                    damaged.extend(more);
                    let is_new =
                        !advances.is_empty() || !self.is_published() || self.has_new_batches();
                    let is_written = self.ledger.next_batch() > next;
                    self.outage.end(&mut self.ledger, is_written, events);
                    return Ok(Ingested {
                        observed,
                        damaged,
                        is_new,
                    });
                }
                (Err(LedgerError::Store(error)), Some(ids), Some(retry))
                    if self.ledger.read_only().is_none() =>
                {
                    self.outage.begin(&mut self.ledger, &error, events);
                    (ids, retry)
                }
                (Ok(Committed::Lost), Some(ids), Some(retry)) => (ids, retry),
                (Err(error), ..) => return Err(error.into()),
                (Ok(Committed::Lost), ..) => (self.ledger.ids.clone(), Vec::new()),
            };
            self.undo(&advances, ids);
            observations = self.apply_news(retry, events)?;
        }
    }

    /// Advances each component to its observed tip.
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
        } in observations
        {
            if index.0 >= self.components.len() {
                continue;
            }
            let state = state.map(|state| self.prepare(index, state));
            let started = Instant::now();
            let name = self.components[index.0].name.clone();
            let seen = state.as_ref().ok().map(|state| state.tip);
            let advance = match state {
                Ok(state) => {
                    let progress = |progress| events.progress(&name, progress);
                    self.advance_component(index, state, freshness, observed_at, &progress)
                }
                Err(reason) => Err(ComponentError::Repository(reason)),
            };
            let component = &mut self.components[index.0];
            if freshness == Freshness::Overtaken && seen != component.tip {
                self.outage.retry_now();
            }
            match advance {
                Ok(Some(advance)) => {
                    let begins =
                        component.history.is_some() && advance.from.is_none() && !advance.replayed;
                    events.advanced(
                        &name,
                        started.elapsed(),
                        begins && self.ledger.has_moves_of(&name),
                    );
                    advanced.advances.push(advance);
                }
                Ok(None) => {}
                Err(error) => {
                    // The next poll fetches objects that only the repository has.
                    let may_come = self.objects.is_some() && freshness != Freshness::Current;
                    let is_damaged = error.is_damage() && !may_come;
                    advanced.damaged.extend(is_damaged.then_some(index));
                    component.fail(error.to_string());
                }
            }
        }
        advanced
    }

    /// Adds stored objects to an observed repository, and restores the component from its checkpoint.
    fn prepare(&mut self, index: ComponentIndex, state: BranchState) -> BranchState {
        let state = self.with_objects(index, state);
        self.restore(index, &state);
        if state.repository.is_recloned() {
            // Commits that the new mirror lacks exist only in the log in memory: write its checkpoint soon.
            self.components[index.0].saved = None;
        }
        state
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
    ) -> Result<Option<Advance>, ComponentError> {
        let (component, ledger) = (&mut self.components[index.0], &self.ledger);
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

    /// Allocates ids, records the batch in the ledger and builds the new component snapshots.
    fn commit_batch(
        &mut self,
        advances: &[Advance],
        observed_at: Timestamp,
    ) -> Result<Committed, LedgerError> {
        let mut batch = BatchCommit::new(
            &mut self.ledger,
            &mut self.components,
            &self.projects,
            &self.checker,
        );
        batch.number_entries(advances);
        let damaged = batch.project(advances);
        batch.allocate_ids();
        let mut details = BatchDetails::default();
        if let Some(objects) = &mut self.objects {
            details.packs = batch.store_packs(advances, objects)?;
        }
        if batch.record(advances, self.mode, observed_at, details)? == Appended::Lost {
            return Ok(Committed::Lost);
        }
        batch.build_snapshots();
        if let Some(objects) = &mut self.objects {
            objects.confirm_packs();
        }
        Ok(Committed::Recorded(damaged))
    }

    /// Publishes the new state if there is any, and lets downloads use the current mirrors.
    fn publish(&mut self, is_new: bool) {
        self.share_sources();
        if is_new {
            self.publish_snapshot();
        }
    }
}

/// The result of [`Follower::commit`].
struct Ingested {
    observed: Vec<ComponentIndex>,
    /// The components whose mirrors are corrupt.
    damaged: Vec<ComponentIndex>,
    is_new: bool,
}

/// The result of committing a batch.
enum Committed {
    /// The batch is recorded. Contains the components whose mirrors are corrupt.
    Recorded(Vec<ComponentIndex>),
    /// Another replica was faster.
    Lost,
}

/// The result of advancing components.
#[derive(Default)]
struct Advanced {
    advances: Vec<Advance>,
    /// The components whose mirrors are corrupt.
    damaged: Vec<ComponentIndex>,
}
