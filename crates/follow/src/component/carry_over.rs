//! The components of a new configuration: unchanged ones continue.

use std::collections::HashMap;

use super::state::{ComponentState, shown_address};
use crate::project::{ComponentConfig, HistoryMode, ProjectConfig, RepoAccess, each_component};
use gitglot_model::ComponentIndex;

/// The components of a new configuration.
pub(crate) struct ReconfiguredComponents {
    /// In configuration order.
    pub components: Vec<ComponentState>,
    /// New components and those whose settings have changed.
    pub fresh: Vec<ComponentIndex>,
    pub added: usize,
    pub removed: usize,
}

/// Carries unchanged components over to a new configuration; `before` are the components of `old`, in order.
pub(crate) fn carry_over(
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
    let mut shown: HashMap<String, String> = HashMap::new();
    for (at, (project, component)) in each_component(new).enumerate() {
        let before = match known.remove(&project.name_of(component)) {
            Some((before, old)) if shown_settings((project, component)) == shown_settings(old) => {
                carried.components.push(before);
                continue;
            }
            changed => changed,
        };
        let mut state = ComponentState::new(project, component, mode);
        let shown = shown.entry(state.repository.clone());
        let shown = shown.or_insert_with(|| shown_address(&component.repo));
        state.config.repo.clone_from(shown);
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

/// The settings of a component and its project that affect the published state.
fn shown_settings((project, component): ComponentOf<'_>) -> (ProjectConfig, ComponentConfig) {
    let component = ComponentConfig {
        access: RepoAccess::default(),
        hook_secret: None,
        ..component.clone()
    };
    (project.with_components(Vec::new()), component)
}
