//! Failures of the store of a shared ledger: how they are logged and reported, and when a batch is tried again.
//! Source: `docs/spec/ids-and-ledger.md#outages`.

use std::time::{Duration, Instant};

use super::events::{FollowEvents, LedgerProblem};
use gitglot_ledger::Ledger;
use gitglot_store::StoreError;

/// The wait before a batch that could not be written is tried again. It doubles with each failure…
const RETRY: Duration = Duration::from_secs(2);
/// … up to this.
const MAX_RETRY: Duration = Duration::from_secs(60);
/// The wait before objects that the store lacks are looked up again.
const INCOMPLETE_RETRY: Duration = Duration::from_secs(60);

/// Logs an outage when it begins, and again at growing intervals while it lasts.
#[derive(Debug, Default)]
pub struct OutageLog {
    /// The time of the next line, and the interval after it.
    next: Option<(Instant, Duration)>,
}

impl OutageLog {
    /// The interval between the first two lines. It doubles…
    const INTERVAL: Duration = Duration::from_secs(60);
    /// … up to this.
    const MAX_INTERVAL: Duration = Duration::from_secs(3600);

    /// Logs a failure, if a line is due.
    pub fn failed(&mut self, reason: &str) {
        if self.is_due(Instant::now()) {
            tracing::warn!("nothing new is published: {reason}");
        }
    }

    fn is_due(&mut self, now: Instant) -> bool {
        let interval = match self.next {
            None => Self::INTERVAL,
            Some((at, interval)) if at <= now => interval,
            Some(_) => return false,
        };
        let following = Self::MAX_INTERVAL.min(interval * 2);
        self.next = Some((now + interval, following));
        true
    }

    /// Logs the end, if there was an outage.
    pub fn ended(&mut self) {
        if self.next.take().is_some() {
            tracing::info!("the store of the shared ledger is available again");
        }
    }
}

/// Whether the store failed.
#[derive(Debug, Default)]
pub(super) struct StoreOutage {
    /// The store failed during this batch.
    is_now: bool,
    log: OutageLog,
    /// How often a batch could not be recorded in a row.
    failures: u32,
    /// When all repositories are polled again, because a batch could not be recorded.
    pub(super) retry_at: Option<Instant>,
    /// Whether they are being polled again.
    is_retry: bool,
}

impl StoreOutage {
    /// The state at the start. An outage `exists` if the store could not be read: that was logged.
    pub(super) fn new(exists: bool) -> Self {
        let mut outage = Self::default();
        if exists {
            outage.log.is_due(Instant::now());
        }
        outage
    }

    /// Stops writing batches until [`Self::end`].
    pub(super) fn begin(
        &mut self,
        ledger: &mut Ledger,
        error: &StoreError,
        events: &dyn FollowEvents,
    ) {
        let reason = error.to_string();
        self.note(&reason, events);
        if ledger.read_only().is_none() {
            ledger.set_read_only(Some(reason));
            self.is_now = true;
        }
    }

    /// Logs and reports a failure.
    pub(super) fn note(&mut self, reason: &str, events: &dyn FollowEvents) {
        self.log.failed(reason);
        events.ledger(LedgerProblem::Unavailable, Some(reason));
    }

    /// Logs and reports that the store can be used.
    pub(super) fn over(&mut self, events: &dyn FollowEvents) {
        self.failures = 0;
        self.log.ended();
        events.ledger(LedgerProblem::Unavailable, None);
    }

    /// After a successful read: the outage is over unless a batch could not be written.
    pub(super) fn read(&mut self, events: &dyn FollowEvents) {
        if self.log.next.is_some() && self.failures == 0 && !self.is_now {
            self.over(events);
        }
    }

    /// After a batch was ingested: if the store failed, the next one is tried again. Otherwise the outage is over if the
    /// ledger was `written`, or if nothing had to be written when everything was tried again.
    pub(super) fn end(&mut self, ledger: &mut Ledger, written: bool, events: &dyn FollowEvents) {
        let is_retry = std::mem::take(&mut self.is_retry);
        if std::mem::take(&mut self.is_now) {
            ledger.set_read_only(None);
            let wait = MAX_RETRY.min(RETRY * (1 << self.failures.min(5)));
            self.failures += 1;
            self.retry_at = Some(Instant::now() + wait);
        } else if (written || is_retry) && ledger.newer().is_none() {
            self.over(events);
        }
    }

    /// Looks for objects that the store lacks again, later.
    pub(super) fn retry_objects(&mut self) {
        self.retry_at
            .get_or_insert_with(|| Instant::now() + INCOMPLETE_RETRY);
    }

    /// Whether all repositories must be polled again now.
    pub(super) fn take_retry(&mut self) -> bool {
        let is_due = self.retry_at.take_if(|at| *at <= Instant::now()).is_some();
        self.is_retry |= is_due;
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_logged_at_growing_intervals() {
        let (mut log, start) = (OutageLog::default(), Instant::now());
        let mut minutes = Vec::new();
        for second in 0..10 * 3600 {
            if log.is_due(start + Duration::from_secs(second)) {
                minutes.push(second / 60);
            }
        }
        assert_eq!(minutes[..6], [0, 1, 3, 7, 15, 31]);
        assert_eq!(minutes.len(), 15, "then one each hour: {minutes:?}");
        log.ended();
        assert!(log.is_due(start), "the next outage is logged at once");
    }
}
