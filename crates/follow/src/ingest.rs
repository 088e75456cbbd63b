//! Processes observations as one batch: advances the components, commits the batch and publishes the result.
//! Source: `docs/spec/ids-and-ledger.md#batches`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use super::batch::BatchCommit;
use super::component::{Advance, Advanced, ComponentState, Failure};
use super::events::FollowEvents;
use super::followed_components::FollowedComponents;
use super::id_limit::IdBytes;
use super::lookup::project_of;
use super::observation::{BranchState, ComponentError, Freshness, Observation};
use gitglot_catalog::{ComponentSnapshot, Snapshot, User};
use gitglot_git::Repository;
use gitglot_history::{Person, Projection, StepProgress, Usernames};
use gitglot_ledger::{Appended, LedgerError};
use gitglot_model::{ChangeId, ComponentIndex, Timestamp, UserId};

impl FollowedComponents {
    /// Processes observations, in configuration order, as one batch: advances the components, commits the batch and
    /// publishes the result. Returns the components whose mirrors turned out to be corrupt. Checkpoints are written later,
    /// by [`Self::catch_up`].
    ///
    /// # Errors
    /// When the ledger cannot be written, or was moved; then nothing is published.
    pub fn ingest(
        &mut self,
        observations: Vec<Observation>,
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
        let advanced = if self.ledger.shared().is_some() {
            self.ingest_shared(observations, observed_at, events)?
        } else {
            let (advanced, appended) = self.advance_and_commit(observations, observed_at, events);
            appended?;
            advanced
        };
        let is_new = !advanced.advances.is_empty()
            || self.published.load().is_none()
            || self.has_new_batches();
        self.share_sources(advanced.observed.iter().copied());
        self.complete_restored();
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

    /// Advances the components, and commits the batch. A local ledger records each batch or returns an error.
    pub(super) fn advance_and_commit(
        &mut self,
        observations: Vec<Observation>,
        observed_at: Timestamp,
        events: &dyn FollowEvents,
    ) -> (Advanced, Result<Appended, LedgerError>) {
        let mut advanced = self.advance(observations, observed_at, events);
        self.moved.find(&mut self.components, &mut advanced);
        let projections = std::mem::take(&mut advanced.projections);
        let appended = self.commit_batch(&advanced.advances, projections, observed_at);
        (advanced, appended)
    }

    /// Advances each component to its observed tip, and projects its state there.
    fn advance(
        &mut self,
        observations: Vec<Observation>,
        observed_at: Timestamp,
        events: &dyn FollowEvents,
    ) -> Advanced {
        let (mut advanced, mut id_bytes) = (Advanced::default(), IdBytes::default());
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
            let bytes_before = self.components[index.get()].id_bytes();
            self.components[index.get()].max_id_bytes =
                id_bytes.allowed(&self.components, &self.lookup, index.get());
            let advance = match state {
                Ok(state) => {
                    let progress = |progress| events.progress(&name, progress);
                    self.advance_component(index, state, freshness, observed_at, &progress)
                }
                Err(error) => Err(error.into()),
            };
            let component = &mut self.components[index.get()];
            id_bytes.advanced(component, bytes_before);
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

    /// Restores the observed components from checkpoints.
    fn prepare(&mut self, mut observations: Vec<Observation>) -> Vec<Observation> {
        observations.retain(|it| it.component.get() < self.components.len());
        self.restore(&observations);
        for Observation {
            component, state, ..
        } in &observations
        {
            if state.as_ref().is_ok_and(|it| it.repository.is_recloned())
                && let Some(log) = self.components[component.get()].phase.log_mut()
            {
                // Commits that the new mirror lacks exist only in the log in memory: write its checkpoint soon.
                log.saved = None;
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
        let (component, ledger) = (&mut self.components[index.get()], &self.ledger);
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
            (&self.checks, &self.moved),
        )
    }

    /// Completes the states of checkpoints that the batch did not replace, because their components cannot be read.
    fn complete_restored(&mut self) {
        for at in 0..self.components.len() {
            if self.components[at].is_restored() {
                let index = ComponentIndex::new(at);
                let arrivals = (self.moved).arrivals(index, &self.components, &self.ledger.ids);
                self.components[at].complete_restored(arrivals);
            }
        }
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
            .map(|batch| Timestamp(batch.seen).seconds());
        let time = seconds.reduce(|last, seen| seen.max(last + 1));
        self.published.publish(match time {
            Some(time) => snapshot.at(time),
            None => snapshot,
        });
        self.background_checks.start();
    }

    /// The first change that this process should show but cannot, because its component cannot be read yet. What was
    /// recorded before the start counts as shown.
    fn first_hidden_change(&mut self) -> Option<ChangeId> {
        let first = self.complete_batch as usize;
        let new = self.ledger.batches.get(first..).unwrap_or_default();
        for (at, batch) in (first..).zip(new) {
            let hidden = batch.moves.iter().enumerate().filter(|(_, it)| {
                let component = self.lookup.component(&it.component);
                let component = component.and_then(|at| self.components.get(at));
                component.is_some_and(|component| component.hides(batch, it))
            });
            let hidden = hidden.filter_map(|(nth, _)| self.ledger.changes_of(at, nth).first());
            if let Some(first) = hidden.map(|ids| ids.start).min() {
                return Some(ChangeId(first));
            }
            self.complete_batch = batch.batch;
        }
        None
    }

    /// Everybody in a change log, by id.
    fn users(&self) -> Vec<User> {
        let mut people: BTreeMap<UserId, &Person> = BTreeMap::new();
        for person in self
            .components
            .iter()
            .flat_map(|component| component.people.iter())
        {
            if let Some(id) = self.ledger.ids.user_id(&person.identity) {
                let newest = people.entry(id).or_insert(person);
                if person.named > newest.named {
                    *newest = person;
                }
            }
        }
        let mut names = Usernames::default();
        let users = people.into_iter().map(|(id, person)| User {
            id,
            username: names.add(&person.full_name).into(),
            full_name: person.full_name.as_str().into(),
        });
        users.collect()
    }

    /// Notifies about the observed components of a published batch.
    fn report(
        &mut self,
        observed: &[ComponentIndex],
        damaged: &[ComponentIndex],
        events: &dyn FollowEvents,
    ) {
        for index in observed {
            let component = &mut self.components[index.get()];
            let is_damaged = damaged.contains(index);
            // A corrupt mirror is cloned again next. Only then is it known whether the component can be served.
            let retried = is_damaged && !component.recovering;
            component.recovering = is_damaged;
            match component.why_failed() {
                Some(_) if retried && component.snapshot().is_none() => {}
                Some(reason) => {
                    if component.snapshot().is_some() {
                        events.published(&component.name);
                    }
                    events.failed(&component.name, reason);
                }
                None => {
                    events.published(&component.name);
                    // A poll also reports why its repository may have changed.
                    let reason = component.why_behind();
                    if reason.is_some() || !self.is_polling {
                        events.behind(&component.name, reason);
                    }
                }
            }
        }
        events.reported();
    }
}
