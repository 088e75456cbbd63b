//! Directories with many entries: an entry by its name, without reading all others each time.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicUsize};

use dashmap::DashMap;
use gix::objs::TreeRefIter;

use super::ObjectReader;
use crate::error::GitError;
use crate::objects::raw::{damaged, each_in, kind_of};
use crate::types::{EntryKind, ObjectKind};
use gitglot_model::{Seeded, TreeId, steps};

/// The bytes from which on a directory counts as one with many entries.
const MIN_BYTES: usize = 1 << 10;

/// Directories with more bytes get no index.
const MAX_TREE_BYTES: usize = 4 << 20;

/// Approximate maximum size of all indexes of a repository in bytes. Above it, no directory gets a new one.
const MAX_BYTES: usize = 16 << 20;

/// The directories of a repository in which a second entry is looked up.
#[derive(Default, Debug)]
pub(crate) struct TreeIndexes {
    /// `None` for those in which one entry was looked up.
    known: DashMap<TreeId, Option<Arc<TreeIndex>>, Seeded>,
    /// The entries that newer indexes share, by the path of the directory.
    bases: DashMap<Box<[u8]>, Entries, Seeded>,
    bytes: AtomicUsize,
}

type Entries = Arc<[(Box<[u8]>, EntryKind)]>;

/// Entries that differ from those of another directory; `None` for those that are gone.
type Changes = Box<[(Box<[u8]>, Option<EntryKind>)]>;

/// The entries of a directory, by name.
#[derive(Debug)]
struct TreeIndex {
    /// Those of another directory at the same path, of which a commit changes few.
    base: Entries,
    changed: Changes,
}

impl TreeIndexes {
    fn get(&self, tree: TreeId) -> Option<Arc<TreeIndex>> {
        self.known.get(&tree)?.clone()
    }

    pub fn clear(&self) {
        self.known.clear();
        self.known.shrink_to_fit();
        self.bases.clear();
        self.bytes.store(0, atomic::Ordering::Relaxed);
    }

    /// Whether an entry is looked up for the second time in a directory of this size, in bytes.
    fn is_wanted(&self, tree: TreeId, bytes: usize) -> bool {
        if !(MIN_BYTES..=MAX_TREE_BYTES).contains(&bytes) {
            return false;
        }
        if self.known.contains_key(&tree) {
            return self.bytes.load(atomic::Ordering::Relaxed) < MAX_BYTES;
        }
        if self.reserve(size_of::<(TreeId, Option<Arc<TreeIndex>>)>()) {
            self.known.insert(tree, None);
        }
        false
    }

    /// Counts bytes that are kept. Returns whether they fit.
    fn reserve(&self, bytes: usize) -> bool {
        self.bytes.fetch_add(bytes, atomic::Ordering::Relaxed) < MAX_BYTES
    }

    /// Adds the index of a directory with these entries, in its order.
    fn add(&self, path: &[u8], tree: TreeId, entries: Vec<(&[u8], EntryKind)>) -> Arc<TreeIndex> {
        let base = self.bases.get(path).map(|base| base.clone());
        let index = TreeIndex::new(entries, base.as_ref());
        if base.is_none_or(|base| !Arc::ptr_eq(&base, &index.base)) {
            let names = index.base.iter().map(|(name, _)| allocated(name));
            self.reserve(size_of_val(&*index.base) + names.sum::<usize>() + allocated(path));
            self.bases.insert(path.into(), index.base.clone());
        }
        let names = index.changed.iter().map(|(name, _)| allocated(name));
        let changed = size_of_val(&*index.changed) + names.sum::<usize>();
        self.reserve(size_of::<TreeIndex>() + changed);
        let index = Arc::new(index);
        self.known.insert(tree, Some(index.clone()));
        index
    }
}

/// The bytes of a text on the heap, with those of the allocator.
fn allocated(text: &[u8]) -> usize {
    text.len() + 16
}

impl TreeIndex {
    /// The index of entries in their order in the directory.
    fn new(mut entries: Vec<(&[u8], EntryKind)>, base: Option<&Entries>) -> Self {
        // The first of several entries of one name counts.
        entries.sort_by_key(|&(name, _)| name);
        entries.dedup_by_key(|&mut (name, _)| name);
        if let Some(base) = base {
            let changed = changes(base, &entries);
            // A new base costs about as much space as the changes that are stored until then.
            if changed.len() * changed.len() <= 2 * entries.len() {
                let (base, changed) = (base.clone(), changed.into());
                return Self { base, changed };
            }
        }
        let entries = entries.into_iter();
        Self {
            base: entries.map(|(name, kind)| (name.into(), kind)).collect(),
            changed: Box::default(),
        }
    }

    /// The entry of a name.
    fn find(&self, name: &[u8]) -> Option<EntryKind> {
        let compare = |other: &[u8]| -> Ordering {
            steps::count(name.len());
            other.cmp(name)
        };
        match self.changed.binary_search_by(|(other, _)| compare(other)) {
            Ok(at) => self.changed[at].1,
            Err(_) => {
                let at = self.base.binary_search_by(|(other, _)| compare(other));
                at.ok().map(|at| self.base[at].1)
            }
        }
    }

    /// The entries whose names begin with a text, in git's order.
    fn starting_with(&self, prefix: &[u8]) -> Vec<(&[u8], EntryKind)> {
        fn starting<'e, T>(all: &'e [(Box<[u8]>, T)], prefix: &[u8]) -> &'e [(Box<[u8]>, T)] {
            let from = &all[all.partition_point(|(name, _)| **name < *prefix)..];
            &from[..from.partition_point(|(name, _)| name.starts_with(prefix))]
        }
        let changed = starting(&self.changed, prefix);
        let is_changed = |name: &[u8]| {
            let at = changed.binary_search_by(|(other, _)| (**other).cmp(name));
            at.is_ok()
        };
        let same = starting(&self.base, prefix).iter();
        let same = same.filter(|(name, _)| !is_changed(name));
        let same = same.map(|(name, kind)| (&**name, *kind));
        let new = changed.iter();
        let new = new.filter_map(|(name, kind)| Some((&**name, (*kind)?)));
        let mut found: Vec<(&[u8], EntryKind)> = same.chain(new).collect();
        steps::count(found.iter().map(|(name, _)| name.len()).sum());
        found.sort_by_cached_key(|&(name, kind)| match kind {
            EntryKind::Tree(_) => [name, b"/"].concat(),
            _ => name.to_vec(),
        });
        found
    }
}

/// The entries that differ from those of a base.
fn changes(
    base: &[(Box<[u8]>, EntryKind)],
    entries: &[(&[u8], EntryKind)],
) -> Vec<(Box<[u8]>, Option<EntryKind>)> {
    let mut changes = Vec::new();
    let mut old = base.iter().peekable();
    for &(name, kind) in entries {
        while let Some((gone, _)) = old.next_if(|(other, _)| **other < *name) {
            changes.push((gone.clone(), None));
        }
        let same = old.next_if(|(other, _)| **other == *name);
        if same.is_none_or(|&(_, other)| other != kind) {
            changes.push((name.into(), Some(kind)));
        }
    }
    changes.extend(old.map(|(gone, _)| (gone.clone(), None)));
    changes
}

impl ObjectReader {
    /// The entry of a name in a directory at a path.
    pub(super) fn child(
        &mut self,
        path: &[u8],
        tree: TreeId,
        name: &[u8],
    ) -> Result<Option<EntryKind>, GitError> {
        if let Some(listing) = self.listing(tree)? {
            let found = listing.iter().find(|(part, _)| **part == *name);
            return Ok(found.map(|&(_, id)| EntryKind::File(id)));
        }
        if let Some(folder) = self.group_folder(tree, name) {
            return Ok(Some(EntryKind::Tree(folder)));
        }
        let view = self.view.clone();
        let shown = |kind| view.as_ref().map_or(kind, |view| view.kind(name, kind));
        let bytes = match self.indexed(path, tree)? {
            Ok(index) => return Ok(index.find(name).map(shown)),
            Err(bytes) => bytes,
        };
        steps::count(bytes.len());
        for entry in TreeRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1) {
            let entry = entry.map_err(|error| damaged(ObjectKind::Tree, &tree.0, &error))?;
            if entry.filename == name {
                return Ok(Some(shown(kind_of(&entry))));
            }
        }
        Ok(None)
    }

    /// Calls `each` with the name and object of each entry of a directory at a path whose name begins with a text, in git's
    /// order.
    ///
    /// # Errors
    /// When it is missing or corrupt.
    pub fn each_starting_with(
        &mut self,
        path: &str,
        tree: TreeId,
        prefix: &str,
        mut each: impl FnMut(&[u8], EntryKind),
    ) -> Result<(), GitError> {
        let prefix = prefix.as_bytes();
        if prefix.is_empty() || self.listing(tree)?.is_some() {
            return self.each_entry(tree, |name, kind| {
                if name.starts_with(prefix) {
                    each(name, kind);
                }
            });
        }
        let view = self.view.clone();
        let mut each = |name: &[u8], kind| match &view {
            None => each(name, kind),
            Some(view) => each(name, view.kind(name, kind)),
        };
        match self.indexed(path.as_bytes(), tree)? {
            Ok(index) => {
                let found = index.starting_with(prefix).into_iter();
                found.for_each(|(name, kind)| each(name, kind));
                Ok(())
            }
            Err(bytes) => each_in(&bytes, tree, |name, kind| {
                if name.starts_with(prefix) {
                    each(name, kind);
                }
            }),
        }
    }

    /// The index of a directory at a path, or the bytes of one that has none.
    fn indexed(
        &mut self,
        path: &[u8],
        tree: TreeId,
    ) -> Result<Result<Arc<TreeIndex>, Arc<Vec<u8>>>, GitError> {
        if let Some(index) = self.indexes.get(tree) {
            self.note(&tree.0);
            return Ok(Ok(index));
        }
        let bytes = self.load(ObjectKind::Tree, &tree.0)?;
        if self.indexes.is_wanted(tree, bytes.len()) {
            steps::count(bytes.len());
            let entries = TreeRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1);
            let entries =
                entries.map(|read| read.map(|entry| (entry.filename.as_ref(), kind_of(&entry))));
            // One that is corrupt is read again, up to the entry.
            if let Ok(entries) = entries.collect::<Result<Vec<(&[u8], _)>, _>>() {
                return Ok(Ok(self.indexes.add(path, tree, entries)));
            }
        }
        Ok(Err(bytes))
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
    fn an_index_of_a_later_commit_has_only_what_changed() {
        let entry = |name: &'static str, byte| {
            let kind = match name.ends_with('/') {
                true => EntryKind::Tree(TreeId([byte; 20])),
                false => EntryKind::File(BlobId([byte; 20])),
            };
            (name.trim_end_matches('/').as_bytes(), kind)
        };
        let old = [("a", 1), ("b-c", 2), ("b/", 3), ("c", 4), ("d", 5)];
        let new = [("a", 1), ("b-c", 7), ("b/", 3), ("b0", 8), ("d", 5)];
        let entries = |all: [(&'static str, u8); 5]| all.map(|(name, byte)| entry(name, byte));
        let first = TreeIndex::new(entries(old).into(), None);
        let mut many: Vec<_> = entries(new).into();
        let names: Vec<String> = (0..20).map(|at| format!("x{at:02}")).collect();
        let other =
            |name: &'_ String| (name.clone().into_bytes(), EntryKind::File(BlobId([9; 20])));
        let others: Vec<_> = names.iter().map(other).collect();
        let base: Entries = first
            .base
            .iter()
            .cloned()
            .chain(
                others
                    .iter()
                    .map(|(name, kind)| (name.as_slice().into(), *kind)),
            )
            .collect();
        many.extend(others.iter().map(|(name, kind)| (name.as_slice(), *kind)));
        let second = TreeIndex::new(many.clone(), Some(&base));
        assert!(Arc::ptr_eq(&second.base, &base));
        assert_eq!(second.changed.len(), 3);
        for &(name, kind) in &many {
            assert_eq!(second.find(name), Some(kind));
        }
        assert_eq!(second.find(b"c"), None);
        // As git sorts them: a directory as if its name ended in a slash.
        let found = second.starting_with(b"b");
        assert_eq!(found, [entry("b-c", 7), entry("b/", 3), entry("b0", 8)]);
    }

    #[test]
    fn many_components_with_a_long_history_look_up_few_bytes() {
        let work = |folders: usize| {
            let mut test = TestRepository::new();
            let path = |at: usize| format!("f{at:04}/en.json");
            let mut files: Vec<(String, String)> =
                (0..folders).map(|at| (path(at), "{}".to_owned())).collect();
            let mut roots = Vec::new();
            for commit in 0..20 {
                files[commit].1 = format!("{{\"a\": \"{commit}\"}}");
                let all: Vec<(&str, &str)> = files
                    .iter()
                    .map(|(path, text)| (&**path, &**text))
                    .collect();
                let id = test.commit(&[], &all, &format!("commit {commit}"));
                roots.push(id);
            }
            let repository = Repository::open(test.path()).unwrap();
            steps::of(|| {
                for (path, _) in &files {
                    let mut reader = repository.reader();
                    for &id in &roots {
                        let root = reader.commit(id).unwrap().tree;
                        let found = reader.entry_at(root, path).unwrap();
                        assert!(matches!(found, Some(EntryKind::File(_))));
                    }
                }
            })
        };
        let (few, many) = (work(100), work(200));
        assert!(many * 10 < 23 * few, "{few} {many}");
    }

    #[test]
    fn the_first_entry_of_a_name_counts_in_a_large_folder() {
        let file =
            |name: &'static str, byte| (name.as_bytes(), EntryKind::File(BlobId([byte; 20])));
        let entries = vec![file("b", 1), file("a", 2), file("b", 3)];
        let index = TreeIndex::new(entries, None);
        let found = |name: &str| index.find(name.as_bytes());
        assert_eq!(found("b"), Some(EntryKind::File(BlobId([1; 20]))));
        assert_eq!(found("c"), None);
    }
}
