//! The followed components and the snapshot that is built from them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::Utc;

use super::background_checkpoints::{BackgroundCheckpoints, TakenComponent};
use super::background_checks::BackgroundChecks;
use super::component::{
    CheckpointStore, ComponentState, FollowedChecks, LATE, Source, carry_over, write_and_index,
};
use super::known_users::KnownUsers;
use super::lookup::Lookup;
use super::moved_strings::MovedStrings;
use super::observation::{BranchState, Observation};
use super::outage::StoreOutage;
use super::replica_objects::ReplicaObjects;
use super::sources::PublishedRepositories;
use super::steps::Steps;
use crate::project::{HistoryMode, ProjectConfig};
use gitglot_catalog::Published;
use gitglot_checks::Words;
use gitglot_history::StepProgress;
use gitglot_ledger::{Ledger, LedgerHead};
use gitglot_model::{CommitId, ComponentIndex, Timestamp, in_parallel};

/// Deferred work is done when no batch has arrived for this long…
const QUIET: Duration = Duration::from_millis(200);
/// … or this long after it was first deferred.
const MAX_DEFERRAL: Duration = Duration::from_secs(10);

/// Checkpoints that are deferred.
#[derive(Clone, Copy, Debug)]
struct Deferred {
    /// When they were deferred for the first and for the last time.
    since: Instant,
    last: Instant,
    /// The position of the next component.
    next: usize,
    /// Whether one was skipped whose repository was busy.
    is_skipped: bool,
}

/// All components of a configuration with their histories, and the ledger that records them.
#[derive(Debug)]
pub struct FollowedComponents {
    pub(super) ledger: Ledger,
    checkpoints: CheckpointStore,
    pub(super) background_checkpoints: BackgroundCheckpoints,
    pub(super) checks: Arc<FollowedChecks>,
    pub(super) mode: HistoryMode,
    pub(super) projects: Arc<[ProjectConfig]>,
    /// In configuration order.
    pub(super) components: Vec<ComponentState>,
    pub(super) lookup: Lookup,
    pub(super) published: Arc<Published>,
    pub(super) background_checks: BackgroundChecks,
    sources: Arc<PublishedRepositories>,
    deferred: Option<Deferred>,
    /// Whether the repositories are polled. Otherwise the shared ledger is the only source.
    pub(super) is_polling: bool,
    /// The git objects that replicas exchange.
    pub(super) objects: Option<ReplicaObjects>,
    /// The newest published batch.
    pub(super) published_batch: u32,
    /// All changes up to this batch are shown.
    pub(super) complete_batch: u32,
    pub(super) outage: StoreOutage,
    /// The strings that moved between components.
    pub(super) moved: MovedStrings,
    pub(super) steps: Steps,
    pub(super) users: KnownUsers,
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
        components
            .iter_mut()
            .for_each(|component| component.since = since);
        let outage = StoreOutage::new(ledger.shared().is_some() && !ledger.is_checked());
        Self {
            checkpoints: CheckpointStore::new(ledger.checkpoints(), &words),
            background_checkpoints: BackgroundCheckpoints::default(),
            complete_batch: since,
            ledger,
            checks: Arc::new(FollowedChecks::new(words)),
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
            steps: Steps::default(),
            users: KnownUsers::default(),
        }
    }

    /// Reports the progress of reading components, named `project/component`, from any thread.
    pub fn with_progress(
        mut self,
        progress: impl Fn(&str, StepProgress) + Send + Sync + 'static,
    ) -> Self {
        self.steps.progress = Arc::new(progress);
        self
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
        let mut components = self.components.iter();
        if components.any(|component| component.snapshot().is_some()) {
            return None;
        }
        self.components.first()?.why_failed().map(str::to_owned)
    }

    /// Whether a state of a component is served.
    pub(super) fn is_served(&self, component: ComponentIndex) -> bool {
        let component = self.components.get(component.get());
        component.is_some_and(|component| component.served().is_some())
    }

    /// Whether a late step or the thread that writes checkpoints has the state of a component.
    pub(super) fn is_in_step(&self, component: ComponentIndex) -> bool {
        let component = self.components.get(component.get());
        component.is_some_and(ComponentState::is_in_step)
    }

    /// Whether a late step or the thread that writes checkpoints has the state of a component, or its observation, which has an open repository, waits for one.
    pub(super) fn is_late(&self, component: ComponentIndex) -> bool {
        let component = self.components.get(component.get());
        component.is_some_and(|component| {
            component.is_in_step() || self.steps.is_waiting(&component.name)
        })
    }

    /// Why a component cannot be served, or why an old state of it is served.
    pub(super) fn failure(&self, component: ComponentIndex) -> Option<&str> {
        let component = self.components.get(component.get())?;
        let reason = component.why_failed().or(component.why_behind());
        reason.or_else(|| self.steps.is_waiting(&component.name).then_some(LATE))
    }

    /// The components that cannot be served or updated, with the reason.
    pub fn failures(&self) -> impl Iterator<Item = String> + '_ {
        let components = self.components.iter();
        components.filter_map(|component| {
            Some(format!("{}: {}", component.name, component.why_failed()?))
        })
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
            let component = &mut self.components[fresh.get()];
            component.since = since;
            // It is of the previous repository.
            self.steps.forget_waiting(&component.name);
        }
        let served = self.components.iter().filter_map(ComponentState::served);
        self.sources
            .retain(&served.map(|served| served.component.id).collect());
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
        let (ledger, checks, checkpoints) = (&self.ledger, &self.checks, &self.checkpoints);
        let lookup = &self.lookup;
        in_parallel(jobs.collect(), || {
            |(component, state): (&mut ComponentState, &BranchState)| {
                let project = lookup.project(&ledger.ids, &component.project_slug);
                checkpoints.restore(component, ledger, checks, project, state);
            }
        });
    }

    /// Defers checkpoints, so that a push rarely waits for them.
    pub(super) fn defer_checkpoints(&mut self) {
        let now = Instant::now();
        self.deferred = Some(Deferred {
            since: self.deferred.map_or(now, |deferred| deferred.since),
            last: now,
            next: 0,
            is_skipped: false,
        });
    }

    /// When deferred work is due; `None` when nothing is deferred.
    pub(super) fn catch_up_at(&self) -> Option<Instant> {
        let deferred = self.deferred;
        let deferred = deferred.filter(|_| !self.background_checkpoints.is_running());
        deferred.map(|deferred| (deferred.last + QUIET).min(deferred.since + MAX_DEFERRAL))
    }

    /// Does deferred work when it is due, up to the first checkpoint: pushes do not wait for those of all components.
    pub(super) fn catch_up_if_due(&mut self) {
        if self.catch_up_at().is_some_and(|at| at <= Instant::now()) {
            self.catch_up();
        }
    }

    /// Does deferred work: writes the checkpoint of the next component that has advanced far enough since the last one, and
    /// prepares restored histories for their next step. Returns whether there may be more.
    pub fn catch_up(&mut self) -> bool {
        if self.background_checkpoints.is_running() {
            return false;
        }
        let busy = self.busy_repositories();
        let Some(deferred) = &mut self.deferred else {
            return false;
        };
        let at_once = self.background_checkpoints.at_once;
        while let Some(component) = self.components.get_mut(deferred.next) {
            deferred.next += 1;
            let due = self.checkpoints.due(component, &self.ledger);
            let history = component.phase.history();
            let is_unprepared = history.is_some_and(|history| !history.is_prepared());
            let has_work = due.is_some() || is_unprepared;
            let snapshot = component.snapshot();
            let is_large = || snapshot.is_some_and(|snapshot| snapshot.memory() > at_once);
            if has_work && self.steps.slice.is_some() && is_large() {
                // At the end, the late step compares all components of the repository.
                if busy.contains(&component.repository) {
                    deferred.is_skipped = true;
                    continue;
                }
                let id = self.steps.next_id();
                let newest = component.newest_move(&self.ledger);
                let taken = TakenComponent {
                    id,
                    newest_batch: newest.map_or(0, |newest| newest.batch),
                    state: component.take_for(id),
                };
                let wake = self.steps.wake.clone();
                self.background_checkpoints.start(taken, due, wake);
                return true;
            }
            let is_due = due.is_some();
            write_and_index(component, due);
            if is_due {
                return true;
            }
        }
        let (now, is_skipped) = (Instant::now(), deferred.is_skipped);
        self.deferred = is_skipped.then_some(Deferred {
            since: now,
            last: now,
            next: 0,
            is_skipped: false,
        });
        false
    }

    /// Takes back the component whose checkpoint was written on a thread. Returns whether there is one.
    pub(super) fn take_written(&mut self) -> bool {
        let Some(written) = self.background_checkpoints.take() else {
            return false;
        };
        let at = self.lookup.component(&written.state.name);
        if let Some(at) = at.filter(|&at| self.components[at].put_back(written.id, written.state)) {
            let index = ComponentIndex::new(at);
            // Another replica was faster.
            if self.is_moved(index, written.newest_batch)
                && let Some(observation) = self.components[at].last_observation(index)
            {
                let now = Timestamp(Utc::now().timestamp_micros());
                self.observe_again(observation, now);
            }
        }
        true
    }

    /// Writes all checkpoints that lack moves, until the deadline.
    pub(super) fn write_checkpoints(&mut self, deadline: Instant) {
        for component in &mut self.components {
            if Instant::now() < deadline {
                self.checkpoints.save_if_behind(component, &self.ledger);
            }
        }
        if let Some(written) = self.background_checkpoints.wait(deadline)
            && let Some(at) = self.lookup.component(&written.state.name)
            && self.components[at].put_back(written.id, written.state)
            && Instant::now() < deadline
        {
            let component = &mut self.components[at];
            self.checkpoints.save_if_behind(component, &self.ledger);
        }
    }
}
