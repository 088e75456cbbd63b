//! Tests of pages through the API pipeline.

use std::sync::Arc;

use poem::Endpoint;

use crate::api::testing::{HOST, ask, get, over, serving, snapshot};
use crate::api::{AccessControl, LinkConfig};
use crate::catalog::Published;

fn site() -> impl Endpoint<Output = poem::Response> {
    serving(Some(snapshot()), LinkConfig::default())
}

async fn page(path: &str) -> String {
    let got = get(&site(), path).await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (200, "text/html; charset=utf-8"),
        "{path}: {}",
        got.body
    );
    got.body
}

/// Status, content type and body of a binary response.
async fn bytes(
    site: &impl Endpoint<Output = poem::Response>,
    path: &str,
) -> (u16, String, Vec<u8>) {
    let request = poem::Request::builder()
        .uri(path.parse().unwrap())
        .header("host", HOST)
        .finish();
    let response = site.call(request).await.unwrap();
    let media = response.content_type().unwrap_or_default().to_owned();
    (
        response.status().as_u16(),
        media,
        response.into_body().into_vec().await.unwrap(),
    )
}

/// Pages of the test data, at least one of each kind.
const PAGES: [&str; 36] = [
    "/",
    "/projects/",
    "/projects/hello/",
    "/projects/empty/",
    "/projects/hello/app/",
    "/projects/hello/app/cs/",
    "/projects/hello/web/xx/",
    "/translate/hello/app/cs/",
    "/translate/hello/app/cs/?type=todo&q=app",
    "/translate/hello/app/cs/?q=(",
    "/translate/hello/app/cs/?offset=1",
    "/translate/hello/web/de/?page=2",
    "/languages/",
    "/languages/cs/",
    "/languages/cs/empty/",
    "/languages/%C4%9B%C5%A1/hello/",
    "/engage/hello/",
    "/engage/hello/cs/",
    "/engage/empty/",
    "/changes/",
    "/changes/?project=hello&component=app&lang=cs&user=ada-example&action=5",
    "/widgets/hello/",
    "/stats/hello/",
    "/stats/hello/cs/",
    "/stats/empty/",
    "/stats/hello/?show=numbers",
    "/stats/hello/?show=map",
    "/stats/hello/?show=map&component=app",
    "/stats/hello/?show=people",
    "/checks/",
    "/checks/end_stop/",
    "/checks/same/hello/",
    "/search/",
    "/search/?q=app&project=hello&lang=cs",
    "/search/?q=(",
    "/about/",
];

#[tokio::test]
async fn every_page_is_complete_small_and_without_inline_code() {
    for path in PAGES {
        let body = page(path).await;
        assert!(
            body.starts_with("<!DOCTYPE html>") && body.trim_end().ends_with("</html>"),
            "{path}"
        );
        assert!(body.len() < 50_000, "{path}: {} bytes", body.len());
        for inline in ["<script>", "<style", " style=", "javascript:", " onclick"] {
            assert!(!body.contains(inline), "{path}: {inline}");
        }
        assert_eq!(body.matches("<script").count(), 1, "{path}");
        assert_eq!(body.matches("<h1").count(), 1, "{path}");
        assert_eq!(
            body.matches("<table").count(),
            body.matches("<caption>").count(),
            "{path}"
        );
    }
}

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
async fn the_page_of_a_string_shows_everything_known_about_it() {
    let site = site();
    let unit = get(&site, "/api/translations/hello/app/cs/units/")
        .await
        .json()["results"][0]
        .clone();
    let address = unit["web_url"].as_str().unwrap();
    let path = address.strip_prefix(&format!("http://{HOST}")).unwrap();
    let body = page(path).await;
    for text in [
        "appName",
        "<bdi lang=\"cs\" dir=\"ltr\">Aplikace</bdi>",
        "The source has changed since this was translated",
        "<ins>",
        "<h2 id=\"notes\">Note</h2>",
        "<b>New translation</b>",
        "<b>Source string changed</b>",
        "Ada Example",
        "https://github.com/example/app/commit/",
        "https://github.com/example/app/blob/",
        "Příliš…",
        "/api/units/1/",
        "1 of 2",
    ] {
        assert!(body.contains(text), "{text}: {body}");
    }
    assert!(!body.contains("secret@example.org"));
    for path in [
        "/translate/hello/app/cs/?checksum=0",
        "/translate/hello/app/cs/?checksum=x",
    ] {
        assert_eq!(get(&site, path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn search_shows_each_string_once() {
    for (query, expected) in [
        ("aplikace", "1 string."),
        ("key:appName&lang=de", "No strings match."),
        ("state:needs-editing&project=hello", "1 string."),
        ("nothing-like-that", "No strings match."),
        ("(", "Invalid search"),
    ] {
        let body = page(&["/search/?q=", query].concat()).await;
        assert!(body.contains(expected), "{query}: {body}");
    }
    let body = page("/search/?q=key:appName").await;
    assert_eq!(body.matches("<tr><th scope=\"row\">").count(), 1, "{body}");
}

#[tokio::test]
async fn pages_with_recent_changes_name_their_event_stream() {
    for (path, scope) in [
        ("/", ""),
        ("/projects/hello/", "&#38;project=hello"),
        (
            "/projects/hello/app/cs/",
            "&#38;project=hello&#38;component=app&#38;language=cs",
        ),
    ] {
        let body = page(path).await;
        let listens = format!("<body data-events=\"/api/events/?last_event_id=9{scope}\">");
        assert!(body.contains(&listens), "{listens}: {body}");
    }
    assert!(
        page("/languages/").await.contains("<body>")
            && page("/changes/?page=2&action=5").await.contains("<body>")
    );
}

#[tokio::test]
async fn failures_are_shown_on_the_pages_they_affect() {
    let published = Arc::new(Published::new());
    published.report_failure(
        "hello/app",
        Some("the host <git.example.org> does not answer"),
    );
    published.publish(snapshot());
    published.report_failure("empty/lost", Some("there is no branch main"));
    let site = over(
        published.clone(),
        LinkConfig::default(),
        AccessControl::default(),
    );
    let old = "the last available version is shown: <bdi>the host &#60;git.example.org&#62; does not answer</bdi>";
    let lost = "<b><bdi>lost</bdi></b> is not available yet: <bdi>there is no branch main</bdi>";
    for (path, has_stale, has_lost) in [
        ("/", true, true),
        ("/projects/hello/", true, false),
        ("/projects/hello/app/", true, false),
        ("/projects/hello/web/", false, false),
        ("/projects/empty/", false, true),
    ] {
        let body = get(&site, path).await.body;
        assert_eq!(
            (body.contains(old), body.contains(lost)),
            (has_stale, has_lost),
            "{path}: {body}"
        );
    }
    published.report_failure("hello/app", None);
    assert!(!get(&site, "/").await.body.contains(old));
    // Failures of components that are no longer configured disappear.
    published.retain_failures(&["hello/app".to_owned()].into());
    assert!(!get(&site, "/").await.body.contains(lost));
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
async fn control_characters_and_markup_are_escaped() {
    let body = page("/translate/hello/app/en/?q=key:=odd").await;
    assert!(
        body.contains("U+2028") && body.contains("␁") && body.contains("&#34;q&#34;"),
        "{body}"
    );
    assert!(!body.contains(['\u{2028}', '\u{1}']));
    let body = page("/translate/hello/app/en/?q=%3Cscript%3E%22%3E").await;
    assert!(
        !body.contains("<script>") && body.contains("No strings match."),
        "{body}"
    );
}

#[tokio::test]
async fn a_string_list_is_filtered_by_type_and_query() {
    for (query, count) in [
        ("", 2),
        ("?type=all", 2),
        ("?type=todo", 2),
        ("?type=nottranslated", 1),
        ("?type=fuzzy", 1),
        ("?type=translated", 0),
        ("?type=allchecks", 0),
        ("?type=check:end_stop", 0),
        ("?type=suggestions", 0),
        ("?q=aplikace", 1),
        ("?type=fuzzy&q=nothing", 0),
    ] {
        let body = page(&["/translate/hello/app/cs/", query].concat()).await;
        let expected = if count == 1 {
            "1 string".to_owned()
        } else {
            format!("{count} strings")
        };
        assert!(
            body.contains(&format!("<p class=\"about\">{expected}")),
            "{query}: {body}"
        );
        assert_eq!(
            body.matches("<tr><th scope=\"row\">").count(),
            count,
            "{query}"
        );
    }
    assert!(
        page("/translate/hello/app/cs/?q=(")
            .await
            .contains("Invalid search: at character")
    );
    let body = page("/translate/hello/web/de/?type=translated&page=2").await;
    assert!(
        body.contains("26–45 of 45") && body.contains("rel=\"prev\" ")
            || body.contains("rel=\"prev\""),
        "{body}"
    );
    assert!(
        body.contains("href=\"/translate/hello/web/de/?type=translated\" rel=\"prev\""),
        "{body}"
    );
}

#[tokio::test]
async fn changes_are_filtered_by_every_field() {
    for (query, count) in [
        ("", 9),
        ("?project=hello", 9),
        ("?project=empty", 0),
        ("?project=nope", 0),
        ("?project=hello&component=web", 0),
        ("?component=app", 9),
        ("?project=hello&component=app&lang=cs", 4),
        ("?lang=en", 2),
        ("?action=5", 2),
        ("?action=99", 0),
        ("?user=nobody", 0),
    ] {
        let body = page(&["/changes/", query].concat()).await;
        assert_eq!(
            body.matches("<li class=\"entry\">").count(),
            count,
            "{query}"
        );
    }
    let body = page("/changes/?user=bob-example").await;
    assert!(body.contains("by <bdi>Bob Example</bdi>"), "{body}");
}

#[tokio::test]
async fn project_history_has_charts_and_tables() {
    let body = page("/stats/hello/").await;
    assert_eq!(body.matches("<svg class=\"chart\"").count(), 2, "{body}");
    // One of four strings in two languages of the component with a log has a text since May 2020.
    for text in [
        "<title>Czech: 50 % today</title>",
        "2020-05: 3 texts",
        "All languages",
    ] {
        assert!(body.contains(text), "{text}: {body}");
    }
    let body = page("/stats/hello/?show=numbers").await;
    assert!(
        body.contains("<td class=\"n\">50</td>") && body.contains("<th scope=\"row\">2020</th>"),
        "{body}"
    );
    let body = page("/stats/hello/?show=people").await;
    assert!(
        body.contains("Ada Example") && !body.contains("<svg class=\"chart\""),
        "{body}"
    );
    let body = page("/stats/hello/?show=map").await;
    assert!(
        body.contains("<table class=\"map\">") && body.contains("href=\"/projects/hello/web/\""),
        "{body}"
    );
    let body = page("/stats/hello/cs/").await;
    assert!(
        body.contains("<title>2020-05: 50 %</title>") && !body.contains("German"),
        "{body}"
    );
    assert!(page("/stats/empty/").await.contains("There is no history"));
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
    assert_eq!(
        ask(&site, "POST", "/projects/hello/", &[]).await.status,
        405
    );
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
