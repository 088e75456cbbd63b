//! The budget of one scan: rows, CPU time and cancellation. Must not depend on other modules.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::ScanLimits;

/// Rows between two checks of the clock, less than 2 ms apart.
const ROWS_PER_CHECK: u64 = 4096;

/// The rows and the CPU time that a scan may still spend. The scan polls it and ends early once [`Budget::spend`]
/// returns `false`; its result is then discarded, so that no client gets a partial list.
#[derive(Debug)]
pub struct Budget {
    rows_left: Cell<u64>,
    rows_to_check: Cell<u64>,
    max_time: Duration,
    start: Duration,
    is_cancelled: Arc<AtomicBool>,
    exhausted: Cell<Option<Exhausted>>,
}

/// Why a scan ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// It examined the maximum number of rows.
    Rows,
    /// It took the maximum CPU time.
    Time,
    /// Its client disconnected.
    Cancelled,
}

impl Budget {
    /// The budget of a scan that starts now on this thread. `is_cancelled` stops it.
    pub fn new(limits: &ScanLimits, is_cancelled: Arc<AtomicBool>) -> Self {
        Self {
            rows_left: Cell::new(limits.rows),
            rows_to_check: Cell::new(ROWS_PER_CHECK),
            max_time: limits.time,
            start: thread_time(),
            is_cancelled,
            exhausted: Cell::new(None),
        }
    }

    /// A budget without limits.
    pub fn unlimited() -> Self {
        Self {
            rows_left: Cell::new(u64::MAX),
            rows_to_check: Cell::new(u64::MAX),
            max_time: Duration::MAX,
            start: Duration::ZERO,
            is_cancelled: Arc::default(),
            exhausted: Cell::new(None),
        }
    }

    /// Accounts for examined rows. Returns whether the scan may go on.
    #[inline]
    pub fn spend(&self, rows: u64) -> bool {
        let to_check = self.rows_to_check.get();
        if rows < to_check {
            self.rows_to_check.set(to_check - rows);
            return self.exhausted.get().is_none();
        }
        self.check(rows)
    }

    /// Accounts for an examined text of this length in bytes. Returns whether the scan may go on.
    #[inline]
    pub fn spend_text(&self, bytes: usize) -> bool {
        bytes < 256 || self.spend(bytes as u64 / 256)
    }

    #[cold]
    fn check(&self, rows: u64) -> bool {
        let spent = ROWS_PER_CHECK - self.rows_to_check.replace(ROWS_PER_CHECK) + rows;
        let exhausted = match self.rows_left.get().checked_sub(spent) {
            _ if self.is_cancelled.load(Ordering::Relaxed) => Some(Exhausted::Cancelled),
            None => Some(Exhausted::Rows),
            Some(_) if thread_time().saturating_sub(self.start) > self.max_time => {
                Some(Exhausted::Time)
            }
            Some(left) => {
                self.rows_left.set(left);
                None
            }
        };
        self.exhausted.set(self.exhausted.get().or(exhausted));
        self.exhausted.get().is_none()
    }

    /// Why the scan had to end; `None` while it may go on.
    pub fn exhausted(&self) -> Option<Exhausted> {
        // Rows since the last check count, so that the limit is exact.
        let unchecked = ROWS_PER_CHECK.saturating_sub(self.rows_to_check.get());
        let is_over = unchecked > self.rows_left.get();
        self.exhausted.get().or(is_over.then_some(Exhausted::Rows))
    }
}

/// CPU time of the calling thread. It does not advance while other threads use the core, so that the load of the server
/// does not decide which searches are allowed. Where the system does not report it, the time since the first call.
fn thread_time() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds =
        statistics.and_then(|text| text.split_ascii_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(
        || FIRST.get_or_init(Instant::now).elapsed(),
        Duration::from_nanos,
    )
}
