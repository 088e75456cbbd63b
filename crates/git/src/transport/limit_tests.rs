//! Servers that send too much.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use crate::test_support::TestRepository;
use crate::transport::limits::FetchLimits;
use crate::{Branch, FetchProblem, Mirror, RepoAccess, RepositorySource, Watch};

struct Limited;

impl Watch for Limited {
    fn limits(&self) -> FetchLimits {
        FetchLimits {
            mirror_bytes: 3_000_000,
            ..FetchLimits::default()
        }
    }
}

fn packet(text: &str) -> String {
    format!("{:04x}{text}", text.len() + 4)
}

/// Reads packets up to a flush packet; `None` at the end.
fn request(stream: &mut TcpStream) -> Option<String> {
    let mut all = String::new();
    loop {
        let mut length = [0; 4];
        stream.read_exact(&mut length).ok()?;
        let length = usize::from_str_radix(std::str::from_utf8(&length).ok()?, 16).ok()?;
        if length == 0 {
            return Some(all);
        }
        let mut line = vec![0; length.saturating_sub(4)];
        stream.read_exact(&mut line).ok()?;
        all.push_str(&String::from_utf8_lossy(&line));
    }
}

/// Answers as a server whose pack never ends.
fn answer(mut stream: TcpStream) -> Option<()> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let length = usize::from_str_radix(std::str::from_utf8(&length).ok()?, 16).ok()?;
    stream.read_exact(&mut vec![0; length - 4]).ok()?;
    let offered = [
        "version 2\n",
        "ls-refs\n",
        "fetch\n",
        "object-format=sha1\n",
    ];
    let offered = offered.map(packet).concat() + "0000";
    stream.write_all(offered.as_bytes()).ok()?;
    let tip = "1234567890123456789012345678901234567890";
    while let Some(asked) = request(&mut stream) {
        if asked.contains("command=ls-refs") {
            let head = packet(&format!("{tip} HEAD symref-target:refs/heads/main\n"));
            let main = packet(&format!("{tip} refs/heads/main\n"));
            stream.write_all((head + &main + "0000").as_bytes()).ok()?;
            continue;
        }
        let is_done = asked.contains("done");
        if !is_done {
            let ready = packet("acknowledgments\n") + &packet("ready\n") + "0001";
            stream.write_all(ready.as_bytes()).ok()?;
        }
        stream.write_all(packet("packfile\n").as_bytes()).ok()?;
        let mut data = b"PACK\0\0\0\x02\x00\x01\x00\x00".to_vec();
        loop {
            for part in data.chunks(60_000) {
                let length = format!("{:04x}\x01", part.len() + 5);
                stream.write_all(length.as_bytes()).ok()?;
                stream.write_all(part).ok()?;
            }
            data = blob(&vec![7; 200_000]);
        }
    }
    None
}

/// A blob of a pack, not compressed.
fn blob(content: &[u8]) -> Vec<u8> {
    let mut size = content.len() >> 4;
    let mut entry = vec![0x30 | (content.len() & 15) as u8];
    while size > 0 {
        *entry.last_mut().unwrap() |= 0x80;
        entry.push((size & 0x7f) as u8);
        size >>= 7;
    }
    let mut zlib = flate2::write::ZlibEncoder::new(entry, flate2::Compression::none());
    zlib.write_all(content).unwrap();
    zlib.finish().unwrap()
}

#[test]
fn a_pack_without_end_is_cut_and_the_mirror_stays_usable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || listener.incoming().for_each(|it| _ = answer(it.unwrap())));
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    let folder = test.sibling("mirror");
    std::fs::create_dir_all(&folder).unwrap();
    let copied = std::process::Command::new("cp")
        .args(["-r", &format!("{}/.", test.path().display())])
        .arg(&folder)
        .status();
    assert!(copied.unwrap().success());
    let source = format!("git://127.0.0.1:{port}/x");
    let mirror = Mirror::open_or_clone(
        RepositorySource::parse(&source).unwrap(),
        folder.clone(),
        vec![Branch::Named("main".to_owned())],
        RepoAccess::default(),
        &mut Limited,
    )
    .unwrap();
    let problem = mirror.fetch(&mut Limited).unwrap_err().problem;
    assert!(matches!(problem, FetchProblem::Excessive(_)), "{problem}");
    assert!(problem.to_string().contains("more than 3 MB"), "{problem}");
    let tips = mirror.tips().unwrap();
    assert_eq!(tips[0].1.as_ref().unwrap().commit, first);
    let left = std::fs::read_dir(folder.join("objects/pack"))
        .unwrap()
        .count();
    assert_eq!(left, 0, "no part of the pack remains");
}
