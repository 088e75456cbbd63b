//! Finds projects and components of a configuration without going through all of them.

use std::collections::HashMap;
use std::sync::Arc;

use super::component::ComponentState;
use crate::project::ProjectConfig;
use gitglot_ledger::IdRegistry;
use gitglot_model::Project;

/// The projects and components of a configuration by their names.
#[derive(Default, Debug)]
pub(super) struct Lookup {
    configured: Arc<[ProjectConfig]>,
    /// Positions by slug, by `project/component`, and by repository.
    projects: HashMap<String, usize>,
    components: HashMap<String, usize>,
    by_repository: HashMap<String, Vec<usize>>,
}

impl Lookup {
    /// The positions of these projects and components.
    pub fn new(configured: &Arc<[ProjectConfig]>, components: &[ComponentState]) -> Self {
        let projects = configured.iter().enumerate();
        let mut lookup = Self {
            projects: projects.map(|(at, it)| (it.slug.to_string(), at)).collect(),
            configured: configured.clone(),
            ..Self::default()
        };
        for (at, component) in components.iter().enumerate() {
            lookup.components.insert(component.name.clone(), at);
            let repository = lookup.by_repository.entry(component.repository.clone());
            repository.or_default().push(at);
        }
        lookup
    }

    /// The project with a slug, with its id; `None` before an id is allocated.
    pub fn project(&self, ids: &IdRegistry, slug: &str) -> Option<Arc<Project>> {
        project_of(ids, self.configured.get(*self.projects.get(slug)?)?)
    }

    /// The position of the component `project/component`.
    pub fn component(&self, name: &str) -> Option<usize> {
        self.components.get(name).copied()
    }

    /// The positions of the components of a repository.
    pub fn components_of(&self, repository: &str) -> &[usize] {
        self.by_repository
            .get(repository)
            .map_or(&[], Vec::as_slice)
    }
}

/// A configured project with its id; `None` before an id is allocated.
pub(super) fn project_of(ids: &IdRegistry, config: &ProjectConfig) -> Option<Arc<Project>> {
    Some(Arc::new(Project {
        id: ids.project_id(config.slug.as_str())?,
        slug: config.slug.clone(),
        name: config.name.clone(),
        web: config.web.clone(),
        instructions: config.instructions.clone(),
        source_language: config.source_language.clone(),
    }))
}
