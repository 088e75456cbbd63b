//! Followed branches and their changes.

use gitglot_model::CommitId;

/// A followed branch.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Branch {
    /// The branch that the repository's `HEAD` names at the time of the fetch.
    Default,
    /// A branch by its name, without `refs/heads/`.
    Named(String),
}

impl Branch {
    /// Parses a branch name, with or without `refs/heads/`; `None` is the default branch.
    ///
    /// # Errors
    /// When it is not a valid branch name.
    pub fn parse(name: Option<&str>) -> Result<Self, BranchNameError> {
        let Some(name) = name else {
            return Ok(Self::Default);
        };
        let short = name.strip_prefix("refs/heads/").unwrap_or(name);
        let full = format!("refs/heads/{short}");
        let valid = gix::validate::reference::name(full.as_str().into()).is_ok();
        // '*' and ':' have a meaning in refspecs.
        if !valid || short.starts_with('-') || short == "HEAD" || short.contains(['*', ':', '^']) {
            return Err(BranchNameError(name.to_owned()));
        }
        Ok(Self::Named(short.to_owned()))
    }

    /// Its reference in the followed repository.
    pub(crate) fn remote_ref(&self) -> String {
        match self {
            Self::Default => "HEAD".to_owned(),
            Self::Named(name) => format!("refs/heads/{name}"),
        }
    }

    /// Its reference in the mirror.
    pub(crate) fn mirror_ref(&self) -> String {
        match self {
            Self::Default => "refs/gitglot/default".to_owned(),
            Self::Named(name) => format!("refs/heads/{name}"),
        }
    }
}

/// The text is not a valid branch name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a valid branch name; use a name as in `git branch`")]
pub struct BranchNameError(pub String);

/// The tip of a followed branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tip {
    /// Its name without `refs/heads/`; `HEAD` for the default branch of a repository whose `HEAD` is detached.
    pub name: String,
    /// The newest commit of the branch.
    pub commit: CommitId,
}

/// A followed branch after a fetch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FollowedBranch {
    /// The branch.
    pub branch: Branch,
    /// The change.
    pub change: BranchChange,
}

/// The effect of a fetch on a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BranchChange {
    /// The branch exists.
    Present {
        /// Its name without `refs/heads/`; `HEAD` for the default branch of a repository whose `HEAD` is detached.
        name: String,
        /// The previous tip, if any.
        from: Option<CommitId>,
        /// The current tip.
        to: CommitId,
        /// Whether `from` is not an ancestor of `to`. The mirror retains `from`.
        rewritten: bool,
    },
    /// The branch does not exist. The mirror keeps its previous state.
    Missing(MissingBranch),
}

/// A missing branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingBranch {
    /// The branch.
    pub branch: Branch,
    /// The existing branches.
    pub existing: Vec<String>,
}

impl std::error::Error for MissingBranch {}

impl std::fmt::Display for MissingBranch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const SHOWN: usize = 5;
        match (&self.branch, self.existing.is_empty()) {
            (_, true) => return f.write_str("the repository has no branches (yet, or any more)"),
            (Branch::Default, _) => {
                f.write_str("the repository's HEAD names no branch that exists; name one of ")?
            }
            (Branch::Named(name), _) if self.existing.contains(name) => {
                return write!(f, "the branch '{name}' does not point to a commit");
            }
            (Branch::Named(name), _) => write!(f, "there is no branch '{name}', but ")?,
        }
        let mut shown: Vec<&str> = self.existing.iter().map(String::as_str).collect();
        if let Branch::Named(name) = &self.branch {
            shown.sort_by_key(|existing| !is_similar(name, existing));
        }
        shown.truncate(SHOWN);
        f.write_str(&shown.join(", "))?;
        match self.existing.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Whether a name may be a misspelling of another one.
pub(crate) fn is_similar(name: &str, other: &str) -> bool {
    let most = 1.max(name.len() / 3);
    name.len().abs_diff(other.len()) <= most && strsim::osa_distance(name, other) <= most
}

/// A branch name without `refs/heads/`.
pub(crate) fn short_name(full: &str) -> String {
    full.strip_prefix("refs/heads/").unwrap_or(full).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_name_is_full_short_or_absent() {
        assert_eq!(Branch::parse(None), Ok(Branch::Default));
        let named = Ok(Branch::Named("release/1.x".to_owned()));
        assert_eq!(Branch::parse(Some("release/1.x")), named);
        assert_eq!(Branch::parse(Some("refs/heads/release/1.x")), named);
        for bad in ["", "a b", "a..b", "*", "HEAD", "-x", "a:b", "x.lock", "a/"] {
            assert_eq!(
                Branch::parse(Some(bad)),
                Err(BranchNameError(bad.to_owned()))
            );
        }
    }

    #[test]
    fn a_missing_branch_lists_the_existing_ones() {
        let missing = |existing: &[&str], branch| {
            let existing = existing.iter().map(|&name| name.to_owned()).collect();
            MissingBranch { branch, existing }.to_string()
        };
        let named = Branch::Named("dev".to_owned());
        assert_eq!(
            missing(&["main"], named.clone()),
            "there is no branch 'dev', but main"
        );
        let many = ["a", "b", "c", "d", "e", "f", "g"];
        assert_eq!(
            missing(&many, named.clone()),
            "there is no branch 'dev', but a, b, c, d, e and 2 more"
        );
        let misspelled = Branch::Named("mian".to_owned());
        assert_eq!(
            missing(&["a", "b", "c", "d", "e", "f", "main"], misspelled),
            "there is no branch 'mian', but main, a, b, c, d and 2 more"
        );
        assert_eq!(
            missing(&["dev", "main"], named.clone()),
            "the branch 'dev' does not point to a commit"
        );
        assert_eq!(
            missing(&[], named),
            "the repository has no branches (yet, or any more)"
        );
    }
}
