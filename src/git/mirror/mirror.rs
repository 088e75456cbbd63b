//! The mirror of one repository: a bare repository in the state directory with the followed branches.
//!
//! [`Mirror::fetch`] brings in new commits and moves the branches. [`Mirror::maintain`] keeps the number of files
//! small; callers run it after they have published the fetched commits. See docs/spec/ids-and-ledger.md#mirrors.

use std::path::{Path, PathBuf};

use super::references::{RETAINED, default_name, read_ref, refs_are_valid, retained, set_ref};
use super::{copy_objects, fs_util, fsck, local, repack};
use crate::git::error::one_line;
use crate::git::refs::branch::{Branch, BranchChange, FollowedBranch, MissingBranch};
use crate::git::transport::credentials::RepositoryAccess;
use crate::git::transport::error::{FetchError, FetchProblem};
use crate::git::transport::fetch::{FetchJob, Received, RemoteBranch, fetch, is_running};
use crate::git::transport::progress::Watch;
use crate::git::{GitError, Repository, RepositorySource};
use crate::model::{CommitId, RefPattern};

/// The mirror of one repository, shared by all components of that repository.
///
/// The caller owns the lock of the state directory, so no other process writes the folder.
pub struct Mirror {
    pub(super) source: RepositorySource,
    pub(super) folder: PathBuf,
    pub(super) branches: Vec<Branch>,
    /// The references that requests may name.
    named: Vec<RefPattern>,
    access: RepositoryAccess,
    /// Whether it was re-cloned since the last poll.
    recloned: bool,
}

impl std::fmt::Debug for Mirror {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mirror")
            .field("source", &self.source)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

/// The tip of a followed branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tip {
    /// Its name without `refs/heads/`; `HEAD` for the default branch of a repository whose `HEAD` is detached.
    pub name: String,
    /// The newest commit of the branch.
    pub commit: CommitId,
}

/// The commits that [`Mirror::reclone`] could not copy from the old mirror.
pub type Lost = Vec<CommitId>;

impl Mirror {
    /// Opens the mirror in `folder`, or clones the repository there. Does not fetch an existing mirror, so gitglot can
    /// serve it without a network.
    ///
    /// Clones into `FOLDER.new` and renames the complete clone. Deletes stale locks and the remains of an interrupted
    /// clone.
    ///
    /// # Errors
    /// When the repository cannot be reached or the folder cannot be written. A missing branch is not an error.
    pub fn open_or_clone(
        source: RepositorySource,
        folder: PathBuf,
        branches: Vec<Branch>,
        access: RepositoryAccess,
        watch: &mut dyn Watch,
    ) -> Result<Self, FetchError> {
        let mirror = Self::unopened(source, folder, branches, access);
        mirror
            .open_or_clone_folder(watch)
            .map_err(|problem| mirror.error(problem))?;
        Ok(mirror)
    }

    /// A mirror whose folder is not read, for [`reclone`](Self::reclone).
    pub fn unopened(
        source: RepositorySource,
        folder: PathBuf,
        branches: Vec<Branch>,
        access: RepositoryAccess,
    ) -> Self {
        Self {
            source,
            folder,
            branches,
            named: Vec::new(),
            access,
            recloned: false,
        }
    }

    /// Fetches the references of some patterns together with the branches from now on.
    pub fn with_named(self, named: Vec<RefPattern>) -> Self {
        Self { named, ..self }
    }

    /// The address of the repository.
    pub fn source(&self) -> &RepositorySource {
        &self.source
    }

    /// The mirror's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opens the mirror for reading. Open it again after each fetch.
    ///
    /// # Errors
    /// When the folder is missing or corrupt.
    pub fn repository(&self) -> Result<Repository, GitError> {
        Ok(Repository::open(&self.folder)?.mark_recloned(self.recloned))
    }

    /// Whether an abandoned fetch still writes to the folder or to its replacement.
    pub fn is_busy(&self) -> bool {
        is_running(&self.folder) || is_running(&self.sibling(".new"))
    }

    pub(super) fn check_idle(&self) -> Result<(), FetchProblem> {
        if self.is_busy() {
            Err(FetchProblem::Stalled(self.access.timeouts.stall))
        } else {
            Ok(())
        }
    }

    /// Whether a reference, a commit of a followed branch, or the checksum of a pack or loose object is bad. Reads the
    /// whole mirror, so call it only when a corrupt mirror is likely.
    pub fn is_damaged(&self) -> bool {
        let Ok((repository, tips)) = self
            .repository()
            .and_then(|repository| Ok((repository, self.tips()?)))
        else {
            return true;
        };
        let tips: Vec<CommitId> = tips
            .into_iter()
            .filter_map(|(_, tip)| Some(tip?.commit))
            .collect();
        (self.source.path().is_none() && self.folder.join(fsck::ALTERNATES).exists())
            || !refs_are_valid(&repository.gix())
            || !copy_objects::is_complete(&mut repository.reader(), &tips)
            || !fsck::checksums_match(&self.folder.join("objects"))
    }

    /// Starts a poll: [`Repository::is_recloned`] is true only in the poll that re-cloned the mirror.
    pub(crate) fn begin_poll(&mut self) {
        self.recloned = false;
    }

    /// The tips at the last fetch; `None` for a branch that was never found.
    ///
    /// # Errors
    /// When the mirror cannot be read.
    pub fn tips(&self) -> Result<Vec<(Branch, Option<Tip>)>, GitError> {
        let repository = self.repository()?.gix();
        let tip = |branch: &Branch| {
            let name = match branch {
                Branch::Named(name) => name.clone(),
                Branch::Default => default_name(&repository),
            };
            read_ref(&repository, &branch.mirror_ref()).map(|commit| Tip { name, commit })
        };
        Ok(self
            .branches
            .iter()
            .map(|branch| (branch.clone(), tip(branch)))
            .collect())
    }

    /// Fetches the branches and returns them in the configured order. [Retains](Self::retain) the old tip of a
    /// rewritten branch.
    ///
    /// # Errors
    /// When the repository cannot be reached or the mirror cannot be written. Some branches may have moved by then, and
    /// the next fetch does not report them: compare [`tips`](Self::tips).
    pub fn fetch(&self, watch: &mut dyn Watch) -> Result<Vec<FollowedBranch>, FetchError> {
        let folder = self.folder.clone();
        self.fetch_into(&folder, watch)
            .map_err(|problem| self.error(problem))
    }

    /// Retains a commit and its ancestors for the lifetime of the mirror. For a local repository, copies the objects
    /// that no followed branch contains.
    ///
    /// # Errors
    /// When the commit is missing or the mirror cannot be written.
    pub fn retain(&self, commit: CommitId) -> Result<(), FetchError> {
        let retained = self
            .tips()
            .map_err(FetchProblem::Unreadable)
            .and_then(|tips| {
                let tips: Vec<CommitId> = tips
                    .into_iter()
                    .filter_map(|(_, tip)| Some(tip?.commit))
                    .collect();
                self.retain_in(&self.folder, commit, &tips)
            });
        retained.map_err(|problem| self.error(problem))
    }

    /// The retained commits.
    ///
    /// # Errors
    /// When the mirror cannot be read.
    pub fn retained(&self) -> Result<Vec<CommitId>, GitError> {
        retained(&self.repository()?.gix()).map_err(|error| GitError::Open {
            path: self.folder.clone(),
            reason: one_line(&error),
        })
    }

    /// Clones the repository again and replaces the old mirror. Copies `needed`, the old tips and the retained commits
    /// from the old mirror if the clone lacks them, and returns the commits that it could not read.
    ///
    /// # Errors
    /// When the repository cannot be cloned; the old mirror stays unchanged.
    pub fn reclone(
        &mut self,
        needed: &[CommitId],
        watch: &mut dyn Watch,
    ) -> Result<Lost, FetchError> {
        let lost = self
            .replace(needed, watch)
            .map_err(|problem| self.error(problem))?;
        self.recloned = true;
        Ok(lost)
    }

    pub(super) fn fetch_into(
        &self,
        folder: &Path,
        watch: &mut dyn Watch,
    ) -> Result<Vec<FollowedBranch>, FetchProblem> {
        let before = Repository::open(folder)
            .map_err(FetchProblem::Unreadable)?
            .gix();
        let before: Vec<Option<CommitId>> = self
            .branches
            .iter()
            .map(|branch| read_ref(&before, &branch.mirror_ref()))
            .collect();
        let received = match self.source.path() {
            Some(path) => local::read_branches(folder, path, &self.branches, Some(&self.named))?,
            None => {
                let job = FetchJob {
                    mirror: folder.to_owned(),
                    source: self.source.clone(),
                    access: self.access.clone(),
                    branches: self.branches.clone(),
                    named: self.named.clone(),
                };
                fetch(job, watch)?
            }
        };
        let followed = self.compare(folder, received, &before)?;
        self.move_references(folder, &followed)?;
        Ok(followed)
    }

    /// Determines the change of each branch, and retains the old tips of rewritten branches.
    fn compare(
        &self,
        folder: &Path,
        received: Received,
        before: &[Option<CommitId>],
    ) -> Result<Vec<FollowedBranch>, FetchProblem> {
        let mut reader = Repository::open(folder)
            .map_err(FetchProblem::Unreadable)?
            .reader();
        let tips: Vec<CommitId> = received
            .branches
            .iter()
            .filter_map(|branch| Some(branch.found.as_ref()?.1))
            .collect();
        let mut followed = Vec::new();
        for (RemoteBranch { branch, found }, from) in
            received.branches.into_iter().zip(before.iter().copied())
        {
            let Some((name, to)) = found else {
                let missing = MissingBranch {
                    branch: branch.clone(),
                    existing: received.existing.clone(),
                };
                followed.push(FollowedBranch {
                    branch,
                    change: BranchChange::Missing(missing),
                });
                continue;
            };
            // A branch never moves to an unreadable tip.
            reader.commit_header(to).map_err(FetchProblem::Unreadable)?;
            let old = from.filter(|from| *from != to);
            let rewritten = old.filter(|old| !copy_objects::is_ancestor(&mut reader, *old, to));
            if let Some(old) = rewritten {
                match self.retain_in(folder, old, &tips) {
                    // A local repository may have deleted the objects already.
                    Err(FetchProblem::Unreadable(_)) if self.source.path().is_some() => {}
                    other => other?,
                }
            }
            let change = BranchChange::Present {
                name,
                from,
                to,
                rewritten: rewritten.is_some(),
            };
            followed.push(FollowedBranch { branch, change });
        }
        Ok(followed)
    }

    /// Moves the references of the branches, and `HEAD`.
    fn move_references(
        &self,
        folder: &Path,
        followed: &[FollowedBranch],
    ) -> Result<(), FetchProblem> {
        let repository = Repository::open(folder)
            .map_err(FetchProblem::Unreadable)?
            .gix();
        for FollowedBranch { branch, change } in followed {
            let BranchChange::Present { name, to, .. } = change else {
                continue;
            };
            set_ref(&repository, &branch.mirror_ref(), *to).map_err(|error| self.refs(&error))?;
            if *branch == Branch::Default {
                let head = if name == "HEAD" {
                    format!("{to}\n")
                } else {
                    format!("ref: refs/heads/{name}\n")
                };
                fs_util::write_atomic(&folder.join("HEAD"), head.as_bytes())
                    .map_err(|error| self.storage(&error))?;
            }
        }
        Ok(())
    }

    /// Whether the mirror has enough packs or loose objects for [`maintain`](Self::maintain) to repack it.
    pub fn needs_maintenance(&self) -> bool {
        repack::is_due(&self.folder.join("objects"), repack::LIMITS) && !self.is_busy()
    }

    /// Repacks the mirror if it has many packs or loose objects. May take minutes; repositories that are open stay
    /// readable. A failure is logged and leaves the mirror unchanged.
    pub fn maintain(&self) {
        if self.needs_maintenance()
            && let Err(error) = repack::repack(&self.folder.join("objects"))
        {
            tracing::warn!(
                "{}: cannot repack the mirror: {}",
                self.source,
                one_line(&error)
            );
        }
    }

    fn retain_in(
        &self,
        folder: &Path,
        commit: CommitId,
        tips: &[CommitId],
    ) -> Result<(), FetchProblem> {
        let repository = Repository::open(folder).map_err(FetchProblem::Unreadable)?;
        repository
            .reader()
            .commit_header(commit)
            .map_err(FetchProblem::Unreadable)?;
        if self.source.path().is_some() {
            local::copy_to_mirror(folder, commit, tips)?;
        }
        set_ref(&repository.gix(), &format!("{RETAINED}{commit}"), commit)
            .map_err(|error| self.refs(&error))
    }

    pub(super) fn sibling(&self, suffix: &str) -> PathBuf {
        fs_util::with_suffix(&self.folder, suffix)
    }

    fn error(&self, problem: FetchProblem) -> FetchError {
        FetchError {
            address: self.source.to_string(),
            problem,
        }
    }

    pub(super) fn storage(&self, error: &std::io::Error) -> FetchProblem {
        FetchProblem::Storage {
            path: self.folder.clone(),
            reason: error.to_string(),
        }
    }

    pub(super) fn refs(&self, error: &gix::Error) -> FetchProblem {
        FetchProblem::Storage {
            path: self.folder.clone(),
            reason: one_line(error),
        }
    }
}
