//! Runs scans on their own threads, with a queue. Must not depend on other modules.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Budget, Exhausted, ScanLimits};

/// Runs scans outside the async threads. Clones share the limits.
#[derive(Clone, Debug)]
pub struct Scans(Arc<ScanLanes>);

#[derive(Debug)]
struct ScanLanes {
    limits: ScanLimits,
    scans: ScanLane,
    /// Work without a budget, such as comparisons of revisions. It has its own threads, so that searches never wait for
    /// it.
    long: ScanLane,
    /// Short work that is not refused: chunks of streams and pages without a search.
    short: Arc<Semaphore>,
    /// Exports that buffer much while their client reads.
    exports: Arc<Semaphore>,
    counters: ScanCounters,
}

/// Work that runs at the same time, and a queue for more.
#[derive(Debug)]
struct ScanLane {
    concurrent: usize,
    permits: Arc<Semaphore>,
    queued: AtomicUsize,
}

impl ScanLane {
    fn new(concurrent: usize) -> Self {
        Self {
            concurrent,
            permits: Arc::new(Semaphore::new(concurrent)),
            queued: AtomicUsize::new(0),
        }
    }
}

/// Counters of scans.
#[derive(Debug, Default)]
pub struct ScanCounters {
    /// Scans that started.
    pub started: AtomicU64,
    /// Scans that were refused because too many waited.
    pub refused: AtomicU64,
    /// Scans that exceeded their rows or time.
    pub exhausted: AtomicU64,
    /// Scans that ended because their client disconnected.
    pub cancelled: AtomicU64,
}

/// Why a scan has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScanRefused {
    /// Too many scans wait.
    #[error("too many searches are running")]
    Busy,
    /// The scan exceeded its budget.
    #[error("the search examines too much data")]
    Exhausted(Exhausted),
    /// The scan panicked.
    #[error("the search failed")]
    Failed,
}

impl Scans {
    /// A scheduler with these limits.
    #[must_use]
    pub fn new(limits: ScanLimits) -> Self {
        let concurrent = limits.concurrent.clamp(1, Semaphore::MAX_PERMITS);
        Self(Arc::new(ScanLanes {
            limits,
            scans: ScanLane::new(concurrent),
            long: ScanLane::new(concurrent.div_ceil(2)),
            short: Arc::new(Semaphore::new(concurrent)),
            exports: Arc::new(Semaphore::new((concurrent * 4).min(Semaphore::MAX_PERMITS))),
            counters: ScanCounters::default(),
        }))
    }

    /// The limits.
    pub fn limits(&self) -> &ScanLimits {
        &self.0.limits
    }

    /// The counters.
    pub fn counters(&self) -> &ScanCounters {
        &self.0.counters
    }

    /// Number of running scans.
    pub fn running(&self) -> usize {
        let running = |lane: &ScanLane| lane.concurrent - lane.permits.available_permits();
        running(&self.0.scans) + running(&self.0.long)
    }

    /// Number of waiting scans.
    pub fn queued(&self) -> usize {
        self.0.scans.queued.load(Relaxed) + self.0.long.queued.load(Relaxed)
    }

    /// Runs a scan on a thread that may block, as soon as a core is free. Dropping the future cancels it.
    ///
    /// # Errors
    /// [`ScanRefused`].
    pub async fn run<T: Send + 'static>(
        &self,
        scan: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, ScanRefused> {
        let permit = self.permit(&self.0.scans).await?;
        let cancel = CancelOnDrop(Arc::default());
        let (is_cancelled, inner) = (cancel.0.clone(), self.0.clone());
        let scan = run_with(permit, move || {
            let budget = Budget::new(&inner.limits, is_cancelled);
            let result = scan(&budget);
            let Some(reason) = budget.exhausted() else {
                return Ok(result);
            };
            let counter = match reason {
                Exhausted::Cancelled => &inner.counters.cancelled,
                Exhausted::Rows | Exhausted::Time => &inner.counters.exhausted,
            };
            counter.fetch_add(1, Relaxed);
            Err(ScanRefused::Exhausted(reason))
        });
        scan.await?
    }

    /// Runs work without a budget on a thread that may block, at most on half of the cores at the same time. Dropping
    /// the future ends only waiting.
    ///
    /// # Errors
    /// [`ScanRefused::Busy`] and [`ScanRefused::Failed`].
    pub async fn run_long<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ScanRefused> {
        let permit = self.permit(&self.0.long).await?;
        run_with(permit, work).await
    }

    /// Waits for a free core, for a scan that runs as a series of [short work](Self::run_short).
    ///
    /// # Errors
    /// [`ScanRefused::Busy`].
    pub async fn admit(&self) -> Result<ScanPermit, ScanRefused> {
        Ok(ScanPermit(self.permit(&self.0.scans).await?))
    }

    /// Admits an export that buffers much while its client reads; at most four per core run.
    ///
    /// # Errors
    /// [`ScanRefused::Busy`].
    pub fn admit_export(&self) -> Result<ScanPermit, ScanRefused> {
        let permit = self.0.exports.clone().try_acquire_owned();
        permit.map(ScanPermit).map_err(|_| {
            self.0.counters.refused.fetch_add(1, Relaxed);
            ScanRefused::Busy
        })
    }

    /// Runs short work on a thread that may block. It waits for other short work but is never refused.
    ///
    /// # Errors
    /// [`ScanRefused::Failed`].
    pub async fn run_short<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ScanRefused> {
        let permit = self
            .0
            .short
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| ScanRefused::Failed)?;
        run_with(permit, work).await
    }

    /// Waits for a free core, unless too many scans wait already.
    async fn permit(&self, lane: &ScanLane) -> Result<OwnedSemaphorePermit, ScanRefused> {
        let permit = match lane.permits.clone().try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                let _slot = QueueSlot(&lane.queued);
                if lane.queued.fetch_add(1, Relaxed) >= self.0.limits.queued {
                    self.0.counters.refused.fetch_add(1, Relaxed);
                    return Err(ScanRefused::Busy);
                }
                let permit = lane.permits.clone().acquire_owned().await;
                permit.map_err(|_| ScanRefused::Failed)?
            }
        };
        self.0.counters.started.fetch_add(1, Relaxed);
        Ok(permit)
    }
}

/// Runs work on a thread that may block. The permit is released when it ends.
async fn run_with<T: Send + 'static>(
    permit: OwnedSemaphorePermit,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ScanRefused> {
    let work = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    work.await.map_err(|_| ScanRefused::Failed)
}

impl Default for Scans {
    fn default() -> Self {
        Self::new(ScanLimits::default())
    }
}

/// The core of a scan, released on drop.
#[derive(Debug)]
pub struct ScanPermit(#[expect(dead_code, reason = "only dropped")] OwnedSemaphorePermit);

/// Leaves the queue on drop.
struct QueueSlot<'a>(&'a AtomicUsize);

impl Drop for QueueSlot<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// Cancels a scan on drop.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
