//! Repacks mirrors. gix cannot repack, and the `git` program may not be installed.
//!
//! The policy: every fetch and every copy adds a pack, and linked objects may be loose. When a mirror has more than 16
//! packs or about 6,700 loose objects, the loose objects and the small packs become one pack. A pack is small if it has
//! at most twice as many objects as all smaller packs and loose objects together, so a large pack is rarely rewritten
//! and the number of packs stays logarithmic (a geometric repack, like `git repack --geometric=2`).
//!
//! gix verifies and indexes the pack as if a server had sent it.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use gix::odb::pack::{Bundle, index};
use gix::{ObjectId, odb};

use super::pack_writer::{in_order, write};
use crate::fs_util::remove_file;
use crate::objects::packs::pack_indexes;
use gitglot_model::SeededSet;

/// The numbers of loose objects and packs that trigger a repack: `gc.auto` of git, and a third of its
/// `gc.autoPackLimit`.
const MAX_LOOSE: usize = 6_700;
const MAX_PACKS: usize = 16;

/// Whether a limit is exceeded. Estimates the number of loose objects from a few directories.
pub(crate) fn is_due(objects: &Path) -> bool {
    const SAMPLE: [&str; 4] = ["17", "5b", "9e", "e2"];
    let count = |folder: PathBuf| std::fs::read_dir(folder).map_or(0, Iterator::count);
    let sampled: usize = SAMPLE.iter().map(|name| count(objects.join(name))).sum();
    sampled * (256 / SAMPLE.len()) > MAX_LOOSE || pack_indexes(objects).len() > MAX_PACKS
}

/// Packs all loose objects and small packs into one pack. Open repositories stay readable.
///
/// # Errors
/// When an object cannot be read or the pack cannot be written; the mirror is unchanged then.
pub(crate) fn repack(objects: &Path) -> Result<(), gix::Error> {
    let loose = odb::loose::Store::at(objects, gix::hash::Kind::Sha1);
    let loose_ids = loose.iter().collect::<Result<Vec<ObjectId>, _>>();
    let loose_ids = loose_ids.map_err(gix::Error::from_error)?;
    let (small, large) = small_packs(objects, loose_ids.len())?;
    let is_in_large = |id: &ObjectId| large.iter().any(|pack| pack.lookup(id).is_some());
    let loose_only = loose_ids.iter().copied().filter(|id| !is_in_large(id));
    let mut wanted: SeededSet<ObjectId> = loose_only.collect();
    for pack in &small {
        wanted.extend(pack.iter().map(|entry| entry.oid));
    }
    let store = odb::at(objects, gix::hash::Kind::Sha1).map_err(gix::Error::from_error)?;
    let index = add_pack(&store, wanted, objects)?;
    // Now every object exists twice.
    for pack in &small {
        if Some(pack.path()) != index.as_deref() {
            for extension in ["idx", "rev", "pack"] {
                let removed = remove_file(&pack.path().with_extension(extension));
                removed.map_err(gix::Error::from_error)?;
            }
        }
    }
    for id in loose_ids {
        remove_file(&loose.object_path(&id)).map_err(gix::Error::from_error)?;
    }
    Ok(())
}

/// Copies objects from one object directory or its alternates to another one, as a pack.
pub(crate) fn copy(
    from: &Path,
    ids: impl Iterator<Item = [u8; 20]>,
    to: &Path,
) -> Result<(), gix::Error> {
    let wanted: SeededSet<ObjectId> = ids.map(ObjectId::Sha1).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let store = odb::at(from, gix::hash::Kind::Sha1).map_err(gix::Error::from_error)?;
    add_pack(&store, wanted, to).map(drop)
}

/// Writes a pack with some objects, and adds it to an object directory. Returns the path of its index.
fn add_pack(
    store: &odb::Handle,
    wanted: SeededSet<ObjectId>,
    objects: &Path,
) -> Result<Option<PathBuf>, gix::Error> {
    let ordered = in_order(store, wanted)?;
    let temporary = objects.join("pack/tmp_repack");
    let written = write(store, &ordered, &temporary).and_then(|()| install(objects, &temporary));
    remove_file(&temporary).map_err(gix::Error::from_error)?;
    written
}

/// Writes a pack with the objects of `ids` that the object directory or its alternates have. Returns their number.
pub(crate) fn pack_of(objects: &Path, ids: &[[u8; 20]], path: &Path) -> Result<usize, gix::Error> {
    use gix::objs::FindHeader as _;
    let store = odb::at(objects, gix::hash::Kind::Sha1).map_err(gix::Error::from_error)?;
    let mut wanted = SeededSet::default();
    for id in ids.iter().map(|id| ObjectId::Sha1(*id)) {
        if store.try_header(&id)?.is_some() {
            wanted.insert(id);
        }
    }
    let ordered = in_order(&store, wanted)?;
    write(&store, &ordered, path)?;
    Ok(ordered.len())
}

/// Splits the packs into small ones, which are repacked, and large ones; see the policy above.
fn small_packs(
    objects: &Path,
    loose: usize,
) -> Result<(Vec<index::File>, Vec<index::File>), gix::Error> {
    let open = |path: PathBuf| index::File::at(path, gix::hash::Kind::Sha1);
    let indexes = pack_indexes(objects).into_iter().map(open);
    let mut all: Vec<index::File> = indexes.collect::<Result<_, _>>()?;
    all.sort_by_key(index::File::num_objects);
    let mut sum = loose;
    let mut small = 0;
    for pack in &all {
        let count = pack.num_objects() as usize;
        if count > 2 * sum && sum > 0 {
            break;
        }
        sum += count;
        small += 1;
    }
    let large = all.split_off(small);
    Ok((all, large))
}

/// Verifies, indexes and syncs the pack with gix, and returns the path of the index.
pub(crate) fn install(objects: &Path, pack: &Path) -> Result<Option<PathBuf>, gix::Error> {
    let file = std::fs::File::open(pack).map_err(gix::Error::from_error)?;
    let folder = objects.join("pack");
    let made = Bundle::write_to_directory(
        &mut BufReader::new(file),
        Some(&folder),
        &mut gix::progress::Discard,
        &std::sync::atomic::AtomicBool::new(false),
        None::<odb::Handle>,
        gix::hash::Kind::Sha1,
        odb::pack::bundle::write::Options {
            thread_limit: Some(1),
            ..Default::default()
        },
    )?;
    if let Some(keep) = &made.keep_path {
        remove_file(keep).map_err(gix::Error::from_error)?;
    }
    let paths = made.data_path.iter().chain(&made.index_path);
    for path in paths.chain([&folder]) {
        let synced = std::fs::File::open(path).and_then(|file| file.sync_all());
        synced.map_err(gix::Error::from_error)?;
    }
    Ok(made.index_path)
}

#[cfg(test)]
mod tests {
    use gix::objs::{Kind, Write as _};

    use super::super::pack_writer::read;
    use super::*;

    /// An object directory with loose versions of some files.
    struct Folder {
        dir: tempfile::TempDir,
        written: Vec<(ObjectId, Kind, Vec<u8>)>,
    }

    impl Folder {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(dir.path().join("pack")).unwrap();
            Self {
                dir,
                written: Vec::new(),
            }
        }

        fn objects(&self) -> &Path {
            self.dir.path()
        }

        fn put(&mut self, kind: Kind, bytes: Vec<u8>) -> ObjectId {
            let id = odb::loose::Store::at(self.objects(), gix::hash::Kind::Sha1)
                .write_buf(kind, &bytes)
                .unwrap();
            self.written.push((id, kind, bytes));
            id
        }

        /// A file of many lines, one of which contains the number, and its tree.
        fn put_version(&mut self, number: usize) {
            let lines: String = (0..400)
                .map(|line| format!("\"key {line}\": \"text {}\",\n", line * 7919))
                .collect();
            let blob = self.put(
                Kind::Blob,
                lines
                    .replace("text 15838\"", &format!("{number}\""))
                    .into_bytes(),
            );
            let tree = [&b"100644 en.json\0"[..], blob.as_slice()].concat();
            self.put(Kind::Tree, tree);
        }

        fn loose(&self) -> usize {
            odb::loose::Store::at(self.objects(), gix::hash::Kind::Sha1)
                .iter()
                .count()
        }

        fn assert_complete(&self) {
            let store = odb::at(self.objects(), gix::hash::Kind::Sha1).unwrap();
            for (id, kind, bytes) in &self.written {
                assert_eq!(read(&store, id).unwrap(), (*kind, bytes.clone()));
            }
        }
    }

    #[test]
    fn loose_objects_become_one_small_pack() {
        let mut folder = Folder::new();
        (0..200).for_each(|number| folder.put_version(number));
        folder.put(Kind::Blob, Vec::new());
        folder.put(Kind::Blob, vec![7; 300_000]);
        folder.put(
            Kind::Blob,
            [&[7; 200_000][..], b"other", &[7; 100_000]].concat(),
        );
        repack(folder.objects()).unwrap();
        folder.assert_complete();
        assert_eq!(
            (folder.loose(), pack_indexes(folder.objects()).len()),
            (0, 1)
        );
        let size = std::fs::metadata(pack_indexes(folder.objects())[0].with_extension("pack"))
            .unwrap()
            .len();
        assert!(
            size < 60_000,
            "{size} bytes for {} objects",
            folder.written.len()
        );
        let names: Vec<_> = std::fs::read_dir(folder.objects().join("pack"))
            .unwrap()
            .collect();
        assert_eq!(names.len(), 2, "nothing else stays: {names:?}");
    }

    #[test]
    fn a_repack_is_due_at_many_loose_objects_or_packs() {
        for (folders, files, limit) in [
            (&["17", "5b", "9e", "e2"][..], "", 6_700 / 256),
            (&["pack"], ".idx", MAX_PACKS),
        ] {
            let objects = tempfile::tempdir().unwrap();
            for folder in folders {
                std::fs::create_dir(objects.path().join(folder)).unwrap();
            }
            for number in 0..=limit {
                assert!(!is_due(objects.path()), "{number} of {files:?}");
                for folder in folders {
                    let file = objects.path().join(folder).join(format!("{number}{files}"));
                    std::fs::write(file, "").unwrap();
                }
            }
            assert!(is_due(objects.path()));
        }
    }

    #[test]
    fn packs_stay_few_and_large_ones_are_not_rewritten() {
        let mut folder = Folder::new();
        (0..300).for_each(|number| folder.put_version(number));
        repack(folder.objects()).unwrap();
        let large = pack_indexes(folder.objects());
        for round in 0..12 {
            (0..8).for_each(|number| folder.put_version(1_000 + 8 * round + number));
            repack(folder.objects()).unwrap();
            assert!(pack_indexes(folder.objects()).len() <= 4, "round {round}");
            assert_eq!(folder.loose(), 0);
        }
        assert!(pack_indexes(folder.objects()).contains(&large[0]));
        folder.assert_complete();
    }

    #[test]
    fn an_unreadable_object_leaves_the_mirror_unchanged() {
        let mut folder = Folder::new();
        (0..20).for_each(|number| folder.put_version(number));
        let bad = folder.put(Kind::Blob, b"bad".to_vec());
        let loose = odb::loose::Store::at(folder.objects(), gix::hash::Kind::Sha1);
        std::fs::remove_file(loose.object_path(&bad)).unwrap();
        std::fs::write(loose.object_path(&bad), b"nonsense").unwrap();
        assert!(repack(folder.objects()).is_err());
        assert_eq!(
            (folder.loose(), pack_indexes(folder.objects()).len()),
            (41, 0)
        );
        assert!(!folder.objects().join("pack/tmp_repack").exists());
    }
}
