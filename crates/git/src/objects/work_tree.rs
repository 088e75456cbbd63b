//! The files of a working tree. No other code opens them.
//!
//! A commit can put links into a working tree, and `.git` contains credentials. So each part of a path is opened on its
//! own, without following links, and only regular files are read (docs/spec/units.md#paths).

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use gix::bstr::ByteSlice;
use gix::validate::path::component;

/// The working tree of a repository.
#[derive(Clone, Debug)]
pub struct WorkTree {
    root: PathBuf,
}

/// What a working tree has at a path.
#[derive(Debug)]
pub enum WorkTreeFile {
    /// A regular file, opened for reading.
    File(RegularFile),
    /// Nothing.
    Missing,
    /// A directory, a link, a device, or something behind a link or in git's own directory.
    Unreadable,
}

/// A regular file that is open for reading.
#[derive(Debug)]
pub struct RegularFile(File);

/// A directory of a working tree, which may be its root.
#[derive(Debug)]
pub struct WorkTreeFolder(imp::Folder);

/// What a directory contains. Only regular files and directories can be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkTreeEntry {
    /// The name. Others than in UTF-8 are left out.
    pub name: String,
    /// Whether it is a directory.
    pub is_folder: bool,
}

impl WorkTree {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The working tree that contains a path, and the path in it. `path` need not exist.
    ///
    /// Links are followed above the working tree only: behind a link of the working tree, the path is still in it.
    pub fn containing(path: &Path) -> Option<(Self, String)> {
        let path = normalized(path)?;
        let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
        folders.reverse();
        let mut root: Option<&Path> = None;
        for folder in folders {
            let kind = folder.symlink_metadata().map(|data| data.file_type());
            if root.is_some() && !kind.is_ok_and(|kind| kind.is_dir()) {
                break;
            }
            if folder.join(".git").symlink_metadata().is_ok() {
                root = Some(folder);
            }
        }
        let root = root?;
        let inner = path.strip_prefix(root).ok()?;
        let names: Option<Vec<&str>> = inner.iter().map(|name| name.to_str()).collect();
        Some((Self::new(root.to_owned()), names?.join("/")))
    }

    /// The directory of the working tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Opens a file. `path` starts at the root, with slashes.
    ///
    /// # Errors
    /// If the file exists and cannot be opened.
    pub fn open(&self, path: &str) -> io::Result<WorkTreeFile> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        match self.folder(folder)? {
            Some(folder) => folder.open(name),
            // The caller need not tell a link from a directory that does not exist.
            None => Ok(WorkTreeFile::Missing),
        }
    }

    /// Opens a directory; the root for `""`. `None` if there is none, or a part of the path is a link or git's own
    /// directory.
    ///
    /// # Errors
    /// If the directory exists and cannot be opened.
    pub fn folder(&self, path: &str) -> io::Result<Option<WorkTreeFolder>> {
        let mut folder = WorkTreeFolder(imp::Folder::root(&self.root)?);
        for name in path.split('/').filter(|_| !path.is_empty()) {
            match folder.folder(name)? {
                Some(child) => folder = child,
                None => return Ok(None),
            }
        }
        Ok(Some(folder))
    }
}

impl WorkTreeFolder {
    /// Opens a file of the directory.
    ///
    /// # Errors
    /// If the file exists and cannot be opened.
    pub fn open(&self, name: &str) -> io::Result<WorkTreeFile> {
        if !is_safe(name) {
            return Ok(WorkTreeFile::Unreadable);
        }
        self.0.open(name)
    }

    /// Opens a directory of the directory; `None` as for [`WorkTree::folder`].
    ///
    /// # Errors
    /// If the directory exists and cannot be opened.
    pub fn folder(&self, name: &str) -> io::Result<Option<Self>> {
        if !is_safe(name) {
            return Ok(None);
        }
        Ok(self.0.folder(name)?.map(Self))
    }

    /// Lists the directory, in no order.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn entries(&self) -> io::Result<Vec<WorkTreeEntry>> {
        let mut entries = self.0.entries()?;
        entries.retain(|entry| is_safe(&entry.name));
        Ok(entries)
    }
}

impl RegularFile {
    /// The size in bytes.
    ///
    /// # Errors
    /// If the system cannot report it.
    pub fn size(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }
}

impl Read for RegularFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// Whether a name is a single part of a path, and none that could open git's own directory.
fn is_safe(name: &str) -> bool {
    let options = component::Options {
        protect_windows: cfg!(windows),
        ..component::Options::default()
    };
    gix::validate::path::component(name.as_bytes().as_bstr(), None, options).is_ok()
        && !gitglot_model::is_git_directory(name)
}

/// An absolute path without `.` and `..`, by its text.
fn normalized(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    let mut normal = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    Some(normal)
}

/// Opens relative to open directories, so nothing can be exchanged in between.
#[cfg(unix)]
mod imp {
    use std::fs::File;
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
    use rustix::io::Errno;

    use super::{RegularFile, WorkTreeEntry, WorkTreeFile};

    #[derive(Debug)]
    pub(super) struct Folder(OwnedFd);

    const FOLDER: OFlags = OFlags::RDONLY
        .union(OFlags::DIRECTORY)
        .union(OFlags::CLOEXEC);
    /// `NONBLOCK`, so that a pipe in place of the file does not block before its kind is known.
    const FILE: OFlags = OFlags::RDONLY
        .union(OFlags::NOFOLLOW)
        .union(OFlags::NONBLOCK)
        .union(OFlags::NOCTTY)
        .union(OFlags::CLOEXEC);

    impl Folder {
        pub(super) fn root(path: &Path) -> io::Result<Self> {
            Ok(Self(rustix::fs::open(path, FOLDER, Mode::empty())?))
        }

        pub(super) fn folder(&self, name: &str) -> io::Result<Option<Self>> {
            match rustix::fs::openat(&self.0, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()) {
                Ok(folder) => Ok(Some(Self(folder))),
                // Systems differ in the error for a link.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::MLINK) => Ok(None),
                Err(error) => Err(error.into()),
            }
        }

        pub(super) fn open(&self, name: &str) -> io::Result<WorkTreeFile> {
            // To open a device can have an effect.
            match self.kind(name) {
                Ok(FileType::RegularFile) => {}
                Ok(_) => return Ok(WorkTreeFile::Unreadable),
                Err(Errno::NOENT) => return Ok(WorkTreeFile::Missing),
                Err(error) => return Err(error.into()),
            }
            let file = match rustix::fs::openat(&self.0, name, FILE, Mode::empty()) {
                Ok(file) => File::from(file),
                Err(Errno::NOENT) => return Ok(WorkTreeFile::Missing),
                Err(Errno::LOOP | Errno::MLINK) => return Ok(WorkTreeFile::Unreadable),
                Err(error) => return Err(error.into()),
            };
            if file.metadata()?.is_file() {
                Ok(WorkTreeFile::File(RegularFile(file)))
            } else {
                Ok(WorkTreeFile::Unreadable)
            }
        }

        pub(super) fn entries(&self) -> io::Result<Vec<WorkTreeEntry>> {
            let mut found = Vec::new();
            for entry in Dir::read_from(&self.0)? {
                let entry = entry?;
                let Ok(name) = entry.file_name().to_str() else {
                    continue;
                };
                let kind = match entry.file_type() {
                    FileType::Unknown => self.kind(name).unwrap_or(FileType::Unknown),
                    kind => kind,
                };
                found.push(WorkTreeEntry {
                    name: name.to_owned(),
                    is_folder: kind == FileType::Directory,
                });
            }
            Ok(found)
        }

        fn kind(&self, name: &str) -> Result<FileType, Errno> {
            let found = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
            Ok(FileType::from_raw_mode(found.st_mode))
        }
    }
}

/// Looks at each part of a path before it is opened.
#[cfg(not(unix))]
mod imp {
    use std::fs::File;
    use std::io;
    use std::path::{Path, PathBuf};

    use super::{RegularFile, WorkTreeEntry, WorkTreeFile};

    #[derive(Debug)]
    pub(super) struct Folder(PathBuf);

    impl Folder {
        pub(super) fn root(path: &Path) -> io::Result<Self> {
            Ok(Self(path.to_owned()))
        }

        pub(super) fn folder(&self, name: &str) -> io::Result<Option<Self>> {
            let path = self.0.join(name);
            match path.symlink_metadata() {
                Ok(data) => Ok(data.is_dir().then_some(Self(path))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        }

        pub(super) fn open(&self, name: &str) -> io::Result<WorkTreeFile> {
            let path = self.0.join(name);
            match path.symlink_metadata() {
                Ok(data) if data.is_file() => {
                    Ok(WorkTreeFile::File(RegularFile(File::open(path)?)))
                }
                Ok(_) => Ok(WorkTreeFile::Unreadable),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(WorkTreeFile::Missing),
                Err(error) => Err(error),
            }
        }

        pub(super) fn entries(&self) -> io::Result<Vec<WorkTreeEntry>> {
            let mut found = Vec::new();
            for entry in std::fs::read_dir(&self.0)? {
                let entry = entry?;
                let is_folder = entry.file_type()?.is_dir();
                if let Ok(name) = entry.file_name().into_string() {
                    found.push(WorkTreeEntry { name, is_folder });
                }
            }
            Ok(found)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn work_tree() -> (tempfile::TempDir, WorkTree) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("repo");
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join(".git/config"), "secret").unwrap();
        fs::write(root.join("a/b/en.json"), "{}").unwrap();
        (folder, WorkTree::new(root))
    }

    fn text(found: WorkTreeFile) -> Option<String> {
        let WorkTreeFile::File(mut file) = found else {
            return None;
        };
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        Some(text)
    }

    #[test]
    fn regular_files_are_opened_and_listed() {
        let (_folder, tree) = work_tree();
        assert_eq!(text(tree.open("a/b/en.json").unwrap()).unwrap(), "{}");
        for missing in ["a/b/cs.json", "x/en.json", "a/b/en.json/x"] {
            let found = tree.open(missing).unwrap();
            assert!(matches!(found, WorkTreeFile::Missing), "{missing}");
        }
        let found = tree.open("a/b").unwrap();
        assert!(matches!(found, WorkTreeFile::Unreadable));
        let entry = |name: &str, is_folder| WorkTreeEntry {
            name: name.to_owned(),
            is_folder,
        };
        let listed = |path| tree.folder(path).unwrap().unwrap().entries().unwrap();
        assert_eq!(listed(""), [entry("a", true)], "without .git");
        assert_eq!(listed("a/b"), [entry("en.json", false)]);
    }

    #[test]
    fn no_path_leads_out_of_the_working_tree_or_to_git() {
        let (folder, tree) = work_tree();
        fs::write(folder.path().join("outside"), "secret").unwrap();
        let outside = folder.path().join("outside");
        for path in [
            "../outside",
            "a/../../outside",
            outside.to_str().unwrap(),
            ".git/config",
            "a/../.git/config",
            "./.git/config",
            ".GIT/config",
            "git~1/config",
            "",
        ] {
            assert_eq!(text(tree.open(path).unwrap()), None, "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_in_any_part_of_a_path() {
        use std::os::unix::fs::symlink;
        let (folder, tree) = work_tree();
        let outside = folder.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("en.json"), "secret").unwrap();
        symlink(&outside, tree.root().join("x")).unwrap();
        symlink(&outside, tree.root().join("a/x")).unwrap();
        symlink("../../.git/config", tree.root().join("a/b/cs.json")).unwrap();
        symlink(".git", tree.root().join("g")).unwrap();
        symlink("a", tree.root().join("inside")).unwrap();
        for path in [
            "x/en.json",
            "a/x/en.json",
            "a/b/cs.json",
            "g/config",
            "inside/b/en.json",
        ] {
            assert_eq!(text(tree.open(path).unwrap()), None, "{path}");
        }
        assert!(tree.folder("x").unwrap().is_none());
        let below = tree.folder("a/b").unwrap().unwrap();
        let link = |entry: &WorkTreeEntry| entry.name == "cs.json" && !entry.is_folder;
        assert!(below.entries().unwrap().iter().any(link));
        assert_eq!(text(below.open("cs.json").unwrap()), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_does_not_block() {
        let (_folder, tree) = work_tree();
        let pipe = tree.root().join("a/de.json");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            let found = tree.open("a/de.json").unwrap();
            assert!(matches!(found, WorkTreeFile::Unreadable));
        }
    }

    #[test]
    fn a_path_belongs_to_the_innermost_working_tree() {
        let (folder, tree) = work_tree();
        let inner = tree.root().join("a/inner");
        fs::create_dir_all(inner.join(".git")).unwrap();
        let of = |path: &Path| {
            let found = WorkTree::containing(path);
            found.map(|(tree, path)| (tree.root().to_owned(), path))
        };
        let expected = |root: &Path, path: &str| Some((root.to_owned(), path.to_owned()));
        assert_eq!(
            of(&tree.root().join("a/x/../c.toml")),
            expected(tree.root(), "a/c.toml")
        );
        assert_eq!(of(&inner.join("c.toml")), expected(&inner, "c.toml"));
        assert_ne!(
            of(&folder.path().join("c.toml")),
            expected(tree.root(), "c.toml")
        );
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&inner, tree.root().join("link")).unwrap();
            let linked = of(&tree.root().join("link/c.toml"));
            assert_eq!(linked, expected(tree.root(), "link/c.toml"));
        }
    }

    #[test]
    fn gix_agrees_on_the_spellings_of_gits_directory() {
        let gix = |name: &str| {
            let options = component::Options {
                protect_windows: false,
                ..component::Options::default()
            };
            gix::validate::path::component(name.as_bytes().as_bstr(), None, options).is_ok()
        };
        for name in [
            ".git",
            ".GIT",
            "git~1",
            "GIT~1",
            ".git.",
            ".git ",
            ".git . .",
            ".git::$INDEX_ALLOCATION",
            ".g\u{200c}it",
            ".github",
            ".gitignore",
            "git",
            "git~2",
            "x.git",
        ] {
            assert_eq!(
                gix(name),
                !gitglot_model::is_git_directory(name),
                "{name:?}"
            );
        }
    }
}
