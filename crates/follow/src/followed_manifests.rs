//! The manifests at the tips of the followed repositories (`docs/spec/checks.md#manifests`). Must not depend on components.
//!
//! The steps of several repositories read them at the same time, and a repository can have many, so the work is bounded: a push reads the folders that it
//! changes, components of one repository share what was read, and a state with too many files or manifests has none.

use std::sync::Arc;

use gitglot_git::{EntryKind, GitError, ObjectReader, Repository};
use gitglot_manifests::{MAX_MANIFEST, MAX_MANIFESTS, ManifestKind, Manifests};
use gitglot_model::{BlobId, CommitId, SeededMap, TreeId, join_path};
use parking_lot::Mutex;

/// Most entries of the folders of a tree. A few trees can name the same folder very often.
const MAX_ENTRIES: usize = 1_000_000;

/// Most levels of folders.
const MAX_LEVELS: usize = 128;

/// Most bytes of the paths of the manifests of a tree.
const MAX_PATHS: usize = 4 << 20;

/// Most bytes of a name that a file system can have.
const MAX_NAME: usize = 255;

/// Most folders and most manifests of tips that are kept. Beyond, all are forgotten and read again when they are needed.
const MAX_FOLDERS: usize = 200_000;
const MAX_KEPT: usize = 200_000;

/// The path and content of a manifest.
type ManifestFile = (Box<str>, BlobId);

/// The manifests of one state.
#[derive(Debug)]
pub(crate) struct TipManifests {
    /// By path.
    files: Box<[ManifestFile]>,
    manifests: Mutex<Manifests>,
}

/// The manifests at the tips of all repositories.
#[derive(Default, Debug)]
pub(crate) struct FollowedManifests {
    tips: Mutex<Tips>,
    folders: Mutex<SeededMap<TreeId, Arc<Folder>>>,
}

#[derive(Default, Debug)]
struct Tips {
    by_commit: SeededMap<CommitId, Arc<TipManifests>>,
    /// Most pushes change no manifest.
    by_files: SeededMap<Box<[ManifestFile]>, Arc<TipManifests>>,
    /// The manifests in the maps.
    kept: usize,
}

/// What matters of a tree.
#[derive(Default, Debug)]
struct Folder {
    manifests: Vec<(Box<str>, BlobId)>,
    /// The folders that have manifests in them or below.
    folders: Vec<(Box<str>, Arc<Folder>)>,
    /// Its entries and manifests, with those below, and its levels.
    size: Size,
}

#[derive(Clone, Copy, Default, Debug)]
struct Size {
    entries: usize,
    manifests: usize,
    levels: usize,
}

/// A walk through the folders of a tree that are not known yet.
struct Walk<'a> {
    known: &'a Mutex<SeededMap<TreeId, Arc<Folder>>>,
    reader: &'a mut ObjectReader,
    max_entries: usize,
    /// The entries that it read.
    read: usize,
}

impl FollowedManifests {
    /// Those of a commit.
    pub fn at(
        &self,
        tip: CommitId,
        reader: &mut ObjectReader,
    ) -> Result<Arc<TipManifests>, GitError> {
        self.within(MAX_ENTRIES, tip, reader)
    }

    /// Those of a commit that were read already.
    pub fn known_at(&self, tip: CommitId) -> Option<Arc<TipManifests>> {
        self.tips.lock().by_commit.get(&tip).cloned()
    }

    fn within(
        &self,
        max_entries: usize,
        tip: CommitId,
        reader: &mut ObjectReader,
    ) -> Result<Arc<TipManifests>, GitError> {
        if let Some(known) = self.known_at(tip) {
            return Ok(known);
        }
        let root = reader.commit_header(tip)?.tree;
        let mut walk = Walk {
            known: &self.folders,
            reader,
            max_entries,
            read: 0,
        };
        let folder = walk.folder(root, 1)?;
        let mut files = Vec::new();
        let fits = folder.is_some_and(|folder| {
            let mut left = MAX_PATHS;
            folder.collect("", &mut left, &mut files)
        });
        let mut tips = self.tips.lock();
        if tips.kept + files.len() >= MAX_KEPT {
            *tips = Tips::default();
        }
        tips.kept += 1;
        files.sort_unstable();
        let files = files.into_boxed_slice();
        let known = tips.by_files.get(&files).filter(|_| fits).cloned();
        let new = match known {
            Some(known) => known,
            None if !fits => Arc::new(TipManifests::too_many()),
            None => {
                tips.kept += files.len();
                let new = Arc::new(TipManifests::new(files.clone()));
                tips.by_files.insert(files, new.clone());
                new
            }
        };
        tips.by_commit.insert(tip, new.clone());
        Ok(new)
    }
}

impl TipManifests {
    fn new(files: Box<[ManifestFile]>) -> Self {
        let manifests = Manifests::new(files.iter().map(|(path, _)| &**path));
        Self {
            files,
            manifests: Mutex::new(manifests),
        }
    }

    fn too_many() -> Self {
        Self {
            files: Box::default(),
            manifests: Mutex::new(Manifests::too_many()),
        }
    }

    /// The syntax of the texts in a file, as [`Manifests::syntax_of`] finds it.
    pub fn syntax_of(
        &self,
        file: &str,
        format: &str,
        repository: &Repository,
    ) -> Result<Option<gitglot_checks::KnownSyntax>, GitError> {
        let mut reader = None;
        let read = &mut |path: &str| {
            let at = self
                .files
                .binary_search_by(|(known, _)| (**known).cmp(path));
            let Some((_, blob)) = at.ok().and_then(|at| self.files.get(at)) else {
                return Ok(None);
            };
            let reader = reader.get_or_insert_with(|| repository.reader());
            let bytes = reader.small_blob(*blob, MAX_MANIFEST)?;
            Ok(bytes.map(|bytes| bytes.to_vec()))
        };
        self.manifests.lock().syntax_of(file, format, read)
    }

    /// Why no syntax is searched for.
    pub fn problem(&self) -> Option<&'static str> {
        self.manifests.lock().problem()
    }
}

impl Walk<'_> {
    /// What matters of a tree; `None` if it has too many entries, manifests or levels.
    fn folder(&mut self, tree: TreeId, level: usize) -> Result<Option<Arc<Folder>>, GitError> {
        let known = self.known.lock().get(&tree).cloned();
        if known.is_some() || level > MAX_LEVELS {
            return Ok(known);
        }
        let entries = self.reader.tree(tree)?;
        self.read += entries.len();
        if self.read > self.max_entries {
            return Ok(None);
        }
        let mut folder = Folder::default();
        folder.size.entries = entries.len();
        for entry in entries {
            let name = str::from_utf8(&entry.name).ok();
            let Some(name) = name.filter(|name| name.len() <= MAX_NAME) else {
                continue;
            };
            match entry.kind {
                EntryKind::File(blob) if ManifestKind::of(name).is_some() => {
                    folder.manifests.push((name.into(), blob));
                    folder.size.manifests += 1;
                }
                EntryKind::Tree(inner) => {
                    let Some(inner) = self.folder(inner, level + 1)? else {
                        return Ok(None);
                    };
                    folder.add(name, inner);
                }
                _ => {}
            }
            if folder.size.exceeds(self.max_entries) {
                return Ok(None);
            }
        }
        let folder = Arc::new(folder);
        let mut known = self.known.lock();
        if known.len() >= MAX_FOLDERS {
            known.clear();
        }
        known.insert(tree, folder.clone());
        Ok(Some(folder))
    }
}

impl Folder {
    fn add(&mut self, name: &str, inner: Arc<Self>) {
        self.size.entries += inner.size.entries;
        self.size.manifests += inner.size.manifests;
        self.size.levels = self.size.levels.max(inner.size.levels + 1);
        if inner.size.manifests > 0 {
            self.folders.push((name.into(), inner));
        }
    }

    /// Adds the manifests in it and below to a list. Returns whether their paths fit.
    fn collect(&self, path: &str, left: &mut usize, found: &mut Vec<ManifestFile>) -> bool {
        for (name, blob) in &self.manifests {
            let path = join_path(path, name);
            if path.len() > *left {
                return false;
            }
            *left -= path.len();
            found.push((path.into(), *blob));
        }
        let mut folders = self.folders.iter();
        folders.all(|(name, folder)| folder.collect(&join_path(path, name), left, found))
    }
}

impl Size {
    fn exceeds(&self, max_entries: usize) -> bool {
        self.entries > max_entries || self.manifests > MAX_MANIFESTS || self.levels > MAX_LEVELS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gitglot_model::steps;
    use gitglot_testkit::{Repo, commit};

    const VUE: &str = r#"{"dependencies": {"vue-i18n": "9"}}"#;

    /// What a commit says of the texts in a file.
    fn syntax(
        all: &FollowedManifests,
        repository: &Repository,
        (tip, max_entries): (CommitId, usize),
    ) -> String {
        let tip = all.within(max_entries, tip, &mut repository.reader());
        let tip = tip.unwrap();
        let known = tip.syntax_of("web/l/cs.json", "json", repository);
        let known = known.unwrap().map(|it| it.syntax.to_string());
        let problem = tip.problem().map(|_| "too many".to_owned());
        known.or(problem).unwrap_or_default()
    }

    #[test]
    fn a_push_reads_the_folders_that_it_changes() {
        let mut history = commit("a").write("web/package.json", VUE);
        for nth in 0..50 {
            history = history.write(&format!("{}/{nth}/readme", nth % 7), nth.to_string());
        }
        let history = history.commit("b").write("3/3/readme", "y");
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("repo.git"), &history);
        let repository = Repository::open(repo.dir()).unwrap();
        let all = FollowedManifests::default();
        let work = |tip| {
            steps::of(|| {
                let found = syntax(&all, &repository, (repo.id(tip), MAX_ENTRIES));
                assert_eq!(found, "vue-i18n");
            })
        };
        let (first, second) = (work("a"), work("b"));
        assert!(second * 4 < first, "{first} {second}");
        assert_eq!(work("b"), 0);
        let at = |tip| all.known_at(repo.id(tip)).unwrap();
        assert!(Arc::ptr_eq(&at("a"), &at("b")), "no manifest differs");
    }

    #[test]
    fn equal_folders_count_as_often_as_they_have_a_path() {
        let mut history = commit("a").write("web/package.json", VUE);
        for nth in 0..8 {
            for file in 0..8 {
                history = history.write(&format!("f{nth}/{file}"), "x");
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("repo.git"), &history);
        let repository = Repository::open(repo.dir()).unwrap();
        // Nine folders at the root, eight times eight files, one manifest.
        for (max_entries, expected) in [(74, "vue-i18n"), (73, "too many"), (5, "too many")] {
            let all = FollowedManifests::default();
            let tip = (repo.id("a"), max_entries);
            assert_eq!(syntax(&all, &repository, tip), expected, "{max_entries}");
        }
    }
}
