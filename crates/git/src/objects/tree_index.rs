//! Directories with many entries: an entry by its name, without reading all others each time.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicUsize};

use dashmap::DashMap;
use gix::objs::TreeRefIter;
use gix::objs::tree::EntryRef;

use crate::objects::reader::{damaged, kind_of};
use crate::{EntryKind, GitError, ObjectKind, ObjectReader};
use gitglot_model::{Seeded, TreeId, steps};

/// The bytes from which on a directory counts as one with many entries.
const MIN_BYTES: usize = 4 << 10;

/// The bytes of directories whose entries are known, or of which one was looked up. After more, all are forgotten.
const MAX_BYTES: usize = 4 << 20;

/// The directories of a repository in which a second entry is looked up.
#[derive(Default, Debug)]
pub(crate) struct TreeIndexes {
    /// `None` for those in which one entry was looked up.
    known: DashMap<TreeId, Option<Arc<TreeIndex>>, Seeded>,
    bytes: AtomicUsize,
}

/// The entries of a directory, by name.
#[derive(Debug)]
struct TreeIndex(Vec<(Box<[u8]>, EntryKind)>);

impl TreeIndexes {
    fn get(&self, tree: TreeId) -> Option<Arc<TreeIndex>> {
        self.known.get(&tree)?.clone()
    }

    /// Whether an entry is looked up for the second time in a directory of this size, in bytes.
    fn is_wanted(&self, tree: TreeId, bytes: usize) -> bool {
        if !(MIN_BYTES..=MAX_BYTES).contains(&bytes) {
            return false;
        }
        if self.known.contains_key(&tree) {
            return true;
        }
        if self.bytes.fetch_add(bytes, atomic::Ordering::Relaxed) + bytes > MAX_BYTES {
            self.known.clear();
            self.bytes.store(bytes, atomic::Ordering::Relaxed);
        }
        self.known.insert(tree, None);
        false
    }

    fn add(&self, tree: TreeId, index: &Arc<TreeIndex>) {
        self.known.insert(tree, Some(index.clone()));
    }
}

impl TreeIndex {
    /// The index of entries in their order in the directory.
    fn new(mut entries: Vec<(Box<[u8]>, EntryKind)>) -> Self {
        // The first of several entries of one name counts.
        entries.sort_by(|one, other| one.0.cmp(&other.0));
        entries.dedup_by(|later, first| later.0 == first.0);
        Self(entries)
    }

    /// The entry of a name.
    fn find(&self, name: &[u8]) -> Option<EntryKind> {
        let compare = |entry: &(Box<[u8]>, EntryKind)| -> Ordering {
            steps::count(name.len());
            (*entry.0).cmp(name)
        };
        let at = self.0.binary_search_by(compare).ok()?;
        self.0.get(at).map(|&(_, kind)| kind)
    }
}

impl ObjectReader {
    /// The entry of a name in a directory.
    pub(super) fn child(
        &mut self,
        tree: TreeId,
        name: &[u8],
    ) -> Result<Option<EntryKind>, GitError> {
        if let Some(parts) = self.parts(tree)? {
            let found = parts.iter().find(|(part, _)| **part == *name);
            return Ok(found.map(|&(_, id)| EntryKind::File(id)));
        }
        if let Some(folder) = self.group_folder(tree, name) {
            return Ok(Some(EntryKind::Tree(folder)));
        }
        let view = self.view.clone();
        let shown = |kind| view.as_ref().map_or(kind, |view| view.kind(name, kind));
        if let Some(index) = self.indexes.get(tree) {
            self.note(&tree.0);
            return Ok(index.find(name).map(shown));
        }
        let bytes = self.load(ObjectKind::Tree, &tree.0)?;
        steps::count(bytes.len());
        let entries = TreeRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1);
        if self.indexes.is_wanted(tree, bytes.len()) {
            let entry = |entry: EntryRef<'_>| (entry.filename.as_ref() as &[u8]).into();
            let all = entries.map(|it| it.map(|it| (entry(it), kind_of(&it))));
            // One that is corrupt is read again, up to the entry.
            if let Ok(all) = all.collect::<Result<Vec<_>, _>>() {
                let index = Arc::new(TreeIndex::new(all));
                self.indexes.add(tree, &index);
                return Ok(index.find(name).map(shown));
            }
        }
        for entry in entries {
            let entry = entry.map_err(|error| damaged(ObjectKind::Tree, &tree.0, &error))?;
            if entry.filename == name {
                return Ok(Some(shown(kind_of(&entry))));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Repository;
    use crate::test_support::TestRepository;
    use gitglot_model::BlobId;

    #[test]
    fn a_folder_among_many_is_found_without_reading_all_of_them() {
        let work = |folders: usize| {
            let mut test = TestRepository::new();
            let paths: Vec<String> = (0..folders).map(|at| format!("f{at}/en.json")).collect();
            let files: Vec<(&str, &str)> = paths.iter().map(|path| (&**path, "{}")).collect();
            let id = test.commit(&[], &files, "first");
            let repository = Repository::open(test.path()).unwrap();
            let root = repository.reader().commit(id).unwrap().tree;
            steps::of(|| {
                for path in &paths {
                    // Each component has a reader of its own.
                    let found = repository.reader().entry_at(root, path).unwrap();
                    assert!(matches!(found, Some(EntryKind::File(_))));
                }
                let absent = repository.reader().entry_at(root, "f/en.json").unwrap();
                assert_eq!(absent, None);
            })
        };
        let (few, many) = (work(400), work(800));
        assert!(many < 3 * few, "{few} {many}");
    }

    #[test]
    fn the_first_entry_of_a_name_counts_in_a_large_folder() {
        let entry =
            |name: &str, byte| (name.as_bytes().into(), EntryKind::File(BlobId([byte; 20])));
        let index = TreeIndex::new(vec![entry("b", 1), entry("a", 2), entry("b", 3)]);
        let found = |name: &str| index.find(name.as_bytes());
        assert_eq!(found("b"), Some(EntryKind::File(BlobId([1; 20]))));
        assert_eq!(found("c"), None);
    }
}
