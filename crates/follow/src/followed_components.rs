//! The followed components and the snapshot that is built from them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::Utc;

use super::background_checks::BackgroundChecks;
use super::batch::find_project;
use super::component::{Advance, CheckpointStore, ComponentState, Source};
use super::events::{FollowEvents, LedgerProblem};
use super::lookup::Lookup;
use super::moved_strings::MovedStrings;
use super::observation::{BranchState, Freshness, Observation};
use super::outage::StoreOutage;
use super::reload::carry_over;
use super::replica_objects::ReplicaObjects;
use super::sources::PublishedRepositories;
use crate::{HistoryMode, ProjectConfig};
use gitglot_catalog::{Published, User};
use gitglot_checks::Words;
use gitglot_history::{Person, username};
use gitglot_ledger::{IdRegistry, Ledger, LedgerError, LedgerHead};
use gitglot_model::{ChangeId, CommitId, ComponentIndex, Timestamp, UserId, in_parallel};

/// Deferred work is done when no batch has arrived for this long…
const QUIET: Duration = Duration::from_millis(200);
/// … or this long after it was first deferred.
const MAX_DEFERRAL: Duration = Duration::from_secs(10);

/// All components of a configuration with their histories, and the ledger that records them.
#[derive(Debug)]
pub struct FollowedComponents {
    pub(super) ledger: Ledger,
    checkpoints: CheckpointStore,
    pub(super) words: Words,
    pub(super) mode: HistoryMode,
    pub(super) projects: Arc<[ProjectConfig]>,
    /// In configuration order.
    pub(super) components: Vec<ComponentState>,
    pub(super) lookup: Lookup,
    pub(super) published: Arc<Published>,
    pub(super) background_checks: BackgroundChecks,
    sources: Arc<PublishedRepositories>,
    /// When checkpoints were deferred for the first and for the last time.
    deferred: Option<(Instant, Instant)>,
    /// Whether the repositories are polled. Otherwise the shared ledger is the only source.
    pub(super) is_polling: bool,
    /// The git objects that replicas exchange.
    pub(super) objects: Option<ReplicaObjects>,
    /// The newest published batch.
    pub(super) published_batch: u32,
    /// All changes up to this batch are shown.
    complete_batch: u32,
    pub(super) outage: StoreOutage,
    /// The strings that moved between components.
    pub(super) moved: MovedStrings,
}

impl FollowedComponents {
    /// Follows these projects from the state that the ledger records.
    pub fn new(
        ledger: Ledger,
        projects: impl Into<Arc<[ProjectConfig]>>,
        mode: HistoryMode,
        words: Words,
        published: Arc<Published>,
    ) -> Self {
        let projects = projects.into();
        let mut components = carry_over(Vec::new(), &[], &projects, mode).components;
        let objects = ledger.shared().and_then(|_| {
            let opened = ReplicaObjects::open(ledger.folder());
            opened.inspect_err(|error| tracing::warn!("{error}")).ok()
        });
        let since = ledger.next_batch() - 1;
        components.iter_mut().for_each(|it| it.since = since);
        let outage = StoreOutage::new(ledger.shared().is_some() && !ledger.is_checked());
        Self {
            checkpoints: CheckpointStore::new(ledger.checkpoints(), &words),
            complete_batch: since,
            ledger,
            words,
            mode,
            lookup: Lookup::new(&projects, &components),
            projects,
            components,
            background_checks: BackgroundChecks::new(published.clone()),
            published,
            sources: Arc::default(),
            deferred: None,
            is_polling: true,
            objects,
            published_batch: 0,
            outage,
            moved: MovedStrings::default(),
        }
    }

    /// Gives access to the files of the published components.
    pub fn with_sources(self, sources: Arc<PublishedRepositories>) -> Self {
        Self { sources, ..self }
    }

    /// The newest batch that the ledger records.
    pub fn ledger_head(&self) -> LedgerHead {
        self.ledger.head()
    }

    /// The configured projects.
    pub fn projects(&self) -> &Arc<[ProjectConfig]> {
        &self.projects
    }

    /// The names of all components, `project/component`, in configuration order.
    pub fn names(&self) -> Vec<String> {
        self.components
            .iter()
            .map(|component| component.name.clone())
            .collect()
    }

    pub(super) fn name(&self, component: ComponentIndex) -> Option<&str> {
        Some(&self.components.get(component.get())?.name)
    }

    /// If no component can be served: why the first cannot.
    pub fn all_failed(&self) -> Option<String> {
        if self
            .components
            .iter()
            .any(|component| component.snapshot().is_some())
        {
            return None;
        }
        self.components.first()?.why_failed().map(str::to_owned)
    }

    /// Whether a state of a component is served.
    pub(super) fn is_served(&self, component: ComponentIndex) -> bool {
        let component = self.components.get(component.get());
        component.is_some_and(|component| component.served().is_some())
    }

    /// Why a component cannot be served, or why an old state of it is served.
    pub(super) fn failure(&self, component: ComponentIndex) -> Option<&str> {
        let component = self.components.get(component.get())?;
        component.why_failed().or(component.why_behind())
    }

    /// The components that cannot be served or updated, with the reason.
    pub fn failures(&self) -> impl Iterator<Item = String> + '_ {
        let failed = self
            .components
            .iter()
            .filter_map(|component| Some((component, component.why_failed()?)));
        failed.map(|(component, reason)| format!("{}: {reason}", component.name))
    }

    /// The commits that are needed to replay the change logs of these components.
    pub(super) fn needed_commits(
        &self,
        components: impl Iterator<Item = ComponentIndex>,
    ) -> Vec<CommitId> {
        let components = components.filter_map(|index| self.components.get(index.get()));
        let moves = components.filter_map(|component| component.current_moves(&self.ledger));
        moves
            .flatten()
            .filter_map(|recorded| recorded.to().parse().ok())
            .collect()
    }

    /// Replaces the projects. Returns the components that must be read from scratch; until then they show their
    /// previous state. Removed components are unpublished at once.
    pub(super) fn reconfigure(&mut self, projects: Arc<[ProjectConfig]>) -> Vec<ComponentIndex> {
        self.moved = MovedStrings::default();
        let before = std::mem::take(&mut self.components);
        let carried = carry_over(before, &self.projects, &projects, self.mode);
        tracing::info!(
            "new configuration applied: {} added, {} removed, {} changed",
            carried.added,
            carried.removed,
            carried.fresh.len() - carried.added
        );
        (self.projects, self.components) = (projects, carried.components);
        self.lookup = Lookup::new(&self.projects, &self.components);
        let since = self.ledger.next_batch() - 1;
        for fresh in &carried.fresh {
            self.components[fresh.get()].since = since;
        }
        let served = self.components.iter().filter_map(ComponentState::served);
        self.sources
            .retain(&served.map(|it| it.component.id).collect());
        self.published.begin_configuration();
        if self.published.load().is_some() {
            self.publish(true);
        }
        carried.fresh
    }

    /// Closes the repositories of a batch, and lets downloads read from them: a mirror that was cloned again has different
    /// packs.
    pub(super) fn share_sources(&mut self, components: impl Iterator<Item = ComponentIndex>) {
        for index in components {
            let Some(component) = self.components.get_mut(index.get()) else {
                continue;
            };
            let Source::Open(repository) = &component.source else {
                continue;
            };
            let closed = repository.close();
            if let Some(served) = component.served() {
                self.sources.set(served.component.id, closed.clone());
            }
            component.source = Source::Closed(closed);
        }
    }

    /// Everybody in a change log, by id.
    pub(super) fn users(&self) -> Vec<User> {
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
        let mut taken = HashSet::new();
        let users = people.into_iter().map(|(id, person)| {
            let name = username(&person.full_name, &|name| taken.contains(name));
            taken.insert(name.clone());
            User {
                id,
                username: name.into(),
                full_name: person.full_name.as_str().into(),
            }
        });
        users.collect()
    }

    /// Notifies about the observed components of a published batch.
    pub(super) fn report(
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
    }

    /// Without repositories: reports whether the ledger lacks git objects. Somebody may add them later.
    pub(super) fn report_missing_objects(&mut self, events: &dyn FollowEvents) {
        let Some(shared) = self.ledger.shared().filter(|_| !self.is_polling) else {
            return;
        };
        let lacks = |it: &&ComponentState| it.failure.as_ref().is_some_and(|it| it.lacks_objects);
        let lacking = self.components.iter().filter(lacks);
        let error = LedgerError::without_objects(shared.address(), lacking.map(|it| &*it.name));
        let reason = error.map(|error| error.to_string());
        events.ledger(LedgerProblem::Incomplete, reason.as_deref());
        if reason.is_some() {
            self.outage.retry_objects();
        }
    }

    /// Restores observed components from their checkpoints, if they have valid ones.
    pub(super) fn restore(&mut self, observations: &[Observation]) {
        let states = observations.iter().filter_map(|observation| {
            let at = observation.component.get();
            let state = observation.state.as_ref().ok()?;
            let wanted = self.components.get(at)?.wants_checkpoint(&self.ledger);
            wanted.then_some((at, state))
        });
        let mut states: HashMap<usize, &BranchState> = states.collect();
        if states.is_empty() {
            return;
        }
        let components = self.components.iter_mut().enumerate();
        let jobs = components.filter_map(|(at, it)| Some((it, states.remove(&at)?)));
        let (ledger, words) = (&self.ledger, &self.words);
        let (projects, checkpoints) = ((&*self.projects, &self.lookup), &self.checkpoints);
        in_parallel(jobs.collect(), || {
            |(component, state): (&mut ComponentState, &BranchState)| {
                let project = find_project(&ledger.ids, projects, &component.project_slug);
                checkpoints.restore(component, ledger, words, project, state);
            }
        });
    }

    /// Defers checkpoints, so that a push rarely waits for them.
    pub(super) fn defer_checkpoints(&mut self) {
        let now = Instant::now();
        self.deferred = Some((self.deferred.map_or(now, |(since, _)| since), now));
    }

    /// When [`Self::catch_up`] is due; `None` when nothing is deferred.
    pub(super) fn catch_up_at(&self) -> Option<Instant> {
        self.deferred
            .map(|(since, last)| (last + QUIET).min(since + MAX_DEFERRAL))
    }

    /// Does deferred work when it is due.
    pub(super) fn catch_up_if_due(&mut self) {
        if self.catch_up_at().is_some_and(|at| at <= Instant::now()) {
            self.catch_up();
        }
    }

    /// Does deferred work: writes the checkpoints of components that have advanced far enough since the last one, and
    /// prepares restored histories for their next step.
    pub fn catch_up(&mut self) {
        self.deferred = None;
        for component in &mut self.components {
            self.checkpoints.save_if_due(component, &self.ledger);
            if let Some(history) = component.phase.history_mut() {
                history.index_texts();
            }
        }
    }

    /// Writes all checkpoints that lack moves, until the deadline.
    pub(super) fn write_checkpoints(&mut self, deadline: Instant) {
        for component in &mut self.components {
            if Instant::now() < deadline {
                self.checkpoints.save_if_behind(component, &self.ledger);
            }
        }
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
        component.is_some_and(|it| it.moved_at.is_some_and(|moved| moved >= started))
    }

    /// Reads new batches into the ledger. Returns the observations, in which the components that the batches move are
    /// not current any more; adds those that are missing.
    pub(super) fn apply_news(
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
            .flat_map(|(batch, _)| &batch.moves);
        let moved: BTreeSet<&str> = moves.map(|it| &*it.component).collect();
        let now = Instant::now();
        let moved: Vec<ComponentIndex> = (0..self.components.len())
            .filter(|&at| moved.contains(&*self.components[at].name))
            .map(ComponentIndex::new)
            .collect();
        for index in moved {
            self.components[index.get()].moved_at = Some(now);
            match observations.iter_mut().find(|it| it.component == index) {
                Some(observation) if observation.freshness == Freshness::Current => {
                    observation.freshness = Freshness::Overtaken;
                }
                Some(_) => {}
                None if self.is_polling => {
                    observations.extend(self.components[index.get()].last_observation(index));
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
        let (Some(objects), Some(component)) =
            (&mut self.objects, self.components.get(index.get()))
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
        let component = self.components.get(index.get())?;
        let state = self.recorded_state(component);
        Some(Observation {
            component: index,
            state,
            freshness: Freshness::Old,
        })
    }

    /// The recorded states of all components.
    pub(super) fn recorded_observations(&self) -> Vec<Observation> {
        let indexes = (0..self.components.len()).map(ComponentIndex::new);
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

    /// The first change that this process should show but cannot, because its component cannot be read yet. What was
    /// recorded before the start counts as shown.
    pub(super) fn first_hidden_change(&mut self) -> Option<ChangeId> {
        let first = self.complete_batch as usize;
        let new = self.ledger.batches.get(first..).unwrap_or_default();
        for (at, (batch, _)) in (first..).zip(new) {
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

    /// Undoes advances that could not be recorded; `ids` are those before.
    pub(super) fn undo(&mut self, advances: &[Advance], ids: IdRegistry) {
        self.ledger.ids = ids;
        self.moved = MovedStrings::default();
        for advance in advances {
            self.components[advance.component.get()].undo();
        }
    }
}
