//! The accept loop and the shutdown.

use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use poem::Endpoint;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

use super::overload::Queue;
use super::workers::WorkerPool;
use super::{Listener, ServeError, ServerLimits, overload};

/// First pause after an `accept` error that concerns the listener, such as too many open files.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// Longest pause between two attempts to accept.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The connection slots of a server. Clones share the slots.
#[derive(Debug, Clone)]
pub struct Connections {
    permits: Arc<Semaphore>,
    limit: usize,
}

impl Connections {
    /// Allows `limit` connections at the same time.
    #[must_use]
    pub fn new(limit: NonZeroUsize) -> Self {
        let limit = limit.get().min(Semaphore::MAX_PERMITS);
        Self {
            permits: Arc::new(Semaphore::new(limit)),
            limit,
        }
    }

    /// The number of open connections.
    #[must_use]
    pub fn open(&self) -> usize {
        self.limit.saturating_sub(self.permits.available_permits())
    }

    /// The maximum number of open connections.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }
}

/// Serves `endpoint` on `listener` until `stop` completes.
///
/// A shutdown closes the listener and idle connections, lets busy connections finish their
/// request, and cuts the rest after [`ServerLimits::stop_time`]. Dropping the future cuts everything at
/// once.
///
/// Connections run on [`ServerLimits::workers`] threads; the caller's runtime only accepts. A handler
/// that computes for long belongs on `spawn_blocking`, because it delays the other connections of
/// its thread.
///
/// # Errors
///
/// [`ServeError`]; clients cannot cause one.
pub async fn serve<E: Endpoint + 'static>(
    listener: impl Into<Listener>,
    endpoint: E,
    limits: ServerLimits,
    connections: Connections,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let Listener { socket, tls } = listener.into();
    let encrypted = tls.is_some();
    socket.set_nonblocking(true).map_err(ServeError::Listener)?;
    let listener = TcpListener::from_std(socket).map_err(ServeError::Listener)?;
    let (stop_time, queue_time) = (limits.stop_time, limits.queue_time);
    let mut workers = WorkerPool::start(endpoint, limits, tls)?;

    let outcome = tokio::select! {
        outcome = accept(&listener, &connections.permits, Queue { time: queue_time, encrypted }, &mut workers) => outcome,
        () = stop => Ok(()),
    };

    drop(listener);
    workers.begin_shutdown();
    let all = u32::try_from(connections.limit).unwrap_or(u32::MAX);
    if tokio::time::timeout(stop_time, connections.permits.acquire_many(all))
        .await
        .is_err()
    {
        tracing::warn!(
            connections = connections.open(),
            "shutdown timed out: closing connections that are still busy"
        );
    }
    workers.join().await;
    outcome
}

/// Accepts connections until an error ends the server.
async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
    queue: Queue,
    workers: &mut WorkerPool,
) -> Result<(), ServeError> {
    let mut pause = FIRST_PAUSE;
    let mut waiting = JoinSet::new();
    let (admit, mut admitted) = mpsc::channel(1);
    // Logged once per period of overload.
    let mut overload_reported = false;
    loop {
        while waiting.try_join_next().is_some() {}
        let accepted = tokio::select! {
            accepted = listener.accept(), if waiting.len() < overload::QUEUE_LENGTH => accepted,
            Some((stream, permit)) = admitted.recv() => {
                workers.dispatch(stream, permit)?;
                continue;
            }
            Some(_) = waiting.join_next() => continue,
        };
        match accepted {
            Ok((stream, _)) => {
                pause = FIRST_PAUSE;
                if let Ok(permit) = permits.clone().try_acquire_owned() {
                    overload_reported = false;
                    workers.dispatch(stream, permit)?;
                    continue;
                }
                if !std::mem::replace(&mut overload_reported, true) {
                    tracing::warn!(
                        "all connections are in use: new clients wait, then get a 503; \
                         if this happens often, raise max-connections"
                    );
                }
                waiting.spawn(overload::wait_for_slot(
                    stream,
                    permits.clone(),
                    queue,
                    admit.clone(),
                ));
            }
            Err(error) if is_client_error(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection: retrying in {} ms", pause.as_millis());
                tokio::time::sleep(pause).await;
                pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
            }
        }
    }
}

/// Whether an error of `accept` concerns one connection and not the listener.
fn is_client_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted
    )
}
