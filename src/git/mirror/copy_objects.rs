//! Copies commits with all their trees and blobs from one repository to another.

use gix::odb::loose;
use rustc_hash::FxHashSet;

use super::repack;
use crate::git::error::one_line;
use crate::git::objects::ancestors::AncestorWalk;
use crate::git::objects::packs::Packs;
use crate::git::{EntryKind, GitError, ObjectKind, ObjectReader, Repository};
use crate::model::{CommitId, TreeId};

/// Copies a commit and its ancestors to the repository `to`, as one pack. Skips the commits of `present` and all their
/// objects, and the objects in the object directory of `to`, which need not be readable in `from`.
///
/// # Errors
/// When an object cannot be read or the pack cannot be written.
pub(crate) fn copy_objects(
    from: &Repository,
    to: &Repository,
    commit: CommitId,
    present: &FxHashSet<CommitId>,
) -> Result<(), CopyError> {
    let objects = to.objects_dir();
    let loose = loose::Store::at(&objects, gix::hash::Kind::Sha1);
    let packs = Packs::open(std::slice::from_ref(&objects));
    let is_stored = |id: [u8; 20]| {
        let id = gix::ObjectId::Sha1(id);
        packs.contains(&id) || loose.contains(&id)
    };
    let (mut reader, mut own_reader) = (from.reader(), to.reader());
    let (mut commits, mut seen) = (Vec::new(), FxHashSet::default());
    for (id, header) in AncestorWalk::new(&mut reader, vec![commit]).hiding(present) {
        if is_stored(id.0) {
            continue;
        }
        let header = header?;
        commits.push((id, header.tree));
        for parent in header.parents.iter().filter(|id| present.contains(id)) {
            // Only saves work, so errors do not matter.
            if let Ok(header) = own_reader.commit_header(*parent) {
                let _ = each_object(&mut own_reader, header.tree, &mut |_, id| seen.insert(id));
            }
        }
    }
    let mut missing = Vec::new();
    for (commit, tree) in commits {
        missing.push((ObjectKind::Commit, commit.0));
        each_object(&mut reader, tree, &mut |kind, id| {
            let is_missing = seen.insert(id) && !is_stored(id);
            missing.extend(is_missing.then_some((kind, id)));
            is_missing
        })?;
    }
    for (kind, id) in &missing {
        reader.verify(*kind, id)?;
    }
    let missing = missing.into_iter().map(|(_, id)| id);
    repack::copy(&from.objects_dir(), missing, &objects)
        .map_err(|error| CopyError::Write(one_line(&error)))
}

/// Why objects cannot be copied.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CopyError {
    #[error(transparent)]
    Read(#[from] GitError),
    #[error("{0}")]
    Write(String),
}

/// Visits a tree and its content. `visit` returns whether to read a tree.
fn each_object(
    reader: &mut ObjectReader,
    root: TreeId,
    visit: &mut dyn FnMut(ObjectKind, [u8; 20]) -> bool,
) -> Result<(), GitError> {
    let mut stack = vec![root];
    while let Some(tree) = stack.pop() {
        if !visit(ObjectKind::Tree, tree.0) {
            continue;
        }
        reader.each_entry(tree, |_, kind| match kind {
            EntryKind::Tree(below) => stack.push(below),
            EntryKind::File(blob) | EntryKind::Symlink(blob) => {
                visit(ObjectKind::Blob, blob.0);
            }
            EntryKind::Submodule(_) => {}
        })?;
    }
    Ok(())
}
