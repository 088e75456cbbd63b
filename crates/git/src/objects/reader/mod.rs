//! Reads objects; one reader per thread, each with its own caches.
//!
//! [`packs`](super::packs) reads packs. gix reads everything else, and reports missing and corrupt objects.
//! `tree_index` finds entries in large directories. A reader can have a view: `parts` shows a file as a directory,
//! `groups` files as one file.

pub(crate) mod groups;
pub(crate) mod parts;
#[cfg(test)]
mod tests;
pub(crate) mod tree_index;

use std::collections::HashSet;
use std::sync::Arc;

use dashmap::DashSet;
use gix::objs::{CommitRef, CommitRefIter, FindHeader};
use gix::odb::pack::Find;

use self::groups::GroupView;
use self::parts::{FileView, Listing};
use self::tree_index::TreeIndexes;
use crate::commit::{signature, text};
use crate::error::GitError;
use crate::objects::packs::{Decoder, Lookup, Packs};
use crate::objects::raw::{damaged, each_in, hex, missing, object_id, raw};
use crate::types::{CommitHeader, EntryKind, ObjectKind, PathEntry, TreeEntry};
use gitglot_model::{BlobId, Commit, CommitId, Seeded, TreeId};

/// The maximum size of a readable object in bytes. Source: docs/spec/formats.md#all-formats.
pub const OBJECT_LIMIT: u64 = 64 * 1024 * 1024;

/// The maximum number of files that [`ObjectReader::list_files`] lists, and of directories that it opens.
const LIST_LIMIT: usize = 1_000_000;

/// The maximum average length of their paths in bytes.
const LIST_BYTES: usize = 256;

/// The size of the cache for commits and trees in bytes.
const STRUCTURE_CACHE: usize = 16 * 1024 * 1024;

/// The size of the blob cache of a reader for few blobs in bytes.
pub(crate) const FEW_BLOBS_CACHE: usize = 8 * 1024 * 1024;

type OdbHandle = gix::odb::store::Handle<gix::parallel::OwnShared<gix::odb::Store>>;

/// The ids of the objects that readers have read.
pub(crate) type ReadObjects = DashSet<[u8; 20], Seeded>;

/// Reads a repository on one thread, with its own caches.
pub struct ObjectReader {
    odb: OdbHandle,
    packs: Arc<Packs>,
    shallow: Arc<HashSet<CommitId>>,
    /// Commits and trees, separate so that blobs do not evict them.
    structure: Decoder,
    blobs: Decoder,
    /// The maximum size of a readable object in bytes.
    limit: u64,
    /// The maximum number of listed files and of opened directories.
    list_limit: usize,
    /// Notes which objects are read.
    read_objects: Option<Arc<ReadObjects>>,
    /// What to show instead of files with parts.
    pub(super) view: Option<Arc<FileView>>,
    /// What to show as groups of files.
    pub(super) groups: Option<Arc<GroupView>>,
    /// The entries of directories with many.
    pub(super) indexes: Arc<TreeIndexes>,
}

impl ObjectReader {
    pub(crate) fn new(
        repository: &gix::ThreadSafeRepository,
        packs: Arc<Packs>,
        shallow: Arc<HashSet<CommitId>>,
        blob_cache: usize,
        read_objects: Option<Arc<ReadObjects>>,
        view: Option<Arc<FileView>>,
    ) -> Self {
        let mut odb = repository.objects.to_handle();
        odb.ignore_replacements = true;
        Self {
            odb,
            packs,
            shallow,
            structure: Decoder::new(STRUCTURE_CACHE),
            blobs: Decoder::new(blob_cache),
            limit: OBJECT_LIMIT,
            list_limit: LIST_LIMIT,
            read_objects,
            view,
            groups: None,
            indexes: Arc::default(),
        }
    }

    /// Reads a commit.
    ///
    /// # Errors
    /// When it is missing or corrupt.
    pub fn commit(&mut self, id: CommitId) -> Result<Commit, GitError> {
        let bytes = self.load(ObjectKind::Commit, &id.0)?;
        let read = CommitRef::from_bytes(&bytes, gix::hash::Kind::Sha1)
            .map_err(|error| damaged(ObjectKind::Commit, &id.0, &error))?;
        let encoding = read.encoding.map(|name| name.as_ref());
        let parents = if self.shallow.contains(&id) {
            Vec::new()
        } else {
            let parents = read.parents();
            parents.map(|parent| CommitId(raw(&parent))).collect()
        };
        Ok(Commit {
            id,
            tree: TreeId(raw(&read.tree())),
            parents,
            author: signature(read.author, encoding),
            committer: signature(read.committer, encoding),
            message: text(read.message, encoding),
        })
    }

    /// Reads the parts of a commit that a history walk needs, which is cheaper than [`commit`](Self::commit).
    ///
    /// # Errors
    /// When it is missing or corrupt.
    pub fn commit_header(&mut self, id: CommitId) -> Result<CommitHeader, GitError> {
        use gix::objs::commit::ref_iter::Token;
        let bytes = self.load(ObjectKind::Commit, &id.0)?;
        let mut header = CommitHeader {
            tree: TreeId([0; 20]),
            parents: Vec::new(),
            committed: 0,
        };
        for token in CommitRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1) {
            let token = match token {
                Ok(token) => token,
                // git reads commits with a malformed author or committer, too.
                Err(_) if header.parents.len() == parent_lines(&bytes) => break,
                Err(error) => return Err(damaged(ObjectKind::Commit, &id.0, &error)),
            };
            match token {
                Token::Tree { id } => header.tree = TreeId(raw(&id)),
                Token::Parent { id } => header.parents.push(CommitId(raw(&id))),
                Token::Author { .. } => {}
                Token::Committer { signature } => {
                    header.committed = signature.seconds();
                    break;
                }
                _ => break,
            }
        }
        if self.shallow.contains(&id) {
            header.parents.clear();
        }
        Ok(header)
    }

    /// Lists a tree in git's order.
    ///
    /// # Errors
    /// When it is missing or corrupt.
    pub fn tree(&mut self, id: TreeId) -> Result<Vec<TreeEntry>, GitError> {
        let mut entries = Vec::new();
        self.each_entry(id, |name, kind| {
            entries.push(TreeEntry {
                name: name.into(),
                kind,
            })
        })?;
        Ok(entries)
    }

    /// The object at `path` (joined by `/`) in a tree; the tree itself for an empty path. Reads only the trees on the
    /// path.
    ///
    /// # Errors
    /// When a tree on the path is missing or corrupt.
    pub fn entry_at(
        &mut self,
        root: TreeId,
        path: impl AsRef<[u8]>,
    ) -> Result<Option<EntryKind>, GitError> {
        let path = path.as_ref();
        let mut at = EntryKind::Tree(root);
        let mut start: usize = 0;
        for part in path.split(|byte| *byte == b'/') {
            let folder = &path[..start.saturating_sub(1)];
            start += part.len() + 1;
            if part.is_empty() {
                continue;
            }
            let EntryKind::Tree(tree) = at else {
                return Ok(None);
            };
            match self.child(folder, tree, part)? {
                Some(kind) => at = kind,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    /// Lists every file, symbolic link and submodule in `folder` (a path from `root`; empty for all), in the byte order
    /// of paths, as git does. Empty if the directory does not exist.
    ///
    /// # Errors
    /// When a tree is missing or corrupt, or there are more than a million files or 256 MB of paths.
    pub fn list_files(
        &mut self,
        root: TreeId,
        folder: impl AsRef<[u8]>,
    ) -> Result<Vec<PathEntry>, GitError> {
        let folder = folder.as_ref();
        let Some(EntryKind::Tree(start)) = self.entry_at(root, folder)? else {
            return Ok(Vec::new());
        };
        let mut prefix = folder.to_vec();
        if !prefix.is_empty() && !prefix.ends_with(b"/") {
            prefix.push(b'/');
        }
        let mut files = Vec::new();
        let (mut opened, mut path_bytes) = (0, 0);
        let max_bytes = self.list_limit.saturating_mul(LIST_BYTES);
        // Pending entries; the next one is the last.
        let mut stack = vec![(prefix, EntryKind::Tree(start))];
        while let Some((path, kind)) = stack.pop() {
            let EntryKind::Tree(tree) = kind else {
                files.push(PathEntry {
                    path: path.into(),
                    kind,
                });
                continue;
            };
            opened += 1;
            let first = stack.len();
            self.each_entry(tree, |name, kind| {
                let is_tree = matches!(kind, EntryKind::Tree(_));
                let slash: &[u8] = if is_tree { b"/" } else { b"" };
                path_bytes += path.len() + name.len();
                // A crafted tree can expand to more than fits into memory.
                if path_bytes <= max_bytes {
                    stack.push(([&path, name, slash].concat(), kind));
                }
            })?;
            if files.len() + stack.len() > self.list_limit
                || opened > self.list_limit
                || path_bytes > max_bytes
            {
                return Err(GitError::TooManyFiles(root.to_string()));
            }
            if let Some(new) = stack.get_mut(first..) {
                new.reverse();
            }
        }
        Ok(files)
    }

    /// Reads a blob, or in a view a part or a group that was listed.
    ///
    /// # Errors
    /// When it is missing, corrupt or larger than 64 MB.
    pub fn blob(&mut self, id: BlobId) -> Result<Arc<Vec<u8>>, GitError> {
        if let Some(part) = self.part_content(id)? {
            return Ok(part);
        }
        if let Some(group) = self.group_content(id)? {
            return Ok(group);
        }
        self.blob_within(id, self.limit)
    }

    /// Reads a blob that has at most `limit` bytes.
    fn blob_within(&mut self, id: BlobId, limit: u64) -> Result<Arc<Vec<u8>>, GitError> {
        self.note(&id.0);
        let found = self.blobs.find(&self.packs, &object_id(&id.0), limit);
        self.object(found, ObjectKind::Blob, &id.0, limit)
    }

    /// Reads a blob; `None` if it has more than `limit` bytes.
    ///
    /// # Errors
    /// When it is missing or corrupt.
    pub fn small_blob(
        &mut self,
        id: BlobId,
        limit: usize,
    ) -> Result<Option<Arc<Vec<u8>>>, GitError> {
        let all = std::mem::replace(&mut self.limit, limit as u64);
        let found = self.blob(id);
        self.limit = all;
        match found {
            Err(GitError::TooLarge { .. }) => Ok(None),
            found => Ok(Some(found?).filter(|bytes| bytes.len() <= limit)),
        }
    }

    /// Whether a blob is larger than those that are read.
    pub(crate) fn is_too_large(&self, id: BlobId) -> Result<bool, GitError> {
        Ok(self.size(ObjectKind::Blob, &id.0)? > self.limit)
    }

    /// Frees the caches.
    pub fn forget(&mut self) {
        self.structure.clear();
        self.blobs.clear();
    }

    /// Checks that an object of any size is readable.
    pub(crate) fn verify(&self, kind: ObjectKind, id: &[u8; 20]) -> Result<(), GitError> {
        find(&self.odb, kind, id).map(drop)
    }

    /// The parts or groups that a view shows as the directory `tree`, if it does.
    fn listing(&mut self, tree: TreeId) -> Result<Option<Listing>, GitError> {
        match self.group_listing(tree)? {
            None => self.part_listing(tree),
            groups => Ok(groups),
        }
    }

    /// Calls `each` with the name and object of each entry of a tree, in git's order.
    ///
    /// # Errors
    /// When it is missing or corrupt.
    pub fn each_entry(
        &mut self,
        id: TreeId,
        mut each: impl FnMut(&[u8], EntryKind),
    ) -> Result<(), GitError> {
        if let Some(listing) = self.listing(id)? {
            let files = listing.iter();
            files.for_each(|(name, file)| each(name, EntryKind::File(*file)));
            return Ok(());
        }
        let bytes = self.load(ObjectKind::Tree, &id.0)?;
        match &self.view {
            None => each_in(&bytes, id, each),
            Some(view) => each_in(&bytes, id, |name, kind| each(name, view.kind(name, kind))),
        }
    }

    fn note(&self, id: &[u8; 20]) {
        if let Some(read) = &self.read_objects {
            read.insert(*id);
        }
    }

    /// Reads a commit or a tree.
    fn load(&mut self, kind: ObjectKind, id: &[u8; 20]) -> Result<Arc<Vec<u8>>, GitError> {
        self.note(id);
        let oid = object_id(id);
        // The empty tree exists in every repository, even if it is not stored.
        if kind == ObjectKind::Tree && oid.is_empty_tree() {
            return Ok(Arc::default());
        }
        let found = self.structure.find(&self.packs, &oid, self.limit);
        self.object(found, kind, id, self.limit)
    }

    /// The bytes of an object that was looked up in the mapped packs. Reads it with gix if they do not contain it.
    fn object(
        &self,
        found: Lookup,
        kind: ObjectKind,
        id: &[u8; 20],
        limit: u64,
    ) -> Result<Arc<Vec<u8>>, GitError> {
        let size = match found {
            Lookup::Found(found) => return expect(kind, found.kind, id).map(|()| found.bytes),
            Lookup::TooLarge(size) => size,
            Lookup::NotInPacks => match self.size(kind, id)? {
                size if size <= limit => return find(&self.odb, kind, id).map(Arc::new),
                size => size,
            },
        };
        Err(GitError::TooLarge {
            kind,
            id: hex(id),
            size,
        })
    }

    /// The commit with that id, or the only one whose id begins so.
    fn commit_named(&self, id: &str) -> Option<CommitId> {
        if let Ok(id) = id.parse() {
            return Some(id);
        }
        let prefix = gix::hash::Prefix::from_hex(id).ok()?;
        let mut objects = HashSet::new();
        self.odb.lookup_prefix(prefix, Some(&mut objects)).ok()?;
        let is_commit = |id: &gix::ObjectId| {
            let header = self.odb.try_header(id).ok().flatten();
            header.is_some_and(|header| header.kind == gix::objs::Kind::Commit)
        };
        let mut commits = objects.iter().filter(|id| is_commit(id));
        let commit = commits.next()?;
        commits.next().is_none().then(|| CommitId(raw(commit)))
    }

    /// The size of an object in bytes, from its header.
    fn size(&self, kind: ObjectKind, id: &[u8; 20]) -> Result<u64, GitError> {
        let header = self.odb.try_header(&object_id(id));
        let header = header.map_err(|error| damaged(kind, id, &error))?;
        let header = header.ok_or_else(|| missing(kind, id))?;
        expect(kind, header.kind, id)?;
        Ok(header.size)
    }
}

/// Finds an object with gix.
fn find(odb: &OdbHandle, kind: ObjectKind, id: &[u8; 20]) -> Result<Vec<u8>, GitError> {
    let mut bytes = Vec::new();
    let cache = &mut gix::odb::pack::cache::Never;
    let found = odb.try_find_cached(&object_id(id), &mut bytes, cache);
    let found = found.map_err(|error| damaged(kind, id, &error))?;
    let (data, _) = found.ok_or_else(|| missing(kind, id))?;
    expect(kind, data.kind, id)?;
    Ok(bytes)
}

fn expect(expected: ObjectKind, found: ObjectKind, id: &[u8; 20]) -> Result<(), GitError> {
    if found == expected {
        return Ok(());
    }
    Err(GitError::WrongKind {
        id: hex(id),
        expected,
        found,
    })
}

/// The number of parents in the header of a commit; `usize::MAX` if it has no tree.
fn parent_lines(commit: &[u8]) -> usize {
    let lines = commit.split(|byte| *byte == b'\n');
    let mut lines = lines.take_while(|line| !line.is_empty());
    match lines.next() {
        Some(tree) if tree.len() == 45 && tree.starts_with(b"tree ") => {
            lines.filter(|line| line.starts_with(b"parent ")).count()
        }
        _ => usize::MAX,
    }
}
