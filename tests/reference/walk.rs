//! Mainline and side commits (docs/spec/change-log.md#mainline-and-side-commits).

use std::collections::{HashMap, HashSet};

use gitglot_model::CommitId;

use super::git::Git;

/// The commits of one step.
pub struct Walk {
    /// Oldest first.
    pub mainline: Vec<CommitId>,
    /// The side commits of each mainline commit, in the order in which they write.
    pub side: HashMap<CommitId, Vec<CommitId>>,
    /// The commit that each mainline commit is compared with.
    pub first_parent: HashMap<CommitId, CommitId>,
    new: HashSet<CommitId>,
    /// Whether the old tip is not an ancestor of the new one.
    pub rewritten: bool,
}

impl Walk {
    /// Whether no earlier step had a mainline commit: the tip of a rewritten history can be an older commit.
    pub fn is_new(&self, id: CommitId) -> bool {
        self.new.contains(&id)
    }

    pub fn new(git: &mut Git, old: Option<CommitId>, tip: CommitId) -> Self {
        let mut seen = old.map(|old| git.ancestors(old)).unwrap_or_default();
        let known = seen.clone();
        let mut chain = Vec::new();
        let mut rewritten = false;
        match old {
            None => {
                let mut next = Some(tip);
                while let Some(id) = next {
                    chain.push(id);
                    next = git.parents(id).first().copied();
                }
            }
            Some(old) => {
                let after = descendants(git, old, tip, &seen);
                rewritten = !after.contains(&tip);
                let mut next = Some(tip);
                while let Some(id) = next.filter(|id| after.contains(id)) {
                    chain.push(id);
                    next = git.parents(id).first().copied();
                }
                if rewritten {
                    chain.push(tip);
                }
            }
        }
        chain.reverse();
        let mut walk = Self {
            new: chain
                .iter()
                .filter(|id| !known.contains(id))
                .copied()
                .collect(),
            mainline: chain,
            side: HashMap::new(),
            first_parent: HashMap::new(),
            rewritten,
        };
        let mut before = old;
        for &id in &walk.mainline {
            let parents = git.parents(id);
            let side = git.new_ancestors(&parents, &mut seen);
            seen.insert(id);
            walk.side.insert(id, side);
            if let Some(before) = before {
                walk.first_parent.insert(id, before);
            }
            before = Some(id);
        }
        walk
    }
}

/// The commits between `old` and `tip` that have `old` as an ancestor.
fn descendants(
    git: &mut Git,
    old: CommitId,
    tip: CommitId,
    before: &HashSet<CommitId>,
) -> HashSet<CommitId> {
    let mut after = HashSet::new();
    for id in git.new_ancestors(&[tip], &mut before.clone()) {
        if git
            .parents(id)
            .iter()
            .any(|parent| *parent == old || after.contains(parent))
        {
            after.insert(id);
        }
    }
    after
}
