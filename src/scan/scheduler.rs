//! Runs scans on their own threads, with a queue. Must not depend on other modules.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Budget, Exhausted, ScanLimits};

/// Runs scans off the serving threads. Clones share the limits.
#[derive(Clone, Debug)]
pub struct Scans(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limits: ScanLimits,
    scans: Arc<Semaphore>,
    /// Short work that is not refused: pieces of streams and pages without a search.
    short: Arc<Semaphore>,
    queued: AtomicUsize,
    counters: ScanCounters,
}

/// Counters of scans.
#[derive(Debug, Default)]
pub struct ScanCounters {
    started: AtomicU64,
    refused: AtomicU64,
    exhausted: AtomicU64,
    cancelled: AtomicU64,
}

/// Why a scan has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
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
        Self(Arc::new(Inner {
            limits,
            scans: Arc::new(Semaphore::new(concurrent)),
            short: Arc::new(Semaphore::new(concurrent)),
            queued: AtomicUsize::new(0),
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
        self.0
            .limits
            .concurrent
            .max(1)
            .saturating_sub(self.0.scans.available_permits())
    }

    /// Number of waiting scans.
    pub fn queued(&self) -> usize {
        self.0.queued.load(Relaxed)
    }

    /// Runs a scan on a thread that may block, as soon as a core is free. Dropping the future cancels it.
    ///
    /// # Errors
    /// [`Refused`].
    pub async fn run<T: Send + 'static>(
        &self,
        scan: impl FnOnce(&Budget) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        let permit = self.permit().await?;
        let counters = &self.0.counters;
        counters.started.fetch_add(1, Relaxed);
        let cancel = CancelOnDrop(Arc::default());
        let (is_cancelled, inner) = (cancel.0.clone(), self.0.clone());
        let scan = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let budget = Budget::new(&inner.limits, is_cancelled);
            let result = scan(&budget);
            match budget.exhausted() {
                None => return Ok(result),
                Some(Exhausted::Cancelled) => inner.counters.cancelled.fetch_add(1, Relaxed),
                Some(_) => inner.counters.exhausted.fetch_add(1, Relaxed),
            };
            Err(budget
                .exhausted()
                .map_or(Refused::Failed, Refused::Exhausted))
        });
        scan.await.unwrap_or(Err(Refused::Failed))
    }

    /// Waits for a free core, for a scan that runs in pieces of [short work](Self::run_short).
    ///
    /// # Errors
    /// [`Refused::Busy`].
    pub async fn admit(&self) -> Result<ScanPermit, Refused> {
        let permit = self.permit().await?;
        self.0.counters.started.fetch_add(1, Relaxed);
        Ok(ScanPermit(permit))
    }

    /// Runs short work on a thread that may block. It waits for other short work but is never refused.
    ///
    /// # Errors
    /// [`Refused::Failed`].
    pub async fn run_short<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refused> {
        let permit = self
            .0
            .short
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| Refused::Failed)?;
        let work = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        work.await.map_err(|_| Refused::Failed)
    }

    /// Waits for a free core, unless too many scans wait already.
    async fn permit(&self) -> Result<OwnedSemaphorePermit, Refused> {
        if let Ok(permit) = self.0.scans.clone().try_acquire_owned() {
            return Ok(permit);
        }
        let slot = QueueSlot(&self.0.queued);
        if self.0.queued.fetch_add(1, Relaxed) >= self.0.limits.queued {
            self.0.counters.refused.fetch_add(1, Relaxed);
            return Err(Refused::Busy);
        }
        let permit = self.0.scans.clone().acquire_owned().await;
        drop(slot);
        permit.map_err(|_| Refused::Failed)
    }
}

impl Default for Scans {
    fn default() -> Self {
        Self::new(ScanLimits::default())
    }
}

impl ScanCounters {
    /// Scans that started.
    pub fn started(&self) -> u64 {
        self.started.load(Relaxed)
    }

    /// Scans that were refused because too many waited.
    pub fn refused(&self) -> u64 {
        self.refused.load(Relaxed)
    }

    /// Scans that exceeded their rows or time.
    pub fn exhausted(&self) -> u64 {
        self.exhausted.load(Relaxed)
    }

    /// Scans that ended because their client disconnected.
    pub fn cancelled(&self) -> u64 {
        self.cancelled.load(Relaxed)
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
