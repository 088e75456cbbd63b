//! Pages for people, over a real socket: every address that the API names for them answers.

use std::collections::BTreeSet;

use crate::common::{History, Person, Repo, Server, commit};

const EVE: Person = Person {
    name: "Eve & \"Co\"",
    email: "eve@example.org",
    offset: 0,
};

fn huge(text: &str) -> String {
    text.replace("HUGE", &"huge".repeat(25_000))
}

/// A malicious repository: markup, bidirectional text, control characters and huge texts wherever text is possible.
fn hostile() -> History {
    commit("one")
        .message("<img src=x onerror=alert(2)> \\u{202E} mail eve@example.org\n")
        .by_at(EVE, "2020-01-01 00:00")
        .write("locales/en.json", huge(r#"{"<img src=x onerror=alert(3)>": "</bdi><img src=x onerror=alert(4)>", "k\u202e": "a\u202e\u0007b", "javascript:alert(5)": "javascript:alert(5)", "": "empty key", "long": "HUGE"}"#))
        .write("locales/cs.json", huge(r#"{"<img src=x onerror=alert(3)>": "</bdi><img src=x onerror=alert(6)>", "k\u202e": "\u2066\ufeffc", "javascript:alert(5)": "javascript:alert(5)", "long": "HUGE"}"#))
        .write(r#"locales/x"><img.json"#, r#"{"k\u202e": "d"}"#)
        .commit("two")
        .message("Second\n")
        .by_at(EVE, "2020-02-01 00:00")
        .write("locales/en.json", huge(r#"{"<img src=x onerror=alert(3)>": "<b>changed</b>", "k\u202e": "a\u202e\u0007b", "javascript:alert(5)": "javascript:alert(5)", "": "empty key", "long": "HUGE"}"#))
}

/// No address that answers is counted among those that nobody knows.
fn all_have_routes(server: &Server) {
    let (status, metrics) = server.get("/metrics");
    assert_eq!(status, 200);
    let counted = |route: &str| {
        let start = format!("gitglot_http_requests_total{{route=\"{route}\",");
        let lines = metrics
            .lines()
            .filter(|line| line.starts_with(&start) && line.contains("status=\"200\""));
        lines.filter(|line| !line.ends_with(" 0")).count()
    };
    assert_eq!(counted("/projects/:project/:component/"), 1, "{metrics}");
    assert_eq!(
        counted("other"),
        0,
        "a page or another route has no pattern in crates/api/src/route_table.rs"
    );
}

/// The addresses in all attributes of a name.
fn addresses<'a>(page: &'a str, attribute: &str) -> impl Iterator<Item = String> + use<'a> {
    let start = format!("{attribute}=\"");
    let values: Vec<&str> = page.split(&*start).skip(1).collect();
    values.into_iter().filter_map(|rest| {
        Some(
            rest.split('"')
                .next()?
                .replace("&#38;", "&")
                .replace("&#39;", "'"),
        )
    })
}

#[test]
fn a_hostile_repository_does_no_harm_on_any_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("repository.git");
    Repo::with(&path, &hostile());
    let arguments = [
        "serve",
        path.to_str().expect("UTF-8"),
        "--filemask",
        "locales/*.json",
        "--template",
        "locales/en.json",
    ];
    let server = Server::start(&arguments, &folder.path().join("state"));
    let (mut pages, mut pictures, mut at) = (vec!["/".to_owned()], BTreeSet::new(), 0);
    while let Some(page) = pages.get(at).cloned() {
        at += 1;
        let (status, body) = server.get(&page);
        assert_eq!(status, 200, "{page}");
        let turned = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{7}' | '\u{feff}');
        assert!(!body.contains(turned), "{page}: {body}");
        let picture = body
            .replace("<img src=\"/widgets/", "")
            .replace("<img src=\"/static/", "");
        assert!(body.len() < 200_000, "{page}: {} bytes", body.len());
        assert!(
            !picture.contains("<img")
                && !body.contains("<b>changed")
                && !body.contains("eve@example"),
            "{page}: {body}"
        );
        pictures.extend(addresses(&body, "src"));
        for link in addresses(&body, "href") {
            assert!(
                link.starts_with('/') || link.starts_with("http") || link.starts_with('#'),
                "{page}: {link}"
            );
            let shows = ["/api/", "/exports/", "/download/"]
                .iter()
                .all(|prefix| !link.starts_with(prefix));
            if link.starts_with('/') && shows && !pages.contains(&link) {
                pages.push(link);
            }
        }
    }
    assert!(at > 40 && !pictures.is_empty(), "{at} {pictures:?}");
    for picture in pictures {
        assert_eq!(server.get(&picture).0, 200, "{picture}");
    }
    all_have_routes(&server);
}

#[test]
fn every_page_that_the_api_of_the_demo_names_is_there() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(&["demo"], state.path());
    let mut pages = BTreeSet::new();
    for list in [
        "projects",
        "components",
        "languages",
        "translations",
        "units",
    ] {
        let (status, lines) = server.get(&format!("/api/{list}/?format=ndjson"));
        assert_eq!(status, 200, "{list}");
        for line in lines.lines() {
            let object: serde_json::Value = serde_json::from_str(line).expect("an object a line");
            let named = ["web_url", "share_url", "translate_url"]
                .into_iter()
                .filter_map(|field| object[field].as_str());
            pages.extend(named.map(str::to_owned));
        }
    }
    assert!(pages.len() > 1000, "{}", pages.len());
    let mut other = BTreeSet::new();
    for page in &pages {
        let (status, body) = server.get(page);
        assert_eq!(status, 200, "{page}");
        assert!(
            body.starts_with("<!DOCTYPE html>") && body.trim_end().ends_with("</html>"),
            "{page}"
        );
        assert!(body.len() < 50_000, "{page}: {} bytes", body.len());
        let all = addresses(&body, "href").chain(addresses(&body, "src"));
        // Those with a query are more of the same.
        other.extend(all.filter(|link| link.starts_with('/') && !link.contains('?')));
    }
    for link in &other {
        assert_eq!(server.get(link).0, 200, "{link}");
    }
    all_have_routes(&server);
}

#[test]
fn the_start_page_counts_a_project_as_its_own_page_does() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(&["demo"], state.path());
    let (_, start) = server.get("/");
    for project in ["reading-lamp", "seedbook"] {
        let address = format!("/projects/{project}/");
        let (_, page) = server.get(&address);
        let (_, tile) = page.split_once("translated</span></dt><dd>").unwrap();
        let (percent, _) = tile.split_once('<').unwrap();
        let (_, row) = start
            .split_once(&format!("<a href=\"{address}\">"))
            .unwrap();
        let (row, _) = row.split_once("</tr>").unwrap();
        let cell = format!("<td>{percent}</td>");
        assert!(row.contains(&cell), "{percent}: {row}");
    }
}

#[test]
fn a_list_of_stale_strings_is_one_choice() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(&["demo"], state.path());
    for (kind, choice) in [("stale", "stale"), ("fuzzy", "fuzzy"), ("all", "fuzzy")] {
        let (_, page) = server.get(&format!(
            "/translate/reading-lamp/extension/es/?type={kind}"
        ));
        assert_eq!(page.matches(">Stale</option>").count(), 1, "{kind}: {page}");
        let option = format!("<option value=\"{choice}\"");
        assert!(page.contains(&option), "{kind}: {page}");
    }
}

#[test]
fn the_numbers_of_a_file_that_does_not_parse_link_to_the_problem() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("repository.git");
    let history = commit("one")
        .write("locales/en.json", r#"{"a": "One", "b": "Two"}"#)
        .write("locales/cs.json", r#"{"a": "Jedna"}"#)
        .write("locales/de.json", r#"{"a": "Eins"}"#)
        .commit("two")
        .write("locales/cs.json", r#"{"a": "Jedna",,"#);
    Repo::with(&path, &history);
    let server = Server::start(
        &["serve", path.to_str().expect("UTF-8")],
        &folder.path().join("state"),
    );
    let (status, page) = server.get("/projects/repository/locales/");
    assert_eq!(status, 200);
    let link = "<a href=\"#problems\">the file does not parse</a>";
    assert_eq!(page.matches(link).count(), 1, "{page}");
    assert!(page.contains("id=\"problems\""), "{page}");
}
