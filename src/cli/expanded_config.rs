//! Looks up the names of file masks with `{name}`: at the start, on a reload, and when a new commit is fetched
//! (`docs/spec/settings.md#masks-with-placeholders`).

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::detect::{files_at, project_at};
use crate::config::Target;
use crate::discover;
use gitglot_follow::{
    BranchState, ComponentConfig, FollowConfig, PollTarget, RepoAccess, RepoAddress, each_component,
};
use gitglot_git::Branch;
use gitglot_model::{CommitId, MaskPattern};

/// A configuration whose file masks may contain `{name}`, and the components that it expands to.
pub(super) struct ExpandedConfig {
    mirrors: PathBuf,
    state: Mutex<NamesState>,
}

struct NamesState {
    configured: Target,
    /// Whether a file mask of the configuration has `{name}`.
    has_names: bool,
    /// The components in use; `None` before the start.
    used: Option<FollowConfig>,
    /// The commits in which names were looked up, by address and branch.
    tips: Tips,
}

type Tips = BTreeMap<(String, Option<String>), Option<CommitId>>;

impl ExpandedConfig {
    /// The names of a configuration. `mirrors` is the directory of the mirrors.
    pub fn new(mirrors: PathBuf, configured: Target) -> Self {
        let state = Mutex::new(NamesState {
            has_names: !branches_with_names(&configured).is_empty(),
            configured,
            used: None,
            tips: Tips::new(),
        });
        Self { mirrors, state }
    }

    /// Notes the components in use.
    pub fn start(&self, used: FollowConfig) {
        let mut state = self.state.lock();
        state.used = Some(used);
    }

    /// Replaces the configuration. Returns it with the names in the commits that were fetched last.
    pub fn reload(&self, config: FollowConfig) -> FollowConfig {
        let mut state = self.state.lock();
        state.configured = Target::Projects(config.projects.clone());
        state.has_names = !branches_with_names(&state.configured).is_empty();
        let interval = config.interval;
        let expanded = state.has_names.then(|| self.look_up(&mut state, interval));
        let used = expanded.flatten().unwrap_or(config);
        state.used = Some(used.clone());
        used
    }

    /// The configuration with the names in the commits that were fetched last; `None` if nothing changes.
    pub fn refresh(&self) -> Option<FollowConfig> {
        let mut state = self.state.lock();
        // Called for each changed repository: without names, nothing depends on the number of components.
        let interval = state.used.as_ref().filter(|_| state.has_names)?.interval;
        let tips = std::mem::take(&mut state.tips);
        state.tips = self.tips(&state.configured);
        if state.tips.is_empty() || state.tips == tips {
            return None;
        }
        let expanded = self.look_up(&mut state, interval)?;
        let used = state.used.as_ref();
        if used.is_some_and(|used| expanded.projects == used.projects) {
            return None;
        }
        state.used = Some(expanded.clone());
        Some(expanded)
    }

    fn look_up(&self, state: &mut NamesState, interval: Duration) -> Option<FollowConfig> {
        state.tips = self.tips(&state.configured);
        let projects = match &state.configured {
            Target::Projects(projects) => {
                let mut lists: HashMap<_, Option<Arc<[String]>>> = HashMap::new();
                let mut list = |component: &ComponentConfig| {
                    let branch = component.branch.as_deref();
                    let read =
                        || paths(&self.fetched(&component.repo, &component.access, branch)?);
                    let place = (component.repo.public(), component.branch.clone());
                    lists.entry(place).or_insert_with(read).clone()
                };
                discover::expand(projects, &mut list)
            }
            Target::Repository(target) => {
                let branch = target.overrides.branch.as_deref();
                let fetched = self.fetched(&target.repo, &target.access, branch)?;
                let project = project_at(&fetched, target);
                let warn = |error: &anyhow::Error| {
                    tracing::warn!(
                        "cannot look up the names of the file mask, keeping the components: {error:#}"
                    );
                };
                vec![project.inspect_err(warn).ok()?]
            }
        };
        Some(FollowConfig {
            projects: projects.into(),
            interval,
        })
    }

    /// The fetched commits of all branches with names; empty if nothing has names.
    fn tips(&self, configured: &Target) -> Tips {
        let mut tips = Tips::new();
        for (repo, access, branch) in branches_with_names(configured) {
            tips.entry((repo.public(), branch.clone()))
                .or_insert_with(|| Some(self.fetched(repo, access, branch.as_deref())?.tip));
        }
        tips
    }

    fn fetched(
        &self,
        repo: &RepoAddress,
        access: &RepoAccess,
        branch: Option<&str>,
    ) -> Option<BranchState> {
        let branch = Branch::parse(branch).ok()?;
        let target = PollTarget::new(repo, access, &self.mirrors, vec![branch.clone()]).ok()?;
        target.last_fetched(&branch)
    }
}

/// The configured branches in which names of file masks are looked up: address, credentials and branch.
fn branches_with_names(configured: &Target) -> Vec<(&RepoAddress, &RepoAccess, &Option<String>)> {
    match configured {
        Target::Projects(projects) => each_component(projects)
            .filter(|(_, component)| component.names.is_some())
            .map(|(_, component)| (&component.repo, &component.access, &component.branch))
            .collect(),
        Target::Repository(target) => {
            let filemask = target.overrides.filemask.as_ref();
            let has_names = filemask.is_some_and(MaskPattern::has_name);
            let branch = (&target.repo, &*target.access, &target.overrides.branch);
            Vec::from_iter(has_names.then_some(branch))
        }
    }
}

/// The paths of a commit; `None` if it cannot be read.
fn paths(state: &BranchState) -> Option<Arc<[String]>> {
    let files = files_at(&mut state.repository.reader(), state.tip).ok()?;
    Some(files.into_iter().map(|file| file.path).collect())
}
