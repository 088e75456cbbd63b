//! Timeouts, numbers of connections, and shutdown.

use super::*;

/// Reports that it was dropped.
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
