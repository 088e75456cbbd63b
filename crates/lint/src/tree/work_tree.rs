//! The files of a working tree, as git would store them.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::ops::Bound::{Included, Unbounded};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::source_file::SourceFile;
use crate::error::LintError;
use gitglot_formats::MAX_BYTES;
use gitglot_git::{
    PathEntry, RegularFile, WorkTree, WorkTreeEntry, WorkTreeFile, WorkTreeFilter, WorkTreeFolder,
    blob_id,
};
use gitglot_model::{BlobId, FileMask, SeededMap, join_path, steps};

/// The maximum size of a file whose content is compared with a blob, in bytes. Larger ones count as changed.
const MAX_HASHED_BYTES: u64 = 1 << 30;

/// The names in a directory, and whether each is a directory.
type Names = BTreeMap<String, bool>;

/// A working tree that is read.
pub(super) struct OpenWorkTree {
    pub disk: WorkTree,
    pub filter: WorkTreeFilter,
    /// The files of the index, once they are needed.
    pub tracked: OnceLock<Arc<[PathEntry]>>,
    /// The names in directories. Many components have files in the same directories.
    names: Mutex<SeededMap<String, Arc<Names>>>,
}

impl OpenWorkTree {
    pub fn new(disk: WorkTree, filter: WorkTreeFilter) -> Self {
        Self {
            disk,
            filter,
            tracked: OnceLock::new(),
            names: Mutex::default(),
        }
    }

    /// The names in a directory at a path.
    fn names(&self, folder: &WorkTreeFolder, path: &str) -> Result<Arc<Names>, LintError> {
        if let Some(known) = self.names.lock().get(path) {
            return Ok(known.clone());
        }
        let entries = folder.entries().map_err(unreadable(path))?.into_iter();
        let names = entries.map(|WorkTreeEntry { name, is_folder }| (name, is_folder));
        let names = Arc::new(names.collect::<Names>());
        steps::count(names.len());
        self.names.lock().insert(path.to_owned(), names.clone());
        Ok(names)
    }
}

/// Collects the files of a mask below a directory of the working tree. `level` is the number of names in its path.
pub(super) fn walk(
    folder: &WorkTreeFolder,
    tree: &OpenWorkTree,
    path: &str,
    level: usize,
    mask: &FileMask,
    found: &mut Vec<SourceFile>,
) -> Result<(), LintError> {
    let names = tree.names(folder, path)?;
    let prefix = mask.level_prefix(level);
    let names = names.range::<str, _>((Included(prefix), Unbounded));
    for (name, &is_folder) in names.take_while(|(name, _)| name.starts_with(prefix)) {
        steps::count(1);
        if !mask.matches_level(level, name) {
            continue;
        }
        let inner = join_path(path, name);
        if is_folder {
            let child = folder.folder(name).map_err(unreadable(&inner))?;
            if let Some(child) = child.filter(|_| level + 1 < mask.depth()) {
                walk(&child, tree, &inner, level + 1, mask, found)?;
            } else if mask.matches(&inner).is_some() {
                found.push(SourceFile::irregular(&inner));
            }
        } else if mask.matches(&inner).is_some() {
            let file = folder.open(name).map_err(unreadable(&inner))?;
            found.extend(on_disk(file, &inner, &tree.filter)?);
        }
    }
    Ok(())
}

/// The content of a file of the working tree, as git stores it; `None` if nothing is there.
pub(super) fn on_disk(
    file: WorkTreeFile,
    path: &str,
    filter: &WorkTreeFilter,
) -> Result<Option<SourceFile>, LintError> {
    let file = match file {
        WorkTreeFile::File(file) => file,
        WorkTreeFile::Missing => return Ok(None),
        _ => return Ok(Some(SourceFile::irregular(path))),
    };
    let convert = |bytes| filter.to_git(path, bytes);
    let (blob, bytes) = read_start(file, convert).map_err(unreadable(path))?;
    Ok(Some(SourceFile::new(path.to_owned(), blob, Some(bytes))))
}

pub(super) fn unreadable(path: &str) -> impl Fn(io::Error) -> LintError {
    move |source| LintError::Read {
        path: path.to_owned(),
        source,
    }
}

/// Returns the id of a whole file, and its content up to one byte more than a file may have. Of a huge file, which is
/// never read, the id of the start is enough.
fn read_start(
    mut file: RegularFile,
    convert: impl FnOnce(Vec<u8>) -> Vec<u8>,
) -> io::Result<(BlobId, Vec<u8>)> {
    let mut start = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    file.by_ref().take(limit).read_to_end(&mut start)?;
    if (start.len() as u64) < limit {
        start = convert(start);
    }
    let length = start.len() as u64;
    let whole = file.size()?;
    let blob = if length == limit && (length..=MAX_HASHED_BYTES).contains(&whole) {
        blob_id(start.as_slice().chain(file), whole)?
    } else {
        blob_id(start.as_slice(), length)?
    };
    Ok((blob, start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_file(length: u64) -> (BlobId, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        let file = std::fs::File::create(folder.path().join("en.json")).unwrap();
        file.set_len(length).unwrap();
        let (tree, path) = WorkTree::containing(&folder.path().join("en.json")).unwrap();
        let WorkTreeFile::File(file) = tree.open(&path).unwrap() else {
            panic!("a regular file")
        };
        read_start(file, |bytes| bytes).unwrap()
    }

    #[test]
    fn the_id_of_a_file_that_is_too_large_is_that_of_the_whole_file() {
        let length = MAX_BYTES as u64 + 10;
        let (blob, bytes) = read_file(length);
        assert_eq!(bytes.len(), MAX_BYTES + 1);
        assert_eq!(blob, blob_id(io::repeat(0), length).unwrap());
    }

    #[test]
    fn a_huge_file_is_not_read_to_its_end() {
        let (_, bytes) = read_file(1 << 40);
        assert_eq!(bytes.len(), MAX_BYTES + 1);
    }
}
