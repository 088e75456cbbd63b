//! Replicas of one ledger, and runs of one server: equal entity tags, and equal rows of the current change log.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::shared::{flags, url};
use super::{JAN, garden, more};
use crate::common::{ANNA, History, Server, TestSite, branch_at, commit, until};

/// Addresses of whole lists, which are streamed, of pages, and of documents.
const ADDRESSES: [&str; 8] = [
    "/api/units/?format=ndjson",
    "/api/units/?format=csv&q=state:translated",
    "/api/changes/?format=ndjson",
    "/api/changes/?format=csv&page_size=2",
    "/api/translations/garden/app/cs/units/?format=ndjson",
    "/api/units/",
    "/current/api/changes/",
    "/projects/garden/",
];

/// The entity tag and the body of each address.
type Tagged = BTreeMap<&'static str, (String, String)>;

fn tagged(server: &Server) -> Tagged {
    let of = |path: &'static str| {
        let mut response = ureq::get(format!("{}{path}", server.base)).call().unwrap();
        let tag = response.headers()["etag"].to_str().unwrap().to_owned();
        (path, (tag, response.body_mut().read_to_string().unwrap()))
    };
    ADDRESSES.into_iter().map(of).collect()
}

/// Asserts that a server sends responses, and a 304 to a client that has them.
fn assert_sends(server: &Server, expected: &Tagged) {
    for (path, found) in tagged(server) {
        assert!(found == expected[path], "{path}: {}", found.0);
    }
    for (path, (tag, _)) in expected {
        let request = ureq::get(format!("{}{path}", server.base)).header("If-None-Match", tag);
        assert_eq!(request.call().unwrap().status(), 304, "{path}");
    }
}

fn batch(server: &Server) -> Option<u64> {
    let metrics = server.get("/metrics").1;
    let value = metrics
        .lines()
        .find_map(|it| it.strip_prefix("gitglot_ledger_batch "));
    value?.parse().ok()
}

#[test]
fn entity_tags_are_the_same_on_all_replicas_and_after_restarts() {
    let mut garden = garden();
    let ledger = url(&garden, "store");
    let public = ["--base-url", "http://l10n.example.org"];
    let flags = [&flags(&ledger)[..], &public].concat();
    let reader_flags = [&flags[..], &["--follow", "false"]].concat();
    let writer = garden.serve_with(&flags);
    let reader = garden.serve_from(&garden.path("reader"), &reader_flags);
    let first = tagged(&writer);
    assert_sends(&reader, &first);

    garden.repository.push(&more());
    for server in [&writer, &reader] {
        until("the push", || (batch(server) == Some(2)).then_some(()));
    }
    let second = tagged(&writer);
    for path in ADDRESSES {
        assert_ne!(first[path].0, second[path].0, "{path}");
    }
    assert_sends(&reader, &second);
    writer.kill();
    reader.kill();
    // With the state directories of before, and with a new one.
    assert_sends(&garden.serve_with(&flags), &second);
    let reader = garden.serve_from(&garden.path("reader"), &reader_flags);
    assert_sends(&reader, &second);
    let another = garden.serve_from(&garden.path("another"), &flags);
    assert_sends(&another, &second);
}

/// Czech plurals without a translation, whose file is read again by each commit.
fn plurals() -> History {
    let source = |beds: &str| {
        format!(r#"{{"title": "Garden", "bed_one": "a bed", "bed_other": "{beds}", "old": "Old"}}"#)
    };
    commit("start")
        .by_at(ANNA, "2021-01-02 10:00")
        .write("app/locales/en.json", source("beds"))
        .write("app/locales/cs.json", r#"{"title": "Zahrada"}"#)
        .commit("title")
        .by_at(JAN, "2021-01-03 10:00")
        .write("app/locales/cs.json", r#"{"title": "Zahrádka"}"#)
        .commit("old")
        .by_at(JAN, "2021-01-04 10:00")
        .write(
            "app/locales/cs.json",
            r#"{"title": "Zahrádka", "old": "Staré"}"#,
        )
}

const PLURALS: &str = "slug = 'app'\nfilemask = 'app/locales/*.json'\n\
template = 'app/locales/en.json'\nfile_format = 'i18nextv4'\n";

/// The rows of the current log by id, without the address of the server. Each row can be opened by its id.
fn rows(server: &Server) -> BTreeMap<u64, Value> {
    let list = server.json("/current/api/changes/?page_size=1000");
    let rows = list["results"].as_array().unwrap();
    let found: BTreeMap<u64, Value> = rows
        .iter()
        .map(|row| {
            let row = row.to_string().replace(&server.base, "");
            let row: Value = serde_json::from_str(&row).unwrap();
            (row["id"].as_u64().unwrap(), row)
        })
        .collect();
    assert_eq!(
        Some(found.len() as u64),
        list["count"].as_u64(),
        "ids are unique"
    );
    for (id, row) in &found {
        let one = server.json(&format!("/current/api/changes/{id}/"));
        let one = one.to_string().replace(&server.base, "");
        assert_eq!(serde_json::from_str::<Value>(&one).unwrap(), *row);
    }
    found
}

/// Serves a repository with its own state directory, or as a replica.
fn serve_plurals(garden: &TestSite, state: &Path, ledger: &str) -> Server {
    let repo = garden.path("garden.git");
    let config = format!(
        "[[project]]\nslug = 'garden'\n[[project.component]]\nrepo = '{}'\n{PLURALS}",
        repo.display()
    );
    fs::write(garden.path("gitglot.toml"), config).unwrap();
    garden.serve_from(state, &flags(ledger))
}

#[test]
fn rows_of_the_current_log_keep_their_ids_over_restarts_replicas_and_force_pushes() {
    let mut garden = TestSite::new(&plurals());
    let ledger = url(&garden, "store");
    let state = garden.state();
    let server = serve_plurals(&garden, &state, &ledger);
    let first = rows(&server);
    // Rows of untranslated plurals have the index of the commit in their ids.
    let reread = |rows: &BTreeMap<u64, Value>| rows.keys().filter(|id| **id >> 52 == 1).count();
    assert_eq!(reread(&first), 2, "{first:#?}");
    let replica = serve_plurals(&garden, &garden.path("replica"), &ledger);
    assert_eq!(rows(&replica), first);

    // The last commit is replaced, and another one follows.
    let other = branch_at("main", "title")
        .commit("other")
        .by_at(JAN, "2021-02-01 10:00")
        .write(
            "app/locales/cs.json",
            r#"{"title": "Zahrádka", "old": "Starý"}"#,
        )
        .commit("last")
        .by_at(ANNA, "2021-02-02 10:00")
        .write(
            "app/locales/cs.json",
            r#"{"title": "Zahrady", "old": "Starý"}"#,
        );
    garden.repository.push(&other);
    for server in [&server, &replica] {
        until("the push", || (batch(server) == Some(2)).then_some(()));
    }
    let second = rows(&server);
    assert!(reread(&second) > reread(&first), "{second:#?}");
    for (id, row) in &first {
        assert_eq!(second.get(id), Some(row), "{id}");
    }
    assert_eq!(rows(&replica), second);
    server.kill();
    replica.kill();
    assert_eq!(rows(&serve_plurals(&garden, &state, &ledger)), second);
    for part in ["checkpoint", "mirrors"] {
        let _ = fs::remove_dir_all(state.join(part));
    }
    assert_eq!(rows(&serve_plurals(&garden, &state, &ledger)), second);
    let another = serve_plurals(&garden, &garden.path("another"), &ledger);
    assert_eq!(rows(&another), second);
}
