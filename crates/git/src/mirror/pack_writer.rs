//! Writes packs.
//!
//! Objects are sorted so that versions of one file are neighbours. A delta stores the bytes between the common prefix
//! and the common suffix of two versions, which is nearly optimal for translation files.

use std::collections::VecDeque;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use gitglot_model::{SeededMap, SeededSet};
use gix::objs::{Kind, TreeRefIter};
use gix::odb::pack::data;
use gix::odb::pack::data::entry::Header;
use gix::zlib::{Compression, stream::deflate};
use gix::{ObjectId, hash, odb};

/// The number of preceding objects to compare with.
const WINDOW: usize = 10;
/// The size limit of these objects in bytes.
const WINDOW_BYTES: usize = 32 << 20;
/// The maximum length of a delta chain.
const DEPTH: u8 = 40;

/// An object with its sort key.
pub(super) struct Sorted {
    kind: Kind,
    /// Hash of the names of the directory and the object.
    name: u64,
    size: u64,
    id: ObjectId,
}

/// Sorts the versions of each file together, largest first, as git does.
pub(super) fn in_order(
    store: &odb::Handle,
    wanted: SeededSet<ObjectId>,
) -> Result<Vec<Sorted>, gix::Error> {
    use gix::objs::FindHeader as _;
    let mut sorted = Vec::with_capacity(wanted.len());
    for id in wanted {
        let header = store.try_header(&id)?.ok_or_else(not_found)?;
        sorted.push(Sorted {
            kind: header.kind,
            name: 0,
            size: header.size,
            id,
        });
    }
    let mut names: SeededMap<ObjectId, u64> = SeededMap::default();
    // Twice: the name of a tree is known only after its parent was read.
    for _ in 0..2 {
        for tree in sorted.iter().filter(|object| object.kind == Kind::Tree) {
            let path = names.get(&tree.id).copied().unwrap_or_default();
            let bytes = read(store, &tree.id)?.1;
            for entry in TreeRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1) {
                let entry = entry?;
                let name = xxhash_rust::xxh3::xxh3_64_with_seed(entry.filename, path & 0xffff_ffff);
                names.insert(entry.oid.to_owned(), name);
            }
        }
    }
    for object in &mut sorted {
        object.name = names.get(&object.id).copied().unwrap_or_default();
    }
    sorted.sort_unstable_by_key(|object| {
        let size = std::cmp::Reverse(object.size);
        (object.kind as u8, object.name, size, object.id)
    });
    Ok(sorted)
}

fn not_found() -> gix::Error {
    gix::Error::from_error(io::Error::from(io::ErrorKind::NotFound))
}

pub(super) fn read(store: &odb::Handle, id: &gix::oid) -> Result<(Kind, Vec<u8>), gix::Error> {
    use gix::odb::pack::Find as _;
    let mut bytes = Vec::new();
    let found = store.try_find_cached(id, &mut bytes, &mut odb::pack::cache::Never)?;
    let kind = found.map(|(data, _)| data.kind).ok_or_else(not_found)?;
    Ok((kind, bytes))
}

/// An object written shortly before.
struct WrittenObject {
    kind: Kind,
    offset: u64,
    depth: u8,
    bytes: Vec<u8>,
}

/// The last objects of a pack, newest first.
#[derive(Default)]
struct Window {
    objects: VecDeque<WrittenObject>,
}

impl Window {
    /// The object that shares the most bytes with a new one, if a delta of it saves half of the size.
    fn base_of(&self, kind: Kind, bytes: &[u8]) -> Option<(CommonEnds, &WrittenObject)> {
        let bases = self.objects.iter();
        let bases = bases.filter(|before| before.kind == kind && before.depth < DEPTH);
        let bases = bases.map(|before| (CommonEnds::of(&before.bytes, bytes), before));
        let best = bases.min_by_key(|(common, _)| common.new);
        best.filter(|(common, _)| common.new < bytes.len() / 2)
    }

    fn push(&mut self, object: WrittenObject) {
        if object.bytes.len() <= WINDOW_BYTES / 4 {
            self.objects.push_front(object);
        }
        self.objects.truncate(WINDOW);
        let size = |object: &WrittenObject| object.bytes.len();
        while self.objects.iter().map(size).sum::<usize>() > WINDOW_BYTES {
            self.objects.pop_back();
        }
    }
}

pub(super) fn write(
    store: &odb::Handle,
    ordered: &[Sorted],
    path: &Path,
) -> Result<(), gix::Error> {
    let count = u32::try_from(ordered.len()).map_err(gix::Error::from_error)?;
    let file = BufWriter::new(std::fs::File::create(path).map_err(gix::Error::from_error)?);
    let mut out = hash::io::Write::new(file, hash::Kind::Sha1);
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(gix::Error::from_error);
    put(&data::header::encode(data::Version::V2, count))?;
    let mut offset = data::header::SIZE as u64;
    let mut window = Window::default();
    for object in ordered {
        let (kind, bytes) = read(store, &object.id)?;
        let (depth, entry) = match window.base_of(kind, &bytes) {
            Some((common, before)) => {
                let header = Header::OfsDelta {
                    base_distance: offset - before.offset,
                };
                let delta = common.delta(before.bytes.len(), &bytes);
                (before.depth + 1, entry(header, &delta))
            }
            None => (0, entry(whole_object(kind), &bytes)),
        };
        let entry = entry.map_err(gix::Error::from_error)?;
        put(&entry)?;
        window.push(WrittenObject {
            kind,
            offset,
            depth,
            bytes,
        });
        offset += entry.len() as u64;
    }
    let hash = out.hash.try_finalize().map_err(gix::Error::from_error)?;
    let mut file = out.inner;
    file.write_all(hash.as_bytes())
        .and_then(|()| file.flush())
        .map_err(gix::Error::from_error)
}

fn whole_object(kind: Kind) -> Header {
    match kind {
        Kind::Commit => Header::Commit,
        Kind::Tree => Header::Tree,
        Kind::Blob => Header::Blob,
        Kind::Tag => Header::Tag,
    }
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

/// The common prefix and suffix of two objects, in bytes.
struct CommonEnds {
    start: usize,
    end: usize,
    /// Bytes between them.
    new: usize,
}

impl CommonEnds {
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
        let new = &bytes[self.start..self.start + self.new];
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
