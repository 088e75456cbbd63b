//! The serving room: a listening socket, connections over HTTP/1.1, their limits, the
//! graceful stop, and the two health resources.
//!
//! It feeds poem's endpoint through hyper with an accept loop of its own, because limits and
//! speed need it: a time for the head of a request, a cap on connections, errors of `accept`
//! that do not spin, a bounded stop, and one single-threaded runtime per processor core, which
//! serves small answers with less work than one runtime shared by all cores (measured in
//! `benches/README.md`).
//!
//! It must not know what is served: no git, no catalog, no API. It takes any
//! [`poem::Endpoint`] and a [`Readiness`] that somebody else fills.

mod accept;
mod bind;
mod connection;
mod files;
mod health;
mod porch;
mod pulse;
mod signal;

#[cfg(test)]
mod tests;

pub use accept::{Connections, ServeError, serve, serve_counted};
pub use bind::{BindError, bind};
pub use files::room_for;
pub use health::{App, Failure, Readiness, Report, app};
pub use signal::{on_reload_signal, stop_signal};

use std::num::NonZeroUsize;
use std::time::Duration;

/// What a client may use of the server, and how long.
///
/// Nothing limits how long an endpoint may take over its answer, nor how long an answer may
/// stream while its bytes flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Threads that serve connections, each with a runtime of its own.
    pub workers: NonZeroUsize,
    /// Connections served at the same time. Whoever comes later waits until one ends.
    pub connections: NonZeroUsize,
    /// How long that may take: then the answer is 503.
    pub queue_time: Duration,
    /// Bytes of a request's head: request line and headers. More is answered with 431.
    pub header_size: usize,
    /// Bytes of a request's body. Reading on fails with [`std::io::ErrorKind::FileTooLarge`].
    pub body_size: usize,
    /// From a connection's start, or the first byte of a later request, to the end of the head.
    pub header_time: Duration,
    /// Between an answer and the next request of the same connection.
    pub idle_time: Duration,
    /// Without any byte of a request's body arriving, or of an answer leaving.
    pub stall_time: Duration,
    /// From the order to stop until connections that are still busy are cut.
    pub stop_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            workers: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            // About half of the 1,024 open files that many systems allow a process; git needs some too.
            connections: NonZeroUsize::MIN.saturating_add(511),
            queue_time: Duration::from_secs(1),
            header_size: 16 * 1024,
            body_size: 8 * 1024 * 1024,
            header_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(60),
            stall_time: Duration::from_secs(30),
            stop_time: Duration::from_secs(10),
        }
    }
}
