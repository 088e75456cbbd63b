//! Applies a new configuration to a running follower: unchanged components continue, removed ones are dropped, and new
//! or changed ones are read from scratch and published together.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::component::ComponentState;
use super::poll::{Poll, RepoIndex, TrackedRepos};
use crate::{ComponentConfig, HistoryMode, ProjectConfig, RepoAccess, each_component};
use gitglot_model::ComponentIndex;

/// The part of a configuration that a follower uses.
#[derive(Clone, Debug)]
pub struct FollowConfig {
    /// The projects, in configuration order.
    pub projects: Vec<ProjectConfig>,
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

/// Carries unchanged components over to a new configuration; `before` are the components of `old`, in order.
pub(super) fn carry_over(
    before: Vec<ComponentState>,
    old: &[ProjectConfig],
    new: &[ProjectConfig],
    mode: HistoryMode,
) -> ReconfiguredComponents {
    let settings =
        each_component(old).map(|(project, component)| relevant_settings(project, component));
    let mut known: BTreeMap<String, (ComponentState, ProjectConfig)> = before
        .into_iter()
        .zip(settings)
        .map(|(it, settings)| (it.name.clone(), (it, settings)))
        .collect();
    let mut carried = ReconfiguredComponents {
        components: Vec::new(),
        fresh: Vec::new(),
        added: 0,
        removed: 0,
    };
    for (at, (project, component)) in each_component(new).enumerate() {
        let mut state = ComponentState::new(project, component, mode);
        match known.remove(&state.name) {
            Some((before, settings)) if settings == relevant_settings(project, component) => {
                state = before
            }
            before => {
                carried.fresh.push(ComponentIndex::new(at));
                match before {
                    Some((before, _)) => state.serve_previous(before),
                    None => carried.added += 1,
                }
            }
        }
        carried.components.push(state);
    }
    carried.removed = known.len();
    carried
}

/// The settings of a component and its project that affect its published state.
fn relevant_settings(project: &ProjectConfig, component: &ComponentConfig) -> ProjectConfig {
    let component = ComponentConfig {
        access: RepoAccess::default(),
        hook_secret: None,
        ..component.clone()
    };
    project.with_components(vec![component])
}
