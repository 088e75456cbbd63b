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
        let closed = self.all.get(&component).map(|closed| closed.clone());
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

#[cfg(test)]
mod tests {
    use super::*;
    use gitglot_testkit::{Repo, commit};

    const COMPONENT: ComponentId = ComponentId(1);

    /// A repository with one file, and the same as that of a component.
    fn repositories(text: &str) -> (tempfile::TempDir, Repo, PublishedRepositories) {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(
            &folder.path().join("garden.git"),
            &commit("one").write("app/en.json", text),
        );
        let published = PublishedRepositories::default();
        published.set(COMPONENT, closed(&repo));
        (folder, repo, published)
    }

    fn closed(repo: &Repo) -> ClosedRepository {
        Repository::open(repo.dir()).unwrap().close()
    }

    fn open(published: &PublishedRepositories) -> Vec<u32> {
        let open = published.open.lock();
        open.iter().map(|(component, _)| component.0).collect()
    }

    #[test]
    fn files_are_found_by_commit_and_path() {
        let (_folder, repo, published) = repositories("one");
        let at = |path| published.at_path(COMPONENT, repo.id("one"), path);
        assert_eq!(at("app/en.json").unwrap(), b"one");
        for path in ["app", "app/cs.json", "../garden.git/HEAD"] {
            let error = at(path).unwrap_err().to_string();
            assert!(error.contains(&format!("has no file {path}")), "{error}");
        }
        let unknown: BlobId = "1".repeat(40).parse().unwrap();
        assert!(published.blob(COMPONENT, unknown).is_err());
    }

    #[test]
    fn a_replaced_or_removed_repository_is_not_read_any_more() {
        let (_folder, repo, published) = repositories("one");
        assert!(published.repository(COMPONENT).is_ok());
        let (_other_folder, other, _) = repositories("two");
        published.set(COMPONENT, closed(&other));
        let file = published.at_path(COMPONENT, other.id("one"), "app/en.json");
        assert_eq!(file.unwrap(), b"two");
        let old = published.at_path(COMPONENT, repo.id("one"), "app/en.json");
        assert!(old.is_err(), "the first repository is still open");
        published.retain(&HashSet::new());
        let error = published.repository(COMPONENT).unwrap_err().to_string();
        assert!(error.contains("no longer served"), "{error}");
        assert_eq!(open(&published), [0; 0]);
    }

    #[test]
    fn a_limited_number_of_repositories_stays_open() {
        let (_folder, repo, published) = repositories("one");
        let all = 1..=MAX_OPEN as u32 + 1;
        for component in all.clone() {
            published.set(ComponentId(component), closed(&repo));
        }
        // The first one is used again, so that the second one is closed.
        for component in all.take(MAX_OPEN).chain([1, MAX_OPEN as u32 + 1]) {
            assert!(published.repository(ComponentId(component)).is_ok());
        }
        let open = open(&published);
        assert_eq!(open.len(), MAX_OPEN);
        assert!(open.contains(&1) && !open.contains(&2), "{open:?}");
        assert!(
            published.repository(ComponentId(2)).is_ok(),
            "it opens again"
        );
    }
}
