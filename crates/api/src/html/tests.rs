//! Tests of the pages that show JSON.

use super::*;
use crate::LinkConfig;
use crate::testing::{HOST, ask, get, serving, snapshot};

#[test]
fn json_is_taken_apart_without_losing_a_byte_and_addresses_become_links() {
    let json = "{\n    \"a \\\"b\\\"\": [\n        -1.5,\n        true,\n        \"http://h/?a=1&b\",\n        \"javascript:x\"\n    ],\n    \"é\": {}\n}";
    let found = tokens(json);
    assert_eq!(
        found.iter().map(|token| &*token.text).collect::<String>(),
        json
    );
    let kinds: Vec<_> = found
        .iter()
        .filter(|token| !token.kind.is_empty())
        .map(|token| token.kind)
        .collect();
    assert_eq!(kinds, ["k", "n", "n", "s", "s", "k"]);
    let links: Vec<_> = found
        .iter()
        .filter_map(|token| token.href.as_deref())
        .collect();
    assert_eq!(links, ["http://h/?a=1&b"]);
}

#[test]
fn breadcrumbs_link_only_to_routes() {
    let names = |path| {
        breadcrumbs(Roots::default(), path, "http://h")
            .into_iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
    };
    assert_eq!(names("/api/"), ["Api Root"]);
    assert_eq!(
        names("/api/translations/p/c/cs/units/"),
        [
            "Api Root",
            "Translation List",
            "Translation Instance",
            "Units"
        ]
    );
    assert_eq!(names("/api/units.api"), ["Api Root", "Unit List"]);
    assert_eq!(
        breadcrumbs(Roots::default(), "/api/units/", "https://h/l10n")[1].1,
        "/l10n/api/units/"
    );
}

const BROWSER: (&str, &str) = (
    "accept",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
);

#[tokio::test]
async fn html_requests_get_a_page_with_the_same_data() {
    let api = serving(Some(snapshot()), LinkConfig::default());
    for (path, headers) in [
        ("/api/units/1/", &[BROWSER][..]),
        ("/api/units/1/", &[("accept", "text/html")]),
        ("/api/units/1/?format=api", &[]),
        ("/api/units/1.api", &[]),
    ] {
        let got = ask(&api, "GET", path, headers).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (200, "text/html; charset=utf-8"),
            "{path}"
        );
        assert_eq!(
            (got.header("allow"), got.header("vary")),
            ("GET, HEAD, OPTIONS", "Accept, Accept-Encoding"),
            "{path}"
        );
        assert_eq!(
            got.header("content-security-policy"),
            gitglot_web::CONTENT_SECURITY_POLICY,
            "{path}"
        );
        assert!(got.body.contains("<h1>Unit Instance</h1>"), "{path}");
        assert!(
            !got.body.contains("<script>") && !got.body.contains("style=\""),
            "{path}"
        );
        let head = ask(&api, "HEAD", path, headers).await;
        assert_eq!(
            head.header("content-length"),
            got.body.len().to_string(),
            "{path}"
        );
    }
    let page = get(&api, "/api/units/1/?format=api").await.body;
    let link = format!("<a href=\"http://{HOST}/api/sources/1/?format=api\" rel=\"nofollow\">");
    assert!(page.contains(&link), "{page}");
    let suffixed = get(&api, "/api/units/1.api").await.body;
    assert!(
        suffixed.contains(&format!("href=\"http://{HOST}/api/sources/1.api\"")),
        "{suffixed}"
    );
    assert!(
        suffixed.contains("href=\"/api/units/1/?format=json\""),
        "{suffixed}"
    );
}

#[tokio::test]
async fn a_list_page_links_to_its_neighbours_and_to_json() {
    let api = serving(Some(snapshot()), LinkConfig::default());
    let page = get(&api, "/api/units/?page=2&format=api").await.body;
    assert!(
        page.contains(&format!(
            "href=\"http://{HOST}/api/units/?format=api\" rel=\"prev\""
        )),
        "{page}"
    );
    assert!(
        page.contains(&format!(
            "href=\"http://{HOST}/api/units/?format=api&#38;page=3\" rel=\"next\""
        )),
        "{page}"
    );
    assert!(
        page.contains("href=\"/api/units/?format=json&#38;page=2\""),
        "{page}"
    );
}

#[test]
fn characters_that_change_the_direction_are_escapes() {
    let body = "{\"a\u{202e}\":\"b\u{2066}\u{200f}\u{7f}é\",\"url\":\"http://h/\u{202e}/\"}";
    let found = visible_tokens(body.as_bytes());
    let shown: String = found.iter().map(|token| &*token.text).collect();
    assert!(
        shown.contains(r#""a\u202e": "b\u2066\u200f\u007fé""#),
        "{shown}"
    );
    let href = found.iter().find_map(|token| token.href.as_deref());
    assert_eq!(href, Some("http://h/%E2%80%AE/"));
}

#[tokio::test]
async fn texts_are_escaped_on_pages() {
    let api = serving(Some(snapshot()), LinkConfig::default());
    let got = ask(
        &api,
        "GET",
        "/api/units/?page=1&x=%3Cscript%3E&y='x'",
        &[BROWSER],
    )
    .await;
    assert_eq!(got.status, 200);
    assert!(
        !got.body.contains("<script>") && !got.body.contains("='"),
        "{}",
        got.body
    );
    let got = ask(&api, "GET", "/api/units/?q=has:a%3Cscript%3E", &[BROWSER]).await;
    assert_eq!(got.status, 400);
    assert!(
        got.body.contains("&#60;script&#62;") && !got.body.contains("<script>"),
        "{}",
        got.body
    );
}

#[tokio::test]
async fn refusals_are_pages_too_and_files_stay_files() {
    let api = serving(Some(snapshot()), LinkConfig::default());
    for path in [
        "/api/units/0/",
        "/api/units/?page=99",
        "/api/components/hello/web/new_template/",
    ] {
        let got = ask(&api, "GET", path, &[BROWSER]).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (404, "text/html; charset=utf-8"),
            "{path}"
        );
        assert_eq!(got.header("allow"), "GET, HEAD, OPTIONS", "{path}");
        assert!(got.body.contains("404 Not Found"), "{path}");
    }
    for path in [
        "/api/components/hello/app/monolingual_base/",
        "/api/translations/hello/app/cs/file/",
    ] {
        let got = ask(&api, "GET", path, &[BROWSER]).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (200, "application/json"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_style_sheet_of_a_page_is_there() {
    let api = serving(Some(snapshot()), LinkConfig::default());
    let page = get(&api, "/api/?format=api").await.body;
    let style = page
        .split("rel=\"stylesheet\" href=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    let got = get(&api, &style).await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (200, "text/css; charset=utf-8")
    );
    assert!(got.header("cache-control").contains("immutable"));
}
