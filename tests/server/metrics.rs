//! Observability: metrics as Prometheus reads them, and log lines.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use crate::common::{ANNA, ClosedPort, History, Repo, Server, commit, gitglot, until};

fn start() -> History {
    commit("one")
        .by_at(ANNA, "2020-01-01 10:00")
        .write("locales/en.json", r#"{"title": "Seeds", "save": "Save"}"#)
        .write("locales/cs.json", r#"{"title": "Semena"}"#)
}

fn serve(folder: &Path, arguments: &[&str]) -> (Repo, Server) {
    let path = folder.join("garden.git");
    let repository = Repo::with(&path, &start());
    let (state, path) = (folder.join("state"), path.to_str().unwrap());
    (
        repository,
        Server::start(&[&["serve", path], arguments].concat(), &state),
    )
}

/// Metrics, read as strictly as the format 0.0.4 is written down: each sample by name and labels.
struct Scraped(BTreeMap<String, f64>);

impl Scraped {
    fn new(server: &Server) -> Self {
        let (status, text) = server.get("/metrics");
        assert_eq!(status, 200, "{text}");
        Self::read(&text)
    }

    fn read(text: &str) -> Self {
        assert!(text.ends_with('\n'));
        let (mut samples, mut families) = (BTreeMap::new(), BTreeSet::new());
        let (mut help, mut family, mut kind) = ("", "", "");
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# HELP ") {
                let (name, text) = rest.split_once(' ').unwrap();
                assert!(!text.is_empty() && families.insert(name), "{line}");
                help = name;
            } else if let Some(rest) = line.strip_prefix("# TYPE ") {
                (family, kind) = rest.split_once(' ').unwrap();
                assert_eq!(help, family, "{line}");
                assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                assert_eq!(kind == "counter", family.ends_with("_total"), "{line}");
            } else {
                let (key, value) = line.rsplit_once(' ').unwrap();
                let (name, labels) = key.split_once('{').map_or((key, ""), |(name, rest)| {
                    (
                        name,
                        rest.strip_suffix('}').unwrap_or_else(|| panic!("{line}")),
                    )
                });
                let own = match kind {
                    "histogram" => ["_bucket", "_sum", "_count"]
                        .iter()
                        .any(|end| name == format!("{family}{end}")),
                    _ => name == family,
                };
                assert!(own, "{line} below {family}");
                assert!(
                    name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'),
                    "{line}"
                );
                each_label(labels);
                let value: f64 = value.parse().unwrap_or_else(|_| panic!("{line}"));
                assert!(kind == "gauge" || value >= 0.0, "{line}");
                assert!(
                    samples.insert(key.to_owned(), value).is_none(),
                    "twice: {line}"
                );
            }
        }
        let scraped = Self(samples);
        scraped.buckets_add_up();
        scraped
    }

    fn buckets_add_up(&self) {
        let counts = self.0.iter().filter_map(|(key, count)| {
            Some((key.replacen("_count", "_bucket", 1), *count)).filter(|(bucket, _)| bucket != key)
        });
        for (bucket, count) in counts {
            let bucket = bucket.strip_suffix('}').unwrap();
            let of = |(key, value): (&String, &f64)| -> Option<(f64, f64)> {
                let bound = key
                    .strip_prefix(bucket)?
                    .strip_prefix(",le=\"")?
                    .strip_suffix("\"}")?;
                Some((bound.parse().unwrap(), *value))
            };
            let mut buckets: Vec<_> = self.0.iter().filter_map(of).collect();
            buckets.sort_by(|one, other| one.0.total_cmp(&other.0));
            assert!(
                buckets.is_sorted_by(|one, other| one.1 <= other.1),
                "{bucket}: {buckets:?}"
            );
            assert_eq!(buckets.last(), Some(&(f64::INFINITY, count)), "{bucket}");
        }
    }

    fn value(&self, key: &str) -> f64 {
        *self
            .0
            .get(key)
            .unwrap_or_else(|| panic!("{key} among {:#?}", self.0))
    }

    /// The sum of all samples of a name.
    fn sum(&self, name: &str) -> f64 {
        self.0
            .iter()
            .filter(|(key, _)| key.split('{').next() == Some(name))
            .map(|(_, value)| value)
            .sum()
    }
}

/// Reads labels: names with quoted values, with minimal escapes.
fn each_label(mut labels: &str) {
    while !labels.is_empty() {
        let (name, rest) = labels.split_once("=\"").unwrap();
        assert!(
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'),
            "{labels}"
        );
        let mut escaped = false;
        let end = rest.find(|letter| {
            let ends = letter == '"' && !escaped;
            escaped = letter == '\\' && !escaped;
            ends
        });
        let rest = &rest[end.unwrap() + 1..];
        labels = rest.strip_prefix(',').unwrap_or(rest);
    }
}

#[test]
fn requests_are_counted_by_route_even_if_cached() {
    let folder = tempfile::tempdir().unwrap();
    let (_repository, server) = serve(folder.path(), &[]);
    for _ in 0..3 {
        for path in [
            "/api/units/1/",
            "/api/units/2/",
            "/api/units/999/",
            "/projects/garden/",
            "/wp-login.php",
        ] {
            server.get(path);
        }
    }
    let scraped = Scraped::new(&server);
    let requests = |route: &str, status: u16| {
        let labels = format!("{{route=\"{route}\",method=\"GET\",status=\"{status}\"}}");
        scraped.value(&format!("gitglot_http_requests_total{labels}"))
    };
    assert_eq!(requests("/api/units/:id/", 200), 6.0);
    assert_eq!(requests("/api/units/:id/", 404), 3.0);
    assert_eq!(requests("/projects/:project/", 200), 3.0);
    assert_eq!(requests("other", 404), 3.0);
    assert_eq!(
        scraped.value("gitglot_http_request_duration_seconds_count{route=\"/api/units/:id/\"}"),
        9.0
    );
    assert!(scraped.value("gitglot_cache_hits_total") >= 6.0);
    assert!(scraped.value("gitglot_cache_misses_total") >= 3.0);
    assert!(scraped.value("gitglot_cache_bytes") > 0.0);
    assert!(
        scraped.value("gitglot_connections") >= 1.0,
        "that of this very request"
    );
    assert!(scraped.value("gitglot_connections_max") > scraped.value("gitglot_event_streams_max"));
}

#[test]
fn metrics_describe_the_data_and_a_push() {
    let folder = tempfile::tempdir().unwrap();
    let (mut repository, server) = serve(folder.path(), &[]);
    let component = "{project=\"garden\",component=\"locales\"}";
    let good = |scraped: &Scraped| {
        let key = scraped
            .0
            .keys()
            .find(|key| key.starts_with("gitglot_polls_total{") && key.contains("success"));
        key.map_or(0.0, |key| scraped.value(key))
    };
    let before = until("a successful poll", || {
        Some(Scraped::new(&server)).filter(|scraped| good(scraped) > 0.0)
    });
    for (name, value) in [
        ("gitglot_component_translations", 2.0),
        ("gitglot_component_sources", 2.0),
        ("gitglot_component_units", 2.0),
        ("gitglot_component_translated_units", 1.0),
        ("gitglot_component_published", 1.0),
        ("gitglot_component_behind", 0.0),
        ("gitglot_log_rebuilds_total", 0.0),
    ] {
        assert_eq!(before.value(&format!("{name}{component}")), value, "{name}");
    }
    for (name, value) in [
        ("gitglot_ready", 1.0),
        ("gitglot_users", 1.0),
        ("gitglot_batches_total", 1.0),
    ] {
        assert_eq!(before.value(name), value, "{name}");
    }
    for name in [
        "gitglot_last_successful_poll_timestamp_seconds",
        "gitglot_component_update_seconds_total",
        "process_start_time_seconds",
    ] {
        assert!(before.sum(name) > 0.0, "{name}");
    }
    repository.push(&commit("two").write(
        "locales/cs.json",
        r#"{"title": "Semena", "save": "Uložit"}"#,
    ));
    let after = until("the push", || {
        Some(Scraped::new(&server)).filter(|it| it.value("gitglot_batches_total") == 2.0)
    });
    let rise = |name: &str| {
        after.value(&format!("{name}{component}")) - before.value(&format!("{name}{component}"))
    };
    assert_eq!(
        (
            rise("gitglot_component_updates_total"),
            rise("gitglot_component_translated_units")
        ),
        (1.0, 1.0)
    );
    assert_eq!(
        rise("gitglot_component_changes"),
        3.0,
        "the text, the file, and that all is translated"
    );
    assert!(
        after.value("gitglot_last_batch_timestamp_seconds")
            >= before.value("gitglot_last_batch_timestamp_seconds")
    );
}

#[test]
fn a_failed_fetch_keeps_cached_responses_and_updates_pages() {
    let folder = tempfile::tempdir().unwrap();
    let (_repository, server) = serve(folder.path(), &["--poll-interval", "100ms"]);
    let lookups = || {
        let scraped = Scraped::new(&server);
        (
            scraped.value("gitglot_cache_hits_total"),
            scraped.value("gitglot_cache_misses_total"),
        )
    };
    server.get("/api/units/1/");
    assert!(!server.get("/").1.contains("no such directory"));
    let (hits, misses) = lookups();
    std::fs::rename(
        folder.path().join("garden.git"),
        folder.path().join("moved.git"),
    )
    .unwrap();
    until("the failure", || {
        server
            .get("/readyz")
            .1
            .contains("no such directory")
            .then_some(())
    });
    assert_eq!(server.get("/api/units/1/").0, 200);
    assert_eq!(lookups(), (hits + 1.0, misses));
    until("the page", || {
        server
            .get("/")
            .1
            .contains("no such directory")
            .then_some(())
    });
}

#[test]
fn metrics_need_a_token_and_are_not_cached() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = folder.path().join("tokens");
    std::fs::write(&tokens, "secret-one\n").unwrap();
    let (_repository, server) = serve(folder.path(), &["--tokens", tokens.to_str().unwrap()]);
    assert_eq!(server.get("/metrics").0, 401);
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .new_agent();
    let url = format!("{}/metrics", server.base);
    let shown = || agent.get(&url).header("authorization", "Bearer secret-one");
    let answer = shown().call().unwrap();
    assert_eq!(
        answer.headers()["content-type"],
        "text/plain; version=0.0.4"
    );
    assert!(
        answer.headers()["cache-control"]
            .to_str()
            .unwrap()
            .contains("no-store")
    );
    let text = answer.into_body().read_to_string().unwrap();
    assert!(!text.contains("secret"), "{text}");
    Scraped::read(&text);
    assert_eq!(
        shown()
            .header("host", "evil.example")
            .call()
            .unwrap()
            .status(),
        400
    );
    assert_eq!(
        agent
            .post(&url)
            .header("authorization", "Bearer secret-one")
            .send_empty()
            .unwrap()
            .status(),
        405
    );
    let head = agent
        .head(&url)
        .header("authorization", "Bearer secret-one")
        .call()
        .unwrap();
    assert_eq!(
        (
            head.status().as_u16(),
            head.into_body().read_to_string().unwrap().as_str()
        ),
        (200, "")
    );
}

#[test]
fn log_lines_are_objects_of_their_own_and_show_no_password() {
    let folder = tempfile::tempdir().unwrap();
    let closed = ClosedPort::new();
    let repository = format!("http://anna:top-secret@{}/garden.git", closed.address());
    let mut command = gitglot();
    command.args([
        "serve",
        &repository,
        "--log-format",
        "json",
        "--log-level",
        "debug",
        "--listen",
        "127.0.0.1:0",
    ]);
    let mut child = command
        .arg("--state-dir")
        .arg(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut warned = false;
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        assert!(!line.contains("top-secret"), "{line}");
        let entry: serde_json::Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        for field in ["timestamp", "level", "message", "target"] {
            assert!(entry[field].is_string(), "{field}: {line}");
        }
        if entry["level"] == "WARN" {
            warned = true;
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    assert!(warned);
}

#[test]
fn the_fatal_error_is_json_in_a_json_log() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = gitglot();
    command.args([
        "serve",
        "no/such/folder",
        "--log-format",
        "json",
        "--log-level",
        "off",
        "--listen",
        "127.0.0.1:0",
        "--state-dir",
    ]);
    let output = command.arg(folder.path()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let entry: serde_json::Value = serde_json::from_str(stderr.lines().last().unwrap()).unwrap();
    assert_eq!(
        (output.status.code(), &entry["level"]),
        (Some(1), &"ERROR".into())
    );
    assert!(
        entry["message"]
            .as_str()
            .unwrap()
            .contains("no such directory"),
        "{stderr}"
    );
}
