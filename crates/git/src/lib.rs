//! Mirrors, commits, trees and blobs. The only module that uses gix.
//!
//! A [`Mirror`] tracks the branches of one [`RepositorySource`] in the state directory. [`Repository`] (shared between
//! threads) and [`ObjectReader`] (one per thread, with caches) read objects. Must not depend on formats or HTTP.
//!
//! ```
//! use gitglot_testkit::{Repo, commit};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let history = commit("one").write("cs.json", "{}");
//! let repo = Repo::with(&folder.path().join("repo.git"), &history);
//! let repository = gitglot_git::Repository::open(repo.dir()).unwrap();
//! let commit = repository.reader().commit(repo.tip("main")).unwrap();
//! assert_eq!(commit.message, "one\n");
//! ```

mod commit;
mod error;
mod fs_util;
mod mailmap;
mod mirror;
mod named;
mod objects;
mod refs;
#[cfg(test)]
pub mod test_support;
mod transport;
mod types;

pub use error::GitError;
pub use mailmap::Mailmap;
pub use mirror::exchange::{ObjectExchange, PackedObjects};
pub use mirror::mirror::{LocalDirs, Mirror};
pub use named::{find_named, is_short_id, named_commits};
pub use objects::ancestors::ancestors;
pub use objects::checkout::{Completeness, Head, RevisionError};
pub use objects::raw::blob_id;
pub use objects::reader::groups::{FileGroup, FileGrouper, GroupedFile, GroupedFiles, group_id};
pub use objects::reader::parts::{FilePart, FileSplitter};
pub use objects::reader::{OBJECT_LIMIT, ObjectReader};
pub use objects::repository::{ClosedRepository, Repository};
pub use objects::work_tree::{RegularFile, WorkTree, WorkTreeEntry, WorkTreeFile, WorkTreeFolder};
pub use objects::work_tree_filter::WorkTreeFilter;
pub use refs::branch::{Branch, BranchChange, BranchNameError, FollowedBranch, MissingBranch, Tip};
pub use refs::watch::RefWatch;
pub use transport::credentials::{RepoAccess, Timeouts};
pub use transport::error::{FetchError, FetchProblem};
pub use transport::limits::FetchLimits;
pub use transport::progress::{FetchPhase, FetchProgress};
pub use transport::source::{ParseSourceError, RepositorySource};
pub use transport::watch::Watch;
pub use types::{CommitHeader, EntryKind, ObjectKind, PathEntry, TreeEntry};
