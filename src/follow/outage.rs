//! Failures of the store of a shared ledger, and when repositories are polled again.
//! Source: `docs/spec/ids-and-ledger.md#shared-ledger`.

use std::time::{Duration, Instant};

use super::events::FollowEvents;
use crate::ledger::Ledger;
use crate::store::StoreError;

/// The wait before a batch that could not be written is tried again.
const RETRY: Duration = Duration::from_secs(2);

/// Whether the store failed.
#[derive(Debug, Default)]
pub(super) struct StoreOutage {
    /// The store failed during this batch.
    is_now: bool,
    /// When all repositories are polled again, because a batch could not be recorded.
    pub(super) retry_at: Option<Instant>,
}

impl StoreOutage {
    /// Stops writing batches until [`Self::end`].
    pub(super) fn begin(
        &mut self,
        ledger: &mut Ledger,
        error: &StoreError,
        events: &dyn FollowEvents,
    ) {
        let reason = error.to_string();
        events.ledger(Some(&reason));
        if ledger.read_only().is_none() {
            tracing::warn!("nothing new is published: {reason}");
            ledger.set_read_only(Some(reason));
            self.is_now = true;
        }
    }

    /// After a batch was ingested: the next one is tried again. Reports the end of an outage if the ledger was
    /// `written`.
    pub(super) fn end(&mut self, ledger: &mut Ledger, written: bool, events: &dyn FollowEvents) {
        if std::mem::take(&mut self.is_now) {
            ledger.set_read_only(None);
            self.retry_at = Some(Instant::now() + RETRY);
        } else if written && ledger.shared().is_some() && ledger.newer().is_none() {
            events.ledger(None);
        }
    }

    /// Whether all repositories must be polled again now.
    pub(super) fn take_retry(&mut self) -> bool {
        self.retry_at.take_if(|at| *at <= Instant::now()).is_some()
    }
}
