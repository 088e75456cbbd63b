//! Standard output, and files that a command writes.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

use gitglot_git::WorkTree;

/// Writes to standard output.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .context("cannot write to standard output")
}

/// Writes a file; see [`OutputFile`].
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let write = || {
        let mut file = OutputFile::create(path)?;
        file.write_all(bytes)?;
        file.finish()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// A file that appears at its path when it is complete. A repository can contain links, so it replaces a link instead of
/// following it, and a directory of a working tree must not be a link.
pub(super) struct OutputFile {
    path: PathBuf,
    file: Target,
}

enum Target {
    Temporary(NamedTempFile),
    /// A device or standard output, which the user names and no repository contains.
    Device(File),
}

impl OutputFile {
    /// Starts a file.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = if cfg!(unix) && path.starts_with("/dev") {
            Target::Device(File::options().write(true).open(path)?)
        } else {
            Target::Temporary(temporary(path)?)
        };
        let path = path.to_owned();
        Ok(Self { path, file })
    }

    /// Moves the file to its path.
    pub(super) fn finish(self) -> io::Result<()> {
        match self.file {
            Target::Device(mut file) => file.flush(),
            Target::Temporary(file) => {
                file.as_file().sync_all()?;
                file.persist(&self.path).map_err(|error| error.error)?;
                Ok(())
            }
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Target::Temporary(file) => file.write(bytes),
            Target::Device(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A temporary file in the directory of a file.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let refuse = |problem: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    match path.symlink_metadata() {
        Ok(data) if data.is_file() || data.is_symlink() => {}
        Ok(_) => return refuse("it is not a regular file: choose a different path"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    if let Some((tree, inner)) = WorkTree::containing(path) {
        let folder = inner.rsplit_once('/').map_or("", |(folder, _)| folder);
        if tree.folder(folder)?.is_none() {
            return refuse(
                "its directory does not exist in the repository, or it is behind a link: choose a different path",
            );
        }
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut builder = tempfile::Builder::new();
    // Others may read it, as far as the process allows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
        .prefix(".gitglot-")
        .tempfile_in(folder.unwrap_or(Path::new(".")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_created_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        for text in ["one", "two"] {
            write_file(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_file(folder.path(), b"x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced_and_never_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let (victim, repo) = (folder.path().join("victim"), folder.path().join("repo"));
        fs::create_dir_all(repo.join(".git")).unwrap();
        fs::create_dir(folder.path().join("outside")).unwrap();
        fs::write(&victim, "unchanged").unwrap();
        symlink("../victim", repo.join("report.json")).unwrap();
        symlink("../outside", repo.join("reports")).unwrap();
        write_file(&repo.join("report.json"), b"report").unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "unchanged");
        assert_eq!(
            fs::read_to_string(repo.join("report.json")).unwrap(),
            "report"
        );
        let error = write_file(&repo.join("reports/report.json"), b"report").unwrap_err();
        assert!(format!("{error:#}").contains("behind a link"), "{error:#}");
        assert_eq!(
            fs::read_dir(folder.path().join("outside")).unwrap().count(),
            0
        );
    }
}
