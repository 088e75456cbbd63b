//! Counters that many threads increment and few read.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// An array of counters. Threads increment different rows, so that they do not share cache lines; a value is the sum
/// over all rows.
#[derive(Debug)]
pub struct Counters {
    rows: Box<[CounterRow]>,
}

type CounterRow = Box<[AtomicU64]>;

/// Unused counters at the end of a row, so that rows do not share cache lines.
const PADDING: usize = 16;

impl Counters {
    /// An array of `len` zeros.
    pub fn new(len: usize) -> Self {
        let rows = std::thread::available_parallelism()
            .map_or(1, usize::from)
            .next_power_of_two();
        let row = || (0..len + PADDING).map(|_| AtomicU64::new(0)).collect();
        Self {
            rows: (0..rows).map(|_| row()).collect(),
        }
    }

    /// Adds to a counter. Ignores an index out of range.
    pub fn add(&self, index: usize, by: u64) {
        // The length is a power of two.
        let row = self.rows.get(thread() & (self.rows.len() - 1));
        if let Some(number) = row.and_then(|row| row.get(index)) {
            number.fetch_add(by, Relaxed);
        }
    }

    /// The value of a counter.
    pub fn get(&self, index: usize) -> u64 {
        let numbers = self.rows.iter().filter_map(|row| row.get(index));
        numbers.map(|number| number.load(Relaxed)).sum()
    }
}

/// The number of the calling thread: threads are numbered in the order of their first call.
fn thread() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static OWN: usize = NEXT.fetch_add(1, Relaxed);
    }
    // A thread that exits uses the first row.
    OWN.try_with(|own| *own).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_sum_over_all_threads() {
        let counts = Counters::new(3);
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
        assert_eq!(
            [0, 1, 2, 1000].map(|index| counts.get(index)),
            [8_000, 0, 40_000, 0]
        );
    }
}
