//! Keeping a mirror's folder in order: what a killed process left, what gix needs to open it, many small packs.

use std::io;
use std::path::{Path, PathBuf};

use gix::objs::Write as _;
use gix::odb::pack::Bundle;
use gix::odb::pack::cache::Never;

/// Up to how many objects a received pack is taken apart, as git itself does (`fetch.unpackLimit`). Each pack makes
/// every look-up slower, and gix joins no packs.
pub(crate) const UNPACK_LIMIT: u32 = 100;

/// Deletes the locks and half-written packs that a killed process left. Nobody else may be using the mirror.
pub(crate) fn clear_leftovers(mirror: &Path) -> io::Result<()> {
    let mut folders = vec![mirror.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if entry.file_type()?.is_dir() {
                // Loose objects are renamed into place when they are complete, and there may be many.
                if !(name.len() == 2 && folder.ends_with("objects")) {
                    folders.push(entry.path());
                }
                continue;
            }
            let half_written = folder.ends_with("objects/pack")
                && (name.starts_with(".tmp") || name.starts_with("tmp_") || is_orphan(&entry.path()));
            if name.ends_with(".lock") || half_written {
                std::fs::remove_file(entry.path())?;
            }
        }
    }
    Ok(())
}

/// A pack whose index was never written.
fn is_orphan(path: &Path) -> bool {
    has_extension(path, "pack") && !path.with_extension("idx").exists()
}

/// Puts back what a folder needs to be opened as a bare repository, should a crash of the machine have cost it.
pub(crate) fn repair_skeleton(mirror: &Path) -> io::Result<()> {
    for folder in ["refs/heads", "objects/pack", "objects/info"] {
        std::fs::create_dir_all(mirror.join(folder))?;
    }
    let head = mirror.join("HEAD");
    if std::fs::read(&head).map_or(true, |text| text.len() < 5) {
        std::fs::write(head, "ref: refs/heads/main\n")?;
    }
    std::fs::write(mirror.join("config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
}

/// Takes a small pack apart into loose objects and deletes it. What is being read from it stays readable.
pub(crate) fn unpack(objects: &Path, index: &Path) -> gix::Result<()> {
    let bundle = Bundle::at(index, gix::hash::Kind::Sha1)?;
    let loose = gix::odb::loose::Store::at(objects, gix::hash::Kind::Sha1);
    let (mut buffer, mut inflate) = (Vec::new(), gix::zlib::Inflate::default());
    for entry in bundle.index.iter() {
        if loose.contains(&entry.oid) {
            continue;
        }
        if let Some((data, _)) = bundle.find(&entry.oid, &mut buffer, &mut inflate, &mut Never)? {
            loose.write_buf(data.kind, data.data)?;
        }
    }
    drop(bundle);
    for extension in ["idx", "rev", "pack"] {
        remove_if_there(&index.with_extension(extension)).map_err(gix::Error::from_error)?;
    }
    Ok(())
}

/// Whether packs and single objects of a folder of objects are what their checksums say.
pub(crate) fn is_sound(objects: &Path) -> bool {
    let go_on = std::sync::atomic::AtomicBool::new(false);
    let Ok(files) = std::fs::read_dir(objects.join("pack")) else { return false };
    let packs = files.filter_map(|file| Some(file.ok()?.path())).filter(|path| has_extension(path, "pack"));
    for pack in packs {
        let checked = Bundle::at(pack, gix::hash::Kind::Sha1).and_then(|bundle| {
            bundle.index.verify_checksum(&mut gix::progress::Discard, &go_on)?;
            bundle.pack.verify_checksum(&mut gix::progress::Discard, &go_on)?;
            Ok(bundle.index.pack_checksum() == bundle.pack.checksum())
        });
        if !checked.is_ok_and(|same| same) {
            return false;
        }
    }
    let loose = gix::odb::loose::Store::at(objects, gix::hash::Kind::Sha1);
    loose.verify_integrity(&mut gix::progress::Discard, &go_on).is_ok()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|own| own == extension)
}

/// Deletes a file, or does nothing when it is not there.
pub(crate) fn remove_if_there(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Deletes a folder with all that is in it, or does nothing when it is not there.
pub(crate) fn remove_folder(path: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a file whole or not at all, and not when it holds the same already.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if std::fs::read(path).is_ok_and(|present| present == bytes) {
        return Ok(());
    }
    let aside = with_suffix(path, ".lock");
    std::fs::write(&aside, bytes)?;
    std::fs::rename(aside, path)
}

/// The same path with more at the end of its name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_goes_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let mirror = folder.path();
        repair_skeleton(mirror).unwrap();
        let stays = ["HEAD", "config", "refs/heads/main", "objects/pack/pack-1.pack", "objects/pack/pack-1.idx"];
        let goes = [
            "HEAD.lock",
            "packed-refs.lock",
            "shallow.lock",
            "refs/heads/main.lock",
            "objects/pack/.tmpAbc123",
            "objects/pack/tmp_pack_1",
            "objects/pack/pack-2.pack",
        ];
        for name in stays.iter().chain(&goes) {
            std::fs::write(mirror.join(name), "x").unwrap();
        }
        clear_leftovers(mirror).unwrap();
        assert!(stays.iter().all(|name| mirror.join(name).exists()));
        assert!(goes.iter().all(|name| !mirror.join(name).exists()));
    }

    #[test]
    fn a_mirror_that_lost_its_frame_can_be_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        assert!(crate::git::Repository::open(folder.path()).is_err());
        repair_skeleton(folder.path()).unwrap();
        assert!(crate::git::Repository::open(folder.path()).is_ok());
    }
}
