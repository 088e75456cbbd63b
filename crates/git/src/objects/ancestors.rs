//! Questions about the ancestors of commits.

use std::collections::BinaryHeap;

use crate::{CommitHeader, GitError, ObjectReader};
use gitglot_model::{CommitId, SeededMap, SeededSet};

/// Visits commits and their ancestors, each once. A commit that cannot be read has no parents.
pub(crate) struct AncestorWalk<'a> {
    reader: &'a mut ObjectReader,
    /// Commits that are not visited.
    hidden: Option<&'a SeededSet<CommitId>>,
    seen: SeededSet<CommitId>,
    next: Vec<CommitId>,
}

impl<'a> AncestorWalk<'a> {
    pub(crate) fn new(reader: &'a mut ObjectReader, tips: Vec<CommitId>) -> Self {
        Self {
            reader,
            hidden: None,
            seen: SeededSet::default(),
            next: tips,
        }
    }

    /// Visits neither these commits nor those that only they reach.
    pub(crate) fn hiding(self, hidden: &'a SeededSet<CommitId>) -> Self {
        Self {
            hidden: Some(hidden),
            ..self
        }
    }
}

impl Iterator for AncestorWalk<'_> {
    type Item = (CommitId, Result<CommitHeader, GitError>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let id = self.next.pop()?;
            if self.hidden.is_some_and(|hidden| hidden.contains(&id)) || !self.seen.insert(id) {
                continue;
            }
            let header = self.reader.commit_header(id);
            if let Ok(header) = &header {
                self.next.extend(&header.parents);
            }
            return Some((id, header));
        }
    }
}

/// The ancestors of commits, as far as they are readable, with the commits themselves.
pub fn ancestors(reader: &mut ObjectReader, tips: Vec<CommitId>) -> SeededSet<CommitId> {
    let mut walk = AncestorWalk::new(reader, tips);
    walk.by_ref().for_each(drop);
    walk.seen
}

/// The newest best common ancestor of two commits; `None` if there is none. Reads all their ancestors.
pub(crate) fn merge_base(
    reader: &mut ObjectReader,
    one: CommitId,
    other: CommitId,
) -> Result<Option<CommitId>, GitError> {
    let mut headers = |tip| {
        let walk = AncestorWalk::new(reader, vec![tip]);
        walk.map(|(id, header)| Ok((id, header?)))
            .collect::<Result<SeededMap<CommitId, CommitHeader>, GitError>>()
    };
    let (mut common, others) = (headers(one)?, headers(other)?);
    common.retain(|id, _| others.contains_key(id));
    // All ancestors of a common commit are common, so those that are not the best are parents of one.
    let parents: SeededSet<CommitId> = common
        .values()
        .flat_map(|header| header.parents.iter().copied())
        .collect();
    let best = common.iter().filter(|(id, _)| !parents.contains(id));
    Ok(best
        .max_by_key(|(id, header)| (header.committed, **id))
        .map(|(id, _)| *id))
}

/// Whether `commit` is an ancestor of `tip`. Visits the newest commits first, because usually only a few are new.
pub(crate) fn is_ancestor(reader: &mut ObjectReader, commit: CommitId, tip: CommitId) -> bool {
    let mut seen = SeededSet::from_iter([tip]);
    let mut next = BinaryHeap::from([(i64::MAX, tip)]);
    while let Some((_, id)) = next.pop() {
        if id == commit {
            return true;
        }
        let Ok(header) = reader.commit_header(id) else {
            continue;
        };
        for parent in header.parents {
            if seen.insert(parent) {
                // Clocks may be wrong, so times only order the search.
                let header = reader.commit_header(parent);
                next.push((header.map_or(i64::MIN, |header| header.committed), parent));
            }
        }
    }
    false
}
