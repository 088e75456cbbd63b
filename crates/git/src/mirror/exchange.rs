//! Exchanges objects with other replicas: writes the objects that a step has read to a pack, and imports such packs.
//! Source: docs/spec/ids-and-ledger.md#packs.

use std::path::Path;

use dashmap::DashSet;

use super::{fsck, repack};
use crate::error::GitError;
use crate::objects::repository::Repository;
use gitglot_model::SeededSet;

/// The objects in the packs of a log.
#[derive(Default, Debug)]
pub struct PackedObjects(SeededSet<[u8; 20]>);

impl PackedObjects {
    /// Adds the objects that a repository records.
    pub fn add(&mut self, repository: &Repository) {
        if let Some(read) = repository.read_objects() {
            self.0.extend(read.iter().map(|id| *id));
        }
    }
}

/// A bare repository for the objects of packs that other replicas have written.
#[derive(Debug)]
pub struct ObjectExchange {
    repository: Repository,
}

impl ObjectExchange {
    /// Opens the repository in a directory, or creates it.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub fn open(folder: &Path) -> Result<Self, GitError> {
        std::fs::create_dir_all(folder)
            .and_then(|()| fsck::repair_skeleton(folder))
            .map_err(|error| GitError::open(folder, error))?;
        Ok(Self {
            repository: Repository::open(folder)?,
        })
    }

    /// The repository, with all imported packs.
    ///
    /// # Errors
    /// When the directory is gone.
    pub fn repository(&self) -> Result<Repository, GitError> {
        self.repository.reopen()
    }

    /// Lets a repository also read the imported objects.
    pub fn attach(&self, repository: Repository) -> Repository {
        repository.with_objects(&self.repository.objects_dir())
    }

    /// The objects that a repository [records](Repository::recording) and no earlier pack of the same log contains, as
    /// a pack; `None` if there are none. Objects that the repository itself lacks are in an earlier pack.
    ///
    /// # Errors
    /// When an object cannot be read or the temporary pack cannot be written.
    pub fn pack(
        &self,
        repository: &Repository,
        packed: &PackedObjects,
    ) -> Result<Option<Vec<u8>>, GitError> {
        let read = repository.read_objects().into_iter();
        let read = read.flat_map(DashSet::iter).map(|id| *id);
        let new: Vec<[u8; 20]> = read.filter(|id| !packed.0.contains(id)).collect();
        if new.is_empty() {
            return Ok(None);
        }
        let temporary = self.repository.objects_dir().join("pack/tmp_exchange");
        let written = repack::pack_of(&repository.objects_dir(), &new, &temporary);
        let bytes = written.and_then(|count| {
            let bytes = std::fs::read(&temporary).map_err(gix::Error::from_error)?;
            std::fs::remove_file(&temporary).map_err(gix::Error::from_error)?;
            Ok((count > 0).then_some(bytes))
        });
        bytes.map_err(|error| GitError::unreadable(repository.git_dir(), &error))
    }

    /// Verifies and imports a pack.
    ///
    /// # Errors
    /// When the pack is corrupt or cannot be written.
    pub fn import(&self, pack: &[u8]) -> Result<(), GitError> {
        let objects = self.repository.objects_dir();
        let temporary = objects.join("pack/tmp_import");
        let io_error = |error| GitError::open(&objects, error);
        let git_error = |error| GitError::unreadable(&objects, &error);
        std::fs::write(&temporary, pack).map_err(io_error)?;
        let installed = repack::install(&objects, &temporary);
        std::fs::remove_file(&temporary).map_err(io_error)?;
        installed.map_err(git_error)?;
        if repack::is_due(&objects) {
            repack::repack(&objects).map_err(git_error)?;
        }
        Ok(())
    }
}
