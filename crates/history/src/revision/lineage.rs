//! The first-parent path from the mainline of a log to a commit.

use rustc_hash::FxHashMap;

use gitglot_git::{CommitHeader, GitError, ObjectReader};
use gitglot_model::{CommitId, Log, MainlineRow};

/// First parents that are searched for a mainline commit.
const MAX_SEARCHED: usize = 4096;
/// First parents whose changes are separate; those of a longer branch count as one change.
const MAX_COMMITS: usize = 256;

/// The first-parent path to a commit.
#[derive(Debug)]
pub struct BranchPath {
    /// The last mainline commit on it; `None` if there is none.
    pub base: Option<MainlineRow>,
    /// The base and all commits after it, oldest first; the last one is the commit itself.
    pub commits: Vec<CommitHeader>,
}

impl BranchPath {
    /// Finds the path to a commit.
    pub fn find(log: &Log, reader: &mut ObjectReader, to: CommitId) -> Result<Self, GitError> {
        let mut commits = vec![reader.commit_header(to)?];
        if log.mainline.is_empty() {
            return Ok(Self {
                base: None,
                commits,
            });
        }
        // A mainline commit is written once more after a push back to it: the last row counts.
        let rows: FxHashMap<CommitId, MainlineRow> =
            log.mainline.iter().map(|row| (row.commit, *row)).collect();
        let mut at = to;
        for _ in 0..MAX_SEARCHED {
            if let Some(base) = rows.get(&at) {
                commits.reverse();
                if commits.len() > MAX_COMMITS {
                    commits.drain(1..commits.len() - 1);
                }
                return Ok(Self {
                    base: Some(*base),
                    commits,
                });
            }
            let parent = commits.last().and_then(|it| it.parents.first().copied());
            let Some(parent) = parent else {
                break;
            };
            match reader.commit_header(parent) {
                Ok(commit) => commits.push(commit),
                Err(error) if error.is_damage() => break,
                Err(error) => return Err(error),
            }
            at = parent;
        }
        commits.truncate(1);
        Ok(Self {
            base: None,
            commits,
        })
    }
}
