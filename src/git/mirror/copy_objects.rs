//! Copies commits with all their trees and blobs from one repository to another, and tests for ancestry.

use std::collections::{BinaryHeap, HashSet};

use gix::objs::Write as _;
use gix::odb::loose;

use crate::git::{EntryKind, GitError, ObjectKind, ObjectReader, Repository};
use crate::model::{CommitId, TreeId};

/// Copies a commit and its ancestors as loose objects to `to`. Skips the commits of `present` and all their objects,
/// and the objects of the repository `own`, which need not be readable in `from`.
///
/// Writes the objects that an object refers to before the object itself, so after a crash each written object is
/// complete.
///
/// # Errors
/// When an object cannot be read or written.
pub(crate) fn copy_objects(
    from: &Repository,
    to: &loose::Store,
    commit: CommitId,
    present: &HashSet<CommitId>,
    own: Option<&Repository>,
) -> Result<(), CopyError> {
    let own = own.map(|own| {
        let mut own = own.gix();
        own.objects.refresh_never();
        own
    });
    let mut copier = Copier {
        reader: from.reader(),
        to,
        own,
        seen: HashSet::new(),
    };
    let mut stack = vec![(commit, false)];
    let mut seen = HashSet::new();
    while let Some((id, ready)) = stack.pop() {
        if ready {
            let tree = copier.reader.commit_header(id)?.tree;
            copier.tree(tree)?;
            copier.copy(ObjectKind::Commit, &id.0)?;
            continue;
        }
        if !seen.insert(id) {
            continue;
        }
        if present.contains(&id) {
            if copier.own.is_none() {
                let tree = copier.reader.commit_header(id)?.tree;
                copier.mark(tree)?;
            }
            continue;
        }
        if copier.to.contains(&gix::ObjectId::Sha1(id.0)) {
            continue;
        }
        let outline = copier.reader.commit_header(id)?;
        stack.push((id, true));
        stack.extend(outline.parents.into_iter().map(|parent| (parent, false)));
    }
    Ok(())
}

/// Why objects cannot be copied.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CopyError {
    #[error(transparent)]
    Read(#[from] GitError),
    #[error("{0}")]
    Write(String),
}

/// The readable ancestors of commits, with the commits themselves.
pub(crate) fn ancestors(reader: &mut ObjectReader, tips: &[CommitId]) -> HashSet<CommitId> {
    let mut found = HashSet::new();
    let mut stack = tips.to_vec();
    while let Some(id) = stack.pop() {
        if found.insert(id)
            && let Ok(outline) = reader.commit_header(id)
        {
            stack.extend(outline.parents);
        }
    }
    found
}

/// Whether a commit has more than `limit` ancestors outside of `present`, itself included.
pub(crate) fn exceeds(
    reader: &mut ObjectReader,
    commit: CommitId,
    present: &HashSet<CommitId>,
    limit: usize,
) -> bool {
    let mut found = HashSet::new();
    let mut stack = vec![commit];
    while let Some(id) = stack.pop() {
        if present.contains(&id) || !found.insert(id) {
            continue;
        }
        if found.len() > limit {
            return true;
        }
        if let Ok(header) = reader.commit_header(id) {
            stack.extend(header.parents);
        }
    }
    false
}

/// Whether all ancestors of commits are readable.
pub(crate) fn is_complete(reader: &mut ObjectReader, tips: &[CommitId]) -> bool {
    let mut seen = HashSet::new();
    let mut stack = tips.to_vec();
    while let Some(id) = stack.pop() {
        if seen.insert(id) {
            match reader.commit_header(id) {
                Ok(outline) => stack.extend(outline.parents),
                Err(_) => return false,
            }
        }
    }
    true
}

/// Whether `commit` is an ancestor of `tip`. Visits the newest commits first, because usually only a few are new.
pub(crate) fn is_ancestor(reader: &mut ObjectReader, commit: CommitId, tip: CommitId) -> bool {
    let mut seen = HashSet::from([tip]);
    let mut next = BinaryHeap::from([(i64::MAX, tip)]);
    while let Some((_, id)) = next.pop() {
        if id == commit {
            return true;
        }
        let Ok(outline) = reader.commit_header(id) else {
            continue;
        };
        for parent in outline.parents {
            if seen.insert(parent) {
                // Clocks may be wrong, so times only order the search.
                let committed = reader
                    .commit_header(parent)
                    .map_or(i64::MIN, |outline| outline.committed);
                next.push((committed, parent));
            }
        }
    }
    false
}

struct Copier<'a> {
    reader: ObjectReader,
    to: &'a loose::Store,
    own: Option<gix::Repository>,
    /// Trees and blobs that need no copy.
    seen: HashSet<[u8; 20]>,
}

impl Copier<'_> {
    /// Copies a tree and its content.
    fn tree(&mut self, root: TreeId) -> Result<(), CopyError> {
        let mut stack = vec![(root, false)];
        while let Some((tree, ready)) = stack.pop() {
            if ready {
                self.copy(ObjectKind::Tree, &tree.0)?;
                continue;
            }
            if !self.seen.insert(tree.0) || self.has(&tree.0) {
                continue;
            }
            stack.push((tree, true));
            for entry in self.reader.tree(tree)? {
                match entry.kind {
                    EntryKind::Tree(below) => stack.push((below, false)),
                    EntryKind::File(blob) | EntryKind::Symlink(blob) => {
                        if self.seen.insert(blob.0) {
                            self.copy(ObjectKind::Blob, &blob.0)?;
                        }
                    }
                    EntryKind::Submodule(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Marks a tree and its content as present.
    fn mark(&mut self, root: TreeId) -> Result<(), CopyError> {
        let mut stack = vec![root];
        while let Some(tree) = stack.pop() {
            if !self.seen.insert(tree.0) {
                continue;
            }
            for entry in self.reader.tree(tree)? {
                match entry.kind {
                    EntryKind::Tree(below) => stack.push(below),
                    EntryKind::File(blob) | EntryKind::Symlink(blob) => {
                        self.seen.insert(blob.0);
                    }
                    EntryKind::Submodule(_) => {}
                }
            }
        }
        Ok(())
    }

    fn has(&self, id: &[u8; 20]) -> bool {
        let id = gix::ObjectId::Sha1(*id);
        self.to.contains(&id) || self.own.as_ref().is_some_and(|own| own.has_object(id))
    }

    fn copy(&mut self, kind: ObjectKind, id: &[u8; 20]) -> Result<(), CopyError> {
        if self.has(id) {
            return Ok(());
        }
        let bytes = self.reader.raw_object(kind, id)?;
        let kind = match kind {
            ObjectKind::Commit => gix::objs::Kind::Commit,
            ObjectKind::Tree => gix::objs::Kind::Tree,
            ObjectKind::Blob => gix::objs::Kind::Blob,
            ObjectKind::Tag => gix::objs::Kind::Tag,
        };
        let written = self.to.write_buf(kind, &bytes);
        written
            .map(|_| ())
            .map_err(|error| CopyError::Write(crate::git::error::one_line(&error)))
    }
}
