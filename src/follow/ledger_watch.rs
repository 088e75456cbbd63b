//! Watches the shared ledger for batches of other replicas.

use std::time::Duration;

use crate::ledger::SharedLedger;

/// News from the shared ledger.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum LedgerNews {
    /// There are new batches.
    Batches,
    /// The store cannot be read.
    Outage(String),
    /// The store can be read again.
    Recovered,
}

/// Asks the store for new batches at an interval, and reports news, until `report` returns false.
pub(super) fn watch(
    shared: &SharedLedger,
    interval: Duration,
    report: &dyn Fn(Option<LedgerNews>) -> bool,
) {
    let mut failing = false;
    while report(None) {
        std::thread::sleep(interval);
        match shared.has_news() {
            Ok(has_news) => {
                if std::mem::take(&mut failing) {
                    report(Some(LedgerNews::Recovered));
                }
                if has_news {
                    report(Some(LedgerNews::Batches));
                }
            }
            Err(error) if !failing => {
                failing = true;
                report(Some(LedgerNews::Outage(error.to_string())));
            }
            Err(_) => {}
        }
    }
}
