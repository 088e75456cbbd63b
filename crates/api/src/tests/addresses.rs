//! Addresses: redirections, and links in bodies.

use poem::Endpoint;

use super::api;
use super::testing::{HOST, get, serving, snapshot};
use crate::LinkConfig;

#[tokio::test]
async fn a_missing_slash_is_added_by_a_redirection() {
    let api = api();
    for (path, location) in [
        ("/api", "/api/"),
        ("/api?format=json", "/api/?format=json"),
        ("/api/units?page=2", "/api/units/?page=2"),
        ("/api/languages/be@tarask", "/api/languages/be@tarask/"),
        ("/api/docs", "/api/docs/"),
    ] {
        let got = get(&api, path).await;
        assert_eq!(
            (got.status, got.header("location"), &*got.body),
            (301, location, ""),
            "{path}"
        );
        assert_eq!(got.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(got.header("vary"), "");
    }
}

#[tokio::test]
async fn links_repeat_the_format_of_the_request() {
    let api = api();
    let json = get(&api, "/api/units/1/?format=json").await.json();
    assert_eq!(
        json["url"],
        format!("http://{HOST}/api/units/1/?format=json")
    );
    assert_eq!(
        json["translation"],
        format!("http://{HOST}/api/translations/hello/app/cs/?format=json")
    );
    let translation = get(&api, "/api/translations/hello/app/cs/?format=json").await;
    assert_eq!(
        translation.json()["file_url"],
        format!("http://{HOST}/api/translations/hello/app/cs/file/?format=json")
    );
    let page = get(&api, "/api/translations/hello/app/cs/?format=api").await;
    assert!(page.body.contains("/cs/units/?format=api"), "{}", page.body);
    assert!(!page.body.contains("/file/?format="), "{}", page.body);
    assert!(
        json["web_url"]
            .as_str()
            .unwrap()
            .starts_with(&format!("http://{HOST}/translate/hello/app/cs/?checksum="))
    );
    let json = get(&api, "/api/projects.json").await.json();
    assert_eq!(
        json["results"][0]["components_list_url"],
        format!("http://{HOST}/api/projects/hello/components.json")
    );
    let json = get(&api, "/api/projects/hello/components.json")
        .await
        .json();
    assert_eq!(
        json["results"][0]["url"],
        format!("http://{HOST}/api/components/hello/app/")
    );
    let json = get(&api, "/api/units.json?page=2").await.json();
    assert_eq!(json["next"], format!("http://{HOST}/api/units.json?page=3"));
    assert_eq!(json["previous"], format!("http://{HOST}/api/units.json"));
    let json = get(&api, "/api/translations/hello/app/%C4%9B%C5%A1/")
        .await
        .json();
    assert_eq!(
        json["url"],
        format!("http://{HOST}/api/translations/hello/app/%C4%9B%C5%A1/")
    );
}

#[tokio::test]
async fn links_use_configured_addresses() {
    let links = LinkConfig {
        base_url: Some("https://example.org/l10n/".into()),
        site_url: Some("https://weblate.example.org".into()),
        ..LinkConfig::default()
    };
    let api = serving(Some(snapshot()), links);
    let json = get(&api, "/api/units/?page=2").await.json();
    assert_eq!(json["previous"], "https://example.org/l10n/api/units/");
    assert_eq!(
        json["results"][0]["url"],
        "https://example.org/l10n/api/units/21/"
    );
    let page = json["results"][0]["web_url"].as_str().unwrap();
    assert!(
        page.starts_with("https://weblate.example.org/translate/hello/web/de/?checksum="),
        "{page}"
    );
}

#[tokio::test]
async fn below_a_path_redirections_and_pages_keep_it() {
    let links = LinkConfig {
        base_url: Some("https://example.org/l10n".into()),
        ..LinkConfig::default()
    };
    let api = serving(Some(snapshot()), links);
    for (path, location) in [
        ("/api", "/l10n/api/"),
        ("/api/docs", "/l10n/api/docs/"),
        ("/api/units?page=2", "/l10n/api/units/?page=2"),
        ("/exports/stats/hello", "/l10n/exports/stats/hello/"),
        ("/projects/hello", "/l10n/projects/hello/"),
    ] {
        let got = get(&api, path).await;
        assert_eq!(
            (got.status, got.header("location")),
            (301, location),
            "{path}"
        );
    }
    for path in [
        "/api/nowhere/",
        "/nowhere/",
        "/api/%FF/",
        "/api/translations/hello/app/cs/file/?format=none",
    ] {
        let got = get(&api, path).await;
        assert_eq!(got.status, 404, "{path}");
        assert!(
            got.body.contains("href=\"/l10n/static/style.css?"),
            "{path}: {}",
            got.body
        );
    }
}

#[tokio::test]
async fn an_address_without_end_is_refused() {
    let api = api();
    let query = "x".repeat(9_000);
    let got = get(&api, &format!("/api/units/?{query}")).await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (414, "application/json")
    );
    assert!(got.body.contains("the limit is 8192 bytes"), "{}", got.body);
    assert_eq!(
        get(&api, &format!("/api/units/?{}", &query[..8_000]))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn a_forged_host_does_not_get_into_links() {
    let request = poem::Request::builder()
        .uri_str("/api/")
        .header("host", "evil\"><x")
        .finish();
    assert_eq!(api().get_response(request).await.status(), 400);
}

#[tokio::test]
async fn a_stored_document_or_file_is_that_of_its_url() {
    let api = api();
    let page = get(&api, "/nowhere/").await.body;
    let (_, style) = page.split_once("rel=\"stylesheet\" href=\"").unwrap();
    let (current, _) = style.split_once('"').unwrap();
    let (path, _) = current.split_once('?').unwrap();
    let immutable = "public, max-age=31536000, immutable";
    // The first round stores the responses.
    for _ in 0..2 {
        for base in ["http://one.example.org", "http://two.example.org"] {
            let document = get(&api, &format!("{base}/api/openapi.json")).await;
            assert_eq!(document.json()["servers"][0]["url"], base);
        }
        for (url, lifetime) in [(path, "public, max-age=300"), (current, immutable)] {
            let file = get(&api, url).await;
            assert_eq!(file.header("cache-control"), lifetime, "{url}");
        }
    }
}
