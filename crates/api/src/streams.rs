//! The event streams of a server: their number, their times, and their end.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::response::error::ApiError;

/// Interval of keep-alive comments: below the minute after which proxies close a silent connection.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);
/// A client that is behind for this long is disconnected.
const LAG: Duration = Duration::from_secs(60);

/// Limits the number of subscribers and disconnects them at shutdown. Clones share their state.
#[derive(Clone, Debug)]
pub struct Streams {
    most: usize,
    slots: Arc<Semaphore>,
    pub(super) closing: watch::Sender<bool>,
    pub(super) heartbeat: Duration,
    pub(super) lag: Duration,
}

impl Streams {
    /// Allows at most this many subscribers at a time.
    pub fn new(most: usize) -> Self {
        let most = most.min(Semaphore::MAX_PERMITS);
        let (slots, closing) = (Arc::new(Semaphore::new(most)), watch::Sender::new(false));
        Self {
            most,
            slots,
            closing,
            heartbeat: HEARTBEAT,
            lag: LAG,
        }
    }

    /// The number of subscribers.
    pub fn open(&self) -> usize {
        self.most - self.slots.available_permits()
    }

    /// The maximum number of subscribers.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Ends all streams permanently: the server shuts down.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    pub(super) fn enter(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        if *self.closing.borrow() {
            return Err(ApiError::TooManyStreams);
        }
        let slot = self.slots.clone().try_acquire_owned();
        slot.map_err(|_| ApiError::TooManyStreams)
    }
}
