//! The contents of pages.

use super::*;

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
        let scripts = body.matches("<script").count();
        let files = body.matches("<script src=\"/static/").count();
        assert!(scripts == files && (1..=2).contains(&files), "{path}");
        assert_eq!(body.matches("<h1").count(), 1, "{path}");
        assert_eq!(
            body.matches("<table").count(),
            body.matches("<caption>").count(),
            "{path}"
        );
    }
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
        "Příliš",
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
    published.publish_failures();
    published.publish(snapshot());
    published.report_failure("empty/lost", Some("there is no branch main"));
    published.publish_failures();
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
    // Nothing of the project could be read, so it has no id.
    published.report_failure("ghost/app", Some("there is no branch main"));
    published.publish_failures();
    let link = "<a href=\"/projects/ghost/\">ghost</a>: <b><bdi>app</bdi></b> is not available yet";
    assert!(get(&site, "/").await.body.contains(link));
    let ghost = get(&site, "/projects/ghost/").await;
    assert!(ghost.status == 200 && ghost.body.contains("there is no branch main"));
    assert_eq!(get(&site, "/projects/unknown/").await.status, 404);
    published.report_failure("hello/app", None);
    published.publish_failures();
    assert!(!get(&site, "/").await.body.contains(old));
    // Failures of components that are no longer configured disappear.
    published.retain_failures(&["hello/app".to_owned()].into());
    published.publish_failures();
    assert!(!get(&site, "/").await.body.contains(lost));
}

#[tokio::test]
async fn a_page_with_a_new_notice_is_not_a_304() {
    let published = Arc::new(Published::new());
    published.publish(snapshot().at(1_700_000_000));
    let (links, access) = (LinkConfig::default(), AccessControl::default());
    let site = over(published.clone(), links, access);
    let known = [("if-modified-since", "Tue, 14 Nov 2023 22:13:20 GMT")];
    assert_eq!(ask(&site, "GET", "/", &known).await.status, 304);
    for reason in [Some("no answer"), None] {
        published.report_failure("hello/app", reason);
        published.publish_failures();
        let page = ask(&site, "GET", "/", &known).await;
        assert_eq!(page.status, 200, "{reason:?}");
        let list = ask(&site, "GET", "/api/units/", &known).await;
        assert_eq!(list.status, 304, "responses of the API show no failures");
    }
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
        ("?from=2020-01-01&to=2030-12-31", 9),
        ("?from=2030-01-01", 0),
        ("?to=yesterday", 9),
        ("?commit=nope", 0),
    ] {
        let body = page(&["/changes/", query].concat()).await;
        let entries = if count == 1 { "entry" } else { "entries" };
        let about = format!("<p class=\"about\">{count} {entries}, newest first");
        assert!(body.contains(&about), "{query}: {body}");
    }
    let body = page("/changes/?user=bob-example").await;
    assert!(body.contains("by <bdi>Bob Example</bdi>"), "{body}");
    // Entries that only say that a commit changed a file are left out, and each commit is one group.
    let body = page("/changes/").await;
    assert!(!body.contains("<b>Committed changes</b>"), "{body}");
    assert!(
        body.contains("Czech text") && body.contains("class=\"commits\""),
        "{body}"
    );
}

#[tokio::test]
async fn project_history_has_charts_and_tables() {
    let body = page("/stats/hello/").await;
    assert_eq!(body.matches("<svg class=\"chart\"").count(), 2, "{body}");
    // The one text of the component with a log is stale: its source has changed since.
    for text in [
        "<title>Czech: 0 %</title>",
        "2020-05: 3 texts",
        "All languages",
        "<table class=\"heat\">",
        "/exports/progress/hello/?step=month&#38;format=csv",
    ] {
        assert!(body.contains(text), "{text}: {body}");
    }
    let body = page("/stats/hello/?show=numbers").await;
    assert!(
        body.contains("<td class=\"n\">0</td>") && body.contains("<th scope=\"row\">2020</th>"),
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
    assert!(!body.contains("German"), "{body}");
    assert!(page("/stats/empty/").await.contains("There is no history"));
}

#[tokio::test]
async fn languages_of_a_project_are_sorted_and_found() {
    let names = |body: &str| -> Vec<String> {
        let table = body.split("<table class=\"ready\">").nth(1).unwrap();
        let table = table.split("</table>").next().unwrap();
        let cells = table.split("<th scope=\"row\">").skip(1);
        let name = |cell: &str| {
            cell.split("<bdi>")
                .nth(1)?
                .split('<')
                .next()
                .map(str::to_owned)
        };
        cells.filter_map(name).collect()
    };
    let body = page("/projects/hello/").await;
    assert!(
        body.contains("are ready for a release: all strings translated"),
        "{body}"
    );
    let all = names(&body);
    assert!(all.contains(&"Czech".to_owned()) && all.contains(&"German".to_owned()));
    let found = names(&page("/projects/hello/?name=CZE").await);
    assert_eq!(found, ["Czech"]);
    // The order is that of the groups, and of the words within each.
    for (sort, direction) in [("words", "ascending"), ("-words", "descending")] {
        let body = page(&["/projects/hello/?sort=", sort].concat()).await;
        let heading = format!("aria-sort=\"{direction}\"><a href=\"/projects/hello/?sort=");
        assert!(body.contains(&heading), "{sort}: {body}");
        assert_eq!(names(&body).len(), all.len(), "{sort}");
    }
    let body = page("/projects/hello/?name=nothing").await;
    assert!(body.contains("No language has this name."), "{body}");
    let moved = get(&site(), "/revisions/hello/?at=v1/a").await;
    let to = moved.header("location");
    assert!(
        moved.status == 301 && to.starts_with("/revisions/hello/v1%2Fa/"),
        "{to}"
    );
}

#[tokio::test]
async fn the_health_of_a_project_names_what_to_do() {
    let body = page("/health/hello/").await;
    for text in [
        "Stale for more than a month",
        "appName in Czech",
        "Ada Example",
        "/search/?q=state:stale&#38;project=hello",
    ] {
        assert!(body.contains(text), "{text}: {body}");
    }
    assert!(
        page("/health/empty/")
            .await
            .contains("Nothing needs attention.")
    );
    assert_eq!(get(&site(), "/health/nope/").await.status, 404);
}

#[tokio::test]
async fn a_component_shows_its_time_its_people_and_what_is_left() {
    let body = page("/projects/hello/app/").await;
    for text in [
        "in the change log, from ",
        "<dt>People in all</dt>",
        "stale <span class=\"quiet\">(",
        "/stats/hello/?show=people\">all contributors",
    ] {
        assert!(body.contains(text), "{text}: {body}");
    }
}

#[tokio::test]
async fn a_list_of_work_shows_what_changed_and_where_to_do_it() {
    let body = page("/translate/hello/app/cs/?type=todo&sort=kind").await;
    for part in [
        "<del>The</del><ins>My</ins> <del>old text</del><ins>App</ins>",
        "edit/main/_locales/cs/messages.json\" rel=\"nofollow\">Edit in the repository",
        "href=\"/engage/hello/cs/\">How to contribute",
        "href=\"/api/translations/hello/app/cs/file/?q=state%3A%3Ctranslated&#38;format=po\"",
        ">line in the file</a>",
        "<option value=\"kind\" selected>",
    ] {
        assert!(body.contains(part), "{part}: {body}");
    }
    let position = |key: &str| body.find(&[">", key, "</bdi>"].concat());
    assert!(position("odd") < position("appName"), "{body}");
    // The links of a string keep the order of its list.
    let body = page("/translate/hello/app/cs/?type=todo&sort=kind&offset=0").await;
    assert!(body.contains(">odd</bdi></h1>"), "{body}");
    assert!(body.contains("sort=kind\" rel=\"next\""), "{body}");
}

#[tokio::test]
async fn search_marks_matches_and_mistakes() {
    let body = page("/search/?q=app&lang=cs").await;
    assert!(
        body.contains("<mark class=\"found\">app</mark>Name"),
        "{body}"
    );
    let body = page("/search/?q=app&lang=en").await;
    assert!(body.contains("<td colspan=\"2\">"), "{body}");
    let body = page("/search/?q=open+titel:x").await;
    assert!(body.contains("open <mark>t</mark>itel:x"), "{body}");
}

#[tokio::test]
async fn a_contributor_finds_the_guide_and_the_files() {
    for path in ["/engage/hello/", "/engage/hello/cs/"] {
        let body = page(path).await;
        for part in [
            "/CONTRIBUTING.md\" rel=\"nofollow\">",
            "A new language is a file <code><bdi>_locales/*/messages.json</bdi></code>",
        ] {
            assert!(body.contains(part), "{path}, {part}: {body}");
        }
    }
}
