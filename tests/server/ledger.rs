//! Ids and log are stable over restarts, crashes, lost files and changed configurations.

mod checkpoints;
mod rebuilding;
mod replicas;
mod rolling_upgrade;
mod shared;
mod state_directory;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{
    ANNA, History, Person, Repo, Server, TestSite, branch_at, commit, delete_branch, gitglot,
};
use serde_json::Value;

const JAN: Person = Person {
    name: "Example Translator",
    email: "translator@example.org",
    offset: 0,
};

fn start() -> History {
    start_with("Semena")
}

/// A history whose Czech title is the given one.
fn start_with(title: &str) -> History {
    commit("one")
        .by_at(ANNA, "2020-01-01 10:00")
        .write(
            "app/locales/en.json",
            r#"{"title": "Seeds", "save": "Save", "old": "Old"}"#,
        )
        .write("app/locales/cs.json", format!(r#"{{"title": "{title}"}}"#))
        .write("web/locales/en.json", r#"{"home": "Home"}"#)
        .write("web/locales/de.json", r#"{"home": "Start"}"#)
        .commit("two")
        .by_at(JAN, "2020-01-02 10:00")
        .write(
            "app/locales/cs.json",
            format!(r#"{{"title": "{title}", "save": "Uložit"}}"#),
        )
        .commit("three")
        .by_at(ANNA, "2020-01-03 10:00")
        .write(
            "app/locales/en.json",
            r#"{"title": "Seed list", "save": "Save", "old": "Old"}"#,
        )
        .write("app/locales/de.json", r#"{"title": "Saatliste"}"#)
}

fn more() -> History {
    commit("four")
        .by_at(JAN, "2020-01-04 10:00")
        .write(
            "app/locales/cs.json",
            r#"{"title": "Seznam semen", "save": "Uložit", "old": "Staré"}"#,
        )
        .write("web/locales/cs.json", r#"{"home": "Domů"}"#)
}

const APP: &str =
    "slug = 'app'\nfilemask = 'app/locales/*.json'\ntemplate = 'app/locales/en.json'\n";
const WEB: &str =
    "slug = 'web'\nfilemask = 'web/locales/*.json'\ntemplate = 'web/locales/en.json'\n";

/// A repository with two components.
fn garden() -> TestSite {
    let garden = TestSite::new(&start());
    garden.configure(&[APP, WEB]);
    garden
}

/// With the state of the server that serves it.
impl TestSite {
    fn state(&self) -> PathBuf {
        self.path("state")
    }

    fn configure(&self, components: &[&str]) {
        let repo = self.path("garden.git");
        let mut text = "[[project]]\nslug = 'garden'\nname = 'TestSite'\n".to_owned();
        for component in components {
            text += &format!(
                "[[project.component]]\nrepo = '{}'\nfile_format = 'json'\n{component}",
                repo.display()
            );
        }
        fs::write(self.path("gitglot.toml"), text).unwrap();
    }

    fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    fn serve_with(&self, more: &[&str]) -> Server {
        self.serve_from(&self.state(), more)
    }

    fn serve_from(&self, state: &Path, more: &[&str]) -> Server {
        let config = self.path("gitglot.toml");
        let arguments = [&["serve", "--config", config.to_str().unwrap()], more].concat();
        Server::start(&arguments, state)
    }

    /// All responses of a run that ends with a crash.
    fn run(&self) -> BTreeMap<String, String> {
        let server = self.serve();
        let responses = everything(&server);
        server.kill();
        responses
    }
}

/// Bodies by address: every list, and every single thing in it, without the address of the server.
fn everything(server: &Server) -> BTreeMap<String, String> {
    let mut responses = BTreeMap::new();
    let mut next = vec!["/api/".to_owned()];
    while let Some(path) = next.pop() {
        let (status, body) = server.get(&path);
        assert_eq!(status, 200, "{path}");
        let start = format!("{}/api/", server.base);
        for link in body.split('"').filter(|text| text.starts_with(&start)) {
            let link = link.replace(&server.base, "");
            if !responses.contains_key(&link) && !next.contains(&link) {
                next.push(link);
            }
        }
        responses.insert(path, body.replace(&server.base, ""));
    }
    assert!(
        responses.len() > 40,
        "the walk found {} addresses",
        responses.len()
    );
    responses
}

/// The ids of all units by component, language and context.
fn units(server: &Server) -> BTreeMap<String, u64> {
    let all = server.json("/api/units/?page_size=1000");
    let list = all["results"].as_array().unwrap();
    assert_eq!(all["count"].as_u64(), Some(list.len() as u64));
    let name = |unit: &Value| {
        let translation = unit["translation"]
            .as_str()
            .unwrap()
            .replace(&server.base, "");
        format!("{translation} {}", unit["context"].as_str().unwrap())
    };
    list.iter()
        .map(|unit| (name(unit), unit["id"].as_u64().unwrap()))
        .collect()
}

fn changes(server: &Server) -> Vec<Value> {
    server.json("/api/changes/?page_size=1000")["results"]
        .as_array()
        .unwrap()
        .clone()
}

fn ids(changes: &[Value]) -> Vec<u64> {
    changes
        .iter()
        .map(|change| change["id"].as_u64().unwrap())
        .collect()
}

fn assert_same_ids(before: &BTreeMap<String, u64>, after: &BTreeMap<String, u64>) {
    for (name, id) in before {
        if let Some(now) = after.get(name) {
            assert_eq!(now, id, "{name}");
        }
    }
}

#[test]
fn two_servers_with_one_ledger_send_the_same_bytes() {
    let mut garden = garden();
    garden.run();
    garden.repository.push(&more());
    let first = garden.run();
    let other = garden.path("other");
    fs::create_dir(&other).unwrap();
    for file in ["ledger.jsonl", "ids.jsonl"] {
        fs::copy(garden.state().join(file), other.join(file)).unwrap();
    }
    let server = garden.serve_from(&other, &[]);
    assert_eq!(everything(&server), first);
}

#[test]
fn a_mirror_that_is_recloned_changes_nothing() {
    let garden = garden();
    let first = garden.run();
    fs::remove_dir_all(garden.state().join("mirrors")).unwrap();
    assert_eq!(garden.run(), first);
}

#[test]
fn a_force_push_adds_one_entry_and_keeps_the_others() {
    let mut garden = garden();
    let server = garden.serve();
    let (before, log) = (units(&server), changes(&server));
    server.kill();
    let other = branch_at("main", "one")
        .commit("other")
        .by_at(JAN, "2020-02-01 10:00");
    garden
        .repository
        .push(&other.write("app/locales/cs.json", r#"{"title": "Jiné"}"#));
    let server = garden.serve();
    assert_same_ids(&before, &units(&server));
    let now = changes(&server);
    assert_eq!(ids(&now)[..log.len()], ids(&log)[..]);
    let pushes = now[log.len()..]
        .iter()
        .filter(|change| change["action"] == 21)
        .count();
    assert_eq!(pushes, 2, "one for each component");
    let responses = everything(&server);
    server.kill();
    assert_eq!(garden.run(), responses);
}

#[test]
fn a_person_is_called_as_in_their_newest_commit_whichever_component_it_changed() {
    let mut garden = garden();
    let names = |server: &Server| {
        let users = server.json("/api/users/")["results"]
            .as_array()
            .unwrap()
            .clone();
        users
            .iter()
            .map(|user| user["full_name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let named = commit("married")
        .by_at(
            Person {
                name: "New Name",
                ..JAN
            },
            "2021-01-01",
        )
        .write("app/locales/cs.json", r#"{"title": "X"}"#)
        .commit("old")
        .by_at(
            Person {
                name: "Old Name",
                ..JAN
            },
            "2020-12-01",
        )
        .write("web/locales/de.json", r#"{"home": "X"}"#);
    garden.repository.push(&named);
    for components in [[APP, WEB], [WEB, APP]] {
        garden.configure(&components);
        let server = garden.serve();
        assert!(
            names(&server).contains(&"New Name".to_owned()),
            "{:?}",
            names(&server)
        );
        assert!(!names(&server).contains(&"Old Name".to_owned()));
        server.kill();
    }
}

#[test]
fn a_component_put_before_the_others_gets_new_ids_and_takes_none() {
    let garden = garden();
    garden.configure(&[WEB]);
    let server = garden.serve();
    let (before, log) = (units(&server), changes(&server));
    server.kill();
    garden.configure(&[APP, WEB]);
    let server = garden.serve();
    let after = units(&server);
    assert_same_ids(&before, &after);
    assert!(after.len() > before.len());
    let highest = before.values().max().unwrap();
    assert!(
        after
            .iter()
            .filter(|(name, _)| !before.contains_key(*name))
            .all(|(_, id)| id > highest)
    );
    assert_eq!(ids(&changes(&server))[..log.len()], ids(&log)[..]);
    let responses = everything(&server);
    server.kill();
    assert_eq!(garden.run(), responses);
}

#[test]
fn a_key_that_leaves_and_returns_has_its_ids_again() {
    let mut garden = garden();
    let server = garden.serve();
    let before = units(&server);
    server.kill();
    let write = |name: &str, content: &str| {
        commit(name)
            .by_at(ANNA, &format!("2020-03-0{name} 10:00"))
            .write("app/locales/en.json", content)
    };
    garden
        .repository
        .push(&write("1", r#"{"title": "Seed list", "save": "Save"}"#));
    let server = garden.serve();
    assert!(units(&server).len() < before.len());
    server.kill();
    garden.repository.push(&write(
        "2",
        r#"{"old": "Old", "title": "Seed list", "save": "Save", "new": "New"}"#,
    ));
    let server = garden.serve();
    let after = units(&server);
    assert_same_ids(&before, &after);
    assert!(before.keys().all(|name| after.contains_key(name)));
}

/// A line of the ledger as it was before lines had checksums.
fn without_checksum(line: &str) -> String {
    format!("{}}}\n", line.split(",\"checksum\"").next().unwrap())
}

#[test]
fn a_damaged_ledger_is_refused_with_its_line_and_left_as_it_is() {
    let garden = garden();
    garden.run();
    for file in ["ledger.jsonl", "ids.jsonl"] {
        let path = garden.state().join(file);
        let good = fs::read(&path).unwrap();
        let mut bad = good.clone();
        bad[0] = b'#';
        fs::write(&path, &bad).unwrap();
        let config = garden.path("gitglot.toml");
        let mut command = gitglot();
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--config"])
            .arg(config)
            .arg("--state-dir")
            .arg(garden.state());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let responses = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            responses.contains("the ledger is corrupt") && responses.contains(file),
            "{responses}"
        );
        assert!(
            responses.contains("line 1 of ") && responses.contains("restore "),
            "{responses}"
        );
        assert_eq!(fs::read(&path).unwrap(), bad, "nothing of it is lost");
        fs::write(&path, good).unwrap();
    }
}

#[test]
fn an_interrupted_batch_is_cut_off_and_repeated() {
    let mut garden = garden();
    garden.run();
    let (ledger, ids) = (
        garden.state().join("ledger.jsonl"),
        garden.state().join("ids.jsonl"),
    );
    let before = (fs::read(&ledger).unwrap(), fs::read(&ids).unwrap());
    garden.repository.push(&more());
    let responses = garden.run();
    let after = (fs::read(&ledger).unwrap(), fs::read(&ids).unwrap());
    // A crash while the moves are written, while the ids are, and between the two.
    let halves = [
        (before.0.len() + 20, after.1.len()),
        (before.0.len(), before.1.len() + 20),
        (before.0.len(), after.1.len()),
    ];
    for (ledger_length, ids_length) in halves {
        fs::write(&ledger, &after.0[..ledger_length]).unwrap();
        fs::write(&ids, &after.1[..ids_length]).unwrap();
        assert_eq!(garden.run(), responses);
    }
}

#[test]
fn a_branch_that_is_deleted_between_two_runs_is_served_as_it_was() {
    let mut garden = garden();
    garden.configure(&[
        &format!("branch = 'main'\n{APP}"),
        &format!("branch = 'main'\n{WEB}"),
    ]);
    let first = garden.run();
    garden.repository.push(
        &delete_branch("main")
            .branch_at("other", "three")
            .head("other"),
    );
    assert_eq!(garden.run(), first);
}

#[test]
fn ids_survive_a_kill_at_any_moment() {
    let mut garden = garden();
    let server = garden.serve();
    let (before, log) = (units(&server), changes(&server));
    server.kill();
    let config = garden.path("gitglot.toml");
    for number in 0..12 {
        let next = commit(&format!("number-{number}"))
            .by(Person {
                name: "New Name",
                ..JAN
            })
            .write("app/locales/cs.json", format!(r#"{{"title": "{number}"}}"#))
            .write(
                &format!("web/locales/x{number}.json"),
                r#"{"home": "Home"}"#,
            );
        garden.repository.push(&next);
        let mut program = gitglot();
        program.arg("serve").arg("--config").arg(&config).args([
            "--listen",
            "127.0.0.1:0",
            "--log-level",
            "off",
        ]);
        program.arg("--state-dir").arg(garden.state());
        let mut child = program.stdout(std::process::Stdio::null()).spawn().unwrap();
        // From before it has read anything to after it has published.
        std::thread::sleep(std::time::Duration::from_millis(number * 12));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let server = garden.serve();
    assert_same_ids(&before, &units(&server));
    let now = changes(&server);
    assert_eq!(ids(&now)[..log.len()], ids(&log)[..]);
    let mut seen = ids(&now);
    seen.dedup();
    assert_eq!(seen.len(), now.len(), "every id is unique");
    let responses = everything(&server);
    server.kill();
    assert_eq!(garden.run(), responses);
    let _ = fs::remove_dir_all(garden.state().join("checkpoint"));
    assert_eq!(garden.run(), responses);
}
