//! Fetches from servers on the loopback interface.
//!
//! Tests that need the `git` program as the server are skipped without it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};

use super::*;
use crate::test_support::{TestRepository, message, retained};
use crate::{BranchChange, FetchError, Mirror, Timeouts, Tip, find_named};

fn clone(address: &str, folder: &Path, access: RepoAccess) -> Result<Mirror, FetchError> {
    let source = RepositorySource::parse(address).unwrap();
    Mirror::open_or_clone(
        source,
        folder.join("mirror"),
        vec![Branch::Default],
        access,
        &mut (),
    )
}

/// Serves `git://` with the `git` program. Returns the port, or `None` without the program.
fn serve_with_git() -> Option<u16> {
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("skipped: there is no git program");
        return None;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(|| answer_with_git(stream.unwrap()));
        }
    });
    Some(port)
}

fn answer_with_git(mut stream: TcpStream) {
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let length = usize::from_str_radix(std::str::from_utf8(&length).unwrap(), 16).unwrap();
    let mut line = vec![0; length - 4];
    stream.read_exact(&mut line).unwrap();
    let line = String::from_utf8(line).unwrap();
    let path = line
        .split('\0')
        .next()
        .unwrap()
        .strip_prefix("git-upload-pack ")
        .unwrap();
    let mut git = Command::new("git")
        .args(["-c", "safe.directory=*", "upload-pack", "--strict", path])
        .env("GIT_PROTOCOL", "version=2")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut to, mut from) = (git.stdin.take().unwrap(), git.stdout.take().unwrap());
    let mut client = stream.try_clone().unwrap();
    let questions = std::thread::spawn(move || pass_on(&mut client, &mut to));
    pass_on(&mut from, &mut stream);
    let _ = stream.shutdown(std::net::Shutdown::Both);
    let _ = questions.join();
    git.wait().unwrap();
}

/// Copies without buffering, unlike `std::io::copy`.
fn pass_on(from: &mut impl Read, to: &mut impl Write) {
    let mut buffer = [0; 8192];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        if to
            .write_all(&buffer[..read])
            .and_then(|()| to.flush())
            .is_err()
        {
            return;
        }
    }
}

#[derive(Default)]
struct Seen(Vec<crate::FetchProgress>);

impl Watch for Seen {
    fn progress(&mut self, progress: &crate::FetchProgress) {
        self.0.push(*progress);
    }
}

#[test]
fn references_that_requests_may_name_are_fetched_and_pruned() {
    let Some(port) = serve_with_git() else { return };
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("main", first);
    test.set_branch("release/1", second);
    test.set_branch("private", second);
    let address = format!("git://127.0.0.1:{port}{}", test.path().display());
    let patterns = ["release/*".parse().unwrap(), RefPattern::tags()];
    let mirror = Mirror::open_or_clone(
        RepositorySource::parse(&address).unwrap(),
        test.sibling("mirror"),
        vec![Branch::Default],
        RepoAccess::default(),
        &mut (),
    )
    .unwrap()
    .with_named(patterns.to_vec());
    let find = |name: &str| {
        mirror.fetch(&mut ()).unwrap();
        let repository = mirror.repository().unwrap();
        find_named(&repository, name, &patterns).ok()
    };
    assert_eq!(find("release/1"), Some(second));
    assert_eq!(find("private"), None);
    test.set_branch("release/1", first);
    assert_eq!(find("release/1"), Some(first), "force-pushed");
    let branch = test.repository.find_reference("refs/heads/release/1");
    branch.unwrap().delete().unwrap();
    assert_eq!(find("release/1"), None);
}

#[test]
fn rewrites_and_renames_of_branches_are_fetched() {
    let Some(port) = serve_with_git() else { return };
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("main", second);
    let source =
        RepositorySource::parse(&format!("git://127.0.0.1:{port}{}", test.path().display()))
            .unwrap();
    let branches = vec![Branch::Default, Branch::Named("dev".to_owned())];
    let folder = test.sibling("mirror");
    let mut mirror = Mirror::open_or_clone(
        source,
        folder,
        branches,
        RepoAccess::default(),
        &mut Seen::default(),
    )
    .unwrap();
    assert_eq!(
        mirror.tips().unwrap()[0].1,
        Some(Tip {
            name: "main".to_owned(),
            commit: second
        })
    );
    assert_eq!(message(&mirror, first), "first");

    let fetch = |mirror: &mut Mirror| mirror.fetch(&mut ()).unwrap().remove(0).change;
    let branch_change = |name: &str, from, to, rewritten| BranchChange::Present {
        name: name.to_owned(),
        from: Some(from),
        to,
        rewritten,
    };
    assert_eq!(
        fetch(&mut mirror),
        branch_change("main", second, second, false)
    );
    let third = test.commit(&[second], &[("a", "3")], "third");
    test.set_branch("main", third);
    assert_eq!(
        fetch(&mut mirror),
        branch_change("main", second, third, false)
    );

    let other = test.commit(&[first], &[("a", "4")], "another second");
    test.set_branch("main", other);
    assert_eq!(
        fetch(&mut mirror),
        branch_change("main", third, other, true)
    );
    assert_eq!(retained(&mirror), [third]);
    assert_eq!(message(&mirror, third), "third");

    test.set_branch("trunk", third);
    test.set_head("trunk");
    assert_eq!(
        fetch(&mut mirror),
        branch_change("trunk", other, third, true)
    );
    let BranchChange::Missing(missing) = mirror.fetch(&mut ()).unwrap().remove(1).change else {
        panic!("there is no branch 'dev'");
    };
    assert_eq!(
        missing.to_string(),
        "there is no branch 'dev', but main, trunk"
    );
    test.set_branch("dev", first);
    let dev = mirror.fetch(&mut ()).unwrap().remove(1).change;
    assert_eq!(
        dev,
        BranchChange::Present {
            name: "dev".to_owned(),
            from: None,
            to: first,
            rewritten: false
        }
    );
}

#[test]
fn maintenance_merges_the_packs_of_many_fetches() {
    let Some(port) = serve_with_git() else { return };
    let mut test = TestRepository::new();
    let mut tip = test.commit(&[], &[("a", "0")], "first");
    test.set_branch("main", tip);
    let address = format!("git://127.0.0.1:{port}{}", test.path().display());
    let mirror = clone(&address, &test.sibling(""), RepoAccess::default()).unwrap();
    let packs = || {
        let files = std::fs::read_dir(mirror.folder.join("objects/pack")).unwrap();
        files
            .filter(|file| {
                file.as_ref()
                    .unwrap()
                    .path()
                    .extension()
                    .is_some_and(|end| end == "pack")
            })
            .count()
    };
    for number in 1..=16 {
        mirror.maintain();
        assert_eq!(packs(), number);
        tip = test.commit(&[tip], &[("a", &number.to_string())], "next");
        test.set_branch("main", tip);
        mirror.fetch(&mut ()).unwrap();
    }
    let open = mirror.repository().unwrap();
    mirror.maintain();
    assert_eq!(packs(), 1);
    for repository in [open, mirror.repository().unwrap()] {
        assert_eq!(repository.reader().commit(tip).unwrap().message, "next");
    }
}

#[test]
fn an_empty_repository_can_be_cloned() {
    let Some(port) = serve_with_git() else { return };
    let mut test = TestRepository::new();
    let address = format!("git://127.0.0.1:{port}{}", test.path().display());
    let mirror = clone(&address, &test.sibling(""), RepoAccess::default()).unwrap();
    let BranchChange::Missing(missing) = mirror.fetch(&mut ()).unwrap().remove(0).change else {
        panic!("there is nothing yet");
    };
    assert_eq!(
        missing.to_string(),
        "the repository has no branches (yet, or any more)"
    );
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    let BranchChange::Present { to, .. } = mirror.fetch(&mut ()).unwrap().remove(0).change else {
        panic!("there is a commit");
    };
    assert_eq!(to, first);
}

#[test]
fn an_unreachable_server_is_a_transient_error() {
    let folder = tempfile::tempdir().unwrap();
    // A socket that does not listen keeps other programs from the port.
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    let any = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
    socket.bind(&any.into()).unwrap();
    let address = socket.local_addr().unwrap().as_socket().unwrap();
    for scheme in ["git", "http"] {
        let error = clone(
            &format!("{scheme}://{address}/x"),
            folder.path(),
            RepoAccess::default(),
        )
        .unwrap_err();
        assert!(
            matches!(error.problem, FetchProblem::Unreachable(_)),
            "{error}"
        );
        assert!(error.problem.is_transient());
        assert!(!folder.path().join("mirror").exists());
    }
}

#[test]
fn a_silent_server_causes_a_timeout() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let timeouts = Timeouts {
        stall: Duration::from_millis(300),
        ..Timeouts::default()
    };
    let access = RepoAccess {
        timeouts,
        ..RepoAccess::default()
    };
    let error = clone(&format!("git://127.0.0.1:{port}/x"), folder.path(), access).unwrap_err();
    assert!(
        matches!(
            error.problem,
            FetchProblem::Stalled(_) | FetchProblem::Unreachable(_)
        ),
        "{error}"
    );
    assert!(error.problem.is_transient());
}

#[test]
fn a_fetch_can_be_stopped() {
    struct CancelledFetch;
    impl Watch for CancelledFetch {
        fn stop(&self) -> bool {
            true
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!(
        "git://127.0.0.1:{}/x",
        listener.local_addr().unwrap().port()
    );
    let source = RepositorySource::parse(&address).unwrap();
    let mirror = folder.path().join("mirror");
    let stopped = Mirror::open_or_clone(
        source,
        mirror,
        vec![Branch::Default],
        RepoAccess::default(),
        &mut CancelledFetch,
    );
    assert!(matches!(
        stopped.unwrap_err().problem,
        FetchProblem::Stopped
    ));
}

/// Answers every request with the same status and headers. Returns the port and the requests.
fn serve_status(status: &'static str, headers: String) -> (u16, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (send, asked) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = Vec::new();
            let mut byte = [0];
            while !request.ends_with(b"\r\n\r\n")
                && stream.read(&mut byte).is_ok_and(|read| read == 1)
            {
                request.push(byte[0]);
            }
            let _ = send.send(String::from_utf8_lossy(&request).into_owned());
            let answer = format!(
                "HTTP/1.1 {status}\r\n{headers}Content-Length: 0\r\nConnection: close\r\n\r\n"
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (port, asked)
}

const ASK: &str = "WWW-Authenticate: Basic realm=\"x\"\r\n";

/// The error of a clone from a server that answers with a status, and the port of the server.
fn refused(status: &'static str) -> (u16, FetchError) {
    let folder = tempfile::tempdir().unwrap();
    let (port, _requests) = serve_status(status, String::new());
    let address = format!("http://127.0.0.1:{port}/a.git");
    let error = clone(&address, folder.path(), RepoAccess::default()).unwrap_err();
    (port, error)
}

#[test]
fn a_repository_that_does_not_exist_is_a_permanent_error() {
    let (port, error) = refused("404 Not Found");
    assert!(
        matches!(error.problem, FetchProblem::NotFound(_)),
        "{error}"
    );
    let start = format!(
        "http://127.0.0.1:{port}/a.git: the repository does not exist or needs credentials"
    );
    assert!(error.to_string().starts_with(&start), "{error}");
    assert!(!error.problem.is_transient());
}

#[test]
fn a_server_error_is_transient() {
    let (_, error) = refused("503 Service Unavailable");
    assert!(
        matches!(error.problem, FetchProblem::Unreachable(_)),
        "{error}"
    );
}

#[test]
fn credentials_are_never_sent_in_clear_text_nor_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (port, asked) = serve_status("401 Unauthorized", ASK.to_owned());
    let none = clone(
        &format!("http://127.0.0.1:{port}/a.git"),
        folder.path(),
        RepoAccess::default(),
    )
    .unwrap_err();
    assert!(matches!(none.problem, FetchProblem::NotFound(_)), "{none}");

    let address = format!("http://ada:s3cret@127.0.0.1:{port}/a.git");
    let refused = clone(&address, folder.path(), RepoAccess::default()).unwrap_err();
    assert!(
        matches!(refused.problem, FetchProblem::Refused(_)),
        "{refused}"
    );
    assert!(
        refused
            .to_string()
            .contains("credentials are sent over https only"),
        "{refused}"
    );
    assert!(!format!("{refused} {refused:?}").contains("s3cret"));
    assert!(
        !asked
            .try_iter()
            .any(|request| request.contains("Authorization"))
    );
}

#[test]
fn redirects_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (other, asked) = serve_status("404 Not Found", String::new());
    let location =
        format!("Location: http://127.0.0.1:{other}/b.git/info/refs?service=git-upload-pack\r\n");
    let (port, _requests) = serve_status("301 Moved Permanently", location);
    let error = clone(
        &format!("http://127.0.0.1:{port}/a.git"),
        folder.path(),
        RepoAccess::default(),
    )
    .unwrap_err();
    assert!(
        matches!(error.problem, FetchProblem::NotFound(_)),
        "{error}"
    );
    assert!(
        asked
            .try_iter()
            .any(|request| request.starts_with("GET /b.git/"))
    );
}

#[test]
fn the_default_branch_of_a_server_has_a_valid_name() {
    let named = |target: &str| branch_name(target.into());
    assert_eq!(named("refs/heads/main").as_deref(), Some("main"));
    assert_eq!(named("refs/heads/a/b").as_deref(), Some("a/b"));
    for target in [
        "refs/heads/",
        "refs/heads/../../config",
        "refs/heads/a\nb",
        "refs/heads/a b",
        "refs/tags/a",
        "HEAD",
        "",
    ] {
        assert_eq!(named(target), None, "{target:?}");
    }
}

#[test]
fn a_server_that_drips_has_stalled_and_a_slow_one_has_not() {
    const SECOND: Duration = Duration::from_secs(1);
    let stall = 90 * SECOND;
    // The second at which a server stalls that sends so many bytes per second, and an event each second.
    let stalls_at = |phase, rate: u64| {
        let started = Instant::now();
        let mut activity = Activity::new(stall, started);
        (0..5000).find(|&second| {
            let progress = FetchProgress {
                phase,
                objects: u64::from(second),
                total: None,
                bytes: u64::from(second) * rate,
                inflated: 0,
            };
            activity.has_stalled(&progress, second as usize, started + SECOND * second)
        })
    };
    assert_eq!(stalls_at(FetchPhase::Receiving, 1), Some(91));
    assert_eq!(stalls_at(FetchPhase::Receiving, 1000), Some(91));
    assert_eq!(stalls_at(FetchPhase::Receiving, 1024), None);
    assert_eq!(
        stalls_at(FetchPhase::Asking, 0),
        Some(601),
        "messages alone keep a fetch alive for ten minutes"
    );
    assert_eq!(
        stalls_at(FetchPhase::Resolving, 0),
        None,
        "the server has sent everything"
    );
}
