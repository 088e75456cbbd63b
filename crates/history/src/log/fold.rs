//! Visits the commits of a step in order and writes their entries (docs/spec/change-log.md#mainline-and-side-commits).

use std::ops::Range;

use super::changes::{CommitChanges, entry_of};
use super::context::StepContext;
use super::diff::{CommitDiff, DiffCaches, SideWrites};
use super::emit::LogWriter;
use super::key_renames::PendingRenames;
use super::merge_filter::MergeScope;
use super::state::LogState;
use crate::graph::clock_skew;
use crate::graph::walk::{Graph, MainlineCommit, NodeIndex, TipMove};
use gitglot_git::{GitError, ObjectReader};
use gitglot_model::Action;

/// The time of each mainline commit of a step, in seconds, without clock skew and at most the time at which the tip was
/// observed.
pub fn mainline_times(graph: &Graph, observed_at: i64) -> Vec<i64> {
    let nodes = graph.mainline.iter().map(|commit| commit.node);
    let committed: Vec<i64> = nodes
        .map(|node| committed(graph, node, observed_at))
        .collect();
    clock_skew::correct(&committed)
}

fn committed(graph: &Graph, node: NodeIndex, observed_at: i64) -> i64 {
    let time = graph.node(node).commit.committer.time;
    time.seconds.min(observed_at)
}

/// Folds mainline commits of a step into the log.
pub struct Fold<'a> {
    pub context: &'a StepContext<'a>,
    pub reader: &'a mut ObjectReader,
    pub state: &'a mut LogState,
    pub caches: &'a mut DiffCaches,
    /// Whether renamed keys are found.
    pub finds_renames: bool,
}

impl Fold<'_> {
    /// Writes the entries of some mainline commits. `progress` receives the number of finished ones, counted from the
    /// first of the step.
    ///
    /// # Errors
    /// When a file with acknowledged translations cannot be read. The state then has a part of the commits.
    pub fn run(
        &mut self,
        mainline: Range<usize>,
        progress: &mut dyn FnMut(usize),
    ) -> Result<(), GitError> {
        let commits = self.context.commits;
        for at in mainline {
            self.mainline_commit(&commits.graph.mainline[at], commits.times[at])?;
            progress(at + 1);
        }
        Ok(())
    }

    /// Writes the entries of the side commits, then those of the mainline commit itself.
    fn mainline_commit(&mut self, commit: &MainlineCommit, time: i64) -> Result<(), GitError> {
        let context = self.context;
        let is_rewritten = context.commits.tip_move == TipMove::Rewritten;
        let mut renames = PendingRenames::default();
        if is_rewritten {
            let rewrite = entry_of(Action::RebasedRepository);
            self.writer(commit.node, time, &mut renames).write(rewrite);
        }
        if self.finds_renames {
            renames = PendingRenames::find(context, self.state, &mut self.caches.ranks, commit);
        }
        let start = self.state.log.len();
        let mut side_writes = SideWrites::default();
        let scope = MergeScope::new(context, commit);
        // Merges among the side commits write only what they acknowledge: their changes are those of their parents, and
        // the mainline merge writes how it resolved conflicts.
        for &side in &commit.side_commits {
            let is_merge = context.is_merge(side);
            if is_merge && !context.commits.reviews.contains_key(&side) {
                continue;
            }
            let parent = context.first_parent(side);
            let diff = self.diff(side, parent, Some(scope), &mut side_writes, &renames);
            let changes = diff.compare(is_merge)?;
            let observed_at = context.commits.observed_at;
            let time = committed(&context.commits.graph, side, observed_at).min(time);
            let mut writer = self.writer(side, time, &mut renames);
            writer.write_changes(changes, false);
        }
        let diff = self.diff(commit.node, commit.base, None, &mut side_writes, &renames);
        let changes = diff.compare(false)?;
        let is_merge_reported = context.is_merge(commit.node)
            && !is_rewritten
            && (!changes.is_empty() || self.has_changes_since(start) || self.changes_files(commit));
        let mut writer = self.writer(commit.node, time, &mut renames);
        writer.write_changes(changes, is_merge_reported);
        let has_template = context.has_own_template(commit.node);
        let id = context.commit(commit.node).id;
        self.state.finish_mainline(id, time, has_template);
        Ok(())
    }

    /// The comparison of a commit with its base.
    fn diff<'a>(
        &'a mut self,
        node: NodeIndex,
        base: Option<NodeIndex>,
        scope: Option<MergeScope<'a>>,
        side_writes: &'a mut SideWrites,
        renames: &'a PendingRenames,
    ) -> CommitDiff<'a> {
        // The step's first mainline commit is the one that is compared with the old tip.
        let first = self.context.commits.graph.mainline.first();
        let is_first = scope.is_none() && first.is_some_and(|commit| commit.node == node);
        CommitDiff {
            context: self.context,
            reader: self.reader,
            state: self.state,
            caches: self.caches,
            side_writes,
            renames,
            node,
            base,
            scope,
            compares_all: is_first && self.context.commits.has_new_paths,
            changes: CommitChanges::default(),
        }
    }

    fn writer<'w>(
        &'w mut self,
        node: NodeIndex,
        time: i64,
        renames: &'w mut PendingRenames,
    ) -> LogWriter<'w> {
        LogWriter {
            context: self.context,
            state: self.state,
            renames,
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
        let base = self.context.set(commit.base);
        let base = base.map(|set| &*set.files).unwrap_or_default();
        let set = self.context.set(Some(commit.node));
        set.is_some_and(|set| *set.files != *base)
    }
}
