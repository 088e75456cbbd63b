//! Requests and their responses, and malformed requests.

use super::*;

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
    use gitglot_catalog::scan::Exhausted;
    use gitglot_catalog::scan::ScanLimits;
    use gitglot_catalog::scan::Scans;
    use gitglot_catalog::scan::Share;
    let (ends, ended) = mpsc::channel();
    let scans = Scans::new(ScanLimits {
        rows: u64::MAX,
        time: Duration::MAX,
        ..ScanLimits::default()
    });
    let endless = make(move |_| {
        let (scans, ends) = (scans.clone(), ends.clone());
        async move {
            let scan = scans.run(Share::default(), move |budget| {
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
