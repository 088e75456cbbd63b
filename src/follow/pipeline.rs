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
use super::component::Advance;
use super::follow_loop::FollowLoop;
use super::follower::Follower;
use super::poll::Poll;
use super::{ComponentError, FollowError, FollowEvents, Observation};
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
        if polls.is_empty() && (self.unpolled.is_empty() || self.held_polls.deadline().is_some()) {
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
            observations.extend(tracked.observations(&poll.result));
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
}

impl Follower {
    /// Processes observations, in configuration order, as one batch: advances the components, commits the batch and
    /// publishes the result. Returns the components whose mirrors turned out to be corrupt. Checkpoints are written
    /// later, by [`Self::catch_up`].
    ///
    /// # Errors
    /// When the ledger cannot be written, or is not at its place any more; then nothing is published.
    pub fn ingest(
        &mut self,
        observations: Vec<Observation>,
        observed_at: Timestamp,
        events: &dyn FollowEvents,
    ) -> Result<Vec<ComponentIndex>, FollowError> {
        let started = Instant::now();
        self.ledger.check_in_place()?;
        let observed: Vec<ComponentIndex> = observations
            .iter()
            .map(|observation| observation.component)
            .filter(|component| component.0 < self.components.len())
            .collect();
        let cloned = |observation: &Observation| {
            observation
                .state
                .as_ref()
                .is_ok_and(|state| state.repository.is_recloned())
        };
        let recloned = observations.iter().any(cloned);

        let Advanced {
            advances,
            mut damaged,
        } = self.advance(observations, observed_at, events);
        let is_new = !advances.is_empty() || !self.is_published();
        damaged.extend(self.commit_batch(advances, observed_at)?);
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
        } in observations
        {
            if index.0 >= self.components.len() {
                continue;
            }
            if let Ok(state) = &state {
                self.restore(index, state);
            }
            let component = &mut self.components[index.0];
            if state
                .as_ref()
                .is_ok_and(|state| state.repository.is_recloned())
            {
                // Commits that the new mirror lacks exist only in the log in memory: write its checkpoint soon.
                component.saved = None;
            }
            let started = Instant::now();
            let name = component.name.clone();
            let progress = |progress| events.progress(&name, progress);
            let state = state.map_err(ComponentError::Repository);
            match state.and_then(|state| {
                component.advance(index, state, &self.ledger, observed_at, &progress)
            }) {
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
                    advanced.damaged.extend(error.is_damage().then_some(index));
                    component.fail(error.to_string());
                }
            }
        }
        advanced
    }

    /// Allocates ids, records the batch in the ledger and builds the new component snapshots. Returns the components
    /// whose mirrors are corrupt.
    fn commit_batch(
        &mut self,
        advances: Vec<Advance>,
        observed_at: Timestamp,
    ) -> Result<Vec<ComponentIndex>, FollowError> {
        let mut batch = BatchCommit::new(
            &mut self.ledger,
            &mut self.components,
            &self.projects,
            &self.checker,
        );
        batch.number_entries(&advances);
        let damaged = batch.project(&advances);
        batch.allocate_ids();
        batch.record(&advances, self.mode, observed_at)?;
        batch.build_snapshots();
        Ok(damaged)
    }

    /// Publishes the new state if there is any, and lets downloads use the current mirrors.
    fn publish(&mut self, is_new: bool) {
        self.share_sources();
        if is_new {
            self.publish_snapshot();
        }
    }
}

/// The result of advancing components.
#[derive(Default)]
struct Advanced {
    advances: Vec<Advance>,
    /// The components whose mirrors are corrupt.
    damaged: Vec<ComponentIndex>,
}
