//! Lists the language files of many trees and caches each name and each subtree that it has seen.

use std::sync::Arc;

use super::layout::FileLayout;
use gitglot_git::{EntryKind, GitError, ObjectReader};
use gitglot_model::{BlobId, SeededMap, TreeId, join_path, language};

/// Most entries of the directories of a tree that a mask matches. A few trees can name the same directory very often.
const MAX_ENTRIES: usize = 1_000_000;

/// A path under one layout: its index in [`TreeLister::names`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NameIndex(pub u32);

/// A path under any layout: equal paths have equal indexes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PathIndex(u32);

/// The files of a tree under one layout, in the byte order of their paths.
pub type Listing = Arc<[(NameIndex, BlobId)]>;

/// All that a listing depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ListingKey {
    /// Index of the layout.
    pub layout: usize,
    /// The mask's fixed directory.
    pub folder: Option<TreeId>,
    /// A template that the mask does not match.
    pub template: Option<BlobId>,
}

/// A language that some path belongs to: its index in [`TreeLister::codes`].
pub type CodeIndex = u32;

/// A path, the language code that a mask finds in it, and the language of that code.
pub struct ListedPath {
    pub path: Arc<str>,
    pub index: PathIndex,
    pub code: Arc<str>,
    pub language: CodeIndex,
}

/// Meaning of a name in a directory.
#[derive(Clone, Copy)]
enum ListedName {
    Ignored,
    File(NameIndex),
    Folder(usize),
}

/// A directory that the mask matches.
struct MatchedFolder {
    layout: usize,
    path: String,
    level: usize,
    children: SeededMap<Box<[u8]>, ListedName>,
    /// Listings by tree. Unused for the outermost directory, whose trees seldom repeat.
    listings: SeededMap<TreeId, Listing>,
}

impl Default for ListLimit {
    fn default() -> Self {
        Self {
            max: MAX_ENTRIES,
            entries: 0,
            names: 0,
            cached: 0,
        }
    }
}

impl ListLimit {
    /// Whether a listing with this number of files costs too much.
    fn is_exceeded(&self, files: usize) -> bool {
        self.entries.max(files) > self.max || self.names > 2 * self.max
    }
}

/// Lists trees and caches its results.
#[derive(Default)]
pub struct TreeLister {
    pub names: Vec<ListedPath>,
    /// The codes of languages.
    pub codes: Vec<Arc<str>>,
    code_indexes: SeededMap<Arc<str>, CodeIndex>,
    name_indexes: SeededMap<(usize, PathIndex), NameIndex>,
    paths: SeededMap<Arc<str>, PathIndex>,
    folders: Vec<MatchedFolder>,
    /// The outermost directory of each layout.
    tops: SeededMap<usize, usize>,
    limit: ListLimit,
}

/// What listings cost.
struct ListLimit {
    /// The most entries of a listing; of names and of cached files a multiple.
    max: usize,
    /// The entries that the present listing read.
    entries: usize,
    /// The names in all directories.
    names: usize,
    /// The files of cached listings.
    cached: usize,
}

impl TreeLister {
    /// Looks up all that the listing of a tree depends on.
    pub fn key(
        &self,
        reader: &mut ObjectReader,
        index: usize,
        layout: &FileLayout,
        root: TreeId,
    ) -> Result<ListingKey, GitError> {
        let folder = match reader.entry_at(root, layout.mask.folder())? {
            Some(EntryKind::Tree(tree)) => Some(tree),
            _ => None,
        };
        let mut template = None;
        if layout.mask.matches(&layout.template).is_none()
            && let Some(EntryKind::File(blob)) = reader.entry_at(root, &*layout.template)?
        {
            template = Some(blob);
        }
        Ok(ListingKey {
            layout: index,
            folder,
            template,
        })
    }

    /// Lists the files of a tree with that key.
    pub fn list(
        &mut self,
        reader: &mut ObjectReader,
        layout: &FileLayout,
        key: ListingKey,
    ) -> Result<Listing, GitError> {
        let mut files = Vec::new();
        self.limit.entries = 0;
        if self.limit.cached > 4 * self.limit.max {
            let folders = self.folders.iter_mut();
            folders.for_each(|folder| folder.listings.clear());
            self.limit.cached = 0;
        }
        if let Some(tree) = key.folder {
            let top = match self.tops.get(&key.layout) {
                Some(&top) => top,
                None => {
                    let (path, level) = (layout.mask.folder(), layout.mask.folder_level());
                    let top = self.add_folder(key.layout, path.to_owned(), level);
                    self.tops.insert(key.layout, top);
                    top
                }
            };
            self.list_folder(reader, layout, top, tree, &mut files)?;
        }
        if let Some(blob) = key.template {
            let name = self.name(key.layout, &layout.template, &layout.template_code);
            let path = |name: NameIndex| &*self.names[name.0 as usize].path;
            let at = files.partition_point(|&(other, _)| *path(other) < *layout.template);
            files.insert(at, (name, blob));
        }
        Ok(files.into())
    }

    /// The index of a path that some listing contained.
    pub fn find(&self, path: &str) -> Option<PathIndex> {
        self.paths.get(path).copied()
    }

    /// The index of a path under a layout; allocates one for a new path.
    pub fn name(&mut self, layout: usize, path: &str, code: &str) -> NameIndex {
        let next = PathIndex(self.paths.len() as u32);
        let (path, index) = match self.paths.get_key_value(path) {
            Some((path, &index)) => (path.clone(), index),
            None => {
                let path: Arc<str> = path.into();
                self.paths.insert(path.clone(), next);
                (path, next)
            }
        };
        if let Some(&name) = self.name_indexes.get(&(layout, index)) {
            return name;
        }
        let name = NameIndex(self.names.len() as u32);
        let language = self.code(&language::resolve(code).code);
        self.names.push(ListedPath {
            path,
            index,
            code: code.into(),
            language,
        });
        self.name_indexes.insert((layout, index), name);
        name
    }

    /// The index of a language; allocates one for a new code.
    pub fn code(&mut self, code: &Arc<str>) -> CodeIndex {
        let codes = &mut self.codes;
        *self.code_indexes.entry(code.clone()).or_insert_with(|| {
            codes.push(code.clone());
            codes.len() as CodeIndex - 1
        })
    }

    fn add_folder(&mut self, layout: usize, path: String, level: usize) -> usize {
        let (children, listings) = (SeededMap::default(), SeededMap::default());
        self.folders.push(MatchedFolder {
            layout,
            path,
            level,
            children,
            listings,
        });
        self.folders.len() - 1
    }

    fn list_folder(
        &mut self,
        reader: &mut ObjectReader,
        layout: &FileLayout,
        folder: usize,
        tree: TreeId,
        files: &mut Vec<(NameIndex, BlobId)>,
    ) -> Result<(), GitError> {
        let mut found: Vec<(ListedName, EntryKind)> = Vec::new();
        let MatchedFolder { path, level, .. } = &self.folders[folder];
        let (path, prefix) = (path.clone(), layout.mask.level_prefix(*level));
        reader.each_starting_with(&path, tree, prefix, |name, kind| {
            self.limit.entries += 1;
            let child = match self.folders[folder].children.get(name) {
                Some(&child) => child,
                None if self.limit.is_exceeded(files.len()) => return,
                None => {
                    self.limit.names += 1;
                    let child = self.child(layout, folder, name);
                    self.folders[folder].children.insert(name.into(), child);
                    child
                }
            };
            if !matches!(child, ListedName::Ignored) {
                found.push((child, kind));
            }
        })?;
        for (child, kind) in found {
            if self.limit.is_exceeded(files.len()) {
                return Err(GitError::TooManyFiles(tree.to_string()));
            }
            match (child, kind) {
                (ListedName::File(name), EntryKind::File(blob)) => files.push((name, blob)),
                (ListedName::Folder(below), EntryKind::Tree(tree)) => {
                    if let Some(cached) = self.folders[below].listings.get(&tree) {
                        files.extend_from_slice(cached);
                        continue;
                    }
                    let start = files.len();
                    self.list_folder(reader, layout, below, tree, files)?;
                    self.limit.cached += files.len() - start;
                    let listings = &mut self.folders[below].listings;
                    listings.insert(tree, files[start..].into());
                }
                _ => {}
            }
        }
        if self.limit.is_exceeded(files.len()) {
            Err(GitError::TooManyFiles(tree.to_string()))
        } else {
            Ok(())
        }
    }

    fn child(&mut self, layout: &FileLayout, folder: usize, name: &[u8]) -> ListedName {
        let Ok(name) = std::str::from_utf8(name) else {
            return ListedName::Ignored;
        };
        let parent = &self.folders[folder];
        let (index, level) = (parent.layout, parent.level);
        if !layout.mask.matches_level(level, name) {
            return ListedName::Ignored;
        }
        let path = join_path(&parent.path, name);
        if level + 1 < layout.mask.depth() {
            return ListedName::Folder(self.add_folder(index, path, level + 1));
        }
        match layout.mask.matches(&path) {
            Some(code) => ListedName::File(self.name(index, &path, code)),
            None => ListedName::Ignored,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::layout::Layouts;
    use gitglot_git::Repository;
    use gitglot_model::{Component, ComponentSettings, FileFormat, FileMask, Slug};
    use gitglot_testkit::{Repo, commit};

    #[test]
    fn a_tree_with_too_many_entries_is_not_listed() {
        // The same tree of four files in each of three folders.
        let paths = ["a", "b", "c"].map(|part| {
            let files = ["cs", "de", "en", "uk"].into_iter();
            files.map(move |code| format!("parts/{part}/{code}.json"))
        });
        let one = paths.into_iter().flatten();
        let history = one.fold(commit("one"), |history, path| history.write(&path, "{}"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("repository.git");
        let repo = Repo::with(&path, &history);
        let component = Component::new(ComponentSettings::new(
            Slug::new("component").unwrap(),
            FileMask::new("parts/*/*.json").unwrap(),
            "",
            FileFormat::Json,
        ));
        let layouts = Layouts::configured(&component, "en");
        let layout = &layouts.list[0];
        let mut reader = Repository::open(path).unwrap().reader();
        let tree = reader.commit_header(repo.id("one")).unwrap().tree;
        let mut listed = |lister: &mut TreeLister| {
            let key = lister.key(&mut reader, 0, layout, tree).unwrap();
            lister.list(&mut reader, layout, key).map(|it| it.len())
        };
        let mut lister = TreeLister::default();
        // Three folders and their files.
        lister.limit.max = 15;
        assert_eq!(listed(&mut lister).unwrap(), 12);
        assert_eq!(listed(&mut lister).unwrap(), 12, "of known directories");
        assert_eq!((lister.limit.entries, lister.limit.cached), (3, 12));
        let mut lister = TreeLister::default();
        lister.limit.max = 14;
        let error = listed(&mut lister).unwrap_err().to_string();
        assert!(error.contains("too many files or directories"), "{error}");
    }
}
