//! Finds the moves of a component, and the change ids of a move, without reading whole batches: the first batch of a
//! server has moves of all components.

use std::collections::HashMap;
use std::ops::Range;

use super::record::{Assignments, Batch};

/// An index over batches in their order.
#[derive(Default, Debug)]
pub(super) struct MoveIndex {
    /// The indexes of batch and move, oldest first.
    by_component: HashMap<Box<str>, Vec<(u32, u32)>>,
    /// For each batch.
    changes: Vec<ChangeRuns>,
}

/// The runs of change ids of a batch, by move.
#[derive(Debug)]
struct ChangeRuns {
    /// The end of the runs of each move.
    ends: Box<[u32]>,
    runs: Box<[Range<u32>]>,
}

impl MoveIndex {
    /// Adds the next batch.
    pub fn push(&mut self, batch: &Batch, assignments: &Assignments) {
        let at = self.changes.len() as u32;
        for (nth, it) in (0..).zip(&batch.moves) {
            let component = it.component.as_str();
            let moves = match self.by_component.get_mut(component) {
                Some(moves) => moves,
                None => self.by_component.entry(component.into()).or_default(),
            };
            // Only the first one counts.
            if moves.last().is_none_or(|(last, _)| *last != at) {
                moves.push((at, nth));
            }
        }
        let runs = ChangeRuns::new(batch.moves.len(), assignments);
        self.changes.push(runs);
    }

    /// The moves of the component `project/component`: indexes of batch and move, oldest first.
    pub fn moves_of(&self, component: &str) -> &[(u32, u32)] {
        self.by_component.get(component).map_or(&[], Vec::as_slice)
    }

    /// The runs of change ids of a move, by the indexes of batch and move.
    pub fn changes_of(&self, batch: usize, nth: usize) -> &[Range<u32>] {
        self.changes.get(batch).map_or(&[], |moves| moves.of(nth))
    }
}

impl ChangeRuns {
    fn new(moves: usize, assignments: &Assignments) -> Self {
        let mut next = assignments.first_change;
        let runs = assignments.changes.iter().map(|&(of, count)| {
            let first = next;
            next = next.saturating_add(count);
            (of, first..next)
        });
        let mut runs: Vec<(u32, Range<u32>)> = runs.collect();
        // Runs of a move stay in their order.
        runs.sort_by_key(|(of, _)| *of);
        let end = |of: usize| runs.partition_point(|(known, _)| *known as usize <= of) as u32;
        Self {
            ends: (0..moves).map(end).collect(),
            runs: runs.iter().map(|(_, ids)| ids.clone()).collect(),
        }
    }

    fn of(&self, nth: usize) -> &[Range<u32>] {
        let start = nth.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = start.copied().unwrap_or(0) as usize;
        let end = self.ends.get(nth).map_or(start, |end| *end as usize);
        self.runs.get(start..end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Move;

    #[test]
    fn moves_and_their_changes_are_found_by_component() {
        let batch = |number, names: &[&str]| Batch {
            batch: number,
            seen: 0,
            rules: 1,
            moves: names
                .iter()
                .map(|name| Move {
                    component: (*name).to_owned(),
                    fingerprint: String::new(),
                    history: String::new(),
                    from: None,
                    to: String::new(),
                })
                .collect(),
        };
        let assignments = |first_change, changes: &[(u32, u32)]| Assignments {
            first_change,
            changes: changes.to_vec(),
            ..Assignments::default()
        };
        let mut index = MoveIndex::default();
        // A move that does not exist is ignored.
        index.push(
            &batch(1, &["a/a", "b/b"]),
            &assignments(1, &[(1, 2), (0, 1), (1, 1), (7, 1)]),
        );
        index.push(&batch(2, &["b/b"]), &assignments(6, &[]));
        assert_eq!(index.moves_of("a/a"), [(0, 0)]);
        assert_eq!(index.moves_of("b/b"), [(0, 1), (1, 0)]);
        assert!(index.moves_of("c/c").is_empty());
        assert_eq!(index.changes_of(0, 0), std::slice::from_ref(&(3..4)));
        assert_eq!(index.changes_of(0, 1), [1..3, 4..5]);
        for (batch, nth) in [(0, 2), (1, 0), (2, 0)] {
            assert!(index.changes_of(batch, nth).is_empty());
        }
    }
}
