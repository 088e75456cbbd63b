//! Event streams: their content and their end.

use std::io::{Read, Write};
use std::pin::Pin;

use futures_util::{Stream, StreamExt};
use poem::{Endpoint, Request, Response};
use serde_json::Value;

use std::time::Duration;

use super::*;
use crate::streams::{HEARTBEAT, Streams};
use crate::testing::{HOST, ask, get, snapshot, snapshot_with};
use crate::{AccessControl, Tokens, endpoint};
use gitglot_catalog::Published;
use gitglot_server::ServerLimits;

/// A server to listen to.
struct EventServer {
    published: Arc<Published>,
    streams: Streams,
}

impl EventServer {
    fn new(snapshot: Snapshot) -> Self {
        let published = Arc::new(Published::new());
        published.publish(snapshot);
        Self {
            published,
            streams: Streams::new(2),
        }
    }

    fn api(&self) -> impl Endpoint<Output = Response> + use<> {
        self.guarded(AccessControl::default())
    }

    fn guarded(&self, access: AccessControl) -> impl Endpoint<Output = Response> + use<> {
        endpoint(ApiState {
            access,
            title: "Test".into(),
            cache_size: 1 << 20,
            streams: self.streams.clone(),
            ..ApiState::new(self.published.clone())
        })
    }
}

/// The first message of a stream that starts after an entry.
fn first_chunk(last: u32, newest: u32) -> String {
    format!("retry: 2000\nid: {last}\nevent: ledger\ndata: {{\"ledger\":null,\"newest\":{newest}}}")
}

/// A stream of events that is read.
struct EventReader {
    chunks: Pin<Box<dyn Stream<Item = Result<hyper::body::Bytes, io::Error>> + Send>>,
    text: String,
}

impl EventReader {
    async fn new(
        api: &impl Endpoint<Output = Response>,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Self {
        let mut request = Request::builder()
            .uri_str(path)
            .header("host", HOST)
            .header("accept", "text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut response = api.get_response(request.finish()).await;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.content_type(), Some("text/event-stream"));
        Self {
            chunks: Box::pin(response.take_body().into_bytes_stream()),
            text: String::new(),
        }
    }

    /// The next block, without the blank line that ends it.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                return Some(block);
            }
            self.text += std::str::from_utf8(&self.chunks.next().await?.unwrap()).unwrap();
        }
    }

    /// The number and the data of the next event.
    async fn event(&mut self) -> (u32, Value) {
        let block = self.block().await.unwrap();
        let lines: Vec<_> = block.split('\n').collect();
        let [id, "event: change", data] = lines[..] else {
            panic!("{block}")
        };
        let id = id.strip_prefix("id: ").unwrap().parse().unwrap();
        (
            id,
            serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap(),
        )
    }

    async fn numbers(&mut self, count: usize) -> Vec<u32> {
        let mut numbers = Vec::new();
        for _ in 0..count {
            numbers.push(self.event().await.0);
        }
        numbers
    }
}

#[tokio::test]
async fn events_contain_published_entries_as_in_the_list() {
    let served = EventServer::new(snapshot());
    let api = served.api();
    let mut reader = EventReader::new(&api, "/api/events/", &[]).await;
    assert_eq!(reader.block().await.unwrap(), first_chunk(9, 9));
    served.published.publish(snapshot_with(2));
    for wanted in [10, 11] {
        let (id, data) = reader.event().await;
        assert_eq!(id, wanted);
        assert_eq!(data, get(&api, &format!("/api/changes/{id}/")).await.json());
    }
    served.published.publish(snapshot_with(3));
    assert_eq!(reader.event().await.0, 12);
}

#[tokio::test]
async fn a_stream_resumes_after_the_last_event_id() {
    let served = EventServer::new(snapshot());
    let api = served.api();
    for (path, headers, last_id) in [
        ("/api/events/", &[("last-event-id", "6")][..], 6),
        ("/api/events/?last_event_id=7", &[], 7),
        ("/api/events/?last_event_id=2", &[("last-event-id", "6")], 6),
        ("/api/events/?last_event_id=0", &[("last-event-id", "")], 0),
        ("/api/events/?last_event_id=", &[("last-event-id", "5")], 5),
    ] {
        let mut reader = EventReader::new(&api, path, headers).await;
        assert_eq!(
            reader.block().await.unwrap(),
            first_chunk(last_id, 9),
            "{path}"
        );
        assert_eq!(
            reader.numbers(9 - last_id as usize).await,
            (last_id + 1..=9).collect::<Vec<_>>(),
            "{path}"
        );
    }
}

#[tokio::test]
async fn removed_ids_are_skipped_and_future_ids_reset_the_client() {
    let served = EventServer::new(snapshot().numbered_to(ChangeId(20)));
    let api = served.api();
    for (received_id, last_id) in [("4", 4), ("15", 15), ("21", 20), ("99999999999999", 20)] {
        let mut reader =
            EventReader::new(&api, "/api/events/", &[("last-event-id", received_id)]).await;
        assert_eq!(
            reader.block().await.unwrap(),
            first_chunk(last_id, 20),
            "{received_id}"
        );
        if last_id == 20 {
            let reset = "id: 20\nevent: reset\ndata: {\"ledger\":null,\"newest\":20}";
            assert_eq!(reader.block().await.unwrap(), reset, "{received_id}");
        }
    }
}

#[tokio::test]
async fn positions_name_their_ledger_and_those_of_another_one_reset_the_client() {
    let served = EventServer::new(snapshot().recorded_in(Some("0123456789abcdef".into()), 1));
    let api = served.api();
    assert_eq!(
        get(&api, "/api/units/1/").await.header("gitglot-ledger"),
        "0123456789abcdef"
    );
    assert_eq!(get(&api, "/").await.header("gitglot-ledger"), "");
    let data = "{\"ledger\":\"0123456789abcdef\",\"newest\":9}";
    for (received_id, last_id, is_reset) in [
        ("8:0123456789abcdef", 8, false),
        ("8:1123456789abcdef", 9, true),
        ("8", 8, false),
        ("10", 9, true),
    ] {
        let mut reader =
            EventReader::new(&api, "/api/events/", &[("last-event-id", received_id)]).await;
        let first =
            format!("retry: 2000\nid: {last_id}:0123456789abcdef\nevent: ledger\ndata: {data}");
        assert_eq!(reader.block().await.unwrap(), first, "{received_id}");
        let next = reader.block();
        if is_reset {
            assert_eq!(
                next.await.unwrap(),
                format!("id: 9:0123456789abcdef\nevent: reset\ndata: {data}")
            )
        } else {
            assert!(
                next.await
                    .unwrap()
                    .starts_with("id: 9:0123456789abcdef\nevent: change\ndata: {")
            )
        }
    }
}

#[tokio::test]
async fn filters_name_a_part_of_the_log() {
    let served = EventServer::new(snapshot());
    let api = served.api();
    for (filter, numbers) in [
        ("project=hello", (1..=9).collect()),
        ("project=hello&component=app", (1..=9).collect()),
        ("component=app&language=cs", vec![2, 3, 5, 6]),
        ("language=en", vec![1, 4]),
        ("action=5&action=8", vec![2, 7]),
        ("user=bob-example", vec![4, 5, 6, 7, 8]),
        ("unit=1", vec![2]),
        ("removed=true&action=200", vec![4, 8, 8]),
    ] {
        let mut reader =
            EventReader::new(&api, &format!("/api/events/?last_event_id=0&{filter}"), &[]).await;
        reader.block().await;
        assert_eq!(reader.numbers(numbers.len()).await, numbers, "{filter}");
    }
    for filter in [
        "project=nope",
        "project=empty&component=app",
        "project=hello&component=web&language=cs",
    ] {
        assert_eq!(
            get(&api, &format!("/api/events/?{filter}")).await.status,
            404,
            "{filter}"
        );
    }
    for (asked, headers) in [
        ("?last_event_id=x", &[][..]),
        ("?last_event_id=-1", &[]),
        ("?action=x", &[]),
        ("", &[("last-event-id", "newest")]),
    ] {
        let got = ask(&api, "GET", &format!("/api/events/{asked}"), headers).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (400, "application/json"),
            "{asked}"
        );
    }
}

#[tokio::test]
async fn proxies_neither_cache_nor_buffer_events() {
    let api = EventServer::new(snapshot()).api();
    let got = ask(
        &api,
        "HEAD",
        "/api/events/",
        &[("accept-encoding", "gzip, br")],
    )
    .await;
    assert_eq!((got.status, &*got.body), (200, ""));
    for (name, value) in [
        ("content-type", "text/event-stream"),
        ("cache-control", "no-store"),
        ("x-accel-buffering", "no"),
        ("content-encoding", ""),
        ("content-length", ""),
    ] {
        assert_eq!(got.header(name), value, "{name}");
    }
    let options = ask(&api, "OPTIONS", "/api/events/", &[]).await;
    assert_eq!(
        (options.status, options.json()["name"].as_str()),
        (200, Some("Events"))
    );
    assert_eq!(ask(&api, "POST", "/api/events/", &[]).await.status, 405);
}

#[tokio::test]
async fn event_streams_need_a_token_if_tokens_are_set() {
    let served = EventServer::new(snapshot());
    let access = AccessControl {
        tokens: Some(Tokens::parse("first")),
        ..AccessControl::default()
    };
    let api = served.guarded(access);
    assert_eq!(get(&api, "/api/events/").await.status, 401);
    let mut reader =
        EventReader::new(&api, "/api/events/", &[("authorization", "Bearer first")]).await;
    assert!(reader.block().await.is_some());
}

#[tokio::test]
async fn the_number_of_streams_is_limited() {
    let served = EventServer::new(snapshot());
    let api = served.api();
    let first = EventReader::new(&api, "/api/events/", &[]).await;
    let _second = EventReader::new(&api, "/api/events/", &[]).await;
    assert_eq!(served.streams.open(), 2);
    let refused = get(&api, "/api/events/").await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, "30"));
    drop(first);
    assert_eq!(served.streams.open(), 1);
    EventReader::new(&api, "/api/events/", &[]).await;
}

#[tokio::test]
async fn idle_streams_send_keep_alives_and_end_at_shutdown() {
    let mut served = EventServer::new(snapshot());
    served.streams.heartbeat = Duration::from_millis(1);
    let api = served.api();
    let mut reader = EventReader::new(&api, "/api/events/", &[]).await;
    reader.block().await;
    for _ in 0..3 {
        assert_eq!(reader.block().await.unwrap(), ":");
    }
    served.streams.heartbeat = HEARTBEAT;
    let mut waiting = EventReader::new(&served.api(), "/api/events/", &[]).await;
    waiting.block().await;
    served.streams.close();
    assert_eq!(waiting.block().await, None);
    while reader.block().await.is_some() {}
    assert_eq!(get(&api, "/api/events/").await.status, 503);
}

#[tokio::test]
async fn news_that_a_filter_leaves_out_do_not_delay_keep_alives() {
    let mut served = EventServer::new(snapshot());
    served.streams.heartbeat = Duration::from_millis(20);
    let api = served.api();
    let mut reader = EventReader::new(&api, "/api/events/?project=hello", &[]).await;
    reader.block().await;
    // Each publication wakes the stream before it is due.
    let publish = async {
        loop {
            served.published.publish(snapshot());
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::select! {
        block = reader.block() => assert_eq!(block.as_deref(), Some(":")),
        () = publish => {}
    }
}

#[tokio::test]
async fn a_slow_stream_is_closed_and_can_resume() {
    let mut served = EventServer::new(snapshot_with(200));
    served.streams.lag = Duration::ZERO;
    let api = served.api();
    let mut last = 0;
    let mut times = 0;
    while last < 209 {
        let mut reader = EventReader::new(
            &api,
            "/api/events/",
            &[("last-event-id", &last.to_string())],
        )
        .await;
        reader.block().await;
        while last < 209 {
            let Some(block) = reader.block().await else {
                break;
            };
            let id: u32 = block
                .lines()
                .next()
                .unwrap()
                .strip_prefix("id: ")
                .unwrap()
                .parse()
                .unwrap();
            assert_eq!(id, last + 1, "neither a gap nor a double");
            last = id;
        }
        times += 1;
    }
    assert!(times > 2, "{times}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_reads_nothing_is_disconnected() {
    const ENTRIES: u32 = 60_000;
    let served = EventServer::new(snapshot_with(ENTRIES));
    let listener = gitglot_server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = listener.local_addr().unwrap();
    let limits = ServerLimits {
        stall_time: Duration::from_secs(1),
        ..ServerLimits::new(Duration::from_secs(60), Duration::from_secs(60))
    };
    let connections = gitglot_server::Connections::new(std::num::NonZeroUsize::new(100).unwrap());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(gitglot_server::serve(
        listener,
        served.api(),
        limits,
        connections,
        async {
            let _ = stopped.await;
        },
    ));
    let connect = move || {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream
            .write_all(b"GET /api/events/?last_event_id=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .unwrap();
        stream
    };
    let idle = tokio::task::spawn_blocking(connect).await.unwrap();
    let reading = tokio::task::spawn_blocking(move || {
        let (mut stream, mut buffer, mut seen, mut tail) =
            (connect(), vec![0; 1 << 16], 0, Vec::new());
        let last = format!("id: {}\nevent", ENTRIES + 9);
        while seen == 0 {
            let count = stream.read(&mut buffer).unwrap();
            assert_ne!(count, 0, "it keeps up");
            tail.extend_from_slice(&buffer[..count]);
            seen = String::from_utf8_lossy(&tail).matches(&last).count();
            tail.drain(..tail.len().saturating_sub(100));
        }
    });
    reading.await.unwrap();
    // The reader has left, and the other one is cut off without having read a byte.
    while served.streams.open() > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(idle);
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
}
