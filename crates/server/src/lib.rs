//! The HTTP/1.1 server: listening socket, connections, TLS, limits and graceful shutdown.
//!
//! It drives a [`poem::Endpoint`] with hyper and its own accept loop. poem's server lacks a
//! header timeout, a connection limit, a bounded shutdown, and backoff when `accept` fails. Each
//! core runs a single-threaded runtime, which costs less per small response than one shared
//! runtime (measured in `benches/README.md`).
//!
//! This module must not depend on anything it serves: no git, no catalog, no API, no health
//! endpoints.
//!
//! ```
//! let listener = gitglot_server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
//! assert_ne!(listener.local_addr().unwrap().port(), 0);
//! ```

mod accept;
mod activity;
mod bind;
mod connection;
mod error;
mod nofile;
mod overload;
mod signal;
mod slots;
mod tls;
mod workers;

#[cfg(test)]
mod tests;

pub use accept::serve;
pub use bind::{BindError, bind, inherited};
pub use error::ServeError;
pub use nofile::raise_nofile_limit;
pub use signal::{on_reload_signal, stop_signal};
pub use slots::Connections;
pub use tls::{Listener, Tls, TlsError};

use std::num::NonZeroUsize;
use std::time::Duration;

/// ServerLimits for one client.
///
/// The time an endpoint needs for a response has no limit, and neither has a streamed response
/// while its bytes flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerLimits {
    /// Threads that serve connections, each with its own runtime.
    pub workers: NonZeroUsize,
    /// How long a connection waits for a free slot before it gets a 503.
    pub queue_time: Duration,
    /// A path whose requests get `{"status":"ok"}` even if all connections are in use, except with TLS.
    pub liveness_path: Option<&'static str>,
    /// Maximum bytes of request line and headers; longer heads get a 431.
    pub header_size: usize,
    /// Maximum bytes of a request body. Reading more fails with [`std::io::ErrorKind::FileTooLarge`].
    pub body_size: usize,
    /// Timeout for the request headers, from the start of the connection or the first byte of a later request.
    pub header_time: Duration,
    /// Timeout between a response and the next request on the connection.
    pub idle_time: Duration,
    /// Timeout while no byte of a request body arrives and no byte of a response leaves.
    pub stall_time: Duration,
    /// How long a shutdown waits for busy connections.
    pub stop_time: Duration,
}

impl ServerLimits {
    /// ServerLimits with the configurable timeouts; everything else has a fixed default.
    #[must_use]
    pub fn new(header_time: Duration, idle_time: Duration) -> Self {
        ServerLimits {
            workers: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            queue_time: Duration::from_secs(1),
            liveness_path: None,
            header_size: 16 * 1024,
            body_size: 8 * 1024 * 1024,
            header_time,
            idle_time,
            stall_time: Duration::from_secs(30),
            stop_time: Duration::from_secs(10),
        }
    }
}
