//! An open repository: shared between threads, cheap to clone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::git::error::one_line;
use crate::git::objects::packs::Packs;
use crate::git::objects::reader::FEW_BLOBS_CACHE;
use crate::git::{GitError, ObjectReader};
use crate::model::CommitId;

/// An open repository, shared between threads.
///
/// It keeps the state of the object folders as it was when it was opened and finds packs that came
/// later up to a fixed number, so take a [`fresh`](Self::fresh) one after each fetch (engineering notes 3.3).
#[derive(Clone)]
pub struct Repository {
    inner: gix::ThreadSafeRepository,
    packs: Arc<OnceLock<Arc<Packs>>>,
    shallow: Arc<HashSet<CommitId>>,
    cloned_anew: bool,
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
        let path = path.into();
        let inner = options(&[])
            .open(path.clone())
            .map_err(|error| GitError::Open { path: path.clone(), reason: one_line(&error) })?;
        if inner.to_thread_local().object_hash() != gix::hash::Kind::Sha1 {
            return Err(GitError::ObjectFormat(path));
        }
        let shallow = Arc::new(shallow_boundary(&inner)?);
        Ok(Self { inner, packs: Arc::default(), shallow, cloned_anew: false })
    }

    /// The same repository opened anew, so that what was fetched since is seen.
    ///
    /// # Errors
    /// When the repository is no longer there.
    pub fn fresh(&self) -> Result<Self, GitError> {
        Self::open(self.git_dir())
    }

    /// The same repository, of which it is known whether it was just cloned anew.
    pub(crate) fn known_as(self, cloned_anew: bool) -> Self {
        Self { cloned_anew, ..self }
    }

    /// Whether it was cloned anew because something was missing or damaged. What is missing now is gone for good, and
    /// nothing is won by waiting for it.
    pub fn is_cloned_anew(&self) -> bool {
        self.cloned_anew
    }

    /// The folder that holds `HEAD`.
    pub fn git_dir(&self) -> &Path {
        self.inner.git_dir()
    }

    /// The folder that holds `refs` and `objects`; another than [`git_dir`](Self::git_dir) for a linked work tree.
    pub fn common_dir(&self) -> &Path {
        self.inner.common_dir.as_deref().unwrap_or_else(|| self.inner.git_dir())
    }

    /// A view for one thread, for commits, trees and a few blobs.
    pub fn reader(&self) -> ObjectReader {
        self.reader_for_histories(FEW_BLOBS_CACHE)
    }

    /// A view for one thread that reads many versions of the same files, keeping up to `cache_bytes` of blobs.
    ///
    /// Read all versions of one file, then those of the next, in either direction of time, and give each thread files
    /// of its own: a version is stored as its difference from a later one, so what has just been read is what is
    /// needed next. The cache should hold fifty versions of the largest file.
    pub fn reader_for_histories(&self, cache_bytes: usize) -> ObjectReader {
        let packs = self.packs.get_or_init(|| Arc::new(Packs::open(&self.object_folders())));
        ObjectReader::new(&self.inner, Arc::clone(packs), Arc::clone(&self.shallow), cache_bytes)
    }

    /// The folder of the repository's own objects and those of its alternates.
    fn object_folders(&self) -> Vec<PathBuf> {
        let own = self.inner.objects_dir().to_owned();
        let here = std::env::current_dir().unwrap_or_default();
        let alternates = gix::odb::alternate::resolve(own.clone(), &here).unwrap_or_default();
        std::iter::once(own).chain(alternates).collect()
    }

    /// The repository as gix sees it, for this room's own use.
    pub(crate) fn gix(&self) -> gix::Repository {
        self.inner.to_thread_local()
    }

    /// Whether the history ends at this commit because the repository is shallow: its parents are
    /// not here, and it is read as a commit without parents.
    pub fn is_shallow(&self, commit: CommitId) -> bool {
        self.shallow.contains(&commit)
    }
}

/// How every repository is opened: nothing but its own configuration, full trust, no questions asked.
pub(crate) fn options(settings: &[String]) -> gix::open::Options {
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

pub(crate) fn commit_id(id: &gix::oid) -> Option<CommitId> {
    id.as_bytes().try_into().ok().map(CommitId)
}
