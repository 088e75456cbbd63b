//! The phase of a connection, and the socket that records it.
//!
//! All parts of a connection run in one task, so its counters need no memory ordering. They are
//! atomics only because the task must be `Send`.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::tls::Transport;

/// Bytes to read and discard before closing a connection, because closing a socket with unread
/// bytes can destroy the response.
const LINGER_BYTES: usize = 256 * 1024;

/// The phase of a connection; each has its own timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectionPhase {
    /// Between two requests.
    Idle,
    /// The request headers are arriving.
    Head,
    /// The endpoint works, or the response streams.
    Busy,
    /// The client neither sends nor receives the expected bytes.
    Stalled,
    /// The last response is sent, and the client still sends.
    Closing,
}

/// The activity of a connection, recorded by its socket, requests and responses.
#[derive(Debug, Default)]
pub(super) struct ConnectionActivity {
    /// Number of requests; wraps around.
    requests: AtomicU32,
    /// Number of reads and writes that moved bytes; wraps around.
    moves: AtomicU32,
    /// Requests whose response is not complete.
    open: AtomicU32,
    /// Bytes arrived since the last complete head.
    head: AtomicBool,
    /// The endpoint waits for the request body.
    wants_body: AtomicBool,
    /// The last write is pending.
    blocked: AtomicBool,
    /// The connection waits for the client to close it.
    closing: AtomicBool,
}

impl ConnectionActivity {
    /// The state of an accepted connection that waits for its first request.
    pub fn new() -> Self {
        ConnectionActivity {
            head: AtomicBool::new(true),
            ..ConnectionActivity::default()
        }
    }

    pub(super) fn request_begins(&self) {
        self.head.store(false, Relaxed);
        increase(&self.requests, 1);
        increase(&self.open, 1);
    }

    /// Records a response that is complete or abandoned.
    pub(super) fn request_ends(&self) {
        self.wants_body.store(false, Relaxed);
        self.open
            .store(self.open.load(Relaxed).wrapping_sub(1), Relaxed);
    }

    /// Records whether the endpoint waits for the request body.
    pub(super) fn body_wanted(&self, wanted: bool) {
        self.wants_body.store(wanted, Relaxed);
    }

    /// Returns the phase, and a number that changes when its timeout restarts.
    pub(super) fn current(&self) -> (ConnectionPhase, u32) {
        let requests = self.requests.load(Relaxed);
        let open = self.open.load(Relaxed) > 0;
        if self.closing.load(Relaxed) {
            (ConnectionPhase::Closing, requests)
        } else if self.blocked.load(Relaxed) || (open && self.wants_body.load(Relaxed)) {
            (ConnectionPhase::Stalled, self.moves.load(Relaxed))
        } else if open {
            (ConnectionPhase::Busy, requests)
        } else if self.head.load(Relaxed) {
            (ConnectionPhase::Head, requests)
        } else {
            (ConnectionPhase::Idle, requests)
        }
    }

    /// Whether the first request has not begun.
    pub(super) fn is_new(&self) -> bool {
        self.requests.load(Relaxed) == 0
    }

    fn record_read(&self) {
        increase(&self.moves, 1);
        if self.open.load(Relaxed) == 0 {
            self.head.store(true, Relaxed);
        }
    }

    fn record_write<T>(&self, written: &Poll<io::Result<T>>) {
        if written.is_ready() {
            increase(&self.moves, 1);
        }
        self.blocked.store(written.is_pending(), Relaxed);
    }
}

/// Adds without a locked instruction, because only one task writes.
fn increase(counter: &AtomicU32, by: u32) {
    counter.store(counter.load(Relaxed).wrapping_add(by), Relaxed);
}

/// A socket that records its [`ConnectionActivity`] and closes without losing the response.
pub(super) struct TrackedStream {
    stream: Transport,
    activity: Arc<ConnectionActivity>,
    ended: bool,
    write_closed: bool,
    lingered: usize,
}

impl TrackedStream {
    /// Wraps `stream` and records its reads and writes in `activity`.
    pub fn new(stream: Transport, activity: Arc<ConnectionActivity>) -> Self {
        TrackedStream {
            stream,
            activity,
            ended: false,
            write_closed: false,
            lingered: 0,
        }
    }

    /// Discards bytes from the client until it closes the connection or [`LINGER_BYTES`] is reached.
    fn linger(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut scratch = [0_u8; 8192];
        while !self.ended && self.lingered < LINGER_BYTES {
            let mut buffer = ReadBuf::new(&mut scratch);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Pending if self.lingered == 0 => break,
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    self.lingered += buffer.filled().len()
                }
                Poll::Ready(_) => self.ended = true,
            }
        }
        Poll::Ready(())
    }
}

impl AsyncRead for TrackedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut this.stream).poll_read(context, buffer));
        if buffer.filled().len() > before {
            this.activity.record_read();
        } else {
            this.ended = true;
        }
        Poll::Ready(read)
    }
}

impl AsyncWrite for TrackedStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.activity.record_write(&written);
        written
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.activity.record_write(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !this.write_closed {
            ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
            this.write_closed = true;
        }
        let lingered = this.linger(context);
        this.activity.closing.store(lingered.is_pending(), Relaxed);
        lingered.map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_connection_waits_for_a_request_head() {
        assert_eq!(ConnectionActivity::new().current().0, ConnectionPhase::Head);
    }

    #[test]
    fn a_request_is_busy_until_its_response_is_complete() {
        let activity = ConnectionActivity::new();
        activity.record_read();
        activity.request_begins();
        assert_eq!(activity.current().0, ConnectionPhase::Busy);
        activity.request_ends();
        assert_eq!(activity.current().0, ConnectionPhase::Idle);
        activity.record_read();
        assert_eq!(activity.current().0, ConnectionPhase::Head);
    }

    #[test]
    fn a_slow_body_extends_its_timeout_and_a_slow_head_does_not() {
        let activity = ConnectionActivity::new();
        let head = activity.current();
        activity.record_read();
        assert_eq!(activity.current(), head);
        activity.request_begins();
        activity.body_wanted(true);
        let body = activity.current();
        assert_eq!(body.0, ConnectionPhase::Stalled);
        activity.record_read();
        assert_ne!(activity.current(), body);
    }
}
