//! The mirror of one repository: a bare repository in the state directory with the followed branches.
//!
//! [`Mirror::fetch`] brings in new commits and moves the branches. [`Mirror::maintain`] keeps the number of files
//! small; callers run it after they have published the fetched commits. See docs/spec/ids-and-ledger.md#mirrors.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use super::local::NamedRefs;
use super::references::{default_name, read_ref, refs_are_valid, retain, set_ref};
use super::{fsck, local, repack};
use crate::error::{GitError, one_line};
use crate::fs_util;
use crate::objects::ancestors::{AncestorWalk, is_ancestor};
use crate::objects::repository::Repository;
use crate::refs::branch::{Branch, BranchChange, FollowedBranch, MissingBranch, Tip};
use crate::refs::fingerprint::RefsFingerprint;
use crate::transport::ask::Asking;
use crate::transport::credentials::RepoAccess;
use crate::transport::error::{FetchError, FetchProblem};
use crate::transport::fetch::{FetchJob, Received, fetch, is_running};
use crate::transport::source::RepositorySource;
use crate::transport::watch::Watch;
use gitglot_model::{CommitId, RefPattern};

/// The mirror of one repository, shared by all components of that repository.
///
/// The caller owns the lock of the state directory, so no other process writes the directory.
#[derive(Debug)]
pub struct Mirror {
    pub(super) source: RepositorySource,
    pub(crate) folder: PathBuf,
    pub(super) branches: Vec<Branch>,
    /// The references that requests may name.
    named: Vec<RefPattern>,
    /// The references of a local repository when they were copied last.
    copied: Mutex<Option<RefsFingerprint>>,
    /// The branches of a clone, until the first fetch.
    cloned: Mutex<Option<Vec<FollowedBranch>>>,
    /// Whether the last fetch was complete.
    is_complete: AtomicBool,
    access: RepoAccess,
    /// Whether it was re-cloned since the last poll.
    recloned: bool,
    /// As the last fetch left it, until it is closed.
    opened: Mutex<Option<Repository>>,
    /// The directories of the local repository that the last fetch has read.
    local_dirs: Mutex<Option<LocalDirs>>,
    /// How the next poll asks the server.
    asking: Mutex<Asking>,
}

/// The directories of a local repository, which differ in a linked work tree.
#[derive(Clone, Debug)]
pub struct LocalDirs {
    /// The directory of `HEAD`.
    pub git_dir: PathBuf,
    /// The directory of `refs` and `objects`.
    pub common_dir: PathBuf,
}

impl Mirror {
    /// Opens the mirror in `folder`, or clones the repository there. Does not fetch an existing mirror, so gitglot can
    /// serve it without a network.
    ///
    /// Clones into `FOLDER.new` and renames the complete clone. Deletes stale locks and the remains of an interrupted
    /// clone.
    ///
    /// # Errors
    /// When the repository cannot be reached or the directory cannot be written. A missing branch is not an error.
    pub fn open_or_clone(
        source: RepositorySource,
        folder: PathBuf,
        branches: Vec<Branch>,
        access: RepoAccess,
        watch: &mut dyn Watch,
    ) -> Result<Self, FetchError> {
        let mirror = Self::unopened(source, folder, branches, access);
        let opened = mirror.open_or_clone_folder(watch);
        opened.map_err(|problem| mirror.error(problem))?;
        Ok(mirror)
    }

    /// A mirror whose directory is not read, for [`reclone`](Self::reclone).
    pub fn unopened(
        source: RepositorySource,
        folder: PathBuf,
        branches: Vec<Branch>,
        access: RepoAccess,
    ) -> Self {
        Self {
            source,
            folder,
            branches,
            named: Vec::new(),
            copied: Mutex::default(),
            cloned: Mutex::default(),
            is_complete: AtomicBool::default(),
            access,
            recloned: false,
            opened: Mutex::default(),
            local_dirs: Mutex::default(),
            asking: Mutex::default(),
        }
    }

    /// Fetches the references of some patterns together with the branches from now on.
    pub fn with_named(self, named: Vec<RefPattern>) -> Self {
        if named == self.named {
            return self;
        }
        Self {
            named,
            copied: Mutex::default(),
            cloned: Mutex::default(),
            asking: Mutex::default(),
            ..self
        }
    }

    /// The address of the repository.
    pub fn source(&self) -> &RepositorySource {
        &self.source
    }

    /// The mirror for reading, as the last fetch left it.
    ///
    /// # Errors
    /// When the directory is missing or corrupt.
    pub fn repository(&self) -> Result<Repository, GitError> {
        let opened = self.opened.lock().clone();
        let opened = opened.map_or_else(|| Repository::open(&self.folder), Ok)?;
        Ok(opened.mark_recloned(self.recloned))
    }

    /// Closes the repository that the last fetch has opened.
    pub fn close(&mut self) {
        *self.opened.get_mut() = None;
    }

    /// The directories of the local repository that the last fetch has read.
    pub fn local_dirs(&self) -> Option<LocalDirs> {
        self.local_dirs.lock().clone()
    }

    /// Whether an abandoned fetch still writes to the directory or to its replacement.
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
        let Ok(repository) = Repository::open(&self.folder) else {
            return true;
        };
        let tips = self.tip_commits(&repository);
        (self.source.path().is_none() && self.folder.join(fsck::ALTERNATES).exists())
            || !refs_are_valid(&repository.gix())
            || !AncestorWalk::new(&mut repository.reader(), tips).all(|(_, header)| header.is_ok())
            || !fsck::checksums_match(&self.folder.join("objects"))
    }

    /// Whether a fetch would find what the last one found: the repository is local, and none of its references has
    /// changed. Reads no file.
    pub fn is_unchanged(&self) -> bool {
        self.is_complete.load(Ordering::Relaxed)
            && !self.recloned
            && self.source.path().is_some()
            && self
                .copied
                .lock()
                .as_ref()
                .is_some_and(RefsFingerprint::is_current)
            && self.folder.join("HEAD").exists()
    }

    /// Starts a poll: [`Repository::is_recloned`] is true only in the poll that re-cloned the mirror.
    pub fn begin_poll(&mut self) {
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
        let tips = self.branches.iter();
        Ok(tips.map(|branch| (branch.clone(), tip(branch))).collect())
    }

    /// The tips of the branches that a repository, the mirror or its replacement, has.
    pub(super) fn tip_commits(&self, repository: &Repository) -> Vec<CommitId> {
        self.stored_tips(repository).into_iter().flatten().collect()
    }

    /// The tip of each branch in a repository, the mirror or its replacement.
    fn stored_tips(&self, repository: &Repository) -> Vec<Option<CommitId>> {
        let repository = repository.gix();
        let tip = |branch: &Branch| read_ref(&repository, &branch.mirror_ref());
        self.branches.iter().map(tip).collect()
    }

    /// Fetches the branches and returns them in the configured order. Retains the old tip of a rewritten branch for the
    /// lifetime of the mirror.
    ///
    /// # Errors
    /// When the repository cannot be reached or the mirror cannot be written. Some branches may have moved by then, and
    /// the next fetch does not report them: compare [`tips`](Self::tips).
    pub fn fetch(&self, watch: &mut dyn Watch) -> Result<Vec<FollowedBranch>, FetchError> {
        self.is_complete.store(false, Ordering::Relaxed);
        *self.opened.lock() = None;
        let (followed, mirror) = match self.unchanged_clone() {
            Some(clone) => clone,
            None => {
                let fetched = self.fetch_into(&self.folder, watch);
                fetched.map_err(|problem| self.error(problem))?
            }
        };
        *self.opened.lock() = Some(mirror);
        self.is_complete.store(true, Ordering::Relaxed);
        Ok(followed)
    }

    /// Notes the branches of a clone that nothing has fetched yet.
    pub(super) fn note_clone(&self, mut followed: Vec<FollowedBranch>) {
        for branch in &mut followed {
            if let BranchChange::Present { from, to, .. } = &mut branch.change {
                *from = Some(*to);
            }
        }
        *self.cloned.lock() = Some(followed);
    }

    /// What the first fetch after cloning a local repository would find if none of its references has changed meanwhile.
    fn unchanged_clone(&self) -> Option<(Vec<FollowedBranch>, Repository)> {
        let followed = self.cloned.lock().take()?;
        let copied = self.copied.lock();
        copied.as_ref().filter(|copied| copied.is_current())?;
        Some((followed, Repository::open(&self.folder).ok()?))
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
    ) -> Result<Vec<CommitId>, FetchError> {
        self.close();
        let replaced = self.replace(needed, watch);
        let lost = replaced.map_err(|problem| self.error(problem))?;
        self.recloned = true;
        Ok(lost)
    }

    pub(super) fn fetch_into(
        &self,
        folder: &Path,
        watch: &mut dyn Watch,
    ) -> Result<(Vec<FollowedBranch>, Repository), FetchProblem> {
        let (before, received, mirror) = match self.source.path() {
            Some(path) => {
                let source = local::link_source(folder, path)?;
                let mirror = Repository::open(folder)?;
                let before = self.stored_tips(&mirror);
                let named = NamedRefs {
                    patterns: &self.named,
                    copied: &self.copied,
                };
                let received = local::read_branches(&source, &mirror, &self.branches, named)?;
                *self.local_dirs.lock() = Some(LocalDirs {
                    git_dir: source.git_dir().to_owned(),
                    common_dir: source.common_dir().to_owned(),
                });
                (before, received, mirror)
            }
            None => {
                let before = self.stored_tips(&Repository::open(folder)?);
                let asking = *self.asking.lock();
                let job = FetchJob {
                    mirror: folder.to_owned(),
                    source: self.source.clone(),
                    access: self.access.clone(),
                    branches: self.branches.clone(),
                    named: self.named.clone(),
                    before: before.clone(),
                    asking,
                };
                let received = fetch(job, watch)?;
                *self.asking.lock() = received.asking;
                (before, received, Repository::open(folder)?)
            }
        };
        let followed = self.compare(&mirror, received, before)?;
        self.move_references(&mirror, &followed)?;
        Ok((followed, mirror))
    }

    /// Determines the change of each branch, and retains the old tips of rewritten branches.
    fn compare(
        &self,
        repository: &Repository,
        received: Received,
        before: Vec<Option<CommitId>>,
    ) -> Result<Vec<FollowedBranch>, FetchProblem> {
        let mut reader = repository.reader();
        let tips = received.tips.iter().flatten().map(|tip| tip.commit);
        let tips: Vec<CommitId> = tips.collect();
        let mut followed = Vec::new();
        for ((branch, tip), from) in self.branches.iter().zip(received.tips).zip(before) {
            let branch = branch.clone();
            let Some(Tip { name, commit: to }) = tip else {
                let change = BranchChange::Missing(MissingBranch {
                    branch: branch.clone(),
                    existing: received.existing.clone(),
                });
                followed.push(FollowedBranch { branch, change });
                continue;
            };
            // A branch never moves to an unreadable tip.
            reader.commit_header(to)?;
            let old = from.filter(|from| *from != to);
            let rewritten = old.filter(|old| !is_ancestor(&mut reader, *old, to));
            if let Some(old) = rewritten {
                match self.retain(repository, old, &tips) {
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
        repository: &Repository,
        followed: &[FollowedBranch],
    ) -> Result<(), FetchProblem> {
        let head_file = repository.git_dir().join("HEAD");
        let repository = repository.gix();
        for FollowedBranch { branch, change } in followed {
            let BranchChange::Present { name, to, .. } = change else {
                continue;
            };
            set_ref(&repository, &branch.mirror_ref(), *to).map_err(|error| self.refs(error))?;
            if *branch == Branch::Default {
                let head = if name == "HEAD" {
                    format!("{to}\n")
                } else {
                    format!("ref: refs/heads/{name}\n")
                };
                fs_util::write_atomic(&head_file, head.as_bytes())
                    .map_err(|error| self.storage(error))?;
            }
        }
        Ok(())
    }

    /// Whether the mirror has enough packs or loose objects for [`maintain`](Self::maintain) to repack it.
    pub fn needs_maintenance(&self) -> bool {
        repack::is_due(&self.folder.join("objects")) && !self.is_busy()
    }

    /// Repacks the mirror if it has many packs or loose objects. May take minutes; repositories that are open stay
    /// readable. A failure is logged and leaves the mirror unchanged.
    pub fn maintain(&self) {
        if self.needs_maintenance()
            && let Err(error) = repack::repack(&self.folder.join("objects"))
        {
            let error = one_line(&error);
            tracing::warn!("{}: cannot repack the mirror: {error}", self.source);
        }
    }

    /// Retains a commit and its ancestors for the lifetime of the mirror. For a local repository, copies the objects
    /// that no tip contains.
    fn retain(
        &self,
        repository: &Repository,
        commit: CommitId,
        tips: &[CommitId],
    ) -> Result<(), FetchProblem> {
        repository.reader().commit_header(commit)?;
        if self.source.path().is_some() {
            local::copy_to_mirror(repository, commit, tips)?;
        }
        retain(&repository.gix(), commit).map_err(|error| self.refs(error))
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

    pub(super) fn storage(&self, error: std::io::Error) -> FetchProblem {
        FetchProblem::storage(&self.folder, error)
    }

    pub(super) fn refs(&self, error: gix::Error) -> FetchProblem {
        FetchProblem::storage(&self.folder, one_line(&error))
    }
}
