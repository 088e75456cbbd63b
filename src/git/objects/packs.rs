//! Decodes packed objects so that reading all versions of a file costs little more than one copy of each.
//!
//! A pack stores most objects as deltas of others. gix resolves the whole delta chain again for each object, copies the
//! bytes about six times and caches only the result. This decoder also caches the intermediate objects and applies each
//! delta directly to the new object. Everything unusual (loose objects, newer packs, corrupt data) is left to gix.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::odb::pack::{MMap, data, index};
use gix::zlib::Inflate;
use rustc_hash::FxHashMap;

/// The maximum length of a delta chain; git writes at most 4,095.
const CHAIN_LIMIT: usize = 4_096;

/// The maximum size of the deltas of one chain in bytes.
const DELTA_LIMIT: u64 = 256 * 1024 * 1024;

/// The packs of a repository and its alternates at the time it was opened.
pub(crate) struct Packs {
    packs: Vec<Pack>,
}

struct Pack {
    index: index::File<MMap>,
    data: data::File<MMap>,
}

/// A decoded object.
#[derive(Clone)]
pub(crate) struct Decoded {
    pub(crate) kind: gix::objs::Kind,
    pub(crate) bytes: Arc<Vec<u8>>,
}

/// The result of a lookup in the packs.
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
        let mut packs: Vec<Pack> = object_folders
            .iter()
            .flat_map(|folder| packs_of(&folder.join("pack")))
            .collect();
        // The largest pack has most objects.
        packs.sort_by_key(|pack| std::cmp::Reverse(pack.index.num_objects()));
        Self { packs }
    }

    fn position(&self, id: &gix::oid) -> Option<(u32, u64)> {
        self.packs
            .iter()
            .zip(0..)
            .find_map(|(pack, number)| Some((number, pack.offset_of(id)?)))
    }

    fn get(&self, number: u32) -> Option<&Pack> {
        self.packs.get(usize::try_from(number).ok()?)
    }
}

impl Pack {
    fn offset_of(&self, id: &gix::oid) -> Option<u64> {
        self.index
            .lookup(id)
            .map(|at| self.index.pack_offset_at_index(at))
    }
}

fn packs_of(folder: &Path) -> Vec<Pack> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "idx"))
        .collect();
    paths.sort();
    let open = |path: PathBuf| {
        let index = index::File::at(&path, gix::hash::Kind::Sha1).ok()?;
        let data = data::File::at(path.with_extension("pack"), gix::hash::Kind::Sha1).ok()?;
        Some(Pack { index, data })
    };
    paths.into_iter().filter_map(open).collect()
}

/// The decoder of one thread, with its caches and buffers.
pub(crate) struct Decoder {
    /// Requested objects.
    requested: PackCache,
    /// Intermediate objects, separate so that one long chain does not evict the requested ones.
    intermediate: PackCache,
    inflate: Inflate,
    /// The deltas of the current chain, concatenated.
    deltas: Vec<u8>,
    /// The range of each delta in `deltas`, and the pack offset of its result.
    chain: Vec<(std::ops::Range<usize>, u64)>,
}

impl Decoder {
    /// A decoder with a cache of `cache_bytes`.
    pub(crate) fn new(cache_bytes: usize) -> Self {
        Self {
            requested: PackCache::new(cache_bytes / 2),
            intermediate: PackCache::new(cache_bytes / 2),
            inflate: Inflate::default(),
            deltas: Vec::new(),
            chain: Vec::new(),
        }
    }

    /// Clears the caches and frees the buffers.
    pub(crate) fn clear(&mut self) {
        self.requested.clear();
        self.intermediate.clear();
        (self.deltas, self.chain) = (Vec::new(), Vec::new());
    }

    /// Finds an object of at most `limit` bytes.
    pub(crate) fn find(&mut self, packs: &Packs, id: &gix::oid, limit: u64) -> Lookup {
        let Some((number, offset)) = packs.position(id) else {
            return Lookup::NotInPacks;
        };
        let Some(pack) = packs.get(number) else {
            return Lookup::NotInPacks;
        };
        self.decode(pack, number, offset, limit)
            .unwrap_or(Lookup::NotInPacks)
    }

    /// `None` if anything is malformed.
    fn decode(&mut self, pack: &Pack, number: u32, target: u64, limit: u64) -> Option<Lookup> {
        use data::entry::Header;
        self.deltas.clear();
        self.chain.clear();
        let mut offset = target;
        let base = loop {
            if let Some(base) = self
                .requested
                .get(number, offset)
                .or_else(|| self.intermediate.get(number, offset))
            {
                break base;
            }
            let entry = pack.data.entry(offset).ok()?;
            let size = entry.decompressed_size;
            let base_offset = match entry.header {
                Header::OfsDelta { base_distance } => {
                    entry.checked_base_pack_offset(base_distance)?
                }
                Header::RefDelta { base_id } => pack.offset_of(&base_id)?,
                header => {
                    if size > limit {
                        return if self.chain.is_empty() {
                            Some(Lookup::TooLarge(size))
                        } else {
                            None
                        };
                    }
                    let mut bytes = vec![0; usize::try_from(size).ok()?];
                    pack.data
                        .decompress_entry(&entry, &mut self.inflate, &mut bytes)
                        .ok()?;
                    let base = Decoded {
                        kind: header.as_kind()?,
                        bytes: Arc::new(bytes),
                    };
                    self.keep(target, number, offset, &base);
                    break base;
                }
            };
            let start = self.deltas.len();
            if self.chain.len() >= CHAIN_LIMIT
                || u64::try_from(start).ok()?.checked_add(size)? > DELTA_LIMIT
            {
                return None;
            }
            self.deltas.resize(start + usize::try_from(size).ok()?, 0);
            let delta = self.deltas.get_mut(start..)?;
            pack.data
                .decompress_entry(&entry, &mut self.inflate, delta)
                .ok()?;
            if self.chain.is_empty() {
                let size = Delta::read(delta)?.result_size;
                if size > limit {
                    return Some(Lookup::TooLarge(size));
                }
            }
            self.chain.push((start..self.deltas.len(), offset));
            offset = base_offset;
        };
        let mut at = base;
        while let Some((range, offset)) = self.chain.pop() {
            let delta = Delta::read(self.deltas.get(range)?)?;
            if delta.result_size > limit {
                return None;
            }
            at = Decoded {
                kind: at.kind,
                bytes: Arc::new(delta.apply(&at.bytes)?),
            };
            self.keep(target, number, offset, &at);
        }
        if u64::try_from(at.bytes.len()).ok()? > limit {
            return Some(Lookup::TooLarge(u64::try_from(at.bytes.len()).ok()?));
        }
        Some(Lookup::Found(at))
    }

    fn keep(&mut self, target: u64, pack: u32, offset: u64, object: &Decoded) {
        let cache = if offset == target {
            &mut self.requested
        } else {
            &mut self.intermediate
        };
        cache.put(pack, offset, object.clone());
    }
}

/// A delta; see "Deltified representation" in git's `pack-format` documentation.
struct Delta<'a> {
    base_size: u64,
    result_size: u64,
    instructions: &'a [u8],
}

impl<'a> Delta<'a> {
    fn read(delta: &'a [u8]) -> Option<Self> {
        let (base_size, rest) = delta_size(delta)?;
        let (result_size, instructions) = delta_size(rest)?;
        Some(Self {
            base_size,
            result_size,
            instructions,
        })
    }

    /// The object; `None` if the delta does not match the base or its own sizes.
    fn apply(&self, base: &[u8]) -> Option<Vec<u8>> {
        let result_size = usize::try_from(self.result_size).ok()?;
        if u64::try_from(base.len()).ok()? != self.base_size {
            return None;
        }
        let mut result = Vec::with_capacity(result_size);
        let mut rest = self.instructions;
        while let Some((&instruction, after)) = rest.split_first() {
            rest = after;
            let piece = if instruction & 0x80 != 0 {
                let mut number = |bits: u8, count: u8| {
                    let mut value = 0;
                    for byte in (0..count).filter(|byte| bits & (1 << byte) != 0) {
                        let (&next, after) = rest.split_first()?;
                        rest = after;
                        value |= usize::from(next) << (8 * byte);
                    }
                    Some(value)
                };
                let start = number(instruction, 4)?;
                let length = match number(instruction >> 4 & 0b111, 3)? {
                    0 => 0x1_0000,
                    length => length,
                };
                base.get(start..start.checked_add(length)?)?
            } else {
                let (piece, after) = rest
                    .split_at_checked(usize::from(instruction))
                    .filter(|_| instruction != 0)?;
                rest = after;
                piece
            };
            if piece.len() > result_size - result.len() {
                return None;
            }
            result.extend_from_slice(piece);
        }
        (result.len() == result_size).then_some(result)
    }
}

/// Parses a little-endian base-128 number.
fn delta_size(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut size = 0;
    for (at, byte) in bytes.iter().enumerate().take(9) {
        size |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((size, bytes.get(at + 1..)?));
        }
    }
    None
}

/// A two-generation cache, which approximates LRU: when the young generation is full it becomes the old one, and the old
/// one is dropped. Keyed by pack and offset.
struct PackCache {
    half: usize,
    used: usize,
    young: FxHashMap<(u32, u64), Decoded>,
    old: FxHashMap<(u32, u64), Decoded>,
}

impl PackCache {
    fn new(bytes: usize) -> Self {
        Self {
            half: bytes / 2,
            used: 0,
            young: FxHashMap::default(),
            old: FxHashMap::default(),
        }
    }

    fn clear(&mut self) {
        *self = Self::new(self.half * 2);
    }

    fn get(&mut self, pack: u32, offset: u64) -> Option<Decoded> {
        if let Some(found) = self.young.get(&(pack, offset)) {
            return Some(found.clone());
        }
        let found = self.old.remove(&(pack, offset))?;
        self.put(pack, offset, found.clone());
        Some(found)
    }

    fn put(&mut self, pack: u32, offset: u64, object: Decoded) {
        let bytes = object.bytes.len();
        if bytes > self.half {
            return;
        }
        if self.used + bytes > self.half {
            self.old = std::mem::take(&mut self.young);
            self.used = 0;
        }
        self.used += bytes;
        self.young.insert((pack, offset), object);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gix::objs::Kind;

    const BASE: &[u8] = b"{\"a\": \"one\", \"b\": \"two\"}";

    fn apply(delta: &[u8]) -> Option<Vec<u8>> {
        Delta::read(delta)?.apply(BASE)
    }

    #[test]
    fn a_delta_copies_from_its_base_and_inserts_bytes() {
        // Copy 7 bytes from 0, insert 3, copy 13 from 10 (offset and length in one byte each).
        let delta = [
            24,
            23,
            0b1001_0000,
            7,
            3,
            b'u',
            b'n',
            b'o',
            0b1001_0001,
            10,
            13,
        ];
        assert_eq!(apply(&delta).unwrap(), b"{\"a\": \"uno\", \"b\": \"two\"");
    }

    #[test]
    fn an_invalid_delta_is_rejected() {
        for (delta, why) in [
            (&[][..], "no sizes"),
            (&[0x80], "a truncated size"),
            (&[0xff; 12], "an overlong size"),
            (&[23, 1, 1, b'x'], "a base of a different size"),
            (&[24, 2, 1, b'x'], "a short result"),
            (&[24, 1, 2, b'x', b'y'], "a long result"),
            (&[24, 1, 5, b'x'], "a truncated insertion"),
            (&[24, 1, 0], "the reserved instruction"),
            (&[24, 1, 0b1001_0001, 30], "a copy without a length"),
            (
                &[24, 1, 0b1001_0001, 24, 1],
                "a copy past the end of the base",
            ),
            (
                &[24, 1, 0b1000_1111, 0xff, 0xff, 0xff, 0xff],
                "a copy at an offset far past the end",
            ),
        ] {
            assert_eq!(apply(delta), None, "{why}");
        }
    }

    #[test]
    fn the_cache_evicts_objects_that_were_not_used_recently() {
        let mut cache = PackCache::new(40);
        let object = |byte| Decoded {
            kind: Kind::Blob,
            bytes: Arc::new(vec![byte; 10]),
        };
        cache.put(0, 1, object(1));
        cache.put(0, 2, object(2));
        cache.put(0, 3, object(3));
        assert!(cache.get(0, 1).is_some());
        cache.put(0, 4, object(4));
        cache.put(0, 5, object(5));
        let cached: Vec<u64> = (1..=5)
            .filter(|&offset| cache.get(0, offset).is_some())
            .collect();
        assert!(cached.contains(&5) && !cached.contains(&2), "{cached:?}");
        cache.put(
            1,
            9,
            Decoded {
                kind: Kind::Blob,
                bytes: Arc::new(vec![0; 30]),
            },
        );
        assert!(
            cache.get(1, 9).is_none(),
            "an object of more than half the size is not cached"
        );
    }

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
