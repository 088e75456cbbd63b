//! Access over a real socket: host names, CORS, tokens and whole lists.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use crate::common::{History, Repo, Server, commit, until};

fn small() -> History {
    commit("one")
        .write("locales/en.json", r#"{"title": "Seeds", "save": "Save"}"#)
        .write("locales/cs.json", r#"{"title": "Semena"}"#)
}

fn serving(folder: &Path, arguments: &[&str]) -> Server {
    let path = folder.join("repository.git");
    Repo::with(&path, &small());
    let path = path.to_str().expect("UTF-8");
    Server::start(
        &[&["serve", path], arguments].concat(),
        &folder.join("state"),
    )
}

/// The answer to a request written out, headers and body, unparsed.
fn raw(server: &Server, head: &str) -> String {
    let address = server.base.strip_prefix("http://").expect("the scheme");
    let mut stream = TcpStream::connect(address).expect("it listens");
    let head = head.replace("\n", "\r\n").replace("ADDRESS", address);
    stream
        .write_all([&head, "Connection: close\r\n\r\n"].concat().as_bytes())
        .expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").expect("a head").1
}

#[test]
fn a_host_that_is_not_named_is_refused_and_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let server = serving(
        folder.path(),
        &[
            "--allowed-hosts",
            "l10n.example.org",
            "--trusted-proxies",
            "127.0.0.1",
        ],
    );
    let refused = raw(&server, "GET /api/ HTTP/1.1\nHost: evil.example\n");
    assert!(refused.starts_with("HTTP/1.1 400 "), "{refused}");
    assert!(
        refused.contains("allowed-hosts") && !refused.contains("evil"),
        "{refused}"
    );
    let named = raw(&server, "GET /api/ HTTP/1.1\nHost: l10n.example.org\n");
    assert!(
        body(&named).starts_with("{\"projects\":\"http://l10n.example.org/api/projects/\""),
        "{named}"
    );
    let behind = "GET /api/ HTTP/1.1\nHost: ADDRESS\nX-Forwarded-Host: l10n.example.org\nX-Forwarded-Proto: https\n";
    let behind = raw(&server, behind);
    assert!(
        body(&behind).starts_with("{\"projects\":\"https://l10n.example.org/api/projects/\""),
        "{behind}"
    );
    let alive = raw(&server, "GET /healthz HTTP/1.1\nHost: evil.example\n");
    assert!(alive.starts_with("HTTP/1.1 200 "), "{alive}");
}

#[test]
fn with_tokens_only_health_endpoints_are_public() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = folder.path().join("tokens");
    std::fs::write(&tokens, "# dashboard\nsecret-one\n").unwrap();
    let server = serving(folder.path(), &["--tokens", tokens.to_str().unwrap()]);
    for path in ["/api/", "/api/units/", "/api/docs/", "/exports/rss/"] {
        assert_eq!(server.get(path).0, 401, "{path}");
    }
    let answer = raw(
        &server,
        "GET /api/units/ HTTP/1.1\nHost: ADDRESS\nAuthorization: Bearer secret-one\n",
    );
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(
        answer.contains("cache-control: private") && body(&answer).contains("\"count\":4"),
        "{answer}"
    );
    assert_eq!(
        server.get("/readyz"),
        (200, r#"{"status":"ready","published":1}"#.to_owned())
    );
    let named = raw(
        &server,
        "GET /readyz HTTP/1.1\nHost: ADDRESS\nAuthorization: Bearer secret-one\n",
    );
    assert!(body(&named).contains("\"missing\":[]"), "{named}");
}

#[test]
fn a_changed_token_file_applies_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = folder.path().join("tokens");
    std::fs::write(&tokens, "first\n").unwrap();
    let server = serving(folder.path(), &["--tokens", tokens.to_str().unwrap()]);
    let status = |token: &str| {
        let head = format!("GET /api/ HTTP/1.1\nHost: ADDRESS\nAuthorization: Token {token}\n");
        raw(&server, &head)[9..12].to_owned()
    };
    assert_eq!((&*status("first"), &*status("second")), ("200", "401"));
    let replace = |text: &str| {
        std::fs::write(folder.path().join("new"), text).unwrap();
        std::fs::rename(folder.path().join("new"), &tokens).unwrap();
    };
    replace("second\n");
    until("the new token", || {
        (status("second") == "200").then_some(())
    });
    assert_eq!(status("first"), "401");

    // A file without tokens would lock everybody out.
    replace("# none\n");
    replace("second\nthird\n");
    until("the third token", || {
        (status("third") == "200").then_some(())
    });
    assert_eq!(status("second"), "200");
}

#[test]
fn an_empty_token_file_is_an_error_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = folder.path().join("tokens");
    std::fs::write(&tokens, "# nothing yet\n").unwrap();
    let state = folder.path().join("state");
    let mut command = crate::common::gitglot();
    command
        .args([
            "demo",
            "--tokens",
            tokens.to_str().unwrap(),
            "--listen",
            "127.0.0.1:0",
            "--state-dir",
        ])
        .arg(state);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("contains no token: write one token per line"),
        "{error}"
    );
}

#[test]
fn the_rate_limit_does_not_count_health_requests() {
    let folder = tempfile::tempdir().unwrap();
    let server = serving(folder.path(), &["--rate-limit", "2/d"]);
    for path in ["/api/", "/api/docs/"] {
        assert_eq!(server.get(path).0, 200, "{path}");
    }
    let answer = raw(&server, "HEAD /api/ HTTP/1.1\nHost: ADDRESS\n");
    assert!(
        answer.starts_with("HTTP/1.1 429 ") && answer.contains("retry-after: "),
        "{answer}"
    );
    assert_eq!(body(&answer), "");
    assert_eq!(
        (server.get("/healthz").0, server.get("/readyz").0),
        (200, 200)
    );
}

#[test]
fn a_request_may_have_so_much_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let server = serving(folder.path(), &[]);
    let long = format!("GET /api/?{} HTTP/1.1\nHost: ADDRESS\n", "x".repeat(20_000));
    assert!(raw(&server, &long).starts_with("HTTP/1.1 431 "));
    // The body is not waited for.
    let upload = raw(
        &server,
        "POST /api/units/ HTTP/1.1\nHost: ADDRESS\nContent-Length: 1000000000\n",
    );
    assert!(
        upload.starts_with("HTTP/1.1 405 ") && upload.contains("allow: GET, HEAD, OPTIONS"),
        "{upload}"
    );
}

#[test]
fn a_whole_list_is_one_response_with_a_length_for_head() {
    let folder = tempfile::tempdir().unwrap();
    let server = serving(
        folder.path(),
        &["--cors-origins", "https://page.example.org"],
    );
    let get =
        "GET /api/units/?format=ndjson HTTP/1.1\nHost: ADDRESS\nOrigin: https://page.example.org\n";
    let answer = raw(&server, get);
    assert!(answer.contains("transfer-encoding: chunked"), "{answer}");
    assert!(
        answer.contains("access-control-allow-origin: https://page.example.org"),
        "{answer}"
    );
    let (status, lines) = server.get("/api/units/?format=ndjson");
    assert_eq!((status, lines.lines().count()), (200, 4));
    let head = raw(&server, &get.replace("GET", "HEAD"));
    assert!(
        head.contains(&format!("content-length: {}\r\n", lines.len())),
        "{head}"
    );
    assert_eq!(body(&head), "");
}
