//! Work on many items with all cores.

use std::convert::Infallible;
use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::steps;

/// The number of cores that work on `items` items can use.
pub fn threads_for(items: usize) -> usize {
    // The system reads files to count them, which takes longer than the work on few items.
    static CORES: LazyLock<usize> =
        LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    items.clamp(1, *CORES)
}

/// Calls a worker with every item on all cores, and returns the results in the order of the items. Each thread has a
/// worker of its own.
pub fn in_parallel<I: Send, T: Send, W: FnMut(I) -> T>(
    items: Vec<I>,
    worker: impl Fn() -> W + Sync,
) -> Vec<T> {
    let threads = threads_for(items.len());
    let results = try_in_parallel(items, threads, || {
        let mut run = worker();
        move |item: I| Ok(run(item))
    });
    results.unwrap_or_else(|never: Infallible| match never {})
}

/// Calls a worker with every item on `threads` threads, the calling one included, and returns the results in the order of
/// the items. Each thread has a worker of its own.
///
/// # Errors
/// The first error in the order of the items that were started. Items that were not started when it occurred are skipped.
pub fn try_in_parallel<I: Send, T: Send, E: Send, W: FnMut(I) -> Result<T, E>>(
    items: Vec<I>,
    threads: usize,
    worker: impl Fn() -> W + Sync,
) -> Result<Vec<T>, E> {
    let failed = AtomicBool::new(false);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let items = Mutex::new(items.into_iter().enumerate());
    let work = || {
        let mut run = worker();
        while !failed.load(Ordering::Relaxed) {
            // A statement of its own, so that the lock is released.
            let next = items.lock().next();
            let Some((index, item)) = next else { break };
            let result = run(item);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            results.lock().push((index, result));
        }
    };
    std::thread::scope(|scope| {
        let others = (1..threads).map(|_| scope.spawn(move || steps::of(work)));
        let others: Vec<_> = others.collect();
        work();
        for other in others {
            // With the message of its panic, which the end of the scope would not have.
            let taken = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            // The caller's, however many items each thread took.
            steps::count(taken);
        }
    });
    let mut results = results.into_inner();
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_their_items() {
        for count in [0, 1, 1000] {
            let doubled = in_parallel((0..count).collect(), || |item: u32| item * 2);
            assert!(doubled.into_iter().eq((0..count).map(|item| item * 2)));
        }
    }

    #[test]
    fn steps_are_those_of_all_threads() {
        let work = || drop(in_parallel(vec![(); 100], || |()| steps::count(3)));
        let expected = if cfg!(debug_assertions) { 300 } else { 0 };
        assert_eq!(steps::of(work), expected);
    }

    #[test]
    fn an_error_ends_the_work() {
        let done = Mutex::new(0);
        let result = try_in_parallel((0..1000).collect(), 1, || {
            |item: u32| {
                *done.lock() += 1;
                if item < 10 { Ok(item) } else { Err(item) }
            }
        });
        assert_eq!((result, done.into_inner()), (Err(10), 11));
    }
}
