//! Applies a new configuration to a running loop: unchanged components continue, removed ones are dropped, and new
//! or changed ones are read from scratch and published together.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::component::ComponentState;
use super::events::FollowEvents;
use super::poll::{Poll, RepoIndex, TrackedRepo, TrackedRepos, plan};
use super::poll_loop::{FIRST_BATCH, PollLoop};
use crate::{ComponentConfig, HistoryMode, ProjectConfig, each_component};
use gitglot_model::ComponentIndex;

/// The part of a configuration that the poll loop uses.
#[derive(Clone, Debug)]
pub struct FollowConfig {
    /// The projects, in configuration order.
    pub projects: Arc<[ProjectConfig]>,
    /// The poll interval of each repository.
    pub interval: Duration,
}

/// Holds back the polls of new and changed repositories until all of them have finished, so that they form one batch.
#[derive(Default)]
pub(super) struct PollBatch {
    /// The time until which polls are held back.
    pub deadline: Option<Instant>,
    polls: Vec<Poll>,
}

impl PollBatch {
    /// Starts holding back, until the deadline. Polls of repositories that are not in `is_retained` are discarded.
    pub fn start(&mut self, is_retained: impl Fn(RepoIndex) -> bool, deadline: Instant) {
        self.polls.retain(|poll| is_retained(poll.repository));
        self.deadline = Some(deadline);
    }

    /// Whether a poll of the repository is held back.
    pub fn contains(&self, repository: RepoIndex) -> bool {
        self.polls.iter().any(|poll| poll.repository == repository)
    }

    /// Holds back polls, or returns those that can be processed now.
    pub fn hold_back(&mut self, finished: Vec<Poll>, tracked: &mut TrackedRepos) -> Vec<Poll> {
        let Some(deadline) = self.deadline else {
            return finished;
        };
        let is_held_back = |poll: &Poll| tracked[poll.repository].held_back;
        let (held_back, mut ready): (Vec<_>, Vec<_>) = finished.into_iter().partition(is_held_back);
        for poll in &held_back {
            tracked.update(poll.repository, |it| it.held_back = false);
        }
        self.polls.extend(held_back);
        if !tracked.iter().any(|repo| repo.held_back) || Instant::now() >= deadline {
            tracked.update_all(|repo| repo.held_back = false);
            ready.append(&mut std::mem::take(self).polls);
        }
        ready
    }
}

/// The components of a new configuration.
pub(super) struct ReconfiguredComponents {
    /// In configuration order.
    pub components: Vec<ComponentState>,
    /// New components and those whose settings have changed.
    pub fresh: Vec<ComponentIndex>,
    pub added: usize,
    pub removed: usize,
}

impl PollLoop {
    /// Applies a new configuration.
    pub(super) fn reconfigure(&mut self, config: FollowConfig, events: &dyn FollowEvents) {
        let FollowConfig { projects, interval } = config;
        let mut plan = plan(&projects, &self.mirrors);
        let fresh = self.followed.reconfigure(projects);
        if !self.followed.is_polling {
            plan.targets.clear();
            plan.invalid = self.followed.recorded_observations();
        }
        let (now, fresh) = (Instant::now(), fresh.into_iter().collect::<BTreeSet<_>>());
        let indexes = self.tracked.indexes().zip(self.tracked.iter());
        let known: HashMap<PathBuf, RepoIndex> = indexes
            .filter(|(_, tracked)| !tracked.is_removed())
            .map(|(at, tracked)| (tracked.target.folder.clone(), at))
            .collect();
        let mut continued = BTreeSet::new();
        for (target, components) in plan.targets {
            let mut reads = components.iter().map(|reads| reads.component);
            let is_fresh = reads.any(|component| fresh.contains(&component));
            let known = known.get(&target.folder).copied();
            let known = known.filter(|&at| self.tracked[at].target == target);
            let at = match known {
                Some(at) => at,
                None => {
                    let added = TrackedRepo::new(target, Vec::new(), interval, now);
                    self.tracked.push(added)
                }
            };
            continued.insert(at);
            // A poll that is already held back is not repeated.
            let is_held_back = self.poll_batch.contains(at);
            self.tracked.update(at, |tracked| {
                tracked.is_settled &= tracked.components == components && !is_fresh;
                tracked.components = components;
                if is_fresh || known.is_none() {
                    tracked.held_back = !is_held_back;
                    tracked.schedule.next = now;
                }
                tracked.schedule.set_interval(interval);
            });
        }
        for at in self.tracked.indexes() {
            if !continued.contains(&at) && !self.tracked[at].is_removed() {
                self.tracked.update(at, TrackedRepo::remove);
            }
        }
        self.unpolled = plan.invalid;
        self.unpolled
            .retain(|observation| fresh.contains(&observation.component));
        self.poll_batch
            .start(|at| continued.contains(&at), now + FIRST_BATCH);
        let repositories = continued
            .iter()
            .map(|&at| self.tracked[at].name.clone())
            .collect();
        events.reconfigured(self.followed.projects(), &repositories);
    }
}

/// Carries unchanged components over to a new configuration; `before` are the components of `old`, in order.
pub(super) fn carry_over(
    before: Vec<ComponentState>,
    old: &[ProjectConfig],
    new: &[ProjectConfig],
    mode: HistoryMode,
) -> ReconfiguredComponents {
    let mut known: HashMap<String, (ComponentState, ComponentOf<'_>)> = before
        .into_iter()
        .zip(each_component(old))
        .map(|(it, settings)| (it.name.clone(), (it, settings)))
        .collect();
    let mut carried = ReconfiguredComponents {
        components: Vec::with_capacity(each_component(new).count()),
        fresh: Vec::new(),
        added: 0,
        removed: 0,
    };
    for (at, (project, component)) in each_component(new).enumerate() {
        let before = match known.remove(&project.name_of(component)) {
            Some((before, of)) if has_settings_of((project, component), of) => {
                carried.components.push(before);
                continue;
            }
            changed => changed,
        };
        let mut state = ComponentState::new(project, component, mode);
        carried.fresh.push(ComponentIndex::new(at));
        match before {
            Some((before, _)) => state.serve_previous(before),
            None => carried.added += 1,
        }
        carried.components.push(state);
    }
    carried.removed = known.len();
    carried
}

/// A component and its project.
type ComponentOf<'a> = (&'a ProjectConfig, &'a ComponentConfig);

/// Whether two components have the same settings, except for those that do not affect the published state.
fn has_settings_of(
    (project, component): ComponentOf<'_>,
    (other_project, other): ComponentOf<'_>,
) -> bool {
    let ProjectConfig {
        slug,
        name,
        web,
        instructions,
        source_language,
        components: _,
    } = project;
    let ComponentConfig {
        repo,
        access: _,
        branch,
        settings,
        names,
        checks,
        hook_secret: _,
    } = component;
    *slug == other_project.slug
        && *name == other_project.name
        && *web == other_project.web
        && *instructions == other_project.instructions
        && *source_language == other_project.source_language
        && *repo == other.repo
        && *branch == other.branch
        && *settings == other.settings
        && *names == other.names
        && *checks == other.checks
}
