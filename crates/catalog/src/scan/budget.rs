//! The budget of one scan: rows, CPU time and cancellation. Must not depend on other modules.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::ScanLimits;
use super::lane::LanePermit;

/// Rows between two checks of the clock, less than 2 ms apart.
const ROWS_PER_CHECK: u64 = 4096;

/// CPU time after which a scan lets the scans of other clients and projects have a turn.
const TURN: Duration = Duration::from_millis(50);

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
    /// The lane of the scan, and when its present turn began.
    turn: Option<(Arc<LanePermit>, Cell<Duration>)>,
    /// Whether the scan keeps its turn, because others may wait for it.
    keeps_turn: Cell<bool>,
    /// How long the scan waited for others.
    waited: Cell<Duration>,
}

/// Why a scan ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// It examined the maximum number of rows.
    Rows,
    /// It took the maximum CPU time.
    Time,
    /// It took the maximum CPU time of long work.
    LongTime,
    /// The results of checks that it needs were not known yet.
    Checks,
    /// Its client disconnected.
    Cancelled,
}

impl Budget {
    /// The budget of a scan that starts now on this thread. `is_cancelled` stops it.
    pub fn new(limits: &ScanLimits, is_cancelled: Arc<AtomicBool>) -> Self {
        Self::started(thread_time(), limits.rows, limits.time, is_cancelled)
    }

    fn started(
        start: Duration,
        rows: u64,
        max_time: Duration,
        is_cancelled: Arc<AtomicBool>,
    ) -> Self {
        Self {
            rows_left: Cell::new(rows),
            rows_to_check: Cell::new(ROWS_PER_CHECK),
            max_time,
            start,
            is_cancelled,
            exhausted: Cell::new(None),
            turn: None,
            keeps_turn: Cell::new(false),
            waited: Cell::new(Duration::ZERO),
        }
    }

    /// The budget of a scan that takes turns with others.
    pub(super) fn in_lane(
        limits: &ScanLimits,
        is_cancelled: Arc<AtomicBool>,
        permit: Arc<LanePermit>,
    ) -> Self {
        let budget = Self::new(limits, is_cancelled);
        let start = Cell::new(budget.start);
        Self {
            turn: Some((permit, start)),
            ..budget
        }
    }

    /// A budget without limits.
    pub fn unlimited() -> Self {
        Self {
            rows_to_check: Cell::new(u64::MAX),
            ..Self::without_limits(Arc::default())
        }
    }

    /// A budget for work in the background, which ends when it is cancelled.
    pub fn without_limits(is_cancelled: Arc<AtomicBool>) -> Self {
        // Without a limit of time, the start does not matter.
        Self::started(Duration::ZERO, u64::MAX, Duration::MAX, is_cancelled)
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
        self.spend(bytes as u64 / 256)
    }

    /// Does a part of the scan in one turn: other scans can wait for it.
    pub fn without_turns<T>(&self, part: impl FnOnce() -> T) -> T {
        self.keeps_turn.set(true);
        let result = part();
        self.keeps_turn.set(false);
        result
    }

    /// Accounts for time that the scan waited for other work.
    pub fn wait(&self, time: Duration) {
        self.waited.set(self.waited.get() + time);
        self.check(0);
    }

    /// Notes that the scan ends because results of checks are not known yet, if it has to end.
    pub fn checks_are_missing(&self) {
        if let Some(Exhausted::Rows | Exhausted::Time) = self.exhausted.get() {
            self.exhausted.set(Some(Exhausted::Checks));
        }
    }

    #[cold]
    fn check(&self, rows: u64) -> bool {
        let unchecked = self.rows_to_check.replace(ROWS_PER_CHECK);
        let spent = ROWS_PER_CHECK.saturating_sub(unchecked) + rows;
        let now = thread_time();
        let exhausted = match self.rows_left.get().checked_sub(spent) {
            _ if self.is_cancelled.load(Ordering::Relaxed) => Some(Exhausted::Cancelled),
            None => Some(Exhausted::Rows),
            Some(_) if self.time_at(now) > self.max_time => Some(Exhausted::Time),
            Some(left) => {
                self.rows_left.set(left);
                None
            }
        };
        self.exhausted.set(self.exhausted.get().or(exhausted));
        if let Some((permit, began)) = &self.turn
            && exhausted.is_none()
            && !self.keeps_turn.get()
            && now.saturating_sub(began.get()) > TURN
        {
            permit.let_others_run();
            began.set(now);
        }
        self.exhausted.get().is_none()
    }

    /// The time that the scan took, given the CPU time of its thread.
    fn time_at(&self, now: Duration) -> Duration {
        now.saturating_sub(self.start) + self.waited.get()
    }

    /// Why the scan had to end; `None` while it may go on.
    pub fn exhausted(&self) -> Option<Exhausted> {
        // Rows since the last check count, so that the limit is exact.
        let unchecked = ROWS_PER_CHECK.saturating_sub(self.rows_to_check.get());
        let is_over = unchecked > self.rows_left.get();
        self.exhausted.get().or(is_over.then_some(Exhausted::Rows))
    }
}

/// The budget of long work on several threads: their CPU time together.
#[derive(Debug)]
pub struct LongBudget {
    /// In nanoseconds.
    max_time: u64,
    used: AtomicU64,
    is_cancelled: Arc<AtomicBool>,
}

/// Bytes of work between two looks at the clock.
const WORK_PER_CHECK: usize = 1 << 16;

/// The part of a [`LongBudget`] that one thread spends.
#[derive(Debug)]
pub struct ThreadMeter<'a> {
    budget: &'a LongBudget,
    /// The CPU time of the thread that is accounted for.
    accounted: Cell<Duration>,
    work: Cell<usize>,
}

impl LongBudget {
    /// The budget of work that may take this CPU time. `is_cancelled` stops it.
    pub fn new(max_time: Duration, is_cancelled: Arc<AtomicBool>) -> Self {
        Self {
            max_time: u64::try_from(max_time.as_nanos()).unwrap_or(u64::MAX),
            used: AtomicU64::new(0),
            is_cancelled,
        }
    }

    /// The meter of the calling thread, from now on.
    pub fn meter(&self) -> ThreadMeter<'_> {
        ThreadMeter {
            budget: self,
            accounted: Cell::new(thread_time()),
            work: Cell::new(0),
        }
    }

    /// Why the work has to end; `None` while it may go on.
    pub fn exhausted(&self) -> Option<Exhausted> {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Some(Exhausted::Cancelled);
        }
        (self.used.load(Ordering::Relaxed) > self.max_time).then_some(Exhausted::LongTime)
    }
}

impl ThreadMeter<'_> {
    /// Accounts for work on this number of bytes. Returns whether the work may go on.
    pub fn spend(&self, bytes: usize) -> bool {
        let work = self.work.get().saturating_add(bytes);
        self.work.set(work);
        if work >= WORK_PER_CHECK {
            self.work.set(0);
            let now = thread_time();
            let used = now.saturating_sub(self.accounted.replace(now)).as_nanos();
            let used = u64::try_from(used).unwrap_or(u64::MAX);
            self.budget.used.fetch_add(used, Ordering::Relaxed);
        }
        self.budget.exhausted().is_none()
    }
}

/// CPU time of the calling thread. It does not advance while other threads use the core, so that the load of the server
/// does not decide which searches are allowed.
#[cfg(unix)]
fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// The time since the first call: the system has no clock for a thread that safe code can read.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    static FIRST: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    FIRST.get_or_init(std::time::Instant::now).elapsed()
}
