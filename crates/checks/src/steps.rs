//! Counts the bytes that the checks read, so that tests find searches that take more than linear time. Does nothing
//! outside of tests.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts bytes that a loop or a search reads.
#[inline]
pub(super) fn count(bytes: usize) {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + bytes));
    #[cfg(not(test))]
    let _ = bytes;
}

/// The bytes that a function reads on this thread.
#[cfg(test)]
pub(super) fn of(read: impl FnOnce()) -> usize {
    let before = STEPS.with(std::cell::Cell::get);
    read();
    STEPS.with(std::cell::Cell::get) - before
}
