//! Copies commits with all their trees and blobs from one repository to another.

use gix::odb::loose;

use super::repack;
use crate::error::{GitError, one_line};
use crate::objects::ancestors::AncestorWalk;
use crate::objects::packs::Packs;
use crate::objects::reader::ObjectReader;
use crate::objects::repository::Repository;
use crate::transport::error::FetchProblem;
use crate::types::{EntryKind, ObjectKind};
use gitglot_model::{CommitId, SeededSet, TreeId};

/// Copies commits and their ancestors to the repository `to`, as one pack. Skips the commits of `present` and all their
/// objects, and the objects in the object directory of `to`, which need not be readable in `from`. Returns the commits
/// of which an object is unreadable; nothing is copied for them.
///
/// # Errors
/// When the pack cannot be written.
pub(crate) fn copy_objects(
    from: &Repository,
    to: &Repository,
    commits: &[CommitId],
    present: SeededSet<CommitId>,
) -> Result<Vec<(CommitId, GitError)>, FetchProblem> {
    let objects = to.objects_dir();
    let mut search = MissingObjects {
        reader: from.reader(),
        own_reader: to.reader(),
        stored: StoredObjects {
            packs: Packs::open(std::slice::from_ref(&objects)),
            loose: loose::Store::at(&objects, gix::hash::Kind::Sha1),
        },
        present,
        found: SeededSet::default(),
        seen: SeededSet::default(),
    };
    let (mut missing, mut lost) = (Vec::new(), Vec::new());
    for &commit in commits {
        match search.of(commit) {
            Ok(found) => missing.extend(found),
            Err(error) => lost.push((commit, error)),
        }
    }
    repack::copy(&from.objects_dir(), missing.into_iter(), &objects)
        .map_err(|error| FetchProblem::storage(to.git_dir(), one_line(&error)))?;
    Ok(lost)
}

/// The search for objects that a repository lacks.
struct MissingObjects {
    reader: ObjectReader,
    /// Reads the repository that lacks them.
    own_reader: ObjectReader,
    stored: StoredObjects,
    /// Commits that the repository has, and those that were found.
    present: SeededSet<CommitId>,
    /// Those that were found.
    found: SeededSet<CommitId>,
    /// Trees and blobs that the repository has, and those that were found.
    seen: SeededSet<[u8; 20]>,
}

impl MissingObjects {
    /// The missing objects of a commit and its ancestors, without those that were found before.
    fn of(&mut self, commit: CommitId) -> Result<Vec<[u8; 20]>, GitError> {
        let (mut walked, mut commits) = (Vec::new(), Vec::new());
        for (id, header) in AncestorWalk::new(&mut self.reader, vec![commit]).hiding(&self.present)
        {
            walked.push(id);
            if self.stored.contains(id.0) {
                continue;
            }
            let header = header?;
            commits.push((id, header.tree));
            let is_own = |id: &&CommitId| self.present.contains(id) && !self.found.contains(id);
            for parent in header.parents.iter().filter(is_own) {
                // Only saves work, so errors do not matter.
                if let Ok(header) = self.own_reader.commit_header(*parent) {
                    let _ = each_object(&mut self.own_reader, header.tree, &mut |_, id| {
                        self.seen.insert(id)
                    });
                }
            }
        }
        let (mut missing, mut seen) = (Vec::new(), SeededSet::default());
        for (commit, tree) in commits {
            missing.push((ObjectKind::Commit, commit.0));
            each_object(&mut self.reader, tree, &mut |kind, id| {
                let is_new = !self.seen.contains(&id) && seen.insert(id);
                let is_missing = is_new && !self.stored.contains(id);
                missing.extend(is_missing.then_some((kind, id)));
                is_missing
            })?;
        }
        for (kind, id) in &missing {
            self.reader.verify(*kind, id)?;
        }
        self.found.extend(walked.iter().copied());
        self.present.extend(walked);
        self.seen.extend(seen);
        Ok(missing.into_iter().map(|(_, id)| id).collect())
    }
}

/// The objects in an object directory, without its alternates.
struct StoredObjects {
    packs: Packs,
    loose: loose::Store,
}

impl StoredObjects {
    fn contains(&self, id: [u8; 20]) -> bool {
        let id = gix::ObjectId::Sha1(id);
        // The empty tree need not be stored.
        id.is_empty_tree() || self.packs.contains(&id) || self.loose.contains(&id)
    }
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
