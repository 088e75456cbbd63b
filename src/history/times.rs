//! When an entry reached the mainline, whatever the clocks of its authors said (`log.md` 4).

/// Times of the mainline's commits in seconds, oldest commit first: those outside of a longest
/// non-decreasing subsequence have a wrong clock and take the time of the kept commit before them,
/// those before the first kept one its time.
pub(super) fn mainline(committed: &[i64]) -> Vec<i64> {
    // Timeouts sorting: tails[n] is the place of the last commit of the best run of n + 1 so far.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(committed.len());
    for (at, &time) in committed.iter().enumerate() {
        let run = tails.partition_point(|&tail| committed[tail] <= time);
        before.push(run.checked_sub(1).map(|run| tails[run]));
        if run == tails.len() {
            tails.push(at);
        } else {
            tails[run] = at;
        }
    }
    let mut kept = vec![false; committed.len()];
    let mut at = tails.last().copied();
    while let Some(place) = at {
        kept[place] = true;
        at = before[place];
    }
    let first = (0..committed.len()).find(|&at| kept[at]).map_or(0, |at| committed[at]);
    let mut now = first;
    committed
        .iter()
        .zip(kept)
        .map(|(&time, kept)| {
            if kept {
                now = time;
            }
            now
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::mainline;

    #[test]
    fn a_wrong_clock_drags_no_other_commit_along() {
        assert_eq!(mainline(&[1, 2, 3]), [1, 2, 3]);
        assert_eq!(mainline(&[1, 99, 2, 3]), [1, 1, 2, 3]);
        assert_eq!(mainline(&[99, 1, 2, 3]), [1, 1, 2, 3]);
        assert_eq!(mainline(&[5, 6, 0, 7, 7]), [5, 6, 6, 7, 7]);
        assert_eq!(mainline(&[]), [0; 0]);
    }
}
