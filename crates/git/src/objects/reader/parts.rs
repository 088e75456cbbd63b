//! Files with the texts of several languages: readers of a view show each as a directory with one file for each language.
//!
//! Knows no formats: a [`FileSplitter`] makes the parts of a file. A part is named by its content, as a blob is, so that a
//! change of one language leaves the others as they are.

use std::sync::Arc;

use parking_lot::Mutex;

use super::ObjectReader;
use crate::error::GitError;
use crate::objects::raw::blob_id;
use crate::types::EntryKind;
use gitglot_model::{BlobId, SeededMap, SeededSet, TreeId, steps};

/// A part of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilePart {
    /// Its name, which no other part of the file has.
    pub name: Vec<u8>,
    /// Its content. Versions of a file share equal pieces, and can share the list of an equal part.
    pub pieces: Arc<[Arc<[u8]>]>,
}

/// Splits files into parts.
pub trait FileSplitter: Send + Sync {
    /// Whether a file with that name has parts.
    fn has_parts(&self, name: &[u8]) -> bool;

    /// The parts of a file; none if it cannot be read.
    fn split(&self, bytes: &[u8]) -> Vec<FilePart>;
}

/// The bytes of parts in memory above which they are dropped. Files are split again when their parts are read.
const MAX_PIECES: usize = 256 << 20;

/// What the readers of a repository show instead of files with parts.
pub(crate) struct FileView {
    splitter: Box<dyn FileSplitter>,
    parts: Mutex<PartStore>,
    max_pieces: usize,
    /// The parts of the last file that was split, with their ids.
    last: Mutex<Vec<(FilePart, BlobId)>>,
}

/// The parts that were read.
#[derive(Default)]
struct PartStore {
    pieces: Vec<Arc<[u8]>>,
    piece_indexes: SeededMap<Arc<[u8]>, u32>,
    /// The bytes of all pieces.
    bytes: usize,
    /// The pieces of each part.
    parts: SeededMap<BlobId, Box<[u32]>>,
    /// A file that has each part.
    files_of: SeededMap<BlobId, BlobId>,
    /// The files with parts that a tree listed.
    listed: SeededSet<BlobId>,
    files: SeededMap<BlobId, Listing>,
}

/// The names and ids of the parts of a file, in the order of the names.
pub(crate) type Listing = Arc<[(Box<[u8]>, BlobId)]>;

impl FileView {
    pub(crate) fn new(splitter: Box<dyn FileSplitter>) -> Self {
        Self {
            splitter,
            parts: Mutex::default(),
            max_pieces: MAX_PIECES,
            last: Mutex::default(),
        }
    }

    /// What a reader shows for an entry of a tree: a directory for a file with parts, which has the id of that file.
    pub(crate) fn kind(&self, name: &[u8], kind: EntryKind) -> EntryKind {
        match kind {
            EntryKind::File(blob) if self.splitter.has_parts(name) => {
                EntryKind::Tree(self.add_file(blob))
            }
            kind => kind,
        }
    }

    /// The file with parts that a tree listed as a directory with that id.
    pub(crate) fn file(&self, tree: TreeId) -> Option<BlobId> {
        let blob = BlobId(tree.0);
        self.parts.lock().listed.contains(&blob).then_some(blob)
    }

    /// Makes a file known as one with parts. Returns the id of the directory that is shown instead.
    pub(crate) fn add_file(&self, file: BlobId) -> TreeId {
        self.parts.lock().listed.insert(file);
        TreeId(file.0)
    }

    /// A file with this part.
    pub(crate) fn file_of(&self, part: BlobId) -> Option<BlobId> {
        self.parts.lock().files_of.get(&part).copied()
    }

    /// The parts of a file that was split before.
    pub(crate) fn listing(&self, file: BlobId) -> Option<Listing> {
        self.parts.lock().files.get(&file).cloned()
    }

    /// Splits a file.
    pub(crate) fn split(&self, file: BlobId, bytes: &[u8]) -> Listing {
        let mut parts = self.splitter.split(bytes);
        parts.sort_by(|a, b| a.name.cmp(&b.name));
        // Content that attacks SHA-1 has no id.
        let last = std::mem::take(&mut *self.last.lock());
        let id = |part: &FilePart| {
            let mut known = last.iter();
            let same = known.find(|(it, _)| Arc::ptr_eq(&it.pieces, &part.pieces));
            if let Some((_, id)) = same {
                return Some(*id);
            }
            let content = part.pieces.concat();
            blob_id(&*content, content.len() as u64).ok()
        };
        let ids: Option<Vec<BlobId>> = parts.iter().map(id).collect();
        let mut store = self.parts.lock();
        if store.bytes > self.max_pieces {
            store.drop_pieces();
        }
        let parts = parts.into_iter().zip(ids.into_iter().flatten());
        let parts: Vec<(FilePart, BlobId)> = parts.collect();
        let listing = parts.iter().map(|(part, id)| {
            store.add(*id, &part.pieces);
            store.files_of.entry(*id).or_insert(file);
            (part.name.as_slice().into(), *id)
        });
        let listing: Listing = listing.collect();
        store.files.insert(file, listing.clone());
        *self.last.lock() = parts;
        listing
    }

    /// The content of a part, if it is in memory.
    pub(crate) fn part(&self, id: BlobId) -> Option<Arc<Vec<u8>>> {
        let store = self.parts.lock();
        let pieces = store.parts.get(&id)?.iter();
        let pieces = pieces.filter_map(|&piece| store.pieces.get(piece as usize));
        let mut content = Vec::new();
        pieces.for_each(|piece| content.extend_from_slice(piece));
        Some(Arc::new(content))
    }
}

impl PartStore {
    /// Forgets the content of parts, but not their ids.
    fn drop_pieces(&mut self) {
        self.pieces.clear();
        self.piece_indexes.clear();
        self.parts.clear();
        self.bytes = 0;
    }

    fn add(&mut self, id: BlobId, pieces: &[Arc<[u8]>]) {
        if self.parts.contains_key(&id) {
            return;
        }
        let index = |piece: &Arc<[u8]>| match self.piece_indexes.get(&**piece) {
            Some(&index) => index,
            None => {
                let (index, piece) = (self.pieces.len() as u32, piece.clone());
                self.bytes += piece.len();
                self.pieces.push(piece.clone());
                self.piece_indexes.insert(piece, index);
                index
            }
        };
        let pieces = pieces.iter().map(index).collect();
        self.parts.insert(id, pieces);
    }
}

impl ObjectReader {
    /// The content of a part that was listed, if the reader has a view.
    pub(super) fn part_content(&mut self, id: BlobId) -> Result<Option<Arc<Vec<u8>>>, GitError> {
        let Some(view) = self.view.clone() else {
            return Ok(None);
        };
        let in_memory = view.part(id);
        // A file can be the same as its only part.
        let file = view.file_of(id).filter(|&file| file != id);
        let Some(file) = file.filter(|_| in_memory.is_none()) else {
            return Ok(in_memory);
        };
        let bytes = self.blob(file)?;
        view.split(file, &bytes);
        Ok(view.part(id))
    }

    /// The parts that a view shows as the directory `tree`, if it does.
    pub(super) fn part_listing(&mut self, tree: TreeId) -> Result<Option<Listing>, GitError> {
        let Some(view) = self.view.clone() else {
            return Ok(None);
        };
        let Some(file) = view.file(tree) else {
            return Ok(None);
        };
        if let Some(listing) = view.listing(file) {
            return Ok(Some(listing));
        }
        let bytes = match self.blob(file) {
            Ok(bytes) => bytes,
            Err(error) if error.is_damage() => return Err(error),
            Err(_) => Arc::default(),
        };
        steps::count(bytes.len());
        self.blobs.fit(bytes.len());
        Ok(Some(view.split(file, &bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Repository;
    use gitglot_testkit::{Repo, commit};

    /// Each line is a part, with the name of its first character.
    struct Lines;

    impl FileSplitter for Lines {
        fn has_parts(&self, name: &[u8]) -> bool {
            name.ends_with(b".lines")
        }

        fn split(&self, bytes: &[u8]) -> Vec<FilePart> {
            let lines = bytes.split_inclusive(|&byte| byte == b'\n');
            let part = |line: &[u8]| FilePart {
                name: line[..1].to_vec(),
                pieces: Arc::new([line.into()]),
            };
            lines.map(part).collect()
        }
    }

    #[test]
    fn parts_that_were_dropped_are_read_from_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let history = commit("one")
            .write("a.lines", "x1\ny1\n")
            .write("b.lines", "x2\n");
        let repo = Repo::with(&folder.path().join("a.git"), &history);
        let repository = Repository::open(repo.dir()).unwrap();
        let mut view = FileView::new(Box::new(Lines));
        view.max_pieces = 0;
        let view = Arc::new(view);
        let mut reader = repository.reader();
        reader.view = Some(view.clone());
        let tree = reader.commit_header(repo.id("one")).unwrap().tree;
        let mut part = |path: &str| match reader.entry_at(tree, path).unwrap() {
            Some(EntryKind::File(id)) => id,
            other => panic!("{path}: {other:?}"),
        };
        let ids = ["a.lines/x", "a.lines/y", "b.lines/x"].map(&mut part);
        assert!(view.part(ids[0]).is_none() && view.part(ids[2]).is_some());
        for (id, text) in ids.into_iter().zip(["x1\n", "y1\n", "x2\n"]) {
            assert_eq!(**reader.blob(id).unwrap(), *text.as_bytes());
        }
    }
}
