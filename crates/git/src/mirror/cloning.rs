//! Opens the directory of a mirror: clones the repository, removes the remains of interrupted clones, and replaces a
//! damaged mirror. Fetches through [`Mirror`].

use std::io::{self, ErrorKind};
use std::path::Path;

use super::copy_objects::copy_objects;
use super::mirror::Mirror;
use super::references::{retain, retained};
use super::{fsck, local};
use crate::error::GitError;
use crate::fs_util;
use crate::objects::ancestors::ancestors;
use crate::objects::repository::{Repository, commit_id};
use crate::refs::branch::FollowedBranch;
use crate::transport::error::FetchProblem;
use crate::transport::watch::Watch;
use gitglot_model::CommitId;

impl Mirror {
    pub(super) fn open_or_clone_folder(&self, watch: &mut dyn Watch) -> Result<(), FetchProblem> {
        self.check_idle()?;
        let (new, old) = (self.sibling(".new"), self.sibling(".old"));
        fs_util::remove_folder(&new).map_err(|error| self.storage(error))?;
        if !self.folder.exists() && old.exists() {
            std::fs::rename(&old, &self.folder).map_err(|error| self.storage(error))?;
        }
        fs_util::remove_folder(&old).map_err(|error| self.storage(error))?;
        if !self.folder.exists() {
            let followed = self.clone_to(&new, watch).inspect_err(|_| {
                // The next start deletes it if this fails.
                let _ = fs_util::remove_folder(&new);
            })?;
            std::fs::rename(&new, &self.folder).map_err(|error| self.storage(error))?;
            self.note_clone(followed);
            return Ok(());
        }
        fsck::clear_leftovers(&self.folder).map_err(|error| self.unopenable(error))?;
        if self.source.path().is_none() {
            fs_util::remove_file(&self.folder.join(fsck::ALTERNATES))
                .map_err(|error| self.unopenable(error))?;
        }
        let mirror = match self.repository() {
            Ok(mirror) => mirror,
            Err(_) => {
                fsck::repair_skeleton(&self.folder).map_err(|error| self.unopenable(error))?;
                self.repository()?
            }
        };
        self.release_branches(&mirror)
    }

    /// Turns branches that are no longer followed into retained commits: as branches, their names could collide with
    /// those of followed ones.
    fn release_branches(&self, mirror: &Repository) -> Result<(), FetchProblem> {
        let failed = |error: gix::Error| match FetchProblem::from_gix(&error, &self.folder) {
            storage @ FetchProblem::Storage { .. } => storage,
            _ => GitError::unreadable(&self.folder, &error).into(),
        };
        let repository = mirror.gix();
        let references = repository.references().map_err(failed)?;
        let branches = references.prefixed("refs/heads/").map_err(failed)?;
        let is_followed = |reference: &gix::Reference<'_>| {
            let name = reference.name().as_bstr();
            self.branches
                .iter()
                .any(|branch| *name == *branch.mirror_ref())
        };
        let branches = branches.filter_map(Result::ok);
        let released: Vec<_> = branches
            .filter(|reference| !is_followed(reference))
            .collect();
        if released.is_empty() {
            return Ok(());
        }
        let mut linked = None;
        if let Some(path) = self.source.path() {
            // The repository may have been moved, packed or made shallow. Branches are released when it can be read
            // again.
            let tips = local::link_source(&self.folder, path)
                .and_then(|source| local::tip_commits(&source, &self.branches));
            match tips {
                Ok(tips) => linked = Some((self.repository()?, tips)),
                Err(
                    FetchProblem::NoFolder
                    | FetchProblem::NoRepository
                    | FetchProblem::Unreadable(_),
                ) => return Ok(()),
                Err(problem) => return Err(problem),
            }
        }
        for reference in released {
            if let Some(tip) = reference.target().try_id().and_then(commit_id) {
                if let Some((mirror, tips)) = &linked {
                    match local::copy_to_mirror(mirror, tip, tips) {
                        // The repository may have deleted the objects already.
                        Err(FetchProblem::Unreadable(_)) => {}
                        other => other?,
                    }
                }
                retain(&repository, tip).map_err(failed)?;
            }
            reference.delete().map_err(failed)?;
        }
        Ok(())
    }

    fn clone_to(
        &self,
        folder: &Path,
        watch: &mut dyn Watch,
    ) -> Result<Vec<FollowedBranch>, FetchProblem> {
        // For people who inspect the directory.
        let description = format!("{}\n", self.source);
        let mirrors = folder.parent().into_iter();
        mirrors
            .chain([folder])
            .try_for_each(fs_util::create_folder)
            .and_then(|()| fsck::repair_skeleton(folder))
            .and_then(|()| std::fs::write(folder.join("description"), description))
            .map_err(|error| self.storage(error))?;
        self.fetch_into(folder, watch).map(|(followed, _)| followed)
    }

    pub(super) fn replace(
        &self,
        needed: &[CommitId],
        watch: &mut dyn Watch,
    ) -> Result<Vec<CommitId>, FetchProblem> {
        self.check_idle()?;
        let (new, aside) = (self.sibling(".new"), self.sibling(".old"));
        for folder in [&new, &aside] {
            fs_util::remove_folder(folder).map_err(|error| self.storage(error))?;
        }
        self.clone_to(&new, watch)?;
        let lost = match self.repository() {
            Ok(old) => self.copy_needed(&old, &Repository::open(&new)?, needed)?,
            Err(_) => needed.to_vec(),
        };
        if self.folder.exists() {
            std::fs::rename(&self.folder, &aside).map_err(|error| self.storage(error))?;
        }
        std::fs::rename(&new, &self.folder).map_err(|error| self.storage(error))?;
        fs_util::remove_folder(&aside).map_err(|error| self.storage(error))?;
        Ok(lost)
    }

    /// Copies the needed commits, the tips and the retained commits of an old mirror that a new one lacks. Returns the
    /// unreadable ones, sorted.
    fn copy_needed(
        &self,
        old: &Repository,
        new: &Repository,
        needed: &[CommitId],
    ) -> Result<Vec<CommitId>, FetchProblem> {
        let mut wanted = needed.to_vec();
        wanted.extend(self.tip_commits(old));
        wanted.extend(retained(&old.gix()).unwrap_or_default());
        wanted.sort_unstable();
        wanted.dedup();
        let reached = ancestors(&mut new.reader(), self.tip_commits(new));
        wanted.retain(|commit| !reached.contains(commit));
        let lost = copy_objects(old, new, &wanted, reached)?;
        let lost: Vec<CommitId> = lost.into_iter().map(|(commit, _)| commit).collect();
        wanted.retain(|commit| lost.binary_search(commit).is_err());
        let repository = new.gix();
        for commit in wanted {
            retain(&repository, commit).map_err(|error| self.refs(error))?;
        }
        Ok(lost)
    }

    /// Classifies an error of opening an existing mirror: unless the disk is the cause, a new clone helps.
    fn unopenable(&self, error: io::Error) -> FetchProblem {
        match error.kind() {
            ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::StorageFull => self.storage(error),
            _ => GitError::open(&self.folder, error).into(),
        }
    }
}
