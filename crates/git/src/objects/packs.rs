//! Decodes packed objects so that reading all versions of a file costs little more than one copy of each.
//!
//! A pack stores most objects as deltas of others. gix resolves the whole delta chain again for each object, copies the
//! bytes about six times and caches only the result. This decoder also caches the intermediate objects and applies each
//! delta directly to the new object. Everything unusual (loose objects, newer packs, corrupt data) is left to gix.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::odb::pack::{MMap, data, index};
use gix::zlib::Inflate;

use super::delta::Delta;
use gitglot_model::ByteCache;

/// The maximum length of a delta chain; git writes at most 4,095.
const CHAIN_LIMIT: usize = 4_096;

/// The maximum size of the deltas of one chain in bytes.
const DELTA_LIMIT: u64 = 256 * 1024 * 1024;

/// Most bytes of versions of a large file that are cached.
const VERSIONS_LIMIT: usize = 64 * 1024 * 1024;

thread_local! {
    /// The window of zlib: to create one takes longer than to read a small object.
    static INFLATE: RefCell<Inflate> = RefCell::default();
}

/// The packs of a repository and its alternates at the time it was opened.
pub(crate) struct Packs {
    packs: Vec<Pack>,
}

struct Pack {
    index: index::File<MMap>,
    data: data::File<MMap>,
}

#[derive(Clone)]
pub(crate) struct Decoded {
    pub(crate) kind: gix::objs::Kind,
    pub(crate) bytes: Arc<Vec<u8>>,
}

/// Decoded objects by pack and offset.
type PackCache = ByteCache<(u32, u64), Decoded>;

pub(crate) enum Lookup {
    Found(Decoded),
    /// The object exceeds the limit; its size in bytes.
    TooLarge(u64),
    /// The object is not in these packs, or only gix can read it.
    NotInPacks,
}

impl Packs {
    /// Maps the packs of object directories. Skips unreadable ones.
    pub(crate) fn open(object_folders: &[PathBuf]) -> Self {
        let packs = object_folders.iter().flat_map(|folder| packs_of(folder));
        let mut packs: Vec<Pack> = packs.collect();
        // The largest pack has most objects.
        packs.sort_by_key(|pack| std::cmp::Reverse(pack.index.num_objects()));
        Self { packs }
    }

    pub(crate) fn contains(&self, id: &gix::oid) -> bool {
        self.position(id).is_some()
    }

    /// The pack of an object, its number, and the offset in it.
    fn position(&self, id: &gix::oid) -> Option<(&Pack, u32, u64)> {
        let mut packs = self.packs.iter().zip(0..);
        packs.find_map(|(pack, number)| Some((pack, number, pack.offset_of(id)?)))
    }
}

impl Pack {
    fn offset_of(&self, id: &gix::oid) -> Option<u64> {
        let at = self.index.lookup(id)?;
        Some(self.index.pack_offset_at_index(at))
    }
}

/// The index files of the packs in an object directory, sorted.
pub(crate) fn pack_indexes(objects: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(objects.join("pack"))
        .into_iter()
        .flatten();
    let paths = files.filter_map(|file| Some(file.ok()?.path()));
    let is_index = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "idx");
    let mut paths: Vec<PathBuf> = paths.filter(is_index).collect();
    paths.sort();
    paths
}

fn packs_of(objects: &Path) -> Vec<Pack> {
    let open = |path: PathBuf| {
        let index = index::File::at(&path, gix::hash::Kind::Sha1).ok()?;
        let data = data::File::at(path.with_extension("pack"), gix::hash::Kind::Sha1).ok()?;
        Some(Pack { index, data })
    };
    pack_indexes(objects).into_iter().filter_map(open).collect()
}

/// The object to decode.
struct DecodeTarget<'a> {
    pack: &'a Pack,
    number: u32,
    offset: u64,
    /// The maximum size in bytes.
    limit: u64,
}

/// Decompresses an entry of a pack to a buffer of its size.
fn decompress(pack: &Pack, entry: &data::Entry, bytes: &mut [u8]) -> Option<()> {
    INFLATE.with_borrow_mut(|inflate| {
        let read = pack.data.decompress_entry(entry, inflate, bytes);
        read.ok().map(drop)
    })
}

/// The decoder of one thread, with its caches and buffers.
pub(crate) struct Decoder {
    /// Requested objects.
    requested: PackCache,
    /// Intermediate objects, separate so that one long chain does not evict the requested ones.
    intermediate: PackCache,
    /// The deltas of the current chain, concatenated.
    deltas: Vec<u8>,
    /// The range of each delta in `deltas`, and the pack offset of its result.
    chain: Vec<(std::ops::Range<usize>, u64)>,
}

impl Decoder {
    pub(crate) fn new(cache_bytes: usize) -> Self {
        Self {
            requested: PackCache::new(cache_bytes / 2),
            intermediate: PackCache::new(cache_bytes / 2),
            deltas: Vec::new(),
            chain: Vec::new(),
        }
    }

    /// Makes space for versions of a file of that size: git stores each as a delta of a later one, up to fifty deep.
    pub(crate) fn fit(&mut self, bytes: usize) {
        let limit = |versions| bytes.saturating_mul(versions).min(VERSIONS_LIMIT);
        self.requested.grow(limit(4).next_power_of_two());
        self.intermediate.grow(limit(16).next_power_of_two());
    }

    /// Clears the caches and frees the buffers.
    pub(crate) fn clear(&mut self) {
        self.requested.clear();
        self.intermediate.clear();
        (self.deltas, self.chain) = (Vec::new(), Vec::new());
    }

    /// Finds an object of at most `limit` bytes.
    pub(crate) fn find(&mut self, packs: &Packs, id: &gix::oid, limit: u64) -> Lookup {
        let Some((pack, number, offset)) = packs.position(id) else {
            return Lookup::NotInPacks;
        };
        let target = DecodeTarget {
            pack,
            number,
            offset,
            limit,
        };
        self.decode(&target).unwrap_or(Lookup::NotInPacks)
    }

    /// `None` if anything is malformed.
    fn decode(&mut self, target: &DecodeTarget<'_>) -> Option<Lookup> {
        let base = match self.read_chain(target)? {
            Lookup::Found(base) => base,
            other => return Some(other),
        };
        let object = self.apply_chain(target, base)?;
        let size = u64::try_from(object.bytes.len()).ok()?;
        if size > target.limit {
            return Some(Lookup::TooLarge(size));
        }
        Some(Lookup::Found(object))
    }

    /// Reads the deltas of an object, and the object that the last one is based on: a cached or a whole one.
    fn read_chain(&mut self, target: &DecodeTarget<'_>) -> Option<Lookup> {
        use data::entry::Header;
        self.deltas.clear();
        self.chain.clear();
        let mut offset = target.offset;
        loop {
            let key = (target.number, offset);
            let cached = self.requested.get(&key);
            if let Some(base) = cached.or_else(|| self.intermediate.get(&key)) {
                return Some(Lookup::Found(base));
            }
            let entry = target.pack.data.entry(offset).ok()?;
            let base_offset = match entry.header {
                Header::OfsDelta { base_distance } => {
                    entry.checked_base_pack_offset(base_distance)?
                }
                Header::RefDelta { base_id } => target.pack.offset_of(&base_id)?,
                _ if entry.decompressed_size > target.limit => {
                    let is_target = self.chain.is_empty();
                    return is_target.then_some(Lookup::TooLarge(entry.decompressed_size));
                }
                _ => return self.read_whole(target, offset, &entry).map(Lookup::Found),
            };
            self.read_delta(target.pack, offset, &entry)?;
            if self.chain.len() == 1 {
                // The first delta is that of the object itself.
                let size = Delta::read(&self.deltas)?.result_size;
                if size > target.limit {
                    return Some(Lookup::TooLarge(size));
                }
            }
            offset = base_offset;
        }
    }

    /// Reads an object that is not stored as a delta.
    fn read_whole(
        &mut self,
        target: &DecodeTarget<'_>,
        offset: u64,
        entry: &data::Entry,
    ) -> Option<Decoded> {
        let mut bytes = vec![0; usize::try_from(entry.decompressed_size).ok()?];
        decompress(target.pack, entry, &mut bytes)?;
        let object = Decoded {
            kind: entry.header.as_kind()?,
            bytes: Arc::new(bytes),
        };
        self.keep(target, offset, &object);
        Some(object)
    }

    /// Appends a delta to the chain.
    fn read_delta(&mut self, pack: &Pack, offset: u64, entry: &data::Entry) -> Option<()> {
        let (start, size) = (self.deltas.len(), entry.decompressed_size);
        if self.chain.len() >= CHAIN_LIMIT
            || u64::try_from(start).ok()?.checked_add(size)? > DELTA_LIMIT
        {
            return None;
        }
        self.deltas.resize(start + usize::try_from(size).ok()?, 0);
        let delta = self.deltas.get_mut(start..)?;
        decompress(pack, entry, delta)?;
        self.chain.push((start..self.deltas.len(), offset));
        Some(())
    }

    /// Applies the deltas of the chain, last one first.
    fn apply_chain(&mut self, target: &DecodeTarget<'_>, base: Decoded) -> Option<Decoded> {
        let mut at = base;
        while let Some((range, offset)) = self.chain.pop() {
            let delta = Delta::read(self.deltas.get(range)?)?;
            if delta.result_size > target.limit {
                return None;
            }
            at = Decoded {
                kind: at.kind,
                bytes: Arc::new(delta.apply(&at.bytes)?),
            };
            self.keep(target, offset, &at);
        }
        Some(at)
    }

    fn keep(&mut self, target: &DecodeTarget<'_>, offset: u64, object: &Decoded) {
        let cache = if offset == target.offset {
            &mut self.requested
        } else {
            &mut self.intermediate
        };
        let bytes = object.bytes.len();
        cache.put((target.number, offset), object.clone(), bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gix::objs::Kind;

    /// An object directory with one pack: a base and a chain of deltas. Returns the ids of all objects.
    fn folder_with_pack(versions: &[&[u8]]) -> (tempfile::TempDir, Vec<gix::ObjectId>) {
        let compress = |bytes: &[u8]| {
            use std::io::Write as _;
            let mut write =
                gix::zlib::stream::deflate::Write::new(Vec::new(), gix::zlib::Compression::DEFAULT);
            write.write_all(bytes).unwrap();
            write.flush().unwrap();
            write.into_inner()
        };
        let header = |kind: u8, size: usize, out: &mut Vec<u8>| {
            out.push(kind << 4 | 0x80 | u8::try_from(size & 0xf).unwrap());
            out.push(u8::try_from(size >> 4).unwrap());
        };
        let mut pack = [
            &b"PACK\0\0\0\x02\0\0\0"[..],
            &[u8::try_from(versions.len()).unwrap()],
        ]
        .concat();
        let mut before: Option<(usize, &[u8])> = None;
        for version in versions {
            let at = pack.len();
            match before {
                None => {
                    header(3, version.len(), &mut pack);
                    pack.extend(compress(version));
                }
                Some((base_at, base)) => {
                    let length = |bytes: &[u8]| u8::try_from(bytes.len()).unwrap();
                    let mut delta = vec![length(base), length(version)];
                    delta.extend(
                        version
                            .chunks(100)
                            .flat_map(|piece| [&[length(piece)], piece].concat()),
                    );
                    header(6, delta.len(), &mut pack);
                    pack.push(u8::try_from(at - base_at).unwrap());
                    pack.extend(compress(&delta));
                }
            }
            before = Some((at, version));
        }
        let mut hasher = gix::hash::hasher(gix::hash::Kind::Sha1);
        hasher.update(&pack);
        pack.extend_from_slice(hasher.try_finalize().unwrap().as_bytes());
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("pack")).unwrap();
        gix::odb::pack::Bundle::write_to_directory(
            &mut pack.as_slice(),
            Some(&folder.path().join("pack")),
            &mut gix::progress::Discard,
            &std::sync::atomic::AtomicBool::new(false),
            None::<gix::odb::Handle>,
            gix::hash::Kind::Sha1,
            Default::default(),
        )
        .unwrap();
        let id = |bytes: &&[u8]| {
            gix::objs::compute_hash(gix::hash::Kind::Sha1, Kind::Blob, bytes).unwrap()
        };
        (folder, versions.iter().map(id).collect())
    }

    #[test]
    fn every_version_is_read_from_a_chain_in_either_order() {
        let versions: [&[u8]; 4] = [b"the first", b"the second one", b"", b"the last of them"];
        let (folder, ids) = folder_with_pack(&versions);
        let packs = Packs::open(&[folder.path().to_owned()]);
        for order in [[0, 1, 2, 3], [3, 2, 1, 0]] {
            for cache in [0, 1024] {
                let mut decoder = Decoder::new(cache);
                for at in order {
                    let Lookup::Found(found) = decoder.find(&packs, &ids[at], 100) else {
                        panic!("version {at} is there");
                    };
                    assert_eq!(
                        (found.kind, found.bytes.as_slice()),
                        (Kind::Blob, versions[at])
                    );
                }
            }
        }
        let other = gix::ObjectId::Sha1([7; 20]);
        assert!(matches!(
            Decoder::new(0).find(&packs, &other, 100),
            Lookup::NotInPacks
        ));
    }

    #[test]
    fn an_object_beyond_the_limit_is_measured_and_not_made() {
        let (folder, ids) = folder_with_pack(&[b"short", b"a good deal longer"]);
        let packs = Packs::open(&[folder.path().to_owned()]);
        let mut decoder = Decoder::new(1024);
        assert!(matches!(
            decoder.find(&packs, &ids[1], 10),
            Lookup::TooLarge(18)
        ));
        assert!(matches!(
            decoder.find(&packs, &ids[0], 4),
            Lookup::TooLarge(5)
        ));
        assert!(matches!(
            decoder.find(&packs, &ids[1], 18),
            Lookup::Found(_)
        ));
        assert!(matches!(
            decoder.find(&packs, &ids[1], 17),
            Lookup::TooLarge(18)
        ));
    }
}
