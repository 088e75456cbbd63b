//! Messages from other threads to the follow loop.

use std::sync::mpsc::Sender;

use super::ledger_watch::LedgerNews;
use super::poll::Poll;
use super::reload::FollowConfig;

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

/// A message to the loop. Repositories are indexes into its list.
#[derive(Debug)]
pub(super) enum Message {
    /// A push notification for a component.
    Notified(String),
    /// The refs of a local repository have changed.
    RefsChanged(usize),
    /// A poll has finished.
    Polled(Box<Poll>),
    /// The maintenance of a mirror has finished.
    Maintained(usize),
    /// News from the shared ledger.
    Ledger(LedgerNews),
    /// Use this configuration.
    Reload(Box<FollowConfig>),
    /// The program exits.
    Stop,
}
