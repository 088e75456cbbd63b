//! Visits the commits of a step in order and writes their entries (docs/spec/change-log.md#mainline-and-side-commits).

use super::changes::KeyRanks;
use super::context::StepContext;
use super::diff::{CommitDiff, SideWrites, TextSources};
use super::emit::LogWriter;
use super::merge_filter::MergeScope;
use super::state::LogState;
use crate::history::files::trees::FileSet;
use crate::history::graph::clock_skew;
use crate::history::graph::walk::{MainlineCommit, NodeIndex, TipMove};
use crate::model::Action;

/// Folds a step into the log.
pub struct Fold<'a> {
    context: &'a StepContext<'a>,
    state: &'a mut LogState,
    text_sources: TextSources,
    ranks: KeyRanks,
}

impl<'a> Fold<'a> {
    pub fn new(context: &'a StepContext<'a>, state: &'a mut LogState) -> Self {
        Self {
            context,
            state,
            text_sources: TextSources::default(),
            ranks: KeyRanks::default(),
        }
    }

    /// Writes the entries of the whole step. `progress` receives the number of finished mainline commits.
    pub fn run(&mut self, progress: &mut dyn FnMut(usize)) {
        let mainline = &self.context.graph.mainline;
        let committed: Vec<i64> = mainline.iter().map(|it| self.committed(it.node)).collect();
        for (at, (commit, time)) in mainline
            .iter()
            .zip(clock_skew::correct(&committed))
            .enumerate()
        {
            self.mainline_commit(commit, time);
            progress(at + 1);
        }
    }

    /// Committer time in seconds, at most the time at which the tip was observed.
    fn committed(&self, node: NodeIndex) -> i64 {
        self.context
            .commit(node)
            .committer
            .time
            .seconds
            .min(self.context.observed_at)
    }

    /// Writes the entries of the side commits, then those of the mainline commit itself.
    fn mainline_commit(&mut self, commit: &MainlineCommit, time: i64) {
        let context = self.context;
        if context.tip_move == TipMove::Rewritten {
            self.writer(commit.node, time).write_rewrite();
        }
        let start = self.state.log.len();
        let mut side_writes = SideWrites::default();
        let scope = MergeScope::new(context, commit);
        // Merges among the side commits write nothing: their changes are those of their parents, and the mainline
        // merge writes how it resolved conflicts.
        for &side in commit
            .side_commits
            .iter()
            .filter(|&&side| !context.graph.is_merge(side))
        {
            let parent = context.first_parent(side);
            let diff = CommitDiff::new(
                context,
                self.state,
                &mut self.text_sources,
                &mut self.ranks,
                side,
                parent,
            );
            let changes = diff.side_commit(scope, &mut side_writes);
            let time = self.committed(side).min(time);
            self.writer(side, time).write_changes(changes, false);
        }
        let diff = CommitDiff::new(
            context,
            self.state,
            &mut self.text_sources,
            &mut self.ranks,
            commit.node,
            commit.base,
        );
        let changes = diff.mainline_commit(&mut side_writes);
        let is_merge =
            context.graph.is_merge(commit.node) && context.tip_move != TipMove::Rewritten;
        let is_merge_reported = is_merge
            && (!changes.is_empty() || self.has_changes_since(start) || self.changes_files(commit));
        self.writer(commit.node, time)
            .write_changes(changes, is_merge_reported);
        self.state
            .finish_mainline(context.commit(commit.node).id, time);
    }

    fn writer(&mut self, node: NodeIndex, time: i64) -> LogWriter<'_> {
        LogWriter {
            context: self.context,
            state: self.state,
            node,
            time,
        }
    }

    /// Whether side commits wrote anything but parse errors, which are no changes that a merge brings.
    fn has_changes_since(&self, start: usize) -> bool {
        let mut entries = (start..self.state.log.len()).filter_map(|at| self.state.log.get(at));
        entries.any(|entry| entry.action != Action::ParseError)
    }

    fn changes_files(&self, commit: &MainlineCommit) -> bool {
        let empty = FileSet::default();
        let base = self.context.set(commit.base).unwrap_or(&empty);
        self.context
            .set(Some(commit.node))
            .is_some_and(|set| !base.diff(set).is_empty())
    }
}
