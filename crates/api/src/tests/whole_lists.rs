//! Whole lists in one response.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::api;
use super::testing::{HOST, ask, get, snapshot};
use crate::{ApiState, endpoint};
use gitglot_catalog::Published;

#[tokio::test]
async fn every_list_is_available_as_json_lines() {
    let api = api();
    for path in [
        "/api/projects/",
        "/api/projects/hello/components/",
        "/api/projects/hello/changes/",
        "/api/projects/hello/statistics/",
        "/api/components/",
        "/api/components/hello/app/translations/",
        "/api/components/hello/app/statistics/",
        "/api/components/hello/app/changes/",
        "/api/translations/",
        "/api/translations/hello/web/de/units/",
        "/api/translations/hello/app/cs/changes/",
        "/api/languages/",
        "/api/units/",
        "/api/units/1/translations/",
        "/api/units/1/changes/",
        "/api/units/?q=language:de",
        "/api/sources/",
        "/api/changes/",
        "/api/changes/?action=5",
        "/api/screenshots/",
        "/api/users/",
    ] {
        let lines = ask(&api, "GET", path, &[("accept", "application/x-ndjson")]).await;
        assert_eq!(
            (lines.status, lines.header("content-type")),
            (200, "application/x-ndjson"),
            "{path}"
        );
        let lines: Vec<Value> = lines
            .body
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let mark = if path.contains('?') { '&' } else { '?' };
        let page = get(&api, &format!("{path}{mark}page_size=1000"))
            .await
            .json();
        let whole = page.get("results").unwrap_or(&page);
        assert_eq!(&Value::from(lines), whole, "{path}");
    }
    for path in [
        "/api/",
        "/api/units/1/",
        "/api/metrics/",
        "/api/translations/hello/app/cs/statistics/",
    ] {
        assert_eq!(
            ask(&api, "GET", path, &[("accept", "application/x-ndjson")])
                .await
                .status,
            406,
            "{path}"
        );
        assert_eq!(
            get(&api, &format!("{path}?format=ndjson")).await.status,
            404,
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_stream_has_a_length_for_head_and_plain_links() {
    let api = api();
    let got = get(&api, "/api/units/?format=ndjson&page=7").await;
    assert_eq!(
        (
            got.status,
            got.body.lines().count(),
            got.header("content-length")
        ),
        (200, 96, "")
    );
    assert!(
        got.body
            .contains(&format!("\"http://{HOST}/api/units/96/\""))
    );
    let head = ask(&api, "HEAD", "/api/units/?format=ndjson&page=7", &[]).await;
    assert_eq!(
        (head.header("content-length"), &*head.body),
        (&*got.body.len().to_string(), "")
    );
}

#[tokio::test]
async fn an_unchanged_whole_list_is_a_304() {
    let api = api();
    for path in [
        "/api/units/?format=ndjson",
        "/api/changes/?format=ndjson",
        "/api/changes/?format=csv",
    ] {
        let first = get(&api, path).await;
        assert_eq!(
            (first.status, get(&api, path).await.header("etag")),
            (200, first.header("etag")),
            "{path}"
        );
        for method in ["GET", "HEAD"] {
            let again = ask(
                &api,
                method,
                path,
                &[("if-none-match", first.header("etag"))],
            )
            .await;
            assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
            assert_eq!(again.header("etag"), first.header("etag"));
        }
    }
    // A different list or format is a different response.
    let tag = get(&api, "/api/units/?format=ndjson").await;
    let condition = [("if-none-match", tag.header("etag"))];
    assert_eq!(
        ask(&api, "GET", "/api/sources/?format=ndjson", &condition)
            .await
            .status,
        200
    );
    assert_eq!(
        ask(&api, "GET", "/api/units/", &condition).await.status,
        200
    );
    let bad = ask(
        &api,
        "GET",
        "/api/units/?format=ndjson&q=state:x",
        &[("if-none-match", "*")],
    )
    .await;
    assert_eq!((bad.status, bad.header("etag")), (400, ""));
}

#[tokio::test]
async fn lists_of_two_builds_have_different_entity_tags() {
    let mut tags = BTreeSet::new();
    for build in ["", "0123456789ab", "ba9876543210"] {
        let published = Arc::new(Published::new());
        published.publish(snapshot());
        let api = endpoint(ApiState {
            build: build.to_owned(),
            ..ApiState::new(published)
        });
        let list = get(&api, "/api/units/?format=ndjson").await;
        tags.insert(list.header("etag").to_owned());
    }
    assert_eq!(tags.len(), 3);
}

/// All API links in a body.
fn links(body: &str) -> BTreeSet<String> {
    let base = format!("http://{HOST}/api/");
    let ends = |c: char| matches!(c, '"' | ',' | ' ' | '\r' | '\n');
    let starts = body
        .match_indices(&base)
        .map(|(at, _)| &body[at + base.len() - "/api/".len()..]);
    starts
        .map(|rest| rest[..rest.find(ends).unwrap_or(rest.len())].to_owned())
        .collect()
}

#[tokio::test]
async fn every_link_of_an_exported_list_works() {
    let api = api();
    let mut count = 0;
    for list in [
        "units",
        "changes",
        "sources",
        "projects",
        "components",
        "translations",
        "languages",
        "users",
    ] {
        for end in [
            "/?format=ndjson",
            ".ndjson",
            "/?format=csv",
            ".csv",
            "/?format=ndjson&expand=details",
        ] {
            let got = get(&api, &format!("/api/{list}{end}")).await;
            assert_eq!(got.status, 200, "{list}{end}");
            for link in links(&got.body) {
                assert_eq!(get(&api, &link).await.status, 200, "{link} in {list}{end}");
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
}

#[tokio::test]
async fn whole_lists_are_compressed_while_they_are_written() {
    let api = api();
    let mut tags = BTreeSet::new();
    let mut encodings = vec!["", "gzip"];
    if cfg!(feature = "brotli") {
        encodings.push("br");
    }
    if cfg!(feature = "zstd") {
        encodings.push("zstd");
    }
    for &name in &encodings {
        let got = ask(
            &api,
            "GET",
            "/api/units/?format=ndjson",
            &[("accept-encoding", name)],
        )
        .await;
        assert_eq!((got.status, got.header("content-encoding")), (200, name));
        assert_eq!(got.header("vary"), "Accept, Accept-Encoding");
        tags.insert(got.header("etag").to_owned());
    }
    assert_eq!(tags.len(), encodings.len());
}
