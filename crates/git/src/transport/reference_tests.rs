//! Servers whose references lead nowhere.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use crate::test_support::TestRepository;
use crate::{Branch, FetchProblem, Mirror, RepoAccess, RepositorySource, Watch};

struct Patient;

impl Watch for Patient {}

const TIP: &str = "1234567890123456789012345678901234567890";

fn packet(text: &str) -> String {
    format!("{:04x}{text}", text.len() + 4)
}

/// Reads packets up to a flush packet, or one packet.
fn skip(stream: &mut TcpStream, is_single: bool) -> Option<()> {
    loop {
        let mut length = [0; 4];
        stream.read_exact(&mut length).ok()?;
        let length = usize::from_str_radix(std::str::from_utf8(&length).ok()?, 16).ok()?;
        stream
            .read_exact(&mut vec![0; length.saturating_sub(4)])
            .ok()?;
        if length == 0 || is_single {
            return Some(());
        }
    }
}

/// The problem of a fetch from a server that sends `first`, and after each question `then`.
fn problem(first: String, then: String) -> FetchProblem {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut answer = || {
                skip(&mut stream, true)?;
                stream.write_all(first.as_bytes()).ok()?;
                while skip(&mut stream, false).is_some() {
                    stream.write_all(then.as_bytes()).ok()?;
                }
                Some(())
            };
            answer();
        }
    });
    let test = TestRepository::new();
    let mirror = test.sibling("mirror");
    let source = RepositorySource::parse(&format!("git://127.0.0.1:{port}/x")).unwrap();
    let branches = ["main", "a"].map(|name| Branch::Named(name.to_owned()));
    let access = RepoAccess::default();
    let opened = Mirror::open_or_clone(source, mirror, branches.into(), access, &mut Patient);
    match opened {
        Ok(_) => panic!("the references cannot be followed"),
        Err(error) => error.problem,
    }
}

#[test]
fn a_cycle_of_symbolic_references_is_named() {
    let offered = [
        "version 2\n",
        "ls-refs=unborn\n",
        "fetch\n",
        "object-format=sha1\n",
    ];
    let listed = [
        format!("{TIP} refs/heads/main\n"),
        "unborn refs/heads/a symref-target:refs/heads/b\n".to_owned(),
        "unborn refs/heads/b symref-target:refs/heads/a\n".to_owned(),
    ];
    let text = |lines: &[&str]| lines.iter().map(|it| packet(it)).collect::<String>() + "0000";
    let problem = problem(text(&offered), text(&listed.each_ref().map(String::as_str)));
    assert!(matches!(problem, FetchProblem::Unsupported(_)), "{problem}");
    let cause = "its symbolic reference refs/heads/a leads to refs/heads/b and to no commit";
    assert!(problem.to_string().contains(cause), "{problem}");
}

#[test]
fn a_symbolic_reference_that_is_not_listed_is_a_problem() {
    let line = format!("{TIP} refs/heads/main\0symref=refs/heads/a:refs/heads/b agent=x\n");
    let problem = problem(packet(&line) + "0000", String::new());
    assert!(matches!(problem, FetchProblem::Unsupported(_)), "{problem}");
    assert!(problem.to_string().contains("leads nowhere"), "{problem}");
}
