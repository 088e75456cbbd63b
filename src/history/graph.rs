//! The commits that a step from one tip to another brings: which are mainline, which came in by a
//! merge, and in which order they write (`log.md` 1).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::git::{Commit, GitError, ObjectReader};
use crate::model::CommitId;

/// A commit of the step, by its place in [`Graph::nodes`].
pub(super) type NodeIx = u32;

/// The new commits of a step, and the older ones that they are compared with.
pub(super) struct Graph {
    /// New commits first, then the older parents they have.
    pub nodes: Vec<Node>,
    /// How many of `nodes` are new.
    pub new: usize,
    /// The mainline commits, oldest first, each with the side commits that it brings, in writing order.
    pub mainline: Vec<Merge>,
    /// Parents that are not in the repository (shallow, or lost).
    pub missing: Vec<CommitId>,
}

/// A commit and its parents.
pub(super) struct Node {
    pub commit: Commit,
    /// The parents that are there, by place; first parent first.
    pub parents: Vec<NodeIx>,
}

/// A mainline commit and what it brings.
pub(super) struct Merge {
    pub node: NodeIx,
    /// What it is compared with: its first parent, or the old tip that stands in for it.
    pub base: Option<NodeIx>,
    pub sides: Vec<NodeIx>,
}

/// How the new tip stands to the old one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Course {
    /// There was no old tip.
    First,
    /// The old tip is an ancestor of the new one.
    Forward,
    /// It is not: history was rewritten.
    Rewritten,
}

/// Reads the commits between two tips. `known` tells the ancestors of the old tip, itself included;
/// `progress` is told how many commits were read.
pub(super) fn read(
    reader: &mut ObjectReader,
    from: Option<CommitId>,
    to: CommitId,
    known: &FxHashSet<CommitId>,
    progress: &mut dyn FnMut(usize),
) -> Result<(Graph, Course), GitError> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut places: FxHashMap<CommitId, NodeIx> = FxHashMap::default();
    let mut missing = Vec::new();
    if known.contains(&to) {
        // Nothing new below the tip: either the same tip, or a step back to an ancestor.
        let node = read_old(reader, to, &mut nodes, &mut places)?;
        let base = from.map(|from| read_old(reader, from, &mut nodes, &mut places)).transpose()?;
        let course = if from == Some(to) { Course::Forward } else { Course::Rewritten };
        let mainline =
            if course == Course::Forward { Vec::new() } else { vec![Merge { node, base, sides: Vec::new() }] };
        return Ok((Graph { nodes, new: 0, mainline, missing }, course));
    }

    nodes.push(Node { commit: reader.commit(to)?, parents: Vec::new() });
    places.insert(to, 0);
    let mut next = 0;
    while next < nodes.len() {
        let ids = nodes[next].commit.parents.clone();
        let mut parents = Vec::with_capacity(ids.len());
        for id in ids {
            if known.contains(&id) {
                continue;
            }
            let place = match places.get(&id) {
                Some(&place) => place,
                None => match reader.commit(id) {
                    Ok(commit) => {
                        let place = nodes.len() as NodeIx;
                        nodes.push(Node { commit, parents: Vec::new() });
                        places.insert(id, place);
                        place
                    }
                    Err(error) if error.is_damage() => {
                        missing.push(id);
                        continue;
                    }
                    Err(error) => return Err(error),
                },
            };
            parents.push(place);
        }
        nodes[next].parents = parents;
        next += 1;
        if next % 256 == 0 {
            progress(next);
        }
    }
    let new = nodes.len();
    progress(new);
    // The older parents: read, but their own parents are not followed.
    for at in 0..new {
        for (nth, id) in nodes[at].commit.parents.clone().into_iter().enumerate() {
            if known.contains(&id) {
                let place = read_old(reader, id, &mut nodes, &mut places)?;
                let parents = &mut nodes[at].parents;
                parents.insert(nth.min(parents.len()), place);
            }
        }
    }

    let tip = 0;
    let base = match from {
        Some(from) => Some(read_old(reader, from, &mut nodes, &mut places)?),
        None => None,
    };
    let (course, mainline) = match base {
        None => (Course::First, first_parents(&nodes, new, tip)),
        Some(base) => {
            let heirs = descendants(&nodes, new, base);
            if heirs[tip as usize] {
                let chain = first_parents(&nodes, new, tip).into_iter().filter(|&node| heirs[node as usize]).collect();
                (Course::Forward, chain)
            } else {
                (Course::Rewritten, vec![tip])
            }
        }
    };
    let mut seen = vec![false; nodes.len()];
    let mut merges: Vec<Merge> = Vec::with_capacity(mainline.len());
    for node in mainline {
        let base = match merges.last() {
            Some(before) => Some(before.node),
            None => base,
        };
        let sides = ancestors_in_order(&nodes, new, node, &mut seen);
        merges.push(Merge { node, base, sides });
    }
    Ok((Graph { nodes, new, mainline: merges, missing }, course))
}

fn read_old(
    reader: &mut ObjectReader,
    id: CommitId,
    nodes: &mut Vec<Node>,
    places: &mut FxHashMap<CommitId, NodeIx>,
) -> Result<NodeIx, GitError> {
    if let Some(&place) = places.get(&id) {
        return Ok(place);
    }
    let place = nodes.len() as NodeIx;
    nodes.push(Node { commit: reader.commit(id)?, parents: Vec::new() });
    places.insert(id, place);
    Ok(place)
}

/// The first-parent chain within the new commits, oldest first.
fn first_parents(nodes: &[Node], new: usize, tip: NodeIx) -> Vec<NodeIx> {
    let mut chain = Vec::new();
    let mut at = Some(tip);
    while let Some(node) = at.filter(|&node| (node as usize) < new) {
        chain.push(node);
        at = nodes[node as usize].parents.first().copied();
    }
    chain.reverse();
    chain
}

/// Which new commits have `base` as an ancestor.
fn descendants(nodes: &[Node], new: usize, base: NodeIx) -> Vec<bool> {
    let mut heirs = vec![false; nodes.len()];
    heirs[base as usize] = true;
    let mut seen = vec![false; nodes.len()];
    for root in 0..new as NodeIx {
        for node in ancestors_in_order(nodes, new, root, &mut seen).into_iter().chain([root]) {
            heirs[node as usize] |= nodes[node as usize].parents.iter().any(|&parent| heirs[parent as usize]);
        }
    }
    heirs
}

/// The new ancestors of a commit that were not seen before: depth first, first parent first, each after
/// its parents. Marks them and the commit itself as seen.
fn ancestors_in_order(nodes: &[Node], new: usize, of: NodeIx, seen: &mut [bool]) -> Vec<NodeIx> {
    let mut order = Vec::new();
    if std::mem::replace(&mut seen[of as usize], true) {
        return order;
    }
    let mut stack = vec![(of, 0)];
    while let Some((node, nth)) = stack.pop() {
        match nodes[node as usize].parents.get(nth) {
            Some(&parent) => {
                stack.push((node, nth + 1));
                if (parent as usize) < new && !std::mem::replace(&mut seen[parent as usize], true) {
                    stack.push((parent, 0));
                }
            }
            None if node != of => order.push(node),
            None => {}
        }
    }
    order
}
