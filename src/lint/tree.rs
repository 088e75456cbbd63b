//! One state of a repository: the files of a commit, of the index or of the working tree.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::LintError;
use crate::formats::MAX_BYTES;
use crate::git::{EntryKind, ObjectReader, PathEntry, Repository, blob_id};
use crate::model::{BlobId, CommitId, FileMask, TreeId};

/// Which state of a repository to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepositoryState {
    /// A commit.
    Commit(CommitId),
    /// The staged files.
    Index,
    /// The files on disk.
    WorkTree,
}

/// The files of a state.
pub struct RepositoryTree {
    repository: Repository,
    files: Files,
}

enum Files {
    Commit(TreeId),
    Index(Vec<PathEntry>),
    WorkTree(PathBuf),
}

/// A file of a state.
#[derive(Clone, Debug)]
pub(super) struct SourceFile {
    pub(super) path: String,
    pub(super) blob: BlobId,
    /// The content, if it is not an object of the repository.
    pub(super) bytes: Option<Arc<Vec<u8>>>,
}

impl RepositoryTree {
    /// Opens a state.
    ///
    /// # Errors
    /// If the commit or the index cannot be read, or a bare repository has no working tree.
    pub fn open(repository: &Repository, state: RepositoryState) -> Result<Self, LintError> {
        let files = match state {
            RepositoryState::Commit(commit) => {
                Files::Commit(repository.reader().commit_header(commit)?.tree)
            }
            RepositoryState::Index => Files::Index(repository.index_files()?),
            RepositoryState::WorkTree => {
                Files::WorkTree(repository.work_dir().ok_or(LintError::Bare)?)
            }
        };
        Ok(Self {
            repository: repository.clone(),
            files,
        })
    }

    /// A reader of the repository's objects, for one thread.
    pub(super) fn reader(&self) -> ObjectReader {
        self.repository.reader()
    }

    /// The files of a mask and the template, by path.
    pub(super) fn files(
        &self,
        mask: &FileMask,
        template: &str,
    ) -> Result<Vec<SourceFile>, LintError> {
        let selects = |path: &str| path == template || mask.matches(path).is_some();
        let mut found = match &self.files {
            Files::Commit(tree) => {
                let mut reader = self.reader();
                let mut entries = reader.list_files(*tree, mask.folder())?;
                if let Some(kind) = reader.entry_at(*tree, template)? {
                    entries.push(PathEntry {
                        path: template.as_bytes().into(),
                        kind,
                    });
                }
                selected(&entries, selects)
            }
            Files::Index(entries) => selected(entries, selects),
            Files::WorkTree(root) => {
                let mut found = Vec::new();
                let folder = mask.folder();
                let level = if folder.is_empty() {
                    0
                } else {
                    folder.split('/').count()
                };
                walk(root, folder, level, mask, &mut found)?;
                if let Some(file) = on_disk(root, template)? {
                    found.push(file);
                }
                found
            }
        };
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found.dedup_by(|a, b| a.path == b.path);
        Ok(found)
    }

    /// Whether the working tree differs from a commit in the files of a mask.
    ///
    /// # Errors
    /// If either cannot be read.
    pub fn differs(
        &self,
        other: &Self,
        mask: &FileMask,
        template: &str,
    ) -> Result<bool, LintError> {
        let ids = |tree: &Self| -> Result<Vec<(String, BlobId)>, LintError> {
            Ok(tree
                .files(mask, template)?
                .into_iter()
                .map(|file| (file.path, file.blob))
                .collect())
        };
        Ok(ids(self)? != ids(other)?)
    }
}

/// The content of a file.
pub(super) fn read(
    file: &SourceFile,
    reader: &mut ObjectReader,
) -> Result<Arc<Vec<u8>>, LintError> {
    match &file.bytes {
        Some(bytes) => Ok(bytes.clone()),
        None => Ok(reader.blob(file.blob)?),
    }
}

fn selected(entries: &[PathEntry], selects: impl Fn(&str) -> bool) -> Vec<SourceFile> {
    let file = |entry: &PathEntry| {
        let EntryKind::File(blob) = entry.kind else {
            return None;
        };
        let path = std::str::from_utf8(&entry.path)
            .ok()
            .filter(|path| selects(path))?;
        Some(SourceFile {
            path: path.to_owned(),
            blob,
            bytes: None,
        })
    };
    entries.iter().filter_map(file).collect()
}

/// Collects the files of a mask below a directory of the working tree. `level` is the number of names in it.
fn walk(
    root: &Path,
    directory: &str,
    level: usize,
    mask: &FileMask,
    found: &mut Vec<SourceFile>,
) -> Result<(), LintError> {
    let unreadable = |source| LintError::Read {
        path: directory.to_owned(),
        source,
    };
    let entries = match std::fs::read_dir(root.join(directory)) {
        Ok(entries) => entries,
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(());
        }
        Err(error) => return Err(unreadable(error)),
    };
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if name == ".git" || !mask.matches_level(level, &name) {
            continue;
        }
        let path = if directory.is_empty() {
            name
        } else {
            format!("{directory}/{name}")
        };
        let kind = entry.file_type().map_err(unreadable)?;
        if kind.is_dir() && level + 1 < mask.depth() {
            walk(root, &path, level + 1, mask, found)?;
        } else if kind.is_file() && mask.matches(&path).is_some() {
            found.extend(on_disk(root, &path)?);
        }
    }
    Ok(())
}

/// A regular file of the working tree; `None` if there is none.
fn on_disk(root: &Path, path: &str) -> Result<Option<SourceFile>, LintError> {
    let path_of_file = root.join(path);
    let is_file = std::fs::symlink_metadata(&path_of_file).is_ok_and(|data| data.is_file());
    if !is_file {
        return Ok(None);
    }
    let (blob, bytes) = read_start(&path_of_file).map_err(|source| LintError::Read {
        path: path.to_owned(),
        source,
    })?;
    Ok(Some(SourceFile {
        path: path.to_owned(),
        blob,
        bytes: Some(Arc::new(bytes)),
    }))
}

/// Returns the id of a whole file, and its content up to one byte more than a file may have.
fn read_start(path: &Path) -> io::Result<(BlobId, Vec<u8>)> {
    let mut file = File::open(path)?;
    let mut start = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    file.by_ref().take(limit).read_to_end(&mut start)?;
    let length = match start.len() as u64 {
        length if length < limit => length,
        _ => file.metadata()?.len(),
    };
    let blob = blob_id(start.as_slice().chain(file), length)?;
    Ok((blob, start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_file_that_is_too_large_is_that_of_the_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let length = MAX_BYTES + 10;
        let file = File::create(folder.path().join("en.json")).unwrap();
        file.set_len(length as u64).unwrap();
        let found = on_disk(folder.path(), "en.json").unwrap().unwrap();
        assert_eq!(found.bytes.unwrap().len(), MAX_BYTES + 1);
        assert_eq!(found.blob, blob_id(io::repeat(0), length as u64).unwrap());
    }
}
