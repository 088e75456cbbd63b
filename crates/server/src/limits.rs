//! Sizes and timeouts.

use std::num::NonZeroUsize;
use std::time::Duration;

/// The limits of a server and of each of its clients.
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
    /// Limits with these timeouts, which are configurable; everything else has a fixed default.
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
