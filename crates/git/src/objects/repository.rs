//! An open repository.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::error::GitError;
use crate::objects::packs::Packs;
use crate::objects::reader::groups::{FileGrouper, GroupView};
use crate::objects::reader::parts::{FileSplitter, FileView};
use crate::objects::reader::tree_index::TreeIndexes;
use crate::objects::reader::{FEW_BLOBS_CACHE, ObjectReader, ReadObjects};
use gitglot_model::CommitId;

/// An open repository, shared between threads.
///
/// Cheap to clone. It finds only a fixed number of packs that were added after it was opened, so
/// [reopen](Self::reopen) it after each fetch.
#[derive(Clone)]
pub struct Repository {
    inner: Arc<gix::ThreadSafeRepository>,
    packs: Arc<OnceLock<Arc<Packs>>>,
    shallow: Arc<HashSet<CommitId>>,
    recloned: bool,
    /// A second directory with objects.
    exchange: Option<Arc<Path>>,
    read_objects: Option<Arc<ReadObjects>>,
    view: Option<Arc<FileView>>,
    groups: Option<Arc<GroupView>>,
    /// The entries of directories with many, for all readers.
    indexes: Arc<TreeIndexes>,
}

/// A repository that is not open. A process may map a limited number of files, and an open repository maps its packs.
#[derive(Clone, Debug)]
pub struct ClosedRepository {
    git_dir: Arc<Path>,
    exchange: Option<Arc<Path>>,
}

impl ClosedRepository {
    /// Opens the repository.
    ///
    /// # Errors
    /// When the repository is gone.
    pub fn open(&self) -> Result<Repository, GitError> {
        Ok(Repository {
            exchange: self.exchange.clone(),
            ..Repository::open(&*self.git_dir)?
        })
    }
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repository")
            .field("git_dir", &self.git_dir())
            .finish()
    }
}

impl Repository {
    /// Opens the repository at `path`: a work tree, a `.git` directory or a bare repository.
    ///
    /// Reads only the repository's own configuration, ignores its owner, and never runs anything in it.
    ///
    /// # Errors
    /// When there is no repository, it uses SHA-256, or one of its files is not a regular file.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, GitError> {
        let path = path.into();
        check_files(&path)?;
        let opened = options(&[]).open(path.clone());
        let inner = opened.map_err(|error| GitError::unreadable(&path, &error))?;
        if inner.to_thread_local().object_hash() != gix::hash::Kind::Sha1 {
            return Err(GitError::ObjectFormat(path));
        }
        let settings = inner.to_thread_local();
        let references = settings.config_snapshot().string("extensions.refStorage");
        if references.is_some_and(|format| format.eq_ignore_ascii_case(b"reftable")) {
            return Err(GitError::RefFormat(path));
        }
        let shallow = Arc::new(shallow_boundary(&inner)?);
        Ok(Self {
            inner: Arc::new(inner),
            packs: Arc::default(),
            shallow,
            recloned: false,
            exchange: None,
            read_objects: None,
            view: None,
            groups: None,
            indexes: Arc::default(),
        })
    }

    /// Opens the repository again, to see objects fetched since.
    ///
    /// # Errors
    /// When the repository is gone.
    pub fn reopen(&self) -> Result<Self, GitError> {
        self.close().open()
    }

    /// Where to find the repository later.
    pub fn close(&self) -> ClosedRepository {
        ClosedRepository {
            git_dir: self.git_dir().into(),
            exchange: self.exchange.clone(),
        }
    }

    /// Also reads the packs of a second directory with objects.
    pub(crate) fn with_objects(self, folder: &Path) -> Self {
        Self {
            exchange: Some(folder.into()),
            packs: Arc::default(),
            ..self
        }
    }

    /// Shows each file with parts as a directory of its parts (`docs/spec/change-log.md#parts`).
    pub fn with_parts(&self, splitter: Box<dyn FileSplitter>) -> Self {
        Self {
            view: Some(Arc::new(FileView::new(splitter))),
            ..self.clone()
        }
    }

    /// Shows groups of files as files (`docs/spec/change-log.md#groups`).
    pub fn with_groups(&self, grouper: Box<dyn FileGrouper>) -> Self {
        Self {
            groups: Some(Arc::new(GroupView::new(grouper))),
            ..self.clone()
        }
    }

    /// Records the ids of the objects that its readers read, in a new list.
    pub fn recording(self) -> Self {
        Self {
            read_objects: Some(Arc::default()),
            ..self
        }
    }

    /// Stops recording.
    pub fn unrecorded(&self) -> Self {
        Self {
            read_objects: None,
            ..self.clone()
        }
    }

    /// Empties the list of recorded objects.
    pub fn forget_recorded(&self) {
        if let Some(read) = &self.read_objects {
            read.clear();
        }
    }

    /// Drops the indexes of directories.
    pub fn clear_tree_indexes(&self) {
        self.indexes.clear();
    }

    /// The recorded objects.
    pub(crate) fn read_objects(&self) -> Option<&ReadObjects> {
        self.read_objects.as_deref()
    }

    /// Records whether the mirror was just re-cloned.
    pub(crate) fn mark_recloned(self, recloned: bool) -> Self {
        Self { recloned, ..self }
    }

    /// Whether the mirror was re-cloned in this poll. An object that is missing now is lost for good, so waiting for it
    /// does not help.
    pub fn is_recloned(&self) -> bool {
        self.recloned
    }

    /// Whether the history ends at commits whose parents were not cloned.
    pub fn has_boundary(&self) -> bool {
        !self.shallow.is_empty()
    }

    /// The directory of `HEAD`.
    pub fn git_dir(&self) -> &Path {
        self.inner.git_dir()
    }

    /// The directory of `refs` and `objects`. Differs from [`git_dir`](Self::git_dir) in a linked work tree.
    pub fn common_dir(&self) -> &Path {
        let common = self.inner.common_dir.as_deref();
        common.unwrap_or_else(|| self.git_dir())
    }

    /// A reader for commits, trees and a few blobs, for one thread.
    pub fn reader(&self) -> ObjectReader {
        self.reader_for_histories(FEW_BLOBS_CACHE)
    }

    /// A reader for many versions of the same files, for one thread, with a blob cache of `cache_bytes`.
    ///
    /// Read all versions of one file before the next file, in either direction of time, and give each thread its own
    /// files: git stores a version as a delta of a later one, so the last read version is the base of the next. The
    /// cache should have space for fifty versions of the largest file.
    pub fn reader_for_histories(&self, cache_bytes: usize) -> ObjectReader {
        let open = || Arc::new(Packs::open(&self.object_folders()));
        let packs = self.packs.get_or_init(open);
        let mut reader = ObjectReader::new(
            &self.inner,
            Arc::clone(packs),
            Arc::clone(&self.shallow),
            cache_bytes,
            self.read_objects.clone(),
            self.view.clone(),
        );
        reader.groups = self.groups.clone();
        reader.indexes = self.indexes.clone();
        reader
    }

    /// The object directory of the repository.
    pub(crate) fn objects_dir(&self) -> PathBuf {
        self.common_dir().join("objects")
    }

    /// The object directories of the repository and its alternates, its own first.
    pub(crate) fn object_folders(&self) -> Vec<PathBuf> {
        let objects = self.objects_dir();
        let here = std::env::current_dir().unwrap_or_default();
        let alternates = gix::odb::alternate::resolve(objects.clone(), &here).unwrap_or_default();
        let exchange = self.exchange.iter().map(|path| path.to_path_buf());
        let own = std::iter::once(objects);
        own.chain(alternates).chain(exchange).collect()
    }

    /// The repository of gix, for this module only.
    pub(crate) fn gix(&self) -> gix::Repository {
        self.inner.to_thread_local()
    }

    /// Whether the commit is a shallow boundary: its parents are missing, and it is read as a root.
    pub fn is_shallow(&self, commit: CommitId) -> bool {
        self.shallow.contains(&commit)
    }
}

/// The options for opening any repository: only its own configuration, full trust, no prompts.
pub(crate) fn options(settings: &[String]) -> gix::open::Options {
    let overrides = [
        "gitoxide.credentials.terminalPrompt=false",
        "core.useReplaceRefs=false",
        // A delta of a few bytes can claim an object of any size.
        "gitoxide.objects.allocLimit=512m",
    ];
    let overrides = overrides.into_iter().map(str::to_owned);
    gix::open::Options::isolated()
        .with(gix::sec::Trust::Full)
        .config_overrides(overrides.chain(settings.iter().cloned()))
}

/// The maximum size of an alternates file in bytes: each line costs a look into a directory.
const MAX_ALTERNATES: u64 = 1 << 16;

/// Refuses pipes and devices in place of files that every open reads: they would block it for ever.
fn check_files(path: &Path) -> Result<(), GitError> {
    let alternates = "objects/info/alternates";
    let names = ["HEAD", "config", "packed-refs", "shallow", alternates];
    let git_folder = path.join(".git");
    for folder in [path, &git_folder] {
        for name in names {
            let file = folder.join(name);
            let Ok(found) = std::fs::metadata(&file) else {
                continue;
            };
            if !found.is_file() && !found.is_dir() {
                let reason = format!("'{}' is not a regular file", file.display());
                return Err(GitError::open(path, reason));
            }
            if name == alternates && found.len() > MAX_ALTERNATES {
                let reason = format!("'{}' has more than {MAX_ALTERNATES} bytes", file.display());
                return Err(GitError::open(path, reason));
            }
        }
    }
    Ok(())
}

fn shallow_boundary(repository: &gix::ThreadSafeRepository) -> Result<HashSet<CommitId>, GitError> {
    let commits = repository.to_thread_local().shallow_commits();
    let commits = commits.map_err(|error| GitError::unreadable(repository.git_dir(), &error))?;
    let ids = commits.iter().flat_map(|commits| commits.iter());
    Ok(ids.filter_map(|id| commit_id(id)).collect())
}

pub(crate) fn commit_id(id: &gix::oid) -> Option<CommitId> {
    id.as_bytes().try_into().ok().map(CommitId)
}
