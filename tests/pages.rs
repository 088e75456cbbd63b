//! Pages for people, over a real socket: every address that the API names for them answers.

mod common;

use std::collections::BTreeSet;

use common::Server;
use gitglot::example;

/// A repository that means harm: markup, turned text, control characters and huge texts wherever a text can stand.
const HOSTILE: &str = r#"
person eve Eve & "Co" <eve@example.org> +0000

commit one <img src=x onerror=alert(2)> \u{202E} mail eve@example.org
  by eve 2020-01-01 00:00
  write locales/en.json | {"<img src=x onerror=alert(3)>": "</bdi><img src=x onerror=alert(4)>", "k\u202e": "a\u202e\u0007b", "javascript:alert(5)": "javascript:alert(5)", "": "empty key", "long": "HUGE"}
  write locales/cs.json | {"<img src=x onerror=alert(3)>": "</bdi><img src=x onerror=alert(6)>", "k\u202e": "\u2066\ufeffc", "javascript:alert(5)": "javascript:alert(5)", "long": "HUGE"}
  write locales/x"><img.json | {"k\u202e": "d"}

commit two Second
  by eve 2020-02-01 00:00
  write locales/en.json | {"<img src=x onerror=alert(3)>": "<b>changed</b>", "k\u202e": "a\u202e\u0007b", "javascript:alert(5)": "javascript:alert(5)", "": "empty key", "long": "HUGE"}
"#;

#[test]
fn a_hostile_repository_does_no_harm_on_any_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("repository.git");
    example::build_at(&HOSTILE.replace("HUGE", &"huge".repeat(25_000)), &path).expect("the script is right");
    let arguments =
        ["serve", path.to_str().expect("UTF-8"), "--filemask", "locales/*.json", "--template", "locales/en.json"];
    let server = Server::start(&arguments, &folder.path().join("state"));
    let (mut pages, mut at) = (vec!["/".to_owned()], 0);
    while let Some(page) = pages.get(at).cloned() {
        at += 1;
        let (status, body) = server.get(&page);
        assert_eq!(status, 200, "{page}");
        let turned = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{7}' | '\u{feff}');
        assert!(!body.contains(turned), "{page}: {body}");
        let picture = body.replace("<img src=\"/widgets/", "").replace("<img src=\"/static/", "");
        assert!(body.len() < 200_000, "{page}: {} bytes", body.len());
        assert!(
            !picture.contains("<img") && !body.contains("<b>changed") && !body.contains("eve@example"),
            "{page}: {body}"
        );
        for link in body.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let link = link.replace("&#38;", "&").replace("&#39;", "'");
            assert!(link.starts_with('/') || link.starts_with("http") || link.starts_with('#'), "{page}: {link}");
            let shows = ["/api/", "/exports/", "/download/"].iter().all(|beside| !link.starts_with(beside));
            if link.starts_with('/') && shows && !pages.contains(&link) {
                pages.push(link);
            }
        }
    }
    assert!(at > 40, "{at}");
}

#[test]
fn every_page_that_the_api_of_the_demo_names_is_there() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(&["demo"], state.path());
    let mut pages = BTreeSet::new();
    for list in ["projects", "components", "languages", "translations", "units"] {
        let (status, lines) = server.get(&format!("/api/{list}/?format=ndjson"));
        assert_eq!(status, 200, "{list}");
        for line in lines.lines() {
            let object: serde_json::Value = serde_json::from_str(line).expect("an object a line");
            let named =
                ["web_url", "share_url", "translate_url"].into_iter().filter_map(|field| object[field].as_str());
            pages.extend(named.map(str::to_owned));
        }
    }
    assert!(pages.len() > 1000, "{}", pages.len());
    for page in &pages {
        let (status, body) = server.get(page);
        assert_eq!(status, 200, "{page}");
        assert!(body.starts_with("<!DOCTYPE html>") && body.trim_end().ends_with("</html>"), "{page}");
        assert!(body.len() < 50_000, "{page}: {} bytes", body.len());
    }
}
