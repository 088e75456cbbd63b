//! A mirror: the bare repository in the state directory that holds what is followed of one repository.

use std::path::{Path, PathBuf};

use gix::refs::transaction::PreviousValue;

use super::{copy_objects, fsck, local, repack};
use crate::git::error::one_line;
use crate::git::objects::repository::{commit_id, options};
use crate::git::refs::branch::{Branch, BranchChange, FollowedBranch, MissingBranch};
use crate::git::transport::credentials::Access;
use crate::git::transport::error::{FetchError, Problem};
use crate::git::transport::fetch::{Job, Received, fetch, is_going_on};
use crate::git::transport::progress::Watch;
use crate::git::{GitError, Repository, Source};
use crate::model::CommitId;

/// Private refs that hold on to commits which no branch leads to any more.
const KEPT: &str = "refs/gitglot/kept/";

/// The mirror of one repository. Components of the same repository share it, each with its branch.
///
/// The caller holds the lock of the state directory: nobody else writes the folder.
pub struct Mirror {
    source: Source,
    folder: PathBuf,
    branches: Vec<Branch>,
    access: Access,
    /// Whether it was cloned anew since the look before.
    cloned_anew: bool,
}

impl std::fmt::Debug for Mirror {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mirror").field("source", &self.source).field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// Where a followed branch stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tip {
    /// Its name without `refs/heads/`; `HEAD` for the default branch of a repository whose `HEAD` is detached.
    pub name: String,
    /// The newest commit.
    pub commit: CommitId,
}

/// What [`Mirror::clone_anew`] could not carry over from the old mirror.
pub type Lost = Vec<CommitId>;

impl Mirror {
    /// Opens the mirror in `folder`, or clones the repository there. An existing mirror is not fetched, so that what
    /// it holds can be served at once, even without a network.
    ///
    /// A clone is made in `FOLDER.new` and renamed when complete; what an interrupted one left is deleted, as are
    /// stale locks.
    ///
    /// # Errors
    /// When the repository cannot be reached or the folder cannot be written. A branch that is missing is no error.
    pub fn open_or_clone(
        source: Source,
        folder: PathBuf,
        branches: Vec<Branch>,
        access: Access,
        watch: &mut dyn Watch,
    ) -> Result<Self, FetchError> {
        let mirror = Self::unopened(source, folder, branches, access);
        mirror.open_or_make(watch).map_err(|problem| mirror.error(problem))?;
        Ok(mirror)
    }

    /// A mirror of whose folder nothing is known, to be [cloned anew](Self::clone_anew).
    pub fn unopened(source: Source, folder: PathBuf, branches: Vec<Branch>, access: Access) -> Self {
        Self { source, folder, branches, access, cloned_anew: false }
    }

    /// Where the repository is.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The mirror's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The mirror for reading. Take a fresh one after each fetch.
    ///
    /// # Errors
    /// When the folder is gone or broken.
    pub fn repository(&self) -> Result<Repository, GitError> {
        Ok(Repository::open(&self.folder)?.known_as(self.cloned_anew))
    }

    /// Whether a fetch that was given up still writes into the folder, or into the one that was to take its place.
    pub fn is_busy(&self) -> bool {
        is_going_on(&self.folder) || is_going_on(&self.beside(".new"))
    }

    fn not_busy(&self) -> Result<(), Problem> {
        if self.is_busy() { Err(Problem::Stalled(self.access.timeouts.stall)) } else { Ok(()) }
    }

    /// Reads all refs and all commits that branches lead to, and compares packs and single objects with what they say of
    /// themselves. Reads everything from the disk: for when there is reason to doubt.
    pub fn is_damaged(&self) -> bool {
        let Ok((repository, tips)) = self.repository().and_then(|repository| Ok((repository, self.tips()?))) else {
            return true;
        };
        let tips: Vec<CommitId> = tips.into_iter().filter_map(|(_, tip)| Some(tip?.commit)).collect();
        !refs_are_sound(&repository.gix())
            || !copy_objects::is_whole(&mut repository.reader(), &tips)
            || !fsck::is_sound(&self.folder.join("objects"))
    }

    /// What was learned by cloning anew holds no longer than one look.
    pub(crate) fn begin_look(&mut self) {
        self.cloned_anew = false;
    }

    /// Where the branches were at the last fetch; `None` for one that was never seen.
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
        Ok(self.branches.iter().map(|branch| (branch.clone(), tip(branch))).collect())
    }

    /// Asks where the branches are and brings what is new. Branches come in the order in which they were named.
    ///
    /// After a rewrite the tip before is [kept](Self::keep).
    ///
    /// # Errors
    /// When the repository cannot be reached or the mirror cannot be written; the mirror is then as it was, or
    /// has moved some of its branches, which the next fetch tells nobody: compare [`tips`](Self::tips).
    pub fn fetch(&self, watch: &mut dyn Watch) -> Result<Vec<FollowedBranch>, FetchError> {
        let folder = self.folder.clone();
        self.fetch_into(&folder, watch).map_err(|problem| self.error(problem))
    }

    /// Holds on to a commit and all that it leads to, for as long as the mirror lives.
    ///
    /// For a repository on this machine its objects are copied, except those that followed branches lead to.
    ///
    /// # Errors
    /// When the commit is not there any more, or the mirror cannot be written.
    pub fn keep(&self, commit: CommitId) -> Result<(), FetchError> {
        let kept = self.tips().map_err(Problem::Unreadable).and_then(|tips| {
            let tips: Vec<CommitId> = tips.into_iter().filter_map(|(_, tip)| Some(tip?.commit)).collect();
            self.keep_in(&self.folder, commit, &tips)
        });
        kept.map_err(|problem| self.error(problem))
    }

    /// The commits that are held on to.
    ///
    /// # Errors
    /// When the mirror cannot be read.
    pub fn kept(&self) -> Result<Vec<CommitId>, GitError> {
        kept(&self.repository()?.gix()).map_err(|error| self.broken(&error))
    }

    /// Clones the repository again and puts the new mirror in the place of the old one. From that it carries over what
    /// the new one lacks of `needed`, of the old branches and of all that was kept, as far as that can be read, and
    /// says which commits it could not.
    ///
    /// # Errors
    /// When the repository cannot be cloned; the old mirror then stays as it is.
    pub fn clone_anew(&mut self, needed: &[CommitId], watch: &mut dyn Watch) -> Result<Lost, FetchError> {
        let lost = self.replace(needed, watch).map_err(|problem| self.error(problem))?;
        self.cloned_anew = true;
        Ok(lost)
    }

    fn open_or_make(&self, watch: &mut dyn Watch) -> Result<(), Problem> {
        self.not_busy()?;
        let (new, old) = (self.beside(".new"), self.beside(".old"));
        fsck::remove_folder(&new).map_err(|error| self.storage(&error))?;
        if !self.folder.exists() && old.exists() {
            std::fs::rename(&old, &self.folder).map_err(|error| self.storage(&error))?;
        }
        fsck::remove_folder(&old).map_err(|error| self.storage(&error))?;
        if !self.folder.exists() {
            if let Err(problem) = self.make(&new, watch) {
                // What cannot be deleted now is deleted at the next start.
                let _ = fsck::remove_folder(&new);
                return Err(problem);
            }
            return std::fs::rename(&new, &self.folder).map_err(|error| self.storage(&error));
        }
        fsck::clear_leftovers(&self.folder).map_err(|error| self.storage(&error))?;
        if self.repository().is_err() {
            fsck::repair_skeleton(&self.folder).map_err(|error| self.storage(&error))?;
            self.repository().map_err(Problem::Unreadable)?;
        }
        self.let_go().map_err(|error| self.refs(&error))?;
        if let Some(path) = self.source.path() {
            // It may have been moved, or packed, or made shallow; and it costs nothing to look.
            match local::look(&self.folder, path, &[]) {
                Ok(_) | Err(Problem::NoFolder | Problem::NoRepository | Problem::Unreadable(_)) => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(())
    }

    /// Branches that are no longer followed are only held on to: as branches they could stand in the way of others.
    fn let_go(&self) -> gix::Result<()> {
        let repository = options(&[]).open(&self.folder)?.to_thread_local();
        let references = repository.references()?;
        for reference in references.prefixed("refs/heads/")?.filter_map(Result::ok) {
            let name = reference.name().as_bstr().to_string();
            if self.branches.iter().any(|branch| branch.mirror_ref() == name) {
                continue;
            }
            if let Some(tip) = reference.target().try_id().and_then(commit_id) {
                set_ref(&repository, &format!("{KEPT}{tip}"), tip)?;
            }
            reference.delete()?;
        }
        Ok(())
    }

    fn make(&self, folder: &Path, watch: &mut dyn Watch) -> Result<(), Problem> {
        let storage = |error: std::io::Error| self.storage(&error);
        std::fs::create_dir_all(folder).map_err(storage)?;
        fsck::repair_skeleton(folder).map_err(storage)?;
        // For people who look.
        std::fs::write(folder.join("description"), format!("{}\n", self.source)).map_err(storage)?;
        self.fetch_into(folder, watch).map(|_| ())
    }

    fn fetch_into(&self, folder: &Path, watch: &mut dyn Watch) -> Result<Vec<FollowedBranch>, Problem> {
        let before = Repository::open(folder).map_err(Problem::Unreadable)?.gix();
        let before: Vec<Option<CommitId>> =
            self.branches.iter().map(|branch| read_ref(&before, &branch.mirror_ref())).collect();
        let received = match self.source.path() {
            Some(path) => local::look(folder, path, &self.branches)?,
            None => {
                let job = Job {
                    mirror: folder.to_owned(),
                    source: self.source.clone(),
                    access: self.access.clone(),
                    branches: self.branches.clone(),
                };
                fetch(job, watch)?
            }
        };
        self.settle(folder, received, &before)
    }

    /// Finds out what happened to each branch, keeps what was superseded, and moves the mirror's refs.
    fn settle(
        &self,
        folder: &Path,
        received: Received,
        before: &[Option<CommitId>],
    ) -> Result<Vec<FollowedBranch>, Problem> {
        let repository = Repository::open(folder).map_err(Problem::Unreadable)?;
        let mut reader = repository.reader();
        let tips: Vec<CommitId> =
            received.branches.iter().filter_map(|branch| Some(branch.found.as_ref()?.1)).collect();
        let mut followed = Vec::new();
        for (seen, from) in received.branches.into_iter().zip(before.iter().copied()) {
            let Some((name, to)) = seen.found else {
                let missing = MissingBranch { branch: seen.branch.clone(), existing: received.existing.clone() };
                followed.push(FollowedBranch { branch: seen.branch, change: BranchChange::Missing(missing) });
                continue;
            };
            // A tip that cannot be read is not moved to.
            reader.commit_header(to).map_err(Problem::Unreadable)?;
            let mut rewritten = false;
            if let Some(from) = from.filter(|from| *from != to) {
                rewritten = !copy_objects::leads_to(&mut reader, to, from);
                if rewritten {
                    match self.keep_in(folder, from, &tips) {
                        // Objects of a repository on this machine may be gone already: then there is nothing to keep.
                        Err(Problem::Unreadable(_)) if self.source.path().is_some() => {}
                        other => other?,
                    }
                }
            }
            followed.push(FollowedBranch {
                branch: seen.branch,
                change: BranchChange::Present { name, from, to, rewritten },
            });
        }
        let gix = repository.gix();
        for branch in &followed {
            let BranchChange::Present { name, to, .. } = &branch.change else {
                continue;
            };
            set_ref(&gix, &branch.branch.mirror_ref(), *to).map_err(|error| self.refs(&error))?;
            if branch.branch == Branch::Default {
                let head = if name == "HEAD" { format!("{to}\n") } else { format!("ref: refs/heads/{name}\n") };
                fsck::write_whole(&folder.join("HEAD"), head.as_bytes()).map_err(|error| self.storage(&error))?;
            }
        }
        if let Some((index, objects)) = received.pack
            && objects <= fsck::UNPACK_LIMIT
        {
            // Should it fail, the pack simply stays.
            if let Err(error) = fsck::unpack(&folder.join("objects"), &index) {
                tracing::debug!(pack = %index.display(), error = one_line(&error), "a small pack stays packed");
            }
        }
        let objects = folder.join("objects");
        if repack::is_due(&objects, repack::LIMITS)
            && let Err(error) = repack::repack(&objects)
        {
            tracing::warn!("{}: the objects of its mirror stay as they are: {}", self.source, one_line(&error));
        }
        Ok(followed)
    }

    fn keep_in(&self, folder: &Path, commit: CommitId, tips: &[CommitId]) -> Result<(), Problem> {
        let repository = Repository::open(folder).map_err(Problem::Unreadable)?;
        repository.reader().commit_header(commit).map_err(Problem::Unreadable)?;
        if self.source.path().is_some() {
            local::keep_objects(folder, commit, tips)?;
        }
        set_ref(&repository.gix(), &format!("{KEPT}{commit}"), commit).map_err(|error| self.refs(&error))
    }

    fn replace(&self, needed: &[CommitId], watch: &mut dyn Watch) -> Result<Lost, Problem> {
        self.not_busy()?;
        let (new, aside) = (self.beside(".new"), self.beside(".old"));
        for folder in [&new, &aside] {
            fsck::remove_folder(folder).map_err(|error| self.storage(&error))?;
        }
        self.make(&new, watch)?;
        let mut wanted = needed.to_vec();
        let mut lost = Vec::new();
        if let Ok(old) = self.repository() {
            wanted.extend(self.tips().unwrap_or_default().into_iter().filter_map(|(_, tip)| Some(tip?.commit)));
            wanted.extend(kept(&old.gix()).unwrap_or_default());
            wanted.sort_unstable();
            wanted.dedup();
            let fresh = Repository::open(&new).map_err(Problem::Unreadable)?;
            let present: Vec<CommitId> = {
                let gix = fresh.gix();
                self.branches.iter().filter_map(|branch| read_ref(&gix, &branch.mirror_ref())).collect()
            };
            let reached = copy_objects::ancestors(&mut fresh.reader(), &present);
            let own = gix::odb::loose::Store::at(new.join("objects"), gix::hash::Kind::Sha1);
            for commit in wanted.into_iter().filter(|commit| !reached.contains(commit)) {
                match copy_objects::copy_objects(&old, &own, commit, &reached, Some(&fresh)) {
                    Ok(()) => {
                        set_ref(&fresh.gix(), &format!("{KEPT}{commit}"), commit).map_err(|error| self.refs(&error))?
                    }
                    Err(copy_objects::CopyError::Read(_)) => lost.push(commit),
                    Err(copy_objects::CopyError::Write(reason)) => {
                        return Err(Problem::Storage { path: new, reason });
                    }
                }
            }
        } else {
            lost = wanted;
        }
        if self.folder.exists() {
            std::fs::rename(&self.folder, &aside).map_err(|error| self.storage(&error))?;
        }
        std::fs::rename(&new, &self.folder).map_err(|error| self.storage(&error))?;
        fsck::remove_folder(&aside).map_err(|error| self.storage(&error))?;
        Ok(lost)
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        fsck::with_suffix(&self.folder, suffix)
    }

    fn error(&self, problem: Problem) -> FetchError {
        FetchError { address: self.source.to_string(), problem }
    }

    fn storage(&self, error: &std::io::Error) -> Problem {
        Problem::Storage { path: self.folder.clone(), reason: error.to_string() }
    }

    fn refs(&self, error: &gix::Error) -> Problem {
        Problem::Storage { path: self.folder.clone(), reason: one_line(error) }
    }

    fn broken(&self, error: &gix::Error) -> GitError {
        GitError::Open { path: self.folder.clone(), reason: one_line(error) }
    }
}

fn read_ref(repository: &gix::Repository, name: &str) -> Option<CommitId> {
    let reference = repository.try_find_reference(name).ok()??;
    commit_id(reference.target().try_id()?)
}

fn set_ref(repository: &gix::Repository, name: &str, to: CommitId) -> gix::Result<()> {
    if read_ref(repository, name) == Some(to) {
        return Ok(());
    }
    repository.reference(name, gix::ObjectId::Sha1(to.0), PreviousValue::Any, "gitglot").map(|_| ())
}

/// The name of the branch that the mirror's `HEAD` names.
fn default_name(repository: &gix::Repository) -> String {
    match repository.head_name() {
        Ok(Some(name)) => crate::git::transport::fetch::short_name(&name.as_bstr().to_string()),
        _ => "HEAD".to_owned(),
    }
}

fn refs_are_sound(repository: &gix::Repository) -> bool {
    let references = repository.references();
    references.is_ok_and(|references| references.all().is_ok_and(|mut all| all.all(|reference| reference.is_ok())))
}

fn kept(repository: &gix::Repository) -> gix::Result<Vec<CommitId>> {
    let references = repository.references()?;
    let kept = references.prefixed(KEPT)?;
    Ok(kept.filter_map(|reference| commit_id(reference.ok()?.target().try_id()?)).collect())
}

#[cfg(test)]
#[path = "mirror_tests.rs"]
mod tests;
