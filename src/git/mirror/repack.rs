//! Joining what months of small fetches leave: single objects and small packs become one pack.
//!
//! gix joins no packs, and the `git` program need not be there. The pack is written here: objects in an order in which
//! versions of one file stand together, each as what lies between the beginning and the end that it has in common with
//! one shortly before it. That is nearly all there is to gain for files of texts, of which a commit changes a line or
//! two. gix then reads the pack as it reads one from a server, which proves every object in it, and writes its index.

use std::collections::VecDeque;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use gix::objs::{Kind, TreeRefIter};
use gix::odb::pack::data::entry::Header;
use gix::odb::pack::{Bundle, data, index};
use gix::zlib::{Compression, stream::deflate};
use gix::{ObjectId, hash, odb};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::git::mirror::fsck::remove_if_there;

/// So many single objects, or packs, are borne.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) objects: usize,
    pub(crate) packs: usize,
}

/// As git does it, but for the number of packs: `gc.auto` and a third of `gc.autoPackLimit`.
pub(crate) const LIMITS: Limits = Limits { objects: 6_700, packs: 16 };

/// Objects before one that it is compared with.
const WINDOW: usize = 10;
/// Bytes of them that are held.
const WINDOW_BYTES: usize = 32 << 20;
/// Objects that stand on each other at most.
const DEPTH: u8 = 40;

/// Whether there are more single objects or packs than are borne. Counts a few of the folders only.
pub(crate) fn is_due(objects: &Path, limits: Limits) -> bool {
    const SAMPLE: [&str; 4] = ["17", "5b", "9e", "e2"];
    let count = |folder: PathBuf| std::fs::read_dir(folder).map_or(0, Iterator::count);
    let sampled: usize = SAMPLE.iter().map(|name| count(objects.join(name))).sum();
    sampled * (256 / SAMPLE.len()) > limits.objects || packs(objects).len() > limits.packs
}

/// Joins all single objects and those packs that are small beside them. What is being read stays readable.
///
/// # Errors
/// When an object cannot be read or the pack cannot be written; then everything is as it was.
pub(crate) fn repack(objects: &Path) -> Result<(), gix::Error> {
    let loose = odb::loose::Store::at(objects, gix::hash::Kind::Sha1);
    let single: Vec<ObjectId> = loose.iter().collect::<Result<_, _>>().map_err(gix::Error::from_error)?;
    let (small, large) = small_packs(objects, single.len())?;
    let mut wanted: FxHashSet<ObjectId> = FxHashSet::default();
    wanted.extend(single.iter().filter(|id| !large.iter().any(|pack| pack.lookup(id).is_some())));
    for pack in &small {
        wanted.extend(pack.iter().map(|entry| entry.oid));
    }
    let store = odb::at(objects, gix::hash::Kind::Sha1).map_err(gix::Error::from_error)?;
    let ordered = in_order(&store, wanted)?;
    let aside = objects.join("pack/tmp_repack");
    let written = write(&store, &ordered, &aside).and_then(|()| install(objects, &aside));
    remove_if_there(&aside).map_err(gix::Error::from_error)?;
    let made = written?;
    // From here on everything is there twice.
    for pack in &small {
        if Some(pack.path()) != made.as_deref() {
            for extension in ["idx", "rev", "pack"] {
                remove_if_there(&pack.path().with_extension(extension)).map_err(gix::Error::from_error)?;
            }
        }
    }
    for id in single {
        remove_if_there(&loose.object_path(&id)).map_err(gix::Error::from_error)?;
    }
    Ok(())
}

/// The indexes of the packs, in no order.
fn packs(objects: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(objects.join("pack")).into_iter().flatten();
    let paths = files.filter_map(|file| Some(file.ok()?.path()));
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "idx")).collect()
}

/// Parts packs so that what is joined is small beside what is not: each object is written again seldom, and packs stay
/// few however many there were.
fn small_packs(objects: &Path, single: usize) -> Result<(Vec<index::File>, Vec<index::File>), gix::Error> {
    let open = |path: PathBuf| index::File::at(path, gix::hash::Kind::Sha1);
    let mut all: Vec<index::File> = packs(objects).into_iter().map(open).collect::<Result<_, _>>()?;
    all.sort_by_key(index::File::num_objects);
    let mut sum = single;
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

/// An object and where it stands among the others.
struct Placed {
    kind: Kind,
    /// Hash of the names of its folder and itself.
    name: u64,
    size: u64,
    id: ObjectId,
}

/// Versions of one file one after the other, the largest first, as git has them.
fn in_order(store: &odb::Handle, wanted: FxHashSet<ObjectId>) -> Result<Vec<Placed>, gix::Error> {
    use gix::objs::FindHeader as _;
    let mut placed = Vec::with_capacity(wanted.len());
    for id in wanted {
        let header = store.try_header(&id)?;
        let header = header.ok_or_else(|| gix::Error::from_error(io::Error::from(io::ErrorKind::NotFound)))?;
        placed.push(Placed { kind: header.kind, name: 0, size: header.size, id });
    }
    let mut names: FxHashMap<ObjectId, u64> = FxHashMap::default();
    // Twice: what a tree is called is known only after the one that holds it.
    for _ in 0..2 {
        for tree in placed.iter().filter(|object| object.kind == Kind::Tree) {
            let own = names.get(&tree.id).copied().unwrap_or_default();
            let bytes = read(store, &tree.id)?.1;
            for entry in TreeRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1) {
                let entry = entry?;
                let name = xxhash_rust::xxh3::xxh3_64_with_seed(entry.filename, own & 0xffff_ffff);
                names.insert(entry.oid.to_owned(), name);
            }
        }
    }
    for object in &mut placed {
        object.name = names.get(&object.id).copied().unwrap_or_default();
    }
    placed.sort_unstable_by(|a, b| {
        let key = |object: &Placed| (object.kind as u8, object.name, std::cmp::Reverse(object.size), object.id);
        key(a).cmp(&key(b))
    });
    Ok(placed)
}

fn read(store: &odb::Handle, id: &gix::oid) -> Result<(Kind, Vec<u8>), gix::Error> {
    use gix::odb::pack::Find as _;
    let mut bytes = Vec::new();
    let found = store.try_find_cached(id, &mut bytes, &mut odb::pack::cache::Never)?;
    let kind = found.map(|(data, _)| data.kind);
    let kind = kind.ok_or_else(|| gix::Error::from_error(io::Error::from(io::ErrorKind::NotFound)))?;
    Ok((kind, bytes))
}

/// An object that was just written.
struct Before {
    kind: Kind,
    offset: u64,
    depth: u8,
    bytes: Vec<u8>,
}

/// Writes a pack.
fn write(store: &odb::Handle, ordered: &[Placed], path: &Path) -> Result<(), gix::Error> {
    let count = u32::try_from(ordered.len()).map_err(gix::Error::from_error)?;
    let file = BufWriter::new(std::fs::File::create(path).map_err(gix::Error::from_error)?);
    let mut out = hash::io::Write::new(file, hash::Kind::Sha1);
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(gix::Error::from_error);
    put(&data::header::encode(data::Version::V2, count))?;
    let mut offset = data::header::SIZE as u64;
    let mut window: VecDeque<Before> = VecDeque::new();
    for object in ordered {
        let (kind, bytes) = read(store, &object.id)?;
        let near = window.iter().filter(|before| before.kind == kind && before.depth < DEPTH);
        let best = near.map(|before| (Common::of(&before.bytes, &bytes), before)).min_by_key(|(common, _)| common.new);
        let best = best.filter(|(common, _)| common.new < bytes.len() / 2);
        let (depth, entry) = match best {
            Some((common, before)) => {
                let header = Header::OfsDelta { base_distance: offset - before.offset };
                (before.depth + 1, entry(header, &common.delta(before.bytes.len(), &bytes)))
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
            window.push_front(Before { kind, offset, depth, bytes });
        }
        offset += entry.len() as u64;
        window.truncate(WINDOW);
        while window.iter().map(|before| before.bytes.len()).sum::<usize>() > WINDOW_BYTES {
            window.pop_back();
        }
    }
    let hash = out.hash.try_finalize().map_err(gix::Error::from_error)?;
    let mut file = out.inner;
    file.write_all(hash.as_bytes()).and_then(|()| file.flush()).map_err(gix::Error::from_error)
}

/// An entry of a pack: an object, or how to make it.
fn entry(header: Header, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut entry = Vec::new();
    header.write_to(bytes.len() as u64, &mut entry)?;
    let mut deflated = deflate::Write::new(entry, Compression::DEFAULT);
    deflated.write_all(bytes)?;
    deflated.flush()?;
    Ok(deflated.into_inner())
}

/// Lets gix prove the pack and put it among the others; gives the path of its index, once both are on the disk.
fn install(objects: &Path, pack: &Path) -> Result<Option<PathBuf>, gix::Error> {
    let file = std::fs::File::open(pack).map_err(gix::Error::from_error)?;
    let folder = objects.join("pack");
    let made = Bundle::write_to_directory(
        &mut BufReader::new(file),
        Some(&folder),
        &mut gix::progress::Discard,
        &std::sync::atomic::AtomicBool::new(false),
        None::<odb::Handle>,
        gix::hash::Kind::Sha1,
        odb::pack::bundle::write::Options { thread_limit: Some(1), ..Default::default() },
    )?;
    if let Some(keep) = &made.keep_path {
        remove_if_there(keep).map_err(gix::Error::from_error)?;
    }
    for path in [&made.data_path, &made.index_path].into_iter().flatten().chain([&folder]) {
        std::fs::File::open(path).and_then(|file| file.sync_all()).map_err(gix::Error::from_error)?;
    }
    Ok(made.index_path)
}

/// What an object has in common with another one.
struct Common {
    start: usize,
    end: usize,
    /// Bytes between.
    new: usize,
}

impl Common {
    fn of(base: &[u8], bytes: &[u8]) -> Self {
        let start = base.iter().zip(bytes).take_while(|(a, b)| a == b).count();
        let rest = base.len().min(bytes.len()) - start;
        let ends = base.iter().rev().zip(bytes.iter().rev());
        let end = ends.take(rest).take_while(|(a, b)| a == b).count();
        Self { start, end, new: bytes.len() - start - end }
    }

    /// How to make the object from the base: copy, insert, copy.
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
        let new = bytes.get(self.start..self.start + self.new).unwrap_or_default();
        for piece in new.chunks(0x7f) {
            delta.push(piece.len() as u8);
            delta.extend_from_slice(piece);
        }
        copy(base - self.end, self.end, &mut delta);
        delta
    }
}

/// Instructions to copy a piece of the base, in pieces of at most what fits into three bytes.
fn copy(from: usize, length: usize, delta: &mut Vec<u8>) {
    const MOST: usize = 0xff_ffff;
    let mut done = 0;
    while done < length {
        let piece = (length - done).min(MOST);
        let at = delta.len();
        delta.push(0x80);
        for (number, bits) in [(from + done, 4), (piece, 3)] {
            let shift = if bits == 4 { 0 } else { 4 };
            for place in 0..bits {
                let byte = (number >> (8 * place)) as u8;
                if byte != 0 {
                    delta.push(byte);
                    delta[at] |= 1 << (shift + place);
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

    /// A folder of objects with the versions of some files, each alone.
    struct Folder {
        place: tempfile::TempDir,
        written: Vec<(ObjectId, Kind, Vec<u8>)>,
    }

    impl Folder {
        fn new() -> Self {
            let place = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(place.path().join("pack")).unwrap();
            Self { place, written: Vec::new() }
        }

        fn objects(&self) -> &Path {
            self.place.path()
        }

        fn put(&mut self, kind: Kind, bytes: Vec<u8>) -> ObjectId {
            let id = odb::loose::Store::at(self.objects(), gix::hash::Kind::Sha1).write_buf(kind, &bytes).unwrap();
            self.written.push((id, kind, bytes));
            id
        }

        /// A text of many lines, of which one says the number, and the folder that holds it.
        fn put_version(&mut self, number: usize) {
            let lines: String = (0..400).map(|line| format!("\"key {line}\": \"text {}\",\n", line * 7919)).collect();
            let blob = self.put(Kind::Blob, lines.replace("text 15838\"", &format!("{number}\"")).into_bytes());
            let tree = [&b"100644 en.json\0"[..], blob.as_slice()].concat();
            self.put(Kind::Tree, tree);
        }

        fn loose(&self) -> usize {
            odb::loose::Store::at(self.objects(), gix::hash::Kind::Sha1).iter().count()
        }

        fn assert_whole(&self) {
            let store = odb::at(self.objects(), gix::hash::Kind::Sha1).unwrap();
            for (id, kind, bytes) in &self.written {
                assert_eq!(read(&store, id).unwrap(), (*kind, bytes.clone()));
            }
        }
    }

    #[test]
    fn what_was_single_is_in_one_pack_that_is_small() {
        let mut folder = Folder::new();
        (0..200).for_each(|number| folder.put_version(number));
        folder.put(Kind::Blob, Vec::new());
        folder.put(Kind::Blob, vec![7; 300_000]);
        folder.put(Kind::Blob, [&[7; 200_000][..], b"other", &[7; 100_000]].concat());
        assert!(is_due(folder.objects(), Limits { objects: 100, packs: 16 }));
        repack(folder.objects()).unwrap();
        folder.assert_whole();
        assert_eq!((folder.loose(), packs(folder.objects()).len()), (0, 1));
        let size = std::fs::metadata(packs(folder.objects())[0].with_extension("pack")).unwrap().len();
        assert!(size < 60_000, "{size} bytes for {} objects", folder.written.len());
        let names: Vec<_> = std::fs::read_dir(folder.objects().join("pack")).unwrap().collect();
        assert_eq!(names.len(), 2, "nothing else stays: {names:?}");
        assert!(!is_due(folder.objects(), LIMITS));
    }

    #[test]
    fn packs_stay_few_and_large_ones_are_left_alone() {
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
        folder.assert_whole();
    }

    #[test]
    fn nothing_is_lost_when_an_object_cannot_be_read() {
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
