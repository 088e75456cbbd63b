//! What a connection is doing at the moment, and the socket that tells.
//!
//! Every part of a connection runs in one task, so the counters need no ordering among
//! themselves; they are atomics only because the task may be handed to a thread.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// Bytes read and thrown away at the end of a connection, so that closing it does not destroy
/// the answer on its way to a client that is still sending.
const LINGER_BYTES: usize = 256 * 1024;

/// What the time-out of a connection is measured for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Between two requests.
    Idle,
    /// The head of a request is on its way.
    Head,
    /// The endpoint is at work, or its answer flows.
    Busy,
    /// Bytes should move, and the client does not let them.
    Stalled,
    /// The last answer is out, and the client still sends.
    Leaving,
}

/// The state of one connection, written by its socket, its requests and its answers.
#[derive(Debug)]
pub(super) struct Pulse {
    /// Requests so far (wraps around; only a difference counts).
    requests: AtomicU32,
    /// Reads and writes that moved bytes (wraps around).
    moves: AtomicU32,
    /// Requests whose answer has not been handed over entirely.
    open: AtomicU32,
    /// Bytes came since the last complete head.
    head: AtomicBool,
    /// The endpoint waits for bytes of the request's body.
    wants_body: AtomicBool,
    /// The last write had to wait.
    blocked: AtomicBool,
    /// The connection only waits for its client to close.
    leaving: AtomicBool,
}

impl Pulse {
    /// A connection that was just accepted: its first request is due.
    pub(super) fn new() -> Self {
        Pulse {
            requests: AtomicU32::new(0),
            moves: AtomicU32::new(0),
            open: AtomicU32::new(0),
            head: AtomicBool::new(true),
            wants_body: AtomicBool::new(false),
            blocked: AtomicBool::new(false),
            leaving: AtomicBool::new(false),
        }
    }

    /// A head is complete and its request goes to the endpoint.
    pub(super) fn request_begins(&self) {
        self.head.store(false, Relaxed);
        increase(&self.requests, 1);
        increase(&self.open, 1);
    }

    /// The answer to a request has been handed over entirely, or given up.
    pub(super) fn request_ends(&self) {
        self.wants_body.store(false, Relaxed);
        self.open.store(self.open.load(Relaxed).wrapping_sub(1), Relaxed);
    }

    /// Whether the endpoint waits for bytes of the request's body.
    pub(super) fn body_wanted(&self, wanted: bool) {
        self.wants_body.store(wanted, Relaxed);
    }

    /// The phase, and a number that changes whenever its time has to start anew.
    pub(super) fn beat(&self) -> (Phase, u32) {
        let requests = self.requests.load(Relaxed);
        let open = self.open.load(Relaxed) > 0;
        if self.leaving.load(Relaxed) {
            (Phase::Leaving, requests)
        } else if self.blocked.load(Relaxed) || (open && self.wants_body.load(Relaxed)) {
            (Phase::Stalled, self.moves.load(Relaxed))
        } else if open {
            (Phase::Busy, requests)
        } else if self.head.load(Relaxed) {
            (Phase::Head, requests)
        } else {
            (Phase::Idle, requests)
        }
    }

    fn was_read(&self) {
        increase(&self.moves, 1);
        if self.open.load(Relaxed) == 0 {
            self.head.store(true, Relaxed);
        }
    }

    fn was_written<T>(&self, written: &Poll<io::Result<T>>) {
        if written.is_ready() {
            increase(&self.moves, 1);
        }
        self.blocked.store(written.is_pending(), Relaxed);
    }
}

/// Adds without a locked instruction: one task writes.
fn increase(counter: &AtomicU32, by: u32) {
    counter.store(counter.load(Relaxed).wrapping_add(by), Relaxed);
}

/// A socket that keeps its connection's [`Pulse`], and closes without cutting off the answer.
pub(super) struct Wire {
    stream: TcpStream,
    pulse: Arc<Pulse>,
    ended: bool,
    closing: bool,
    lingered: usize,
}

impl Wire {
    /// Reads and writes `stream`, and notes it in `pulse`.
    pub(super) fn new(stream: TcpStream, pulse: Arc<Pulse>) -> Self {
        Wire { stream, pulse, ended: false, closing: false, lingered: 0 }
    }

    /// Throws away what the client still sends, until it closes or has sent enough. A socket
    /// that is closed with bytes unread resets the connection, and the client may lose the answer.
    fn linger(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut scratch = [0_u8; 8192];
        while !self.ended && self.lingered < LINGER_BYTES {
            let mut buffer = ReadBuf::new(&mut scratch);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Pending if self.lingered == 0 => break,
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => self.lingered += buffer.filled().len(),
                Poll::Ready(_) => self.ended = true,
            }
        }
        Poll::Ready(())
    }
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut wire.stream).poll_read(context, buffer));
        if buffer.filled().len() > before {
            wire.pulse.was_read();
        } else {
            wire.ended = true;
        }
        Poll::Ready(read)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let wire = self.get_mut();
        let written = Pin::new(&mut wire.stream).poll_write(context, bytes);
        wire.pulse.was_written(&written);
        written
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wire = self.get_mut();
        let written = Pin::new(&mut wire.stream).poll_write_vectored(context, slices);
        wire.pulse.was_written(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        if !wire.closing {
            ready!(Pin::new(&mut wire.stream).poll_shutdown(context))?;
            wire.closing = true;
        }
        let lingered = wire.linger(context);
        wire.pulse.leaving.store(lingered.is_pending(), Relaxed);
        lingered.map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_connection_owes_the_head_of_its_first_request() {
        assert_eq!(Pulse::new().beat().0, Phase::Head);
    }

    #[test]
    fn a_request_is_busy_until_its_answer_has_been_handed_over() {
        let pulse = Pulse::new();
        pulse.was_read();
        pulse.request_begins();
        assert_eq!(pulse.beat().0, Phase::Busy);
        pulse.request_ends();
        assert_eq!(pulse.beat().0, Phase::Idle);
        pulse.was_read();
        assert_eq!(pulse.beat().0, Phase::Head);
    }

    #[test]
    fn a_trickling_head_does_not_buy_time_but_a_trickling_body_does() {
        let pulse = Pulse::new();
        let head = pulse.beat();
        pulse.was_read();
        assert_eq!(pulse.beat(), head);
        pulse.request_begins();
        pulse.body_wanted(true);
        let body = pulse.beat();
        assert_eq!(body.0, Phase::Stalled);
        pulse.was_read();
        assert_ne!(pulse.beat(), body);
    }
}
