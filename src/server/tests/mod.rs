//! Tests over real sockets: limits, panics and shutdown as clients see them.

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

#[test]
fn a_connection_serves_several_requests() {
    let server = Running::start(echo(), patient());
    let mut client = server.connect();
    for path in ["/one", "/two"] {
        get(&mut client, path);
        let (head, body) = read_response(&mut client);
        assert!(head.starts_with("http/1.1 200 ok\r\n"), "{head}");
        assert!(head.contains("\r\ndate: "), "{head}");
        assert_eq!(body, format!("{path} 0"));
    }
    server.stop();
}

#[test]
fn pipelined_requests_get_responses_in_order() {
    let server = Running::start(echo(), patient());
    let mut client = server.connect();
    let requests: String = (0..100)
        .map(|number| format!("GET /{number} HTTP/1.1\r\nhost: test\r\n\r\n"))
        .collect();
    send(&mut client, &requests);
    for number in 0..100 {
        assert_eq!(read_response(&mut client).1, format!("/{number} 0"));
    }
    server.stop();
}

#[test]
fn head_requests_get_the_length_without_a_body() {
    let server = Running::start(echo(), patient());
    let mut client = server.connect();
    send(&mut client, "HEAD /page HTTP/1.1\r\nhost: test\r\n\r\n");
    let head = read_head(&mut client);
    assert!(head.contains("\r\ncontent-length: 7\r\n"), "{head}");
    // The next bytes belong to the next response.
    get(&mut client, "/next");
    assert_eq!(read_response(&mut client).1, "/next 0");
    server.stop();
}

#[test]
fn an_oversized_head_gets_a_431() {
    let server = Running::start(
        echo(),
        ServerLimits {
            header_size: 8192,
            ..patient()
        },
    );
    let mut client = server.connect();
    let filler = "x".repeat(64 * 1024);
    let _ = client.write_all(
        format!("GET / HTTP/1.1\r\nhost: test\r\nx-filler: {filler}\r\n\r\n").as_bytes(),
    );
    let response = read_rest(&mut client);
    assert!(response.starts_with("HTTP/1.1 431 "), "{response}");
    server.stop();
}

#[test]
fn a_request_that_is_not_http_gets_a_400() {
    let server = Running::start(echo(), patient());
    let mut client = server.connect();
    send(&mut client, "\u{1}\u{2}\u{3} nonsense\r\n\r\n");
    assert!(read_rest(&mut client).starts_with("HTTP/1.1 400 "));
    server.stop();
}

#[test]
fn an_incomplete_head_times_out() {
    let server = Running::start(
        echo(),
        ServerLimits {
            header_time: Duration::from_millis(50),
            ..patient()
        },
    );
    let mut silent = server.connect();
    let mut slow = server.connect();
    send(&mut slow, "GET / HTTP/1.1\r\nhost:");
    assert_eq!(read_rest(&mut slow), "");
    assert_eq!(read_rest(&mut silent), "");
    server.stop();
}

#[test]
fn each_request_has_its_own_header_timeout() {
    let server = Running::start(
        echo(),
        ServerLimits {
            header_time: Duration::from_secs(1),
            ..patient()
        },
    );
    let mut client = server.connect();
    get(&mut client, "/first");
    assert_eq!(read_response(&mut client).1, "/first 0");
    send(&mut client, "GET /second HTTP/1.1\r\nho");
    assert_eq!(read_rest(&mut client), "");
    server.stop();
}

#[test]
fn an_idle_connection_times_out() {
    let server = Running::start(
        echo(),
        ServerLimits {
            idle_time: Duration::from_millis(50),
            ..patient()
        },
    );
    let mut client = server.connect();
    get(&mut client, "/");
    assert_eq!(read_response(&mut client).1, "/ 0");
    assert_eq!(read_rest(&mut client), "");
    server.stop();
}

#[test]
fn an_incomplete_body_times_out() {
    let server = Running::start(
        echo(),
        ServerLimits {
            stall_time: Duration::from_millis(50),
            ..patient()
        },
    );
    let mut client = server.connect();
    send(
        &mut client,
        "POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\n\r\n12345",
    );
    assert_eq!(read_rest(&mut client), "");
    server.stop();
}

#[test]
fn a_client_that_does_not_read_the_response_times_out() {
    let (done, cut) = mpsc::channel();
    let endless = make(move |_| {
        let done = done.clone();
        async move {
            let sentinel = DropSignal(done);
            let chunks = endless_bytes(sentinel);
            Response::builder()
                .body(Body::from_async_read(chunks))
                .into_response()
        }
    });
    let server = Running::start(
        endless,
        ServerLimits {
            stall_time: Duration::from_millis(50),
            ..patient()
        },
    );
    let mut client = server.connect();
    get(&mut client, "/");
    // The client reads nothing; the server drops the response body when it gives up.
    cut.recv_timeout(Duration::from_secs(60)).unwrap();
    server.stop();
}

struct DropSignal(mpsc::Sender<()>);

impl Drop for DropSignal {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

/// An endless stream of bytes.
fn endless_bytes(sentinel: DropSignal) -> impl tokio::io::AsyncRead + Send + 'static {
    struct Endless(#[allow(dead_code)] DropSignal);
    impl tokio::io::AsyncRead for Endless {
        fn poll_read(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
            buffer: &mut tokio::io::ReadBuf<'_>,
        ) -> std::task::Poll<std::io::Result<()>> {
            buffer.put_slice(&[b'x'; 512]);
            std::task::Poll::Ready(Ok(()))
        }
    }
    Endless(sentinel)
}

#[test]
fn reading_a_body_beyond_the_limit_fails_in_the_handler() {
    let server = Running::start(
        echo(),
        ServerLimits {
            body_size: 9,
            ..patient()
        },
    );
    let mut client = server.connect();
    send(
        &mut client,
        "POST /in HTTP/1.1\r\nhost: test\r\ncontent-length: 9\r\n\r\n123456789",
    );
    assert_eq!(read_response(&mut client).1, "/in 9");
    send(
        &mut client,
        "POST /over HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\n\r\n1234567890",
    );
    let head = read_head(&mut client);
    assert!(!head.starts_with("http/1.1 200 "), "{head}");
    server.stop();
}

#[test]
fn a_panic_in_a_handler_fails_only_its_request() {
    let endpoint = make(|request: Request| async move {
        assert_ne!(
            request.uri().path(),
            "/fault",
            "this panic is part of a test"
        );
        "fine"
    });
    let server = Running::start(endpoint, patient());
    let mut client = server.connect();
    get(&mut client, "/fault");
    let (head, body) = read_response(&mut client);
    assert!(head.starts_with("http/1.1 500 "), "{head}");
    assert!(
        head.contains("\r\ncontent-type: application/json\r\n"),
        "{head}"
    );
    assert_eq!(body, r#"{"detail":"Internal server error."}"#);
    get(&mut client, "/");
    assert_eq!(read_response(&mut client).1, "fine");
    server.stop();
}

#[test]
fn shutdown_finishes_open_requests_and_refuses_new_connections() {
    let (gate, endpoint) = gated();
    let mut server = Running::start(endpoint, patient());
    let mut idle = server.connect();
    let mut busy = server.connect();
    get(&mut busy, "/long");
    assert_eq!(gate.started.recv().unwrap(), "/long");

    server.begin_stop();
    assert_eq!(read_rest(&mut idle), ""); // which also shows that the shutdown began
    let refused = TcpStream::connect(server.address).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);

    gate.open.add_permits(1);
    assert_eq!(read_response(&mut busy).1, "/long");
    assert_eq!(read_rest(&mut busy), "");
    server.thread.join().unwrap().unwrap();
}

#[test]
fn shutdown_times_out() {
    let (gate, endpoint) = gated();
    let server = Running::start(
        endpoint,
        ServerLimits {
            stop_time: Duration::from_millis(50),
            ..patient()
        },
    );
    let mut busy = server.connect();
    get(&mut busy, "/never");
    assert_eq!(gate.started.recv().unwrap(), "/never");
    server.stop();
    assert_eq!(read_rest(&mut busy), "");
}

#[test]
fn a_full_server_queues_the_next_client() {
    let (gate, endpoint) = gated();
    let server = Running::start_with(endpoint, patient(), 1);
    let mut first = server.connect();
    get(&mut first, "/first");
    assert_eq!(gate.started.recv().unwrap(), "/first");
    let mut second = server.connect(); // accepted by the system, not yet by the server
    get(&mut second, "/second");

    gate.open.add_permits(2);
    assert_eq!(read_response(&mut first).1, "/first");
    drop(first);
    assert_eq!(read_response(&mut second).1, "/second");
    assert_eq!(gate.most_at_once.load(Ordering::SeqCst), 1);
    server.stop();
}

#[test]
fn a_client_that_waits_too_long_gets_a_503_with_retry_after() {
    let (gate, endpoint) = gated();
    let limits = ServerLimits {
        queue_time: Duration::ZERO,
        ..patient()
    };
    let server = Running::start_with(endpoint, limits, 1);
    let mut first = server.connect();
    get(&mut first, "/first");
    assert_eq!(gate.started.recv().unwrap(), "/first");
    let mut second = server.connect();
    get(&mut second, "/second");
    let (head, body) = read_response(&mut second);
    assert!(
        head.starts_with("http/1.1 503 ") && head.contains("\r\nretry-after: 1\r\n"),
        "{head}"
    );
    assert!(
        body.starts_with(r#"{"detail":"All connections of the server are in use."#),
        "{body}"
    );
    assert_eq!(read_rest(&mut second), "");

    gate.open.add_permits(1);
    assert_eq!(read_response(&mut first).1, "/first");
    server.stop();
}

#[test]
fn a_liveness_probe_succeeds_when_all_connections_are_in_use() {
    let (gate, endpoint) = gated();
    let limits = ServerLimits {
        queue_time: Duration::ZERO,
        liveness_path: Some("/healthz"),
        ..patient()
    };
    let server = Running::start_with(endpoint, limits, 1);
    let mut first = server.connect();
    get(&mut first, "/first");
    assert_eq!(gate.started.recv().unwrap(), "/first");
    for (path, status) in [("/healthz", 200), ("/other", 503), ("/healthz", 200)] {
        let mut probe = server.connect();
        get(&mut probe, path);
        let (head, body) = read_response(&mut probe);
        assert!(head.starts_with(&format!("http/1.1 {status} ")), "{head}");
        assert_eq!(body == r#"{"status":"ok"}"#, status == 200, "{body}");
        assert_eq!(read_rest(&mut probe), "");
    }
    gate.open.add_permits(1);
    assert_eq!(read_response(&mut first).1, "/first");
    server.stop();
}

#[test]
fn a_client_with_too_many_connections_gets_a_429() {
    let limit = std::num::NonZeroU32::new(2).unwrap();
    let connections = Connections::new(NonZeroUsize::new(100).unwrap());
    let server = Running::start_limited(
        echo(),
        patient(),
        connections.with_limit_per_client(limit, Vec::new()),
    );
    let mut first = server.connect();
    let mut second = server.connect();
    for stream in [&mut first, &mut second] {
        get(stream, "/a");
        assert_eq!(read_response(stream).1, "/a 0");
    }
    let mut third = server.connect();
    get(&mut third, "/a");
    let (head, _) = read_response(&mut third);
    assert!(
        head.starts_with("http/1.1 429 ") && head.contains("\r\nretry-after: 1\r\n"),
        "{head}"
    );
    drop(third);
    drop(first);
    // The server notices the end of the first connection after a moment.
    loop {
        let mut next = server.connect();
        get(&mut next, "/b");
        if read_response(&mut next).1 == "/b 0" {
            break;
        }
    }
    server.stop();
}

#[test]
fn a_standard_client_library_understands_the_responses() {
    let server = Running::start(echo(), patient());
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .into();
    let mut response = agent
        .get(format!("http://{}/path", server.address))
        .call()
        .unwrap();
    assert_eq!(
        (
            response.status().as_u16(),
            &*response.body_mut().read_to_string().unwrap()
        ),
        (200, "/path 0")
    );
    drop(agent);
    server.stop();
}

#[test]
fn a_client_that_disconnects_cancels_its_request() {
    use crate::scan::{Exhausted, ScanLimits, Scans};
    let (ends, ended) = mpsc::channel();
    let scans = Scans::new(ScanLimits {
        rows: u64::MAX,
        time: Duration::MAX,
        ..ScanLimits::default()
    });
    let endless = make(move |_| {
        let (scans, ends) = (scans.clone(), ends.clone());
        async move {
            let scan = scans.run(move |budget| {
                ends.send(None).unwrap();
                while budget.spend(1) {
                    std::thread::yield_now();
                }
                ends.send(budget.exhausted()).unwrap();
            });
            scan.await.map_or("refused", |()| "done")
        }
    });
    let server = Running::start(endless, patient());
    let mut client = server.connect();
    get(&mut client, "/");
    assert_eq!(ended.recv().unwrap(), None);
    drop(client);
    assert_eq!(ended.recv().unwrap(), Some(Exhausted::Cancelled));
    server.stop();
}

#[test]
fn malformed_requests_get_a_400() {
    let server = Running::start(echo(), patient());
    for request in [
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n",
        "GET / HTTP/1.0\r\nhost: a\r\nhost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: a\r\nauthorization: Token a\r\nauthorization: Token b\r\n\r\n",
        "GET ftp://a/ HTTP/1.1\r\nhost: a\r\n\r\n",
    ] {
        let mut client = server.connect();
        send(&mut client, request);
        let response = read_rest(&mut client);
        assert!(
            response.starts_with("HTTP/1.1 400 ") || response.starts_with("HTTP/1.0 400 "),
            "{request}{response}"
        );
        assert!(response.contains(r#"{"detail":"The "#), "{response}");
    }
    for request in [
        "GET / HTTP/1.0\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    ] {
        let mut client = server.connect();
        send(&mut client, request);
        let response = read_rest(&mut client);
        assert!(response.contains(" 200 OK\r\n"), "{request}{response}");
    }
    server.stop();
}
