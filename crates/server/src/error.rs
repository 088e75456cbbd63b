//! Why the server ends.

use std::io;

/// Why the server ended without a request to stop.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The listening socket cannot be used.
    #[error("cannot accept connections: {0}")]
    Listener(#[source] io::Error),
    /// A worker thread cannot be started.
    #[error(
        "cannot start a worker thread: {0}; reduce the system's load or raise its thread limit"
    )]
    Thread(#[source] io::Error),
    /// No worker thread is left.
    #[error("all worker threads ended unexpectedly: restart gitglot and report this bug")]
    Workers,
}
