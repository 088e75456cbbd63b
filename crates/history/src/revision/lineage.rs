//! The first-parent path from the mainline of a log to a commit.

use gitglot_git::{CommitHeader, GitError, ObjectReader};
use gitglot_model::{CommitId, Log, MainlineRow, SeededMap};

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
        let rows: SeededMap<CommitId, MainlineRow> =
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
            let oldest = commits.last();
            let Some(parent) = oldest.and_then(|commit| commit.parents.first().copied()) else {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ReadHistory, read, read_steps};
    use gitglot_model::TreeId;
    use gitglot_testkit::{History, commit};

    /// The base of a commit, and the trees of the base and the commits after it.
    fn path(read: &ReadHistory, log: &Log, to: &str) -> (Option<CommitId>, Vec<TreeId>) {
        let mut reader = read.repository.reader();
        let path = BranchPath::find(log, &mut reader, read.repo.id(to)).unwrap();
        let trees = path.commits.iter().map(|commit| commit.tree);
        (path.base.map(|row| row.commit), trees.collect())
    }

    /// The base and the trees of these commits, the first of which is the base.
    fn after(read: &ReadHistory, commits: &[&str]) -> (Option<CommitId>, Vec<TreeId>) {
        (Some(read.repo.id(commits[0])), trees(read, commits))
    }

    fn trees(read: &ReadHistory, commits: &[&str]) -> Vec<TreeId> {
        let mut reader = read.repository.reader();
        let tree = |label: &&str| reader.commit_header(read.repo.id(label)).unwrap().tree;
        commits.iter().map(tree).collect()
    }

    /// Two commits on `main`, and a branch with two from the first one.
    fn branched() -> History {
        commit("start")
            .texts("en", "a=One")
            .commit("tip")
            .texts("en", "a=Two")
            .branch_at("side", "start")
            .commit("one")
            .texts("en", "a=Three")
            .commit("two")
            .texts("en", "a=Four")
    }

    #[test]
    fn a_mainline_commit_is_its_own_base() {
        let read = read(&branched());
        let found = path(&read, &read.state.log, "start");
        assert_eq!(found, after(&read, &["start"]));
    }

    #[test]
    fn a_branch_begins_at_its_last_mainline_commit() {
        let read = read(&branched());
        let found = path(&read, &read.state.log, "two");
        assert_eq!(found, after(&read, &["start", "one", "two"]));
    }

    #[test]
    fn without_a_log_only_the_commit_counts() {
        let read = read(&branched());
        let found = path(&read, &Log::default(), "two");
        assert_eq!(found, (None, trees(&read, &["two"])));
    }

    #[test]
    fn a_branch_with_its_own_root_has_no_base() {
        let commits = branched()
            .branch("other")
            .commit("root")
            .texts("en", "a=Five");
        let read = read(&commits.commit("last").texts("en", "a=Six"));
        let found = path(&read, &read.state.log, "last");
        assert_eq!(found, (None, trees(&read, &["last"])));
    }

    #[test]
    fn the_last_row_of_a_commit_counts() {
        let read = read_steps(&branched(), &["tip", "start"]);
        let start = read.repo.id("start");
        let rows = read.state.log.mainline.iter();
        let last = rows.filter(|row| row.commit == start).last().unwrap();
        let mut reader = read.repository.reader();
        let path = BranchPath::find(&read.state.log, &mut reader, read.repo.id("one")).unwrap();
        assert_eq!(path.base.unwrap().entries, last.entries);
        assert_eq!(last.entries as usize, read.state.log.len());
    }

    #[test]
    fn a_long_branch_is_one_change() {
        let mut commits = branched();
        for at in 0..MAX_COMMITS {
            let label = at.to_string();
            commits = commits.commit(&label).texts("en", &format!("a={label}"));
        }
        let read = read(&commits);
        let last = (MAX_COMMITS - 1).to_string();
        let found = path(&read, &read.state.log, &last);
        assert_eq!(found, after(&read, &["start", &last]));
    }
}
