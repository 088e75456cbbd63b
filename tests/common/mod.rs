//! A running gitglot, for tests over a real socket.

#![allow(dead_code, reason = "not every file of tests uses all of it")]

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[allow(unused_imports, reason = "no test uses all of it")]
pub use gitglot_testkit::{ANNA, History, Person, Repo, branch_at, commit, delete_branch};

/// The program, ended when dropped.
pub struct Server {
    child: Child,
    /// `http://127.0.0.1:PORT`.
    pub base: String,
}

/// A port that no program listens on or can take.
pub struct ClosedPort(socket2::Socket);

impl ClosedPort {
    pub fn new() -> Self {
        let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None);
        let socket = socket.expect("a socket");
        let any = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
        socket.bind(&any.into()).expect("a free port");
        Self(socket)
    }

    /// `127.0.0.1:PORT`.
    pub fn address(&self) -> std::net::SocketAddr {
        let address = self.0.local_addr().expect("it is bound");
        address.as_socket().expect("an address")
    }
}

/// A command line of the program under test.
pub fn gitglot() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gitglot"));
    // Settings of the developer's environment are not those of the test.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GITGLOT_") {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null()).env("NO_COLOR", "1");
    command
}

/// A repository `garden.git`, in a directory of its own for all files of a server.
pub struct TestSite {
    pub folder: tempfile::TempDir,
    pub repository: Repo,
}

impl TestSite {
    /// Writes a history to a new repository.
    pub fn new(history: &History) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let repository = Repo::with(&folder.path().join("garden.git"), history);
        Self { folder, repository }
    }

    /// The path of something in the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// A project of a configuration file.
pub fn project(slug: &str, components: &[String]) -> String {
    format!("[[project]]\nslug = '{slug}'\n{}", components.concat())
}

/// A component of a configuration file: the JSON files of a directory in the branch `main`; `more` is added as it is.
pub fn component(slug: &str, repo: &str, folder: &str, more: &str) -> String {
    format!(
        "[[project.component]]\nslug = '{slug}'\nrepo = '{repo}'\nbranch = 'main'\nfile_format = 'json'\n\
         filemask = '{folder}/*.json'\ntemplate = '{folder}/en.json'\n{more}\n"
    )
}

/// Polls until there is a value, for two minutes at most.
pub fn until<T>(condition: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(120);
    loop {
        if let Some(found) = ask() {
            return found;
        }
        assert!(Instant::now() < end, "timed out: {condition}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

impl Server {
    /// Starts the program on a free port and waits until it listens and everything is published or has failed.
    pub fn start(arguments: &[&str], state: &Path) -> Self {
        Self::start_with(arguments, state, &[])
    }

    /// As [`Self::start`], with environment variables.
    pub fn start_with(arguments: &[&str], state: &Path, variables: &[(&str, &str)]) -> Self {
        let arguments = [arguments, &["--log-level", "off"]].concat();
        Self::launch(&arguments, state, Stdio::inherit(), variables).until_ready()
    }

    /// As [`Self::start`], without waiting for more than that it listens.
    pub fn start_unready(arguments: &[&str], state: &Path) -> Self {
        Self::launch(
            &[arguments, &["--log-level", "off"]].concat(),
            state,
            Stdio::inherit(),
            &[],
        )
    }

    /// As [`Self::start`], with warnings in a file.
    pub fn start_logging(arguments: &[&str], state: &Path, log: &Path) -> Self {
        Self::start_with_log((arguments, "warn"), state, log)
    }

    /// As [`Self::start`], with lines of a level in a file.
    pub fn start_with_log((arguments, level): (&[&str], &str), state: &Path, log: &Path) -> Self {
        let log = std::fs::File::create(log).expect("the log can be written");
        let arguments = [arguments, &["--log-level", level]].concat();
        Self::launch(&arguments, state, log.into(), &[]).until_ready()
    }

    fn launch(arguments: &[&str], state: &Path, log: Stdio, variables: &[(&str, &str)]) -> Self {
        let mut command = gitglot();
        command.envs(variables.iter().copied());
        command
            .args(arguments)
            .args(["--listen", "127.0.0.1:0", "--state-dir"])
            .arg(state);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped"))
            .read_line(&mut line)
            .expect("a line");
        let base = line
            .trim()
            .strip_prefix("listening on ")
            .expect("the promised line")
            .to_owned();
        Self { child, base }
    }

    fn until_ready(self) -> Self {
        // `/readyz` reports readiness. Slow machines get two minutes.
        for _ in 0..12_000 {
            if self.get("/readyz").0 == 200 {
                return self;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("not ready: {}", self.get("/readyz").1);
    }

    /// Status and body of a GET.
    pub fn get(&self, path: &str) -> (u16, String) {
        let url = if path.starts_with("http") {
            path.to_owned()
        } else {
            format!("{}{path}", self.base)
        };
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .build()
            .new_agent();
        match agent.get(&url).call() {
            Ok(mut answer) => {
                let mut body = Vec::new();
                answer
                    .body_mut()
                    .as_reader()
                    .read_to_end(&mut body)
                    .expect("a body");
                (
                    answer.status().as_u16(),
                    String::from_utf8_lossy(&body).into_owned(),
                )
            }
            Err(error) => panic!("GET {url}: {error}"),
        }
    }

    /// Lets the server poll the repositories of a project now. Events of the file system do the same, if the system has
    /// watches left.
    pub fn poll(&self, project: &str) {
        let (status, body) = self.get(&format!("/hooks/update/{project}/"));
        assert_eq!(status, 200, "{body}");
    }

    /// The JSON body of a GET that must be answered with 200.
    pub fn json(&self, path: &str) -> serde_json::Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "GET {path}: {body}");
        serde_json::from_str(&body).expect("JSON")
    }

    /// Ends the program at once, as a crash would.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the program to end by itself.
    pub fn wait(mut self) -> std::process::ExitStatus {
        self.child.wait().expect("it ends")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
