//! The commits of a repository that a run reads.

use anyhow::{Context, bail};

use super::CheckArgs;
use gitglot_git::{Completeness, Repository};
use gitglot_lint::BaseRead;
use gitglot_model::CommitId;

/// The commits that a run reads.
pub struct Revisions {
    /// The commit to check, or that the index or the working tree is based on.
    pub head: Option<CommitId>,
    /// The branch.
    pub branch: Option<String>,
    /// What to compare with.
    pub base: Option<Base>,
}

/// The base of a comparison.
pub struct Base {
    /// How the report names it.
    pub read: BaseRead,
    /// The commit that is compared with: the merge base.
    pub commit: CommitId,
    /// The commit that `--base` names.
    pub tip: CommitId,
}

impl Revisions {
    /// Finds the commits. `branch` is the branch that is configured, with its tip.
    pub fn find(
        repository: &Repository,
        is_local: bool,
        branch: Option<(String, CommitId)>,
        args: &CheckArgs,
    ) -> anyhow::Result<Self> {
        let (head, branch) = head(repository, is_local, branch, args)?;
        let base = match &args.read.base {
            Some(base) => Some(find_base(repository, base, head)?),
            None => None,
        };
        Ok(Self { head, branch, base })
    }
}

/// The commit to check or to start from, and the branch.
fn head(
    repository: &Repository,
    is_local: bool,
    branch: Option<(String, CommitId)>,
    args: &CheckArgs,
) -> anyhow::Result<(Option<CommitId>, Option<String>)> {
    let (present, checked_out) = if is_local {
        let head = repository.head()?;
        (head.commit, head.branch)
    } else {
        (None, None)
    };
    if let Some(revision) = &args.read.revision {
        let commit = Some(repository.resolve(revision)?);
        return Ok((commit, checked_out.filter(|_| present == commit)));
    }
    match branch {
        Some((branch, tip)) => Ok((Some(tip), Some(branch))),
        None => Ok((present, checked_out)),
    }
}

/// The merge base of a commit with a revision, or with the default branch.
fn find_base(
    repository: &Repository,
    base: &str,
    commit: Option<CommitId>,
) -> anyhow::Result<Base> {
    let (revision, tip) = match base {
        "auto" => repository.default_branch().with_context(
            || "cannot determine the default branch: there is no origin/HEAD, main or master; set --base REV",
        )?,
        base => (base.to_owned(), repository.resolve(base)?),
    };
    let commit = commit.context("there is no commit to compare with: HEAD has no commits")?;
    let ancestor = repository.merge_base(commit, tip);
    let is_complete = repository.completeness() != Completeness::Shallow;
    match ancestor {
        Ok(Some(ancestor)) => Ok(Base {
            read: BaseRead {
                revision,
                commit: ancestor.to_string(),
            },
            commit: ancestor,
            tip,
        }),
        Ok(None) if is_complete => {
            bail!(
                "{commit} and {revision} have no common ancestor: choose a base with a common history"
            )
        }
        Err(error) if is_complete => Err(error.into()),
        Ok(None) | Err(_) => bail!(
            "the clone is shallow and lacks the common ancestor of {commit} and {revision}: fetch the full history \
             (fetch-depth: 0 in GitHub Actions, GIT_DEPTH: 0 in GitLab CI, git fetch --unshallow)"
        ),
    }
}
