//! Two hundred components in fifty repositories, out of one configuration, and a list of many projects.

use std::fmt::Write;
use std::fs;
use std::io::{Read, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::common::{ANNA, History, Repo, Server, commit, component, project, until};

const REPOSITORIES: usize = 50;
const FOLDERS: [&str; 4] = ["app", "web", "docs", "site"];

/// A repository whose files contain its number.
fn history(number: usize) -> History {
    let mut history = History::default();
    for (step, label) in ["one", "two"].into_iter().enumerate() {
        let day = 1 + number % 28;
        history = history
            .commit(label)
            .by_at(ANNA, &format!("2020-0{}-{day:02} 10:00", step + 1));
        for folder in FOLDERS {
            history = history
                .write(
                    &format!("{folder}/en.json"),
                    format!(r#"{{"title": "{folder} {number}"}}"#),
                )
                .write(
                    &format!("{folder}/cs.json"),
                    format!(r#"{{"title": "{folder} {number}.{step}"}}"#),
                );
        }
    }
    history
}

fn target(server: &Server, number: usize, folder: &str) -> Option<String> {
    let units = server.json(&format!("/api/translations/p{number}/{folder}/cs/units/"));
    units["results"][0]["target"].as_str().map(str::to_owned)
}

#[test]
fn two_hundred_components_are_served_independently() {
    let folder = tempfile::tempdir().unwrap();
    let mut repositories = Vec::new();
    let mut text = String::new();
    for number in 0..REPOSITORIES {
        let name = format!("r{number}.git");
        repositories.push(Repo::with(&folder.path().join(&name), &history(number)));
        writeln!(text, "[[project]]\nslug = 'p{number}'").unwrap();
        FOLDERS
            .iter()
            .for_each(|folder| text.push_str(&component(folder, &name, folder, "")));
    }
    // A directory that is not there is known at once to be none.
    text.push_str(&component("broken", "missing.git", "app", ""));
    let config = folder.path().join("gitglot.toml");
    fs::write(&config, &text).unwrap();
    let state = folder.path().join("state");
    let begin = Instant::now();
    let arguments = [
        "serve",
        "--config",
        config.to_str().unwrap(),
        "--poll-interval",
        "168h",
    ];
    let server = Server::start(&arguments, &state);
    println!("ready after {:?}", begin.elapsed());

    let ready = server.json("/readyz");
    assert_eq!(
        (&ready["published"], &ready["failed"][0]["component"]),
        (&200.into(), &"p49/broken".into())
    );
    assert_eq!(server.json("/api/projects/")["count"], REPOSITORIES);
    let units = server.json("/api/units/?page_size=1000");
    let mut ids = units["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["id"].as_u64().unwrap());
    assert!(ids.by_ref().eq(1..=400), "numbered as they are configured");
    for number in 0..REPOSITORIES {
        for folder in FOLDERS {
            assert_eq!(
                target(&server, number, folder),
                Some(format!("{folder} {number}.1"))
            );
        }
    }
    let mirrors = fs::read_dir(state.join("mirrors"))
        .unwrap()
        .filter(|it| it.as_ref().unwrap().path().is_dir());
    assert_eq!(
        mirrors.count(),
        REPOSITORIES,
        "one for each repository, however many components read it"
    );
    let count =
        |folder: &str| fs::read_dir(format!("/proc/{}/{folder}", server.id())).map(Iterator::count);
    if let (Ok(threads), Ok(files)) = (count("task"), count("fd")) {
        println!("{threads} threads, {files} file handles");
        assert!(
            threads < 100 && files < 600,
            "{threads} threads, {files} file handles"
        );
    }

    // More silent servers than concurrent fetches.
    let silent: Vec<TcpListener> = (0..10)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    for (at, listener) in silent.iter().enumerate() {
        let port = listener.local_addr().unwrap().port();
        text.push_str(&component(
            &format!("silent{at}"),
            &format!("git://127.0.0.1:{port}/x.git"),
            "app",
            "",
        ));
    }
    fs::write(&config, &text).unwrap();
    let begin = Instant::now();
    until("the new configuration", || {
        let missing = server.json("/readyz")["missing"].as_array().unwrap().len();
        (missing == silent.len()).then_some(())
    });
    repositories[7].push(&commit("three").write("web/cs.json", r#"{"title": "new"}"#));
    server.poll("p7");
    until("the push", || {
        (target(&server, 7, "web")? == "new").then_some(())
    });
    assert!(
        begin.elapsed() < Duration::from_secs(60),
        "it did not wait for silent servers"
    );
    assert_eq!(server.get("/readyz").0, 200);
}

#[test]
fn a_silent_server_does_not_hold_back_what_was_read() {
    let folder = tempfile::tempdir().unwrap();
    let repository = Repo::with(&folder.path().join("r.git"), &history(0));
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("git://{}/x.git", silent.local_addr().unwrap());
    let directory = repository.dir().to_str().unwrap();
    let text = [
        project("p0", &[component("app", directory, "app", "")]),
        project("p1", &[component("silent", &address, "app", "")]),
    ];
    let config = folder.path().join("gitglot.toml");
    fs::write(&config, text.concat()).unwrap();
    let arguments = ["serve", "--config", config.to_str().unwrap()];
    let server = Server::start_unready(&arguments, &folder.path().join("state"));
    // A component is counted as published after it is served, never before.
    let (status, report) = until("the component that was read", || {
        let (status, body) = server.get("/readyz");
        let report: serde_json::Value = serde_json::from_str(&body).unwrap();
        (report["published"] == 1).then_some((status, report))
    });
    assert_eq!(server.get("/api/components/p0/app/").0, 200);
    assert_eq!((status, &report["status"]), (503, &"starting".into()));
    assert_eq!(report["missing"], serde_json::json!(["p1/silent"]));
}

#[test]
fn a_server_that_limits_requests_gets_no_more_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut repository = Repo::with(&folder.path().join("r0.git"), &history(0));
    let limiting = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = limiting.local_addr().unwrap();
    let requests = Arc::<AtomicUsize>::default();
    let counted = requests.clone();
    std::thread::spawn(move || {
        for stream in limiting.incoming().map(Result::unwrap) {
            counted.fetch_add(1, Ordering::SeqCst);
            // A client may have closed the connection.
            let _ = (&stream).read(&mut [0; 4096]);
            let _ = (&stream).write_all(
                b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            );
        }
    });
    let mut text = "[[project]]\nslug = 'p0'\n".to_owned();
    text.push_str(&component("app", "r0.git", "app", ""));
    for number in 0..30 {
        let repo = format!("http://{address}/{number}.git");
        text.push_str(&component(&format!("remote{number}"), &repo, "app", ""));
    }
    let config = folder.path().join("gitglot.toml");
    fs::write(&config, &text).unwrap();
    let arguments = ["serve", "--config", config.to_str().unwrap()];
    let server = Server::start(&arguments, &folder.path().join("state"));
    let ready = server.json("/readyz");
    let failed = ready["failed"].as_array().unwrap();
    assert_eq!((&ready["published"], failed.len()), (&1.into(), 30));
    for failure in failed {
        let reason = failure["reason"].as_str().unwrap();
        assert!(reason.contains("the server limits requests"), "{reason}");
    }
    // Those that were sent before the first answer.
    let sent = requests.load(Ordering::SeqCst);
    assert!((1..=4).contains(&sent), "{sent} requests");
    repository.push(&commit("three").write("app/cs.json", r#"{"title": "new"}"#));
    server.poll("p0");
    until("the push", || {
        (target(&server, 0, "app")? == "new").then_some(())
    });
    assert_eq!(
        requests.load(Ordering::SeqCst),
        sent,
        "a webhook waits, too"
    );
}

#[test]
fn one_server_gets_few_requests_at_a_time() {
    const AT_A_TIME: usize = 4;
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    // The numbers of all requests, of those without an answer, and the maximum of these.
    let counts = Arc::new((Mutex::new((0, 0, 0)), Condvar::new()));
    let shared = counts.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().map(Result::unwrap) {
            let counts = shared.clone();
            std::thread::spawn(move || {
                let _ = (&stream).read(&mut [0; 4096]);
                let (numbers, changed) = &*counts;
                let mut numbers = numbers.lock().unwrap();
                let last = numbers.0 / AT_A_TIME * AT_A_TIME + AT_A_TIME;
                *numbers = (numbers.0 + 1, numbers.1 + 1, numbers.2.max(numbers.1 + 1));
                changed.notify_all();
                // Answers when as many as possible wait.
                let waits = |it: &mut (usize, usize, usize)| it.0 < last;
                let wait = changed.wait_timeout_while(numbers, Duration::from_secs(3), waits);
                wait.unwrap().0.1 -= 1;
                let _ = (&stream).write_all(
                    b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                );
            });
        }
    });
    let mut text = "[[project]]\nslug = 'p0'\n".to_owned();
    for number in 0..3 * AT_A_TIME {
        let repo = format!("http://{address}/{number}.git");
        text.push_str(&component(&format!("remote{number}"), &repo, "app", ""));
    }
    let config = folder.path().join("gitglot.toml");
    fs::write(&config, &text).unwrap();
    let arguments = ["serve", "--config", config.to_str().unwrap()];
    let _server = Server::start_unready(&arguments, &folder.path().join("state"));
    until("all requests", || {
        (counts.0.lock().unwrap().0 >= 3 * AT_A_TIME).then_some(())
    });
    assert_eq!(counts.0.lock().unwrap().2, AT_A_TIME);
}

#[test]
fn the_list_of_many_projects_has_pages_a_search_and_orders() {
    let history = commit("one")
        .write("app/en.json", r#"{"title": "Title", "text": "Text"}"#)
        .write("app/cs.json", r#"{"title": "Titul", "text": "Text."}"#)
        .write("web/en.json", r#"{"title": "Title"}"#)
        .write("web/cs.json", r#"{"other": "Titul"}"#);
    let folder = tempfile::tempdir().unwrap();
    Repo::with(&folder.path().join("r.git"), &history);
    let mut text = String::new();
    for number in 10..62 {
        let read = if number == 10 { "web" } else { "app" };
        text.push_str(&project(
            &format!("p{number}"),
            &[component("app", "r.git", read, "")],
        ));
    }
    let config = folder.path().join("gitglot.toml");
    fs::write(&config, &text).unwrap();
    let state = folder.path().join("state");
    let server = Server::start(&["serve", "--config", config.to_str().unwrap()], &state);
    let listed = |path: &str| {
        let (status, page) = server.get(path);
        assert_eq!(status, 200);
        let links = page.split("<th scope=\"row\"><a href=\"/projects/").skip(1);
        let slugs = links.map(|it| it.split('/').next().unwrap().to_owned());
        slugs.collect::<Vec<_>>()
    };
    let first = listed("/");
    assert_eq!((first.len(), &*first[0]), (50, "p10"));
    assert_eq!(listed("/?page=2"), ["p60", "p61"]);
    assert_eq!(listed("/?name=P6"), ["p60", "p61"]);
    assert_eq!(listed("/?name=nothing"), [""; 0]);
    let last = listed("/?order=progress&page=2");
    assert_eq!(last, ["p61", "p10"], "the least complete project is last");
    assert_eq!(listed("/?order=activity").len(), 50);
    let found = server.get("/?name=p6&order=progress").1;
    assert!(found.contains("name=\"name\" value=\"p6\""), "{found}");
    assert!(found.contains("href=\"/?name=p6\">name</a>"), "{found}");
}
