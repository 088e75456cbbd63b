//! One state of a repository: the files of a commit, of the index or of the working tree.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use crate::error::LintError;
use gitglot_git::{EntryKind, ObjectReader, PathEntry, Repository};
use gitglot_history::{group_view, has_group_view};
use gitglot_model::{BlobId, CommitId, ComponentSettings, FileMask, SeededMap, TreeId, steps};

mod groups;
mod source_file;
mod work_tree;

pub(super) use source_file::SourceFile;
use work_tree::{OpenWorkTree, on_disk, unreadable, walk};

/// Most directories in the path of a directory whose entries are kept.
const MAX_CACHED_DEPTH: usize = 64;
/// Most lists of the files below a directory that are kept.
const MAX_LISTED: usize = 8;

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

/// The files of a state. Cheap to clone.
#[derive(Clone)]
pub struct RepositoryTree {
    repository: Repository,
    files: Files,
}

#[derive(Clone)]
enum Files {
    Commit(Arc<CommitTree>),
    Index(Arc<[PathEntry]>),
    WorkTree(Arc<OpenWorkTree>),
}

/// The entries of a directory, by name.
type Folder = SeededMap<Box<[u8]>, EntryKind>;

/// The tree of a commit. Many components have files in the same directories, which are read once.
struct CommitTree {
    root: TreeId,
    /// Whether it is read through a view with groups of files, which has paths from the root only.
    has_groups: bool,
    /// The entries of directories; of a path that is no directory none.
    folders: Mutex<SeededMap<String, Arc<Folder>>>,
    /// The files below the directories that were listed last, by path.
    listed: Mutex<VecDeque<(String, Arc<[PathEntry]>)>>,
}

impl Files {
    fn commit(root: TreeId, has_groups: bool) -> Self {
        Self::Commit(Arc::new(CommitTree {
            root,
            has_groups,
            folders: Mutex::default(),
            listed: Mutex::default(),
        }))
    }
}

impl RepositoryTree {
    /// Opens a state.
    ///
    /// # Errors
    /// If the commit or the index cannot be read, or a bare repository has no working tree.
    pub fn open(repository: &Repository, state: RepositoryState) -> Result<Self, LintError> {
        let files = match state {
            RepositoryState::Commit(commit) => {
                Files::commit(repository.reader().commit_header(commit)?.tree, false)
            }
            RepositoryState::Index => Files::Index(by_path(repository.index_files()?)),
            RepositoryState::WorkTree => Files::WorkTree(Arc::new(OpenWorkTree::new(
                repository.work_tree().ok_or(LintError::Bare)?,
                repository.work_tree_filter()?,
            ))),
        };
        Ok(Self {
            repository: repository.clone(),
            files,
        })
    }

    /// The state as a component shows it: with groups of files.
    pub(super) fn of_component(&self, component: &ComponentSettings) -> Self {
        let files = match &self.files {
            Files::Commit(tree) if has_group_view(component) => Files::commit(tree.root, true),
            files => files.clone(),
        };
        Self {
            repository: group_view(&self.repository, component),
            files,
        }
    }

    /// The entry at a path of a commit.
    fn entry(&self, commit: &CommitTree, path: &str) -> Result<Option<EntryKind>, LintError> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if commit.has_groups || name.is_empty() || folder.matches('/').count() > MAX_CACHED_DEPTH {
            return Ok(self.reader().entry_at(commit.root, path)?);
        }
        let entries = self.folder(commit, folder)?;
        Ok(entries.get(name.as_bytes()).copied())
    }

    /// What a commit has at a path.
    fn file_of(&self, commit: &CommitTree, path: &str) -> Result<Option<SourceFile>, LintError> {
        let kind = self.entry(commit, path)?;
        Ok(kind.map(|kind| match kind {
            EntryKind::File(blob) => SourceFile::new(path.to_owned(), blob, None),
            _ => SourceFile::irregular(path),
        }))
    }

    /// The entries of a directory of a commit.
    fn folder(&self, commit: &CommitTree, path: &str) -> Result<Arc<Folder>, LintError> {
        if let Some(known) = commit.folders.lock().get(path) {
            return Ok(known.clone());
        }
        let tree = match path {
            "" => Some(EntryKind::Tree(commit.root)),
            path => self.entry(commit, path)?,
        };
        let entries = match tree {
            Some(EntryKind::Tree(tree)) => self.reader().tree(tree)?,
            _ => Vec::new(),
        };
        let entries = entries.into_iter().map(|entry| (entry.name, entry.kind));
        let entries: Arc<Folder> = Arc::new(entries.collect());
        let mut folders = commit.folders.lock();
        Ok(folders.entry(path.to_owned()).or_insert(entries).clone())
    }

    /// The files below a directory of a commit, by path.
    fn listed(&self, commit: &CommitTree, folder: &str) -> Result<Arc<[PathEntry]>, LintError> {
        let of_folder = |(path, _): &&(String, _)| path == folder;
        if let Some((_, entries)) = commit.listed.lock().iter().find(of_folder) {
            return Ok(entries.clone());
        }
        let mut reader = self.reader();
        let entries = if folder.is_empty() || commit.has_groups {
            reader.list_files(commit.root, folder)?
        } else if let Some(EntryKind::Tree(tree)) = self.entry(commit, folder)? {
            let mut entries = reader.list_files(tree, "")?;
            for entry in &mut entries {
                entry.path = [folder.as_bytes(), b"/", &entry.path].concat().into();
            }
            entries
        } else {
            Vec::new()
        };
        let entries = by_path(entries);
        let mut listed = commit.listed.lock();
        listed.truncate(MAX_LISTED - 1);
        listed.push_front((folder.to_owned(), entries.clone()));
        Ok(entries)
    }

    /// The files of the index, by path.
    fn tracked(&self, known: &OnceLock<Arc<[PathEntry]>>) -> Result<Arc<[PathEntry]>, LintError> {
        if let Some(known) = known.get() {
            return Ok(known.clone());
        }
        let read = by_path(self.repository.index_files()?);
        Ok(known.get_or_init(|| read).clone())
    }

    /// A reader of the repository's objects, for one thread.
    pub(super) fn reader(&self) -> ObjectReader {
        self.repository.reader()
    }

    /// The files of the mask and the template of a component, unless its path is empty, by path, and what else has such a
    /// path. Groups of a commit need a view.
    pub(super) fn files(
        &self,
        component: &ComponentSettings,
    ) -> Result<Vec<SourceFile>, LintError> {
        let mask = &component.filemask;
        let of_groups;
        let template = if mask.has_groups() {
            if !matches!(self.files, Files::Commit(_)) {
                return groups::files(self, component);
            }
            of_groups = mask.source_path(&component.template);
            &of_groups
        } else {
            component.source_file()
        };
        let selects = |path: &str| path == template || mask.matches(path).is_some();
        let mut found = match &self.files {
            Files::Commit(commit) => {
                let entries = self.listed(commit, mask.folder())?;
                let mut found = selected(of_mask(&entries, mask), selects);
                if !template.is_empty() {
                    found.extend(self.file_of(commit, template)?);
                }
                found
            }
            Files::Index(entries) => {
                let mut found = selected(of_mask(entries, mask), selects);
                found.extend(selected(at_path(entries, template), selects));
                found
            }
            Files::WorkTree(tree) => {
                let OpenWorkTree { disk, filter, .. } = &**tree;
                let mut found = Vec::new();
                let folder = mask.folder();
                if let Some(opened) = disk.folder(folder).map_err(unreadable(folder))? {
                    walk(&opened, tree, folder, mask.folder_level(), mask, &mut found)?;
                }
                if !template.is_empty() {
                    let file = disk.open(template).map_err(unreadable(template))?;
                    found.extend(on_disk(file, template, filter)?);
                }
                found
            }
        };
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found.dedup_by(|a, b| a.path == b.path);
        Ok(found)
    }

    /// Whether there is a regular file at a path.
    ///
    /// # Errors
    /// If the tree or the file cannot be read.
    pub fn has_file(&self, path: &str) -> Result<bool, LintError> {
        Ok(self.file(path)?.is_some())
    }

    /// The content of a small file; `None` if there is none at the path, or it is larger than `limit`.
    ///
    /// # Errors
    /// If the tree or the file cannot be read.
    pub fn small_file(&self, path: &str, limit: usize) -> Result<Option<Vec<u8>>, LintError> {
        let Some(file) = self.file(path)? else {
            return Ok(None);
        };
        let bytes = match file.bytes {
            Some(bytes) => Some(bytes).filter(|bytes| bytes.len() <= limit),
            None => self.reader().small_blob(file.blob, limit)?,
        };
        Ok(bytes.map(|bytes| bytes.to_vec()))
    }

    /// All files; in a working tree those that git tracks.
    pub(super) fn all_files(&self) -> Result<Vec<SourceFile>, LintError> {
        let entries = match &self.files {
            Files::Commit(commit) => self.reader().list_files(commit.root, "")?.into(),
            Files::Index(entries) => entries.clone(),
            Files::WorkTree(tree) => self.tracked(&tree.tracked)?,
        };
        Ok(selected(&*entries, |_| true))
    }

    /// The paths of all regular files; in a working tree those that git tracks.
    ///
    /// # Errors
    /// If the tree or the index cannot be read.
    pub fn paths(&self) -> Result<Vec<String>, LintError> {
        let files = self.all_files()?.into_iter();
        let regular = files.filter(|file| file.is_regular);
        Ok(regular.map(|file| file.path).collect())
    }

    /// The content of one of [`Self::all_files`]; `None` if it is no regular file.
    pub(super) fn content(
        &self,
        file: &SourceFile,
        reader: &mut ObjectReader,
    ) -> Result<Option<Arc<Vec<u8>>>, LintError> {
        let on_disk = match &self.files {
            Files::WorkTree(..) => self.file(&file.path)?,
            Files::Commit(_) | Files::Index(_) => Some(file.clone()),
        };
        let file = on_disk.filter(|file| file.is_regular);
        file.map(|file| read(&file, reader)).transpose()
    }

    /// The regular file at a path.
    fn file(&self, path: &str) -> Result<Option<SourceFile>, LintError> {
        let found = match &self.files {
            Files::Commit(commit) => self.file_of(commit, path)?,
            Files::Index(entries) => selected(at_path(entries, path), |_| true).pop(),
            Files::WorkTree(tree) => {
                let file = tree.disk.open(path).map_err(unreadable(path))?;
                on_disk(file, path, &tree.filter)?
            }
        };
        Ok(found.filter(|file| file.is_regular))
    }

    /// Whether the working tree differs from a commit in the files of a component.
    ///
    /// # Errors
    /// If either cannot be read.
    pub fn differs(&self, other: &Self, component: &ComponentSettings) -> Result<bool, LintError> {
        let ids = |tree: &Self| -> Result<Vec<(String, BlobId)>, LintError> {
            let files = tree.of_component(component).files(component)?;
            let files = files.into_iter();
            Ok(files.map(|file| (file.path, file.blob)).collect())
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

/// The entries by path, which those of a damaged index need not be.
fn by_path(mut entries: Vec<PathEntry>) -> Arc<[PathEntry]> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    entries.into()
}

/// The entries below a folder, of entries by path.
fn below<'e>(entries: &'e [PathEntry], folder: &str) -> &'e [PathEntry] {
    if folder.is_empty() {
        return entries;
    }
    let prefix = [folder, "/"].concat().into_bytes();
    entries_from(entries, &prefix, |path| path.starts_with(&prefix))
}

/// The entries that a mask can match, of entries by path. Does not look at those in other directories.
fn of_mask<'e>(entries: &'e [PathEntry], mask: &FileMask) -> Vec<&'e PathEntry> {
    if mask.has_groups() {
        return entries.iter().collect();
    }
    let folder = match mask.folder() {
        "" => String::new(),
        folder => [folder, "/"].concat(),
    };
    let (level, mut found) = (mask.folder_level(), Vec::new());
    if mask.has_parts() {
        found.extend(at_path(entries, mask.as_str()));
    } else {
        add_of_mask(entries, folder.as_bytes(), level, mask, &mut found);
    }
    found
}

/// Adds the entries below a directory that a mask can match. `level` is the number of names in its path.
fn add_of_mask<'e>(
    entries: &'e [PathEntry],
    folder: &[u8],
    level: usize,
    mask: &FileMask,
    found: &mut Vec<&'e PathEntry>,
) {
    let start = [folder, mask.level_prefix(level).as_bytes()].concat();
    let mut rest = entries_from(entries, &start, |path| path.starts_with(&start));
    while let Some((first, others)) = rest.split_first() {
        steps::count(1);
        let name = first.path.get(folder.len()..).unwrap_or_default();
        let Some(end) = name.iter().position(|&byte| byte == b'/') else {
            found.extend((level + 1 == mask.depth()).then_some(first));
            rest = others;
            continue;
        };
        let inner = first.path.get(..=folder.len() + end).unwrap_or_default();
        let below = entries_from(rest, inner, |path| path.starts_with(inner));
        let name = std::str::from_utf8(&name[..end]);
        if level + 1 < mask.depth() && name.is_ok_and(|name| mask.matches_level(level, name)) {
            add_of_mask(below, inner, level + 1, mask, found);
        }
        rest = rest.get(below.len()..).unwrap_or_default();
    }
}

/// The entries of a path, of entries by path.
fn at_path<'e>(entries: &'e [PathEntry], path: &str) -> &'e [PathEntry] {
    entries_from(entries, path.as_bytes(), |entry| entry == path.as_bytes())
}

/// The entries from a path on, as long as their paths belong to it.
fn entries_from<'e>(
    entries: &'e [PathEntry],
    start: &[u8],
    belongs: impl Fn(&[u8]) -> bool,
) -> &'e [PathEntry] {
    let first = entries.partition_point(|entry| *entry.path < *start);
    let entries = entries.get(first..).unwrap_or_default();
    let count = entries.partition_point(|entry| belongs(&entry.path));
    entries.get(..count).unwrap_or_default()
}

fn selected<'e>(
    entries: impl IntoIterator<Item = &'e PathEntry>,
    selects: impl Fn(&str) -> bool,
) -> Vec<SourceFile> {
    let file = |entry: &PathEntry| {
        let path = std::str::from_utf8(&entry.path).ok();
        let path = path.filter(|path| selects(path))?;
        let EntryKind::File(blob) = entry.kind else {
            return Some(SourceFile::irregular(path));
        };
        Some(SourceFile::new(path.to_owned(), blob, None))
    };
    entries.into_iter().filter_map(file).collect()
}
