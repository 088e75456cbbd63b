//! Reads the inputs of a step before it parses versions: its commits and the files of each. Checks that the repository
//! has them. Must not depend on the log.

use super::error::HistoryError;
use super::files::ancestor_lookup::AncestorLookup;
use super::files::layout::Layouts;
use super::files::renames::find_renames;
use super::files::trees::{FileSetIndex, Trees};
use super::graph::walk::{Graph, GraphNode, NodeIndex};
use super::reviews;
use gitglot_formats::FormatReader;
use gitglot_git::{GitError, ObjectKind, ObjectReader, Repository};
use gitglot_model::{BlobId, CommitId, SeededSet};

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
    let new_commits = graph.new_commits();
    let boundary = new_commits.filter(|&commit| repository.is_shallow(commit));
    let boundary: Vec<CommitId> = boundary.collect();
    if let Some(first) = boundary.first() {
        let count = boundary.len();
        tracing::warn!(
            "the repository is shallow: the change log begins at {count} commits whose parents are missing (first \
             {first}); fetch the full history to get a complete log"
        );
    }
    Ok(())
}

/// The files of the nodes of a step.
pub struct NodeFiles {
    /// `None` when no layout fits the tree of the node or that of any commit before it.
    pub sets: Vec<Option<FileSetIndex>>,
    /// The new commits whose own trees no layout fits, because they lack the template.
    pub without_template: SeededSet<NodeIndex>,
    /// The file with acknowledged translations of each node.
    pub reviewed: Vec<Option<BlobId>>,
}

/// Finds the renames of a step, and reads the files of each node. `layouts` are the known ones, to which the step adds;
/// `trees` contains the languages of the log.
pub fn read_files(
    reader: &mut ObjectReader,
    format: &dyn FormatReader,
    graph: &Graph,
    layouts: &mut Layouts,
    trees: &mut Trees,
) -> Result<NodeFiles, GitError> {
    find_renames(reader, format, graph, trees, layouts)?;
    let mut lookup = AncestorLookup::new(reader, format, trees, layouts);
    let files = node_files(graph, &mut lookup)?;
    trees.clear_layout_caches();
    Ok(files)
}

/// The files of every commit; a tree that no layout fits counts as its first parent's tree.
fn node_files(graph: &Graph, lookup: &mut AncestorLookup<'_>) -> Result<NodeFiles, GitError> {
    let mut without_template = SeededSet::default();
    let mut sets = vec![None; graph.nodes.len()];
    let mut reviewed = vec![None; graph.nodes.len()];
    for (node, set) in sets.iter_mut().enumerate().skip(graph.new_count) {
        let commit = &graph.nodes[node].commit;
        *set = lookup.set_of(commit.id)?;
        reviewed[node] = reviews::blob_of(lookup.reader, commit.tree)?;
    }
    for node in graph.writing_order() {
        let tree = graph.node(node).commit.tree;
        let of_commit = lookup.trees.set_of(lookup.reader, lookup.layouts, tree)?;
        reviewed[node as usize] = reviews::blob_of(lookup.reader, tree)?;
        let parent = graph.node(node).parents.first();
        let before = parent.and_then(|&parent| sets[parent as usize]);
        let of_commit = match (of_commit, before) {
            (None, Some(before)) => {
                let (reader, layouts) = (&mut *lookup.reader, lookup.layouts);
                lookup.trees.broken_set(reader, layouts, tree, before)?
            }
            (of_commit, _) => of_commit,
        };
        if of_commit.is_none() {
            without_template.insert(node);
        }
        sets[node as usize] = of_commit.or(before);
    }
    Ok(NodeFiles {
        sets,
        without_template,
        reviewed,
    })
}

/// The new commits whose parents the repository lacks.
pub fn without_parents(graph: &Graph, repository: &Repository) -> SeededSet<NodeIndex> {
    let new = (0..graph.new_count as NodeIndex).map(|node| (node, graph.node(node)));
    let lacks_parents = |(_, node): &(NodeIndex, &GraphNode)| {
        let (commit, known) = (&node.commit, node.parents.len());
        known < commit.parents.len() || repository.is_shallow(commit.id)
    };
    new.filter(lacks_parents).map(|(node, _)| node).collect()
}
