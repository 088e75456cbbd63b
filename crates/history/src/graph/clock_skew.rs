//! Corrects the times of commits that were made with a wrong clock (docs/spec/change-log.md#timestamps).

/// Corrects the committer times of the mainline, in seconds, oldest commit first.
///
/// Times outside of a longest non-decreasing subsequence (found by patience sorting) are replaced by the nearest
/// retained time before them, or by the first retained time.
pub fn correct(committed: &[i64]) -> Vec<i64> {
    // tails[n] is the index of the last commit of the best run of n + 1 commits so far.
    let mut tails: Vec<usize> = Vec::new();
    let mut predecessors: Vec<Option<usize>> = Vec::with_capacity(committed.len());
    for (at, &time) in committed.iter().enumerate() {
        let run = tails.partition_point(|&tail| committed[tail] <= time);
        predecessors.push(run.checked_sub(1).map(|run| tails[run]));
        if run == tails.len() {
            tails.push(at);
        } else {
            tails[run] = at;
        }
    }
    let mut retained = vec![false; committed.len()];
    let mut at = tails.last().copied();
    while let Some(index) = at {
        retained[index] = true;
        at = predecessors[index];
    }
    let first = (0..committed.len()).find(|&at| retained[at]);
    let mut now = first.map_or(0, |at| committed[at]);
    let times = committed.iter().zip(retained).map(|(&time, retained)| {
        if retained {
            now = time;
        }
        now
    });
    times.collect()
}

#[cfg(test)]
mod tests {
    use super::correct;

    #[test]
    fn a_wrong_clock_changes_no_other_commit() {
        assert_eq!(correct(&[1, 2, 3]), [1, 2, 3]);
        assert_eq!(correct(&[1, 99, 2, 3]), [1, 1, 2, 3]);
        assert_eq!(correct(&[99, 1, 2, 3]), [1, 1, 2, 3]);
        assert_eq!(correct(&[5, 6, 0, 7, 7]), [5, 6, 6, 7, 7]);
        assert_eq!(correct(&[]), [0; 0]);
    }
}
