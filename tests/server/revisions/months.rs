//! The pages of past states that charts and tables link to.

use std::collections::BTreeSet;

use super::{CS, EN, configure, serve};
use crate::common::{ANNA, History, TestSite, commit};

/// The template is missing for two months.
fn interrupted() -> History {
    commit("one")
        .by_at(ANNA, "2020-01-10 10:00")
        .write(EN, r#"{"title": "Seeds"}"#)
        .write(CS, r#"{"title": "Semena"}"#)
        .commit("two")
        .by_at(ANNA, "2020-02-10 10:00")
        .delete(EN)
        .commit("three")
        .by_at(ANNA, "2020-04-10 10:00")
        .write(EN, r#"{"title": "Seeds", "more": "More"}"#)
        .commit("four")
        .by_at(ANNA, "2020-05-10 10:00")
        .write(CS, r#"{"title": "Semena", "more": "Více"}"#)
        .commit("five")
        .by_at(ANNA, "2020-06-10 10:00")
        .write(CS, r#"{"title": "Semínka", "more": "Více"}"#)
}

#[test]
fn only_months_with_a_state_have_a_link() {
    let site = TestSite::new(&interrupted());
    configure(&site, "");
    let server = serve(&site, &[]);
    let page = "/stats/garden/?show=numbers";
    let note = "A number without a link belongs to a month at whose end there was no template";
    let (status, body) = server.get(page);
    assert_eq!(status, 200, "{page}");
    assert!(body.contains(note), "{page}: {body}");
    let links = body.split("href=\"/revisions/").skip(1);
    let links = links.filter_map(|rest| rest.split('"').next());
    let links: BTreeSet<String> = links.map(|link| link.replace("%40", "@")).collect();
    let months = ["2020-02-01", "2020-05-01", "2020-06-01"];
    let expected = months.map(|month| format!("garden/@{month}/"));
    assert_eq!(links, BTreeSet::from(expected), "{page}");
    for link in links {
        assert_eq!(server.get(&format!("/revisions/{link}")).0, 200, "{link}");
    }
    let (status, body) = server.get("/revisions/garden/@2020-04-01/");
    assert!(status == 404 && body.contains("template"), "{body}");
}
