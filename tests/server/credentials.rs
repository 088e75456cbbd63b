//! Private repositories, over https with a token and over ssh with a key, from real servers on the loopback interface.
//! No output contains a secret.
//!
//! Tests are skipped if the server program that they need is missing.

mod ssh;

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::common::{ANNA, History, Repo, Server, commit, component, gitglot, project, until};

const SECRET: &str = "s3cret-t0ken";

fn start() -> History {
    commit("one")
        .by_at(ANNA, "2020-01-01 10:00")
        .write(
            "locales/en.json",
            r#"{"title": "Seeds", "text": "Many seeds"}"#,
        )
        .write(
            "locales/cs.json",
            r#"{"title": "Semena", "text": "Mnoho semen"}"#,
        )
}

/// A child process, ended when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether a program can run; reports it if not.
fn has(program: &str, argument: &str) -> bool {
    let found = Command::new(program)
        .arg(argument)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok();
    if !found {
        eprintln!("skipped: there is no {program}");
    }
    found
}

fn run(program: &str, folder: &Path, arguments: &[&str]) {
    let done = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{program} {arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

/// Runs `gitglot check` on a repository. Returns whether it succeeds, and its output.
fn check(
    address: &str,
    folder: &Path,
    flags: &[&str],
    variables: &[(&str, &str)],
) -> (bool, String) {
    let state = tempfile::tempdir_in(folder).unwrap();
    let mut command = gitglot();
    command
        .args(["check", address, "--log-level", "debug", "--state-dir"])
        .arg(state.path())
        .args(flags);
    let done = command.envs(variables.iter().copied()).output().unwrap();
    let text = [done.stdout, done.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(!text.contains(SECRET), "{text}");
    (done.status.success(), text)
}

/// A repository over https with a password.
struct Https {
    folder: tempfile::TempDir,
    port: u16,
    _server: Running,
}

impl Https {
    fn start() -> Option<Self> {
        if !(has("git", "--version") && has("python3", "--version") && has("openssl", "version")) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        Repo::with(&folder.path().join("garden.git"), &start());
        let make = |line: &str| {
            run(
                "openssl",
                folder.path(),
                &line.split(' ').collect::<Vec<_>>(),
            )
        };
        let key = "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
        make(&format!(
            "{key} -x509 -keyout ca.key -out ca.pem -subj /CN=tests -days 9"
        ));
        make(&format!(
            "{key} -keyout server.key -out server.csr -subj /CN=127.0.0.1"
        ));
        fs::write(
            folder.path().join("names"),
            "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n",
        )
        .unwrap();
        make(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -out server.pem -days 9 -extfile names",
        );
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e/git_http.py");
        let mut server = Command::new("python3");
        server
            .arg(script)
            .arg(folder.path())
            .arg(folder.path().join("server.pem"));
        server
            .arg(folder.path().join("server.key"))
            .arg(format!("ada:{SECRET}"));
        let mut server = server
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        Some(Self {
            folder,
            port: line.trim().parse().unwrap(),
            _server: Running(server),
        })
    }

    fn address(&self, account: &str) -> String {
        format!("https://{account}127.0.0.1:{}/garden.git", self.port)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        if !text.is_empty() {
            fs::write(&path, text).unwrap();
        }
        path.to_str().unwrap().to_owned()
    }

    /// Runs `gitglot check` with the server's authority trusted.
    fn check(&self, account: &str, flags: &[&str], variables: &[(&str, &str)]) -> (bool, String) {
        let authority = self.file("ca.pem", "");
        check(
            &self.address(account),
            self.folder.path(),
            &[flags, &["--ca-file", &authority]].concat(),
            variables,
        )
    }
}

#[test]
fn a_token_can_be_in_every_supported_location() {
    let Some(server) = Https::start() else { return };
    let token = server.file("token", &format!("{SECRET}\n"));
    let pair = server.file("pair", &format!("ada:{SECRET}"));
    let helper = format!("!f() {{ echo username=ada; echo password={SECRET}; }}; f");
    let file = server.file(
        "store",
        &format!("https://ada:{SECRET}@127.0.0.1:{}\n", server.port),
    );
    let store = format!("store --file='{file}'");
    let with_password = format!("ada:{SECRET}@");
    for (account, flags, variables) in [
        (
            "",
            &["--token-file", &token, "--username", "ada"][..],
            &[][..],
        ),
        ("ada@", &["--token-file", &token], &[]),
        ("", &["--token-file", &pair], &[]),
        (
            "",
            &["--token-env", "MY_TOKEN", "--username", "ada"],
            &[("MY_TOKEN", SECRET)],
        ),
        (
            "",
            &[],
            &[
                ("GITGLOT_TOKEN_ENV", "MY_TOKEN"),
                ("MY_TOKEN", SECRET),
                ("GITGLOT_USERNAME", "ada"),
            ],
        ),
        ("", &["--credential-helper", &helper], &[]),
        ("", &["--credential-helper", &store], &[]),
        (&with_password, &[], &[]),
    ] {
        let (succeeds, output_text) = server.check(account, flags, variables);
        assert!(
            succeeds && output_text.contains("cs"),
            "{account} {flags:?}: {output_text}"
        );
    }
    let stored = fs::read_to_string(&file).unwrap();
    assert!(
        stored.contains(SECRET),
        "a helper is never expected to forget: {stored}"
    );
}

#[test]
fn a_rejected_token_is_one_error_with_a_next_step() {
    let Some(server) = Https::start() else { return };
    let wrong = server.file("wrong", "ada:something-else");
    let missing = server.file("missing", "");
    let silent = "!true";
    for (flags, expected) in [
        (&["--token-file", &wrong][..], "refuses access"),
        (
            &[],
            "the server requires credentials, and none are configured",
        ),
        (&["--token-file", &missing], "missing' cannot be read"),
        (
            &["--token-env", "GITGLOT_NOT_SET"],
            "the environment variable GITGLOT_NOT_SET for the token is not set",
        ),
        (
            &["--credential-helper", silent],
            "the credential helper has no credentials",
        ),
    ] {
        let (succeeds, output_text) = server.check("", flags, &[]);
        assert!(
            !succeeds && output_text.contains(expected),
            "{flags:?}: {output_text}"
        );
        let last = output_text.trim().lines().last().unwrap();
        assert!(
            last.contains(&server.address("")) && !output_text.contains("something-else"),
            "{flags:?}: {output_text}"
        );
    }
}

#[test]
fn only_the_authorities_of_the_system_are_trusted() {
    let Some(server) = Https::start() else { return };
    let token = server.file("token", &format!("ada:{SECRET}"));
    let authority = server.file("ca.pem", "");
    let flags = ["--token-file", &token];
    let checked = |flags: &[&str], variables: &[(&str, &str)]| {
        check(&server.address(""), server.folder.path(), flags, variables)
    };
    let (succeeds, output_text) = checked(&flags, &[("SSL_CERT_FILE", &authority)]);
    assert!(succeeds, "{output_text}");
    // A different one with the same name.
    let make = "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -x509 -keyout x.key -out x.pem -subj /CN=tests";
    run(
        "openssl",
        server.folder.path(),
        &make.split(' ').collect::<Vec<_>>(),
    );
    let (succeeds, output_text) = checked(&flags, &[("SSL_CERT_FILE", &server.file("x.pem", ""))]);
    assert!(
        !succeeds && output_text.contains("the certificate of the server is not trusted"),
        "{output_text}"
    );
}

#[test]
fn a_corrected_token_needs_no_restart_and_stays_secret() {
    let Some(server) = Https::start() else { return };
    let token = server.file("token", "not-yet");
    let more = format!("ca_file = 'ca.pem'\ntoken_file = '{token}'");
    let app = component(
        "app",
        &server.address(&format!("ada:{SECRET}-old@")),
        "locales",
        &more,
    );
    let web = component("web", &server.address("ada@"), "locales", "");
    let text = project("garden", &[app, web]);
    let config = server.file("gitglot.toml", &text);
    let log = server.folder.path().join("log");
    let arguments = ["serve", "--config", &config, "--poll-interval", "50ms"];
    let gitglot = Server::start_logging(&arguments, &server.folder.path().join("state"), &log);
    let ready = gitglot.json("/readyz");
    let failed = ready["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 2, "{ready}");
    assert!(
        failed[0]["reason"]
            .as_str()
            .unwrap()
            .contains("refuses access"),
        "{ready}"
    );
    fs::write(&token, SECRET).unwrap();
    until("both components", || {
        (gitglot.json("/readyz")["published"] == 2).then_some(())
    });
    let mirrors = fs::read_dir(server.folder.path().join("state/mirrors")).unwrap();
    let mirrors = mirrors
        .filter(|entry| entry.as_ref().unwrap().path().is_dir())
        .count();
    assert_eq!(mirrors, 1, "one repository, with any user before its host");
    let mut shown = fs::read_to_string(&log).unwrap();
    for path in [
        "/readyz",
        "/api/components/",
        "/api/components/garden/app/repository/",
        "/projects/garden/app/",
    ] {
        shown.push_str(&gitglot.get(path).1);
    }
    shown.push_str(
        &fs::read_to_string(format!("/proc/{}/cmdline", gitglot.id())).unwrap_or_default(),
    );
    assert!(
        !shown.contains(SECRET) && !shown.contains("not-yet"),
        "{shown}"
    );
    assert!(shown.contains(&server.address("")), "{shown}");
}
