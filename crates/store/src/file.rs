//! Objects as files of a directory, for several processes on one machine.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::NamedTempFile;

use super::regular_file::read_regular;
use crate::object_store::{Creation, ObjectInfo, ObjectStore, StoreError};

/// The ending of files that are being written.
const TEMPORARY: &str = ".tmp";

/// A store in a directory. The directory is created with the first object.
#[derive(Debug)]
pub struct DirectoryStore {
    folder: PathBuf,
}

impl DirectoryStore {
    /// The store in a directory.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn error(&self, error: &io::Error) -> StoreError {
        StoreError::Unavailable(format!("{}: {error}", self.folder.display()))
    }

    fn path(&self, name: &str) -> PathBuf {
        name.split('/')
            .fold(self.folder.clone(), |path, segment| path.join(segment))
    }

    /// Writes a complete, synced temporary file next to `path`.
    fn temporary(&self, path: &Path, content: &[u8]) -> io::Result<NamedTempFile> {
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.suffix(TEMPORARY);
        // Other users may read the objects, as far as the umask allows.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(content)?;
        file.as_file().sync_all()?;
        Ok(file)
    }

    fn create_file(&self, path: &Path, content: &[u8]) -> io::Result<Creation> {
        if path.exists() {
            return Ok(Creation::Exists);
        }
        match self.temporary(path, content)?.persist_noclobber(path) {
            Ok(_) => sync_parent(path).map(|()| Creation::Created),
            Err(failed) if failed.error.kind() == ErrorKind::AlreadyExists => Ok(Creation::Exists),
            Err(failed) => Err(failed.error),
        }
    }
}

impl ObjectStore for DirectoryStore {
    fn get(&self, name: &str, max: u64) -> Result<Option<Vec<u8>>, StoreError> {
        use ErrorKind::{FileTooLarge, InvalidInput, IsADirectory, NotFound};
        match read_regular(&self.path(name), max) {
            Ok(content) => Ok(Some(content)),
            Err(error) => match error.kind() {
                NotFound => Ok(None),
                FileTooLarge => Err(StoreError::too_large(name, max)),
                InvalidInput | IsADirectory => Err(StoreError::Invalid {
                    name: name.to_owned(),
                    reason: error.to_string(),
                }),
                _ => Err(self.error(&error)),
            },
        }
    }

    fn create(&self, name: &str, content: &[u8]) -> Result<Creation, StoreError> {
        self.create_file(&self.path(name), content)
            .map_err(|error| self.error(&error))
    }

    fn put(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        let path = self.path(name);
        self.temporary(&path, content)
            .and_then(|temporary| Ok(temporary.persist(&path)?))
            .and_then(|_| sync_parent(&path))
            .map_err(|error| self.error(&error))
    }

    fn list(&self, folder: &str) -> Result<Vec<ObjectInfo>, StoreError> {
        let mut found = Vec::new();
        let mut folders = vec![folder.trim_end_matches('/').to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = match fs::read_dir(self.path(&folder)) {
                Ok(entries) => entries,
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(self.error(&error)),
            };
            for entry in entries {
                // An entry that cannot be read must not look like one that is missing.
                let entry = entry.map_err(|error| self.error(&error))?;
                let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
                match entry.metadata() {
                    Ok(data) if data.is_dir() => folders.push(name),
                    Ok(data) if !name.ends_with(TEMPORARY) => found.push(ObjectInfo {
                        name,
                        size: data.len(),
                        modified: data.modified().unwrap_or(SystemTime::UNIX_EPOCH),
                    }),
                    _ => {}
                }
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    fn list_after(&self, folder: &str, after: &str) -> Result<Vec<String>, StoreError> {
        let names = self.list(folder)?.into_iter().map(|object| object.name);
        Ok(names.filter(|name| &**name > after).collect())
    }

    fn delete(&self, name: &str) -> Result<(), StoreError> {
        match fs::remove_file(self.path(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.error(&error)),
            _ => Ok(()),
        }
    }
}

#[cfg(unix)]
fn sync_parent(path: &Path) -> io::Result<()> {
    path.parent()
        .map_or(Ok(()), |folder| fs::File::open(folder)?.sync_all())
}

#[cfg(not(unix))]
fn sync_parent(_path: &Path) -> io::Result<()> {
    Ok(())
}
