//! The accept loop and the shutdown.

use std::io::{self, ErrorKind};
use std::time::Duration;

use poem::Endpoint;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::nofile::SpareFiles;
use super::overload::{self, Queue, Refusal};
use super::workers::WorkerPool;
use crate::error::ServeError;
use crate::limits::ServerLimits;
use crate::slots::Connections;
use crate::tls::Listener;

/// First pause after an `accept` error that concerns the listener, such as too many open files.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// Longest pause between two attempts to accept.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

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
    let stop_time = limits.stop_time;
    let queue = Queue {
        time: limits.queue_time,
        liveness_path: limits.liveness_path,
        encrypted,
    };
    let workers = WorkerPool::start(endpoint, limits, tls)?;
    let mut accepting = Accepting {
        connections: connections.clone(),
        queue,
        workers,
        waiting: JoinSet::new(),
        spare_files: SpareFiles::open(),
        overload_reported: false,
    };

    let outcome = tokio::select! {
        outcome = accepting.run(&listener) => outcome,
        () = stop => Ok(()),
    };
    let workers = accepting.workers;
    drop(accepting.waiting);
    drop(listener);
    workers.begin_shutdown();
    let all = u32::try_from(connections.limit()).unwrap_or(u32::MAX);
    let all_ended = connections.permits.acquire_many(all);
    if tokio::time::timeout(stop_time, all_ended).await.is_err() {
        tracing::warn!(
            connections = connections.open(),
            "shutdown timed out: closing connections that are still busy"
        );
    }
    workers.join().await;
    outcome
}

struct Accepting {
    connections: Connections,
    queue: Queue,
    workers: WorkerPool,
    /// Connections that wait for a slot or are refused.
    waiting: JoinSet<()>,
    spare_files: SpareFiles,
    /// Overload is logged once per period.
    overload_reported: bool,
}

impl Accepting {
    /// Accepts connections until an error ends the server.
    async fn run(&mut self, listener: &TcpListener) -> Result<(), ServeError> {
        let mut pause = FIRST_PAUSE;
        let (admit, mut admitted) = mpsc::channel(1);
        loop {
            while self.waiting.try_join_next().is_some() {}
            let accepted = tokio::select! {
                accepted = listener.accept(), if self.waiting.len() < 2 * self.connections.queue_length() => accepted,
                Some((stream, slot)) = admitted.recv() => {
                    self.workers.dispatch(stream, slot)?;
                    continue;
                }
                Some(_) = self.waiting.join_next() => continue,
            };
            match accepted {
                Ok((stream, _)) => {
                    pause = FIRST_PAUSE;
                    self.admit(stream, &admit)?;
                }
                Err(error) if is_client_error(&error) => {}
                Err(error) if is_out_of_files(&error) && self.spare_files.release() => {
                    // With a spare file, the client gets a response instead of no connection.
                    if let Ok(Ok((stream, _))) =
                        tokio::time::timeout(Duration::ZERO, listener.accept()).await
                    {
                        self.refuse(stream, Refusal::Overload);
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection: retrying in {} ms", pause.as_millis());
                    tokio::time::sleep(pause).await;
                    pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Gives a connection to a worker, or makes it wait for a slot.
    fn admit(
        &mut self,
        stream: TcpStream,
        admit: &mpsc::Sender<overload::Admitted>,
    ) -> Result<(), ServeError> {
        let Ok(peer) = stream.peer_addr() else {
            return Ok(()); // the client has disconnected
        };
        let Some(client) = self.connections.client(peer.ip()) else {
            // A single client cannot fill the queue with connections that are refused.
            if self.waiting.len() < self.connections.queue_length().div_ceil(4) {
                self.refuse(stream, Refusal::Client);
            }
            return Ok(());
        };
        let client = match self.connections.try_slot(client) {
            Ok(slot) => {
                self.overload_reported = false;
                return self.workers.dispatch(stream, slot);
            }
            Err(client) => client,
        };
        if !std::mem::replace(&mut self.overload_reported, true) {
            tracing::warn!(
                "all connections are in use: new clients wait, then get a 503; \
                 if this happens often, raise max-connections"
            );
        }
        if self.waiting.len() >= self.connections.queue_length() {
            self.refuse(stream, Refusal::Overload);
            return Ok(());
        }
        let (connections, admit) = (self.connections.clone(), admit.clone());
        let wait = overload::wait_for_slot(stream, connections, client, self.queue, admit);
        self.waiting.spawn(wait);
        Ok(())
    }

    fn refuse(&mut self, stream: TcpStream, refusal: Refusal) {
        let spare_files = self.spare_files.clone();
        let is_full = self.waiting.len() >= self.connections.queue_length();
        let limit = if is_full {
            overload::FULL_QUEUE_TIME
        } else {
            overload::REJECT_TIME
        };
        let refused = overload::refuse(stream, refusal, self.queue, limit);
        self.waiting.spawn(async move {
            refused.await;
            spare_files.reopen();
        });
    }
}

fn is_out_of_files(error: &io::Error) -> bool {
    #[cfg(unix)]
    let codes = [rustix::io::Errno::MFILE, rustix::io::Errno::NFILE];
    #[cfg(unix)]
    return codes
        .iter()
        .any(|code| error.raw_os_error() == Some(code.raw_os_error()));
    #[cfg(not(unix))]
    return {
        let _ = error;
        false
    };
}

/// Whether an error of `accept` concerns one connection and not the listener.
fn is_client_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted
    )
}
