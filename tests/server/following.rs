//! Responses while repositories change: updates appear at once and atomically, and the last good state is served when
//! a repository fails.

use std::fs;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{
    ANNA, ClosedPort, History, Repo, Server, TestSite, branch_at, commit, component, delete_branch,
    project, until,
};
use serde_json::Value;

fn start() -> History {
    texts(commit("one").by_at(ANNA, "2020-01-01 10:00"), 0)
}

/// Writes the texts of both components, each with the number.
fn texts(history: History, number: usize) -> History {
    history
        .write(
            "app/locales/en.json",
            format!(r#"{{"title": "Seeds {number}"}}"#),
        )
        .write(
            "app/locales/cs.json",
            format!(r#"{{"title": "Semena {number}"}}"#),
        )
        .write(
            "web/locales/en.json",
            format!(r#"{{"home": "Home {number}"}}"#),
        )
        .write(
            "web/locales/de.json",
            format!(r#"{{"home": "Start {number}"}}"#),
        )
}

/// A commit that puts a number into every text.
fn numbered(number: usize) -> History {
    texts(commit(&format!("number-{number}")), number)
}

/// With two components, and a server.
impl TestSite {
    fn configure_repositories(&self, repositories: [&Path; 2]) {
        let [app, web] = repositories.map(|repository| repository.to_str().unwrap());
        let components = [
            component("app", app, "app/locales", ""),
            component("web", web, "web/locales", ""),
        ];
        fs::write(self.path("gitglot.toml"), project("garden", &components)).unwrap();
    }

    fn serve_with_interval(&self, interval: &str) -> Server {
        if !self.path("gitglot.toml").exists() {
            let repo = self.path("garden.git");
            self.configure_repositories([&repo, &repo]);
        }
        let config = self.path("gitglot.toml");
        let arguments = [
            "serve",
            "--config",
            config.to_str().unwrap(),
            "--poll-interval",
            interval,
        ];
        Server::start_logging(&arguments, &self.path("state"), &self.path("log"))
    }
}

/// Longer than any test.
const NEVER: &str = "168h";

fn target(server: &Server, path: &str) -> String {
    server.json(&format!("/api/translations/garden/{path}/units/"))["results"][0]["target"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn actions(server: &Server) -> Vec<u64> {
    let all = server.json("/api/changes/?page_size=1000");
    all["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["action"].as_u64().unwrap())
        .collect()
}

fn behind(server: &Server) -> Vec<Value> {
    server.json("/readyz")["behind"].as_array().unwrap().clone()
}

#[test]
fn a_local_commit_is_shown_before_the_next_poll() {
    let mut garden = TestSite::new(&start());
    let server = garden.serve_with_interval(NEVER);
    assert_eq!(target(&server, "app/cs"), "Semena 0");
    for number in 1..=3 {
        garden.repository.push(&numbered(number));
        let shown = format!("Semena {number}");
        let log = || fs::read_to_string(garden.path("log")).unwrap();
        until(&shown, || {
            // Other programs may have taken all watches of the system.
            if log().contains("cannot watch all repositories") {
                server.poll("garden");
            }
            (target(&server, "app/cs") == shown).then_some(())
        });
    }
    assert_eq!(
        actions(&server)
            .iter()
            .filter(|&&action| action == 30)
            .count(),
        6,
        "two source texts, three times"
    );
}

#[test]
fn polling_finds_a_push_without_a_notification() {
    let mut garden = TestSite::new(&start());
    let server = garden.serve_with_interval("50ms");
    garden.repository.push(&numbered(1));
    until("the push", || {
        (target(&server, "web/de") == "Start 1").then_some(())
    });
}

#[test]
fn a_rewritten_branch_is_followed_and_logged() {
    let mut garden = TestSite::new(&start());
    garden.repository.push(&numbered(1));
    let server = garden.serve_with_interval(NEVER);
    garden
        .repository
        .push(&branch_at("main", "one").then(numbered(2)));
    server.poll("garden");
    until("the rewritten branch", || {
        (target(&server, "app/cs") == "Semena 2").then_some(())
    });
    assert_eq!(
        actions(&server)
            .iter()
            .filter(|&&action| action == 21)
            .count(),
        2,
        "one for each component"
    );
    garden.repository.push(&branch_at("main", "one"));
    server.poll("garden");
    until("the older state", || {
        (target(&server, "app/cs") == "Semena 0").then_some(())
    });
}

#[test]
fn a_deleted_branch_stays_served_until_it_returns() {
    let mut garden = TestSite::new(&start());
    garden
        .repository
        .push(&branch_at("other", "one").head("other"));
    let server = garden.serve_with_interval("50ms");
    assert!(behind(&server).is_empty());
    garden.repository.push(&delete_branch("main"));
    let reported = until("the missing branch", || {
        Some(behind(&server)).filter(|behind| behind.len() == 2)
    });
    assert!(
        reported[0]["reason"].as_str().unwrap().contains("main"),
        "{reported:?}"
    );
    assert_eq!(target(&server, "app/cs"), "Semena 0");
    garden
        .repository
        .push(&branch_at("main", "one").then(numbered(1)));
    until("the new branch", || {
        (target(&server, "app/cs") == "Semena 1").then_some(())
    });
    until("no complaint", || behind(&server).is_empty().then_some(()));
}

#[test]
fn a_removed_template_leaves_the_last_readable_state() {
    let mut garden = TestSite::new(&start());
    let server = garden.serve_with_interval("50ms");
    let gone = commit("gone")
        .delete("app/locales/en.json")
        .write("web/locales/de.json", r#"{"home": "Da"}"#);
    garden.repository.push(&gone);
    until("the commit", || {
        (target(&server, "web/de") == "Da").then_some(())
    });
    let reported = until("the missing template", || behind(&server).first().cloned());
    let (component, reason) = (&reported["component"], reported["reason"].as_str().unwrap());
    assert_eq!(component, "garden/app");
    assert!(
        reason.starts_with("the template app/locales/en.json is gone from the branch main"),
        "{reason}"
    );
    assert_eq!(target(&server, "app/cs"), "Semena 0");
    garden.repository.push(&numbered(1));
    until("the new template", || {
        (target(&server, "app/cs") == "Semena 1").then_some(())
    });
    until("no complaint", || behind(&server).is_empty().then_some(()));
}

#[test]
fn a_force_push_without_a_template_keeps_the_component_over_a_restart() {
    let mut garden = TestSite::new(&start());
    let server = garden.serve_with_interval(NEVER);
    let gone = delete_branch("main").commit("other");
    let gone = gone.write("web/locales/en.json", r#"{"home": "Other"}"#);
    garden.repository.push(&gone);
    let reported = until("the missing template", || behind(&server).first().cloned());
    assert_eq!(reported["component"], "garden/app");
    let changes = server.json("/api/changes/?page_size=1000");
    server.kill();
    let _ = fs::remove_dir_all(garden.path("state/checkpoint"));
    let server = garden.serve_with_interval(NEVER);
    assert_eq!(target(&server, "app/cs"), "Semena 0");
    assert_eq!(behind(&server)[0], reported);
    let again = server.json("/api/changes/?page_size=1000");
    assert_eq!(again["count"], changes["count"]);
    let last = changes["count"].as_u64().unwrap();
    garden.repository.push(&numbered(1));
    until("the new template", || {
        (target(&server, "app/cs") == "Semena 1").then_some(())
    });
    let new = server.json(&format!("/api/changes/?id_after={last}&page_size=1000"));
    let new = new["results"].as_array().unwrap();
    assert!(!new.is_empty() && new.iter().all(|change| change["user"] != 0));
}

#[test]
fn a_hook_reaches_a_component_that_was_never_published() {
    let mut garden = TestSite::new(&commit("empty").write("README", "x"));
    // Hooks are the only way to notice a push to a repository that is not watched.
    let daemon = Daemon::new(garden.folder.path());
    let address = format!("{}/garden.git", daemon.address);
    garden.configure_repositories([Path::new(&address), Path::new(&address)]);
    let server = garden.serve_with_interval(NEVER);
    assert_eq!(server.json("/readyz")["published"], 0);
    garden.repository.push(&numbered(1));
    for path in ["/hooks/update/garden/", "/hooks/update/garden/app/"] {
        assert_eq!(server.get(path).0, 200, "{path}");
    }
    until("the first state", || {
        (server.json("/readyz")["published"] == 2).then_some(())
    });
    assert_eq!(target(&server, "app/cs"), "Semena 1");
}

#[test]
fn a_repository_that_appears_later_is_served() {
    let garden = TestSite::new(&start());
    let (here, later) = (garden.path("garden.git"), garden.path("later.git"));
    garden.configure_repositories([&here, &later]);
    let server = garden.serve_with_interval("20ms");
    let ready = server.json("/readyz");
    assert_eq!(
        (&ready["published"], &ready["failed"][0]["component"]),
        (&1.into(), &"garden/web".into())
    );
    Repo::with(&later, &start());
    until("the other repository", || {
        (server.json("/readyz")["published"] == 2).then_some(())
    });
    assert_eq!(target(&server, "web/de"), "Start 0");
}

#[test]
fn all_repositories_are_polled_at_the_start() {
    let garden = TestSite::new(&start());
    // Each of them fails at once.
    let closed = ClosedPort::new();
    let components: Vec<String> = (0..9)
        .map(|number| {
            component(
                &format!("app-{number}"),
                &format!("git://{}/{number}.git", closed.address()),
                "locales",
                "",
            )
        })
        .collect();
    fs::write(garden.path("gitglot.toml"), project("garden", &components)).unwrap();
    let server = garden.serve_with_interval(NEVER);
    assert_eq!(
        server.json("/readyz")["failed"].as_array().unwrap().len(),
        9
    );
}

#[test]
fn another_repository_at_the_same_path_is_followed_with_the_ids_that_were() {
    let garden = TestSite::new(&start());
    let server = garden.serve_with_interval("50ms");
    let units = |server: &Server| -> Vec<u64> {
        let all = server.json("/api/units/");
        all["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|unit| unit["id"].as_u64().unwrap())
            .collect()
    };
    let before = units(&server);
    let path = garden.path("garden.git");
    fs::remove_dir_all(&path).unwrap();
    let mut other = Repo::with(
        &path,
        &texts(commit("one").by_at(ANNA, "2021-06-06 10:00"), 7),
    );
    until("the other repository", || {
        (target(&server, "app/cs") == "Semena 7").then_some(())
    });
    until("no complaint", || behind(&server).is_empty().then_some(()));
    assert_eq!(units(&server), before);
    other.push(&numbered(8));
    until("a push to it", || {
        (target(&server, "app/cs") == "Semena 8").then_some(())
    });
}

#[test]
fn no_response_mixes_two_snapshots() {
    let mut garden = TestSite::new(&start());
    let server = garden.serve_with_interval(NEVER);
    const COMMITS: usize = 20;
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    until("the last commit", || {
                        let all = server.json("/api/units/?page_size=1000");
                        let units = all["results"].as_array().unwrap();
                        assert_eq!(units.len(), 4);
                        let number = |unit: &Value| {
                            let text = unit["target"].as_str().unwrap();
                            text.rsplit(' ').next().unwrap().parse::<usize>().unwrap()
                        };
                        let first = number(&units[0]);
                        assert!(units.iter().all(|unit| number(unit) == first), "{all}");
                        (first == COMMITS).then_some(())
                    });
                })
            })
            .collect();
        for number in 1..=COMMITS {
            garden.repository.push(&numbered(number));
            server.poll("garden");
        }
        readers
            .into_iter()
            .for_each(|reader| reader.join().unwrap());
    });
}

#[test]
fn a_hook_response_names_the_component() {
    let garden = TestSite::new(&start());
    let server = garden.serve_with_interval(NEVER);
    let body = |status: &str, message: &str| {
        format!("{{\"status\": \"{status}\", \"message\": \"{message}\"}}")
    };
    assert_eq!(
        server.get("/hooks/update/garden/"),
        (200, body("success", "Update triggered"))
    );
    assert_eq!(
        server.get("/hooks/update/garden/app/"),
        (200, body("success", "Update triggered"))
    );
    assert_eq!(server.get("/hooks/update/other/").0, 404);
}

/// A server of the directory's repositories that keeps its address and can become silent: later connections are left
/// waiting.
struct Daemon {
    address: String,
    silent: Arc<AtomicBool>,
}

impl Daemon {
    fn new(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("git://{}", listener.local_addr().unwrap());
        let silent = Arc::<AtomicBool>::default();
        let (folder, is_silent) = (folder.to_owned(), silent.clone());
        std::thread::spawn(move || {
            let mut waiting = Vec::new();
            for stream in listener.incoming().map(Result::unwrap) {
                if is_silent.load(Ordering::SeqCst) {
                    waiting.push(stream);
                    continue;
                }
                let mut daemon = Command::new("git");
                daemon
                    .args(["daemon", "--inetd", "--export-all", "--base-path=."])
                    .current_dir(&folder);
                daemon
                    .stdin(OwnedFd::from(stream.try_clone().unwrap()))
                    .stdout(OwnedFd::from(stream));
                daemon.stderr(Stdio::null()).status().unwrap();
            }
        });
        Self { address, silent }
    }
}

#[test]
fn the_last_fetch_is_served_while_a_server_is_silent() {
    let garden = TestSite::new(&start());
    let daemon = Daemon::new(garden.folder.path());
    let address = format!("{}/garden.git", daemon.address);
    garden.configure_repositories([Path::new(&address), Path::new(&address)]);
    let server = garden.serve_with_interval(NEVER);
    let before = server.json("/api/changes/?page_size=1000");
    assert_eq!(behind(&server), [] as [Value; 0]);
    server.kill();
    daemon.silent.store(true, Ordering::SeqCst);
    let server = garden.serve_with_interval(NEVER);
    assert_eq!(target(&server, "app/cs"), "Semena 0");
    assert_eq!(
        server.json("/api/changes/?page_size=1000")["count"],
        before["count"]
    );
    let behind = until("the failure", || {
        Some(behind(&server)).filter(|behind| behind.len() == 2)
    });
    for reported in behind {
        assert_eq!(
            reported["reason"],
            "serving the state of the last fetch: the server has not responded yet"
        );
    }
}
