//! A local repository as its user sees it: revisions by name, the index and the working tree.

use std::path::{Path, PathBuf};

use crate::error::GitError;
use crate::objects::ancestors::{commits_between, merge_base};
use crate::objects::repository::{Repository, commit_id};
use crate::objects::work_tree::WorkTree;
use crate::refs::branch::is_similar;
use crate::types::{EntryKind, PathEntry};
use gitglot_model::{BlobId, CommitId, SeededSet};
use gix::bstr::ByteSlice;

/// The target of `HEAD`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The branch without `refs/heads/`; `None` if `HEAD` is detached.
    pub branch: Option<String>,
    /// The commit; `None` if the branch has no commits.
    pub commit: Option<CommitId>,
}

/// How much of the history a repository contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completeness {
    /// All commits and their files.
    Complete,
    /// Only the newest commits.
    Shallow,
    /// All commits, but not all files.
    Partial,
}

/// Why a name does not select a commit.
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    /// Nothing has this name.
    #[error("the revision '{0}' does not exist: give a branch, a tag or a commit id{1}")]
    Unknown(String, String),
    /// No commit has this name, among those that requests may name.
    #[error("the revision '{0}' does not exist")]
    NotNamed(String),
    /// Several objects have this name.
    #[error(
        "the revision '{0}' is ambiguous: use more characters of the commit id, or heads/{0} for the branch and \
         tags/{0} for the tag"
    )]
    Ambiguous(String),
    /// It names something else.
    #[error("the revision '{0}' is not a commit: give a branch, a tag or a commit id")]
    NotACommit(String),
}

impl Repository {
    /// Finds the repository that contains a directory, as git does: in the directory, then in its parents.
    ///
    /// # Errors
    /// If no parent is a repository, or it cannot be opened.
    pub fn discover(folder: &Path) -> Result<Self, GitError> {
        let (found, _) = gix::discover::upwards(folder).map_err(|_| {
            let reason = if folder.exists() {
                "there is no git repository here or above"
            } else {
                "there is no such directory"
            };
            GitError::open(folder, reason)
        })?;
        let (git_dir, work_dir) = found.into_repository_and_work_tree_directories();
        Self::open(work_dir.unwrap_or(git_dir))
    }

    /// The directory of the working tree; `None` for a bare repository.
    pub fn work_dir(&self) -> Option<PathBuf> {
        self.gix().workdir().map(Path::to_owned)
    }

    /// The files of the working tree; `None` for a bare repository.
    pub fn work_tree(&self) -> Option<WorkTree> {
        self.work_dir().map(WorkTree::new)
    }

    /// The target of `HEAD`.
    ///
    /// # Errors
    /// If `HEAD` cannot be read.
    pub fn head(&self) -> Result<Head, GitError> {
        let repository = self.gix();
        let head = repository.head().map_err(|error| self.unreadable(&error))?;
        let branch = head.referent_name().map(|name| name.shorten().to_string());
        let commit = head.id().and_then(|id| commit_id(&id));
        Ok(Head { branch, commit })
    }

    /// How much of the history the repository contains.
    pub fn completeness(&self) -> Completeness {
        let repository = self.gix();
        if repository.is_shallow().unwrap_or(false) {
            return Completeness::Shallow;
        }
        let config = repository.config_snapshot();
        let promised = config.string("extensions.partialClone").is_some();
        let remotes = config.plumbing().sections_by_name("remote");
        let mut remotes = remotes.into_iter().flatten();
        if promised || remotes.any(|remote| remote.value("promisor").is_some()) {
            Completeness::Partial
        } else {
            Completeness::Complete
        }
    }

    /// The commit that a branch, tag, id or expression such as `HEAD~1` selects.
    ///
    /// # Errors
    /// If nothing or several objects have this name, or it is not a commit.
    pub fn resolve(&self, revision: &str) -> Result<CommitId, RevisionError> {
        self.select(revision).map_err(|error| match error {
            RevisionError::Unknown(name, hint) => {
                let similar = match self.similar_names(&name) {
                    names if names.is_empty() => String::new(),
                    names => format!(", such as {}", names.join(", ")),
                };
                RevisionError::Unknown(name, similar + &hint)
            }
            other => other,
        })
    }

    /// As `resolve`, but errors name no other branches and tags: these would be work for each request, and can be private.
    pub(crate) fn select(&self, revision: &str) -> Result<CommitId, RevisionError> {
        let repository = self.gix();
        if self.is_branch_and_tag(revision) {
            return Err(RevisionError::Ambiguous(revision.to_owned()));
        }
        let not_a_commit = || RevisionError::NotACommit(revision.to_owned());
        let spec = repository.rev_parse(revision);
        let spec = spec.map_err(|error| self.unresolved(revision, &error))?;
        let object = spec.single().ok_or_else(not_a_commit)?.object();
        let object = object.map_err(|_| self.unknown(revision))?;
        let commit = object.peel_to_kind(gix::object::Kind::Commit);
        let commit = commit.map_err(|_| not_a_commit())?;
        commit_id(&commit.id).ok_or_else(not_a_commit)
    }

    /// Whether a branch and a tag have this name and select different commits. git would use the tag.
    fn is_branch_and_tag(&self, name: &str) -> bool {
        let repository = self.gix();
        let commit = |prefix: &str| {
            let found = repository.try_find_reference(&*[prefix, name].concat());
            let mut reference = found.ok()??;
            reference.peel_to_commit().ok().map(|commit| commit.id)
        };
        match (commit("refs/heads/"), commit("refs/tags/")) {
            (Some(branch), Some(tag)) => branch != tag,
            _ => false,
        }
    }

    fn unresolved(&self, revision: &str, error: &gix::Error) -> RevisionError {
        use gix::revision::spec::parse::Error;
        match error.downcast_any_ref::<Error>() {
            Some(Error::AmbiguousPrefix { .. } | Error::AmbiguousRefAndObject { .. }) => {
                RevisionError::Ambiguous(revision.to_owned())
            }
            _ => self.unknown(revision),
        }
    }

    fn unknown(&self, revision: &str) -> RevisionError {
        let shallow = self.completeness() == Completeness::Shallow;
        let hint = if shallow {
            ", or fetch the full history (fetch-depth: 0), as this clone is shallow"
        } else {
            ""
        };
        RevisionError::Unknown(revision.to_owned(), hint.to_owned())
    }

    /// The first branches and tags that a name may be a misspelling of.
    fn similar_names(&self, name: &str) -> Vec<String> {
        const SHOWN: usize = 5;
        let repository = self.gix();
        let Ok(platform) = repository.references() else {
            return Vec::new();
        };
        let named = ["refs/heads/", "refs/remotes/", "refs/tags/"].into_iter();
        let references = named.filter_map(|prefix| platform.prefixed(prefix).ok());
        let names = references.flatten().flatten();
        let names = names.map(|reference| reference.name().shorten().to_string());
        let mut similar: Vec<String> = names
            .filter(|existing| is_similar(name, existing))
            .collect();
        similar.sort();
        similar.dedup();
        similar.truncate(SHOWN);
        similar
    }

    /// The best common ancestor of two commits; `None` if there is none.
    ///
    /// # Errors
    /// If commits cannot be read.
    pub fn merge_base(&self, one: CommitId, other: CommitId) -> Result<Option<CommitId>, GitError> {
        merge_base(&mut self.reader(), one, other)
    }

    /// The commits that a commit reaches and one of its ancestors does not.
    ///
    /// # Errors
    /// If commits cannot be read.
    pub fn commits_between(
        &self,
        ancestor: CommitId,
        commit: CommitId,
    ) -> Result<SeededSet<CommitId>, GitError> {
        commits_between(&mut self.reader(), ancestor, commit)
    }

    /// The default branch: the `HEAD` of `origin`, else `main` or `master`, of `origin` or local.
    pub fn default_branch(&self) -> Option<(String, CommitId)> {
        let names = [
            "refs/remotes/origin/HEAD",
            "refs/remotes/origin/main",
            "refs/remotes/origin/master",
            "refs/heads/main",
            "refs/heads/master",
        ];
        let repository = self.gix();
        names.into_iter().find_map(|name| {
            let mut reference = repository.try_find_reference(name).ok().flatten()?;
            let target = reference.follow().and_then(Result::ok);
            let name = target.as_ref().unwrap_or(&reference).name();
            let short = name.shorten().to_string();
            let id = reference.peel_to_id().ok()?;
            Some((short, commit_id(&id)?))
        })
    }

    /// The names of the branches; none if they cannot be read.
    pub fn branches(&self) -> Vec<String> {
        branch_names(&self.gix()).unwrap_or_default()
    }

    /// The address of the remote `origin`, as the configuration has it.
    pub fn origin(&self) -> Option<String> {
        let config = self.gix().config_snapshot().string("remote.origin.url");
        config.map(|address| address.to_string())
    }

    /// The files, links and submodules of the index, by path. A path in conflict has its own side. As git does, it
    /// reads the file that `GIT_INDEX_FILE` names, which `git commit -a` sets for hooks.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn index_files(&self) -> Result<Vec<PathEntry>, GitError> {
        let repository = self.gix();
        let given = std::env::var_os("GIT_INDEX_FILE").map(PathBuf::from);
        let entries = match given.filter(|path| path.is_file()) {
            Some(path) => gix::index::File::at(path, gix::hash::Kind::Sha1, false, <_>::default())
                .map(|index| index_entries(&index)),
            None => (repository.index_or_empty()).map(|index| index_entries(&index)),
        };
        entries.map_err(|error| self.unreadable(&error))
    }

    fn unreadable(&self, error: &gix::Error) -> GitError {
        GitError::unreadable(self.git_dir(), error)
    }
}

fn index_entries(index: &gix::index::State) -> Vec<PathEntry> {
    use gix::index::entry::{Mode, Stage};
    let entries = index.entries().iter();
    let entries =
        entries.filter(|entry| matches!(entry.stage(), Stage::Unconflicted | Stage::Ours));
    let entry = |entry: &gix::index::Entry| {
        let id: [u8; 20] = entry.id.as_bytes().try_into().ok()?;
        let kind = match entry.mode {
            Mode::FILE | Mode::FILE_EXECUTABLE => EntryKind::File(BlobId(id)),
            Mode::SYMLINK => EntryKind::Symlink(BlobId(id)),
            Mode::COMMIT => EntryKind::Submodule(CommitId(id)),
            _ => return None,
        };
        Some(PathEntry {
            path: entry.path(index).to_vec().into(),
            kind,
        })
    };
    entries.filter_map(entry).collect()
}

/// The names of the branches of a repository.
pub(crate) fn branch_names(repository: &gix::Repository) -> gix::Result<Vec<String>> {
    let references = repository.references()?;
    let branches = references.local_branches()?;
    Ok(branches
        .filter_map(|branch| Some(branch.ok()?.name().shorten().to_str_lossy().into_owned()))
        .collect())
}
