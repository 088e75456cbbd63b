//! A follower that shares its ledger with other replicas: applies their batches, and survives lost races and outages of
//! the store. Source: `docs/spec/ids-and-ledger.md#shared-ledger`.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use chrono::Utc;

use super::component::{Advance, ComponentState};
use super::follow_loop::FollowLoop;
use super::follower::Follower;
use super::ledger_watch::LedgerNews;
use super::poll::TrackedRepo;
use super::{BranchState, FollowError, FollowEvents, Freshness, Observation};
use crate::ledger::{IdRegistry, LedgerError};
use crate::model::{ComponentIndex, Timestamp};
use crate::store::StoreError;

/// The wait before a batch that could not be written is tried again.
pub(super) const RETRY: Duration = Duration::from_secs(2);

impl FollowLoop {
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
    /// Reads the batches of other replicas and publishes them.
    ///
    /// # Errors
    /// When an object of the store is corrupt, or the local copy cannot be written.
    pub fn follow_ledger(&mut self, events: &dyn FollowEvents) -> Result<(), FollowError> {
        let observations = self.apply_news(Vec::new(), events)?;
        if observations.is_empty() && !self.has_new_batches() {
            return Ok(());
        }
        let now = Timestamp(Utc::now().timestamp_micros());
        self.ingest(observations, now, events).map(drop)
    }

    /// Whether the ledger has batches that are not published.
    pub(super) fn has_new_batches(&self) -> bool {
        self.ledger.next_batch() - 1 > self.published_batch
    }

    /// Whether another replica has moved a component since a poll started.
    pub(super) fn is_moved_since(&self, component: ComponentIndex, started: Instant) -> bool {
        let component = self.components.get(component.0);
        component.is_some_and(|it| it.moved_at.is_some_and(|moved| moved >= started))
    }

    /// Reads new batches into the ledger. Returns the observations, in which the components that the batches move are
    /// not current any more; adds those that are missing.
    pub(super) fn apply_news(
        &mut self,
        mut observations: Vec<Observation>,
        events: &dyn FollowEvents,
    ) -> Result<Vec<Observation>, FollowError> {
        let first = self.ledger.next_batch();
        match self.ledger.sync() {
            Ok(_) => {}
            Err(LedgerError::Store(error)) => self.begin_outage(&error, events),
            Err(error) => return Err(error.into()),
        }
        if let Some(reason) = self.ledger.newer() {
            events.ledger(Some(reason));
        }
        let new = self.ledger.batches.get(first as usize - 1..);
        let moves = new
            .unwrap_or_default()
            .iter()
            .flat_map(|(batch, _)| &batch.moves);
        let moved: BTreeSet<&str> = moves.map(|it| &*it.component).collect();
        let now = Instant::now();
        let moved: Vec<ComponentIndex> = (0..self.components.len())
            .filter(|&at| moved.contains(&*self.components[at].name))
            .map(ComponentIndex)
            .collect();
        for index in moved {
            self.components[index.0].moved_at = Some(now);
            match observations.iter_mut().find(|it| it.component == index) {
                Some(observation) if observation.freshness == Freshness::Current => {
                    observation.freshness = Freshness::Overtaken;
                }
                Some(_) => {}
                None if self.is_polling => {
                    observations.extend(self.components[index.0].last_observation(index));
                }
                None => observations.extend(self.recorded_observation(index)),
            }
        }
        observations.sort_by_key(|observation| observation.component);
        Ok(observations)
    }

    /// Lets the repository of an observation also read the objects of other replicas, and imports those that the next
    /// moves need.
    pub(super) fn with_objects(
        &mut self,
        index: ComponentIndex,
        state: BranchState,
    ) -> BranchState {
        let (Some(objects), Some(component)) = (&mut self.objects, self.components.get(index.0))
        else {
            return state;
        };
        let mut repository = objects.attach(state.repository);
        if objects.import_missing(component, &self.ledger, &repository) {
            repository = objects.attach(repository);
        }
        BranchState {
            repository,
            ..state
        }
    }

    /// The recorded state of a component, without its repository.
    pub(super) fn recorded_observation(&self, index: ComponentIndex) -> Option<Observation> {
        let component = self.components.get(index.0)?;
        let state = self.recorded_state(component);
        Some(Observation {
            component: index,
            state,
            freshness: Freshness::Old,
        })
    }

    /// The recorded states of all components.
    pub(super) fn recorded_observations(&self) -> Vec<Observation> {
        let indexes = (0..self.components.len()).map(ComponentIndex);
        indexes
            .filter_map(|index| self.recorded_observation(index))
            .collect()
    }

    fn recorded_state(&self, component: &ComponentState) -> Result<BranchState, String> {
        let last = component.last_move(&self.ledger);
        let last = last.ok_or("the shared ledger does not contain it with these settings")?;
        let tip = last
            .to()
            .parse()
            .map_err(|_| "the recorded tip is invalid")?;
        let objects = self.objects.as_ref().ok_or("the ledger is not shared")?;
        let repository = objects.repository().map_err(|error| error.to_string())?;
        let details = self.ledger.details(last.batch.batch);
        let branches = details.map_err(|error| error.to_string())?;
        let branches = branches.unwrap_or_default().branches;
        Ok(BranchState {
            repository,
            branch: branches.get(&component.name).cloned().unwrap_or_default(),
            tip,
        })
    }

    /// Undoes advances that could not be recorded; `ids` are those before.
    pub(super) fn undo(&mut self, advances: &[Advance], ids: IdRegistry) {
        self.ledger.ids = ids;
        for advance in advances {
            self.components[advance.component.0].undo();
        }
    }

    /// Stops writing batches until [`Self::end_outage`].
    pub(super) fn begin_outage(&mut self, error: &StoreError, events: &dyn FollowEvents) {
        let reason = error.to_string();
        events.ledger(Some(&reason));
        if self.ledger.read_only().is_none() {
            tracing::warn!("nothing new is published: {reason}");
            self.ledger.set_read_only(Some(reason));
            self.in_outage = true;
        }
    }

    /// After a batch was ingested: the next one is tried again. Reports the end of an outage if the ledger was
    /// `written`.
    pub(super) fn end_outage(&mut self, written: bool, events: &dyn FollowEvents) {
        if std::mem::take(&mut self.in_outage) {
            self.ledger.set_read_only(None);
            self.retry_at = Some(Instant::now() + RETRY);
        } else if written && self.ledger.shared().is_some() && self.ledger.newer().is_none() {
            events.ledger(None);
        }
    }

    /// Whether all repositories must be polled again now.
    pub(super) fn take_retry(&mut self) -> bool {
        let due = self.retry_at.is_some_and(|at| at <= Instant::now());
        if due {
            self.retry_at = None;
        }
        due
    }
}

impl ComponentState {
    /// An observation without a poll.
    fn last_observation(&self, component: ComponentIndex) -> Option<Observation> {
        let repository = self.repository.as_ref()?;
        let repository = repository.reopen().unwrap_or_else(|_| repository.clone());
        let state = BranchState {
            repository,
            branch: self.config.branch.clone(),
            tip: self.tip?,
        };
        Some(Observation {
            component,
            state: Ok(state),
            freshness: Freshness::Old,
        })
    }
}
