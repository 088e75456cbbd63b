//! Access to the files of published components, for downloads.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use dashmap::DashMap;
use parking_lot::Mutex;

use super::observation::ComponentError;
use gitglot_git::{ClosedRepository, EntryKind, Repository};
use gitglot_model::{BlobId, CommitId, ComponentId};

/// Number of repositories that stay open after a request.
const MAX_OPEN: usize = 64;

/// The repositories of the published components.
#[derive(Default, Debug)]
pub struct PublishedRepositories {
    all: DashMap<ComponentId, ClosedRepository>,
    /// Those that requests have read last, the newest last.
    open: Mutex<VecDeque<(ComponentId, Repository)>>,
}

impl PublishedRepositories {
    /// Adds or replaces the repository of a component.
    pub(super) fn set(&self, component: ComponentId, repository: ClosedRepository) {
        self.all.insert(component, repository);
        self.open.lock().retain(|(open, _)| *open != component);
    }

    /// Removes all components but these.
    pub(super) fn retain(&self, components: &HashSet<ComponentId>) {
        self.all
            .retain(|component, _| components.contains(component));
        self.open
            .lock()
            .retain(|(component, _)| components.contains(component));
    }

    /// The repository of a component, as of the last poll.
    ///
    /// # Errors
    /// When the component was removed, or its repository cannot be opened.
    pub fn repository(&self, component: ComponentId) -> Result<Repository, ComponentError> {
        // Locked until it is open, so that no repository remains in the list that was replaced meanwhile.
        let mut open = self.open.lock();
        let known = open.iter().position(|(known, _)| *known == component);
        if let Some(found) = known.and_then(|at| open.remove(at)) {
            open.push_back(found.clone());
            return Ok(found.1);
        }
        let removed =
            || ComponentError::Repository(format!("component {component} is no longer served"));
        let closed = self.all.get(&component).map(|it| it.clone());
        let repository = closed.ok_or_else(removed)?.open()?;
        open.push_back((component, repository.clone()));
        if open.len() > MAX_OPEN {
            open.pop_front();
        }
        Ok(repository)
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
