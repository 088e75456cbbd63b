//! Responses as observed on Weblate 3.4, rule by rule: status, headers and body (docs/spec/http.md).
//! Rules with a unit test in their module are not repeated here.

use crate::LinkConfig;
use crate::testing::{HOST, ask, get, serving, snapshot};

/// The expected response: headers by name, and the whole body.
struct ExpectedResponse<'a> {
    status: u16,
    headers: &'a [(&'a str, &'a str)],
    body: Option<&'a str>,
}

async fn assert_response(
    method: &str,
    path: &str,
    sent: &[(&str, &str)],
    expected: ExpectedResponse<'_>,
) {
    let api = serving(Some(snapshot()), LinkConfig::default());
    let got = ask(&api, method, path, sent).await;
    assert_eq!(got.status, expected.status, "{method} {path}: {}", got.body);
    for (name, value) in expected.headers {
        assert_eq!(got.header(name), *value, "{name} of {method} {path}");
    }
    if let Some(body) = expected.body {
        assert_eq!(got.body, body, "{method} {path}");
        if method != "HEAD" {
            assert_eq!(
                got.header("content-length"),
                body.len().to_string(),
                "{method} {path}"
            );
        }
    }
}

const JSON: (&str, &str) = ("content-type", "application/json");
const HTML: (&str, &str) = ("content-type", "text/html; charset=utf-8");
const ALLOW: (&str, &str) = ("allow", "GET, HEAD, OPTIONS");
const NO_ALLOW: (&str, &str) = ("allow", "");
const NOT_FOUND: Option<&str> = Some(r#"{"detail":"Not found."}"#);
const NOT_ACCEPTABLE: Option<&str> =
    Some(r#"{"detail":"Could not satisfy the request Accept header."}"#);

#[tokio::test]
async fn the_root_names_eight_lists() {
    let lists = [
        "projects",
        "components",
        "translations",
        "languages",
        "changes",
        "units",
        "sources",
        "screenshots",
    ];
    let fields: Vec<_> = lists
        .iter()
        .map(|name| format!("\"{name}\":\"http://{HOST}/api/{name}/\""))
        .collect();
    let body = format!("{{{}}}", fields.join(","));
    assert_response(
        "GET",
        "/api/",
        &[],
        ExpectedResponse {
            status: 200,
            headers: &[JSON, ALLOW],
            body: Some(&body),
        },
    )
    .await;
}

#[tokio::test]
async fn links_between_pages_repeat_the_query_sorted_by_name() {
    let api = serving(Some(snapshot()), LinkConfig::default());
    for (query, next, previous) in [
        ("", Some("?page=2"), None),
        ("?page=1", Some("?page=2"), None),
        ("?page=2", Some("?page=3"), Some("")),
        (
            "?page=2&format=json",
            Some("?format=json&page=3"),
            Some("?format=json"),
        ),
        (
            "?foo=bar&page=3&foo=baz",
            Some("?foo=bar&foo=baz&page=4"),
            Some("?foo=bar&foo=baz&page=2"),
        ),
        ("?z=1&a=2", Some("?a=2&page=2&z=1"), None),
        (
            "?x=a+b&empty=&page=2",
            Some("?empty=&page=3&x=a+b"),
            Some("?empty=&x=a+b"),
        ),
        (
            "?page=2&x=%C3%A9%20y",
            Some("?page=3&x=%C3%A9+y"),
            Some("?x=%C3%A9+y"),
        ),
        ("?page=last", None, Some("?page=4")),
        ("?page=9&page=5", None, Some("?page=4")),
    ] {
        let body = get(&api, &format!("/api/units/{query}")).await.json();
        let link =
            |query: Option<&str>| query.map(|query| format!("http://{HOST}/api/units/{query}"));
        assert_eq!(body["next"].as_str(), link(next).as_deref(), "{query}");
        assert_eq!(
            body["previous"].as_str(),
            link(previous).as_deref(),
            "{query}"
        );
    }
}

#[tokio::test]
async fn a_missing_page_is_a_json_error() {
    for page in ["0", "-1", "99", "abc", "2.0", "", "%20"] {
        let body = Some(r#"{"detail":"Invalid page."}"#);
        let path = format!("/api/units/?page={page}");
        assert_response(
            "GET",
            &path,
            &[],
            ExpectedResponse {
                status: 404,
                headers: &[JSON, ALLOW],
                body,
            },
        )
        .await;
    }
}

#[tokio::test]
async fn a_format_narrows_the_forms_and_the_accept_header_still_has_to_fit() {
    for (path, accept, status, media, body) in [
        (
            "/api/units/1/?format=api",
            "application/json",
            406,
            JSON,
            NOT_ACCEPTABLE,
        ),
        (
            "/api/units/1/?format=json",
            "text/html",
            406,
            JSON,
            NOT_ACCEPTABLE,
        ),
        (
            "/api/units/1/",
            "application/xml",
            406,
            JSON,
            NOT_ACCEPTABLE,
        ),
        ("/api/units/1/?format=xml", "*/*", 404, JSON, NOT_FOUND),
        ("/api/units/1/?format=JSON", "*/*", 404, JSON, NOT_FOUND),
        ("/api/units/1/?format=", "*/*", 200, JSON, None),
        (
            "/api/units/1/",
            "text/html;q=0.1, application/json;q=0.9",
            200,
            JSON,
            None,
        ),
        (
            "/api/units/1/",
            "application/json;q=0.1, text/html;q=0.9",
            200,
            JSON,
            None,
        ),
        ("/api/units/1/", "*/*, text/html", 200, HTML, None),
        ("/api/units/1/", "text/*", 200, HTML, None),
        ("/api/units/1/", "application/*", 200, JSON, None),
        (
            "/api/components/hello/app/monolingual_base/",
            "text/plain",
            406,
            JSON,
            NOT_ACCEPTABLE,
        ),
        (
            "/api/components/hello/app/monolingual_base/",
            "application/json",
            200,
            JSON,
            None,
        ),
        (
            "/api/translations/hello/app/cs/file/",
            "text/plain",
            200,
            JSON,
            None,
        ),
    ] {
        assert_response(
            "GET",
            path,
            &[("accept", accept)],
            ExpectedResponse {
                status,
                headers: &[media, ALLOW],
                body,
            },
        )
        .await;
    }
}

#[tokio::test]
async fn a_suffix_replaces_the_slash_where_weblate_accepts_it() {
    for path in [
        "/api/.json",
        "/api/.json/",
        "/api/units.json",
        "/api/units.json/",
        "/api/units/1.json",
    ] {
        assert_response(
            "GET",
            path,
            &[],
            ExpectedResponse {
                status: 200,
                headers: &[JSON, ALLOW],
                body: None,
            },
        )
        .await;
    }
    for path in [
        "/api/projects/hello/components.json",
        "/api/components/hello/app/lock.json/",
    ] {
        assert_response(
            "GET",
            path,
            &[],
            ExpectedResponse {
                status: 200,
                headers: &[JSON, ALLOW],
                body: None,
            },
        )
        .await;
    }
    for path in [
        "/api/units/1.json/",
        "/api/projects/hello.json/",
        "/api/units.xml",
    ] {
        assert_response(
            "GET",
            path,
            &[],
            ExpectedResponse {
                status: 404,
                headers: &[JSON, ALLOW],
                body: NOT_FOUND,
            },
        )
        .await;
    }
    for path in [
        "/api/metrics.json",
        "/api/metrics.json/",
        "/api.json",
        "/api.json/",
    ] {
        assert_response(
            "GET",
            path,
            &[],
            ExpectedResponse {
                status: 404,
                headers: &[HTML, NO_ALLOW],
                body: None,
            },
        )
        .await;
    }
}

#[tokio::test]
async fn a_path_without_a_route_is_a_page_and_an_object_that_is_missing_is_json() {
    for path in [
        "/api/nope/",
        "/api//projects/",
        "/api/units//",
        "/api/units/1/foo/",
        "/api/UNITS/",
        "/api/components/hello/",
    ] {
        assert_response(
            "GET",
            path,
            &[],
            ExpectedResponse {
                status: 404,
                headers: &[HTML, NO_ALLOW],
                body: None,
            },
        )
        .await;
    }
    for path in [
        "/api/units/abc/",
        "/api/units/1.5/",
        "/api/units/%20/",
        "/api/languages/EN/",
        "/api/projects/HELLO/",
    ] {
        assert_response(
            "GET",
            path,
            &[],
            ExpectedResponse {
                status: 404,
                headers: &[JSON, ALLOW],
                body: NOT_FOUND,
            },
        )
        .await;
    }
}

#[tokio::test]
async fn a_missing_slash_is_a_redirection_for_every_method() {
    for method in ["GET", "HEAD", "POST", "OPTIONS"] {
        let headers = &[
            ("location", "/api/units/?page=2&q=%20a"),
            HTML,
            ("vary", ""),
            ("x-frame-options", ""),
        ];
        let expected = ExpectedResponse {
            status: 301,
            headers,
            body: Some(""),
        };
        assert_response(method, "/api/units?page=2&q=%20a", &[], expected).await;
    }
}

#[tokio::test]
async fn options_describe_a_route_whether_or_not_its_object_is_there() {
    for (path, start, end) in [
        ("/api/", "{\"name\":\"Api Root\",", FORM),
        ("/api/units/999/", "{\"name\":\"Unit Instance\",", FORM),
        (
            "/api/projects/nope/components/",
            "{\"name\":\"Components\",",
            FORM,
        ),
        (
            "/api/components/hello/app/monolingual_base/",
            "{\"name\":\"Monolingual base\",",
            FORM,
        ),
        (
            "/api/components/hello/app/new_template/",
            "{\"name\":\"New template\",",
            FORM,
        ),
        (
            "/api/translations/hello/app/cs/file/",
            "{\"name\":\"File\",",
            UPLOAD,
        ),
        ("/api/screenshots/1/file/", "{\"name\":\"File\",", UPLOAD),
        ("/api/metrics/", "{\"name\":\"Metrics\",", FORM),
    ] {
        let api = serving(Some(snapshot()), LinkConfig::default());
        let got = ask(&api, "OPTIONS", path, &[]).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (200, "application/json"),
            "{path}"
        );
        assert!(
            got.body.starts_with(start) && got.body.ends_with(end),
            "{path}: {}",
            got.body
        );
    }
}

/// How the description of most routes ends.
const FORM: &str = r#""renders":["application/json","text/html"],"parses":["application/json","application/x-www-form-urlencoded","multipart/form-data"]}"#;
/// How that of files ends.
const UPLOAD: &str = r#""renders":["application/json","text/html"],"parses":["multipart/form-data","application/x-www-form-urlencoded","*/*"]}"#;

#[tokio::test]
async fn head_responds_like_get_without_a_body() {
    let api = serving(Some(snapshot()), LinkConfig::default());
    for path in [
        "/api/",
        "/api/units/?page=3",
        "/api/units/0/",
        "/api/nope/",
        "/api/units/?format=xml",
        "/api/units/1/?format=api",
        "/api/components/hello/app/monolingual_base/",
        "/api/translations/hello/app/cs/file/",
        "/api/translations/hello/app/cs/file/?format=xliff",
        "/api/changes/?format=csv",
        "/api/openapi.json",
        "/api/docs/",
        "/exports/stats/hello/",
        "/exports/rss/",
        "/download/hello/app/cs/",
        "/",
    ] {
        let (head, full) = (ask(&api, "HEAD", path, &[]).await, get(&api, path).await);
        assert_eq!((head.status, &*head.body), (full.status, ""), "{path}");
        assert_eq!(
            head.header("content-length"),
            full.body.len().to_string(),
            "{path}"
        );
        for name in ["content-type", "allow", "content-disposition"] {
            assert_eq!(head.header(name), full.header(name), "{name} of {path}");
        }
    }
}
