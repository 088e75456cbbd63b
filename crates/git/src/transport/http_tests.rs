//! Requests to servers on the loopback interface.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;

use super::*;

/// The variables that name proxies.
fn variables<'a>(set: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'a {
    |name| {
        let found = set.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    }
}

fn proxy_of(address: &str, set: &[(&str, &str)]) -> Option<String> {
    let found = proxy(address, &variables(set)).unwrap();
    found.map(|it| format!("{}:{}", it.host(), it.port()))
}

#[test]
fn the_proxy_is_that_of_the_scheme_of_the_address() {
    let all = [
        ("https_proxy", "http://secure.example:1"),
        ("http_proxy", "plain.example:2"),
        ("all_proxy", "socks5h://user:secret@other.example:3"),
    ];
    let https = "https://example.org/a.git";
    assert_eq!(proxy_of(https, &all).unwrap(), "secure.example:1");
    let http = "http://example.org/a.git";
    assert_eq!(proxy_of(http, &all).unwrap(), "plain.example:2");
    assert_eq!(proxy_of(http, &all[2..]).unwrap(), "other.example:3");
    let upper = [("HTTPS_PROXY", "http://secure.example:1")];
    assert_eq!(proxy_of(https, &upper).unwrap(), "secure.example:1");
    // A header of a request can set this variable.
    assert_eq!(proxy_of(http, &[("HTTP_PROXY", "http://evil:1")]), None);
    assert_eq!(proxy_of(https, &[("https_proxy", "")]), None);
    let invalid = proxy(https, &variables(&[("https_proxy", "ftp://x")]));
    let message = invalid.unwrap_err().to_string();
    assert!(message.contains("https_proxy"), "{message}");
}

#[test]
fn listed_hosts_have_no_proxy() {
    let list = "localhost, .internal.example,example.org 10.0.0.0/8,192.0.2.1,fd00::/8";
    for host in [
        "localhost",
        "internal.example",
        "git.internal.example",
        "EXAMPLE.org",
        "a.example.org",
        "10.1.2.3",
        "192.0.2.1",
        "[fd00::1]",
    ] {
        assert!(is_listed(host, list), "{host}");
    }
    for host in ["example.com", "notexample.org", "11.0.0.1", "org", ""] {
        assert!(!is_listed(host, list), "{host}");
    }
    assert!(is_listed("anything", "*"));
    let set = [
        ("all_proxy", "http://p:1"),
        ("no_proxy", "[::1],127.0.0.0/8"),
    ];
    assert_eq!(proxy_of("http://127.0.0.1:8/a", &set), None);
}

/// The lines of the head of a request.
fn head(stream: &TcpStream) -> Vec<String> {
    let lines = BufReader::new(stream).lines().map_while(io::Result::ok);
    lines.take_while(|line| !line.is_empty()).collect()
}

/// Serves each connection with a function. Returns the address.
fn serve(answer: impl Fn(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || listener.incoming().for_each(|it| answer(it.unwrap())));
    address
}

fn ok(mut stream: &TcpStream, body: &str) {
    let length = body.len();
    let text = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}");
    stream.write_all(text.as_bytes()).unwrap();
}

/// A client of gix for an address.
fn client(address: &str, timeouts: Timeouts) -> HttpClient {
    HttpClient::new(agent(address, timeouts, None).unwrap(), Arc::default())
}

/// The body of the response to a GET.
fn get(client: &mut HttpClient, base: &str, tail: &str) -> io::Result<String> {
    let none: [&str; 1] = ["Authorization: Basic c2VjcmV0"];
    let response = client.get(&[base, tail].concat(), base, none).unwrap();
    io::read_to_string(response.headers)?;
    io::read_to_string(response.body)
}

#[test]
fn a_proxy_is_asked_to_connect_to_the_server() {
    let (send, connected) = mpsc::channel();
    let proxy = serve(move |stream| {
        send.send(head(&stream).join("\n")).unwrap();
        (&stream).write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        assert!(head(&stream)[0].starts_with("GET /a.git/info/refs HTTP/1.1"));
        ok(&stream, "through");
    });
    let address = "http://git.invalid/a.git";
    let set = [("http_proxy", &*format!("http://ada:s3cret@{proxy}"))];
    let agent = agent(address, Timeouts::default(), None).unwrap();
    let config = agent.configure_request(ureq::http::Request::get(address).body(()).unwrap());
    let request = config
        .proxy(super::proxy(address, &variables(&set)).unwrap())
        .build();
    let (mut parts, body) = request.into_parts();
    parts.uri = format!("{address}/info/refs").parse().unwrap();
    let mut answer = agent
        .run(ureq::http::Request::from_parts(parts, body))
        .unwrap();
    assert_eq!(answer.body_mut().read_to_string().unwrap(), "through");
    let asked = connected.recv().unwrap();
    assert!(asked.starts_with("CONNECT git.invalid:80"), "{asked}");
    // ada:s3cret
    assert!(
        asked
            .to_lowercase()
            .contains("basic ywrhonmzy3jldA==".to_lowercase().as_str())
    );
}

#[test]
fn a_login_is_not_sent_to_the_target_of_a_redirect() {
    let (send, asked) = mpsc::channel();
    let target = serve(move |stream| {
        send.send(head(&stream).join("\n").to_lowercase()).unwrap();
        ok(&stream, "moved");
    });
    let to = format!("http://{target}/b.git");
    let location = format!("{to}/info/refs");
    let origin = serve(move |stream| {
        let sent = head(&stream).join("\n").to_lowercase();
        assert!(sent.contains("authorization"));
        let text =
            format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
        (&stream).write_all(text.as_bytes()).unwrap();
    });
    let base = format!("http://{origin}/a.git");
    let mut client = client(&base, Timeouts::default());
    assert_eq!(get(&mut client, &base, "/info/refs").unwrap(), "moved");
    assert_eq!(client.redirected_base_url(), Some(to));
    let sent = asked.recv().unwrap();
    assert!(!sent.contains("authorization"), "{sent}");
}

#[test]
fn a_redirect_to_something_else_is_an_error() {
    let target = serve(|stream| {
        head(&stream);
        ok(&stream, "login page");
    });
    let origin = serve(move |stream| {
        head(&stream);
        let text = format!("HTTP/1.1 302 Found\r\nLocation: http://{target}/login\r\n\r\n");
        (&stream).write_all(text.as_bytes()).unwrap();
    });
    let base = format!("http://{origin}/a.git");
    let mut client = client(&base, Timeouts::default());
    let error = get(&mut client, &base, "/info/refs").unwrap_err();
    assert!(error.to_string().contains("is no repository"), "{error}");
    assert_eq!(client.redirected_base_url(), None);
}

#[test]
fn a_request_over_https_is_not_redirected_to_http() {
    let agent = agent("https://example.org/a.git", Timeouts::default(), None).unwrap();
    let refused = agent.get("http://127.0.0.1:1/").call().unwrap_err();
    assert!(matches!(refused, ureq::Error::RequireHttpsOnly(_)));
}

#[test]
fn a_server_that_falls_silent_ends_the_response() {
    let origin = serve(|stream| {
        head(&stream);
        let begin = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbegin";
        (&stream).write_all(begin).unwrap();
        // Until the client closes.
        let _ = (&stream).read(&mut [0]);
    });
    let timeouts = Timeouts {
        stall: Duration::from_millis(200),
        ..Timeouts::default()
    };
    let base = format!("http://{origin}/a.git");
    let error = get(&mut client(&base, timeouts), &base, "/info/refs").unwrap_err();
    assert!(error.to_string().contains("timeout"), "{error}");
}

#[test]
fn a_closed_client_ends_a_pending_response() {
    let (send, asked) = mpsc::channel();
    let origin = serve(move |stream| {
        head(&stream);
        send.send(()).unwrap();
        let _ = (&stream).read(&mut [0]);
    });
    let base = format!("http://{origin}/a.git");
    let mut client = client(&base, Timeouts::default());
    let agent = client.agent.clone();
    let pending = std::thread::spawn(move || get(&mut client, &base, "/info/refs"));
    asked.recv().unwrap();
    agent.shutdown();
    assert!(pending.join().unwrap().is_err());
}

#[test]
fn certificates_are_read_from_the_file_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.pem");
    let opened = || agent("https://example.org/", Timeouts::default(), Some(&path));
    for text in [None, Some(""), Some("-----BEGIN CERTIFICATE-----\n?")] {
        if let Some(text) = text {
            std::fs::write(&path, text).unwrap();
        }
        let problem = opened().unwrap_err();
        assert!(matches!(problem, FetchProblem::Certificate(_)), "{problem}");
    }
}
