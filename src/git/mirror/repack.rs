//! Repacks mirrors. gix cannot repack, and the `git` program may not be installed.
//!
//! The policy: every fetch adds a pack, and copied objects are loose. When a mirror has more than 16 packs or about
//! 6,700 loose objects, the loose objects and the small packs become one pack. A pack is small if it has at most twice
//! as many objects as all smaller packs and loose objects together, so a large pack is rarely rewritten and the number
//! of packs stays logarithmic (a geometric repack, like `git repack --geometric=2`).
//!
//! Objects are sorted so that versions of one file are neighbours. A delta stores the bytes between the common prefix
//! and the common suffix of two versions, which is nearly optimal for translation files. gix then verifies and indexes
//! the pack as if a server had sent it.

use std::collections::VecDeque;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use gix::objs::{Kind, TreeRefIter};
use gix::odb::pack::data::entry::Header;
use gix::odb::pack::{Bundle, data, index};
use gix::zlib::{Compression, stream::deflate};
use gix::{ObjectId, hash, odb};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fs_util::remove_file;

/// The numbers of loose objects and packs that trigger a repack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepackLimits {
    pub(crate) objects: usize,
    pub(crate) packs: usize,
}

/// `gc.auto` of git, and a third of its `gc.autoPackLimit`.
pub(crate) const LIMITS: RepackLimits = RepackLimits {
    objects: 6_700,
    packs: 16,
};

/// The number of preceding objects to compare with.
const WINDOW: usize = 10;
/// The size limit of these objects in bytes.
const WINDOW_BYTES: usize = 32 << 20;
/// The maximum length of a delta chain.
const DEPTH: u8 = 40;

/// Whether a limit is exceeded. Estimates the number of loose objects from a few directories.
pub(crate) fn is_due(objects: &Path, limits: RepackLimits) -> bool {
    const SAMPLE: [&str; 4] = ["17", "5b", "9e", "e2"];
    let count = |folder: PathBuf| std::fs::read_dir(folder).map_or(0, Iterator::count);
    let sampled: usize = SAMPLE.iter().map(|name| count(objects.join(name))).sum();
    sampled * (256 / SAMPLE.len()) > limits.objects || packs(objects).len() > limits.packs
}

/// Packs all loose objects and small packs into one pack. Open repositories stay readable.
///
/// # Errors
/// When an object cannot be read or the pack cannot be written; the mirror is unchanged then.
pub(crate) fn repack(objects: &Path) -> Result<(), gix::Error> {
    let loose = odb::loose::Store::at(objects, gix::hash::Kind::Sha1);
    let loose_ids: Vec<ObjectId> = loose
        .iter()
        .collect::<Result<_, _>>()
        .map_err(gix::Error::from_error)?;
    let (small, large) = small_packs(objects, loose_ids.len())?;
    let mut wanted: FxHashSet<ObjectId> = FxHashSet::default();
    wanted.extend(
        loose_ids
            .iter()
            .filter(|id| !large.iter().any(|pack| pack.lookup(id).is_some())),
    );
    for pack in &small {
        wanted.extend(pack.iter().map(|entry| entry.oid));
    }
    let store = odb::at(objects, gix::hash::Kind::Sha1).map_err(gix::Error::from_error)?;
    let ordered = in_order(&store, wanted)?;
    let temporary = objects.join("pack/tmp_repack");
    let written = write(&store, &ordered, &temporary).and_then(|()| install(objects, &temporary));
    remove_file(&temporary).map_err(gix::Error::from_error)?;
    let index = written?;
    // Now every object exists twice.
    for pack in &small {
        if Some(pack.path()) != index.as_deref() {
            for extension in ["idx", "rev", "pack"] {
                remove_file(&pack.path().with_extension(extension))
                    .map_err(gix::Error::from_error)?;
            }
        }
    }
    for id in loose_ids {
        remove_file(&loose.object_path(&id)).map_err(gix::Error::from_error)?;
    }
    Ok(())
}

/// Writes a pack with those of the objects `ids` that the object folder or its alternates have. Returns their number.
///
/// # Errors
/// When an object cannot be read or the pack cannot be written.
pub(crate) fn pack_of(objects: &Path, ids: &[[u8; 20]], path: &Path) -> Result<usize, gix::Error> {
    use gix::objs::FindHeader as _;
    let store = odb::at(objects, gix::hash::Kind::Sha1).map_err(gix::Error::from_error)?;
    let mut wanted = FxHashSet::default();
    for id in ids.iter().map(|id| ObjectId::Sha1(*id)) {
        if store.try_header(&id)?.is_some() {
            wanted.insert(id);
        }
    }
    let ordered = in_order(&store, wanted)?;
    write(&store, &ordered, path)?;
    Ok(ordered.len())
}

/// The index files of the packs, unordered.
fn packs(objects: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(objects.join("pack"))
        .into_iter()
        .flatten();
    let paths = files.filter_map(|file| Some(file.ok()?.path()));
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "idx"))
        .collect()
}

/// Splits the packs into small ones, which are repacked, and large ones; see the policy above.
fn small_packs(
    objects: &Path,
    loose: usize,
) -> Result<(Vec<index::File>, Vec<index::File>), gix::Error> {
    let open = |path: PathBuf| index::File::at(path, gix::hash::Kind::Sha1);
    let mut all: Vec<index::File> = packs(objects)
        .into_iter()
        .map(open)
        .collect::<Result<_, _>>()?;
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

/// An object with its sort key.
struct Sorted {
    kind: Kind,
    /// Hash of the names of the folder and the object.
    name: u64,
    size: u64,
    id: ObjectId,
}

/// Sorts the versions of each file together, largest first, as git does.
fn in_order(store: &odb::Handle, wanted: FxHashSet<ObjectId>) -> Result<Vec<Sorted>, gix::Error> {
    use gix::objs::FindHeader as _;
    let mut sorted = Vec::with_capacity(wanted.len());
    for id in wanted {
        let header = store.try_header(&id)?;
        let header = header
            .ok_or_else(|| gix::Error::from_error(io::Error::from(io::ErrorKind::NotFound)))?;
        sorted.push(Sorted {
            kind: header.kind,
            name: 0,
            size: header.size,
            id,
        });
    }
    let mut names: FxHashMap<ObjectId, u64> = FxHashMap::default();
    // Twice: the name of a tree is known only after its parent was read.
    for _ in 0..2 {
        for tree in sorted.iter().filter(|object| object.kind == Kind::Tree) {
            let own = names.get(&tree.id).copied().unwrap_or_default();
            let bytes = read(store, &tree.id)?.1;
            for entry in TreeRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1) {
                let entry = entry?;
                let name = xxhash_rust::xxh3::xxh3_64_with_seed(entry.filename, own & 0xffff_ffff);
                names.insert(entry.oid.to_owned(), name);
            }
        }
    }
    for object in &mut sorted {
        object.name = names.get(&object.id).copied().unwrap_or_default();
    }
    sorted.sort_unstable_by(|a, b| {
        let key = |object: &Sorted| {
            (
                object.kind as u8,
                object.name,
                std::cmp::Reverse(object.size),
                object.id,
            )
        };
        key(a).cmp(&key(b))
    });
    Ok(sorted)
}

fn read(store: &odb::Handle, id: &gix::oid) -> Result<(Kind, Vec<u8>), gix::Error> {
    use gix::odb::pack::Find as _;
    let mut bytes = Vec::new();
    let found = store.try_find_cached(id, &mut bytes, &mut odb::pack::cache::Never)?;
    let kind = found.map(|(data, _)| data.kind);
    let kind =
        kind.ok_or_else(|| gix::Error::from_error(io::Error::from(io::ErrorKind::NotFound)))?;
    Ok((kind, bytes))
}

/// An object written shortly before.
struct WrittenObject {
    kind: Kind,
    offset: u64,
    depth: u8,
    bytes: Vec<u8>,
}

/// Writes a pack.
fn write(store: &odb::Handle, ordered: &[Sorted], path: &Path) -> Result<(), gix::Error> {
    let count = u32::try_from(ordered.len()).map_err(gix::Error::from_error)?;
    let file = BufWriter::new(std::fs::File::create(path).map_err(gix::Error::from_error)?);
    let mut out = hash::io::Write::new(file, hash::Kind::Sha1);
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(gix::Error::from_error);
    put(&data::header::encode(data::Version::V2, count))?;
    let mut offset = data::header::SIZE as u64;
    let mut window: VecDeque<WrittenObject> = VecDeque::new();
    for object in ordered {
        let (kind, bytes) = read(store, &object.id)?;
        let near = window
            .iter()
            .filter(|before| before.kind == kind && before.depth < DEPTH);
        let best = near
            .map(|before| (Common::of(&before.bytes, &bytes), before))
            .min_by_key(|(common, _)| common.new);
        let best = best.filter(|(common, _)| common.new < bytes.len() / 2);
        let (depth, entry) = match best {
            Some((common, before)) => {
                let header = Header::OfsDelta {
                    base_distance: offset - before.offset,
                };
                (
                    before.depth + 1,
                    entry(header, &common.delta(before.bytes.len(), &bytes)),
                )
            }
            None => {
                let header = match kind {
                    Kind::Commit => Header::Commit,
                    Kind::Tree => Header::Tree,
                    Kind::Blob => Header::Blob,
                    Kind::Tag => Header::Tag,
                };
                (0, entry(header, &bytes))
            }
        };
        let entry = entry.map_err(gix::Error::from_error)?;
        put(&entry)?;
        if bytes.len() <= WINDOW_BYTES / 4 {
            window.push_front(WrittenObject {
                kind,
                offset,
                depth,
                bytes,
            });
        }
        offset += entry.len() as u64;
        window.truncate(WINDOW);
        while window
            .iter()
            .map(|before| before.bytes.len())
            .sum::<usize>()
            > WINDOW_BYTES
        {
            window.pop_back();
        }
    }
    let hash = out.hash.try_finalize().map_err(gix::Error::from_error)?;
    let mut file = out.inner;
    file.write_all(hash.as_bytes())
        .and_then(|()| file.flush())
        .map_err(gix::Error::from_error)
}

/// A pack entry: an object or a delta.
fn entry(header: Header, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut entry = Vec::new();
    header.write_to(bytes.len() as u64, &mut entry)?;
    let mut deflated = deflate::Write::new(entry, Compression::DEFAULT);
    deflated.write_all(bytes)?;
    deflated.flush()?;
    Ok(deflated.into_inner())
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
    for path in [&made.data_path, &made.index_path]
        .into_iter()
        .flatten()
        .chain([&folder])
    {
        std::fs::File::open(path)
            .and_then(|file| file.sync_all())
            .map_err(gix::Error::from_error)?;
    }
    Ok(made.index_path)
}

/// The common prefix and suffix of two objects, in bytes.
struct Common {
    start: usize,
    end: usize,
    /// Bytes between them.
    new: usize,
}

impl Common {
    fn of(base: &[u8], bytes: &[u8]) -> Self {
        let start = base.iter().zip(bytes).take_while(|(a, b)| a == b).count();
        let rest = base.len().min(bytes.len()) - start;
        let ends = base.iter().rev().zip(bytes.iter().rev());
        let end = ends.take(rest).take_while(|(a, b)| a == b).count();
        Self {
            start,
            end,
            new: bytes.len() - start - end,
        }
    }

    /// The delta: copy, insert, copy.
    fn delta(&self, base: usize, bytes: &[u8]) -> Vec<u8> {
        let mut delta = Vec::new();
        for size in [base, bytes.len()] {
            let mut size = size;
            while size > 0x7f {
                delta.push(size as u8 & 0x7f | 0x80);
                size >>= 7;
            }
            delta.push(size as u8);
        }
        copy(0, self.start, &mut delta);
        let new = bytes
            .get(self.start..self.start + self.new)
            .unwrap_or_default();
        for piece in new.chunks(0x7f) {
            delta.push(piece.len() as u8);
            delta.extend_from_slice(piece);
        }
        copy(base - self.end, self.end, &mut delta);
        delta
    }
}

/// Appends instructions that copy a range of the base, each at most 16 MB.
fn copy(from: usize, length: usize, delta: &mut Vec<u8>) {
    const MAX: usize = 0xff_ffff;
    let mut done = 0;
    while done < length {
        let piece = (length - done).min(MAX);
        let at = delta.len();
        delta.push(0x80);
        for (number, bits) in [(from + done, 4), (piece, 3)] {
            let shift = if bits == 4 { 0 } else { 4 };
            for index in 0..bits {
                let byte = (number >> (8 * index)) as u8;
                if byte != 0 {
                    delta.push(byte);
                    delta[at] |= 1 << (shift + index);
                }
            }
        }
        done += piece;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gix::objs::Write as _;

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
        assert!(is_due(
            folder.objects(),
            RepackLimits {
                objects: 100,
                packs: 16
            }
        ));
        repack(folder.objects()).unwrap();
        folder.assert_complete();
        assert_eq!((folder.loose(), packs(folder.objects()).len()), (0, 1));
        let size = std::fs::metadata(packs(folder.objects())[0].with_extension("pack"))
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
        assert!(!is_due(folder.objects(), LIMITS));
    }

    #[test]
    fn packs_stay_few_and_large_ones_are_not_rewritten() {
        let mut folder = Folder::new();
        (0..300).for_each(|number| folder.put_version(number));
        repack(folder.objects()).unwrap();
        let large = packs(folder.objects());
        for round in 0..12 {
            (0..8).for_each(|number| folder.put_version(1_000 + 8 * round + number));
            repack(folder.objects()).unwrap();
            assert!(packs(folder.objects()).len() <= 4, "round {round}");
            assert_eq!(folder.loose(), 0);
        }
        assert!(packs(folder.objects()).contains(&large[0]));
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
        assert_eq!((folder.loose(), packs(folder.objects()).len()), (41, 0));
        assert!(!folder.objects().join("pack/tmp_repack").exists());
    }
}
