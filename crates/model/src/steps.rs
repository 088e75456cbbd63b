//! Counts the steps of loops and searches, so that tests find work that grows faster than its input. Only programs with
//! debug assertions count.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Counts steps, such as the bytes that a search reads or the items that a loop visits.
#[inline]
pub fn count(steps: usize) {
    if cfg!(debug_assertions) {
        STEPS.with(|all| all.set(all.get() + steps));
    }
}

/// The steps that a function takes on this thread, and on those of [`crate::parallel::in_parallel`].
pub fn of(run: impl FnOnce()) -> usize {
    let before = STEPS.with(Cell::get);
    run();
    STEPS.with(Cell::get) - before
}
