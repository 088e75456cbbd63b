//! Which repositories a configuration needs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::target::PollTarget;
use crate::observation::{BranchError, Observation};
use crate::project::{ComponentConfig, ProjectConfig, each_component};
use gitglot_git::Branch;
use gitglot_model::{ComponentIndex, RefPattern};

/// A component and the branch that it reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ComponentBranch {
    pub component: ComponentIndex,
    pub branch: Branch,
}

/// The repositories of a configuration.
pub(crate) struct PollPlan {
    /// Each repository once, with the components that read it.
    pub targets: Vec<(PollTarget, Vec<ComponentBranch>)>,
    /// The components with an invalid address or branch.
    pub invalid: Vec<Observation>,
}

/// Plans the polls of a configuration; mirrors are subdirectories of `mirrors`.
pub(crate) fn plan(projects: &[ProjectConfig], mirrors: &Path) -> PollPlan {
    let mut plan = PollPlan {
        targets: Vec::new(),
        invalid: Vec::new(),
    };
    let mut positions: HashMap<PathBuf, usize> = HashMap::new();
    for (at, (_, config)) in each_component(projects).enumerate() {
        let component = ComponentIndex::new(at);
        let (mut target, branch) = match target_of(config, mirrors) {
            Ok(target) => target,
            Err(error) => {
                plan.invalid.push(Observation::old(component, Err(error)));
                continue;
            }
        };
        let named = config.branches.iter().cloned();
        target.named = std::iter::once(RefPattern::tags()).chain(named).collect();
        let reads = ComponentBranch { component, branch };
        let position = positions.get(&target.folder);
        let Some((known, components)) = position.and_then(|&at| plan.targets.get_mut(at)) else {
            positions.insert(target.folder.clone(), plan.targets.len());
            plan.targets.push((target, vec![reads]));
            continue;
        };
        known.prefer(target.source);
        for pattern in target.named {
            if !known.named.contains(&pattern) {
                known.named.push(pattern);
            }
        }
        if !known.branches.contains(&reads.branch) {
            known.branches.push(reads.branch.clone());
        }
        components.push(reads);
    }
    plan
}

/// The repository and the branch of a component.
fn target_of(
    config: &ComponentConfig,
    mirrors: &Path,
) -> Result<(PollTarget, Branch), BranchError> {
    let branch = Branch::parse(config.branch.as_deref())?;
    let branches = vec![branch.clone()];
    let target = PollTarget::new(&config.repo, &config.access, mirrors, branches)?;
    Ok((target, branch))
}
