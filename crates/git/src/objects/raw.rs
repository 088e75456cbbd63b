//! Trees, ids and errors of gix in the types of this crate.

use std::collections::HashSet;
use std::io::{self, Read};
use std::sync::atomic::AtomicBool;

use gix::objs::TreeRefIter;
use gix::objs::tree::EntryKind as GixEntryKind;

use crate::error::{GitError, one_line};
use crate::types::{EntryKind, ObjectKind};
use gitglot_model::{BlobId, CommitId, TreeId, steps};

/// Calls `each` with the name and object of each entry in the bytes of a tree. The first of several entries with the
/// same name wins, as in path lookup; git never writes such a tree.
pub(super) fn each_in(
    bytes: &[u8],
    id: TreeId,
    mut each: impl FnMut(&[u8], EntryKind),
) -> Result<(), GitError> {
    steps::count(bytes.len());
    let entries = || TreeRefIter::from_bytes(bytes, gix::hash::Kind::Sha1);
    let mut before: &[u8] = b"";
    // Ascending names cannot repeat.
    let mut seen: Option<HashSet<&[u8]>> = None;
    for (at, entry) in entries().enumerate() {
        let entry = entry.map_err(|error| damaged(ObjectKind::Tree, &id.0, &error))?;
        let name: &[u8] = entry.filename;
        if seen.is_none() && name <= before && at > 0 {
            let names = entries().take(at).filter_map(Result::ok);
            seen = Some(names.map(|entry| -> &[u8] { entry.filename }).collect());
        }
        if seen.as_mut().is_none_or(|seen| seen.insert(name)) {
            each(name, kind_of(&entry));
        }
        before = name;
    }
    Ok(())
}

pub(super) fn kind_of(entry: &gix::objs::tree::EntryRef<'_>) -> EntryKind {
    let id = raw(entry.oid);
    match entry.mode.kind() {
        GixEntryKind::Tree => EntryKind::Tree(TreeId(id)),
        GixEntryKind::Blob | GixEntryKind::BlobExecutable => EntryKind::File(BlobId(id)),
        GixEntryKind::Link => EntryKind::Symlink(BlobId(id)),
        GixEntryKind::Commit => EntryKind::Submodule(CommitId(id)),
    }
}

/// The 20 bytes of a SHA-1 id; no other repositories are opened.
pub(super) fn raw(id: &gix::oid) -> [u8; 20] {
    id.as_bytes().try_into().expect("an id of SHA-1")
}

/// The id that git gives to a file with this content of `length` bytes. The content may be larger than the memory.
///
/// # Errors
/// If the content cannot be read or is shorter.
pub fn blob_id(mut content: impl Read, length: u64) -> io::Result<BlobId> {
    let id = gix::objs::compute_stream_hash(
        gix::hash::Kind::Sha1,
        gix::objs::Kind::Blob,
        &mut content,
        length,
        &mut gix::progress::Discard,
        &AtomicBool::new(false),
    );
    let id = id.map_err(|error| io::Error::other(error.to_string()))?;
    let bytes = id.as_bytes().try_into();
    bytes.map(BlobId).map_err(io::Error::other)
}

pub(super) fn object_id(id: &[u8; 20]) -> gix::ObjectId {
    gix::ObjectId::Sha1(*id)
}

pub(super) fn hex(id: &[u8; 20]) -> String {
    CommitId(*id).to_string()
}

pub(super) fn missing(kind: ObjectKind, id: &[u8; 20]) -> GitError {
    GitError::Missing { kind, id: hex(id) }
}

pub(super) fn damaged(kind: ObjectKind, id: &[u8; 20], error: &gix::Error) -> GitError {
    GitError::Damaged {
        kind,
        id: hex(id),
        reason: one_line(error),
    }
}
