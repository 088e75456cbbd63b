//! Runs scans on their own threads, with a queue. Must not depend on other modules.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::lane::{Lane, LanePermit};
use super::{Budget, Exhausted, LongBudget, ScanLimits, Share};

/// Runs scans outside the async threads. Clones share the limits.
#[derive(Clone, Debug)]
pub struct Scans(Arc<ScanLanes>);

#[derive(Debug)]
struct ScanLanes {
    limits: ScanLimits,
    /// Whether work runs on the thread of its caller, without limits.
    is_inline: bool,
    scans: Arc<Lane>,
    /// Long work, such as comparisons of revisions. It has its own threads, so that searches never wait for it.
    long: Arc<Lane>,
    /// Short work that is not refused: chunks of streams and pages without a search.
    short: Arc<Semaphore>,
    /// Exports that buffer much while their client reads.
    exports: Arc<Semaphore>,
    counters: ScanCounters,
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
        Self::with(limits, false)
    }

    /// Runs all work at once, on the thread of its caller and without limits: for programs whose own threads make
    /// responses and that nobody waits for.
    #[must_use]
    pub fn inline() -> Self {
        let limits = ScanLimits {
            rows: u64::MAX,
            time: Duration::MAX,
            ..ScanLimits::default()
        };
        Self::with(limits, true)
    }

    fn with(limits: ScanLimits, is_inline: bool) -> Self {
        let concurrent = limits.concurrent.clamp(1, Semaphore::MAX_PERMITS);
        Self(Arc::new(ScanLanes {
            limits,
            is_inline,
            scans: Arc::new(Lane::new(concurrent, limits.queued)),
            long: Arc::new(Lane::new(concurrent.div_ceil(2), limits.queued)),
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
        self.0.scans.running() + self.0.long.running()
    }

    /// Number of waiting scans.
    pub fn queued(&self) -> usize {
        self.0.scans.queued() + self.0.long.queued()
    }

    /// Runs a scan on a thread that may block, as soon as a core is free. It takes turns with the scans of other shares.
    /// Dropping the future cancels it.
    ///
    /// # Errors
    /// [`ScanRefused`].
    pub async fn run<T: Send + 'static>(
        &self,
        share: Share,
        scan: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, ScanRefused> {
        if self.0.is_inline {
            return Ok(scan(&Budget::unlimited()));
        }
        let permit = Arc::new(self.permit(&self.0.scans, share).await?);
        let cancel = CancelOnDrop(Arc::default());
        let (is_cancelled, inner) = (cancel.0.clone(), self.0.clone());
        let scan = run_with(permit.clone(), move || {
            let budget = Budget::in_lane(&inner.limits, is_cancelled, permit);
            let result = scan(&budget);
            inner.counters.result(result, budget.exhausted())
        });
        scan.await?
    }

    /// Runs long work on a thread that may block, at most on half of the cores at the same time. Dropping the future
    /// cancels it.
    ///
    /// # Errors
    /// [`ScanRefused`].
    pub async fn run_long<T: Send + 'static>(
        &self,
        share: Share,
        work: impl FnOnce(&LongBudget) -> T + Send + 'static,
    ) -> Result<T, ScanRefused> {
        let permit = self.permit(&self.0.long, share).await?;
        let cancel = CancelOnDrop(Arc::default());
        let (is_cancelled, inner) = (cancel.0.clone(), self.0.clone());
        let work = run_with(permit, move || {
            let budget = LongBudget::new(inner.limits.long_time(), is_cancelled);
            let result = work(&budget);
            inner.counters.result(result, budget.exhausted())
        });
        work.await?
    }

    /// Waits for a free core, for long work that runs as a series of [short work](Self::run_short).
    ///
    /// # Errors
    /// [`ScanRefused::Busy`].
    pub async fn admit(&self, share: Share) -> Result<ScanPermit, ScanRefused> {
        let permit = self.permit(&self.0.long, share).await?;
        Ok(ScanPermit(PermitKind::Long(permit)))
    }

    /// Admits an export that buffers much while its client reads; at most four per core run.
    ///
    /// # Errors
    /// [`ScanRefused::Busy`].
    pub fn admit_export(&self) -> Result<ScanPermit, ScanRefused> {
        let permit = self.0.exports.clone().try_acquire_owned();
        let permit = permit.map(|permit| ScanPermit(PermitKind::Export(permit)));
        permit.map_err(|_| {
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
        if self.0.is_inline {
            return Ok(work());
        }
        let permit = self.0.short.clone().acquire_owned().await;
        run_with(permit.map_err(|_| ScanRefused::Failed)?, work).await
    }

    /// Waits for a turn, unless too many scans wait already.
    async fn permit(&self, lane: &Arc<Lane>, share: Share) -> Result<LanePermit, ScanRefused> {
        let counters = &self.0.counters;
        let Some(permit) = lane.permit(share).await else {
            counters.refused.fetch_add(1, Relaxed);
            return Err(ScanRefused::Busy);
        };
        counters.started.fetch_add(1, Relaxed);
        Ok(permit)
    }
}

impl ScanCounters {
    /// The result of work, unless it had to end early.
    fn result<T>(&self, result: T, exhausted: Option<Exhausted>) -> Result<T, ScanRefused> {
        let Some(reason) = exhausted else {
            return Ok(result);
        };
        let counter = match reason {
            Exhausted::Cancelled => &self.cancelled,
            _ => &self.exhausted,
        };
        counter.fetch_add(1, Relaxed);
        Err(ScanRefused::Exhausted(reason))
    }
}

/// Runs work on a thread that may block. The permit is released when it ends.
async fn run_with<T: Send + 'static>(
    permit: impl Send + 'static,
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

/// The place of a scan, released on drop.
#[derive(Debug)]
pub struct ScanPermit(#[expect(dead_code, reason = "only dropped")] PermitKind);

/// The place that a [`ScanPermit`] has.
#[derive(Debug)]
#[expect(dead_code, reason = "only dropped")]
enum PermitKind {
    Long(LanePermit),
    Export(OwnedSemaphorePermit),
}

/// Cancels a scan on drop.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
