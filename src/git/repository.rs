//! An open repository: shared between threads, cheap to clone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::one_line;
use super::{GitError, ObjectReader};
use crate::model::CommitId;

/// An open repository, shared between threads.
///
/// It keeps the state of the object folders as it was when it was opened and finds packs that came
/// later up to a fixed number, so take a [`fresh`](Self::fresh) one after each fetch (engineering notes 3.3).
#[derive(Clone)]
pub struct Repository {
    inner: gix::ThreadSafeRepository,
    shallow: Arc<HashSet<CommitId>>,
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repository").field("git_dir", &self.git_dir()).finish()
    }
}

impl Repository {
    /// Opens the repository at `path`: a work tree, a `.git` folder or a bare repository.
    ///
    /// Only the repository's own configuration is read, and its owner does not matter: nothing in it is ever run.
    ///
    /// # Errors
    /// When there is no repository, or it uses SHA-256.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, GitError> {
        Self::open_with(path.into(), &[])
    }

    /// Opens with settings of the form `key=value` that count more than the repository's own.
    pub(super) fn open_with(path: PathBuf, settings: &[String]) -> Result<Self, GitError> {
        let inner = options(settings)
            .open(path.clone())
            .map_err(|error| GitError::Open { path: path.clone(), reason: one_line(&error) })?;
        if inner.to_thread_local().object_hash() != gix::hash::Kind::Sha1 {
            return Err(GitError::ObjectFormat(path));
        }
        let shallow = Arc::new(shallow_boundary(&inner)?);
        Ok(Self { inner, shallow })
    }

    /// The same repository opened anew, so that what was fetched since is seen.
    ///
    /// # Errors
    /// When the repository is no longer there.
    pub fn fresh(&self) -> Result<Self, GitError> {
        Self::open(self.git_dir())
    }

    /// The folder that holds `HEAD`.
    pub fn git_dir(&self) -> &Path {
        self.inner.git_dir()
    }

    /// gix's own view for one thread.
    pub(super) fn local(&self) -> gix::Repository {
        self.inner.to_thread_local()
    }

    /// A view for one thread, for commits, trees and single blobs.
    pub fn reader(&self) -> ObjectReader {
        ObjectReader::new(&self.inner, Arc::clone(&self.shallow))
    }

    /// Whether the history ends at this commit because the repository is shallow: its parents are
    /// not here, and it is read as a commit without parents.
    pub fn is_shallow(&self, commit: CommitId) -> bool {
        self.shallow.contains(&commit)
    }
}

/// How every repository is opened: nothing but its own configuration, full trust, no questions asked.
pub(super) fn options(settings: &[String]) -> gix::open::Options {
    let overrides = ["gitoxide.credentials.terminalPrompt=false", "core.useReplaceRefs=false"];
    gix::open::Options::isolated()
        .with(gix::sec::Trust::Full)
        .config_overrides(overrides.into_iter().map(str::to_owned).chain(settings.iter().cloned()))
}

fn shallow_boundary(repository: &gix::ThreadSafeRepository) -> Result<HashSet<CommitId>, GitError> {
    let commits = repository
        .to_thread_local()
        .shallow_commits()
        .map_err(|error| GitError::Open { path: repository.git_dir().to_owned(), reason: one_line(&error) })?;
    Ok(commits.iter().flat_map(|commits| commits.iter()).filter_map(|id| commit_id(id)).collect())
}

pub(super) fn commit_id(id: &gix::oid) -> Option<CommitId> {
    id.as_bytes().try_into().ok().map(CommitId)
}
