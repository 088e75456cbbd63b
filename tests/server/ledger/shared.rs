//! Faults of the store of a shared ledger: missing batches, a lost store, missing packs, outages, special files.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::{JAN, garden, units};
use crate::common::{Server, TestSite, commit, gitglot, until};

/// The URL of a store in the directory of a site.
pub(super) fn url(garden: &TestSite, name: &str) -> String {
    format!("file://{}", garden.path(name).display())
}

/// The flags of a replica that polls the store often.
pub(super) fn flags(ledger: &str) -> [&str; 4] {
    ["--ledger", ledger, "--ledger-poll-interval", "20ms"]
}

fn push(garden: &mut TestSite, number: usize) {
    let change = commit(&format!("push-{number}"))
        .by_at(JAN, &format!("2021-01-0{number} 10:00"))
        .write("app/locales/cs.json", format!(r#"{{"title": "{number}"}}"#));
    garden.repository.push(&change);
}

/// Starts a replica with a copy in `state`, and waits until it has recorded some pushes.
fn serve_pushes(garden: &mut TestSite, pushes: usize) -> Server {
    let ledger = url(garden, "store");
    let server = garden.serve_with(&flags(&ledger));
    for number in 1..=pushes {
        push(garden, number);
        let published = format!("gitglot_ledger_batch {}\n", number + 1);
        until("the push", || {
            server.get("/metrics").1.contains(&published).then_some(())
        });
    }
    server
}

fn batches(store: &Path) -> usize {
    let files = fs::read_dir(store.join("batches")).into_iter().flatten();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.ends_with(".tmp")).count()
}

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = gitglot().args(arguments).output().unwrap();
    let text = [stdout, stderr].concat();
    (status.code(), String::from_utf8_lossy(&text).into_owned())
}

fn ready(server: &Server) -> (u16, Value) {
    let (status, body) = server.get("/readyz");
    (status, serde_json::from_str(&body).unwrap())
}

/// Waits until the server is not ready. Returns the reason.
fn unready_reason(server: &Server) -> String {
    until("503", || {
        let (status, report) = ready(server);
        let is_unready = status == 503 && report["status"] == "unready";
        is_unready.then(|| report["reason"].as_str().unwrap().to_owned())
    })
}

fn problem(server: &Server, kind: &str) -> bool {
    let metrics = server.get("/metrics").1;
    let line = format!("gitglot_ledger_problem{{kind=\"{kind}\"}} ");
    let value = metrics.lines().find_map(|it| it.strip_prefix(&line));
    value.unwrap() == "1"
}

#[test]
fn a_missing_batch_fails_every_command_and_ends_a_new_replica() {
    let mut garden = garden();
    serve_pushes(&mut garden, 3).kill();
    let (store, copy) = (url(&garden, "store"), url(&garden, "copy"));
    let (code, text) = run(&["ledger", "verify", &store]);
    assert!(code == Some(0) && text.starts_with("4 batches"), "{text}");
    let missing = garden.path("store/batches/0000000002");
    let content = fs::read(&missing).unwrap();
    fs::remove_file(&missing).unwrap();

    let (config, state) = (garden.path("gitglot.toml"), garden.path("new"));
    let serve = ["serve", "--listen", "127.0.0.1:0", "--config"];
    let folders = [
        config.to_str().unwrap(),
        "--state-dir",
        state.to_str().unwrap(),
    ];
    let serve = [&serve[..], &folders, &flags(&store)];
    for command in [
        &["ledger", "verify", &store][..],
        &["ledger", "copy", &store, &copy],
        &["ledger", "compact", &store],
        &serve.concat(),
    ] {
        let (code, text) = run(command);
        assert_eq!(code, Some(1), "{command:?}: {text}");
        assert!(
            text.contains("batch 2 is missing, but batch 3 exists"),
            "{text}"
        );
    }
    assert_eq!(
        (
            batches(&garden.path("copy")),
            batches(&garden.path("store"))
        ),
        (0, 3)
    );
    fs::write(missing, content).unwrap();
    let (code, text) = run(&["ledger", "copy", &store, &copy]);
    assert!(
        code == Some(0) && text.starts_with("copied 4 batches"),
        "{text}"
    );
}

#[test]
fn a_replica_that_has_lost_its_ledger_writes_nothing_until_it_is_back() {
    let mut garden = garden();
    let server = serve_pushes(&mut garden, 1);
    let before = units(&server);
    let (store, aside) = (garden.path("store"), garden.path("aside"));
    fs::rename(&store, &aside).unwrap();
    fs::create_dir(&store).unwrap();
    let reason = unready_reason(&server);
    assert!(reason.contains("lacks batch 2"), "{reason}");
    assert!(problem(&server, "damaged"));
    push(&mut garden, 2);
    assert_eq!(units(&server), before, "the previous state stays published");
    assert_eq!(batches(&store), 0);
    fs::remove_dir_all(&store).unwrap();
    fs::rename(&aside, &store).unwrap();
    until("the push", || (batches(&store) == 3).then_some(()));
    until("readiness", || (ready(&server).0 == 200).then_some(()));
    assert!(!problem(&server, "damaged"));
}

#[test]
fn a_copy_of_a_state_directory_is_reported_as_incomplete_for_readers() {
    let garden = garden();
    garden.run();
    let (state, copy) = (garden.state(), url(&garden, "copy"));
    let (code, text) = run(&["ledger", "copy", state.to_str().unwrap(), &copy]);
    assert_eq!(code, Some(0), "{text}");
    let lacks = "lacks the git objects of garden/app, garden/web";
    assert!(
        text.contains("copied 1 batches and 0 packs") && text.contains(lacks),
        "{text}"
    );
    let (code, text) = run(&["ledger", "verify", &copy]);
    assert!(code == Some(1) && text.contains(lacks), "{text}");
    let (code, text) = run(&["ledger", "verify", "--batches", &copy]);
    assert!(code == Some(0) && text.starts_with("1 batches"), "{text}");

    let config = garden.path("gitglot.toml");
    let arguments = [
        "serve",
        "--config",
        config.to_str().unwrap(),
        "--follow",
        "false",
    ];
    let arguments = [&arguments[..], &flags(&copy)].concat();
    let reader = Server::start_unready(&arguments, &garden.path("reader"));
    let reason = unready_reason(&reader);
    assert!(reason.contains(lacks), "{reason}");
    assert!(problem(&reader, "incomplete"));
    assert_eq!(ready(&reader).1["published"], 0);
    // A replica with access to the repositories needs no packs.
    let writer = garden.serve_from(&garden.path("writer"), &flags(&copy));
    assert_eq!(ready(&writer).1["published"], 2);
}

#[test]
fn a_reader_of_an_empty_store_is_not_ready() {
    let garden = garden();
    let (config, store) = (garden.path("gitglot.toml"), url(&garden, "store"));
    let arguments = [
        "serve",
        "--config",
        config.to_str().unwrap(),
        "--follow",
        "false",
    ];
    let arguments = [&arguments[..], &flags(&store)].concat();
    let reader = Server::start_unready(&arguments, &garden.path("reader"));
    let reason = unready_reason(&reader);
    assert_eq!(reason, "no component is published");
    let _writer = garden.serve_with(&flags(&store));
    until("the first batch", || {
        (ready(&reader).0 == 200).then_some(())
    });
}

#[test]
fn an_outage_is_logged_once_and_shown_in_metrics() {
    let mut garden = garden();
    let (config, ledger, log) = (
        garden.path("gitglot.toml"),
        url(&garden, "store"),
        garden.path("log"),
    );
    let arguments = [
        &["serve", "--config", config.to_str().unwrap()],
        &flags(&ledger)[..],
    ];
    let server = Server::start_logging(&arguments.concat(), &garden.state(), &log);
    assert!(!problem(&server, "unavailable"));
    let (store, aside) = (garden.path("store"), garden.path("aside"));
    fs::rename(&store, &aside).unwrap();
    fs::write(&store, "no directory").unwrap();
    until("the outage", || {
        problem(&server, "unavailable").then_some(())
    });
    push(&mut garden, 1);
    let failed_writes = || {
        let metrics = server.get("/metrics").1;
        let line = "gitglot_store_failures_total{operation=\"create\"} ";
        let value = metrics.lines().find_map(|it| it.strip_prefix(line));
        value.unwrap().parse::<u32>().unwrap()
    };
    until("several attempts", || (failed_writes() >= 2).then_some(()));
    let (status, report) = ready(&server);
    assert_eq!(status, 200, "it serves its last state: {report}");
    assert!(
        report["ledger"].as_str().unwrap().contains("store"),
        "{report}"
    );
    fs::remove_file(&store).unwrap();
    fs::rename(&aside, &store).unwrap();
    until("the push", || (batches(&store) == 2).then_some(()));
    until("the end", || {
        (!problem(&server, "unavailable")).then_some(())
    });
    let log = fs::read_to_string(log).unwrap();
    let lines = log
        .lines()
        .filter(|line| line.contains("nothing new is published"));
    assert_eq!(lines.count(), 1, "{log}");
    assert!(log.lines().all(|line| line.len() < 400), "{log}");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_a_store_or_state_directory_is_refused_at_once() {
    let mut garden = garden();
    serve_pushes(&mut garden, 1).kill();
    let (store, config) = (url(&garden, "store"), garden.path("gitglot.toml"));
    let state = garden.state();
    let pipe = |path: &Path| {
        let _ = fs::remove_file(path);
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    };
    pipe(&garden.path("store/batches/0000000002"));
    let serve = ["serve", "--listen", "127.0.0.1:0", "--config"];
    let state_flags = [
        config.to_str().unwrap(),
        "--state-dir",
        state.to_str().unwrap(),
    ];
    let serve = [&serve[..], &state_flags].concat();
    for command in [
        &["ledger", "verify", &store][..],
        &[&serve[..], &flags(&store)].concat(),
    ] {
        let (code, text) = run(command);
        assert_eq!(code, Some(1), "{text}");
        assert!(
            text.contains("0000000002") && text.contains("not a regular file"),
            "{text}"
        );
    }
    for file in ["ids.jsonl", "ledger.jsonl", "lock"] {
        let path = state.join(file);
        let content = fs::read(&path).unwrap();
        pipe(&path);
        let (code, text) = run(&serve);
        assert_eq!(code, Some(1), "{text}");
        assert!(
            text.contains(&format!("{file}: it is not a regular file")),
            "{text}"
        );
        fs::remove_file(&path).unwrap();
        fs::write(&path, content).unwrap();
    }
    let checkpoint = state.join("checkpoint/garden.app.state");
    fs::create_dir_all(checkpoint.parent().unwrap()).unwrap();
    pipe(&checkpoint);
    assert_eq!(ready(&garden.serve()).0, 200, "a checkpoint is a cache");
}
