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
mod limits;
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
pub use limits::ServerLimits;
pub use nofile::raise_nofile_limit;
pub use signal::{on_reload_signal, stop_signal};
pub use slots::Connections;
pub use tls::{Listener, Tls, TlsError};
