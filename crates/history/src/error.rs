//! Why a component cannot be read.

use gitglot_git::GitError;
use gitglot_model::{CommitId, Component};

/// Most bytes of ids of all strings of a repository, with those that existed in the past.
pub const MAX_ID_BYTES: usize = 64 << 20;

/// Why a component cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// Two files of the mask have the same language because it has several `*`.
    #[error(
        "the file mask '{mask}' is ambiguous: '{first}' and '{second}' both have the language code '{code}'; use \
         {{language}} and {{name}} instead of '*'"
    )]
    AmbiguousMask {
        /// The mask.
        mask: String,
        /// One of the files.
        first: String,
        /// The other file.
        second: String,
        /// The code of both.
        code: String,
    },
    /// The repository cannot be read.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The template is not in the tip's tree.
    #[error(
        "there is no file {template} at the tip of the branch {branch}: set the template to the path of the file \
         with the source texts"
    )]
    NoTemplate {
        /// The configured path.
        template: String,
        /// The branch.
        branch: String,
    },
    /// The template cannot be read, and no older version can replace it.
    #[error(
        "the template {template} cannot be read: {reason}; repair the file, or set a different template"
    )]
    BrokenTemplate {
        /// Its path.
        template: String,
        /// The parse error.
        reason: String,
    },
    /// The strings of the repository have too long ids.
    #[error(
        "the strings of the repository have more than {} MB of ids, with those that existed in the past: shorten the \
         names in the files, or narrow the file mask",
        MAX_ID_BYTES >> 20
    )]
    TooManyIds,
    /// The work had to end.
    #[error("the work was cancelled")]
    Stopped,
    /// A commit has no files of the component.
    #[error(
        "the commit {commit} has no template and no files that {mask} or an older mask of the component matches: \
         choose a commit that contains the files"
    )]
    NothingAt {
        /// The mask.
        mask: String,
        /// The commit.
        commit: CommitId,
    },
    /// Not even the template matches.
    #[error(
        "the file mask {mask} matches no readable file at the tip of the branch {branch}: check the mask with \
         `gitglot discover`, and the files with `gitglot check`"
    )]
    NothingMatches {
        /// The mask.
        mask: String,
        /// The branch.
        branch: String,
    },
}

impl HistoryError {
    pub(super) fn nothing_at(component: &Component, commit: CommitId) -> Self {
        Self::NothingAt {
            mask: component.filemask.as_str().to_owned(),
            commit,
        }
    }

    /// Whether the repository's objects on disk are incomplete or broken.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Git(error) if error.is_damage())
    }

    /// Whether the commit is readable but has no usable template: later commits may have one.
    pub fn is_about_files(&self) -> bool {
        !matches!(self, Self::Git(_))
    }

    pub(super) fn nothing_matches(component: &Component) -> Self {
        Self::NothingMatches {
            mask: component.filemask.as_str().to_owned(),
            branch: component.branch.clone(),
        }
    }

    /// The template is missing, or all files if none is a template.
    pub(super) fn no_template(component: &Component) -> Self {
        if !component.file_format.shape().has_template() {
            return Self::nothing_matches(component);
        }
        Self::NoTemplate {
            template: component.template.clone(),
            branch: component.branch.clone(),
        }
    }

    pub(super) fn broken_template(component: &Component, reason: String) -> Self {
        Self::BrokenTemplate {
            template: component.template.clone(),
            reason,
        }
    }
}
