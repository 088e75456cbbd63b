//! The ingestion for a ledger that replicas share: a batch that cannot be recorded is undone, and the batches of other
//! replicas are applied. Source: `docs/spec/ids-and-ledger.md#shared-ledger`.

use std::collections::BTreeSet;
use std::time::Instant;

use chrono::Utc;

use super::component::{Advance, Advanced, ComponentState};
use super::events::{FollowEvents, LedgerProblem};
use super::followed_components::FollowedComponents;
use super::ingest::Work;
use super::moved_strings::MovedStrings;
use super::observation::{BranchError, BranchState, Freshness, Observation};
use super::steps::Step;
use gitglot_ledger::{Appended, IdRegistry, LedgerError};
use gitglot_model::{ComponentIndex, Timestamp};

impl FollowedComponents {
    /// Advances the components and commits the batch, as [`Self::advance_and_commit`]. If the batch cannot be recorded
    /// because another replica was faster or the store failed, undoes the advances, applies the batches of other
    /// replicas, and tries again.
    ///
    /// # Errors
    /// When the state directory cannot be written, or the ledger is damaged.
    pub(super) fn ingest_shared(
        &mut self,
        mut work: Work,
        observed_at: Timestamp,
        events: &dyn FollowEvents,
    ) -> Result<Advanced, LedgerError> {
        let mut late = Vec::new();
        loop {
            let (next, ids) = (self.ledger.next_batch(), self.ledger.ids.clone());
            let retried: Vec<Observation> = match &mut work {
                Work::Observed(observations) => {
                    let retried = observations.clone();
                    self.attach_objects(observations);
                    retried
                }
                Work::Finished(finished) => self.retried(finished),
            };
            let (mut advanced, appended) = self.advance_and_commit(work, observed_at, events);
            late.append(&mut advanced.late);
            match appended {
                Ok(Appended::Recorded) => {
                    let is_written = self.ledger.next_batch() > next;
                    self.outage.end(&mut self.ledger, is_written, events);
                    advanced.late = late;
                    return Ok(advanced);
                }
                // Another replica was faster.
                Ok(Appended::Lost) => {}
                Err(LedgerError::Store(error)) if self.ledger.read_only().is_none() => {
                    self.outage.begin(&mut self.ledger, &error, events);
                }
                Err(error) => return Err(error),
            }
            self.undo(&advanced.advances, ids);
            let observed = self.apply_news(self.not_late(retried), events)?;
            work = Work::Observed(observed);
        }
    }

    /// What is observed again if the batch of a late step cannot be recorded. A component that another replica has moved
    /// waits for its own observation.
    fn retried(&self, finished: &Step) -> Vec<Observation> {
        let members = finished.members.iter().filter_map(|member| {
            let index = ComponentIndex::new(self.lookup.component(&member.state.name)?);
            let is_own = self.components[index.get()].is_in_step_of(finished.id);
            (is_own && !self.is_moved(index, member.recorded.newest_batch())).then(|| Observation {
                component: index,
                ..member.observation.clone()
            })
        });
        members.collect()
    }

    /// The observations of components that no late step has.
    fn not_late(&self, mut observations: Vec<Observation>) -> Vec<Observation> {
        observations.retain(|observation| !self.is_in_step(observation.component));
        observations
    }

    /// Observes a component again after its late step, because another replica has moved it meanwhile.
    pub(super) fn observe_again(&mut self, observation: Observation, observed_at: Timestamp) {
        let index = observation.component;
        let again = if self.is_polling {
            Some(Observation {
                freshness: match observation.freshness {
                    Freshness::Current => Freshness::Overtaken,
                    older => older,
                },
                ..observation
            })
        } else {
            self.recorded_observation(index)
        };
        if let (Some(again), Some(name)) = (again, self.name(index).map(str::to_owned)) {
            self.steps.postpone(&name, observed_at, again);
        }
    }

    /// Undoes advances that could not be recorded; `ids` are those before.
    fn undo(&mut self, advances: &[Advance], ids: IdRegistry) {
        self.ledger.ids = ids;
        self.moved = MovedStrings::default();
        for advance in advances {
            self.components[advance.component.get()].undo();
        }
    }

    /// Checks the shared ledger after an outage: the store may have lost batches.
    pub(super) fn check_ledger(&mut self, events: &dyn FollowEvents) -> Result<(), LedgerError> {
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

    /// Reads the batches of other replicas and publishes them.
    ///
    /// # Errors
    /// When an object of the store is corrupt, or the local copy cannot be written.
    pub fn follow_ledger(&mut self, events: &dyn FollowEvents) -> Result<(), LedgerError> {
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
        let component = self.components.get(component.get());
        component.is_some_and(|component| component.moved_at.is_some_and(|moved| moved >= started))
    }

    /// Reads new batches into the ledger. Returns the observations, in which the components that the batches move are
    /// not current any more; adds those that are missing.
    fn apply_news(
        &mut self,
        mut observations: Vec<Observation>,
        events: &dyn FollowEvents,
    ) -> Result<Vec<Observation>, LedgerError> {
        let first = self.ledger.next_batch();
        match self.ledger.sync() {
            Ok(_) => self.outage.read(events),
            Err(LedgerError::Store(error)) => self.outage.begin(&mut self.ledger, &error, events),
            Err(error) => return Err(error),
        }
        if let Some(reason) = self.ledger.newer() {
            events.ledger(LedgerProblem::Newer, Some(reason));
        }
        let new = self.ledger.batches.get(first as usize - 1..);
        let moves = new
            .unwrap_or_default()
            .iter()
            .flat_map(|batch| &batch.moves);
        let moved: BTreeSet<&str> = moves.map(|moved| &*moved.component).collect();
        let now = Instant::now();
        let indexes = (0..self.components.len()).map(ComponentIndex::new);
        let is_moved = |at: &ComponentIndex| moved.contains(&*self.components[at.get()].name);
        let moved: Vec<ComponentIndex> = indexes.filter(is_moved).collect();
        for index in moved {
            let component = &mut self.components[index.get()];
            component.moved_at = Some(now);
            self.steps.overtake_waiting(&component.name);
            let mut known = observations.iter_mut();
            match known.find(|observation| observation.component == index) {
                Some(observation) if observation.freshness == Freshness::Current => {
                    observation.freshness = Freshness::Overtaken;
                }
                Some(_) => {}
                // It is observed again when its late step is done.
                None if self.components[index.get()].is_in_step() => {}
                None if self.is_polling => {
                    observations.extend(self.components[index.get()].last_observation(index));
                }
                None => observations.extend(self.recorded_observation(index)),
            }
        }
        observations.sort_by_key(|observation| observation.component);
        Ok(observations)
    }

    /// Lets the observed repositories also read the objects of other replicas, and imports those that the next moves
    /// need.
    fn attach_objects(&mut self, observations: &mut [Observation]) {
        let Some(objects) = &mut self.objects else {
            return;
        };
        for observation in observations {
            let component = self.components.get(observation.component.get());
            if let (Ok(state), Some(component)) = (&mut observation.state, component) {
                let attached = objects.attach(state.repository.clone());
                state.repository = if objects.import_missing(component, &self.ledger, &attached) {
                    objects.attach(attached)
                } else {
                    attached
                };
            }
        }
    }

    /// The recorded state of a component, without its repository.
    fn recorded_observation(&self, index: ComponentIndex) -> Option<Observation> {
        let component = self.components.get(index.get())?;
        Some(Observation::old(index, self.recorded_state(component)))
    }

    /// The recorded states of all components.
    pub(super) fn recorded_observations(&self) -> Vec<Observation> {
        let indexes = (0..self.components.len()).map(ComponentIndex::new);
        indexes
            .filter_map(|index| self.recorded_observation(index))
            .collect()
    }

    fn recorded_state(&self, component: &ComponentState) -> Result<BranchState, BranchError> {
        let last = component.last_move(&self.ledger);
        let last = last.ok_or(BranchError::NotRecorded)?;
        let tip = last.to().parse().map_err(|_| BranchError::InvalidTip)?;
        let objects = self.objects.as_ref().ok_or(BranchError::NotShared)?;
        let repository = objects.repository()?;
        let details = self.ledger.details(last.batch)?.unwrap_or_default();
        let branch = details.branches.get(&component.name);
        Ok(BranchState {
            repository,
            branch: branch.cloned().unwrap_or_default(),
            tip,
        })
    }

    /// Without repositories: reports whether the ledger lacks git objects. Somebody may add them later.
    pub(super) fn report_missing_objects(&mut self, events: &dyn FollowEvents) {
        let Some(shared) = self.ledger.shared().filter(|_| !self.is_polling) else {
            return;
        };
        let lacks = |it: &&ComponentState| {
            it.failure
                .as_ref()
                .is_some_and(|failure| failure.lacks_objects)
        };
        let lacking = self.components.iter().filter(lacks);
        let lacking = lacking.map(|component| &*component.name);
        let error = LedgerError::without_objects(shared.address(), lacking);
        let reason = error.map(|error| error.to_string());
        events.ledger(LedgerProblem::Incomplete, reason.as_deref());
        if reason.is_some() {
            self.outage.retry_objects();
        }
    }
}
