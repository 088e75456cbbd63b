//! The part of a log that ends at a revision (docs/spec/change-log.md#contributions).

use super::names::find;
use super::reader::Revisions;
use super::revision::{RevisionProblem, RevisionReadError};
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
    let log = &component.log;
    let entries = |of: CommitId| {
        let mut rows = log.mainline.iter().filter(|row| row.commit == of);
        rows.next().map(|row| row.entries)
    };
    if let Some(known) = entries(commit) {
        return Ok(Some(known));
    }
    let Some(base) = repository.merge_base(component.tip.id, commit)? else {
        return Ok(None);
    };
    if let Some(known) = entries(base) {
        return Ok(Some(known));
    }
    // A commit of a merged branch, or one before the component began.
    let time = repository.reader().commit(base)?.committer.time.seconds;
    let row = log.mainline_at(&[time]).pop().flatten();
    Ok(Some(row.map_or(0, |row| row.entries)))
}

impl Revisions {
    /// As [`entries_at`], for the name of a revision.
    ///
    /// # Errors
    /// If there is no such revision, or it has no common history with the branch.
    pub fn entries_at(
        &self,
        component: &ComponentSnapshot,
        name: &str,
    ) -> Result<u32, RevisionProblem> {
        let commit = find(self, component, name)?.commit;
        let found = self.with_repository(component, |repository| {
            entries_at(component, repository, commit).map_err(RevisionReadError::from)
        })?;
        found.ok_or_else(|| {
            RevisionProblem::NotFound(format!(
                "{name} has no common history with the branch {}.",
                component.component.branch
            ))
        })
    }
}
