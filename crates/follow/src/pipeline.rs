//! The push path: poll → observe → advance → commit batch → publish.
//!
//! | Stage | Result |
//! |---|---|
//! | [`poll`](PollLoop::poll) | the repositories that are due are fetched; on threads of their own unless they are local |
//! | [`observe`](PollLoop::observe) | for each component, the tip of its branch or the reason why there is none |
//! | [`advance`](super::FollowedComponents::advance) | the histories, and with them the change logs, of the components that moved, and their states |
//! | [`commit_batch`](super::FollowedComponents::commit_batch) | new ids and the ledger lines that record them, on disk; new component snapshots |
//! | [`publish`](super::FollowedComponents::publish) | the new snapshot, with one pointer swap, and the notifications |
//!
//! [`PollLoop::run`] repeats the stages. Schedules, mirror maintenance and new checkpoints wait until a batch is
//! published. Source: `docs/spec/ids-and-ledger.md#batches`.

use std::time::Instant;

use chrono::Utc;

use super::events::FollowEvents;
use super::handle::LedgerNews;
use super::observation::{Freshness, Observation};
use super::poll::{Poll, TrackedRepo};
use super::poll_loop::{MAX_SLEEP, PollLoop};
use super::steps::SLICE;
use gitglot_ledger::LedgerError;
use gitglot_model::{ComponentIndex, Timestamp};

impl PollLoop {
    /// Follows all repositories until the loop is stopped.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn run(&mut self, events: &dyn FollowEvents) -> Result<(), LedgerError> {
        let slice = &mut self.followed.steps.slice;
        *slice = slice.map(|slice| slice.min(SLICE));
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
            let until = if self.followed.steps.has_finished() {
                // Also while steps end all the time, polls and a stop are received.
                Instant::now()
            } else {
                self.next_poll().min(Instant::now() + MAX_SLEEP)
            };
            let others = [
                self.poll_batch.deadline,
                self.followed.catch_up_at(),
                self.followed.outage.retry_at,
            ];
            let until = others.into_iter().flatten().fold(until, Instant::min);
            self.recv_messages(until, &mut polls);
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
        self.process_late(events)?;
        self.apply_ledger_news(events)?;
        if polls.is_empty() && (self.unpolled.is_empty() || self.poll_batch.deadline.is_some()) {
            return Ok(());
        }
        let observed_at = Timestamp(Utc::now().timestamp_micros());
        let observations = self.observe(&polls, events);
        let result = self.followed.ingest(observations, observed_at, events);
        self.finish_ingested(polls, result, events)
    }

    /// Publishes the late steps that are done, and what waited for a checkpoint.
    fn process_late(&mut self, events: &dyn FollowEvents) -> Result<(), LedgerError> {
        let is_written = self.followed.take_written();
        if !is_written && self.late_polls.is_empty() && !self.followed.steps.has_finished() {
            return Ok(());
        }
        let result = self.followed.ingest_late(events);
        let polls = std::mem::take(&mut self.late_polls);
        self.finish_ingested(polls, result, events)
    }

    /// Finishes the polls whose components were ingested, except those of late steps. `result` are the components whose
    /// mirrors are corrupt.
    fn finish_ingested(
        &mut self,
        polls: Vec<Poll>,
        result: Result<Vec<ComponentIndex>, LedgerError>,
        events: &dyn FollowEvents,
    ) -> Result<(), LedgerError> {
        let is_late = |poll: &Poll| {
            let mut components = self.tracked[poll.repository].components.iter();
            components.any(|reads| self.followed.is_late(reads.component))
        };
        let (late, polls) = polls.into_iter().partition(is_late);
        self.late_polls.extend::<Vec<Poll>>(late);
        self.finish_polls(polls, result.as_deref().unwrap_or_default(), events);
        result
            .inspect_err(|error| self.report_all_behind(error, events))
            .map(drop)
    }

    fn report_all_behind(&self, error: &LedgerError, events: &dyn FollowEvents) {
        let reason = error.to_string();
        for name in self.followed.names() {
            events.behind(&name, Some(&reason));
        }
        events.reported();
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
