//! Tests of the exports outside of the API.

use poem::Endpoint;

use crate::LinkConfig;
use crate::testing::{HOST, ask, get, project, serving, snapshot};
use gitglot_catalog::Snapshot;

fn api() -> impl Endpoint {
    serving(Some(snapshot()), LinkConfig::default())
}

#[tokio::test]
async fn statistics_are_exported_in_one_piece_laid_out_by_two() {
    let api = api();
    let got = get(&api, "/exports/stats/hello/app/?format=xml&indent=4").await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (200, "application/json")
    );
    assert!(
        got.body
            .starts_with("[\n  {\n    \"code\": \"cs\",\n    \"name\": \"Czech\",\n"),
        "{}",
        got.body
    );
    assert!(
        got.body.is_ascii() && got.body.contains("\"code\": \"\\u011b\\u0161\""),
        "{}",
        got.body
    );
    assert!(
        got.body
            .contains("\"last_change\": \"2020-09-13T12:26:40.123Z\""),
        "{}",
        got.body
    );
    assert_eq!(got.json().as_array().unwrap().len(), 3);
    let got = get(&api, "/exports/stats/hello/").await;
    assert_eq!(got.json()[0]["language"], "Czech");
}

#[tokio::test]
async fn statistics_are_exported_as_a_table() {
    let api = api();
    let got = get(&api, "/exports/stats/hello/?format=csv").await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (200, "text/csv; charset=utf-8")
    );
    assert_eq!(
        got.header("content-disposition"),
        "attachment; filename=stats-hello.csv"
    );
    let head = "language,code,total,translated,translated_percent,total_words,translated_words,words_percent\r\n";
    assert!(
        got.body.starts_with(&[head, "Czech,cs,2,0,0.0,"].concat()),
        "{}",
        got.body
    );
    let got = get(&api, "/exports/stats/hello/app/?format=csv").await;
    assert_eq!(
        got.header("content-disposition"),
        "attachment; filename=stats-hello-app.csv"
    );
    assert!(
        got.body
            .starts_with("name,code,total,translated,translated_percent,total_words,"),
        "{}",
        got.body
    );
    let row = format!(
        "http://{HOST}/projects/hello/app/cs/,http://{HOST}/engage/hello/cs/,2020-09-13T12:26:40.123Z,Ada Example\r\n"
    );
    assert!(got.body.contains(&row), "{}", got.body);
}

#[tokio::test]
async fn a_feed_has_the_newest_changes_of_its_scope() {
    let api = api();
    for (path, title, page, items) in [
        ("/exports/rss/", "Test", "/", 2),
        ("/exports/rss/hello/", "HELLO", "/projects/hello/", 2),
        (
            "/exports/rss/hello/app/",
            "HELLO/app",
            "/projects/hello/app/",
            2,
        ),
        (
            "/exports/rss/hello/app/cs/",
            "HELLO/app - Czech",
            "/projects/hello/app/cs/",
            2,
        ),
        ("/exports/rss/language/cs/", "Czech", "/languages/cs/", 2),
        ("/exports/rss/empty/", "EMPTY", "/projects/empty/", 0),
    ] {
        let got = get(&api, path).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (200, "application/rss+xml; charset=utf-8"),
            "{path}"
        );
        let title = format!("<title>Recent changes in {title}</title>");
        let link = format!("<link>http://{HOST}{page}</link>");
        for part in [title, link] {
            assert!(got.body.contains(&part), "{path}: {part} {}", got.body);
        }
        let guids: Vec<&str> = got
            .body
            .split("<guid isPermaLink=\"false\">")
            .skip(1)
            .collect();
        let guids: std::collections::HashSet<_> =
            guids.iter().map(|guid| guid.split('<').next()).collect();
        assert_eq!(got.body.matches("<item>").count(), items, "{path}");
        assert_eq!(guids.len(), items, "{path}: one item for each commit");
        assert_eq!(got.header("last-modified").is_empty(), items == 0, "{path}");
    }
    let got = get(&api, "/exports/rss/hello/app/cs/").await;
    assert!(got.body.contains("Czech text</title>"), "{}", got.body);
    assert!(got.body.contains("appName (cs): Aplikace"), "{}", got.body);
    let unit = format!("<link>http://{HOST}/translate/hello/app/cs/?checksum=");
    assert!(got.body.contains(&unit), "{}", got.body);
}

#[tokio::test]
async fn the_language_of_the_source_has_a_feed_before_anybody_translates() {
    let snapshot = Snapshot::after(None, vec![project(1, "hello")], Vec::new(), [].into());
    let got = get(
        &serving(Some(snapshot), LinkConfig::default()),
        "/exports/rss/language/en/",
    )
    .await;
    assert_eq!((got.status, got.body.matches("<item>").count()), (200, 0));
}

#[tokio::test]
async fn downloads_also_have_paths_outside_of_the_api() {
    let api = api();
    let got = get(&api, "/download/hello/app/cs/").await;
    assert_eq!(
        (got.status, got.header("content-disposition")),
        (200, "attachment; filename=hello-app-cs.json")
    );
    let got = ask(
        &api,
        "GET",
        "/download/hello/app/cs/?format=po",
        &[("accept", "text/plain")],
    )
    .await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (200, "text/x-po; charset=utf-8")
    );
    assert_eq!(
        got.header("content-disposition"),
        "attachment; filename=hello-app-cs.po"
    );
    let head = ask(&api, "HEAD", "/download/hello/app/cs/?format=po", &[]).await;
    assert_eq!(
        (head.status, head.header("content-length")),
        (200, &*got.body.len().to_string())
    );
}

#[tokio::test]
async fn missing_pages_are_404_and_missing_slashes_redirect() {
    let api = api();
    for path in [
        "/exports/",
        "/exports/stats/",
        "/exports/stats/nope/",
        "/exports/stats/hello/nope/",
        "/exports/rss/hello/app/qq/",
        "/exports/rss/language/qq/",
        "/exports//rss/",
        "/download/hello/app/qq/",
        "/download/hello/app/cs/?format=zip",
    ] {
        let got = get(&api, path).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (404, "text/html; charset=utf-8"),
            "{path}"
        );
    }
    for (path, location) in [
        (
            "/exports/stats/hello?format=csv",
            "/exports/stats/hello/?format=csv",
        ),
        ("/exports/rss", "/exports/rss/"),
        ("/download/hello/app/cs", "/download/hello/app/cs/"),
    ] {
        let got = get(&api, path).await;
        assert_eq!(
            (got.status, got.header("location")),
            (301, location),
            "{path}"
        );
    }
    assert_eq!(ask(&api, "POST", "/exports/rss/", &[]).await.status, 405);
}
