//! Questions about the ancestors of commits.

use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

use crate::error::GitError;
use crate::objects::reader::ObjectReader;
use crate::types::CommitHeader;
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

/// Which of two commits reach an ancestor.
#[derive(Clone, Copy, Default)]
struct Reached {
    by: [bool; 2],
    /// Below a common ancestor, so that it is not the best one.
    is_below: bool,
}

/// The commits that two commits reach, as far as the walk went, with which of the two reach each, and its header. Visits
/// the newest commits first, until only ancestors of common ones are left. Clocks may be wrong: they affect the order of
/// the search.
fn reached_by(
    reader: &mut ObjectReader,
    [one, other]: [CommitId; 2],
) -> Result<SeededMap<CommitId, (Reached, CommitHeader)>, GitError> {
    let mut states: SeededMap<CommitId, (Reached, CommitHeader)> = SeededMap::default();
    let (mut next, mut open) = (BinaryHeap::new(), 0);
    let reached = |by| Reached {
        by,
        is_below: false,
    };
    let mut arrivals = vec![
        (one, reached([true, false])),
        (other, reached([false, true])),
    ];
    loop {
        for (id, from) in arrivals.drain(..) {
            let (state, header) = match states.entry(id) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert((Reached::default(), reader.commit_header(id)?)),
            };
            let merged = Reached {
                by: [state.by[0] | from.by[0], state.by[1] | from.by[1]],
                is_below: state.is_below | from.is_below,
            };
            if (merged.by, merged.is_below) != (state.by, state.is_below) {
                *state = merged;
                open += usize::from(!merged.is_below);
                next.push((header.committed, id, merged.is_below));
            }
        }
        let Some((_, id, was_below)) = next.pop().filter(|_| open > 0) else {
            return Ok(states);
        };
        open -= usize::from(!was_below);
        if let Some((state, header)) = states.get(&id) {
            let from = Reached {
                is_below: state.by == [true, true],
                ..*state
            };
            arrivals.extend(header.parents.iter().map(|parent| (*parent, from)));
        }
    }
}

/// The newest best common ancestor of two commits; `None` if there is none. Clocks may be wrong: they affect which of
/// several best ones is the newest.
pub(crate) fn merge_base(
    reader: &mut ObjectReader,
    one: CommitId,
    other: CommitId,
) -> Result<Option<CommitId>, GitError> {
    let common = reached_by(reader, [one, other])?.into_iter();
    let common = common.filter(|(_, (state, _))| state.by == [true, true] && !state.is_below);
    let mut best: Vec<(CommitId, CommitHeader)> =
        common.map(|(id, (_, header))| (id, header)).collect();
    if best.len() > 1 {
        // An older common ancestor was found before one that leads to it.
        let parents = best.iter().flat_map(|(_, header)| header.parents.clone());
        let below = ancestors(reader, parents.collect());
        best.retain(|(id, _)| !below.contains(id));
    }
    let best = best.into_iter();
    let newest = best.max_by_key(|(id, header)| (header.committed, *id));
    Ok(newest.map(|(id, _)| id))
}

/// The commits that `commit` reaches and its ancestor does not. If clocks are wrong, it can contain some that both
/// reach.
pub(crate) fn commits_between(
    reader: &mut ObjectReader,
    ancestor: CommitId,
    commit: CommitId,
) -> Result<SeededSet<CommitId>, GitError> {
    let states = reached_by(reader, [ancestor, commit])?.into_iter();
    let new = states.filter(|(_, (state, _))| state.by == [false, true]);
    Ok(new.map(|(id, _)| id).collect())
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
