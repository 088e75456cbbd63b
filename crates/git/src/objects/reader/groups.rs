//! Groups of files: readers of a view show the files of a language as one file (`docs/spec/change-log.md#groups`).
//!
//! Knows no patterns: a [`FileGrouper`] says which files are a group. A group is named by the paths and blobs of its files.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::ObjectReader;
use super::parts::Listing;
use crate::error::GitError;
use crate::objects::raw::blob_id;
use crate::types::EntryKind;
use gitglot_model::{
    BlobId, MAX_GROUP_BYTES, MAX_GROUP_DEPTH, MAX_GROUPED_BYTES, MAX_GROUPED_FILES, SeededMap,
    TreeId, join_path, steps,
};

/// Says which files are a group.
pub trait FileGrouper: Send + Sync {
    /// Whether a directory of groups has that name.
    fn is_folder(&self, name: &str) -> bool;

    /// The names of the directories of groups.
    fn folders(&self) -> Vec<String>;

    /// Whether files of groups can be below a directory. Paths are relative to the parent of the directory of groups.
    fn opens(&self, folder: &str, path: &str) -> bool;

    /// The name of the group of a file, and the path of the file in it.
    fn place(&self, folder: &str, path: &str) -> Option<(String, String)>;

    /// What a file says that it was made from: the id of a commit or its first digits, and the path of a file.
    fn made_from(&self, path: &str, bytes: &[u8]) -> Option<(String, String)>;

    /// The path of the group with the source texts; `""` if there is none.
    fn sources(&self) -> String;

    /// Most bytes of a file that counts.
    fn max_bytes(&self) -> usize;

    /// Adds a file to the content of a group.
    fn add(&self, path: &str, bytes: &[u8], content: &mut Vec<u8>);
}

/// The maximum number of files and directories that are read for the groups of a tree.
const MAX_ENTRIES: usize = 1_000_000;

/// The longest path of a file, in bytes. Files with a longer one do not count.
const MAX_PATH: usize = 4096;

/// The bytes of lists in memory above which they are dropped. Trees are read again when the lists are needed.
const MAX_CACHED: usize = 256 << 20;

/// A file of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupedFile {
    /// Its path in the group.
    pub path: Box<str>,
    /// Its content.
    pub blob: BlobId,
}

/// The files of a group that are in the same directory. Versions share equal ones.
#[derive(Clone, Debug)]
pub struct GroupedFiles {
    id: BlobId,
    files: Arc<[GroupedFile]>,
}

impl GroupedFiles {
    /// `None` for names that attack SHA-1.
    fn new(files: Vec<GroupedFile>) -> Option<Self> {
        let mut content = Vec::new();
        for file in &files {
            content.extend_from_slice(file.path.as_bytes());
            content.push(0);
            content.extend_from_slice(&file.blob.0);
        }
        Some(Self {
            id: blob_id(&*content, content.len() as u64).ok()?,
            files: files.into(),
        })
    }

    /// The files by directory. The files of a directory follow each other.
    pub fn by_folder(files: Vec<GroupedFile>) -> Vec<Self> {
        let folder = |file: &GroupedFile| file.path.rfind('/').unwrap_or_default();
        let folder = |file: &GroupedFile| file.path[..folder(file)].to_owned();
        let mut found: Vec<Vec<GroupedFile>> = Vec::new();
        for file in files {
            match found.last_mut() {
                Some(last) if last.last().map(folder) == Some(folder(&file)) => last.push(file),
                _ => found.push(vec![file]),
            }
        }
        found.into_iter().filter_map(Self::new).collect()
    }

    /// Whether these are the same files with the same content.
    pub fn is_same(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl std::ops::Deref for GroupedFiles {
    type Target = [GroupedFile];

    fn deref(&self) -> &[GroupedFile] {
        &self.files
    }
}

/// The files of a group, by directory. The files of a directory precede those of the directories in it.
pub type FileGroup = Arc<[GroupedFiles]>;

/// The id of a group. `None` for content that attacks SHA-1.
pub fn group_id(folders: &[GroupedFiles]) -> Option<BlobId> {
    let content: Vec<[u8; 20]> = folders.iter().map(|files| files.id.0).collect();
    let content = content.as_flattened();
    blob_id(content, content.len() as u64).ok()
}

/// The files of each group below a directory.
type Subtree = Arc<BTreeMap<String, Vec<GroupedFiles>>>;

/// What the readers of a repository show as groups.
pub(crate) struct GroupView {
    grouper: Box<dyn FileGrouper>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// The parent and the name of each directory of groups.
    folders: SeededMap<TreeId, (TreeId, Arc<str>)>,
    /// The directory of each group.
    folders_of: SeededMap<BlobId, TreeId>,
    lists: Lists,
}

/// What can be read again.
#[derive(Default)]
struct Lists {
    listings: SeededMap<TreeId, Listing>,
    groups: SeededMap<BlobId, FileGroup>,
    /// The files of groups, by the parts of their paths from the end.
    by_ending: SeededMap<BlobId, Arc<[GroupedFile]>>,
    subtrees: SeededMap<(Arc<str>, String, TreeId), Subtree>,
    /// The bytes in these maps, about.
    bytes: usize,
}

impl GroupView {
    pub(crate) fn new(grouper: Box<dyn FileGrouper>) -> Self {
        Self {
            grouper,
            known: Mutex::default(),
        }
    }

    /// The directory of groups with that name in a tree; `None` if the name is another one.
    fn folder(&self, parent: TreeId, name: &[u8]) -> Option<TreeId> {
        let name = std::str::from_utf8(name).ok()?;
        if !self.grouper.is_folder(name) {
            return None;
        }
        let content = [&parent.0, name.as_bytes()].concat();
        let id = TreeId(blob_id(&*content, content.len() as u64).ok()?.0);
        let folders = &mut self.known.lock().folders;
        folders.entry(id).or_insert_with(|| (parent, name.into()));
        Some(id)
    }

    /// The tree in whose groups a group is.
    fn tree_of(&self, group: BlobId) -> Option<TreeId> {
        let known = self.known.lock();
        let folder = known.folders_of.get(&group)?;
        Some(known.folders.get(folder)?.0)
    }
}

impl ObjectReader {
    /// In a view, the directory of groups with that name in a tree.
    pub(super) fn group_folder(&self, parent: TreeId, name: &[u8]) -> Option<TreeId> {
        self.groups.as_ref()?.folder(parent, name)
    }

    /// The groups in a directory of groups, if it is one.
    pub(super) fn group_listing(&mut self, folder: TreeId) -> Result<Option<Listing>, GitError> {
        let Some(view) = self.groups.clone() else {
            return Ok(None);
        };
        if let Some(listing) = view.known.lock().lists.listings.get(&folder) {
            return Ok(Some(listing.clone()));
        }
        let Some(groups) = self.groups_in(&view, folder)? else {
            return Ok(None);
        };
        let mut known = view.known.lock();
        let ids = groups.iter().filter_map(|(name, files)| {
            let id = group_id(files)?;
            known.folders_of.entry(id).or_insert(folder);
            Some((name.as_bytes().into(), id))
        });
        let listing: Listing = ids.collect();
        known.lists.bytes += listing.len() * size_of::<(Box<[u8]>, BlobId)>();
        known.lists.listings.insert(folder, listing.clone());
        Ok(Some(listing))
    }

    /// The files of the groups in a directory of groups, if it is one.
    fn groups_in(&mut self, view: &GroupView, folder: TreeId) -> Result<Option<Subtree>, GitError> {
        let (parent, name) = {
            let mut known = view.known.lock();
            if known.lists.bytes > MAX_CACHED {
                known.lists = Lists::default();
            }
            match known.folders.get(&folder) {
                Some(folder) => folder.clone(),
                None => return Ok(None),
            }
        };
        let mut entries = MAX_ENTRIES;
        let groups = self.subtree(view, &name, "", parent, 0, &mut entries)?;
        let count = |files: &Vec<GroupedFiles>| files.iter().map(|list| list.len()).sum::<usize>();
        if groups
            .values()
            .any(|files| count(files) > MAX_GROUPED_FILES)
        {
            Err(GitError::LargeGroup(parent.to_string()))
        } else {
            Ok(Some(groups))
        }
    }

    /// The files of a group that was listed; `None` for other ids.
    ///
    /// # Errors
    /// If a tree is missing or corrupt.
    pub fn group(&mut self, id: BlobId) -> Result<Option<FileGroup>, GitError> {
        let Some(view) = self.groups.clone() else {
            return Ok(None);
        };
        let folder = {
            let known = view.known.lock();
            if let Some(group) = known.lists.groups.get(&id) {
                return Ok(Some(group.clone()));
            }
            match known.folders_of.get(&id) {
                Some(&folder) => folder,
                None => return Ok(None),
            }
        };
        let Some(groups) = self.groups_in(&view, folder)? else {
            return Ok(None);
        };
        let found = groups.values().find(|files| group_id(files) == Some(id));
        let found: Option<FileGroup> = found.map(|files| files.as_slice().into());
        if let Some(group) = &found {
            let lists = &mut view.known.lock().lists;
            lists.bytes += size_of_val(&**group);
            lists.groups.insert(id, group.clone());
        }
        Ok(found)
    }

    /// The content of a file of a group; empty if it is too large to count.
    ///
    /// # Errors
    /// If it is missing or corrupt.
    pub fn grouped_file(&mut self, file: &GroupedFile) -> Result<Arc<Vec<u8>>, GitError> {
        let view = self.groups.as_ref();
        let limit = view.map_or(MAX_GROUPED_BYTES, |view| view.grouper.max_bytes());
        match self.blob_within(file.blob, limit as u64) {
            Err(GitError::TooLarge { .. }) => Ok(Arc::default()),
            read => read,
        }
    }

    /// The content of the file that a file of a group was made from, if the repository has it.
    ///
    /// # Errors
    /// If it is corrupt.
    pub fn made_from(
        &mut self,
        file: &GroupedFile,
        bytes: &[u8],
    ) -> Result<Option<Arc<Vec<u8>>>, GitError> {
        let view = self.groups.clone();
        let made_from = view.and_then(|view| view.grouper.made_from(&file.path, bytes));
        let Some((commit, path)) = made_from else {
            return Ok(None);
        };
        let Some(commit) = self.commit_named(&commit) else {
            return Ok(None);
        };
        let header = match self.commit_header(commit) {
            Ok(header) => header,
            // The document can name a commit of another repository.
            Err(GitError::Missing { .. } | GitError::WrongKind { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let found = match self.entry_at(header.tree, &path)?.and_then(EntryKind::file) {
            None => self.moved_source(header.tree, &file.path)?,
            found => found,
        };
        let Some(blob) = found else {
            return Ok(None);
        };
        let path = file.path.clone();
        self.grouped_file(&GroupedFile { path, blob }).map(Some)
    }

    /// The source of a file in an older tree, before it moved: the only one with the most parts of its path, from the end.
    fn moved_source(&mut self, tree: TreeId, path: &str) -> Result<Option<BlobId>, GitError> {
        let sources = self.groups.as_ref().map(|view| view.grouper.sources());
        let Some(sources) = sources.filter(|path| !path.is_empty()) else {
            return Ok(None);
        };
        let Some(EntryKind::File(group)) = self.entry_at(tree, &*sources)? else {
            return Ok(None);
        };
        let Some(files) = self.by_ending(group)? else {
            return Ok(None);
        };
        let common = |file: &GroupedFile| {
            let parts = file.path.rsplit('/').zip(path.rsplit('/'));
            parts.take_while(|(part, other)| part == other).count()
        };
        // The files with the most in common with a path are next to the index at which it would be sorted.
        let index = files.partition_point(|file| file.path.rsplit('/').lt(path.rsplit('/')));
        let near = &files[index.saturating_sub(2)..files.len().min(index + 2)];
        let most = near.iter().map(common).max().unwrap_or_default();
        let mut best = near.iter().filter(|file| most > 0 && common(file) == most);
        let first = best.next().map(|file| file.blob);
        Ok(first.filter(|_| best.next().is_none()))
    }

    /// The files of a group, by the parts of their paths from the end.
    fn by_ending(&mut self, id: BlobId) -> Result<Option<Arc<[GroupedFile]>>, GitError> {
        let Some(view) = self.groups.clone() else {
            return Ok(None);
        };
        if let Some(known) = view.known.lock().lists.by_ending.get(&id) {
            return Ok(Some(known.clone()));
        }
        let Some(group) = self.group(id)? else {
            return Ok(None);
        };
        let files = group.iter().flat_map(|files| files.iter().cloned());
        let mut files: Vec<GroupedFile> = files.collect();
        steps::count(files.len());
        files.sort_by(|one, other| one.path.rsplit('/').cmp(other.path.rsplit('/')));
        let files: Arc<[GroupedFile]> = files.into();
        let lists = &mut view.known.lock().lists;
        let bytes = files
            .iter()
            .map(|file| size_of::<GroupedFile>() + file.path.len());
        lists.bytes += bytes.sum::<usize>();
        lists.by_ending.insert(id, files.clone());
        Ok(Some(files))
    }

    /// The content of a group that was listed.
    pub(super) fn group_content(&mut self, id: BlobId) -> Result<Option<Arc<Vec<u8>>>, GitError> {
        let (Some(group), Some(view)) = (self.group(id)?, self.groups.clone()) else {
            return Ok(None);
        };
        let mut content = Vec::new();
        for file in group.iter().flat_map(|files| files.iter()) {
            let bytes = self.grouped_file(file)?;
            view.grouper.add(&file.path, &bytes, &mut content);
            if content.len() > MAX_GROUP_BYTES {
                return Err(GitError::LargeGroup(id.to_string()));
            }
        }
        Ok(Some(Arc::new(content)))
    }

    /// In a view, the id of a file or a tree that has this part or group.
    pub fn file_of_part(&self, part: BlobId) -> Option<BlobId> {
        let of_group = self.groups.as_ref().and_then(|view| view.tree_of(part));
        let of_part = || self.view.as_ref()?.file_of(part);
        of_group.map(|tree| BlobId(tree.0)).or_else(of_part)
    }

    /// Lists the parts or the groups of such a file or tree, so that they can be read although no tree listed it.
    ///
    /// # Errors
    /// If it is missing or corrupt.
    pub fn read_parts(&mut self, file: BlobId) -> Result<(), GitError> {
        if let Some(view) = self.groups.clone() {
            for name in view.grouper.folders() {
                if let Some(folder) = view.folder(TreeId(file.0), name.as_bytes()) {
                    self.group_listing(folder)?;
                }
            }
        }
        let tree = self.view.as_ref().map(|view| view.add_file(file));
        tree.map_or(Ok(()), |tree| self.listing(tree).map(drop))
    }

    /// The files of each group below a directory. `entries` is the number of files and directories that may still be read.
    fn subtree(
        &mut self,
        view: &GroupView,
        folder: &Arc<str>,
        path: &str,
        tree: TreeId,
        depth: usize,
        entries: &mut usize,
    ) -> Result<Subtree, GitError> {
        let key = (folder.clone(), path.to_owned(), tree);
        if let Some(known) = view.known.lock().lists.subtrees.get(&key) {
            return Ok(known.clone());
        }
        let (mut files, mut folders) = (BTreeMap::<_, Vec<GroupedFile>>::new(), Vec::new());
        let (mut read, mut bytes) = (1, path.len());
        self.each_entry(tree, |name, kind| {
            // A crafted tree can expand to more than fits into memory.
            read += 1 + (path.len() + name.len()) / 256;
            let Ok(name) = std::str::from_utf8(name) else {
                return;
            };
            if path.len() + name.len() > MAX_PATH || read > *entries {
                return;
            }
            let inner = join_path(path, name);
            match kind {
                EntryKind::File(blob) => {
                    if let Some((group, path)) = view.grouper.place(folder, &inner) {
                        bytes += path.len() + size_of::<GroupedFile>();
                        let path = path.into();
                        let of_group: &mut Vec<_> = files.entry(group).or_default();
                        of_group.push(GroupedFile { path, blob });
                    }
                }
                EntryKind::Tree(tree) if view.grouper.opens(folder, &inner) => {
                    folders.push((inner, tree));
                }
                _ => {}
            }
        })?;
        steps::count(read);
        let left = entries.checked_sub(read);
        *entries = left.ok_or_else(|| GitError::TooManyFiles(tree.to_string()))?;
        let groups = files.into_iter();
        let groups = groups.filter_map(|(group, it)| Some((group, vec![GroupedFiles::new(it)?])));
        let mut found: BTreeMap<String, Vec<GroupedFiles>> = groups.collect();
        if depth < MAX_GROUP_DEPTH {
            for (inner, tree) in folders {
                let below = self.subtree(view, folder, &inner, tree, depth + 1, entries)?;
                for (group, files) in below.iter() {
                    let all = found.entry(group.clone()).or_default();
                    all.extend_from_slice(files);
                }
            }
        }
        let lists = found
            .iter()
            .map(|(group, it)| group.len() + size_of_val(&**it));
        bytes += lists.sum::<usize>();
        let found: Subtree = Arc::new(found);
        let lists = &mut view.known.lock().lists;
        lists.bytes += bytes;
        lists.subtrees.insert(key, found.clone());
        Ok(found)
    }
}

#[cfg(test)]
#[path = "groups_tests.rs"]
mod tests;
