//! Finds the new commits between two tips and divides them into mainline and side commits
//! (docs/spec/change-log.md#mainline-and-side-commits).

use std::ops::Range;
use std::sync::Arc;

use gitglot_git::{GitError, ObjectReader};
use gitglot_model::{Commit, CommitId, SeededMap, SeededSet};

/// A commit of the step: its index in [`Graph::nodes`].
pub type NodeIndex = u32;

/// The new commits of a step, and the known commits that they are compared with.
pub struct Graph {
    /// New commits first, then their known parents and the old tip.
    pub nodes: Vec<GraphNode>,
    /// Number of new commits.
    pub new_count: usize,
    pub tip: NodeIndex,
    /// The mainline commits, oldest first.
    pub mainline: Vec<MainlineCommit>,
    /// Parents that the repository lacks: it is shallow or was damaged.
    pub missing: Vec<CommitId>,
}

/// A commit and its parents.
pub struct GraphNode {
    pub commit: Commit,
    /// The parents that the repository has, first parent first. Empty for known commits.
    pub parents: Vec<NodeIndex>,
}

/// A mainline commit and the side commits that it merges.
pub struct MainlineCommit {
    pub node: NodeIndex,
    /// The mainline commit before it, or the old tip.
    pub base: Option<NodeIndex>,
    /// In the order in which they write.
    pub side_commits: Vec<NodeIndex>,
}

/// How the new tip relates to the old one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TipMove {
    /// There was no old tip.
    Initial,
    /// The old tip is an ancestor of the new one.
    FastForward,
    /// The old tip is not an ancestor of the new one: history was rewritten.
    Rewritten,
}

impl Graph {
    pub fn node(&self, node: NodeIndex) -> &GraphNode {
        &self.nodes[node as usize]
    }

    /// Whether the commit has several parents, present or not.
    pub fn is_merge(&self, node: NodeIndex) -> bool {
        self.node(node).commit.parents.len() > 1
    }

    pub fn is_new(&self, node: NodeIndex) -> bool {
        (node as usize) < self.new_count
    }

    pub fn new_commits(&self) -> impl Iterator<Item = CommitId> + '_ {
        let new = self.nodes[..self.new_count].iter();
        new.map(|node| node.commit.id)
    }

    /// The new commits in the order in which they write; parents precede children.
    pub fn writing_order(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        self.writing_order_of(0..self.mainline.len())
    }

    /// The new commits of some mainline commits in the order in which they write.
    pub fn writing_order_of(&self, mainline: Range<usize>) -> impl Iterator<Item = NodeIndex> + '_ {
        let order = self.mainline[mainline].iter();
        let order =
            order.flat_map(|commit| commit.side_commits.iter().copied().chain([commit.node]));
        order.filter(|&node| self.is_new(node))
    }
}

/// Reads the commits between two tips. `known` contains the ancestors of the old tip and the old tip itself;
/// `progress` receives the number of commits read.
pub fn read(
    reader: &mut ObjectReader,
    from: Option<CommitId>,
    to: CommitId,
    known: &SeededSet<CommitId>,
    progress: &mut dyn FnMut(usize),
) -> Result<(Graph, TipMove), GitError> {
    let mut builder = GraphBuilder {
        reader,
        nodes: Vec::new(),
        indexes: SeededMap::default(),
        people: SeededSet::default(),
        missing: Vec::new(),
    };
    let tip = builder.load(to)?;
    // A force push back to an ancestor of the old tip brings no new commit.
    let is_reset = known.contains(&to);
    let mut new_count = 0;
    if !is_reset {
        builder.load_new_ancestors(known, progress)?;
        new_count = builder.nodes.len();
        builder.load_known_parents(known, new_count)?;
    }
    let old_tip = from.map(|from| builder.load(from)).transpose()?;
    let mut graph = Graph {
        nodes: builder.nodes,
        new_count,
        tip,
        mainline: Vec::new(),
        missing: builder.missing,
    };
    let (tip_move, chain) = if is_reset {
        (TipMove::Rewritten, vec![tip])
    } else {
        mainline_chain(&graph, tip, old_tip)
    };
    graph.mainline = mainline(&graph, chain, old_tip);
    Ok((graph, tip_move))
}

/// How the tip moved, and the mainline commits of the move, oldest first.
fn mainline_chain(
    graph: &Graph,
    tip: NodeIndex,
    old_tip: Option<NodeIndex>,
) -> (TipMove, Vec<NodeIndex>) {
    let Some(old_tip) = old_tip else {
        return (TipMove::Initial, first_parent_chain(graph, tip));
    };
    let descends = descendants(graph, old_tip);
    if !descends[tip as usize] {
        return (TipMove::Rewritten, vec![tip]);
    }
    let mut chain = first_parent_chain(graph, tip);
    chain.retain(|&node| descends[node as usize]);
    (TipMove::FastForward, chain)
}

/// Assigns each new side commit to the first mainline commit that merges it.
fn mainline(
    graph: &Graph,
    chain: Vec<NodeIndex>,
    old_tip: Option<NodeIndex>,
) -> Vec<MainlineCommit> {
    let mut seen = vec![false; graph.nodes.len()];
    let mut base = old_tip;
    let commit = |node| MainlineCommit {
        node,
        base: base.replace(node),
        side_commits: unseen_ancestors(graph, node, &mut seen),
    };
    chain.into_iter().map(commit).collect()
}

struct GraphBuilder<'a> {
    reader: &'a mut ObjectReader,
    nodes: Vec<GraphNode>,
    indexes: SeededMap<CommitId, NodeIndex>,
    /// Names and addresses, which commits share.
    people: SeededSet<Arc<str>>,
    missing: Vec<CommitId>,
}

impl GraphBuilder<'_> {
    fn load(&mut self, id: CommitId) -> Result<NodeIndex, GitError> {
        if let Some(&index) = self.indexes.get(&id) {
            return Ok(index);
        }
        let index = self.nodes.len() as NodeIndex;
        let mut commit = self.reader.commit(id)?;
        for signature in [&mut commit.author, &mut commit.committer] {
            self.share(&mut signature.name);
            self.share(&mut signature.email);
        }
        self.nodes.push(GraphNode {
            commit,
            parents: Vec::new(),
        });
        self.indexes.insert(id, index);
        Ok(index)
    }

    /// Replaces a name or an address by the equal one of an earlier commit.
    fn share(&mut self, text: &mut Arc<str>) {
        match self.people.get(text) {
            Some(known) => *text = known.clone(),
            None => {
                self.people.insert(text.clone());
            }
        }
    }

    /// Loads the ancestors of all nodes up to the known commits.
    fn load_new_ancestors(
        &mut self,
        known: &SeededSet<CommitId>,
        progress: &mut dyn FnMut(usize),
    ) -> Result<(), GitError> {
        let mut next = 0;
        while next < self.nodes.len() {
            for id in self.nodes[next].commit.parents.clone() {
                if known.contains(&id) {
                    continue;
                }
                match self.load(id) {
                    Ok(parent) => self.nodes[next].parents.push(parent),
                    Err(error) if error.is_damage() => self.missing.push(id),
                    Err(error) => return Err(error),
                }
            }
            next += 1;
            if next % 256 == 0 {
                progress(next);
            }
        }
        progress(next);
        Ok(())
    }

    /// Loads the known parents of the first `new_count` nodes, but not the parents of those.
    fn load_known_parents(
        &mut self,
        known: &SeededSet<CommitId>,
        new_count: usize,
    ) -> Result<(), GitError> {
        for node in 0..new_count {
            let parents = self.nodes[node].commit.parents.clone();
            for (nth, id) in parents.into_iter().enumerate() {
                if known.contains(&id) {
                    let parent = self.load(id)?;
                    let parents = &mut self.nodes[node].parents;
                    parents.insert(nth.min(parents.len()), parent);
                }
            }
        }
        Ok(())
    }
}

/// The first-parent chain within the new commits, oldest first.
fn first_parent_chain(graph: &Graph, tip: NodeIndex) -> Vec<NodeIndex> {
    let parent = |&node: &NodeIndex| graph.node(node).parents.first().copied();
    let chain = std::iter::successors(Some(tip), parent).take_while(|&node| graph.is_new(node));
    let mut chain: Vec<_> = chain.collect();
    chain.reverse();
    chain
}

/// Marks the new commits that have `base` as an ancestor.
fn descendants(graph: &Graph, base: NodeIndex) -> Vec<bool> {
    let mut descends = vec![false; graph.nodes.len()];
    descends[base as usize] = true;
    let mut seen = vec![false; graph.nodes.len()];
    for root in 0..graph.new_count as NodeIndex {
        let ancestors = unseen_ancestors(graph, root, &mut seen);
        for node in ancestors.into_iter().chain([root]) {
            let mut parents = graph.node(node).parents.iter();
            descends[node as usize] |= parents.any(|&parent| descends[parent as usize]);
        }
    }
    descends
}

/// The new ancestors of a commit that are not yet seen: depth first, first parent first, parents before children.
/// Marks them and the commit itself as seen.
fn unseen_ancestors(graph: &Graph, commit: NodeIndex, seen: &mut [bool]) -> Vec<NodeIndex> {
    let mut order = Vec::new();
    if std::mem::replace(&mut seen[commit as usize], true) {
        return order;
    }
    let mut stack = vec![(commit, 0)];
    while let Some((node, nth)) = stack.pop() {
        match graph.node(node).parents.get(nth) {
            Some(&parent) => {
                stack.push((node, nth + 1));
                if graph.is_new(parent) && !std::mem::replace(&mut seen[parent as usize], true) {
                    stack.push((parent, 0));
                }
            }
            None if node != commit => order.push(node),
            None => {}
        }
    }
    order
}
