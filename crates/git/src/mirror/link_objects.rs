//! Links the objects of other object directories into that of a mirror, as `git clone --local` does.
//!
//! A link takes no space until the other repository deletes the file. Where links are impossible, files are copied.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::fs_util::has_extension;

/// The number of attempts when the other repository is repacked meanwhile.
const ATTEMPTS: usize = 5;

/// Links all packs and loose objects of `others` to the object directory `target`.
///
/// # Errors
/// When a file cannot be read or written, or packs disappear again and again.
pub(crate) fn link_all(others: &[PathBuf], target: &Path) -> io::Result<()> {
    for other in others {
        let mut attempt = 1;
        while let Err(error) = link(other, target) {
            if error.kind() != ErrorKind::NotFound || attempt == ATTEMPTS {
                return Err(error);
            }
            attempt += 1;
        }
    }
    std::fs::File::open(target.join("pack"))?.sync_all()
}

/// Links the objects of one directory. A repack moves objects from loose files to packs, or the other way round, and
/// creates the new files first. So loose objects are linked both before and after the packs.
fn link(other: &Path, target: &Path) -> io::Result<()> {
    link_loose(other, target)?;
    link_packs(&other.join("pack"), &target.join("pack"))?;
    link_loose(other, target)
}

fn link_loose(other: &Path, target: &Path) -> io::Result<()> {
    for folder in 0..=u8::MAX {
        let name = format!("{folder:02x}");
        let Some(files) = files_in(&other.join(&name))? else {
            continue;
        };
        std::fs::create_dir_all(target.join(&name))?;
        for file in files {
            let file = file?;
            // 20 bytes without the first, in hexadecimal; others are incomplete.
            if file.file_name().len() != 38 {
                continue;
            }
            let to = target.join(&name).join(file.file_name());
            match link_file(&file.path(), &to) {
                // It is in a pack now.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                other => other?,
            }
        }
    }
    Ok(())
}

fn link_packs(other: &Path, target: &Path) -> io::Result<()> {
    for file in files_in(other)?.into_iter().flatten() {
        let index = file?.path();
        let Some(name) = index.file_name().filter(|_| has_extension(&index, "idx")) else {
            continue;
        };
        // A pack without an index counts as incomplete.
        let pack = index.with_extension("pack");
        link_file(&pack, &target.join(name).with_extension("pack"))?;
        link_file(&index, &target.join(name))?;
    }
    Ok(())
}

/// The files in a directory, if it exists.
fn files_in(folder: &Path) -> io::Result<Option<std::fs::ReadDir>> {
    match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        files => files.map(Some),
    }
}

/// Links a file, or copies it if it cannot be linked, unless `to` exists.
fn link_file(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(error),
        // On another file system, of another owner, or already linked too often.
        Err(_) => copy(from, to),
    }
}

/// Copies a file; it has its name only once it is complete and on disk.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new(""));
    let temporary = folder.join("tmp_link");
    std::fs::copy(from, &temporary)?;
    std::fs::File::open(&temporary)?.sync_all()?;
    std::fs::rename(&temporary, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object directory with a pack, a loose object and incomplete files.
    fn objects() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, content) in [
            ("pack/pack-1.pack", "a pack"),
            ("pack/pack-1.idx", "its index"),
            ("pack/pack-2.pack", "incomplete"),
            ("pack/tmp_idx", "incomplete"),
            ("00/11111111111111111111111111111111111111", "loose"),
            ("00/tmp_obj_1", "incomplete"),
            ("info/alternates", "elsewhere"),
        ] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn complete_packs_and_loose_objects_are_linked_once() {
        let (other, own) = (objects(), tempfile::tempdir().unwrap());
        std::fs::create_dir(own.path().join("pack")).unwrap();
        for _ in 0..2 {
            link_all(&[other.path().to_owned()], own.path()).unwrap();
            assert_eq!(names(own.path()), ["00", "pack"]);
            assert_eq!(
                names(&own.path().join("pack")),
                ["pack-1.idx", "pack-1.pack"]
            );
            assert_eq!(names(&own.path().join("00")), ["1".repeat(38)]);
        }
        std::fs::remove_dir_all(other.path()).unwrap();
        let pack = std::fs::read_to_string(own.path().join("pack/pack-1.pack")).unwrap();
        assert_eq!(pack, "a pack");
    }

    #[test]
    fn a_file_that_cannot_be_linked_is_copied() {
        let (other, own) = (objects(), tempfile::tempdir().unwrap());
        let to = own.path().join("pack-1.pack");
        copy(&other.path().join("pack/pack-1.pack"), &to).unwrap();
        assert_eq!(std::fs::read_to_string(&to).unwrap(), "a pack");
        assert_eq!(names(own.path()), ["pack-1.pack"]);
    }

    #[test]
    fn a_pack_that_disappears_is_an_error_and_leaves_no_index() {
        let (other, own) = (objects(), tempfile::tempdir().unwrap());
        std::fs::create_dir(own.path().join("pack")).unwrap();
        std::fs::remove_file(other.path().join("pack/pack-1.pack")).unwrap();
        let error = link_all(&[other.path().to_owned()], own.path()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(names(&own.path().join("pack")).is_empty());
    }
}
