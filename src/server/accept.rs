//! The accept loop: who gets a connection, on which thread, and how all of them end.

use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use poem::Endpoint;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinSet;

use super::Limits;
use super::connection::{self, Stop};
use super::porch;

/// First pause after an error of `accept` that will not pass by itself, such as too many open files.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// Longest pause between two tries of `accept`.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Why serving ended other than by the order to stop.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The listening socket cannot be used.
    #[error("cannot accept connections: {0}")]
    Listener(#[source] io::Error),
    /// A serving thread could not be started.
    #[error("cannot start a thread to serve connections: {0}; lower the system's load or raise its limit of threads")]
    Thread(#[source] io::Error),
    /// No serving thread is left.
    #[error("all threads that serve connections have ended unexpectedly: start the program again and report the fault")]
    Workers,
}

/// Accepts connections on `listener` and answers their requests with `endpoint` until `stop`.
///
/// Then no connection is accepted any more, idle ones are closed, busy ones finish the request
/// they are at, and what is still busy after [`Limits::stop_time`] is cut. Dropping the future
/// cuts everything at once.
///
/// Connections are served on threads of their own, [`Limits::workers`] of them; the caller's
/// runtime only accepts. Handlers may use tokio as everywhere, but one that computes for long
/// holds up its neighbours and belongs on `spawn_blocking`.
///
/// # Errors
///
/// [`ServeError`]; never for what a client does.
pub async fn serve<E: Endpoint + 'static>(
    listener: std::net::TcpListener,
    endpoint: E,
    limits: Limits,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    serve_counted(listener, endpoint, limits, &Connections::default(), stop).await
}

/// As [`serve`], and counts connections for somebody else.
///
/// # Errors
///
/// As [`serve`].
pub async fn serve_counted<E: Endpoint + 'static>(
    listener: std::net::TcpListener,
    endpoint: E,
    limits: Limits,
    connections: &Connections,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    listener.set_nonblocking(true).map_err(ServeError::Listener)?;
    let listener = TcpListener::from_std(listener).map_err(ServeError::Listener)?;
    let (stop_time, queue_time) = (limits.stop_time, limits.queue_time);
    let capacity = limits.connections.get().min(Semaphore::MAX_PERMITS);
    let permits = Arc::new(Semaphore::new(capacity));
    let mut crew = Crew::start(endpoint, limits, connections)?;

    let outcome = tokio::select! {
        outcome = accept(&listener, &permits, queue_time, &mut crew) => outcome,
        () = stop => Ok(()),
    };

    drop(listener);
    crew.stop.give();
    let all = u32::try_from(capacity).unwrap_or(u32::MAX);
    if tokio::time::timeout(stop_time, permits.acquire_many(all)).await.is_err() {
        let busy = capacity.saturating_sub(permits.available_permits());
        tracing::warn!(connections = busy, "the time to stop is over: connections that are still busy are cut");
    }
    crew.end().await;
    outcome
}

/// The connections that a server has, for whoever counts them.
#[derive(Debug, Default)]
pub struct Connections(Mutex<Vec<Arc<AtomicUsize>>>);

impl Connections {
    /// How many there are.
    pub fn open(&self) -> usize {
        self.loads().iter().map(|load| load.load(Ordering::Relaxed)).sum()
    }

    /// Counts those of one thread.
    fn add(&self, load: Arc<AtomicUsize>) {
        self.loads().push(load);
    }

    fn loads(&self) -> MutexGuard<'_, Vec<Arc<AtomicUsize>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Accepts for ever; ends only with an error.
async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
    queue_time: Duration,
    crew: &mut Crew,
) -> Result<(), ServeError> {
    let mut pause = FIRST_PAUSE;
    let mut waiting = JoinSet::new();
    let (placed, mut late) = mpsc::channel(1);
    // Whether it was said that all places are taken; it is said once until some are free again.
    let mut told = false;
    loop {
        while waiting.try_join_next().is_some() {}
        let accepted = tokio::select! {
            accepted = listener.accept(), if waiting.len() < porch::PLACES => accepted,
            Some((stream, permit)) = late.recv() => {
                crew.seat(stream, permit)?;
                continue;
            }
            Some(_) = waiting.join_next() => continue,
        };
        match accepted {
            Ok((stream, _)) => {
                pause = FIRST_PAUSE;
                match permits.clone().try_acquire_owned() {
                    Ok(permit) => {
                        told = false;
                        crew.seat(stream, permit)?;
                    }
                    Err(_) => {
                        if !std::mem::replace(&mut told, true) {
                            tracing::warn!(
                                "all connections are in use: new ones wait for a place, then they are turned away; \
                                 if that happens often, raise max-connections"
                            );
                        }
                        waiting.spawn(porch::wait(stream, permits.clone(), queue_time, placed.clone()));
                    }
                }
            }
            Err(error) if is_about_one_client(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection: trying again in {} ms", pause.as_millis());
                tokio::time::sleep(pause).await;
                pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
            }
        }
    }
}

/// Whether an error of `accept` concerns the connection it would have given, not the next one.
fn is_about_one_client(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted)
}

/// A connection on its way to its thread. While the permit lives, it counts.
struct Arrival {
    stream: std::net::TcpStream,
    permit: OwnedSemaphorePermit,
}

/// The threads that serve.
struct Crew {
    members: Vec<Member>,
    stop: Arc<Stop>,
    ended: mpsc::Receiver<()>,
}

/// One serving thread, seen from the accept loop.
struct Member {
    door: mpsc::UnboundedSender<Arrival>,
    load: Arc<AtomicUsize>,
}

impl Crew {
    fn start<E: Endpoint + 'static>(
        endpoint: E,
        limits: Limits,
        connections: &Connections,
    ) -> Result<Self, ServeError> {
        let endpoint = Arc::new(endpoint);
        let limits = Arc::new(limits);
        let stop = Arc::new(Stop::default());
        let (alive, ended) = mpsc::channel(1);
        let mut members = Vec::new();
        for number in 0..limits.workers.get() {
            let runtime = Builder::new_current_thread().enable_all().build().map_err(ServeError::Thread)?;
            let (door, arrivals) = mpsc::unbounded_channel();
            let load = Arc::new(AtomicUsize::new(0));
            connections.add(load.clone());
            let work = work(arrivals, endpoint.clone(), limits.clone(), stop.clone(), load.clone());
            let alive = alive.clone();
            std::thread::Builder::new()
                .name(format!("serve-{number}"))
                .spawn(move || {
                    runtime.block_on(work);
                    // What still runs is cut; a blocking call of a handler is not waited for.
                    runtime.shutdown_background();
                    drop(alive);
                })
                .map_err(ServeError::Thread)?;
            members.push(Member { door, load });
        }
        Ok(Crew { members, stop, ended })
    }

    /// Gives a connection that has a place to one of the threads.
    fn seat(&mut self, stream: TcpStream, permit: OwnedSemaphorePermit) -> Result<(), ServeError> {
        // A socket that cannot change its runtime is one the client has closed.
        match stream.into_std() {
            Ok(stream) => self.take(Arrival { stream, permit }),
            Err(_) => Ok(()),
        }
    }

    /// Gives a connection to the thread that has the fewest.
    fn take(&mut self, mut arrival: Arrival) -> Result<(), ServeError> {
        loop {
            let least = self.members.iter().enumerate().min_by_key(|(_, member)| member.load.load(Ordering::Relaxed));
            let Some((index, member)) = least else { return Err(ServeError::Workers) };
            member.load.fetch_add(1, Ordering::Relaxed);
            match member.door.send(arrival) {
                Ok(()) => return Ok(()),
                Err(refused) => {
                    tracing::error!("a thread that serves connections has ended unexpectedly");
                    arrival = refused.0;
                    self.members.swap_remove(index);
                }
            }
        }
    }

    /// Closes the doors, which ends the threads, and waits until they have ended.
    async fn end(mut self) {
        self.members.clear();
        let _ = self.ended.recv().await;
    }
}

/// One thread's work: a task per connection, until the door is closed.
async fn work<E: Endpoint + 'static>(
    mut arrivals: mpsc::UnboundedReceiver<Arrival>,
    endpoint: Arc<E>,
    limits: Arc<Limits>,
    stop: Arc<Stop>,
    load: Arc<AtomicUsize>,
) {
    let protocol = Arc::new(connection::protocol(&limits));
    while let Some(Arrival { stream, permit }) = arrivals.recv().await {
        let leaving = Leaving { load: load.clone(), _permit: permit };
        let Ok(stream) = TcpStream::from_std(stream) else { continue };
        let (protocol, endpoint) = (protocol.clone(), endpoint.clone());
        let (limits, stop) = (limits.clone(), stop.clone());
        tokio::spawn(async move {
            connection::run(&protocol, endpoint, stream, &limits, &stop).await;
            drop(leaving);
        });
    }
}

/// Gives back a connection's place when it ends, however it ends.
struct Leaving {
    load: Arc<AtomicUsize>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.load.fetch_sub(1, Ordering::Relaxed);
    }
}
