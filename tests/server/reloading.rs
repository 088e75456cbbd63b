//! Reloading the configuration: the result equals a restart, no request fails, and an invalid file changes nothing.
//! Also shutdown.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use crate::common::{ANNA, History, Person, Repo, Server, commit, component, project, until};
use serde_json::Value;

const IVO: Person = Person {
    name: "Example Translator",
    email: "translator@example.org",
    offset: 1,
};

/// Two directories with translations, and a third one that other names lead to.
fn start() -> History {
    commit("one")
        .by_at(ANNA, "2020-01-01 10:00")
        .write("app/en.json", r#"{"title": "Seeds", "text": "Many seeds"}"#)
        .write("app/cs.json", r#"{"title": "Semena"}"#)
        .write("web/en.json", r#"{"home": "Home"}"#)
        .write("web/de.json", r#"{"home": "Start"}"#)
        .commit("two")
        .by(IVO)
        .write(
            "app/cs.json",
            r#"{"title": "Semena", "text": "Mnoho semen"}"#,
        )
        .write("web/fr.json", r#"{"home": "Accueil"}"#)
}

struct TestSite(tempfile::TempDir);

impl TestSite {
    fn new(repositories: &[&str]) -> Self {
        let garden = Self(tempfile::tempdir().unwrap());
        for name in repositories {
            Repo::with(&garden.path(name), &start());
        }
        garden
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Replaces the configuration with a new file, as editors do.
    fn configure(&self, text: &str) {
        fs::write(self.path("new.toml"), text).unwrap();
        fs::rename(self.path("new.toml"), self.path("gitglot.toml")).unwrap();
    }

    fn serve(&self, state: &str) -> Server {
        let config = self.path("gitglot.toml");
        let arguments = [
            "serve",
            "--config",
            config.to_str().unwrap(),
            "--poll-interval",
            "168h",
        ];
        Server::start_logging(&arguments, &self.path(state), &self.path("log"))
    }

    /// The warnings, except that other programs have taken all watches of the system.
    fn log(&self) -> String {
        let log = fs::read_to_string(self.path("log")).unwrap();
        let lines = log.split_inclusive('\n');
        lines
            .filter(|line| !line.contains("cannot watch all"))
            .collect()
    }
}

pub fn send(server: &Server, signal: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &server.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

/// The bodies of all lists, and of the pages and logs of all components.
fn everything(server: &Server) -> Vec<(String, String)> {
    let mut paths: Vec<String> = [
        "projects",
        "components",
        "translations",
        "units",
        "sources",
        "changes",
        "users",
    ]
    .map(|list| format!("/api/{list}/?page_size=1000"))
    .into();
    for component in server.json("/api/components/?page_size=1000")["results"]
        .as_array()
        .unwrap()
    {
        let name = format!(
            "{}/{}",
            component["project"]["slug"].as_str().unwrap(),
            component["slug"].as_str().unwrap()
        );
        for below in [
            "",
            "translations/",
            "statistics/",
            "changes/",
            "repository/",
        ] {
            paths.push(format!("/api/components/{name}/{below}"));
        }
    }
    let body = |path: &String| server.get(path).1.replace(&server.base, "");
    paths
        .iter()
        .map(|path| (path.clone(), body(path)))
        .collect()
}

/// The slugs of the components.
fn served(server: &Server) -> Vec<String> {
    let all = server.json("/api/components/?page_size=1000");
    let each = all["results"].as_array().unwrap().iter();
    let mut slugs: Vec<String> = each
        .map(|it| it["slug"].as_str().unwrap().to_owned())
        .collect();
    slugs.sort();
    slugs
}

#[test]
fn a_reload_serves_the_same_as_a_restart() {
    let garden = TestSite::new(&["one.git", "two.git", "three.git"]);
    let first = project(
        "garden",
        &[
            component("app", "one.git", "app", ""),
            component("web", "one.git", "web", ""),
        ],
    );
    garden.configure(&first);
    let server = garden.serve("state");
    let before = everything(&server);

    let requests = AtomicUsize::new(0);
    let over = AtomicBool::new(false);
    let second = [
        project(
            "garden",
            &[
                component("app", "one.git", "web", ""),
                component("more", "two.git", "app", "name = 'More'"),
            ],
        ),
        project("orchard", &[component("far", "three.git", "web", "")]),
    ]
    .concat();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                for path in [
                    "/readyz",
                    "/api/components/garden/app/translations/",
                    "/api/units/",
                    "/",
                ] {
                    assert_eq!(server.get(path).0, 200, "{path}");
                }
                requests.fetch_add(1, Ordering::Relaxed);
            }
        });
        until("some requests", || {
            (requests.load(Ordering::Relaxed) > 2).then_some(())
        });
        garden.configure(&second);
        until("the new configuration", || {
            (served(&server) == ["app", "far", "more"]).then_some(())
        });
        until("the new mask", || {
            (server.get("/api/translations/garden/app/fr/").0 == 200).then_some(())
        });
        over.store(true, Ordering::Relaxed);
    });
    assert_eq!(server.get("/api/components/garden/web/").0, 404);
    // It is reported shortly after it is served.
    until("three published", || {
        (server.json("/readyz")["published"] == 3).then_some(())
    });
    let reloaded = everything(&server);
    assert_ne!(before, reloaded);
    server.kill();
    let restarted = garden.serve("state");
    assert_eq!(everything(&restarted), reloaded);

    // Removed components keep their ids, and restored ones get theirs back.
    garden.configure(&first);
    until("the first configuration", || {
        (served(&restarted) == ["app", "web"]).then_some(())
    });
    until("the first mask", || {
        (restarted.get("/api/translations/garden/app/cs/").0 == 200).then_some(())
    });
    let units = |all: &[(String, String)]| -> Vec<(Value, Value)> {
        let list: Value = serde_json::from_str(&all[3].1).unwrap();
        let each = list["results"].as_array().unwrap().iter();
        each.map(|unit| (unit["id"].clone(), unit["target"].clone()))
            .collect()
    };
    assert_eq!(units(&everything(&restarted)), units(&before));
    assert!(!garden.log().contains("panic"), "{}", garden.log());
}

#[test]
fn a_reload_gives_the_numbers_that_a_restart_gives() {
    let garden = TestSite::new(&["one.git", "two.git", "three.git"]);
    garden.configure(&project(
        "garden",
        &[component("app", "one.git", "app", "")],
    ));
    let server = garden.serve("state");
    // Nothing must be written while it is copied.
    send(&server, "TERM");
    server.wait();
    copy(&garden.path("state"), &garden.path("other"));
    let server = garden.serve("state");
    let text = project(
        "garden",
        &[
            component("far", "three.git", "web", ""),
            component(
                "app",
                "one.git",
                "app",
                "name = 'Another name'\npriority = 60",
            ),
            component("web", "one.git", "web", ""),
            component("more", "two.git", "app", ""),
        ],
    );
    garden.configure(&text);
    until("four components", || {
        (server.json("/readyz")["published"] == 4).then_some(())
    });
    until("another name", || {
        (server.json("/api/components/garden/app/")["name"] == "Another name").then_some(())
    });
    let reloaded = everything(&server);
    server.kill();
    assert_eq!(everything(&garden.serve("other")), reloaded);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

#[test]
fn an_invalid_configuration_is_reported_and_ignored() {
    let garden = TestSite::new(&["one.git"]);
    let good = project("garden", &[component("app", "one.git", "app", "")]);
    garden.configure(&good);
    let server = garden.serve("state");
    garden.configure(&good.replace("filemask = 'app/*.json'", "filemask = 'app/cs.json'"));
    let reported = until("the refusal", || {
        Some(server.json("/readyz")).filter(|it| it["configuration"].is_string())
    });
    let metric = |value: u8| {
        let line = format!("gitglot_reload_rejected{{file=\"configuration\"}} {value}\n");
        let (_, metrics) = server.get("/metrics");
        assert!(metrics.contains(&line), "{line}: {metrics}");
    };
    metric(1);
    let sentence = reported["configuration"].as_str().unwrap();
    assert!(
        sentence.contains("gitglot.toml:8: filemask: the file mask 'app/cs.json' has no '*'"),
        "{sentence}"
    );
    assert!(
        garden.log().contains("the new configuration is invalid"),
        "{}",
        garden.log()
    );
    assert_eq!(served(&server), ["app"]);
    fs::remove_file(garden.path("gitglot.toml")).unwrap();
    until("no file", || {
        server.json("/readyz")["configuration"]
            .as_str()?
            .contains("cannot read")
            .then_some(())
    });
    // Reading a pipe would wait for a writer.
    let made = Command::new("mkfifo")
        .arg(garden.path("gitglot.toml"))
        .status();
    assert!(made.unwrap().success());
    until("the pipe is not read", || {
        let ready = server.json("/readyz");
        let reason = ready["configuration"].as_str()?;
        reason.contains("it is not a regular file").then_some(())
    });
    let more = format!(
        "cache_size = '1MB'\n{good}{}",
        component("web", "one.git", "web", "")
    );
    garden.configure(&more);
    until("both", || (served(&server) == ["app", "web"]).then_some(()));
    assert!(server.json("/readyz")["configuration"].is_null());
    metric(0);
    until("the warning about a restart", || {
        garden
            .log()
            .contains("cache-size changed in the configuration")
            .then_some(())
    });
}

#[test]
fn a_component_that_cannot_be_read_by_its_new_configuration_stays_as_it_was() {
    let garden = TestSite::new(&["one.git"]);
    let good = project("garden", &[component("app", "one.git", "app", "")]);
    garden.configure(&good);
    let server = garden.serve("state");
    garden.configure(&good.replace("'app/en.json'", "'app/xx.json'"));
    let behind = until("the complaint", || {
        let ready = server.json("/readyz");
        ready["behind"][0]["reason"].as_str().map(str::to_owned)
    });
    assert!(behind.contains("app/xx.json"), "{behind}");
    assert_eq!(
        server.json("/api/translations/garden/app/cs/")["translated"],
        2
    );
    garden.configure(&good);
    until("no complaint", || {
        server.json("/readyz")["behind"]
            .as_array()
            .unwrap()
            .is_empty()
            .then_some(())
    });
}

/// A service manager. It receives all the time, because the socket buffers few messages.
struct Manager(Receiver<String>);

impl Manager {
    fn new(garden: &TestSite) -> Self {
        let socket = UnixDatagram::bind(garden.path("notify")).unwrap();
        let (sender, heard) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 200];
            while let Ok(length) = socket.recv(&mut buffer)
                && sender
                    .send(String::from_utf8_lossy(&buffer[..length]).into_owned())
                    .is_ok()
            {}
        });
        Self(heard)
    }

    fn hears(&self) -> String {
        self.0.recv_timeout(Duration::from_secs(120)).unwrap()
    }

    /// The next message that is no keep-alive.
    fn next_message(&self) -> String {
        let mut heard = self.hears();
        while heard == "WATCHDOG=1" {
            heard = self.hears();
        }
        heard
    }
}

#[test]
fn a_service_manager_is_notified_of_reloads() {
    let garden = TestSite::new(&["one.git"]);
    garden.configure(&project(
        "garden",
        &[component("app", "one.git", "app", "")],
    ));
    let manager = Manager::new(&garden);
    let config = garden.path("gitglot.toml");
    let notify = garden.path("notify");
    let variables = [
        ("NOTIFY_SOCKET", notify.to_str().unwrap()),
        ("WATCHDOG_USEC", "1000000"),
    ];
    let server = Server::start_with(
        &["serve", "--config", config.to_str().unwrap()],
        &garden.path("state"),
        &variables,
    );
    assert_eq!(manager.next_message(), "READY=1");
    assert_eq!(manager.hears(), "WATCHDOG=1");
    send(&server, "HUP");
    assert_eq!(
        [manager.next_message(), manager.next_message()],
        ["RELOADING=1", "READY=1"]
    );
    garden.configure(&project(
        "garden",
        &[component("web", "one.git", "web", "")],
    ));
    assert_eq!(
        [manager.next_message(), manager.next_message()],
        ["RELOADING=1", "READY=1"]
    );
    send(&server, "TERM");
    assert_eq!(manager.next_message(), "STOPPING=1");
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn shutdown_takes_seconds_while_a_server_is_silent() {
    let garden = TestSite::new(&["one.git"]);
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let mute = |scheme: &str| format!("{scheme}://127.0.0.1:{port}/x.git");
    let components = [
        component("app", "one.git", "app", ""),
        component("daemon", &mute("git"), "app", ""),
        component("web", &mute("http"), "app", ""),
        component("shell", &mute("ssh"), "app", ""),
    ];
    garden.configure(&project("garden", &components));
    let config = garden.path("gitglot.toml");
    let server = Server::start_unready(
        &["serve", "--config", config.to_str().unwrap()],
        &garden.path("state"),
    );
    for _ in 0..2 {
        // A client has connected and gets no response.
        let (mut stream, _) = silent.accept().unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream.read_exact(&mut [0; 4]).unwrap();
        std::mem::forget(stream);
    }
    let begin = Instant::now();
    send(&server, "TERM");
    assert_eq!(server.wait().code(), Some(0));
    // A fetch that is not ended is given up after 90.
    assert!(
        begin.elapsed() < Duration::from_secs(45),
        "{:?}",
        begin.elapsed()
    );
}

#[test]
fn shutdown_writes_a_checkpoint() {
    let garden = TestSite::new(&[]);
    let mut repository = Repo::with(&garden.path("one.git"), &start());
    garden.configure(&project(
        "garden",
        &[component("app", "one.git", "app", "")],
    ));
    let server = garden.serve("state");
    let saved = || fs::read(garden.path("state/checkpoint/garden.app.state")).ok();
    let first = until("the first checkpoint", saved);
    repository.push(
        &commit("three")
            .by(IVO)
            .write("app/cs.json", r#"{"title": "Osivo"}"#),
    );
    server.poll("garden");
    until("the push", || {
        let all = server.json("/api/translations/garden/app/cs/units/");
        (all["results"][0]["target"] == "Osivo").then_some(())
    });
    assert_eq!(
        saved().unwrap(),
        first,
        "one step is not worth a checkpoint"
    );
    let before = everything(&server);
    send(&server, "TERM");
    assert_eq!(server.wait().code(), Some(0));
    assert_ne!(saved().unwrap(), first);
    assert_eq!(everything(&garden.serve("state")), before);
    assert_eq!(garden.log(), "");
}
