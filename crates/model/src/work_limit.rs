//! Limits of work that runs on several threads.

/// Accounts for the work of one thread, in bytes. Returns whether the work may go on. After `false`, its result is
/// incomplete and must not be used.
pub type WorkMeter<'a> = Box<dyn Fn(usize) -> bool + 'a>;

/// A limit of work.
pub trait WorkLimit: Sync {
    /// The meter of the calling thread.
    fn meter(&self) -> WorkMeter<'_>;
}

/// No limit.
#[derive(Clone, Copy, Debug)]
pub struct Unlimited;

impl WorkLimit for Unlimited {
    fn meter(&self) -> WorkMeter<'_> {
        Box::new(|_| true)
    }
}
