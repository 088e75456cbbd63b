//! A restart with the socket of a service manager: no request of a client fails. And the lines that operators see.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::common::{History, Repo, Server, commit, gitglot, until};

fn history() -> History {
    commit("one")
        .write("locales/en.json", r#"{"title": "Seeds", "save": "Save"}"#)
        .write("locales/cs.json", r#"{"title": "Semena"}"#)
}

/// Starts the program as a service manager does: the socket is file 3, and two variables say so.
fn start(socket: &TcpListener, repository: &Path, state: &Path) -> Child {
    let socket = OwnedFd::from(socket.try_clone().unwrap());
    let script = "exec 3<&0 0</dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" \"$@\"";
    Command::new("sh")
        .args(["-c", script])
        .arg(gitglot().get_program())
        .args(["serve", "--log-level", "off", "--state-dir"])
        .args([state, repository])
        .stdin(Stdio::from(socket))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// A request on a new connection; the status line, or the error.
fn request(address: SocketAddr) -> Result<String, std::io::Error> {
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "GET /api/projects/ HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.lines().next().unwrap_or_default().to_owned())
}

fn stop(mut program: Child) {
    let id = program.id().to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(sent.success());
    assert!(program.wait().unwrap().success());
}

#[test]
fn a_restart_with_an_inherited_socket_refuses_no_request() {
    let folder = tempfile::tempdir().unwrap();
    let (path, state) = (
        folder.path().join("garden.git"),
        folder.path().join("state"),
    );
    Repo::with(&path, &history());
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let (done, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let failure = OnceLock::new();
    let ask_on = || {
        while !is_over.load(Ordering::Relaxed) {
            // The first one waits in the queue of the socket until the first state is read.
            match request(address) {
                Ok(status) if status == "HTTP/1.1 200 OK" => {
                    _ = done.fetch_add(1, Ordering::Relaxed)
                }
                other => {
                    is_over.store(true, Ordering::Relaxed);
                    failure.get_or_init(|| format!("{other:?}"));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..4).map(|_| scope.spawn(ask_on)).collect();
        let answers = || {
            let answered = done.load(Ordering::Relaxed);
            until("requests are answered, or one failed", || {
                let is_enough = done.load(Ordering::Relaxed) > answered + 20;
                (is_enough || failure.get().is_some()).then_some(())
            });
        };
        let mut program = start(&socket, &path, &state);
        for _ in 0..3 {
            answers();
            stop(program);
            program = start(&socket, &path, &state);
        }
        answers();
        is_over.store(true, Ordering::Relaxed);
        clients.into_iter().for_each(|it| it.join().unwrap());
        stop(program);
    });
    assert_eq!(failure.get(), None);
}

#[test]
fn the_start_each_push_and_the_end_are_a_line_each() {
    let folder = tempfile::tempdir().unwrap();
    let (path, log) = (folder.path().join("garden.git"), folder.path().join("log"));
    let mut repository = Repo::with(&path, &history());
    let state = folder.path().join("state");
    let arguments = ["serve", path.to_str().unwrap()];
    let server = Server::start_with_log((&arguments, "info"), &state, &log);
    let lines = |with: &str| {
        let text = std::fs::read_to_string(&log).unwrap();
        let lines = text.lines().filter(|it| it.contains(with));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let ready = until("the line that says that it is ready", || {
        lines("ready after").pop()
    });
    for part in [
        concat!("gitglot ", env!("CARGO_PKG_VERSION"), " on "),
        &server.base,
        state.to_str().unwrap(),
        "2 strings, 1 of 2 translated, 0 stale",
    ] {
        assert!(ready.contains(part), "{part}: {ready}");
    }
    let old = repository.tip("main").to_string();
    repository.push(&commit("two").write(
        "locales/cs.json",
        r#"{"title": "Semena", "save": "Uložit"}"#,
    ));
    let new = repository.tip("main").to_string();
    server.poll("garden");
    let line = format!("{} → {}: ", &old[..10], &new[..10]);
    let pushed = until("the line of the push", || lines(&line).pop());
    assert!(
        pushed.contains(" changes, visible after ") && pushed.contains("garden/locales"),
        "{pushed}"
    );
    let id = server.id().to_string();
    Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(server.wait().success());
    assert_eq!(lines(" → ").len(), 1);
    assert_eq!(lines("stopping: ").len(), 1);
}
