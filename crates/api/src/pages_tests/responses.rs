//! Links, redirects, statuses, headers and badges.

use super::*;

#[tokio::test]
async fn every_link_on_every_page_resolves() {
    let site = site();
    let mut seen: Vec<String> = PAGES.iter().map(|path| (*path).to_owned()).collect();
    let mut at = 0;
    while let Some(path) = seen.get(at).cloned() {
        let got = get(&site, &path).await;
        // Links to a line of a file redirect to the repository host.
        let is_external =
            path.starts_with("/line/") && got.header("location").starts_with("https://github.com/");
        assert_eq!(got.status, if is_external { 302 } else { 200 }, "{path}");
        at += 1;
        if !got.header("content-type").starts_with("text/html") || path.starts_with("/api/") {
            continue;
        }
        for attribute in ["href=\"", "src=\""] {
            for link in got
                .body
                .split(attribute)
                .skip(1)
                .filter_map(|rest| rest.split('"').next())
            {
                let link = link.replace("&#38;", "&").replace("&amp;", "&");
                if link.starts_with('/') && !seen.contains(&link) && seen.len() < 600 {
                    seen.push(link);
                }
            }
        }
    }
    assert!(at > 100, "{at}");
}

#[tokio::test]
async fn the_sitemap_lists_projects_translations_and_languages() {
    let got = get(&site(), "/sitemap.xml").await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (200, "application/xml; charset=utf-8")
    );
    for path in [
        "/projects/hello/",
        "/projects/hello/app/cs/",
        "/languages/%C4%9B%C5%A1/",
    ] {
        assert!(
            got.body
                .contains(&format!("<loc>http://{HOST}{path}</loc>")),
            "{path}: {}",
            got.body
        );
    }
}

#[tokio::test]
async fn pages_return_503_until_the_first_read_completes() {
    let got = get(&serving(None, LinkConfig::default()), "/projects/").await;
    assert_eq!(
        (
            got.status,
            got.header("content-type"),
            got.header("retry-after")
        ),
        (503, "text/html; charset=utf-8", "5")
    );
    assert!(
        got.body
            .contains("reading the repositories for the first time"),
        "{}",
        got.body
    );
    let below = LinkConfig {
        base_url: Some("https://example.org/l10n/".into()),
        ..LinkConfig::default()
    };
    let got = get(&serving(None, below), "/").await;
    assert!(got.body.contains("href=\"/l10n/"), "{}", got.body);
}

#[tokio::test]
async fn badges_are_images_and_redirect_to_the_right_url() {
    let site = site();
    for path in [
        "/widgets/hello/-/svg-badge.svg",
        "/widgets/hello/cs/svg-badge.svg",
        "/widgets/hello/-/app/svg-badge.svg",
        "/widgets/hello/cs/app/svg-badge.svg",
        "/widgets/hello/-/multi-auto.svg",
        "/widgets/hello/-/web/multi-blue.svg",
    ] {
        let got = get(&site, path).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (200, "image/svg+xml; charset=utf-8"),
            "{path}"
        );
        assert!(!got.header("etag").is_empty(), "{path}");
        assert!(
            got.body.starts_with("<svg ") && got.body.trim_end().ends_with("</svg>"),
            "{path}: {}",
            got.body
        );
    }
    for (path, width) in [
        ("/widgets/hello/-/287x66-grey.png", 287),
        ("/widgets/hello/cs/app/88x31-black.png", 88),
        ("/widgets/hello/cs/88x31-white.png", 88),
        ("/widgets/hello/-/287x66-white.png", 287),
    ] {
        let (status, media, picture) = bytes(&site, path).await;
        assert_eq!((status, &*media), (200, "image/png"), "{path}");
        let decoded = png::Decoder::new(std::io::Cursor::new(&picture))
            .read_info()
            .unwrap();
        assert_eq!(decoded.info().width, width, "{path}");
        assert!(picture.len() < 4_000, "{path}: {} bytes", picture.len());
    }
    let badge = get(&site, "/widgets/hello/cs/svg-badge.svg").await.body;
    assert!(
        badge.contains(">přeloženo</text>") && badge.contains("\u{a0}%</text>"),
        "{badge}"
    );
    assert!(badge.contains("xml:lang=\"cs\""), "{badge}");
    let native = get(&site, "/widgets/hello/cs/svg-badge.svg?native")
        .await
        .body;
    assert!(
        native.contains(">translated</text>") && native.contains("xml:lang=\"en\""),
        "{native}"
    );
    let badge = get(&site, "/widgets/hello/de/svg-badge.svg?native=1")
        .await
        .body;
    assert!(
        badge.contains(">100%</text>") && badge.contains("width=\"106\"") && badge.contains("#4c1"),
        "{badge}"
    );
    for (path, to) in [
        (
            "/widgets/hello/-/app/svg-red.svg",
            "/widgets/hello/-/app/svg-badge.svg",
        ),
        (
            "/widgets/hello/-/svg-badge.png",
            "/widgets/hello/-/svg-badge.svg",
        ),
        (
            "/widgets/hello/-/multi-pink.svg",
            "/widgets/hello/-/multi-red.svg",
        ),
        (
            "/widgets/hello/-/app/88x31-pink.png",
            "/widgets/hello/-/app/88x31-grey.png",
        ),
        (
            "/widgets/hello/-/287x66-white.svg",
            "/widgets/hello/-/287x66-grey.png",
        ),
        (
            "/widgets/hello/-/status-badge.svg",
            "/widgets/hello/-/svg-badge.svg",
        ),
        ("/widgets/", "/projects/"),
        ("/data/hello/", "/projects/hello/"),
        (
            "/projects/hello/app/cs/translate/?type=todo",
            "/translate/hello/app/cs/?type=todo",
        ),
        ("/projects/hello", "/projects/hello/"),
    ] {
        let got = get(&site, path).await;
        assert_eq!((got.status, got.header("location")), (301, to), "{path}");
    }
}

#[tokio::test]
async fn unknown_paths_return_a_404_page() {
    let site = site();
    for path in [
        "/nope/",
        "/projects/nope/",
        "/projects/hello/nope/",
        "/projects/hello/app/fr/",
        "/projects//app/",
        "/translate/hello/app/",
        "/languages/fr/",
        "/engage/nope/",
        "/engage/hello/fr/",
        "/widgets/nope/-/svg-badge.svg",
        "/widgets/hello/-/nope/svg-badge.svg",
        "/widgets/hello/fr/svg-badge.svg",
        "/widgets/hello/fr/app/88x31-grey.png",
        "/widgets/hello/-/nope-badge.svg",
        "/widgets/hello/multi/",
        "/widgets/hello/88x31/black/",
        "/widgets/hello-88x31-white-cs.png",
    ] {
        let got = get(&site, path).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (404, "text/html; charset=utf-8"),
            "{path}"
        );
        assert!(got.body.contains("list of projects"), "{path}");
    }
    for path in [
        "/projects/hello/",
        "/projects/nope/",
        "/exports/documents/hello/app/",
        "/exports/credits/nope/",
    ] {
        assert_eq!(ask(&site, "POST", path, &[]).await.status, 405, "{path}");
    }
}

#[tokio::test]
async fn pages_have_etags_and_work_below_a_path_prefix() {
    let site = site();
    let tag = get(&site, "/projects/hello/")
        .await
        .header("etag")
        .to_owned();
    assert_eq!(
        ask(&site, "GET", "/projects/hello/", &[("if-none-match", &tag)])
            .await
            .status,
        304
    );
    let links = LinkConfig {
        base_url: Some("https://example.org/l10n".into()),
        ..LinkConfig::default()
    };
    let below = serving(Some(snapshot()), links);
    let body = get(&below, "/projects/hello/").await.body;
    assert!(
        body.contains("href=\"/l10n/projects/hello/app/\""),
        "{body}"
    );
    assert!(
        body.contains("https://example.org/l10n/widgets/hello/-/svg-badge.svg"),
        "{body}"
    );
    assert!(!body.contains("href=\"/projects"), "{body}");
}
