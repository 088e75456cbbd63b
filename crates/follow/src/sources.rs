//! Access to the files of published components, for downloads.

use std::collections::HashSet;
use std::sync::Arc;

use dashmap::DashMap;

use super::observation::ComponentError;
use gitglot_git::{EntryKind, Repository};
use gitglot_model::{BlobId, CommitId, ComponentId};

/// The repositories of the published components.
#[derive(Default, Debug)]
pub struct PublishedRepositories(DashMap<ComponentId, Repository>);

impl PublishedRepositories {
    /// Adds or replaces the repository of a component.
    pub(super) fn set(&self, component: ComponentId, repository: Repository) {
        self.0.insert(component, repository);
    }

    /// Removes all components but these.
    pub(super) fn retain(&self, components: &HashSet<ComponentId>) {
        self.0.retain(|component, _| components.contains(component));
    }

    /// The repository of a component, as of the last poll.
    ///
    /// # Errors
    /// When the component was removed.
    pub fn repository(&self, component: ComponentId) -> Result<Repository, ComponentError> {
        let removed =
            || ComponentError::Repository(format!("component {component} is no longer served"));
        self.0
            .get(&component)
            .map(|it| it.clone())
            .ok_or_else(removed)
    }

    /// Reads a blob from a component's repository.
    ///
    /// # Errors
    /// When the component was removed or the blob cannot be read.
    pub fn blob(&self, component: ComponentId, blob: BlobId) -> Result<Vec<u8>, ComponentError> {
        let bytes = self.repository(component)?.reader().blob(blob)?;
        Ok(Arc::unwrap_or_clone(bytes))
    }

    /// Reads the file at a path of a commit from a component's repository.
    ///
    /// # Errors
    /// When the component was removed, the file does not exist, or it cannot be read.
    pub fn at_path(
        &self,
        component: ComponentId,
        commit: CommitId,
        path: &str,
    ) -> Result<Vec<u8>, ComponentError> {
        let mut reader = self.repository(component)?.reader();
        let tree = reader.commit_header(commit)?.tree;
        let Some(EntryKind::File(blob)) = reader.entry_at(tree, path)? else {
            return Err(ComponentError::Repository(format!(
                "the commit {commit} has no file {path}"
            )));
        };
        Ok(Arc::unwrap_or_clone(reader.blob(blob)?))
    }
}
