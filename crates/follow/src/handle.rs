//! Messages from other threads to the follow loop.

use std::sync::Weak;
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::poll::{Poll, RepoIndex};
use crate::project::FollowConfig;
use gitglot_ledger::{LedgerError, SharedLedger};

/// Controls a [`PollLoop`](super::PollLoop) from other threads. Messages to a finished loop are ignored.
#[derive(Clone, Debug)]
pub struct FollowHandle(pub(super) Sender<Message>);

impl FollowHandle {
    /// Stops the loop after the work in progress.
    pub fn stop(&self) {
        let _ = self.0.send(Message::Stop);
    }

    /// Applies a new configuration.
    pub fn reload(&self, config: FollowConfig) {
        let _ = self.0.send(Message::Reload(Box::new(config)));
    }

    /// Schedules a poll of the repository of the component `project/component`.
    pub fn poll_now(&self, component: &str) {
        let _ = self.0.send(Message::Notified(component.to_owned()));
    }
}

/// A message to the loop.
#[derive(Debug)]
pub(super) enum Message {
    /// A push notification for a component.
    Notified(String),
    /// The refs of a local repository have changed.
    RefsChanged(RepoIndex),
    /// A poll has finished.
    Polled(Box<Poll>),
    /// The maintenance of a mirror has finished.
    Maintained(RepoIndex),
    /// A late step is done.
    StepFinished,
    /// News from the shared ledger.
    Ledger(LedgerNews),
    /// Use this configuration.
    Reload(Box<FollowConfig>),
    /// The program exits.
    Stop,
}

/// News from the shared ledger.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum LedgerNews {
    /// There are new batches.
    Batches,
    /// The store may have lost batches: it is time to check them.
    Check,
    /// The store cannot be read.
    Outage(String),
    /// The store can be read again.
    Recovered,
}

/// The batches are checked after this number of polls.
const CHECK_INTERVAL: u32 = 60;

/// Asks the store for new batches at an interval, and sends news, until `alive` is dropped. `failing` is whether the
/// store could not be read before.
pub(super) fn watch_ledger(
    shared: &SharedLedger,
    interval: Duration,
    mut failing: bool,
    alive: &Weak<()>,
    sender: &Sender<Message>,
) {
    let send = |news| drop(sender.send(Message::Ledger(news)));
    let mut polls = 0;
    while alive.strong_count() > 0 {
        std::thread::sleep(interval);
        match shared.has_news() {
            Err(LedgerError::Store(error)) if !failing => {
                failing = true;
                send(LedgerNews::Outage(error.to_string()));
            }
            Err(LedgerError::Store(_)) => {}
            // Reading the batch gives the error again.
            has_news => {
                if std::mem::take(&mut failing) {
                    send(LedgerNews::Recovered);
                }
                if !matches!(has_news, Ok(false)) {
                    send(LedgerNews::Batches);
                }
                polls += 1;
                if polls % CHECK_INTERVAL == 0 {
                    send(LedgerNews::Check);
                }
            }
        }
    }
}
