//! Polls of an HTTP server, whose requests are counted. Without the `git` program, which answers them, these tests are
//! skipped.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gix::refs::transaction::PreviousValue::Any;

use super::*;
use crate::test_support::TestRepository;
use crate::{BranchChange, Mirror, RepoAccess, RepositorySource};

/// What a server has done, and should do.
#[derive(Default)]
struct Counts {
    connections: AtomicUsize,
    requests: AtomicUsize,
    /// Whether it answers each request with 429.
    limits: AtomicBool,
    /// Whether it has no requests left after each request.
    exhausted: AtomicBool,
    /// The `user:password` that it requires, in base64.
    login: Mutex<Option<&'static str>>,
}

/// Serves a repository over HTTP. Returns its address; `None` without git.
fn serve(repository: PathBuf) -> Option<(String, Arc<Counts>)> {
    Command::new("git").arg("--version").output().ok()?;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/a.git", listener.local_addr().unwrap());
    let counts = Arc::<Counts>::default();
    let shared = counts.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            shared.connections.fetch_add(1, Ordering::Relaxed);
            let (repository, counts) = (repository.clone(), shared.clone());
            std::thread::spawn(move || answer_all(&stream.unwrap(), &repository, &counts));
        }
    });
    Some((address, counts))
}

/// Answers the requests of a connection.
fn answer_all(stream: &TcpStream, repository: &Path, counts: &Counts) {
    let mut reader = BufReader::new(stream);
    let mut writer = stream;
    loop {
        let (mut line, mut head) = (String::new(), String::new());
        while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            head.push_str(&format!("{}:{value}", name.to_lowercase()));
            line.clear();
        }
        if head.is_empty() {
            return;
        }
        counts.requests.fetch_add(1, Ordering::Relaxed);
        let value = |name: &str| Some(head.split_once(name)?.1.lines().next()?.trim().to_owned());
        if value("expect:").is_some() {
            writer.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").unwrap();
        }
        let mut body = Vec::new();
        if let Some(length) = value("content-length:") {
            body.resize(length.parse().unwrap(), 0);
            reader.read_exact(&mut body).unwrap();
        } else if value("transfer-encoding:").is_some() {
            read_chunks(&mut reader, &mut body);
        }
        let wanted = *counts.login.lock();
        let given = value("authorization:");
        let answer = if counts.limits.load(Ordering::Relaxed) {
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n".into()
        } else if wanted.is_some_and(|wanted| given != Some(format!("Basic {wanted}"))) {
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 0\r\n\r\n".into()
        } else {
            let limit = counts.exhausted.load(Ordering::Relaxed);
            answer_of_git(repository, head.starts_with("get"), &body, limit)
        };
        writer.write_all(&answer).unwrap();
    }
}

fn read_chunks(reader: &mut impl BufRead, body: &mut Vec<u8>) {
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let length = usize::from_str_radix(line.trim(), 16).unwrap();
        let mut chunk = vec![0; length + 2];
        reader.read_exact(&mut chunk).unwrap();
        body.extend(&chunk[..length]);
        if length == 0 {
            return;
        }
    }
}

fn answer_of_git(
    repository: &Path,
    is_advertisement: bool,
    request: &[u8],
    is_exhausted: bool,
) -> Vec<u8> {
    let mut git = Command::new("git");
    git.args(["-c", "safe.directory=*", "upload-pack", "--stateless-rpc"]);
    git.args(is_advertisement.then_some("--advertise-refs"));
    let mut git = git
        .arg(repository)
        .env("GIT_PROTOCOL", "version=2")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    git.stdin.take().unwrap().write_all(request).unwrap();
    let output = git.wait_with_output().unwrap().stdout;
    let (kind, start) = if is_advertisement {
        ("advertisement", "001e# service=git-upload-pack\n0000")
    } else {
        ("result", "")
    };
    let length = start.len() + output.len();
    let limit = if is_exhausted {
        "X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: 90\r\n"
    } else {
        ""
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-{kind}\r\n{limit}Content-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), start.as_bytes(), &output].concat()
}

#[test]
fn a_poll_of_an_unchanged_repository_is_one_request() {
    let mut origin = TestRepository::new();
    let first = origin.commit(&[], &[("a", "1")], "first");
    origin.set_branch("main", first);
    let Some((address, counts)) = serve(origin.path().to_owned()) else {
        eprintln!("skipped: there is no git program");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::open_or_clone(
        RepositorySource::parse(&address).unwrap(),
        folder.path().join("mirror"),
        vec![Branch::Default],
        RepoAccess::default(),
        &mut (),
    )
    .unwrap()
    .with_named(vec![RefPattern::tags()]);
    let poll = || {
        let before = counts.requests.load(Ordering::Relaxed);
        let branches = mirror.fetch(&mut ()).unwrap();
        let BranchChange::Present { to, .. } = branches[0].change else {
            panic!("{branches:?}");
        };
        (to, counts.requests.load(Ordering::Relaxed) - before)
    };
    // A complete poll, and one that also notes the answer.
    assert_eq!(poll(), (first, 2));
    assert_eq!(poll(), (first, 3));
    let connections = counts.connections.load(Ordering::Relaxed);
    for _ in 0..5 {
        assert_eq!(poll(), (first, 1));
    }
    assert_eq!(counts.connections.load(Ordering::Relaxed), connections);
    let second = origin.commit(&[first], &[("a", "2")], "second");
    origin.set_branch("main", second);
    assert_eq!(poll().0, second);
    assert_eq!(poll(), (second, 1));
    // Also a reference that requests may name is new.
    let tag = origin
        .repository
        .tag_reference("v1", gix::ObjectId::Sha1(first.0), Any);
    tag.unwrap();
    assert!(poll().1 > 1);
    assert_eq!(poll(), (second, 1));

    counts.limits.store(true, Ordering::Relaxed);
    let before = counts.requests.load(Ordering::Relaxed);
    let limited = mirror.fetch(&mut ()).unwrap_err().problem;
    let wanted = Some(Duration::from_secs(7));
    assert!(
        matches!(limited, FetchProblem::Limited { retry_after, .. } if retry_after == wanted),
        "{limited}"
    );
    assert_eq!(counts.requests.load(Ordering::Relaxed) - before, 1);
}

/// A mirror of a repository.
fn mirror_of(address: &str, folder: &Path) -> Result<Mirror, crate::FetchError> {
    Mirror::open_or_clone(
        RepositorySource::parse(address).unwrap(),
        folder.join("mirror"),
        vec![Branch::Default],
        RepoAccess::default(),
        &mut (),
    )
}

#[test]
fn credentials_are_sent_with_the_question() {
    let mut origin = TestRepository::new();
    let first = origin.commit(&[], &[("a", "1")], "first");
    origin.set_branch("main", first);
    let Some((address, counts)) = serve(origin.path().to_owned()) else {
        eprintln!("skipped: there is no git program");
        return;
    };
    // ada:s3cret
    *counts.login.lock() = Some("YWRhOnMzY3JldA==");
    let ask = |password: Option<&str>| {
        let question = Question {
            address: &address,
            host: "login.example",
            login: password.map(|it| ("ada".to_owned(), it.to_owned())),
            branches: &[Branch::Default],
            named: &[],
            timeouts: Timeouts::default(),
            ca_file: None,
        };
        let before = counts.requests.load(Ordering::Relaxed);
        let reply = question.ask().unwrap();
        let requests = counts.requests.load(Ordering::Relaxed) - before;
        let commits = match reply {
            Reply::Answer(answer) => answer.commits().flatten().collect(),
            Reply::Unreachable => Vec::new(),
            Reply::Refused => panic!("it asks no more"),
        };
        (commits, requests)
    };
    assert_eq!(ask(Some("s3cret")), (vec![first], 1));
    // A client that is used again forgets the login of another repository.
    assert_eq!(ask(None), (Vec::new(), 1));
    assert_eq!(ask(Some("other")), (Vec::new(), 1));
    assert_eq!(ask(Some("s3cret")), (vec![first], 1));
}

#[test]
fn a_server_without_requests_left_gets_none() {
    let mut origin = TestRepository::new();
    let first = origin.commit(&[], &[("a", "1")], "first");
    origin.set_branch("main", first);
    let Some((address, counts)) = serve(origin.path().to_owned()) else {
        eprintln!("skipped: there is no git program");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mirror = mirror_of(&address, folder.path()).unwrap();
    for _ in 0..2 {
        mirror.fetch(&mut ()).unwrap();
    }
    counts.exhausted.store(true, Ordering::Relaxed);
    mirror.fetch(&mut ()).unwrap();
    let before = counts.requests.load(Ordering::Relaxed);
    let limited = mirror.fetch(&mut ()).unwrap_err().problem;
    assert!(
        matches!(limited, FetchProblem::Limited { retry_after: Some(left), .. } if left.as_secs() > 80),
        "{limited}"
    );
    assert_eq!(counts.requests.load(Ordering::Relaxed), before);
}

#[test]
fn a_server_that_drips_its_answer_is_left() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let address = format!("http://{host}/a.git");
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let pause = Duration::from_millis(20);
        stream.set_read_timeout(Some(pause)).unwrap();
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n";
        let _ = stream.read(&mut [0; 1000]);
        stream.write_all(head).unwrap();
        // A complete answer would take ten times the limit.
        for _ in 0..500 {
            let _ = stream.read(&mut [0; 1000]);
            if stream.write_all(b"x").is_err() {
                return;
            }
        }
    });
    let question = Question {
        address: &address,
        host: &host,
        login: None,
        branches: &[Branch::Default],
        named: &[],
        timeouts: Timeouts {
            stall: Duration::from_secs(1),
            ..Timeouts::default()
        },
        ca_file: None,
    };
    assert!(matches!(question.ask(), Ok(Reply::Unreachable)));
}
