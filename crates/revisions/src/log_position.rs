//! The part of a log that ends at a revision (docs/spec/change-log.md#contributions).

use super::names::{find, find_in_memory, seconds};
use super::reader::{CacheEntry, CacheKey, Revisions};
use super::revision::RevisionProblem;
use gitglot_catalog::ComponentSnapshot;
use gitglot_git::{GitError, Repository};
use gitglot_model::CommitId;

/// The number of entries of a log at the last mainline commit that is an ancestor of a commit; `None` without a common
/// history.
///
/// # Errors
/// If a commit cannot be read.
pub fn entries_at(
    component: &ComponentSnapshot,
    repository: &Repository,
    commit: CommitId,
) -> Result<Option<u32>, GitError> {
    if let Some(known) = known_entries(component, commit) {
        return Ok(Some(known));
    }
    let base = repository.merge_base(component.tip.id, commit)?;
    base.map_or(Ok(None), |base| {
        entries_at_base(component, repository, base)
    })
}

/// The number of entries at a commit that the branch contains.
fn entries_at_base(
    component: &ComponentSnapshot,
    repository: &Repository,
    base: CommitId,
) -> Result<Option<u32>, GitError> {
    if let Some(known) = known_entries(component, base) {
        return Ok(Some(known));
    }
    // A commit of a merged branch, or one before the component began.
    let time = repository.reader().commit(base)?.committer.time.seconds;
    let row = component.log.mainline_at(&[time]).pop().flatten();
    Ok(Some(row.map_or(0, |row| row.entries)))
}

/// The number of entries at a mainline commit.
fn known_entries(component: &ComponentSnapshot, commit: CommitId) -> Option<u32> {
    let mut rows = component.log.mainline.iter();
    let row = rows.find(|row| row.commit == commit)?;
    Some(row.entries)
}

/// As [`entries_at`], for the name of a revision.
///
/// # Errors
/// If there is no such revision, or it has no common history with the branch.
pub fn entries_at_revision(
    revisions: &Revisions,
    component: &ComponentSnapshot,
    name: &str,
) -> Result<u32, RevisionProblem> {
    // A time before the first commit is a part without entries.
    if let Some(time) = name.strip_prefix('@').and_then(seconds)
        && !component.log.mainline.is_empty()
    {
        let row = component.log.mainline_at(&[time]).pop().flatten();
        return Ok(row.map_or(0, |row| row.entries));
    }
    let commit = match find_in_memory(component, name) {
        Some(known) => known.commit,
        None => find(revisions, component, name)?.commit,
    };
    if let Some(known) = known_entries(component, commit) {
        return Ok(known);
    }
    let found = revisions.with_repository(component, |repository| {
        let base = merge_base(revisions, repository, component.tip.id, commit)?;
        let Some(base) = base else { return Ok(None) };
        Ok(entries_at_base(component, repository, base)?)
    })?;
    found.ok_or_else(|| {
        RevisionProblem::NotFound(format!(
            "{name} has no common history with the branch {}.",
            component.component.branch
        ))
    })
}

/// The merge base of two commits, from the cache if it is known.
fn merge_base(
    revisions: &Revisions,
    repository: &Repository,
    one: CommitId,
    other: CommitId,
) -> Result<Option<CommitId>, GitError> {
    let key = CacheKey::MergeBase(repository.git_dir().to_owned(), one, other);
    if let Some(CacheEntry::MergeBase(known)) = revisions.cache().get(&key) {
        return Ok(known);
    }
    let base = repository.merge_base(one, other)?;
    revisions.cache().put(key, CacheEntry::MergeBase(base), 256);
    Ok(base)
}
