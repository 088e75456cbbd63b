//! Event streams deliver every new entry once, also across restarts of the server.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

use crate::common::{ANNA, History, Repo, Server, commit};
use serde_json::Value;

fn start() -> History {
    commit("one")
        .by_at(ANNA, "2020-01-01 10:00")
        .write("locales/en.json", r#"{"title": "Seeds 0"}"#)
        .write("locales/cs.json", r#"{"title": "Semena 0"}"#)
        .write("locales/de.json", r#"{"title": "Samen 0"}"#)
}

/// A commit that puts a number into every translation.
fn numbered(number: usize) -> History {
    commit(&format!("number-{number}"))
        .write(
            "locales/cs.json",
            format!(r#"{{"title": "Semena {number}"}}"#),
        )
        .write(
            "locales/de.json",
            format!(r#"{{"title": "Samen {number}"}}"#),
        )
}

fn garden(folder: &Path) -> Repo {
    Repo::with(&folder.join("garden.git"), &start())
}

fn serve(folder: &Path) -> Server {
    let path = folder.join("garden.git");
    // Longer than any test.
    Server::start(
        &["serve", path.to_str().unwrap(), "--poll-interval", "168h"],
        &folder.join("state"),
    )
}

/// A client that listens.
struct Listener(BufReader<ureq::BodyReader<'static>>);

impl Listener {
    fn new(server: &Server, query: &str, last: Option<u64>) -> Self {
        // Much longer than any test.
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(300)))
            .build()
            .new_agent();
        let mut request = agent
            .get(format!("{}/api/events/{query}", server.base))
            .header("accept", "text/event-stream");
        if let Some(last) = last {
            request = request.header("last-event-id", last.to_string());
        }
        let answer = request.call().unwrap();
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        let mut listener = Self(BufReader::new(answer.into_body().into_reader()));
        assert!(listener.block().unwrap().contains("retry: "));
        listener
    }

    /// The lines of the next block; `None` at the end of the stream.
    fn block(&mut self) -> Option<String> {
        let mut block = String::new();
        loop {
            let mut line = String::new();
            if self
                .0
                .read_line(&mut line)
                .expect("it ends as a stream should")
                == 0
            {
                return None;
            }
            if line == "\n" {
                return Some(block);
            }
            block += &line;
        }
    }

    /// The next entry.
    fn entry(&mut self) -> Value {
        loop {
            let block = self.block().expect("more");
            if let Some(data) = block.lines().find_map(|line| line.strip_prefix("data: ")) {
                let entry: Value = serde_json::from_str(data).unwrap();
                assert!(
                    block.starts_with(&format!("id: {}:", entry["id"])),
                    "{block}"
                );
                assert!(block.contains("\nevent: change\n"), "{block}");
                return entry;
            }
        }
    }
}

/// The entries after that number, as the list has them.
fn listed(server: &Server, after: u64) -> Vec<Value> {
    let all = server.json(&format!("/api/changes/?page_size=1000&id_after={after}"));
    all["results"].as_array().unwrap().clone()
}

fn id(entry: &Value) -> u64 {
    entry["id"].as_u64().unwrap()
}

fn newest(server: &Server) -> u64 {
    id(listed(server, 0).last().unwrap())
}

#[test]
fn changes_of_states_are_sent_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let po = |mark: &str, text: &str| {
        let header = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n";
        format!("{header}{mark}msgid \"Open\"\nmsgstr \"{text}\"\n")
    };
    let start = commit("one")
        .by_at(ANNA, "2020-01-01 10:00")
        .write("po/cs.po", po("", "Otevřít"))
        .write("po/de.po", po("", "Öffnen"));
    let mut repository = Repo::with(&folder.path().join("garden.git"), &start);
    let server = serve(folder.path());
    let before = newest(&server);
    let mut plain = Listener::new(&server, "", None);
    let mut with_states = Listener::new(&server, "?states=true&expand=details", None);
    let next = commit("mark")
        .write("po/cs.po", po("#, fuzzy\n", "Otevřít"))
        .write("po/de.po", po("", "Auf"));
    repository.push(&next);
    server.poll("garden");
    let marked = std::iter::repeat_with(|| with_states.entry())
        .take(10)
        .find(|entry| entry["action"] == 201);
    let details = &marked.expect("the mark of the Czech text")["details"];
    assert_eq!(
        (&details["previous_state"], &details["state"]),
        (&20.into(), &10.into())
    );
    // Without the parameter, the stream has what the list has.
    for expected in listed(&server, before) {
        assert_eq!(id(&plain.entry()), id(&expected));
    }
}

#[test]
fn a_commit_sends_the_events_that_match_the_filter() {
    let folder = tempfile::tempdir().unwrap();
    let mut repository = garden(folder.path());
    let server = serve(folder.path());
    let before = newest(&server);
    let mut all = Listener::new(&server, "", None);
    let mut czech = Listener::new(
        &server,
        "?project=garden&component=locales&language=cs",
        None,
    );
    for number in 1..=3 {
        repository.push(&numbered(number));
        server.poll("garden");
        let received: Vec<Value> = (0..4).map(|_| all.entry()).collect();
        let listed = listed(&server, before);
        assert_eq!(received, listed[listed.len() - 4..]);
        let of_czech: Vec<&Value> = received
            .iter()
            .filter(|entry| entry["translation"].as_str().unwrap().ends_with("/cs/"))
            .collect();
        assert_eq!(of_czech.len(), 2);
        assert_eq!(of_czech[0]["target"], format!("Semena {number}"));
        for entry in of_czech {
            assert_eq!(czech.entry(), *entry);
        }
    }
}

#[test]
fn removed_strings_are_reported_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let mut repository = garden(folder.path());
    repository.push(&commit("two").write(
        "locales/en.json",
        r#"{"title": "Seeds 0", "extra": "More"}"#,
    ));
    let server = serve(folder.path());
    let before = newest(&server);
    let mut plain = Listener::new(&server, "", None);
    let mut all = Listener::new(&server, "?removed=true&expand=details", None);
    repository.push(&commit("three").write("locales/en.json", r#"{"title": "Seeds 0"}"#));
    server.poll("garden");
    // Without the removed string, two translations are complete.
    let received: Vec<Value> = (0..4).map(|_| all.entry()).collect();
    let actions: Vec<&Value> = received.iter().map(|entry| &entry["action"]).collect();
    assert_eq!(actions, [0, 1, 1, 200]);
    let ids: Vec<u64> = received.iter().map(id).collect();
    assert_eq!(ids, [before + 1, before + 2, before + 3, before + 3]);
    let removal = &received[3];
    assert_eq!(
        (&removal["details"]["key"], &removal["details"]["previous"]),
        (&".extra".into(), &"More".into())
    );
    assert_eq!(removal["details"]["commit"]["subject"], "three");
    repository.push(&numbered(1));
    server.poll("garden");
    assert_eq!(
        (id(&plain.entry()), id(&plain.entry())),
        (before + 1, before + 2)
    );
    // Also after a restart, from the checkpoint or the history.
    drop(server);
    let server = serve(folder.path());
    let listed = server.json(&format!(
        "/api/changes/?removed=true&action=200&id_after={before}"
    ));
    assert_eq!(
        (&listed["count"], &listed["results"][0]["id"]),
        (&1.into(), &(before + 3).into())
    );
}

#[test]
fn reconnecting_clients_get_every_entry_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut repository = garden(folder.path());
    let mut server = serve(folder.path());
    let before = newest(&server);
    let mut last = before;
    let mut received = Vec::new();
    for number in 1..=6 {
        let mut listener = Listener::new(&server, "", Some(last));
        repository.push(&numbered(number));
        server.poll("garden");
        // It hears a part, then the connection is lost.
        for _ in 0..number.min(4) {
            let entry = listener.entry();
            last = id(&entry);
            received.push(last);
        }
        if number % 2 == 0 {
            server.kill();
            repository.push(&numbered(number + 100));
            server = serve(folder.path());
        }
    }
    let mut listener = Listener::new(&server, "", Some(last));
    let all: Vec<u64> = listed(&server, before).iter().map(id).collect();
    assert_eq!(all.len(), 4 * 9, "nine commits");
    while received.len() < all.len() {
        received.push(id(&listener.entry()));
    }
    assert_eq!(received, all);
}

#[cfg(unix)]
#[test]
fn shutdown_ends_event_streams_cleanly() {
    let folder = tempfile::tempdir().unwrap();
    garden(folder.path());
    let server = serve(folder.path());
    let mut listeners: Vec<_> = (0..5).map(|_| Listener::new(&server, "", None)).collect();
    let kill = std::process::Command::new("kill")
        .args(["-TERM", &server.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    for listener in &mut listeners {
        // A stream that is cut ends with an error.
        assert_eq!(listener.block(), None);
    }
    assert_eq!(server.wait().code(), Some(0));
}
