//! Repositories that no git would write: whatever stands in blobs, trees and commits, reading it neither fails the
//! program nor hangs it, and takes no more memory than what is there.
//!
//! `MUTATIONS=10000 cargo test --release --test mutations -- --nocapture` tries more, and says what it took.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gitglot::catalog::Published;
use gitglot::checks::Checker;
use gitglot::config::{ComponentConfig, HistoryMode, ProjectConfig, RepoAddress};
use gitglot::follow::{Events, Follower, Found};
use gitglot::git::Repository;
use gitglot::history::Progress;
use gitglot::ledger::Ledger;
use gitglot::model::{CommitId, FileFormat, FileMask, Moment, Slug};
use gix::ObjectId;
use gix::objs::{Kind, Write as _};

/// Nobody listens.
struct Quiet;

impl Events for Quiet {
    fn progress(&self, _: &str, _: Progress) {}
    fn published(&self, _: &str) {}
    fn failed(&self, _: &str, _: &str) {}
    fn behind(&self, _: &str, _: Option<&str>) {}
}

/// A small generator of numbers (xorshift), the same on every machine.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// Objects of a repository, written as they come.
struct Store(gix::odb::loose::Store);

impl Store {
    fn put(&self, kind: Kind, bytes: &[u8]) -> ObjectId {
        self.0.write_buf(kind, bytes).unwrap()
    }
}

const JSON: &[&str] = &[
    r#"{"a": "one", "b": "two {name}", "c": {"d": "three", "e": ""}}"#,
    r#"{"a": {"message": "one $1", "description": "note", "placeholders": {"x": {"content": "$1"}}}, "b": {"message": "two"}}"#,
    "{}",
    "",
    "\u{feff}{\"a\": \"x\", \"a\": \"y\"}",
    "[1, 2, 3]",
];

const PIECES: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b",",
    b":",
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"\\u0000",
    b"null",
    b"1e999",
    b"\n",
    b"{\"message\":",
    b"\xef\xbb\xbf",
    b"//",
    b"-",
    b"{\"a\":{\"a\":{\"a\":",
];

/// A file: a good one, or one with pieces changed, put in, or left out.
fn blob(chance: &mut Chance) -> Vec<u8> {
    let mut bytes = chance.of(JSON).as_bytes().to_vec();
    for _ in 0..[0, 0, 1, 2, 8][chance.below(5)] {
        let at = chance.below(bytes.len() + 1);
        match chance.below(5) {
            0 => bytes.splice(at..at, chance.of(PIECES).iter().copied()).for_each(drop),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => bytes[at] = chance.next() as u8,
            3 => {
                let end = (at + chance.below(20)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let piece = bytes[at..].to_vec();
                bytes.extend(piece);
            }
        }
    }
    if chance.one_in(60) {
        let open = if chance.one_in(2) { "[" } else { "{\"a\":" };
        bytes = open.repeat(3_000).into_bytes();
    }
    bytes
}

const NAMES: &[&[u8]] = &[
    b"en.json",
    b"cs.json",
    b"de.json",
    b"de-AT.json",
    b"zh_Hant_TW@x.json",
    b"xx-yy-zz-aa-bb.json",
    b".json",
    b"json",
    b"\xff\xfe.json",
    b"..",
    b".",
    b".git",
    b"",
    b"a/b.json",
    b"locales",
    b"EN.json",
    b"en.json",
    b"very-long-code-that-is-none-at-all.json",
    b".mailmap",
    b"x\ny.json",
];
const MODES: &[&[u8]] =
    &[b"100644", b"100755", b"120000", b"160000", b"40000", b"040000", b"100664", b"0", b"777777777777", b""];

/// A folder of files, with whatever names and modes, in whatever order.
fn folder(store: &Store, chance: &mut Chance, good: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let count = 1 + chance.below(5);
    for nth in 0..count {
        let blob = store.put(Kind::Blob, &blob(chance));
        let name: &[u8] =
            if nth == 0 || good { [b"cs.json", b"de.json", b"en.json"][nth.min(2)] } else { chance.of(NAMES) };
        let mode: &[u8] = if chance.one_in(8) && !good { chance.of(MODES) } else { b"100644" };
        bytes.extend([mode, b" ", name, b"\0", blob.as_slice()].concat());
    }
    if good && count < 3 {
        let blob = store.put(Kind::Blob, JSON[chance.below(2)].as_bytes());
        bytes.extend([b"100644 en.json\0", blob.as_slice()].concat());
    }
    if !good && chance.one_in(4) {
        bytes.truncate(chance.below(bytes.len() + 1));
    }
    bytes
}

fn commit(store: &Store, chance: &mut Chance, parents: &[ObjectId]) -> ObjectId {
    let good = !chance.one_in(4);
    let below = store.put(Kind::Tree, &folder(store, chance, good));
    let mut root = [b"40000 locales\0", below.as_slice()].concat();
    if chance.one_in(6) {
        let other = store.put(Kind::Blob, &blob(chance));
        root = [b"100644 .mailmap\0".as_slice(), other.as_slice(), &root].concat();
    }
    let tree = store.put(Kind::Tree, &root);
    let person = chance.of(&[
        "Example Maintainer <maintainer@example.org> 1600000000 +0000",
        "<> 0 +0000",
        "No Mail 1600000000 +0000",
        "A <a@example.org> 99999999999999999999 +9999",
        "A <a@example.org> -5 -0000",
        "A <<a>@example.org>> x y",
        "",
    ]);
    let mut text = format!("tree {tree}\n");
    for _ in 0..[0, 1, 1, 1, 2, 3][chance.below(6)].min(parents.len()) {
        text += &format!("parent {}\n", parents[parents.len() - 1 - chance.below(parents.len().min(4))]);
    }
    if chance.one_in(30) {
        text += &format!("parent {}\n", ObjectId::Sha1([chance.next() as u8; 20]));
    }
    if !chance.one_in(40) {
        text += &format!("author {person}\n");
    }
    text += &format!("committer {person}\n");
    if chance.one_in(20) {
        text += "encoding no-such-thing\n";
    }
    text += "\na change\n";
    let mut bytes = text.into_bytes();
    if chance.one_in(25) {
        let at = chance.below(bytes.len());
        bytes[at] = chance.next() as u8;
    }
    store.put(Kind::Commit, &bytes)
}

fn project(chance: &mut Chance, repository: &Path) -> ProjectConfig {
    ProjectConfig {
        slug: Slug::new("garden").unwrap(),
        name: "Garden".into(),
        web: String::new(),
        source_language: "en".into(),
        components: vec![ComponentConfig {
            slug: Slug::new("app").unwrap(),
            name: "App".into(),
            repo: RepoAddress::parse(repository.to_str().unwrap(), Path::new("/")).unwrap(),
            branch: None,
            filemask: FileMask::new("locales/*.json").unwrap(),
            template: "locales/en.json".into(),
            file_format: FileFormat::from_name(chance.of(&["json", "webextension"])).unwrap(),
            license: String::new(),
            license_url: String::new(),
            new_base: String::new(),
            git_export: String::new(),
            priority: ComponentConfig::MEDIUM_PRIORITY,
            previous_filemasks: Vec::new(),
            platforms: Vec::new(),
            hook_secret: None,
            access: Default::default(),
        }],
    }
}

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[test]
fn no_repository_fails_the_program_or_hangs_it() {
    let rounds: usize = std::env::var("MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let mut chance = Chance(0x5eed_0000_0000_0001);
    let (mut served, mut refused, mut slowest) = (0, 0, Duration::ZERO);
    let mut early = 0;
    for round in 0..rounds {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("garden.git");
        gix::init_bare(&path).unwrap();
        let store = Store(gix::odb::loose::Store::at(path.join("objects"), gix::hash::Kind::Sha1));
        let project = project(&mut chance, &path);
        let ledger = Ledger::open(&place.path().join("state")).unwrap();
        let published = Arc::new(Published::new());
        let mut follower =
            Follower::new(ledger, vec![project], HistoryMode::Full, Checker::default(), published.clone());
        let mut commits = Vec::new();
        for batch in 0..2 {
            for _ in 0..1 + chance.below(4) {
                commits.push(commit(&store, &mut chance, &commits));
            }
            let tip = CommitId(commits[commits.len() - 1].as_slice().try_into().unwrap());
            let repository = Repository::open(&path).unwrap();
            let found = Found { repository, branch: "main".into(), tip };
            let begun = Instant::now();
            follower.observe(vec![(0, Ok(found))], Moment(1_700_000_000_000_000 + batch), &Quiet).unwrap();
            let took = begun.elapsed();
            assert!(took < Duration::from_secs(20), "round {round}, batch {batch} took {took:?}");
            slowest = slowest.max(took);
        }
        let units = published.load().map_or(0, |snapshot| snapshot.unit_count());
        if units > 0 {
            served += 1
        } else {
            refused += 1
        }
        if round == rounds / 4 {
            early = resident();
        }
    }
    let late = resident();
    println!(
        "{rounds} repositories: {served} served, {refused} not; slowest step {slowest:?}; resident {early} kB, then {late} kB"
    );
    assert!(served > rounds / 4, "most say nothing");
    assert!(late < early + 200_000, "memory grows from {early} to {late} kB");
}
