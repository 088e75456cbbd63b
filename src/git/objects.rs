//! Reading objects: one reader per thread, with caches of its own.

use std::collections::HashSet;
use std::sync::Arc;

use gix::objs::tree::EntryKind as GixEntryKind;
use gix::objs::{CommitRef, CommitRefIter, FindHeader, TreeRefIter};
use gix::odb::pack::Find;
use gix::odb::pack::cache::lru::MemoryCappedHashmap;

use super::error::one_line;
use super::{Commit, CommitOutline, EntryKind, GitError, Mailmap, ObjectKind, PathEntry, TreeEntry, people};
use crate::model::{BlobId, CommitId, TreeId};

/// The size in bytes up to which a blob is read (design, section 4).
pub const BLOB_LIMIT: u64 = 64 * 1024 * 1024;

/// How many files [`ObjectReader::list_files`] lists at most, and how many folders it opens.
const LIST_LIMIT: usize = 1_000_000;

/// Bytes that a reader keeps of commits and trees, as bases of others.
const SMALL_OBJECT_CACHE: usize = 16 * 1024 * 1024;

type Handle = gix::odb::store::Handle<gix::parallel::OwnShared<gix::odb::Store>>;

/// One thread's view of a repository, with its own caches.
pub struct ObjectReader {
    odb: Handle,
    shallow: Arc<HashSet<CommitId>>,
    /// Delta bases among commits and trees.
    small: MemoryCappedHashmap,
    /// Delta bases among blobs.
    blobs: MemoryCappedHashmap,
    /// The object that is being looked at.
    buffer: Vec<u8>,
    /// The size in bytes up to which a blob is read.
    limit: u64,
    /// How many files are listed, and how many folders opened for it.
    list_limit: usize,
}

impl std::fmt::Debug for ObjectReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ObjectReader").finish_non_exhaustive()
    }
}

impl ObjectReader {
    pub(super) fn new(repository: &gix::ThreadSafeRepository, shallow: Arc<HashSet<CommitId>>) -> Self {
        let mut odb = repository.objects.to_handle();
        odb.ignore_replacements = true;
        Self {
            odb,
            shallow,
            small: MemoryCappedHashmap::new(SMALL_OBJECT_CACHE),
            blobs: MemoryCappedHashmap::new(SMALL_OBJECT_CACHE),
            buffer: Vec::new(),
            limit: BLOB_LIMIT,
            list_limit: LIST_LIMIT,
        }
    }

    /// Reads a commit.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn commit(&mut self, id: CommitId) -> Result<Commit, GitError> {
        self.load(ObjectKind::Commit, &id.0)?;
        let read = CommitRef::from_bytes(&self.buffer, gix::hash::Kind::Sha1)
            .map_err(|error| damaged(ObjectKind::Commit, &id.0, &error))?;
        let encoding = read.encoding.map(|name| name.as_ref());
        Ok(Commit {
            id,
            tree: TreeId(raw(&read.tree())),
            parents: if self.shallow.contains(&id) {
                Vec::new()
            } else {
                read.parents().map(|parent| CommitId(raw(&parent))).collect()
            },
            author: people::signature(read.author, encoding),
            committer: people::signature(read.committer, encoding),
            message: people::text(read.message, encoding),
        })
    }

    /// Reads what a walk needs of a commit, which is cheaper than all of it.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn outline(&mut self, id: CommitId) -> Result<CommitOutline, GitError> {
        use gix::objs::commit::ref_iter::Token;
        self.load(ObjectKind::Commit, &id.0)?;
        let mut outline = CommitOutline { tree: TreeId([0; 20]), parents: Vec::new(), committed: 0 };
        for token in CommitRefIter::from_bytes(&self.buffer, gix::hash::Kind::Sha1) {
            match token.map_err(|error| damaged(ObjectKind::Commit, &id.0, &error))? {
                Token::Tree { id } => outline.tree = TreeId(raw(&id)),
                Token::Parent { id } => outline.parents.push(CommitId(raw(&id))),
                Token::Author { .. } => {}
                Token::Committer { signature } => {
                    outline.committed = signature.seconds();
                    break;
                }
                _ => break,
            }
        }
        if self.shallow.contains(&id) {
            outline.parents.clear();
        }
        Ok(outline)
    }

    /// Lists a tree, in git's own order.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn tree(&mut self, id: TreeId) -> Result<Vec<TreeEntry>, GitError> {
        let mut entries = Vec::new();
        self.each_entry(id, |name, kind| entries.push(TreeEntry { name: name.into(), kind }))?;
        Ok(entries)
    }

    /// What stands at `path` (parts joined by `/`) below a tree; the tree itself for an empty path.
    /// Looks at the trees on the way only.
    ///
    /// # Errors
    /// When a tree on the way is missing or damaged.
    pub fn entry_at(&mut self, root: TreeId, path: impl AsRef<[u8]>) -> Result<Option<EntryKind>, GitError> {
        let mut at = EntryKind::Tree(root);
        for part in path.as_ref().split(|byte| *byte == b'/').filter(|part| !part.is_empty()) {
            let EntryKind::Tree(tree) = at else {
                return Ok(None);
            };
            match self.child(tree, part)? {
                Some(kind) => at = kind,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    /// Lists every file, link and submodule below `folder` (a path from `root`; empty for all), in the byte order
    /// of paths that git itself uses. Nothing when there is no such folder.
    ///
    /// # Errors
    /// When a tree is missing or damaged, or there are more than a million files.
    pub fn list_files(&mut self, root: TreeId, folder: impl AsRef<[u8]>) -> Result<Vec<PathEntry>, GitError> {
        let folder = folder.as_ref();
        let Some(EntryKind::Tree(start)) = self.entry_at(root, folder)? else {
            return Ok(Vec::new());
        };
        let mut prefix = folder.to_vec();
        if !prefix.is_empty() && !prefix.ends_with(b"/") {
            prefix.push(b'/');
        }
        let mut files = Vec::new();
        let mut opened = 0;
        // What is still to do, the next one last.
        let mut stack = vec![(prefix, EntryKind::Tree(start))];
        while let Some((path, kind)) = stack.pop() {
            let EntryKind::Tree(tree) = kind else {
                files.push(PathEntry { path: path.into(), kind });
                continue;
            };
            opened += 1;
            let first = stack.len();
            self.each_entry(tree, |name, kind| {
                let slash: &[u8] = if matches!(kind, EntryKind::Tree(_)) { b"/" } else { b"" };
                stack.push(([&path, name, slash].concat(), kind));
            })?;
            if files.len() + stack.len() > self.list_limit || opened > self.list_limit {
                return Err(GitError::TooManyFiles(root.to_string()));
            }
            if let Some(new) = stack.get_mut(first..) {
                new.reverse();
            }
        }
        Ok(files)
    }

    /// The size of a blob in bytes.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn blob_size(&mut self, id: BlobId) -> Result<u64, GitError> {
        let header =
            self.odb.try_header(&object_id(&id.0)).map_err(|error| damaged(ObjectKind::Blob, &id.0, &error))?;
        let header = header.ok_or_else(|| missing(ObjectKind::Blob, &id.0))?;
        expect(ObjectKind::Blob, header.kind, &id.0)?;
        Ok(header.size)
    }

    /// Reads a blob into `into`, in place of what that held.
    ///
    /// # Errors
    /// When it is missing, damaged or larger than the limit of 64 MB.
    pub fn blob(&mut self, id: BlobId, into: &mut Vec<u8>) -> Result<(), GitError> {
        into.clear();
        let size = self.blob_size(id)?;
        if size > self.limit {
            return Err(GitError::TooLarge { id: id.to_string(), size });
        }
        find(&self.odb, ObjectKind::Blob, &id.0, into, &mut self.blobs)
    }

    /// The `.mailmap` at the top of a tree; an empty one when there is none.
    ///
    /// # Errors
    /// When the tree or the file is missing, damaged or too large.
    pub fn mailmap(&mut self, root: TreeId) -> Result<Mailmap, GitError> {
        match self.child(root, b".mailmap")? {
            Some(EntryKind::File(blob)) => {
                let mut bytes = Vec::new();
                self.blob(blob, &mut bytes)?;
                Ok(Mailmap::from_bytes(&bytes))
            }
            // Git does not follow a link here either.
            _ => Ok(Mailmap::default()),
        }
    }

    fn child(&mut self, tree: TreeId, name: &[u8]) -> Result<Option<EntryKind>, GitError> {
        self.load(ObjectKind::Tree, &tree.0)?;
        for entry in TreeRefIter::from_bytes(&self.buffer, gix::hash::Kind::Sha1) {
            let entry = entry.map_err(|error| damaged(ObjectKind::Tree, &tree.0, &error))?;
            if entry.filename == name {
                return Ok(Some(kind_of(&entry)));
            }
        }
        Ok(None)
    }

    fn each_entry(&mut self, id: TreeId, mut each: impl FnMut(&[u8], EntryKind)) -> Result<(), GitError> {
        self.load(ObjectKind::Tree, &id.0)?;
        for entry in TreeRefIter::from_bytes(&self.buffer, gix::hash::Kind::Sha1) {
            let entry = entry.map_err(|error| damaged(ObjectKind::Tree, &id.0, &error))?;
            each(entry.filename, kind_of(&entry));
        }
        Ok(())
    }

    /// Reads a commit or a tree into the buffer.
    fn load(&mut self, kind: ObjectKind, id: &[u8; 20]) -> Result<(), GitError> {
        self.buffer.clear();
        // Git knows the empty tree without having it.
        if kind == ObjectKind::Tree && object_id(id).is_empty_tree() {
            return Ok(());
        }
        find(&self.odb, kind, id, &mut self.buffer, &mut self.small)
    }
}

fn find(
    odb: &Handle,
    kind: ObjectKind,
    id: &[u8; 20],
    into: &mut Vec<u8>,
    cache: &mut MemoryCappedHashmap,
) -> Result<(), GitError> {
    let oid = object_id(id);
    let found = odb.try_find_cached(&oid, into, cache).map_err(|error| damaged(kind, id, &error))?;
    let (data, _) = found.ok_or_else(|| missing(kind, id))?;
    expect(kind, data.kind, id)
}

fn expect(expected: ObjectKind, found: gix::objs::Kind, id: &[u8; 20]) -> Result<(), GitError> {
    let found = ObjectKind::from(found);
    if found == expected {
        return Ok(());
    }
    Err(GitError::WrongKind { id: hex(id), expected, found })
}

fn kind_of(entry: &gix::objs::tree::EntryRef<'_>) -> EntryKind {
    let id = raw(entry.oid);
    match entry.mode.kind() {
        GixEntryKind::Tree => EntryKind::Tree(TreeId(id)),
        GixEntryKind::Blob | GixEntryKind::BlobExecutable => EntryKind::File(BlobId(id)),
        GixEntryKind::Link => EntryKind::Symlink(BlobId(id)),
        GixEntryKind::Commit => EntryKind::Submodule(CommitId(id)),
    }
}

/// The bytes of an id. Only SHA-1 repositories are opened, so that there are always 20.
fn raw(id: &gix::oid) -> [u8; 20] {
    id.as_bytes().try_into().unwrap_or_default()
}

fn object_id(id: &[u8; 20]) -> gix::ObjectId {
    gix::ObjectId::Sha1(*id)
}

fn hex(id: &[u8; 20]) -> String {
    CommitId(*id).to_string()
}

fn missing(kind: ObjectKind, id: &[u8; 20]) -> GitError {
    GitError::Missing { kind, id: hex(id) }
}

fn damaged(kind: ObjectKind, id: &[u8; 20], error: &gix::Error) -> GitError {
    GitError::Damaged { kind, id: hex(id), reason: one_line(error) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Repository;
    use crate::git::testing::TestRepository;
    use gix::objs::tree::EntryKind as Mode;

    fn reader(test: &TestRepository) -> ObjectReader {
        Repository::open(test.path()).unwrap().reader()
    }

    #[test]
    fn a_commit_is_read_with_parents_people_and_message() {
        let mut test = TestRepository::new();
        let first = test.commit(&[], &[("a", "1")], "first");
        let second = test.commit(&[first], &[("a", "2")], "second\n\nwith a body\n");
        let mut reader = reader(&test);
        let read = reader.commit(second).unwrap();
        assert_eq!(read.parents, [first]);
        assert_eq!(read.message, "second\n\nwith a body\n");
        assert_eq!((read.author.name.as_str(), read.author.email.as_str()), ("Ada", "ada@example.org"));
        assert_eq!((read.committer.time.seconds, read.committer.time.offset), (1_700_000_120, 7200));
        let outline = CommitOutline { tree: read.tree, parents: read.parents, committed: 1_700_000_120 };
        assert_eq!(reader.outline(second).unwrap(), outline);
    }

    #[test]
    fn a_path_leads_to_a_file_a_folder_or_nothing() {
        let test = TestRepository::new();
        let root = test.tree(&[("src/_locales/en/messages.json", "{}"), ("link", "->src")]);
        let mut reader = reader(&test);
        let file = EntryKind::File(test.blob(b"{}"));
        assert_eq!(reader.entry_at(root, "src/_locales/en/messages.json").unwrap(), Some(file));
        assert!(matches!(reader.entry_at(root, "src/_locales").unwrap(), Some(EntryKind::Tree(_))));
        assert!(matches!(reader.entry_at(root, "link").unwrap(), Some(EntryKind::Symlink(_))));
        assert_eq!(reader.entry_at(root, "").unwrap(), Some(EntryKind::Tree(root)));
        assert_eq!(reader.entry_at(root, "src/nothing/en").unwrap(), None);
        assert_eq!(reader.entry_at(root, "link/_locales").unwrap(), None);
    }

    #[test]
    fn files_are_listed_in_the_order_of_paths() {
        let test = TestRepository::new();
        let files = [("b/a", "1"), ("b.txt", "2"), ("b/c/d", "3"), ("a", "4"), ("b0", "->a")];
        let root = test.tree(&files);
        let mut reader = reader(&test);
        let paths = |files: Vec<PathEntry>| -> Vec<String> {
            files.iter().map(|file| String::from_utf8_lossy(&file.path).into_owned()).collect()
        };
        assert_eq!(paths(reader.list_files(root, "").unwrap()), ["a", "b.txt", "b/a", "b/c/d", "b0"]);
        assert_eq!(paths(reader.list_files(root, "b").unwrap()), ["b/a", "b/c/d"]);
        assert!(reader.list_files(root, "a").unwrap().is_empty());
        assert!(reader.list_files(root, "c").unwrap().is_empty());
        assert_eq!(reader.tree(root).unwrap().len(), 4);
    }

    #[test]
    fn a_tree_bomb_is_refused_instead_of_listed() {
        let test = TestRepository::new();
        let mut tree = test.tree(&[("f", "x")]);
        for _ in 0..7 {
            let entries = (0..10).map(|n| gix::objs::tree::Entry {
                mode: Mode::Tree.into(),
                filename: format!("d{n}").into(),
                oid: gix::ObjectId::Sha1(tree.0),
            });
            let bomb = gix::objs::Tree { entries: entries.collect() };
            tree = TreeId(raw(&test.repository.write_object(bomb).unwrap()));
        }
        let mut reader = reader(&test);
        reader.list_limit = 1000;
        assert!(matches!(reader.list_files(tree, ""), Err(GitError::TooManyFiles(_))));
    }

    #[test]
    fn a_blob_is_read_whole_and_its_size_is_known_before() {
        let test = TestRepository::new();
        let id = test.blob(b"{\"a\": 1}");
        let mut reader = reader(&test);
        let mut bytes = b"what was there before".to_vec();
        reader.blob(id, &mut bytes).unwrap();
        assert_eq!(bytes, b"{\"a\": 1}");
        assert_eq!(reader.blob_size(id).unwrap(), 8);
    }

    #[test]
    fn what_is_missing_or_of_another_kind_is_said_so() {
        let test = TestRepository::new();
        let blob = test.blob(b"x");
        let mut reader = reader(&test);
        let error = reader.commit(CommitId([7; 20])).unwrap_err();
        let id = "07".repeat(20);
        assert_eq!(error.to_string(), format!("the commit {id} is missing from the repository"));
        assert!(error.is_damage());
        assert!(matches!(reader.blob_size(BlobId([7; 20])), Err(GitError::Missing { .. })));
        assert!(matches!(reader.tree(TreeId(blob.0)), Err(GitError::WrongKind { .. })));
        assert!(matches!(reader.blob(BlobId([7; 20]), &mut Vec::new()), Err(GitError::Missing { .. })));
    }

    #[test]
    fn the_empty_tree_has_no_entries_even_when_nobody_wrote_it() {
        let test = TestRepository::new();
        let empty = TreeId(raw(&gix::ObjectId::empty_tree(gix::hash::Kind::Sha1)));
        assert!(reader(&test).tree(empty).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_object_is_an_error_and_nothing_worse() {
        let test = TestRepository::new();
        let id = test.blob(b"some text that is stored in a file of its own");
        let hex = id.to_string();
        let path = test.path().join("objects").join(&hex[..2]).join(&hex[2..]);
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, b"x\x9c this is no zlib stream").unwrap();
        let error = reader(&test).blob(id, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, GitError::Damaged { .. }), "{error}");
    }

    #[test]
    fn a_blob_beyond_the_limit_is_refused_by_its_header() {
        let test = TestRepository::new();
        let mut reader = reader(&test);
        reader.limit = 1000;
        let mut bytes = Vec::new();
        reader.blob(test.blob(&[b' '; 1000]), &mut bytes).unwrap();
        assert_eq!(bytes.len(), 1000);
        let error = reader.blob(test.blob(&[b' '; 1001]), &mut bytes).unwrap_err();
        assert!(matches!(error, GitError::TooLarge { size: 1001, .. }));
    }

    #[test]
    fn the_mailmap_of_a_tree_is_read_but_not_through_a_link() {
        let test = TestRepository::new();
        let line = "Ada L <a@example.org> <b@example.org>\n";
        let with = test.tree(&[(".mailmap", line)]);
        let link = test.tree(&[(".mailmap", "->x"), ("x", line)]);
        let without = test.tree(&[("x", line)]);
        let mut reader = reader(&test);
        assert_eq!(reader.mailmap(with).unwrap().resolve("b", "B@example.org").0, "Ada L");
        assert_eq!(reader.mailmap(link).unwrap().resolve("b", "B@example.org").0, "b");
        assert_eq!(reader.mailmap(without).unwrap().resolve("b", "B@example.org").0, "b");
    }

    #[test]
    fn every_kind_of_entry_is_told_apart() {
        let test = TestRepository::new();
        let blob = test.blob(b"x");
        let mut reader = reader(&test);
        let run = test.tree_of("run", Mode::BlobExecutable, blob.0);
        assert_eq!(reader.entry_at(run, "run").unwrap(), Some(EntryKind::File(blob)));
        let module = test.tree_of("module", Mode::Commit, [9; 20]);
        assert_eq!(reader.entry_at(module, "module").unwrap(), Some(EntryKind::Submodule(CommitId([9; 20]))));
    }

    #[test]
    fn history_ends_where_a_shallow_repository_ends() {
        let mut test = TestRepository::new();
        let first = test.commit(&[], &[("a", "1")], "first");
        let second = test.commit(&[first], &[("a", "2")], "second");
        std::fs::write(test.path().join("shallow"), format!("{second}\n")).unwrap();
        let repository = Repository::open(test.path()).unwrap();
        assert!(repository.is_shallow(second) && !repository.is_shallow(first));
        assert!(repository.reader().commit(second).unwrap().parents.is_empty());
        assert!(repository.reader().outline(second).unwrap().parents.is_empty());
    }

    #[test]
    fn a_repository_can_be_read_from_many_threads() {
        fn shared<T: Clone + Send + Sync>(_: &T) {}
        fn movable<T: Send>(_: &T) {}
        let test = TestRepository::new();
        let repository = Repository::open(test.path()).unwrap();
        shared(&repository);
        movable(&repository.reader());
    }

    #[test]
    fn a_folder_without_a_repository_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let error = Repository::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("cannot be opened as a git repository"), "{error}");
        assert!(error.contains(&*folder.path().to_string_lossy()));
    }
}
