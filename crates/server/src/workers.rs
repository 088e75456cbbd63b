//! The worker threads, each with a single-threaded runtime.

use std::sync::Arc;

use poem::Endpoint;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::mpsc;

use super::connection::{self, ConnectionSettings, Shutdown};
use super::slots::Slot;
use crate::error::ServeError;
use crate::limits::ServerLimits;
use crate::tls::Tls;

pub(super) struct WorkerPool {
    workers: Vec<WorkerHandle>,
    shutdown: Arc<Shutdown>,
    ended: mpsc::Receiver<()>,
}

/// The accept loop's handle of one worker thread.
struct WorkerHandle {
    queue: mpsc::UnboundedSender<AcceptedConnection>,
    /// Each connection of the worker has a clone: the strong count is the load.
    load: Arc<()>,
}

/// A connection, and the load of its worker.
type AcceptedConnection = ((std::net::TcpStream, Slot), Arc<()>);

impl WorkerPool {
    /// Starts [`ServerLimits::workers`] threads that serve `endpoint`.
    pub(super) fn start<E: Endpoint + 'static>(
        endpoint: E,
        limits: ServerLimits,
        tls: Option<Arc<Tls>>,
    ) -> Result<Self, ServeError> {
        let endpoint = Arc::new(endpoint);
        let settings = Arc::new(ConnectionSettings {
            protocol: connection::protocol(&limits),
            limits,
            tls,
        });
        let limits = &settings.limits;
        let shutdown = Arc::new(Shutdown::default());
        let (alive, ended) = mpsc::channel(1);
        let mut workers = Vec::new();
        for number in 0..limits.workers.get() {
            let runtime = Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(ServeError::Thread)?;
            let (queue, jobs) = mpsc::unbounded_channel();
            let work = work(jobs, endpoint.clone(), settings.clone(), shutdown.clone());
            let alive = alive.clone();
            std::thread::Builder::new()
                .name(format!("serve-{number}"))
                .spawn(move || {
                    runtime.block_on(work);
                    // Cuts open connections and does not wait for blocking calls of handlers.
                    runtime.shutdown_background();
                    drop(alive);
                })
                .map_err(ServeError::Thread)?;
            let load = Arc::default();
            workers.push(WorkerHandle { queue, load });
        }
        Ok(Self {
            workers,
            shutdown,
            ended,
        })
    }

    /// Gives a connection to the worker that has the fewest.
    pub(super) fn dispatch(&mut self, stream: TcpStream, slot: Slot) -> Result<(), ServeError> {
        // A socket that cannot leave its runtime was closed by the client.
        let Ok(stream) = stream.into_std() else {
            return Ok(());
        };
        let mut job = (stream, slot);
        loop {
            let workers = self.workers.iter().enumerate();
            let least = workers.min_by_key(|(_, worker)| Arc::strong_count(&worker.load));
            let Some((index, worker)) = least else {
                return Err(ServeError::Workers);
            };
            let Err(refused) = worker.queue.send((job, worker.load.clone())) else {
                return Ok(());
            };
            tracing::error!("a worker thread ended unexpectedly");
            (job, _) = refused.0;
            self.workers.swap_remove(index);
        }
    }

    /// Makes all connections end after their current request.
    pub(super) fn begin_shutdown(&self) {
        self.shutdown.begin();
    }

    /// Ends the threads and waits for them.
    pub(super) async fn join(mut self) {
        self.workers.clear();
        let _ = self.ended.recv().await;
    }
}

/// Runs one worker: a task per connection, until its queue closes.
async fn work<E: Endpoint + 'static>(
    mut jobs: mpsc::UnboundedReceiver<AcceptedConnection>,
    endpoint: Arc<E>,
    settings: Arc<ConnectionSettings>,
    shutdown: Arc<Shutdown>,
) {
    while let Some(((stream, slot), load)) = jobs.recv().await {
        let Ok(stream) = TcpStream::from_std(stream) else {
            continue;
        };
        let (endpoint, settings, shutdown) = (endpoint.clone(), settings.clone(), shutdown.clone());
        tokio::spawn(async move {
            connection::run(endpoint, stream, &settings, &shutdown).await;
            // The accept loop compares loads as soon as a slot is free.
            drop((load, slot));
        });
    }
}
