//! Whole requests against a small snapshot: every body, every link, every refusal.

use std::collections::{BTreeSet, VecDeque};

use serde_json::Value;

use super::api;
use super::testing::{HOST, ask, get, serving, snapshot};
use crate::LinkConfig;

/// One path for each operation of the document.
pub(crate) const OPERATION_PATHS: [(&str, &str); 41] = [
    ("getRevision", "/api/components/hello/app/revisions/main/"),
    (
        "listTranslationsOfRevision",
        "/api/components/hello/app/revisions/main/translations/",
    ),
    (
        "listUnitsOfRevision",
        "/api/components/hello/app/revisions/main/units/?page_size=1",
    ),
    ("getRoot", "/api/"),
    ("listProjects", "/api/projects/"),
    ("getProject", "/api/projects/hello/"),
    ("listComponentsOfProject", "/api/projects/hello/components/"),
    ("getProjectStatistics", "/api/projects/hello/statistics/"),
    ("listChangesOfProject", "/api/projects/hello/changes/"),
    ("getProjectRepository", "/api/projects/hello/repository/"),
    ("listComponents", "/api/components/"),
    ("getComponent", "/api/components/hello/app/"),
    (
        "listTranslationsOfComponent",
        "/api/components/hello/app/translations/",
    ),
    (
        "listComponentStatistics",
        "/api/components/hello/app/statistics/",
    ),
    (
        "listChangesOfComponent",
        "/api/components/hello/app/changes/",
    ),
    (
        "listProblemsOfComponent",
        "/api/components/hello/app/problems/",
    ),
    ("getComponentLock", "/api/components/hello/app/lock/"),
    (
        "getComponentRepository",
        "/api/components/hello/app/repository/",
    ),
    ("listTranslations", "/api/translations/"),
    (
        "getTranslation",
        "/api/translations/hello/app/%C4%9B%C5%A1/",
    ),
    (
        "listUnitsOfTranslation",
        "/api/translations/hello/app/cs/units/",
    ),
    (
        "getTranslationStatistics",
        "/api/translations/hello/app/cs/statistics/",
    ),
    (
        "listChangesOfTranslation",
        "/api/translations/hello/app/cs/changes/",
    ),
    (
        "getTranslationRepository",
        "/api/translations/hello/web/de/repository/",
    ),
    ("listLanguages", "/api/languages/"),
    ("getLanguage", "/api/languages/cs/"),
    ("listChanges", "/api/changes/"),
    ("getChange", "/api/changes/2/"),
    ("getChangeDetails", "/api/changes/2/details/"),
    ("listUnits", "/api/units/?page=2&page_size=3"),
    ("getUnit", "/api/units/4/"),
    (
        "listTranslationsOfUnit",
        "/api/units/4/translations/?page_size=2",
    ),
    ("listChecksOfUnit", "/api/units/5/checks/?set=all"),
    ("listChangesOfUnit", "/api/units/1/changes/"),
    ("listSources", "/api/sources/?page_size=3"),
    ("getSource", "/api/sources/1/"),
    ("listScreenshots", "/api/screenshots/"),
    ("listRenames", "/api/renames/"),
    ("listUsers", "/api/users/"),
    ("getUser", "/api/users/1/"),
    ("getMetrics", "/api/metrics/"),
];

#[tokio::test]
async fn every_body_matches_its_snapshot() {
    let api = api();
    let mut shown = String::new();
    for (operation, path) in OPERATION_PATHS {
        let got = ask(
            &api,
            "GET",
            path,
            &[("accept", "application/json; indent=1")],
        )
        .await;
        assert_eq!(got.status, 200, "{path}");
        assert!(
            !got.body.contains("secret"),
            "{path} shows an email address"
        );
        shown.push_str(&format!("== {operation} {path}\n{}\n", got.body));
    }
    insta::assert_snapshot!("bodies", shown);
}

#[tokio::test]
async fn every_link_in_a_body_works() {
    let api = api();
    let site = format!("http://{HOST}");
    let mut seen = BTreeSet::new();
    let mut next: VecDeque<String> = ["/api/", "/api/users/", "/api/metrics/"]
        .map(str::to_owned)
        .into();
    for id in 1..=9 {
        next.push_back(format!("/api/changes/{id}/details/"));
    }
    while let Some(path) = next.pop_front() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let got = get(&api, &path).await;
        assert_eq!(got.status, 200, "{path}");
        assert_eq!(
            got.header("content-length"),
            got.body.len().to_string(),
            "{path}"
        );
        if path.ends_with("/file/") {
            continue;
        }
        each_text(&got.json(), &mut |text| {
            if let Some(path) = text
                .strip_prefix(&site)
                .filter(|path| path.starts_with("/api/"))
            {
                next.push_back(path.to_owned());
            }
        });
    }
    assert!(seen.len() > 150, "{}", seen.len());
}

fn each_text(value: &Value, with: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => with(text),
        Value::Array(values) => values.iter().for_each(|value| each_text(value, with)),
        Value::Object(fields) => fields.values().for_each(|value| each_text(value, with)),
        _ => {}
    }
}

#[tokio::test]
async fn missing_objects_have_the_404_of_weblate() {
    let api = api();
    let not_found = r#"{"detail":"Not found."}"#;
    for path in [
        "/api/projects/nope/",
        "/api/projects/HELLO/",
        "/api/projects/nope/components/",
        "/api/components/hello/nope/statistics/",
        "/api/translations/hello/app/qq/units/?page=9",
        "/api/translations/hello/app/qq/file/",
        "/api/components/hello/web/new_template/",
        "/api/languages/CS/",
        "/api/units/0/",
        "/api/units/-1/",
        "/api/units/abc/",
        "/api/units/1.json/",
        "/api/units/99999999999999999999999/",
        "/api/changes/10/details/",
        "/api/users/3/",
        "/api/screenshots/1/",
        "/api/screenshots/1/file/",
        "/api/units/?format=xml",
        "/api/units.xml",
    ] {
        let got = get(&api, path).await;
        assert_eq!((got.status, &*got.body), (404, not_found), "{path}");
        assert_eq!(got.header("content-type"), "application/json", "{path}");
        assert_eq!(got.header("allow"), "GET, HEAD, OPTIONS", "{path}");
    }
    for path in [
        "/api/units/?page=0",
        "/api/units/?page=abc",
        "/api/screenshots/?page=2",
    ] {
        let got = get(&api, path).await;
        assert_eq!(
            (got.status, &*got.body),
            (404, r#"{"detail":"Invalid page."}"#),
            "{path}"
        );
    }
    for path in [
        "/api/nope/",
        "/api//units/",
        "/api/units/1/foo/",
        "/api/units/1%2F2/",
        "/api/%ff/",
        "/api/metrics.json",
    ] {
        let got = get(&api, path).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (404, "text/html; charset=utf-8"),
            "{path}"
        );
        assert_eq!(got.header("allow"), "", "{path}");
    }
    for path in [
        "/api/units/01/",
        "/api/units/%2B1/",
        "/api/units/1.json",
        "/api/%75nits/1/",
    ] {
        assert_eq!(get(&api, path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn only_reading_is_allowed() {
    let api = api();
    for method in ["POST", "PUT", "PATCH", "DELETE", "FOO"] {
        let got = ask(&api, method, "/api/components/hello/app/lock/", &[]).await;
        let body = format!(r#"{{"detail":"Method \"{method}\" not allowed."}}"#);
        assert_eq!((got.status, &got.body), (405, &body));
        assert_eq!(got.header("allow"), "GET, HEAD, OPTIONS");
    }
    let got = ask(&api, "HEAD", "/api/units/", &[]).await;
    let full = get(&api, "/api/units/").await;
    assert_eq!((got.status, &*got.body), (200, ""));
    assert_eq!(got.header("content-length"), full.body.len().to_string());
    let got = ask(&api, "OPTIONS", "/api/units/999/", &[]).await;
    assert_eq!(got.status, 200);
    assert_eq!(
        got.body,
        r#"{"name":"Unit Instance","description":"A string in one language.","renders":["application/json","text/html"],"#
            .to_owned()
            + r#""parses":["application/json","application/x-www-form-urlencoded","multipart/form-data"]}"#
    );
}

#[tokio::test]
async fn the_representation_is_negotiated() {
    let api = api();
    for (path, accept, status) in [
        ("/api/units/?format=api", "application/json", 406),
        ("/api/units/?format=json", "text/html", 406),
        ("/api/units/?format=json", "text/html,*/*;q=0.8", 200),
        (
            "/api/components/hello/app/monolingual_base/",
            "text/plain",
            406,
        ),
        (
            "/api/components/hello/app/monolingual_base/",
            "text/html",
            200,
        ),
        ("/api/translations/hello/app/cs/file/", "text/plain", 200),
    ] {
        let got = ask(&api, "GET", path, &[("accept", accept)]).await;
        assert_eq!(got.status, status, "{path} {accept}");
        assert_eq!(got.header("content-type"), "application/json");
    }
    let got = ask(
        &api,
        "GET",
        "/api/units/0/",
        &[("accept", "application/json; indent=4")],
    )
    .await;
    assert_eq!(got.body, "{\n    \"detail\": \"Not found.\"\n}");
}

#[tokio::test]
async fn files_are_sent_as_they_are() {
    let api = api();
    for (path, media, disposition, body) in [
        (
            "/api/components/hello/app/monolingual_base/",
            "application/json",
            "attachment; filename=\"messages.json\"",
            format!("\"{}\"", "ee".repeat(20)),
        ),
        (
            "/api/components/hello/app/new_template/",
            "application/binary",
            "attachment; filename=\"new.json\"",
            "\"_locales/new.json\"".to_owned(),
        ),
        (
            "/api/translations/hello/app/cs/file/",
            "application/json",
            "attachment; filename=hello-app-cs.json",
            format!("\"{}\"", "01".repeat(20)),
        ),
    ] {
        let got = get(&api, path).await;
        assert_eq!(
            (got.status, got.header("content-type"), got.body.clone()),
            (200, media, body),
            "{path}"
        );
        assert_eq!(got.header("content-disposition"), disposition);
        let head = ask(&api, "HEAD", path, &[]).await;
        assert_eq!(
            (head.status, head.header("content-length")),
            (200, &*got.body.len().to_string())
        );
    }
    for path in [
        "/api/translations/hello/app/cs/file/?format=json",
        "/api/translations/hello/app/cs/file/?format=",
        "/api/translations/hello/app/cs/file.nope",
    ] {
        let got = get(&api, path).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (404, "text/html; charset=utf-8"),
            "{path}"
        );
    }
    let got = get(&api, "/api/translations/hello/web/xx/file/").await;
    assert_eq!(
        (got.status, &*got.body),
        (200, "\"_locales/xx/messages.json\""),
        "a file that was never read"
    );
}

#[tokio::test]
async fn only_the_document_is_served_before_the_first_snapshot() {
    let api = serving(None, LinkConfig::default());
    for path in ["/api/docs/", "/api/openapi.json", "/api/openapi.yaml"] {
        assert_eq!(get(&api, path).await.status, 200, "{path}");
    }
    for path in [
        "/api/",
        "/api/units/",
        "/api/nope/",
        "/exports/stats/hello/",
        "/download/hello/app/cs/",
    ] {
        let got = get(&api, path).await;
        assert_eq!(got.status, 503, "{path}");
        assert_eq!(got.header("retry-after"), "5");
        assert!(got.json()["detail"].is_string());
    }
}

#[tokio::test]
async fn the_document_page_loads_nothing_from_other_hosts() {
    // Before anything has been read, too.
    let api = serving(None, LinkConfig::default());
    let got = get(&api, "/api/openapi.json").await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (200, "application/json")
    );
    let own = crate::document(crate::Profile::Legacy)
        .replace("\"url\": \"/\"", &format!("\"url\": \"http://{HOST}\""));
    assert_eq!(got.body, own);
    assert_eq!(get(&api, "/api/openapi.yaml").await.status, 200);
    let got = get(&api, "/api/docs/").await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (200, "text/html; charset=utf-8")
    );
    let policy = got.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none';") && !policy.contains("http"),
        "{policy}"
    );
    assert!(!got.body.contains("src=\"http") && got.body.contains("href=\"/changes/\""));
}

#[tokio::test]
async fn every_response_has_the_fixed_headers() {
    let got = get(&api(), "/api/").await;
    for (name, value) in [
        ("vary", "Accept, Accept-Encoding"),
        ("cache-control", "public, no-cache"),
        ("x-frame-options", "DENY"),
        ("x-content-type-options", "nosniff"),
        ("content-language", "en"),
        ("x-xss-protection", "1; mode=block"),
    ] {
        assert_eq!(got.header(name), value, "{name}");
    }
    assert!(
        got.header("content-security-policy")
            .contains("frame-ancestors 'none'")
    );
}

#[tokio::test]
async fn an_unchanged_response_is_a_304() {
    let api = serving(Some(snapshot().at(1_700_000_000)), LinkConfig::default());
    let first = get(&api, "/api/units/?page_size=3").await;
    assert_eq!(
        first.header("last-modified"),
        "Tue, 14 Nov 2023 22:13:20 GMT"
    );
    for condition in [
        ("if-none-match", first.header("etag")),
        ("if-none-match", "\"other\", *"),
        ("if-modified-since", first.header("last-modified")),
    ] {
        for method in ["GET", "HEAD"] {
            let again = ask(&api, method, "/api/units/?page_size=3", &[condition]).await;
            assert_eq!(
                (again.status, again.body.as_str()),
                (304, ""),
                "{condition:?}"
            );
            assert_eq!(again.header("etag"), first.header("etag"));
            assert_eq!(again.header("vary"), first.header("vary"));
        }
    }
    // A different page, format or host is a different response.
    let tag = [("if-none-match", first.header("etag"))];
    assert_eq!(ask(&api, "GET", "/api/units/", &tag).await.status, 200);
    let laid_out = [tag[0], ("accept", "application/json; indent=2")];
    assert_eq!(
        ask(&api, "GET", "/api/units/?page_size=3", &laid_out)
            .await
            .status,
        200
    );
    assert_eq!(
        ask(&api, "GET", "/api/units/999/", &[("if-none-match", "*")])
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn compressed_bodies_decode_to_the_plain_ones() {
    let api = api();
    let plain = get(&api, "/api/units/").await;
    assert_eq!(plain.header("content-encoding"), "");
    for (accept, coding) in [
        ("gzip", "gzip"),
        ("br;q=0.5, gzip", "gzip"),
        (
            "gzip;q=0.5, br",
            if cfg!(feature = "brotli") {
                "br"
            } else {
                "gzip"
            },
        ),
        (
            "gzip;q=0.5, zstd",
            if cfg!(feature = "zstd") {
                "zstd"
            } else {
                "gzip"
            },
        ),
        ("gzip;q=0", ""),
    ] {
        for _ in 0..2 {
            let head = ask(&api, "HEAD", "/api/units/", &[("accept-encoding", accept)]).await;
            assert_eq!(head.header("content-encoding"), coding, "{accept}");
            assert_eq!(
                head.header("etag") == plain.header("etag"),
                coding.is_empty()
            );
            assert_eq!(
                head.header("content-length") == plain.header("content-length"),
                coding.is_empty()
            );
        }
    }
    let again = get(&api, "/api/units/").await;
    assert_eq!(
        (again.header("etag"), &again.body),
        (plain.header("etag"), &plain.body)
    );
    let small = ask(&api, "GET", "/api/units/1/", &[("accept-encoding", "gzip")]).await;
    assert_eq!(small.header("content-encoding"), "");
}
