//! Messages from other threads to the follow loop.

use std::sync::Weak;
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::poll::{Poll, RepoIndex};
use super::reload::FollowConfig;
use crate::ledger::SharedLedger;

/// Controls a [`FollowLoop`](super::FollowLoop) from other threads. Messages to a finished loop are ignored.
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
    /// The store cannot be read.
    Outage(String),
    /// The store can be read again.
    Recovered,
}

/// Asks the store for new batches at an interval, and sends news, until `alive` is dropped.
pub(super) fn watch_ledger(
    shared: &SharedLedger,
    interval: Duration,
    alive: &Weak<()>,
    sender: &Sender<Message>,
) {
    let send = |news| drop(sender.send(Message::Ledger(news)));
    let mut failing = false;
    while alive.strong_count() > 0 {
        std::thread::sleep(interval);
        match shared.has_news() {
            Ok(has_news) => {
                if std::mem::take(&mut failing) {
                    send(LedgerNews::Recovered);
                }
                if has_news {
                    send(LedgerNews::Batches);
                }
            }
            Err(error) if !failing => {
                failing = true;
                send(LedgerNews::Outage(error.to_string()));
            }
            Err(_) => {}
        }
    }
}
