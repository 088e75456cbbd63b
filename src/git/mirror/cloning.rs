//! Opens the folder of a mirror: clones the repository there, removes the remains of interrupted clones, and replaces a
//! damaged mirror. Fetches through [`Mirror`].

use std::io::{self, ErrorKind};
use std::path::Path;

use super::mirror::{Lost, Mirror};
use super::references::{RETAINED, read_ref, retained, set_ref};
use super::{copy_objects, fs_util, fsck, local};
use crate::git::error::one_line;
use crate::git::objects::repository::{commit_id, options};
use crate::git::transport::error::FetchProblem;
use crate::git::transport::progress::Watch;
use crate::git::{GitError, Repository};
use crate::model::CommitId;

impl Mirror {
    pub(super) fn open_or_clone_folder(&self, watch: &mut dyn Watch) -> Result<(), FetchProblem> {
        self.check_idle()?;
        let (new, old) = (self.sibling(".new"), self.sibling(".old"));
        fs_util::remove_folder(&new).map_err(|error| self.storage(&error))?;
        if !self.folder.exists() && old.exists() {
            std::fs::rename(&old, &self.folder).map_err(|error| self.storage(&error))?;
        }
        fs_util::remove_folder(&old).map_err(|error| self.storage(&error))?;
        if !self.folder.exists() {
            if let Err(problem) = self.clone_to(&new, watch) {
                // The next start deletes it if this fails.
                let _ = fs_util::remove_folder(&new);
                return Err(problem);
            }
            return std::fs::rename(&new, &self.folder).map_err(|error| self.storage(&error));
        }
        fsck::clear_leftovers(&self.folder).map_err(|error| self.unopenable(&error))?;
        if self.source.path().is_none() {
            fs_util::remove_file(&self.folder.join(fsck::ALTERNATES))
                .map_err(|error| self.unopenable(&error))?;
        }
        if self.repository().is_err() {
            fsck::repair_skeleton(&self.folder).map_err(|error| self.unopenable(&error))?;
            self.repository().map_err(FetchProblem::Unreadable)?;
        }
        self.release_branches().map_err(|error| {
            match FetchProblem::from_gix(&error, &self.folder) {
                storage @ FetchProblem::Storage { .. } => storage,
                _ => FetchProblem::Unreadable(GitError::Open {
                    path: self.folder.clone(),
                    reason: one_line(&error),
                }),
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
                set_ref(&repository, &format!("{RETAINED}{tip}"), tip)?;
            }
            reference.delete()?;
        }
        Ok(())
    }

    fn clone_to(&self, folder: &Path, watch: &mut dyn Watch) -> Result<(), FetchProblem> {
        let storage = |error: std::io::Error| self.storage(&error);
        std::fs::create_dir_all(folder).map_err(storage)?;
        fsck::repair_skeleton(folder).map_err(storage)?;
        // For people who inspect the folder.
        std::fs::write(folder.join("description"), format!("{}\n", self.source))
            .map_err(storage)?;
        self.fetch_into(folder, watch).map(|_| ())
    }

    pub(super) fn replace(
        &self,
        needed: &[CommitId],
        watch: &mut dyn Watch,
    ) -> Result<Lost, FetchProblem> {
        self.check_idle()?;
        let (new, aside) = (self.sibling(".new"), self.sibling(".old"));
        for folder in [&new, &aside] {
            fs_util::remove_folder(folder).map_err(|error| self.storage(&error))?;
        }
        self.clone_to(&new, watch)?;
        let mut wanted = needed.to_vec();
        let mut lost = Vec::new();
        if let Ok(old) = self.repository() {
            wanted.extend(
                self.tips()
                    .unwrap_or_default()
                    .into_iter()
                    .filter_map(|(_, tip)| Some(tip?.commit)),
            );
            wanted.extend(retained(&old.gix()).unwrap_or_default());
            wanted.sort_unstable();
            wanted.dedup();
            let fresh = Repository::open(&new).map_err(FetchProblem::Unreadable)?;
            let present: Vec<CommitId> = {
                let gix = fresh.gix();
                self.branches
                    .iter()
                    .filter_map(|branch| read_ref(&gix, &branch.mirror_ref()))
                    .collect()
            };
            let reached = copy_objects::ancestors(&mut fresh.reader(), &present);
            let own = gix::odb::loose::Store::at(new.join("objects"), gix::hash::Kind::Sha1);
            for commit in wanted
                .into_iter()
                .filter(|commit| !reached.contains(commit))
            {
                match copy_objects::copy_objects(&old, &own, commit, &reached, Some(&fresh)) {
                    Ok(()) => set_ref(&fresh.gix(), &format!("{RETAINED}{commit}"), commit)
                        .map_err(|error| self.refs(&error))?,
                    Err(copy_objects::CopyError::Read(_)) => lost.push(commit),
                    Err(copy_objects::CopyError::Write(reason)) => {
                        return Err(FetchProblem::Storage { path: new, reason });
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
        fs_util::remove_folder(&aside).map_err(|error| self.storage(&error))?;
        Ok(lost)
    }

    /// Classifies an error of opening an existing mirror: unless the disk is the cause, a new clone helps.
    fn unopenable(&self, error: &io::Error) -> FetchProblem {
        match error.kind() {
            ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::StorageFull => self.storage(error),
            _ => FetchProblem::Unreadable(GitError::Open {
                path: self.folder.clone(),
                reason: error.to_string(),
            }),
        }
    }
}
