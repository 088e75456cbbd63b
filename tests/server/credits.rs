//! The page of who wrote the translations of a release, and its data (docs/spec/pages.md#credits).

use serde_json::{Value, json};

use crate::common::{ANNA, Person, Server, TestSite, commit, component, project};

const BEN: Person = Person {
    name: "Ben & Co",
    email: "ben@example.org",
    offset: 0,
};

/// Two repositories; only the first has the tag.
fn serve() -> (TestSite, Server) {
    let history = commit("source")
        .by(ANNA)
        .texts("en", "a=One;b=Two words;c=Three")
        .texts("de", "a=Eins")
        .branch_at("v1", "source")
        .branch_at("main", "source")
        .commit("german")
        .by(BEN)
        .texts("de", "a=Eins;b=Zwei Wörter")
        .commit("french")
        .by(ANNA)
        .texts("fr", "a=Un;c=Trois");
    let other = commit("other")
        .by(ANNA)
        .texts("en", "x=Extra")
        .texts("de", "x=Zusatz");
    let site = TestSite::new(&history);
    let second = gitglot_testkit::Repo::with(&site.path("second.git"), &other);
    let file = site.path("gitglot.toml");
    let repositories = [site.repository.dir(), second.dir()];
    let components = ["one", "two"].iter().zip(repositories).map(|(slug, repo)| {
        component(slug, repo.to_str().unwrap(), "locales", "branches = ['v*']")
    });
    std::fs::write(&file, project("garden", &components.collect::<Vec<_>>())).unwrap();
    let arguments = ["serve", "--config", file.to_str().unwrap()];
    let server = Server::start(&arguments, &site.path("state"));
    (site, server)
}

fn people(data: &Value) -> Vec<String> {
    let languages = data["languages"].as_array().unwrap().iter();
    let of = |language: &Value| {
        let code = language["language"].as_str().unwrap().to_owned();
        let people = language["contributors"].as_array().unwrap().clone();
        let line = move |it: Value| {
            let name = it["name"].as_str().unwrap();
            format!("{code} {name} {} {}", it["strings"], it["words"])
        };
        people.into_iter().map(line).collect::<Vec<_>>()
    };
    languages.flat_map(of).collect()
}

#[test]
fn credits_of_a_release_are_a_page_and_data() {
    let (_site, server) = serve();
    let data = server.json("/exports/credits/garden/?from=v1");
    assert_eq!(
        people(&data),
        ["fr Example Maintainer 2 2", "de Ben & Co 1 2"]
    );
    assert_eq!(data["left_out"], json!(["two"]));
    assert_eq!((&data["from"], &data["to"]), (&json!("v1"), &Value::Null));
    let all = server.json("/exports/credits/garden/");
    assert_eq!(
        people(&all),
        [
            "fr Example Maintainer 2 2",
            "de Example Maintainer 2 2",
            "de Ben & Co 1 2"
        ]
    );
    let (_, table) = server.get("/exports/credits/garden/?from=v1&lang=fr&format=csv");
    assert_eq!(
        table,
        "language,name,strings,words\nfr,Example Maintainer,2,2\n"
    );
    let (_, page) = server.get("/credits/garden/?from=v1&to=HEAD");
    assert!(page.contains("Ben &#38; Co"), "{page}");
    assert!(
        page.contains("(1 string, 2 words)") && !page.contains("ben@"),
        "{page}"
    );
    let (_, project) = server.get("/projects/garden/");
    assert!(project.contains("href=\"/credits/garden/\""));
}

#[test]
fn credits_without_a_revision_or_a_project_are_not_found() {
    let (_site, server) = serve();
    let (status, page) = server.get("/credits/garden/?from=nothing");
    assert_eq!(status, 404);
    assert!(page.contains("nothing"), "{page}");
    assert_eq!(server.get("/credits/nobody/").0, 404);
    assert_eq!(server.get("/exports/credits/nobody/").0, 404);
    let (_, empty) = server.get("/credits/garden/?from=HEAD");
    assert!(empty.contains("No translation is new."));
}
