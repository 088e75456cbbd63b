//! Checks and repairs the directory of a mirror after a crash.

use std::io;
use std::path::Path;

use gix::odb::pack::Bundle;

use crate::fs_util::{create_folder, has_extension, remove_file};

/// The list of other object directories, relative to the mirror. Only mirrors of local repositories have one.
pub(crate) const ALTERNATES: &str = "objects/info/alternates";

/// Deletes the locks and incomplete packs of a killed process. No other process may use the mirror.
pub(crate) fn clear_leftovers(mirror: &Path) -> io::Result<()> {
    let mut folders = vec![mirror.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if entry.file_type()?.is_dir() {
                // Loose objects are written atomically, and there may be many.
                if !(name.len() == 2 && folder.ends_with("objects")) {
                    folders.push(entry.path());
                }
                continue;
            }
            let incomplete = folder.ends_with("objects/pack")
                && (name.starts_with(".tmp")
                    || name.starts_with("tmp_")
                    || is_orphan(&entry.path()));
            if name.ends_with(".lock") || incomplete {
                std::fs::remove_file(entry.path())?;
            }
        }
    }
    Ok(())
}

/// A pack without an index.
fn is_orphan(path: &Path) -> bool {
    has_extension(path, "pack") && !path.with_extension("idx").exists()
}

/// Restores the files that a bare repository needs, which a system crash may have truncated. Removes the list of
/// alternates, which each poll of a local repository writes.
pub(crate) fn repair_skeleton(mirror: &Path) -> io::Result<()> {
    for folder in [
        "refs",
        "refs/heads",
        "objects",
        "objects/pack",
        "objects/info",
    ] {
        create_folder(&mirror.join(folder))?;
    }
    remove_file(&mirror.join(ALTERNATES))?;
    let head = mirror.join("HEAD");
    if std::fs::read(&head).map_or(true, |text| text.len() < 5) {
        std::fs::write(head, "ref: refs/heads/main\n")?;
    }
    let config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";
    std::fs::write(mirror.join("config"), config)
}

/// Whether the packs and loose objects of an object directory match their checksums.
pub(crate) fn checksums_match(objects: &Path) -> bool {
    let interrupt = std::sync::atomic::AtomicBool::new(false);
    let progress = &mut gix::progress::Discard;
    let Ok(files) = std::fs::read_dir(objects.join("pack")) else {
        return false;
    };
    let files = files.filter_map(|file| Some(file.ok()?.path()));
    for pack in files.filter(|path| has_extension(path, "pack")) {
        let checked = Bundle::at(pack, gix::hash::Kind::Sha1).and_then(|bundle| {
            bundle.index.verify_checksum(progress, &interrupt)?;
            bundle.pack.verify_checksum(progress, &interrupt)?;
            Ok(bundle.index.pack_checksum() == bundle.pack.checksum())
        });
        if !checked.is_ok_and(|same| same) {
            return false;
        }
    }
    let loose = gix::odb::loose::Store::at(objects, gix::hash::Kind::Sha1);
    loose.verify_integrity(progress, &interrupt).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_of_a_killed_process_are_deleted_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let mirror = folder.path();
        repair_skeleton(mirror).unwrap();
        let retained = [
            "HEAD",
            "config",
            "refs/heads/main",
            "objects/pack/pack-1.pack",
            "objects/pack/pack-1.idx",
        ];
        let deleted = [
            "HEAD.lock",
            "packed-refs.lock",
            "shallow.lock",
            "refs/heads/main.lock",
            "objects/pack/.tmpAbc123",
            "objects/pack/tmp_pack_1",
            "objects/pack/pack-2.pack",
        ];
        for name in retained.iter().chain(&deleted) {
            std::fs::write(mirror.join(name), "x").unwrap();
        }
        clear_leftovers(mirror).unwrap();
        assert!(retained.iter().all(|name| mirror.join(name).exists()));
        assert!(deleted.iter().all(|name| !mirror.join(name).exists()));
    }

    #[test]
    fn a_mirror_without_its_basic_files_is_repaired() {
        let folder = tempfile::tempdir().unwrap();
        assert!(crate::Repository::open(folder.path()).is_err());
        repair_skeleton(folder.path()).unwrap();
        assert!(crate::Repository::open(folder.path()).is_ok());
    }
}
