//! Limits for work whose cost grows with the data: searches, filters, exports, pages
//! (docs/spec/http.md#limits-of-scans).
//!
//! [`Scans`] runs such work outside the async threads, at most one scan per core, with a short queue and fair shares for
//! clients and projects. A [`Budget`] bounds a single scan by rows and by CPU time, and stops it when its client
//! disconnects. [`FilterCache`] keeps what filters found. Must not depend on other modules.

mod budget;
mod filter_cache;
mod lane;
mod scheduler;

use std::time::Duration;

pub use budget::{Budget, Exhausted, LongBudget, ThreadMeter};
pub use filter_cache::{FilterCache, FilterKey};
pub use lane::Share;
pub use scheduler::{ScanCounters, ScanPermit, ScanRefused, Scans};

/// The limits of scans.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScanLimits {
    /// Scans that run at the same time.
    pub concurrent: usize,
    /// Scans that wait until others end; more are refused.
    pub queued: usize,
    /// Rows that a scan may examine. Long texts count as several rows.
    pub rows: u64,
    /// CPU time that a scan may take.
    pub time: Duration,
}

impl ScanLimits {
    /// CPU time that long work may take: ten times that of a scan.
    #[must_use]
    pub const fn long_time(&self) -> Duration {
        self.time.saturating_mul(10)
    }
}

impl Default for ScanLimits {
    /// One scan per core, four waiting scans per core, 20 million rows, 2 seconds.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            concurrent: cores,
            queued: 4 * cores,
            rows: 20_000_000,
            time: Duration::from_secs(2),
        }
    }
}

#[cfg(test)]
mod tests;
