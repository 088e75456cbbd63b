//! Other revisions than the tip: names, states and pages.

mod bad_input;
mod comparisons;
mod months;

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{
    ANNA, History, Repo, Server, TestSite, branch_at, commit, component, project, until,
};

const EN: &str = "locales/en.json";
const CS: &str = "locales/cs.json";

fn write(history: History, en: &str, cs: &str) -> History {
    history.write(EN, en).write(CS, cs)
}

/// Three commits on `main`, a release branch, a pull request, and a private branch.
fn garden() -> History {
    let start = commit("empty")
        .by_at(ANNA, "2019-12-01 10:00")
        .write("README", "x");
    let one = write(
        commit("one").by_at(ANNA, "2020-01-01 10:00"),
        r#"{"title": "Seeds", "gone": "Old %s"}"#,
        r#"{"title": "Semena", "gone": "Staré %s"}"#,
    );
    let two = write(
        commit("two").by_at(ANNA, "2020-02-01 10:00"),
        r#"{"title": "Seeds and plants", "gone": "Old %s"}"#,
        r#"{"title": "Semena", "gone": "Staré %s"}"#,
    );
    let tip = write(
        commit("tip").by_at(ANNA, "2020-03-01 10:00"),
        r#"{"title": "Seeds and plants", "new": "New"}"#,
        r#"{"title": "Semena a rostliny", "new": ""}"#,
    );
    let release = commit("release")
        .by_at(ANNA, "2020-03-02 10:00")
        .write(CS, r#"{"title": "Semínka", "gone": "Staré %d"}"#);
    let private = commit("private").write(CS, r#"{"title": "Tajné"}"#);
    let broken = commit("broken").write(CS, r#"{"title": "#);
    start
        .then(one)
        .then(two)
        .then(branch_at("release/1.x", "two"))
        .then(release)
        .then(branch_at("private", "two"))
        .then(private)
        .then(branch_at("fix", "two"))
        .then(broken)
        .then(branch_at("main", "two"))
        .then(tip)
}

fn set_ref(repo: &Repo, name: &str, label: &str) {
    let path = repo.dir().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("{}\n", repo.id(label))).unwrap();
}

fn configure(site: &TestSite, more: &str) {
    let repo = site.path("garden.git");
    let component = component("app", repo.to_str().unwrap(), "locales", more);
    fs::write(site.path("gitglot.toml"), project("garden", &[component])).unwrap();
}

fn serve(site: &TestSite, more: &[&str]) -> Server {
    let config = site.path("gitglot.toml");
    let arguments = [&["serve", "--config", config.to_str().unwrap()][..], more].concat();
    Server::start(&arguments, &site.path("state"))
}

const BRANCHES: &str = "branches = ['release/*', 'fix', 'refs/pull/*/head', 'v1']";

fn site() -> TestSite {
    let site = TestSite::new(&garden());
    set_ref(&site.repository, "refs/tags/v1", "one");
    set_ref(&site.repository, "refs/tags/twice", "one");
    set_ref(&site.repository, "refs/heads/release/twice", "two");
    set_ref(&site.repository, "refs/tags/release/twice", "one");
    set_ref(&site.repository, "refs/pull/7/head", "release");
    configure(&site, BRANCHES);
    site
}

const BASE: &str = "/api/components/garden/app";

/// The Czech title of a revision.
fn title(server: &Server, revision: &str) -> String {
    let path = format!("{BASE}/revisions/{revision}/units/?q=language:cs+key:title");
    let units = server.json(&path);
    units["results"][0]["target"].as_str().unwrap().to_owned()
}

/// Why a path gets 404.
fn refused(server: &Server, path: &str) -> String {
    let (status, body) = server.get(&format!("{BASE}/{path}"));
    assert_eq!(status, 404, "{path}: {body}");
    let body: Value = serde_json::from_str(&body).unwrap_or_default();
    body["detail"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_revision_has_every_kind_of_name() {
    let site = site();
    let server = serve(&site, &[]);
    let id = |label: &str| site.repository.id(label).to_string();
    for (revision, wanted) in [
        ("v1", "Semena"),
        ("refs%2Ftags%2Fv1", "Semena"),
        ("main", "Semena a rostliny"),
        ("HEAD", "Semena a rostliny"),
        ("release%2F1.x", "Semínka"),
        ("refs%2fheads%2frelease%2f1.x", "Semínka"),
        ("refs%2Fpull%2F7%2Fhead", "Semínka"),
        ("@2020-01-31", "Semena"),
        ("@2020-03-01T10:00:00Z", "Semena a rostliny"),
        (&id("one"), "Semena"),
        (&id("release"), "Semínka"),
        (id("one").get(..10).unwrap(), "Semena"),
    ] {
        assert_eq!(title(&server, revision), wanted, "{revision}");
    }
    let info = server.json(&format!("{BASE}/revisions/v1/"));
    assert_eq!(info["commit"], id("one"));
    assert_eq!(info["statistics"][0]["translated"], 2);
    let list = server.json(&format!(
        "{BASE}/revisions/release%2F1.x/translations/?page_size=1"
    ));
    assert_eq!(list["count"], 2);
    let next = list["next"].as_str().unwrap();
    assert!(next.contains("release%2F1.x"), "{next}");
    assert_eq!(server.json(next)["results"].as_array().unwrap().len(), 1);
    let (status, file) = server.get(&format!("{BASE}/revisions/v1/file/?language=cs"));
    assert_eq!(
        (status, &*file),
        (200, r#"{"title": "Semena", "gone": "Staré %s"}"#)
    );
    for link in ["units_url", "file_url"] {
        let link = info["statistics"][0][link].as_str().unwrap();
        assert_eq!(server.get(link).0, 200, "{link}");
    }
}

#[test]
fn names_that_select_nothing_get_404_with_the_reason() {
    let site = site();
    let server = serve(&site, &[]);
    let private = site.repository.id("private").to_string();
    for (revision, reason) in [
        (
            "private",
            "Available revisions: the branch main, release/*, fix, refs/pull/*/head",
        ),
        ("refs%2Fheads%2Fprivate", "There is no revision"),
        (&private, "is not on an available branch or tag"),
        (
            private.get(..12).unwrap(),
            "is not on an available branch or tag",
        ),
        ("v9", "There is no revision 'v9'"),
        (
            "0000000000000000000000000000000000000000",
            "There is no revision",
        ),
        ("a..b", "There is no revision"),
        ("HEAD~1", "There is no revision"),
        ("main%5E%7Btree%7D", "There is no revision"),
        ("-x", "There is no revision"),
        ("a%00b", "There is no revision"),
        ("%2F%2F", "There is no revision"),
        ("release%2Ftwice", "ambiguous"),
        ("@2000-01-01", "no commit at or before"),
        ("@yesterday", "is not a time"),
        ("@", "is not a time"),
        ("@2019-12-15", "choose a commit that contains the files"),
        ("main:locales%2Fcs.json", "There is no revision"),
    ] {
        let message = refused(&server, &format!("revisions/{revision}/"));
        assert!(message.contains(reason), "{revision}: {message}");
        // A base may lack the files.
        if revision != "@2019-12-15" {
            let message = refused(&server, &format!("compare/{revision}...main/"));
            assert!(message.contains(reason), "{revision}: {message}");
        }
    }
    for path in [
        "compare/main/",
        "compare/main..v1/",
        "compare/...main/",
        "compare/main.../",
    ] {
        assert!(refused(&server, path).contains("BASE...HEAD"), "{path}");
    }
    assert_eq!(
        server.get("/api/components/garden/nope/revisions/main/").0,
        404
    );
    let (status, page) = server.get("/compare/garden/app/private...main/");
    assert!(
        status == 404 && page.contains("There is no revision"),
        "{page}"
    );
}

#[test]
fn an_object_that_is_no_commit_is_refused() {
    let site = site();
    let blob = gitglot_hash(&site.path("garden.git"));
    fs::write(
        site.path("garden.git").join("refs/tags/blob"),
        format!("{blob}\n"),
    )
    .unwrap();
    let server = serve(&site, &[]);
    let message = refused(&server, "revisions/blob/");
    assert!(message.contains("is not a commit"), "{message}");
    let message = refused(&server, &format!("revisions/{blob}/"));
    assert!(message.contains("is not a commit"), "{message}");
}

/// The id of the Czech file of the tip.
fn gitglot_hash(repo: &Path) -> String {
    let repository = gitglot_git::Repository::open(repo).unwrap();
    let mut reader = repository.reader();
    let tip = repository.resolve("refs/heads/main").unwrap();
    let tree = reader.commit_header(tip).unwrap().tree;
    match reader.entry_at(tree, CS).unwrap() {
        Some(gitglot_git::EntryKind::File(blob)) => blob.to_string(),
        other => panic!("{other:?}"),
    }
}

/// The units of a list without ids and links, by language and position.
fn units(server: &Server, path: &str) -> Vec<Value> {
    let list = server.json(&format!("{path}?page_size=1000&expand=details"));
    let mut units = list["results"].as_array().unwrap().clone();
    for unit in &mut units {
        let unit = unit.as_object_mut().unwrap();
        for name in ["id", "url", "web_url", "source_info", "translation"] {
            unit.remove(name);
        }
    }
    units.sort_by_key(|unit| {
        let language = unit["details"]["language"].as_str().unwrap().to_owned();
        (language, unit["position"].as_u64())
    });
    units
}

#[test]
fn a_revision_has_the_units_of_a_server_that_follows_it() {
    let mut site = site();
    for (name, label) in [
        ("at-one", "one"),
        ("at-two", "two"),
        ("at-release", "release"),
    ] {
        site.repository.push(&branch_at(name, label));
    }
    let server = serve(&site, &[]);
    for (name, label) in [
        ("at-one", "one"),
        ("at-two", "two"),
        ("at-release", "release"),
    ] {
        let repo = site.path("garden.git");
        let other = component("app", repo.to_str().unwrap(), "locales", "")
            .replace("branch = 'main'", &format!("branch = '{name}'"));
        let config = site.path(&format!("{name}.toml"));
        fs::write(&config, project("garden", &[other])).unwrap();
        let arguments = ["serve", "--config", config.to_str().unwrap()];
        let other = Server::start(&arguments, &site.path(&format!("state-{name}")));
        let id = site.repository.id(label);
        let found = units(&server, &format!("{BASE}/revisions/{id}/units/"));
        assert_eq!(found, units(&other, "/api/units/"), "{label}");
    }
    let two = site.repository.id("two");
    let fuzzy = server.json(&format!("{BASE}/revisions/{two}/units/?fuzzy=true"));
    assert_eq!(fuzzy["count"], 1);
    assert_eq!(fuzzy["results"][0]["previous_source"], "Seeds");
}

#[test]
fn strings_have_the_ids_of_the_tip_or_null() {
    let site = site();
    let server = serve(&site, &[]);
    let of_key = |key: &str| {
        let path = format!("{BASE}/revisions/v1/units/?q=language:cs+key:={key}");
        server.json(&path)["results"][0].clone()
    };
    let (title, gone) = (of_key(".title"), of_key(".gone"));
    let today = server.json(title["url"].as_str().unwrap());
    assert_eq!(today["id"], title["id"]);
    assert_eq!(today["target"], "Semena a rostliny");
    for name in ["id", "url", "web_url", "source_info"] {
        assert_eq!(gone[name], Value::Null, "{name}");
    }
    assert!(
        gone["translation"]
            .as_str()
            .unwrap()
            .ends_with("/garden/app/cs/")
    );
}

#[test]
fn reviewers_and_tables_have_pages() {
    let site = site();
    let server = serve(&site, &[]);
    let (status, page) = server.get("/compare/garden/app/main...release%2F1.x/");
    assert_eq!(status, 200, "{page}");
    let findings = page.find("New findings").unwrap();
    let differences = page.find("<h2 id=\"differences\">").unwrap();
    assert!(findings < differences);
    for part in ["<del>Semena</del>", "<ins>Semínka</ins>", "locales/cs.json"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let (status, page) = server.get("/revisions/garden/@2020-01-31/");
    assert!(status == 200 && page.contains("Czech"), "{page}");
    for view in ["", "?show=numbers"] {
        let (_, stats) = server.get(&format!("/stats/garden/{view}"));
        let mut parts = stats.split('"');
        let link = parts.find(|part| part.starts_with("/revisions/garden/"));
        assert_eq!(server.get(link.unwrap()).0, 200, "{link:?}");
    }
    assert_eq!(server.get("/revisions/garden/@1999-01-01/").0, 404);
    assert_eq!(server.get("/revisions/nope/main/").0, 404);
}

#[test]
fn a_single_repository_shows_all_branches_and_keeps_its_own() {
    let site = TestSite::new(&garden());
    let repo = site.path("garden.git");
    let repo = repo.to_str().unwrap();
    let mask = ["--component", "app", "--filemask", "locales/*.json"];
    let more = [&mask[..], &["--poll-interval", "1s"]].concat();
    let server = Server::start(&[&["serve", repo][..], &more].concat(), &site.path("state"));
    assert_eq!(title(&server, "main"), "Semena a rostliny");
    assert_eq!(title(&server, "release%2F1.x"), "Semínka");
    let compared = server.json(&format!("{BASE}/compare/main...release%2F1.x/"));
    assert!(compared["findings"].is_array(), "{compared}");
    // A checkout of a different branch is no change of the followed one.
    fs::write(
        site.repository.dir().join("HEAD"),
        "ref: refs/heads/release/1.x\n",
    )
    .unwrap();
    let changes = server.json("/api/changes/")["count"].clone();
    set_ref(&site.repository, "refs/heads/later", "one");
    let later = format!("{BASE}/revisions/later/");
    until("the new branch", || {
        (server.get(&later).0 == 200).then_some(())
    });
    assert_eq!(server.json("/api/changes/")["count"], changes);
    assert_eq!(title(&server, "HEAD"), "Semena a rostliny");
    drop(server);

    let some = [
        &["serve", repo, "--branches", "main", "--branch", "main"][..],
        &more,
    ]
    .concat();
    let server = Server::start(&some, &site.path("other"));
    let reason = refused(&server, "revisions/release%2F1.x/");
    assert!(
        reason.contains("The setting branches (--branches) allows others."),
        "{reason}"
    );
}
