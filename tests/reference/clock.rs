//! Times of entries (docs/spec/change-log.md#timestamps).

use std::collections::HashMap;

use gitglot_model::{CommitId, Timestamp};

use super::git::Git;
use super::walk::Walk;

/// The time of every commit of a step, in microseconds, before entries are separated.
pub fn times(git: &mut Git, walk: &Walk, seen: i64) -> HashMap<CommitId, i64> {
    let mut committed = |id| {
        Timestamp::from_seconds(git.commit(id).committer.time.seconds)
            .0
            .min(seen)
    };
    let written: Vec<i64> = walk.mainline.iter().map(|&id| committed(id)).collect();
    let right = longest_non_decreasing(&written);
    let mut times = HashMap::new();
    let mut last = right.first().map_or(0, |&at| written[at]);
    for (at, &id) in walk.mainline.iter().enumerate() {
        if right.contains(&at) {
            last = written[at];
        }
        times.insert(id, last);
        for &side in &walk.side[&id] {
            times.insert(side, committed(side).min(last));
        }
    }
    times
}

/// The indexes of a longest non-decreasing subsequence, found by patience sorting; of equally long ones, the one with
/// the last members.
fn longest_non_decreasing(times: &[i64]) -> Vec<usize> {
    let mut tops: Vec<usize> = Vec::new();
    let mut below = vec![None; times.len()];
    for at in 0..times.len() {
        let pile = tops.iter().filter(|&&top| times[top] <= times[at]).count();
        below[at] = pile.checked_sub(1).map(|pile| tops[pile]);
        tops.truncate(tops.len().max(pile));
        if pile == tops.len() {
            tops.push(at)
        } else {
            tops[pile] = at
        }
    }
    let mut chain = Vec::new();
    let mut next = tops.last().copied();
    while let Some(at) = next {
        chain.push(at);
        next = below[at];
    }
    chain.reverse();
    chain
}
