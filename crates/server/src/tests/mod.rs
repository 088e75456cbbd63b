//! Tests over real sockets, as clients see the server. Contains shared helpers: a server on a free port, requests and
//! responses.

mod limits;
mod requests;

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use poem::endpoint::make;
use poem::{Body, Endpoint, IntoResponse, Request, Response};
use tokio::sync::{Semaphore, oneshot};

use super::*;

/// A server on a free port, in its own thread.
struct Running {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: JoinHandle<Result<(), ServeError>>,
}

impl Running {
    fn start(endpoint: impl Endpoint + 'static, limits: ServerLimits) -> Self {
        Self::start_with(endpoint, limits, 100)
    }

    /// Starts a server with a maximum number of connections.
    fn start_with(
        endpoint: impl Endpoint + 'static,
        limits: ServerLimits,
        connections: usize,
    ) -> Self {
        let connections = Connections::new(NonZeroUsize::new(connections).unwrap());
        Self::start_limited(endpoint, limits, connections)
    }

    fn start_limited(
        endpoint: impl Endpoint + 'static,
        limits: ServerLimits,
        connections: Connections,
    ) -> Self {
        let listener = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(serve(listener, endpoint, limits, connections, async {
                let _ = stopped.await;
            }))
        });
        Running {
            address,
            stop: Some(stop),
            thread,
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        // Only a broken server reaches this timeout.
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    fn begin_stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }

    fn stop(mut self) {
        self.begin_stop();
        self.thread.join().unwrap().unwrap();
    }
}

/// Timeouts that no test reaches unless it changes one.
fn patient() -> ServerLimits {
    let long = Duration::from_secs(600);
    ServerLimits {
        workers: NonZeroUsize::new(2).unwrap(),
        stall_time: long,
        queue_time: long,
        stop_time: long,
        ..ServerLimits::new(long, long)
    }
}

/// Responds with the path and the length of the request body.
fn echo() -> impl Endpoint {
    make(|mut request: Request| async move {
        let path = request.uri().path().to_owned();
        let body = request.take_body().into_bytes().await?;
        Ok::<_, poem::Error>(format!("{path} {}", body.len()))
    })
}

fn send(stream: &mut TcpStream, text: &str) {
    stream.write_all(text.as_bytes()).unwrap();
}

fn get(stream: &mut TcpStream, path: &str) {
    send(
        stream,
        &format!("GET {path} HTTP/1.1\r\nhost: test\r\n\r\n"),
    );
}

/// Reads a response: its head in lower case, and its body.
fn read_response(stream: &mut TcpStream) -> (String, String) {
    let head = read_head(stream);
    let length = head
        .split("content-length: ")
        .nth(1)
        .and_then(|rest| rest.lines().next())
        .unwrap()
        .parse()
        .unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    (head, String::from_utf8(body).unwrap())
}

fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        head.extend_from_slice(&byte);
    }
    String::from_utf8(head).unwrap().to_lowercase()
}

/// Reads until the server closes or resets the connection.
fn read_rest(stream: &mut TcpStream) -> String {
    let mut rest = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => rest.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("the connection is still open: {error}"),
        }
    }
    String::from_utf8(rest).unwrap()
}

/// Controls an endpoint that reports each request and responds when the gate opens.
struct Gate {
    started: mpsc::Receiver<String>,
    open: Arc<Semaphore>,
    most_at_once: Arc<AtomicUsize>,
}

fn gated() -> (Gate, impl Endpoint) {
    let (starts, started) = mpsc::channel();
    let open = Arc::new(Semaphore::new(0));
    let at_once = Arc::new(AtomicUsize::new(0));
    let most_at_once = Arc::new(AtomicUsize::new(0));
    let gate = Gate {
        started,
        open: open.clone(),
        most_at_once: most_at_once.clone(),
    };
    let endpoint = make(move |request: Request| {
        let (starts, open) = (starts.clone(), open.clone());
        let (at_once, most_at_once) = (at_once.clone(), most_at_once.clone());
        async move {
            let path = request.uri().path().to_owned();
            most_at_once.fetch_max(at_once.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            starts.send(path.clone()).unwrap();
            open.acquire().await.unwrap().forget();
            at_once.fetch_sub(1, Ordering::SeqCst);
            path
        }
    });
    (gate, endpoint)
}
