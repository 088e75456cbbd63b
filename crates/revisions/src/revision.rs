//! A revision, and the reasons why one cannot be shown.

use gitglot_git::GitError;
use gitglot_history::HistoryError;
use gitglot_lint::LintError;
use gitglot_model::{CommitId, sentence};

/// A revision that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revision {
    /// The name as given.
    pub name: String,
    /// The commit.
    pub commit: CommitId,
    /// Whether the name is a full commit id, which always selects the same commit.
    pub is_fixed: bool,
}

/// Why a revision cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum RevisionProblem {
    /// There is no such revision, or it has no such files. A human-readable sentence.
    #[error("{0}")]
    NotFound(String),
    /// The repository cannot be read at the moment.
    #[error("{0}")]
    Unreadable(String),
    /// The work exceeded its limit, or was cancelled.
    #[error("the work was cancelled")]
    Stopped,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum RevisionReadError {
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error(transparent)]
    Lint(#[from] LintError),
    #[error("{0}")]
    NotFound(String),
    #[error("the work was cancelled")]
    Stopped,
}

impl RevisionReadError {
    pub(super) fn is_damage(&self) -> bool {
        match self {
            Self::Git(error) | Self::Lint(LintError::Git(error)) => error.is_damage(),
            Self::History(error) | Self::Lint(LintError::History(error)) => error.is_damage(),
            Self::Lint(_) | Self::NotFound(_) | Self::Stopped => false,
        }
    }
}

impl From<RevisionReadError> for RevisionProblem {
    fn from(error: RevisionReadError) -> Self {
        match error {
            // A reference that is deleted or force-pushed takes its objects along.
            RevisionReadError::Git(error) if error.is_damage() => {
                Self::NotFound(format!("The revision is no longer readable: {error}."))
            }
            RevisionReadError::Git(error) => Self::Unreadable(error.to_string()),
            RevisionReadError::History(HistoryError::Git(error))
            | RevisionReadError::Lint(LintError::Git(error)) => {
                RevisionReadError::Git(error).into()
            }
            RevisionReadError::History(HistoryError::Stopped)
            | RevisionReadError::Lint(LintError::Stopped)
            | RevisionReadError::Stopped => Self::Stopped,
            RevisionReadError::History(error) => Self::NotFound(sentence(&error.to_string())),
            RevisionReadError::Lint(error @ LintError::TooManyIds) => {
                Self::NotFound(sentence(&error.to_string()))
            }
            RevisionReadError::Lint(error) => Self::Unreadable(error.to_string()),
            RevisionReadError::NotFound(reason) => Self::NotFound(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(error: impl Into<RevisionReadError>) -> RevisionProblem {
        error.into().into()
    }

    #[test]
    fn a_missing_object_is_a_revision_that_is_gone() {
        let missing = || GitError::Missing {
            kind: gitglot_git::ObjectKind::Commit,
            id: "0123".to_owned(),
        };
        for problem in [
            problem(missing()),
            problem(HistoryError::Git(missing())),
            problem(LintError::Git(missing())),
        ] {
            let RevisionProblem::NotFound(reason) = problem else {
                panic!("{problem:?}");
            };
            assert!(
                reason.starts_with("The revision is no longer readable: "),
                "{reason}"
            );
        }
    }

    #[test]
    fn other_faults_of_a_repository_can_pass() {
        let problem = problem(GitError::TooManyFiles("0123".to_owned()));
        assert!(
            matches!(problem, RevisionProblem::Unreadable(_)),
            "{problem:?}"
        );
    }

    #[test]
    fn an_exceeded_limit_is_neither() {
        for problem in [
            problem(HistoryError::Stopped),
            problem(LintError::Stopped),
            problem(RevisionReadError::Stopped),
        ] {
            assert!(matches!(problem, RevisionProblem::Stopped), "{problem:?}");
        }
    }
}
