//! Pages for people, over a real socket: every address that the API names for them answers.

mod common;

use std::collections::BTreeSet;

use common::Server;

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
