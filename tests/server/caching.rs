//! Dates of responses: a client that only compares dates sees every change.

use std::fs;
use std::path::Path;

use crate::common::{ANNA, Server, TestSite, commit, component, project, until};

const PAGES: [&str; 4] = [
    "/",
    "/projects/garden/",
    "/api/projects/",
    "/api/projects/?format=csv",
];

fn site() -> TestSite {
    let start = commit("one")
        .by_at(ANNA, "2020-01-01 10:00")
        .write("locales/en.json", r#"{"title": "Seeds"}"#)
        .write("locales/cs.json", r#"{"title": "Semena"}"#);
    let site = TestSite::new(&start);
    configure(&site, "Garden");
    site
}

fn configure(site: &TestSite, name: &str) {
    let repository = site.path("garden.git");
    let component = component("app", repository.to_str().unwrap(), "locales", "");
    let project = project("garden", &[component]);
    let named = project.replacen('\n', &format!("\nname = '{name}'\n"), 1);
    fs::write(site.path("new.toml"), named).unwrap();
    fs::rename(site.path("new.toml"), site.path("gitglot.toml")).unwrap();
}

fn serve(site: &TestSite) -> Server {
    let config = site.path("gitglot.toml");
    let arguments = ["serve", "--config", config.to_str().unwrap()];
    let interval = ["--poll-interval", "50ms"];
    Server::start(&[&arguments[..], &interval].concat(), &site.path("state"))
}

/// The status and the headers `Last-Modified` and `Date` of a response to a client that knows the one of a date.
fn ask(server: &Server, path: &str, known: &str) -> (u16, String, String) {
    let request = ureq::get(format!("{}{path}", server.base));
    let response = request.header("If-Modified-Since", known).call().unwrap();
    let header = |name: &str| {
        let value = response.headers().get(name);
        value.map_or(String::new(), |value| value.to_str().unwrap().to_owned())
    };
    let (modified, date) = (header("last-modified"), header("date"));
    (response.status().as_u16(), modified, date)
}

/// The dates that clients know: that of the response, and when they got it.
fn known(server: &Server) -> Vec<(&'static str, String)> {
    let mut known = Vec::new();
    for path in PAGES {
        // The date of a change is sent in the second after the change.
        let (modified, date) = until("a date", || {
            let (status, modified, date) = ask(server, path, "Thu, 01 Jan 1970 00:00:00 GMT");
            assert_eq!(status, 200, "{path}");
            (!modified.is_empty()).then_some((modified, date))
        });
        assert_eq!(ask(server, path, &modified).0, 304, "{path}");
        known.extend([(path, modified), (path, date)]);
    }
    known
}

fn assert_all_changed(server: &Server, known: Vec<(&str, String)>) {
    for (path, date) in known {
        assert_eq!(ask(server, path, &date).0, 200, "{path} {date}");
    }
}

#[test]
fn a_renamed_project_is_not_a_304() {
    let site = site();
    let server = serve(&site);
    let before = known(&server);
    configure(&site, "Orchard");
    let is_renamed = |server: &Server| {
        let name = &server.json("/api/projects/")["results"][0]["name"];
        (name == "Orchard").then_some(())
    };
    until("the new name", || is_renamed(&server));
    assert_all_changed(&server, before);

    let before = known(&server);
    server.kill();
    configure(&site, "Meadow");
    assert_all_changed(&serve(&site), before);
}

#[test]
fn a_page_with_a_notice_is_not_a_304() {
    let site = site();
    let server = serve(&site);
    let is_page = |path: &str| !path.starts_with("/api/");
    let mut before = known(&server);
    before.retain(|(path, _)| is_page(path));
    let away = |from: &str, to: &str| fs::rename(site.path(from), site.path(to)).unwrap();
    let has_notice = || server.get("/").1.contains("the last available version");
    away("garden.git", "away.git");
    until("the notice", || has_notice().then_some(()));
    assert_all_changed(&server, before);

    let mut before = known(&server);
    before.retain(|(path, _)| is_page(path));
    away("away.git", "garden.git");
    until("no notice", || (!has_notice()).then_some(()));
    assert_all_changed(&server, before);
    assert!(Path::exists(&site.path("garden.git")));
}
