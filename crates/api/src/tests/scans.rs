//! Limits of scans (docs/spec/http.md#limits-of-scans).

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use poem::{Endpoint, Response};

use super::testing::{ask, get, snapshot};
use crate::ApiState;
use crate::endpoint;
use gitglot_catalog::Published;
use gitglot_catalog::scan::ScanLimits;
use gitglot_catalog::scan::Scans;
use gitglot_catalog::scan::Share;
use gitglot_git::Repository;
use gitglot_model::Unlimited;
use gitglot_revisions::{Revisions, find};
use gitglot_server::{Connections, ServerLimits};
use gitglot_testkit::{Repo, commit};

/// Requests whose cost grows with the data.
const SCANS: &[&str] = &[
    "/api/units/?q=app",
    "/api/units/?q=hello&format=csv",
    "/api/units/?format=ndjson&fuzzy=true",
    "/api/translations/hello/app/cs/units/?q=app",
    "/api/changes/?action=5",
    "/api/translations/hello/app/cs/file/?format=po",
    "/exports/stats/hello/",
    "/exports/stats/hello/app/",
    "/exports/rss/",
    "/search/?q=app",
    "/changes/?action=5",
    "/checks/",
    "/stats/hello/",
    "/translate/hello/app/cs/",
    "/projects/hello/app/cs/",
    "/languages/cs/",
];

fn site(limits: ScanLimits) -> (Scans, impl Endpoint<Output = Response>) {
    let published = Arc::new(Published::new());
    published.publish(snapshot());
    let scans = Scans::new(limits);
    (
        scans.clone(),
        endpoint(ApiState {
            scans,
            ..ApiState::new(published)
        }),
    )
}

#[tokio::test]
async fn scans_work_within_their_limits() {
    let (scans, api) = site(ScanLimits {
        concurrent: 1,
        queued: 0,
        ..ScanLimits::default()
    });
    for path in SCANS {
        assert_eq!(get(&api, path).await.status, 200, "{path}");
    }
    assert_eq!(scans.counters().started.load(Relaxed), SCANS.len() as u64);
}

#[tokio::test]
async fn a_full_queue_gets_a_503_and_other_requests_do_not_wait() {
    let (scans, api) = site(ScanLimits {
        concurrent: 1,
        queued: 0,
        ..ScanLimits::default()
    });
    assert_eq!(get(&api, "/api/units/?q=odd").await.status, 200);
    let (open, gate) = mpsc::channel::<()>();
    let (open_long, long_gate) = mpsc::channel::<()>();
    let (other, long) = (scans.clone(), scans.clone());
    let blocker = tokio::spawn(async move {
        other
            .run(Share::default(), move |_| gate.recv().unwrap())
            .await
    });
    let long_blocker = tokio::spawn(async move {
        long.run_long(Share::default(), move |_| long_gate.recv().unwrap())
            .await
    });
    while scans.running() < 2 {
        tokio::task::yield_now().await;
    }
    let revisions = [
        "/api/components/hello/app/revisions/v1/",
        "/api/components/hello/app/revisions/v1/units/",
        "/api/components/hello/app/compare/v1...main/",
        "/compare/hello/app/v1...main/",
        "/revisions/hello/v1/",
    ];
    for path in SCANS.iter().chain(&revisions) {
        let got = get(&api, path).await;
        assert_eq!(
            (got.status, got.header("retry-after")),
            (503, "2"),
            "{path}"
        );
    }
    // The length of a whole list is known only after it was written.
    let head = ask(&api, "HEAD", "/api/changes/?format=ndjson", &[]).await;
    assert_eq!((head.status, head.header("retry-after")), (503, "2"));
    let refused = SCANS.len() + revisions.len() + 1;
    assert_eq!(scans.counters().refused.load(Relaxed), refused as u64);
    // Known revisions need no turn. The last one is a page of a list that was searched before.
    for path in [
        "/api/components/hello/app/revisions/main/",
        "/api/components/hello/app/revisions/HEAD/units/",
        "/revisions/hello/HEAD/",
        "/api/units/",
        "/api/units/?format=csv",
        "/about/",
        "/api/",
        "/api/units/?q=odd&page_size=1",
    ] {
        assert_eq!(get(&api, path).await.status, 200, "{path}");
    }
    open.send(()).unwrap();
    open_long.send(()).unwrap();
    blocker.await.unwrap().unwrap();
    long_blocker.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_request_over_the_limit_gets_a_400_with_the_reason() {
    let (scans, api) = site(ScanLimits {
        rows: 2,
        ..ScanLimits::default()
    });
    let expensive = [
        "/api/units/?q=app",
        "/api/units/?q=app&format=csv",
        "/api/changes/?action=5",
        "/search/?q=app",
    ];
    for path in expensive {
        let got = get(&api, path).await;
        assert_eq!(got.status, 400, "{path}");
        let detail = got.json()["detail"].as_str().unwrap().to_owned();
        assert!(
            detail.starts_with("The request examines more than 2 rows"),
            "{detail}"
        );
    }
    assert_eq!(
        scans.counters().exhausted.load(Relaxed),
        expensive.len() as u64
    );
    assert_eq!(
        get(&api, "/api/translations/hello/app/cs/units/?q=app")
            .await
            .status,
        200,
        "two rows"
    );
    let got = get(
        &api,
        &format!(
            "/api/units/?q={}",
            (0..64).map(|n| format!("w{n}+")).collect::<String>()
        ),
    )
    .await;
    assert_eq!(got.status, 400);
    assert!(
        got.body.contains("up to 63 different texts"),
        "{}",
        got.body
    );
}

#[tokio::test]
async fn pages_that_share_results_are_those_that_are_made_alone() {
    let pages = [
        "/translate/hello/app/cs/",
        "/translate/hello/app/cs/?type=todo",
        "/translate/hello/app/cs/?type=translated",
        "/translate/hello/web/de/?type=todo",
        "/translate/hello/web/de/?type=translated&page=2",
        "/translate/hello/app/cs/?type=todo&q=app",
        "/changes/?project=hello&component=app&lang=cs",
        "/changes/?lang=cs",
        "/changes/?action=5",
        "/changes/?action=5&project=hello",
        "/changes/?user=nobody",
        "/stats/hello/",
        "/stats/hello/cs/",
        "/stats/hello/?show=numbers",
        "/stats/hello/cs/?show=people",
    ];
    // Without a cache of responses.
    let api = || {
        let published = Arc::new(Published::new());
        published.publish(snapshot());
        endpoint(ApiState::new(published))
    };
    let shared = api();
    let mut alone = Vec::new();
    for page in pages {
        let got = get(&api(), page).await;
        assert_eq!(got.status, 200, "{page}");
        alone.push(got.body);
    }
    for (page, expected) in pages.iter().zip(&alone).chain(pages.iter().zip(&alone)) {
        assert_eq!(get(&shared, page).await.body, *expected, "{page}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comparison_ends_when_its_client_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let file = |text: &str| format!(r#"{{"hello": {{"message": "{text}"}}}}"#);
    let english = "_locales/en/messages.json";
    let history = commit("one")
        .write(english, file("One"))
        .commit("two")
        .write(english, file("Two"));
    let repo = Repo::with(&folder.path().join("repo.git"), &history);
    let tags = repo.dir().join("refs/gitglot/named/tags");
    std::fs::create_dir_all(&tags).unwrap();
    for (tag, commit) in [("v1", "one"), ("v2", "two")] {
        std::fs::write(tags.join(tag), repo.id(commit).to_string()).unwrap();
    }
    // The work begins to read, and goes on when the server has seen that the client left.
    let connections = Connections::new(NonZeroUsize::new(10).unwrap());
    let (begins, begun) = mpsc::channel();
    let (path, seen) = (repo.dir().to_owned(), connections.clone());
    let open = move |_| {
        let _ = begins.send(());
        while seen.open() > 0 {
            std::thread::yield_now();
        }
        Repository::open(&path).ok()
    };
    let revisions = Arc::new(Revisions::new(Box::new(open), 1 << 20));
    let published = Arc::new(Published::new());
    published.publish(snapshot());
    let tip = published.load().unwrap().components()[0].clone();
    let scans = Scans::new(ScanLimits::default());
    let api = endpoint(ApiState {
        scans: scans.clone(),
        revisions: revisions.clone(),
        ..ApiState::new(published)
    });
    let listener = gitglot_server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = listener.local_addr().unwrap();
    let time = Duration::from_secs(600);
    let limits = ServerLimits::new(time, time);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(gitglot_server::serve(
        listener,
        api,
        limits,
        connections,
        async {
            let _ = stopped.await;
        },
    ));
    let ask = move || {
        let mut client = std::net::TcpStream::connect(address).unwrap();
        let path = "/api/components/hello/app/compare/v1...v2/";
        write!(client, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        begun.recv().unwrap();
    };
    tokio::task::spawn_blocking(ask).await.unwrap();
    while scans.counters().cancelled.load(Relaxed) == 0 {
        tokio::task::yield_now().await;
    }
    let [base, head] = ["v1", "v2"].map(|name| find(&revisions, &tip, name).unwrap());
    assert!(revisions.cached_comparison(&tip, &base, &head).is_none());
    let whole = revisions.compare(&tip, &[], &base, &head, &Unlimited);
    assert!(whole.is_ok(), "nobody cancels this one");
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
}
