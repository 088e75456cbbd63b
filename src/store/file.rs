//! Objects as files of a directory, for several processes on one machine.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use super::{Creation, ObjectInfo, ObjectStore, StoreError};

/// The extension of files that are being written.
const TEMPORARY: &str = "tmp";

/// A store in a directory. The directory is created with the first object.
#[derive(Debug)]
pub struct DirectoryStore {
    folder: PathBuf,
    /// Distinguishes the temporary files of this process.
    written: AtomicU64,
}

impl DirectoryStore {
    /// The store in a directory.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            written: AtomicU64::new(0),
        }
    }

    fn error(&self, error: &io::Error) -> StoreError {
        StoreError::Unavailable(format!("{}: {error}", self.folder.display()))
    }

    fn path(&self, name: &str) -> PathBuf {
        name.split('/')
            .fold(self.folder.clone(), |path, segment| path.join(segment))
    }

    /// Writes a complete, synced temporary file next to `path`.
    fn temporary(&self, path: &Path, content: &[u8]) -> io::Result<PathBuf> {
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let own = format!("{name}.{}-{number}.{TEMPORARY}", std::process::id());
        let temporary = folder.join(own);
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        Ok(temporary)
    }

    fn create_file(&self, path: &Path, content: &[u8]) -> io::Result<Creation> {
        if path.exists() {
            return Ok(Creation::Exists);
        }
        let temporary = self.temporary(path, content)?;
        // Fails if the name exists, unlike a rename.
        let linked = fs::hard_link(&temporary, path);
        fs::remove_file(&temporary)?;
        match linked {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Creation::Exists),
            Err(error) => Err(error),
            Ok(()) => {
                sync_parent(path)?;
                Ok(Creation::Created)
            }
        }
    }
}

impl ObjectStore for DirectoryStore {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match fs::read(self.path(name)) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.error(&error)),
        }
    }

    fn create(&self, name: &str, content: &[u8]) -> Result<Creation, StoreError> {
        self.create_file(&self.path(name), content)
            .map_err(|error| self.error(&error))
    }

    fn put(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        let path = self.path(name);
        self.temporary(&path, content)
            .and_then(|temporary| fs::rename(temporary, &path))
            .and_then(|()| sync_parent(&path))
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
            for entry in entries.filter_map(Result::ok) {
                let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
                match entry.metadata() {
                    Ok(data) if data.is_dir() => folders.push(name),
                    Ok(data) if !name.ends_with(&format!(".{TEMPORARY}")) => {
                        found.push(ObjectInfo {
                            name,
                            size: data.len(),
                            modified: data.modified().unwrap_or(SystemTime::UNIX_EPOCH),
                        });
                    }
                    _ => {}
                }
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
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
        .map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

#[cfg(not(unix))]
fn sync_parent(_path: &Path) -> io::Result<()> {
    Ok(())
}
