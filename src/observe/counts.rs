//! Numbers that many threads add to all the time, and somebody reads now and then.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Numbers side by side, from 0 on. Each thread adds to a row of its own, so that none waits for another's cache line;
/// reading goes over all rows.
#[derive(Debug)]
pub struct Counts {
    rows: Box<[Row]>,
}

type Row = Box<[AtomicU64]>;

/// Room at the end of a row, so that the numbers of the next stand on other cache lines.
const APART: usize = 16;

impl Counts {
    /// So many numbers, all 0.
    pub fn new(len: usize) -> Self {
        let rows = std::thread::available_parallelism().map_or(1, usize::from).next_power_of_two();
        let row = || (0..len + APART).map(|_| AtomicU64::new(0)).collect();
        Self { rows: (0..rows).map(|_| row()).collect() }
    }

    /// Adds to the number at a place; nothing happens at one that is not there.
    pub fn add(&self, at: usize, by: u64) {
        // The length is a power of two.
        let row = self.rows.get(thread() & (self.rows.len() - 1));
        if let Some(number) = row.and_then(|row| row.get(at)) {
            number.fetch_add(by, Relaxed);
        }
    }

    /// The number at a place.
    pub fn get(&self, at: usize) -> u64 {
        self.rows.iter().filter_map(|row| row.get(at)).map(|number| number.load(Relaxed)).sum()
    }
}

/// A number for the calling thread; those that begin one after the other have neighbouring ones.
fn thread() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static OWN: usize = NEXT.fetch_add(1, Relaxed);
    }
    // A thread that ends counts with the first.
    OWN.try_with(|own| *own).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_threads_add_is_all_there() {
        let counts = Counts::new(3);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        counts.add(0, 1);
                        counts.add(2, 5);
                    }
                });
            }
        });
        counts.add(1000, 1);
        assert_eq!([0, 1, 2, 1000].map(|at| counts.get(at)), [8_000, 0, 40_000, 0]);
    }
}
