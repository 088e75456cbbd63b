//! Carrying objects from one repository to another, so that history outlives the place it came from.

use std::collections::{BinaryHeap, HashSet};

use gix::objs::Write as _;
use gix::odb::loose;

use crate::git::{EntryKind, GitError, ObjectKind, ObjectReader, Repository};
use crate::model::{CommitId, TreeId};

/// Copies a commit and all that it leads to into a folder of objects, except these commits, which are there with all
/// that they lead to, and except what the repository of that folder has, if there is one to ask: what is there need
/// not be readable in the old one any more.
///
/// What an object names is written before the object itself: after a crash everything that is there is complete.
///
/// # Errors
/// When an object cannot be read, or written.
pub(crate) fn copy_objects(
    from: &Repository,
    to: &loose::Store,
    commit: CommitId,
    there: &HashSet<CommitId>,
    own: Option<&Repository>,
) -> Result<(), CopyError> {
    let own = own.map(|own| {
        let mut own = own.gix();
        own.objects.refresh_never();
        own
    });
    let mut copier = Copier { reader: from.reader(), to, own, seen: HashSet::new() };
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
        if there.contains(&id) {
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

/// Why objects could not be carried.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CopyError {
    #[error(transparent)]
    Read(#[from] GitError),
    #[error("{0}")]
    Write(String),
}

/// All commits that these lead to, themselves included, as far as they can be read.
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

/// Whether all commits that these lead to can be read.
pub(crate) fn is_whole(reader: &mut ObjectReader, tips: &[CommitId]) -> bool {
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

/// Whether `tip` leads to `earlier`. Looks at the newest commits first, since mostly only a few are new.
pub(crate) fn leads_to(reader: &mut ObjectReader, tip: CommitId, earlier: CommitId) -> bool {
    let mut seen = HashSet::from([tip]);
    let mut next = BinaryHeap::from([(i64::MAX, tip)]);
    while let Some((_, id)) = next.pop() {
        if id == earlier {
            return true;
        }
        let Ok(outline) = reader.commit_header(id) else {
            continue;
        };
        for parent in outline.parents {
            if seen.insert(parent) {
                // Clocks may be wrong: this is an order, never a limit.
                let committed = reader.commit_header(parent).map_or(i64::MIN, |outline| outline.committed);
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
    /// Trees and blobs that are done.
    seen: HashSet<[u8; 20]>,
}

impl Copier<'_> {
    /// Copies a tree and all below it.
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

    /// Takes a tree and all below it as done.
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
        written.map(|_| ()).map_err(|error| CopyError::Write(crate::git::error::one_line(&error)))
    }
}
