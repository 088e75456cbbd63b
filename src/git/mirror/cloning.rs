//! Opens the directory of a mirror: clones the repository, removes the remains of interrupted clones, and replaces a
//! damaged mirror. Fetches through [`Mirror`].

use std::io::{self, ErrorKind};
use std::path::Path;

use super::copy_objects::{CopyError, copy_objects};
use super::mirror::Mirror;
use super::references::{retain, retained};
use super::{fs_util, fsck, local};
use crate::git::objects::ancestors::ancestors;
use crate::git::objects::repository::{commit_id, options};
use crate::git::transport::error::FetchProblem;
use crate::git::transport::progress::Watch;
use crate::git::{GitError, Repository};
use crate::model::CommitId;

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
            if let Err(problem) = self.clone_to(&new, watch) {
                // The next start deletes it if this fails.
                let _ = fs_util::remove_folder(&new);
                return Err(problem);
            }
            return std::fs::rename(&new, &self.folder).map_err(|error| self.storage(error));
        }
        fsck::clear_leftovers(&self.folder).map_err(|error| self.unopenable(error))?;
        if self.source.path().is_none() {
            fs_util::remove_file(&self.folder.join(fsck::ALTERNATES))
                .map_err(|error| self.unopenable(error))?;
        }
        if self.repository().is_err() {
            fsck::repair_skeleton(&self.folder).map_err(|error| self.unopenable(error))?;
            self.repository()?;
        }
        self.release_branches().map_err(|error| {
            match FetchProblem::from_gix(&error, &self.folder) {
                storage @ FetchProblem::Storage { .. } => storage,
                _ => GitError::unreadable(&self.folder, &error).into(),
            }
        })?;
        if let Some(path) = self.source.path() {
            // The repository may have been moved, packed or made shallow.
            match local::read_branches(&self.folder, path, &[], None) {
                Ok(_)
                | Err(
                    FetchProblem::NoFolder
                    | FetchProblem::NoRepository
                    | FetchProblem::Unreadable(_),
                ) => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(())
    }

    /// Turns branches that are no longer followed into retained commits: as branches, their names could collide with
    /// those of followed ones.
    fn release_branches(&self) -> gix::Result<()> {
        let repository = options(&[]).open(&self.folder)?.to_thread_local();
        let references = repository.references()?;
        for reference in references.prefixed("refs/heads/")?.filter_map(Result::ok) {
            let name = reference.name().as_bstr().to_string();
            if self
                .branches
                .iter()
                .any(|branch| branch.mirror_ref() == name)
            {
                continue;
            }
            if let Some(tip) = reference.target().try_id().and_then(commit_id) {
                retain(&repository, tip)?;
            }
            reference.delete()?;
        }
        Ok(())
    }

    fn clone_to(&self, folder: &Path, watch: &mut dyn Watch) -> Result<(), FetchProblem> {
        // For people who inspect the directory.
        let description = format!("{}\n", self.source);
        std::fs::create_dir_all(folder)
            .and_then(|()| fsck::repair_skeleton(folder))
            .and_then(|()| std::fs::write(folder.join("description"), description))
            .map_err(|error| self.storage(error))?;
        self.fetch_into(folder, watch).map(|_| ())
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

    /// Copies the needed commits, the tips and the retained commits of an old mirror that a new one lacks. Returns those
    /// that are unreadable.
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
        let mut lost = Vec::new();
        for commit in wanted {
            match copy_objects(old, new, commit, &reached) {
                Ok(()) => retain(&new.gix(), commit).map_err(|error| self.refs(error))?,
                Err(CopyError::Read(_)) => lost.push(commit),
                Err(CopyError::Write(reason)) => {
                    return Err(FetchProblem::storage(new.git_dir(), reason));
                }
            }
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
