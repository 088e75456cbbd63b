//! The directory of a site: replaces only the files that differ, and touches nothing that gitglot did not write
//! (docs/spec/site.md#updates).
//!
//! New files are written to a directory inside of it. When all of them are complete, they are moved to their places. The
//! list of files is written last.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use itertools::Itertools;

use super::error::SiteError;
use super::limits::{NameCheck, Totals};
use super::listing::{Earlier, Line, Lines, Listing, hash_of, lines, merged};

/// The list of files, with their hashes.
const MANIFEST: &str = "gitglot-site.txt";
/// The list of files that are being moved to their places.
const PENDING: &str = "gitglot-site.next.txt";
/// The directory of new files.
const STAGING: &str = ".gitglot-site";
/// The file that a run locks, where directories cannot be locked.
#[cfg(not(unix))]
const LOCK: &str = ".gitglot-site.lock";
/// The first line of a list.
const HEADER: &str = "gitglot site 1";
/// Files of hosts, which a site leaves alone.
const OF_HOSTS: [&str; 5] = [".git", ".well-known", "CNAME", "_headers", "_redirects"];

/// The directory while a site is written to it.
pub(crate) struct SiteFolder {
    root: PathBuf,
    staging: PathBuf,
    earlier: Earlier,
    listing: Listing,
    /// Keeps other runs out until this one ends.
    _lock: File,
}

/// What was written.
pub(crate) struct Written {
    pub(crate) totals: Totals,
    /// The files that are not part of the site any more.
    pub(crate) removed: usize,
    /// A warning about names.
    pub(crate) same_name: Option<String>,
}

impl SiteFolder {
    /// Opens a directory, which is created if it is missing.
    ///
    /// # Errors
    /// [`SiteError::Foreign`] if it contains anything else than files of an earlier run, [`SiteError::Locked`] while a
    /// different run writes to it.
    pub(crate) fn open(root: &Path) -> Result<Self, SiteError> {
        fs::create_dir_all(root).map_err(SiteError::at(root))?;
        let lock = lock(root)?;
        let staging = root.join(STAGING);
        let mut folder = Self {
            root: root.to_owned(),
            listing: Listing::new(&staging),
            staging,
            earlier: Earlier::default(),
            _lock: lock,
        };
        folder.read_lists()?;
        folder.look(root, "")?;
        folder.clear_staging()?;
        folder.recover()?;
        Ok(folder)
    }

    fn clear_staging(&self) -> Result<(), SiteError> {
        unless_missing(fs::remove_dir_all(&self.staging))
            .and_then(|()| fs::create_dir(&self.staging))
            .map_err(SiteError::at(&self.staging))
    }

    /// The lines of a list, if there is one.
    fn list(&self, name: &str) -> Result<Option<Lines>, SiteError> {
        let path = self.root.join(name);
        let is_file = path.symlink_metadata().is_ok_and(|data| data.is_file());
        if !is_file {
            return Ok(None);
        }
        let mut file = BufReader::new(File::open(&path).map_err(SiteError::at(&path))?);
        let mut header = String::new();
        match file.read_line(&mut header) {
            Ok(_) if header.trim_end() == HEADER => Ok(Some(lines(file))),
            _ => Err(SiteError::Manifest(path)),
        }
    }

    fn read_lists(&mut self) -> Result<(), SiteError> {
        for name in [MANIFEST, PENDING] {
            let damaged = |_| SiteError::Manifest(self.root.join(name));
            if let Some(lines) = self.list(name)? {
                self.earlier.add(lines).map_err(damaged)?;
            }
        }
        if self.root.join(PENDING).exists() {
            self.earlier.forget_contents();
        }
        self.earlier.sort();
        Ok(())
    }

    /// After an interrupted run, makes the list of the files of both sites that of this one.
    fn recover(&self) -> Result<(), SiteError> {
        let Some(pending) = self.list(PENDING)? else {
            return Ok(());
        };
        let own = self.list(MANIFEST)?;
        let both = merged(own.into_iter().chain([pending]));
        let both = both.dedup_by(|a, b| matches!((a, b), (Ok(a), Ok(b)) if a.path() == b.path()));
        let unknown = |line: io::Result<Line>| line.map(|line| Line::new(0, line.path()));
        self.write_list(MANIFEST, both.map(unknown))?;
        let path = self.root.join(PENDING);
        fs::remove_file(&path).map_err(SiteError::at(&path))
    }

    /// Lists the files below a directory; all of them must be own ones. Follows no link.
    fn look(&mut self, folder: &Path, below: &str) -> Result<(), SiteError> {
        for entry in fs::read_dir(folder).map_err(SiteError::at(folder))? {
            let entry = entry.map_err(SiteError::at(folder))?;
            let foreign = || SiteError::Foreign(entry.path());
            let name = entry.file_name();
            let name = name.to_str().ok_or_else(foreign)?;
            let kind = entry.file_type().map_err(SiteError::at(entry.path()))?;
            let is_top = below.is_empty();
            if is_top && (OF_HOSTS.contains(&name) || (name == STAGING && kind.is_dir())) {
                continue;
            }
            if is_top && kind.is_file() && (name == MANIFEST || name == PENDING) {
                continue;
            }
            #[cfg(not(unix))]
            if is_top && name == LOCK {
                continue;
            }
            let path = [below, name].concat();
            if kind.is_dir() {
                self.look(&entry.path(), &[&path, "/"].concat())?;
                continue;
            }
            if !kind.is_file() || !self.earlier.see(&path) {
                return Err(foreign());
            }
        }
        Ok(())
    }

    /// Writes a file unless the same one is there.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), SiteError> {
        let hash = hash_of(bytes);
        let is_new = self.earlier.hash(path) != Some(hash);
        if is_new {
            let target = self.staging.join(path);
            write_new(&target, bytes).map_err(|error| match error.kind() {
                // No path is written twice.
                io::ErrorKind::AlreadyExists => SiteError::SameName(path.to_owned()),
                _ => SiteError::at(&target)(error),
            })?;
        }
        self.listing.add(Line::new(hash, path), bytes.len(), is_new)
    }

    /// Moves the new files to their places and removes those that are not part of the site any more.
    pub(crate) fn finish(mut self) -> Result<Written, SiteError> {
        sync(&self.staging).map_err(SiteError::at(&self.staging))?;
        let listing = std::mem::replace(&mut self.listing, Listing::new(&self.staging));
        let (totals, lines) = listing.finish();
        let mut gone = Vec::new();
        let mut names = NameCheck::default();
        let mut earlier = self.list(MANIFEST)?.into_iter().flatten().peekable();
        let mut add_gone = |line: io::Result<Line>| -> io::Result<()> {
            let line = line?;
            // Only files that were seen: a list can name anything.
            if self.earlier.hash(line.path()).is_some() {
                gone.push(line);
            }
            Ok(())
        };
        let lines = lines.map(|line| {
            let line = line?;
            names.add(line.path());
            let is_before =
                |next: &io::Result<Line>| !matches!(next, Ok(next) if next.path() >= line.path());
            while let Some(other) = earlier.next_if(is_before) {
                add_gone(other)?;
            }
            earlier.next_if(|next| matches!(next, Ok(next) if next.path() == line.path()));
            Ok(line)
        });
        self.write_list(PENDING, lines)?;
        for line in earlier {
            add_gone(line).map_err(SiteError::at(self.root.join(MANIFEST)))?;
        }
        // At each moment all links lead to files: new files are added before others link to them, and files are removed
        // when nothing links to them any more.
        add_to(&self.staging, &self.root)?;
        move_into(&self.staging, &self.root)?;
        for line in &gone {
            self.remove(line.path())?;
        }
        let manifest = self.root.join(MANIFEST);
        fs::rename(self.root.join(PENDING), &manifest).map_err(SiteError::at(&manifest))?;
        Ok(Written {
            totals,
            removed: gone.len(),
            same_name: names.warning(),
        })
    }

    fn write_list(
        &self,
        name: &str,
        lines: impl Iterator<Item = io::Result<Line>>,
    ) -> Result<(), SiteError> {
        let path = self.root.join(name);
        let temporary = self.staging.join(name);
        let write = || {
            let mut file = BufWriter::new(File::create(&temporary)?);
            writeln!(file, "{HEADER}")?;
            for line in lines {
                line?.write(&mut file)?;
            }
            file.into_inner()?.sync_all()?;
            fs::rename(&temporary, &path)
        };
        write().map_err(SiteError::at(&path))
    }

    /// Removes a file, and the directories that become empty.
    fn remove(&self, path: &str) -> Result<(), SiteError> {
        let file = self.root.join(path);
        unless_missing(fs::remove_file(&file)).map_err(SiteError::at(&file))?;
        let mut folder = file.parent();
        while let Some(empty) = folder.filter(|folder| **folder != *self.root) {
            if fs::remove_dir(empty).is_err() {
                break;
            }
            folder = empty.parent();
        }
        Ok(())
    }
}

/// The result of removing something, which may be gone already.
fn unless_missing(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Locks a directory until the file is closed, also by the end of the program.
fn lock(root: &Path) -> Result<File, SiteError> {
    // The directory itself: nothing is left behind, and nobody can lock a file that was removed.
    #[cfg(unix)]
    let file = File::open(root);
    #[cfg(not(unix))]
    let file = File::create(root.join(LOCK));
    let file = file.map_err(SiteError::at(root))?;
    match fs4::FileExt::try_lock(&file) {
        Ok(()) => Ok(file),
        Err(fs4::TryLockError::WouldBlock) => Err(SiteError::Locked(root.to_owned())),
        Err(fs4::TryLockError::Error(error)) => Err(SiteError::at(root)(error)),
    }
}

/// Writes a file that does not exist. Most files have a directory of their own, which does not exist either.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        match fs::create_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir_all(folder)?,
            // Without a directory of this name, the next call fails.
            _ => {}
        }
    }
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    if cfg!(not(target_os = "linux")) {
        file.sync_all()?;
    }
    Ok(())
}

/// Waits until all files of a directory are on the disk, so that no list names a hash that a power loss makes wrong. One
/// call for all of them is much faster than one for each.
#[cfg(target_os = "linux")]
fn sync(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

/// The files were synced when they were written.
#[cfg(not(target_os = "linux"))]
fn sync(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Moves everything that does not exist there from one directory to another.
fn add_to(from: &Path, to: &Path) -> Result<(), SiteError> {
    for entry in fs::read_dir(from).map_err(SiteError::at(from))? {
        let entry = entry.map_err(SiteError::at(from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        match target.symlink_metadata() {
            Ok(data) if data.is_dir() && source.is_dir() => add_to(&source, &target)?,
            Ok(_) => {}
            Err(_) => fs::rename(&source, &target).map_err(SiteError::at(&target))?,
        }
    }
    Ok(())
}

/// Moves everything from one directory to another, and removes it.
fn move_into(from: &Path, to: &Path) -> Result<(), SiteError> {
    for entry in fs::read_dir(from).map_err(SiteError::at(from))? {
        let entry = entry.map_err(SiteError::at(from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let is_folder = |path: &Path| path.symlink_metadata().is_ok_and(|data| data.is_dir());
        match (is_folder(&source), is_folder(&target)) {
            (true, true) => {
                move_into(&source, &target)?;
                continue;
            }
            (true, false) => drop(fs::remove_file(&target)),
            // It contains only files of the site, all of which are gone.
            (false, true) => fs::remove_dir_all(&target).map_err(SiteError::at(&target))?,
            (false, false) => {}
        }
        fs::rename(&source, &target).map_err(SiteError::at(&target))?;
    }
    fs::remove_dir(from).map_err(SiteError::at(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(root: &Path, files: &[(&str, &str)]) -> Result<(usize, usize), SiteError> {
        let folder = SiteFolder::open(root)?;
        for (path, text) in files {
            folder.write(path, text.as_bytes())?;
        }
        let written = folder.finish()?;
        Ok((written.totals.written, written.removed))
    }

    #[test]
    fn a_second_run_writes_only_files_that_differ_and_removes_those_that_are_gone() {
        let folder = tempfile::tempdir().unwrap();
        let root = &folder.path().join("site");
        let files = [
            ("a/index.html", "a"),
            ("a/b/index.html", "b"),
            ("c.txt", "c"),
        ];
        assert_eq!(run(root, &files).unwrap(), (3, 0));
        assert_eq!(run(root, &files).unwrap(), (0, 0));
        let files = [("a/index.html", "A"), ("c.txt", "c"), ("d/e", "e")];
        assert_eq!(run(root, &files).unwrap(), (2, 1));
        assert_eq!(fs::read_to_string(root.join("a/index.html")).unwrap(), "A");
        assert!(!root.join("a/b").exists() && root.join("d/e").exists());
        assert!(!root.join(STAGING).exists() && !root.join(PENDING).exists());
        let manifest = fs::read_to_string(root.join(MANIFEST)).unwrap();
        let paths: Vec<&str> = manifest.lines().skip(1).map(|line| &line[33..]).collect();
        assert_eq!(paths, ["a/index.html", "c.txt", "d/e"]);
    }

    #[test]
    fn only_one_run_at_a_time_writes_to_a_directory() {
        let folder = tempfile::tempdir().unwrap();
        let first = SiteFolder::open(folder.path()).unwrap();
        first.write("a/index.html", b"a").unwrap();
        let error = run(folder.path(), &[]).unwrap_err().to_string();
        assert!(error.contains("a different run writes to"), "{error}");
        first.finish().unwrap();
        assert_eq!(run(folder.path(), &[("b", "b")]).unwrap(), (1, 1));
    }

    #[test]
    fn two_files_with_the_same_name_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = run(folder.path(), &[("a/b", "1"), ("a/b", "2")]).unwrap_err();
        assert!(error.to_string().contains("a/b"), "{error}");
        assert!(!folder.path().join("a").exists());
    }

    #[test]
    fn a_file_that_was_deleted_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let files = [("a/index.html", "a"), ("c.txt", "c")];
        run(folder.path(), &files).unwrap();
        fs::remove_file(folder.path().join("c.txt")).unwrap();
        assert_eq!(run(folder.path(), &files).unwrap(), (1, 0));
        assert!(folder.path().join("c.txt").exists());
    }

    #[test]
    fn a_foreign_file_stops_the_run_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        run(folder.path(), &[("a/index.html", "a")]).unwrap();
        fs::write(folder.path().join("CNAME"), "example.org").unwrap();
        fs::write(folder.path().join("a/mine.txt"), "mine").unwrap();
        let error = run(folder.path(), &[("b", "b")]).unwrap_err().to_string();
        assert!(
            error.contains("mine.txt is not a file of this site"),
            "{error}"
        );
        assert!(!folder.path().join("b").exists());
        fs::remove_file(folder.path().join("a/mine.txt")).unwrap();
        assert_eq!(run(folder.path(), &[("b", "b")]).unwrap(), (1, 1));
        assert!(folder.path().join("CNAME").exists());
    }

    #[test]
    fn an_interrupted_run_leaves_the_old_site_and_the_next_one_completes_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        run(root, &[("a", "1"), ("b", "1")]).unwrap();
        // Before the files are moved.
        let site = SiteFolder::open(root).unwrap();
        site.write("a", b"2").unwrap();
        drop(site);
        assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "1");
        // While they are moved.
        let site = SiteFolder::open(root).unwrap();
        let list = ["a", "c"].map(|path| {
            site.write(path, b"2").unwrap();
            Ok(Line::new(hash_of(b"2"), path))
        });
        site.write_list(PENDING, list.into_iter()).unwrap();
        fs::rename(root.join(STAGING).join("a"), root.join("a")).unwrap();
        fs::rename(root.join(STAGING).join("c"), root.join("c")).unwrap();
        drop(site);
        assert_eq!(run(root, &[("a", "1"), ("b", "1")]).unwrap().1, 1);
        assert_eq!(fs::read_to_string(root.join("a")).unwrap(), "1");
        assert!(!root.join("c").exists());
    }

    #[test]
    fn files_are_added_before_others_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        run(root, &[("a", "1"), ("d/x", "1")]).unwrap();
        let site = SiteFolder::open(root).unwrap();
        for path in ["a", "d/y", "n/z"] {
            site.write(path, b"2").unwrap();
        }
        let text = |path: &str| fs::read_to_string(root.join(path)).unwrap();
        add_to(&site.staging, root).unwrap();
        assert_eq!(["a", "d/x", "d/y", "n/z"].map(text), ["1", "1", "2", "2"]);
        move_into(&site.staging, root).unwrap();
        assert_eq!(["a", "d/x"].map(text), ["2", "1"]);
        assert!(!site.staging.exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_never_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let (root, victim) = (folder.path().join("site"), folder.path().join("victim"));
        fs::create_dir_all(&root).unwrap();
        fs::create_dir(&victim).unwrap();
        fs::write(victim.join("x"), "x").unwrap();
        symlink(&victim, root.join("a")).unwrap();
        // A list that names files elsewhere.
        let list = format!("{HEADER}\n{:032x} ../victim/x\n{:032x} a\n", 1, 1);
        fs::write(root.join(MANIFEST), list).unwrap();
        assert!(run(&root, &[("b", "b")]).is_err());
        fs::remove_file(root.join("a")).unwrap();
        run(&root, &[("b", "b")]).unwrap();
        assert!(victim.join("x").exists());
    }

    #[test]
    fn a_damaged_list_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(MANIFEST), "something else\n").unwrap();
        let error = run(folder.path(), &[]).unwrap_err().to_string();
        assert!(error.contains("is damaged: delete"), "{error}");
    }
}
