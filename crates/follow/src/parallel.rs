//! Work on all cores.

use parking_lot::Mutex;

/// Does each job once, on all cores, and returns the results in the order of the jobs.
pub(crate) fn on_all_cores<J: Send, R: Send>(jobs: Vec<J>, work: impl Fn(J) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(jobs.len());
    if threads < 2 {
        return jobs.into_iter().map(work).collect();
    }
    let results = Mutex::new(Vec::with_capacity(jobs.len()));
    let jobs = Mutex::new(jobs.into_iter().enumerate());
    let run = || {
        loop {
            // A statement of its own, so that the lock is released.
            let next = jobs.lock().next();
            let Some((at, job)) = next else { break };
            let result = work(job);
            results.lock().push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
    let mut results = results.into_inner();
    results.sort_unstable_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_their_jobs() {
        for count in [0, 1, 1_000] {
            let doubled = on_all_cores((0..count).collect(), |it: usize| 2 * it);
            assert!(doubled.into_iter().eq((0..count).map(|it| 2 * it)));
        }
    }
}
