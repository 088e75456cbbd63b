//! What a step reads before any file: whether the repository is complete, the files of each commit, and ancestors. Must not
//! depend on file contents.

use rustc_hash::FxHashSet;

use super::error::HistoryError;
use super::files::ancestor_lookup::AncestorLookup;
use super::files::trees::FileSetIndex;
use super::graph::walk::Graph;
use crate::git::{GitError, ObjectKind, ObjectReader, Repository};
use crate::model::CommitId;

/// Checks that the repository has all commits of a step. In a shallow or re-cloned repository, logs where the log
/// begins (docs/spec/change-log.md#incomplete-repositories).
pub fn check_complete(graph: &Graph, repository: &Repository) -> Result<(), HistoryError> {
    if let Some(&first) = graph.missing.first() {
        if !repository.is_recloned() {
            return Err(GitError::Missing {
                kind: ObjectKind::Commit,
                id: first.to_string(),
            }
            .into());
        }
        let count = graph.missing.len();
        tracing::warn!(
            "the repository lacks {count} commits (first {first}); the change log begins after them"
        );
    }
    let boundary: Vec<CommitId> = graph
        .new_commits()
        .filter(|&commit| repository.is_shallow(commit))
        .collect();
    if let Some(first) = boundary.first() {
        let count = boundary.len();
        tracing::warn!(
            "the repository is shallow: the change log begins at {count} commits whose parents are missing (first \
             {first}); fetch the full history to get a complete log"
        );
    }
    Ok(())
}

/// The files of every commit; a tree that no layout fits counts as its first parent's tree.
pub fn file_sets(
    graph: &Graph,
    lookup: &mut AncestorLookup<'_>,
) -> Result<Vec<Option<FileSetIndex>>, GitError> {
    let mut sets = vec![None; graph.nodes.len()];
    for (node, set) in sets.iter_mut().enumerate().skip(graph.new_count) {
        *set = lookup.set_of(graph.nodes[node].commit.id)?;
    }
    for node in graph.writing_order() {
        let tree = graph.node(node).commit.tree;
        let own = lookup.trees.set_of(lookup.reader, lookup.layouts, tree)?;
        let parent = graph.node(node).parents.first();
        sets[node as usize] = own.or_else(|| sets[*parent? as usize]);
    }
    Ok(sets)
}

/// The ancestors of a commit and the commit itself, as far as the repository has them.
pub fn ancestors(reader: &mut ObjectReader, of: CommitId) -> Result<FxHashSet<CommitId>, GitError> {
    let mut seen = FxHashSet::default();
    let mut next = vec![of];
    while let Some(id) = next.pop() {
        if seen.insert(id) {
            match reader.commit_header(id) {
                Ok(commit) => next.extend(commit.parents),
                Err(error) if error.is_damage() => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(seen)
}
