//! Processes observations as one batch: advances the components, commits the batch and publishes the result.
//! Source: `docs/spec/ids-and-ledger.md#batches`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::batch::BatchCommit;
use super::component::{Advance, Advanced, ComponentState, Failure, LATE, hides};
use super::events::FollowEvents;
use super::followed_components::FollowedComponents;
use super::id_limit::IdBytes;
use super::lookup::project_of;
use super::observation::{ComponentError, Freshness, Observation};
use super::steps::{Member, Step, by_repository};
use gitglot_catalog::{ComponentSnapshot, PreparedRows, Snapshot};
use gitglot_history::Projection;
use gitglot_ledger::{Appended, LedgerError};
use gitglot_model::{ChangeId, ComponentIndex, Timestamp};

impl FollowedComponents {
    /// Processes observations, in configuration order, as one batch: advances the components, commits the batch and
    /// publishes the result. Returns the components whose mirrors turned out to be corrupt. Checkpoints are written later,
    /// by [`Self::catch_up`]. Components whose step is late are part of a later batch.
    ///
    /// # Errors
    /// When the ledger cannot be written, or was moved; then nothing is published.
    pub fn ingest(
        &mut self,
        observations: Vec<Observation>,
        observed_at: Timestamp,
        events: &dyn FollowEvents,
    ) -> Result<Vec<ComponentIndex>, LedgerError> {
        self.ingest_work(Work::Observed(observations), observed_at, false, events)
    }

    /// Processes the late steps that are done, each as a batch of the time at which its tips were observed, then what
    /// waited for them. Returns the components whose mirrors turned out to be corrupt.
    ///
    /// # Errors
    /// As [`Self::ingest`].
    pub(super) fn ingest_late(
        &mut self,
        events: &dyn FollowEvents,
    ) -> Result<Vec<ComponentIndex>, LedgerError> {
        let mut damaged = Vec::new();
        // Only these: polls and a stop must not wait for all that end meanwhile.
        for _ in 0..self.steps.count_finished() {
            let Some(finished) = self.steps.next_finished() else {
                break;
            };
            let observed_at = finished.observed_at;
            let work = Work::Finished(finished);
            damaged.extend(self.ingest_work(work, observed_at, true, events)?);
        }
        let busy = self.busy_repositories();
        let (components, lookup) = (&self.components, &self.lookup);
        let position = |name: &str| {
            let at = lookup.component(name)?;
            Some((at, &*components.get(at)?.repository))
        };
        let (ready, observed_at) = self.steps.take_waiting(position, &busy);
        if !ready.is_empty() {
            let work = Work::Observed(ready);
            damaged.extend(self.ingest_work(work, observed_at, true, events)?);
        }
        Ok(damaged)
    }

    /// `was_late` if the components are reported as late.
    fn ingest_work(
        &mut self,
        work: Work,
        observed_at: Timestamp,
        was_late: bool,
        events: &dyn FollowEvents,
    ) -> Result<Vec<ComponentIndex>, LedgerError> {
        let started = Instant::now();
        self.ledger.check_in_place()?;
        let recloned = work.is_recloned();
        let advanced = if self.ledger.shared().is_some() {
            self.ingest_shared(work, observed_at, events)?
        } else {
            let (advanced, appended) = self.advance_and_commit(work, observed_at, events);
            appended?;
            advanced
        };
        let is_new = !advanced.advances.is_empty()
            || self.published.load().is_none()
            || self.has_new_batches();
        self.share_sources(advanced.observed.iter().copied());
        let completed = self.complete_restored();
        self.publish(is_new || completed);

        if is_new {
            events.batch(started.elapsed());
        }
        self.report(&advanced, was_late, events);
        self.report_missing_objects(events);
        if is_new || recloned {
            self.defer_checkpoints();
        }
        Ok(advanced.damaged)
    }

    /// Advances the components, and commits the batch. A local ledger records each batch or returns an error.
    pub(super) fn advance_and_commit(
        &mut self,
        work: Work,
        observed_at: Timestamp,
        events: &dyn FollowEvents,
    ) -> (Advanced, Result<Appended, LedgerError>) {
        let mut advanced = Advanced::default();
        self.steps.begin_batch();
        match work {
            Work::Observed(observations) => {
                let observations = self.prepare(observations);
                self.advance(observations, observed_at, false, &mut advanced, events);
            }
            Work::Finished(finished) => self.adopt(finished, &mut advanced, events),
        }
        advanced.observed.sort();
        let components = self.components.iter_mut().enumerate();
        let components = components.map(|(at, it)| (ComponentIndex::new(at), it));
        self.moved.find(&mut components.collect(), &mut advanced);
        let states = std::mem::take(&mut advanced.states).into_values();
        let (advances, projections): (Vec<_>, Vec<_>) = states.unzip();
        let rows = std::mem::take(&mut advanced.rows);
        let appended = self.commit_batch(&advances, projections, rows, observed_at);
        advanced.advances = advances;
        (advanced, appended)
    }

    /// Runs a step for each repository.
    fn advance(
        &mut self,
        observations: Vec<Observation>,
        observed_at: Timestamp,
        is_retried: bool,
        advanced: &mut Advanced,
        events: &dyn FollowEvents,
    ) {
        for observations in by_repository(observations, &self.components) {
            let members = observations.iter().map(|observation| observation.component);
            let members: Vec<ComponentIndex> = members.collect();
            let Some(step) = self.step(observations, observed_at, is_retried) else {
                continue;
            };
            match self.steps.run(step) {
                Some(finished) => self.adopt(finished, advanced, events),
                None => {
                    let late = members.iter();
                    late.for_each(|index| self.components[index.get()].mark_late());
                    advanced.late.extend(members);
                }
            }
        }
    }

    /// The step of observed components of one repository; `None` if the observations wait for a late one to end.
    fn step(
        &mut self,
        observations: Vec<Observation>,
        observed_at: Timestamp,
        is_retried: bool,
    ) -> Option<Step> {
        let first = observations.first()?.component.get();
        let repository = self.components[first].repository.clone();
        let members = self.lookup.components_of(&repository);
        let is_in_step = |at: &usize| self.components[*at].is_in_step();
        if self.steps.must_wait(&repository) || members.iter().any(is_in_step) {
            for observation in observations {
                let name = &self.components[observation.component.get()].name;
                self.steps.postpone(name, observed_at, observation);
            }
            return None;
        }
        let id_bytes = IdBytes::of(&self.components, members);
        let is_whole = observations.len() == members.len();
        let moved = is_whole.then(|| self.moved.take(&repository));
        let id = self.steps.next_id();
        let member = |observation: Observation| {
            let component = &mut self.components[observation.component.get()];
            // If it is tried again, what waits is newer.
            if !is_retried {
                (self.steps).replace_waiting(&component.name, observed_at, &observation);
            }
            let recorded = component.recorded_log(&self.ledger);
            Member {
                recorded,
                state: component.take_for(id),
                observation,
                result: Ok(None),
                rows: None,
                elapsed: Duration::ZERO,
            }
        };
        Some(Step {
            id,
            members: observations.into_iter().map(member).collect(),
            id_bytes,
            observed_at,
            checks: self.checks.clone(),
            moved,
            is_retried,
        })
    }

    /// Takes the components of a step that is done. Those that a new configuration changed or removed meanwhile are
    /// discarded.
    fn adopt(&mut self, finished: Step, advanced: &mut Advanced, events: &dyn FollowEvents) {
        let mut lacking = Vec::new();
        let (observed_at, is_retried) = (finished.observed_at, finished.is_retried);
        let (mut moved, mut repository) = (finished.moved, String::new());
        for mut member in finished.members {
            let name = member.state.name.clone();
            repository.clone_from(&member.state.repository);
            let Some(at) = self.lookup.component(&name) else {
                moved = None;
                continue;
            };
            if !self.components[at].put_back(finished.id, member.state) {
                moved = None;
                continue;
            }
            let index = ComponentIndex::new(at);
            moved.take_if(|_| member.observation.component != index);
            let freshness = member.observation.freshness;
            member.observation.component = index;
            if self.is_moved(index, member.recorded.newest_batch()) {
                // Another replica was faster.
                moved = None;
                if let Ok(Some((advance, _))) = &member.result
                    && !advance.replayed
                {
                    self.components[at].undo();
                    member.result = Ok(None);
                }
                self.observe_again(member.observation.clone(), observed_at);
            }
            if member.result.as_ref().is_err_and(ComponentError::is_damage)
                && !is_retried
                && let Some(objects) = &mut self.objects
                && let Ok(state) = &mut member.observation.state
                && objects.import_all(&self.components[at], &self.ledger)
            {
                state.repository = objects.attach(state.repository.clone());
                moved = None;
                lacking.push(member.observation);
                continue;
            }
            advanced.observed.push(index);
            let seen = member.observation.state.ok().map(|state| state.tip);
            if freshness == Freshness::Overtaken && seen != self.components[at].phase.tip() {
                self.outage.retry_at = Some(Instant::now());
            }
            match member.result {
                Ok(Some((advance, projection))) => {
                    let component = &self.components[at];
                    let begins = component.phase.history().is_some()
                        && advance.from.is_none()
                        && !advance.replayed;
                    let rebuilt = begins && self.ledger.has_moves_of(&name);
                    events.advanced(&name, member.elapsed, rebuilt);
                    advanced.rows.extend(member.rows.map(|rows| (index, rows)));
                    let advance = Advance {
                        component: index,
                        ..advance
                    };
                    advanced.states.insert(index, (advance, projection));
                }
                Ok(None) => {}
                Err(error) => self.note_failure(index, &error, freshness, advanced),
            }
        }
        // Otherwise they are found again, from the start of the logs.
        if let Some(moved) = moved {
            self.moved.put(moved);
            advanced.with_moves.insert(repository);
        }
        if !lacking.is_empty() {
            self.advance(lacking, observed_at, true, advanced, events);
        }
    }

    /// The repositories of late steps, and of the checkpoint that is written on a thread.
    pub(super) fn busy_repositories(&self) -> HashSet<String> {
        let components = self.components.iter();
        let busy = components.filter(|component| component.is_in_step());
        busy.map(|component| component.repository.clone()).collect()
    }

    /// Whether another replica has recorded a move of a component after a batch.
    pub(super) fn is_moved(&self, index: ComponentIndex, since: u32) -> bool {
        let component = self.components.get(index.get());
        let newest = component.and_then(|component| component.newest_move(&self.ledger));
        newest.is_some_and(|newest| newest.batch > since)
    }

    /// Restores the observed components from checkpoints.
    fn prepare(&mut self, mut observations: Vec<Observation>) -> Vec<Observation> {
        observations.retain(|observation| observation.component.get() < self.components.len());
        self.restore(&observations);
        for observation in observations
            .iter()
            .filter(|observation| observation.is_recloned())
        {
            let component = &mut self.components[observation.component.get()];
            if let Some(log) = component.phase.log_mut() {
                // Commits that the new mirror lacks exist only in the log in memory: write its checkpoint soon.
                log.saved = None;
            }
        }
        observations
    }

    /// Notes why a component could not advance.
    fn note_failure(
        &mut self,
        index: ComponentIndex,
        error: &ComponentError,
        freshness: Freshness,
        advanced: &mut Advanced,
    ) {
        // The next poll fetches objects that only the repository has.
        let may_come = self.objects.is_some() && freshness != Freshness::Current;
        let is_damaged = error.is_damage() && !may_come;
        advanced.damaged.extend(is_damaged.then_some(index));
        self.components[index.get()].fail(Failure {
            reason: error.to_string(),
            lacks_objects: error.is_damage() && !self.is_polling,
        });
    }

    /// Allocates ids, records the batch in the ledger and builds the new component snapshots, unless another replica was
    /// faster.
    fn commit_batch(
        &mut self,
        advances: &[Advance],
        projections: Vec<Projection>,
        rows: HashMap<ComponentIndex, PreparedRows>,
        observed_at: Timestamp,
    ) -> Result<Appended, LedgerError> {
        let (ledger, components) = (&mut self.ledger, &mut self.components);
        let checks = &self.checks;
        let batch = BatchCommit::new(ledger, components, advances, projections, rows, checks);
        let objects = self.objects.as_mut();
        batch.run(observed_at, objects, &self.lookup, &self.moved)
    }

    /// Completes the states of checkpoints that the batch did not replace, because their components cannot be read.
    /// Returns whether there are any.
    fn complete_restored(&mut self) -> bool {
        let (busy, mut completed) = (self.busy_repositories(), false);
        for at in 0..self.components.len() {
            let component = &self.components[at];
            // Strings may come with a late step.
            if component.is_restored() && !busy.contains(&component.repository) {
                let index = ComponentIndex::new(at);
                let arrivals = (self.moved).arrivals(index, &self.components, &self.ledger.ids);
                self.components[at].complete_restored(arrivals);
                completed = true;
            }
        }
        completed
    }

    /// Publishes the new state if there is any.
    pub(super) fn publish(&mut self, is_new: bool) {
        if !is_new {
            return;
        }
        let configured = self.projects.iter();
        let projects = configured.filter_map(|project| project_of(&self.ledger.ids, project));
        let served = self.components.iter().filter_map(ComponentState::served);
        let served: Vec<Arc<ComponentSnapshot>> = served.cloned().collect();
        let last = ChangeId(self.ledger.ids.next_change().saturating_sub(1));
        let before = self.published.load();
        let users = self.users.of(&self.components, &self.ledger.ids);
        let snapshot = Snapshot::after(before.as_deref(), projects.collect(), served, users)
            .numbered_to(last)
            .allocated_in(self.ledger.ids.first_ids())
            .held_back_from(self.first_hidden_change());
        self.published_batch = self.ledger.next_batch() - 1;
        let snapshot = snapshot.recorded_in(self.ledger.id(), self.published_batch);
        // Batches of the same second get different times, because clients compare times (`Last-Modified`).
        let batches = self.ledger.batches.iter();
        let seconds = batches.map(|batch| Timestamp(batch.seen).seconds());
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
                component.is_some_and(|component| hides(component, batch, it))
            });
            let hidden = hidden.filter_map(|(nth, _)| self.ledger.changes_of(at, nth).first());
            if let Some(first) = hidden.map(|ids| ids.start).min() {
                return Some(ChangeId(first));
            }
            self.complete_batch = batch.batch;
        }
        None
    }

    /// Notifies about the components of a published batch; `was_late` if they were late.
    fn report(&mut self, advanced: &Advanced, was_late: bool, events: &dyn FollowEvents) {
        for index in &advanced.observed {
            let component = &mut self.components[index.get()];
            let is_damaged = advanced.damaged.contains(index);
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
                    if reason.is_some() || was_late || !self.is_polling {
                        events.behind(&component.name, reason);
                    }
                }
            }
        }
        let late = advanced.late.iter();
        for component in late.map(|index| &self.components[index.get()]) {
            if component.snapshot().is_some() {
                events.published(&component.name);
                events.behind(&component.name, Some(LATE));
            } else {
                events.failed(&component.name, LATE);
            }
        }
        events.reported();
    }
}

/// What a batch is made of.
pub(super) enum Work {
    /// Tips that were observed.
    Observed(Vec<Observation>),
    /// A late step.
    Finished(Step),
}

impl Work {
    /// Whether a mirror was cloned again.
    fn is_recloned(&self) -> bool {
        match self {
            Self::Observed(observations) => observations.iter().any(Observation::is_recloned),
            Self::Finished(finished) => finished.observations().any(Observation::is_recloned),
        }
    }
}
