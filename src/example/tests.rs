//! What a script can express, seen by reading the repository it makes.

use super::*;
use crate::model::CommitId;
use std::process::Command;

fn temp() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn open(repo: &Repo) -> gix::Repository {
    gix::open_opts(repo.dir(), gix::open::Options::isolated()).unwrap()
}

fn object(id: CommitId) -> gix::ObjectId {
    gix::ObjectId::from_bytes_or_panic(&id.0)
}

/// The commit object's bytes.
fn raw(repo: &Repo, label: &str) -> Vec<u8> {
    open(repo).find_object(object(repo.id(label).unwrap())).unwrap().data.clone()
}

fn text(repo: &Repo, label: &str) -> String {
    String::from_utf8(raw(repo, label)).unwrap()
}

/// A path in a commit: its mode and bytes (of a submodule: nothing).
fn entry(repo: &Repo, label: &str, path: &[u8]) -> Option<(u16, Vec<u8>)> {
    let git = open(repo);
    let commit = git.find_commit(object(repo.id(label).unwrap())).unwrap();
    let names: Vec<_> = path.split(|&byte| byte == b'/').collect();
    let entry = commit.tree().unwrap().lookup_entry(names).unwrap()?;
    let bytes = if entry.mode().is_commit() { Vec::new() } else { entry.object().unwrap().data.clone() };
    Some((entry.mode().value(), bytes))
}

fn file(repo: &Repo, label: &str, path: &str) -> String {
    String::from_utf8(entry(repo, label, path.as_bytes()).unwrap_or_else(|| panic!("no {path}")).1).unwrap()
}

/// `git fsck`, where the program is there.
pub(super) fn fsck(repo: &Repo) {
    let mut command = Command::new("git");
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    command.arg("-C").arg(repo.dir()).args(["fsck", "--strict", "--full", "--no-dangling"]);
    match command.output() {
        Err(_) => println!("skipped: there is no git program here"),
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
    }
}

#[test]
fn the_same_text_gives_the_same_commits() {
    let script = "commit one\n  write a | x\ncommit two Second\n  | body\n  write b/c | y\n";
    let (one, two) = (temp(), temp());
    let first = build_at(script, one.path()).unwrap();
    let second = build_at(script, two.path()).unwrap();
    assert_eq!(first.labels().collect::<Vec<_>>(), second.labels().collect::<Vec<_>>());
    assert_eq!(first.tip("main"), first.id("two"));
    fsck(&first);
}

#[test]
fn the_examples_in_the_documentation_work() {
    let module = include_str!("mod.rs").replace("\n//! ", "\n").replace("\n//!\n", "\n\n");
    for text in [module.as_str(), include_str!("../../example-repos/README.md")] {
        let (_, example) = text.split_once("```text\n").unwrap();
        let (example, _) = example.split_once("```").unwrap();
        let dir = temp();
        let repo = build_at(example, dir.path()).unwrap_or_else(|error| panic!("{error}\n{example}"));
        let merged = text_of_tip(&repo);
        assert!(merged.contains("\"Leselampe\""), "{merged}");
    }
}

/// All files at the tip of `main`, joined.
fn text_of_tip(repo: &Repo) -> String {
    let git = open(repo);
    let tree = git.find_commit(object(repo.tip("main").unwrap())).unwrap().tree_id().unwrap().detach();
    let files = files::Files::read(&git, tree).unwrap().under(b".").unwrap();
    files.into_iter().map(|(_, item)| String::from_utf8(git.find_blob(item.id).unwrap().take_data()).unwrap()).collect()
}

#[test]
fn without_a_word_on_it_a_commit_is_by_the_example_author_an_hour_later() {
    let dir = temp();
    let repo = build_at("commit one\ncommit two Second\n  | Body.\n  |\n  | Last.", dir.path()).unwrap();
    let author = "Example Author <author@example.org>";
    let tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    let one = repo.id("one").unwrap();
    assert_eq!(
        text(&repo, "one"),
        format!("tree {tree}\nauthor {author} 1577836800 +0000\ncommitter {author} 1577836800 +0000\n\none\n")
    );
    assert_eq!(
        text(&repo, "two"),
        format!(
            "tree {tree}\nparent {one}\nauthor {author} 1577840400 +0000\ncommitter {author} 1577840400 +0000\n\n\
             Second\n\nBody.\n\nLast.\n"
        )
    );
}

#[test]
fn people_times_and_messages_can_be_anything() {
    let dir = temp();
    let repo = build_at(
        r#"
        person anna Anna Example <anna@example.org> +0200
        person bot Bot <bot@example.org>
        commit wall
          by anna 2019-03-04 09:12
          committed by bot
        commit offset
          by bot 2019-03-04 09:12:30 -0130
          committed by anna 2019-03-05
        commit nobody
          by <nobody@example.org> @99999999999999999999999 +9999
        commit before
          at @-1
          committed at @0 +0000
        commit bytes
          by "Ann\xe9 <ann@example.org> 1500000000 +0000"
          header encoding ISO-8859-1
          message "caf\xe9"
        "#,
        dir.path(),
    )
    .unwrap();
    let lines = |label: &str| {
        let text = String::from_utf8_lossy(&raw(&repo, label)).into_owned();
        text.lines()
            .filter(|line| line.starts_with("author") || line.starts_with("commit"))
            .collect::<Vec<_>>()
            .join(" / ")
    };
    assert_eq!(
        lines("wall"),
        "author Anna Example <anna@example.org> 1551683520 +0200 / committer Bot <bot@example.org> 1551683520 +0000"
    );
    assert_eq!(
        lines("offset"),
        "author Bot <bot@example.org> 1551696150 -0130 / committer Anna Example <anna@example.org> 1551736800 +0200"
    );
    let nobody = " <nobody@example.org> 99999999999999999999999 +9999";
    assert_eq!(lines("nobody"), format!("author {nobody} / committer {nobody}"));
    assert_eq!(
        lines("before"),
        "author Anna Example <anna@example.org> -1 +0200 / committer Anna Example <anna@example.org> 0 +0000"
    );
    let bytes = raw(&repo, "bytes");
    assert!(bytes.ends_with(b"+0000\nencoding ISO-8859-1\n\ncaf\xe9"), "{}", String::from_utf8_lossy(&bytes));
    assert!(memchr::memmem::find(&bytes, b"committer Ann\xe9 <").is_some());
}

#[test]
fn files_hold_any_bytes_under_any_name() {
    let dir = temp();
    let repo = build_at(
        r#"
        commit one
          write plain
            | # not a remark
            |   indented
            |
          write bytes
            "\xef\xbb\xbf"
            | {}
            "\xff\x00 no line end"
          write empty
          write inline "{}"
          write "b\xe4d name/x" | y
          write run.sh | #!/bin/sh
          executable run.sh
          link current plain
          submodule vendor/lib 0123456789abcdef0123456789abcdef01234567
        commit two
          plain run.sh
        commit three
          write run.sh | other
          delete "b\xe4d name"
        "#,
        dir.path(),
    )
    .unwrap();
    assert_eq!(file(&repo, "one", "plain"), "# not a remark\n  indented\n\n");
    assert_eq!(entry(&repo, "one", b"bytes").unwrap(), (0o100644, b"\xef\xbb\xbf{}\n\xff\0 no line end".to_vec()));
    assert_eq!((file(&repo, "one", "empty"), file(&repo, "one", "inline")), (String::new(), "{}".into()));
    assert_eq!(entry(&repo, "one", b"b\xe4d name/x").unwrap().1, b"y\n");
    assert_eq!(entry(&repo, "one", b"current").unwrap(), (0o120000, b"plain".to_vec()));
    assert_eq!(entry(&repo, "one", b"vendor/lib").unwrap().0, 0o160000);
    let modes = ["one", "two", "three"].map(|label| entry(&repo, label, b"run.sh").unwrap().0);
    assert_eq!(modes, [0o100755, 0o100644, 0o100644]);
    assert_eq!(entry(&repo, "three", b"b\xe4d name"), None);
    fsck(&repo);
}

#[test]
fn folders_move_and_are_taken_from_elsewhere() {
    let dir = temp();
    let repo = build_at(
        r#"
        commit one
          write _locales/en/messages.json | {}
          write _locales/de/messages.json | {"a": 1}
          write _locales.txt | x
          write other | y
        commit two
          move _locales src/_locales
        commit three
          copy src/_locales/de src/_locales/at
          take src/_locales/de from one:_locales/en
        commit four
          take . from one
        commit five
          move other "odd name"
        "#,
        dir.path(),
    )
    .unwrap();
    assert_eq!(file(&repo, "two", "src/_locales/en/messages.json"), "{}\n");
    assert_eq!(entry(&repo, "two", b"_locales"), None);
    assert_eq!(file(&repo, "two", "_locales.txt"), "x\n");
    assert_eq!(file(&repo, "three", "src/_locales/at/messages.json"), "{\"a\": 1}\n");
    assert_eq!(file(&repo, "three", "src/_locales/de/messages.json"), "{}\n");
    let tree = |label: &str| text(&repo, label).lines().next().unwrap().to_owned();
    assert_eq!(tree("four"), tree("one"));
    assert_eq!(file(&repo, "five", "odd name"), "y\n");
    fsck(&repo);
}

#[test]
fn json_edits_keep_order_and_looks() {
    let dir = temp();
    let repo = build_at(
        r#"
        commit one
          create a.json
            appName.message = "Lamp"
            list[+] = "x"
            list[+] = {"k": null}
            "odd key"."" = 1.0
          write tabs.json
            "{\n\t\"a\": [],\n\t\"b\": {}\n}"
        commit two
          edit a.json
            appName.message = "Lampe \"neu\""
            appName.description = "Name"
            rename list items
            hint after appName = {"message": "…"}
            items[1].k = false
            drop items[0]
            drop = "a key called drop"
          edit tabs.json
            a[+] = "é"
            drop b
          replace a.json "\"hint\": {" "\"hint\" {"
        "#,
        dir.path(),
    )
    .unwrap();
    assert_eq!(
        file(&repo, "one", "a.json"),
        "{\n  \"appName\": {\n    \"message\": \"Lamp\"\n  },\n  \"list\": [\n    \"x\",\n    {\n      \"k\": null\n    \
         }\n  ],\n  \"odd key\": {\n    \"\": 1.0\n  }\n}\n"
    );
    assert_eq!(
        file(&repo, "two", "a.json"),
        "{\n  \"appName\": {\n    \"message\": \"Lampe \\\"neu\\\"\",\n    \"description\": \"Name\"\n  },\n  \"hint\" \
         {\n    \"message\": \"…\"\n  },\n  \"items\": [\n    {\n      \"k\": false\n    }\n  ],\n  \"odd key\": {\n    \
         \"\": 1.0\n  },\n  \"drop\": \"a key called drop\"\n}\n"
    );
    assert_eq!(file(&repo, "two", "tabs.json"), "{\n\t\"a\": [\n\t\t\"é\"\n\t]\n}");
}

#[test]
fn branches_merge_cross_and_are_pushed_by_force() {
    let dir = temp();
    let mut repo = build_at(
        r#"
        commit base
          write a | 0
        branch side at base
        commit side-1
          write b | 1
        branch main
        commit main-1
          write a | 1
        commit cross-main
          merge side-1
          take b from side-1
        branch side
        commit cross-side
          merge main-1
        branch orphan
        commit root
          write z | z
        branch main
        commit both
          merge root cross-side
        branch side at nothing
        branch main
        head main
        tag v1 at base
        tag v2 at both
          | Second
        ref refs/pull/1/head at root
        "#,
        dir.path(),
    )
    .unwrap();
    let parents = |repo: &Repo, label: &str| -> Vec<String> {
        text(repo, label).lines().filter_map(|line| Some(line.strip_prefix("parent ")?.to_owned())).collect()
    };
    let ids = |repo: &Repo, labels: &[&str]| -> Vec<String> {
        labels.iter().map(|label| repo.id(label).unwrap().to_string()).collect()
    };
    assert_eq!(parents(&repo, "cross-main"), ids(&repo, &["main-1", "side-1"]));
    assert_eq!(parents(&repo, "cross-side"), ids(&repo, &["side-1", "main-1"]));
    assert_eq!(parents(&repo, "both"), ids(&repo, &["cross-main", "root", "cross-side"]));
    assert_eq!(parents(&repo, "root"), ids(&repo, &[]));
    let refs = |repo: &Repo| -> Vec<String> {
        let git = open(repo);
        let all = git.references().unwrap();
        all.all().unwrap().map(|found| found.unwrap().name().as_bstr().to_string()).collect()
    };
    assert_eq!(
        refs(&repo),
        ["refs/heads/main", "refs/heads/orphan", "refs/pull/1/head", "refs/tags/v1", "refs/tags/v2"]
    );
    fsck(&repo);

    repo.push("branch main at main-1\ncommit forced\n  write a | 2\nref refs/pull/1/head at nothing\nhead orphan")
        .unwrap();
    assert_eq!(parents(&repo, "forced"), ids(&repo, &["main-1"]));
    let git = open(&repo);
    assert_eq!(git.head_name().unwrap().unwrap().as_bstr(), "refs/heads/orphan");
    assert_eq!(git.find_reference("main").unwrap().id().to_string(), repo.id("forced").unwrap().to_string());
    assert!(!refs(&repo).contains(&"refs/pull/1/head".to_owned()));

    let before = repo.tip("orphan").unwrap();
    drop(repo);
    let mut again = Repo::open(dir.path()).unwrap();
    again.push("commit later\n  write y | y\n").unwrap();
    assert_eq!(parents(&again, "later"), [before.to_string()]);
    assert_eq!(file(&again, "later", "z"), "z\n");
    again.push(&format!("branch copy at {before}")).unwrap();
    assert_eq!(again.tip("copy"), Some(before));
}

#[test]
fn a_merge_may_have_a_thousand_parents() {
    let dir = temp();
    let mut script = String::from("commit base\n");
    for number in 0..999 {
        script += &format!("branch b{number} at base\ncommit c{number}\n  write f | {number}\n");
    }
    let labels: Vec<_> = (0..999).map(|number| format!("c{number}")).collect();
    script += &format!("branch main\ncommit all\n  merge {}\n", labels.join(" "));
    let repo = build_at(&script, dir.path()).unwrap();
    assert_eq!(text(&repo, "all").lines().filter(|line| line.starts_with("parent ")).count(), 1000);
}

#[test]
fn what_cannot_be_is_refused_with_its_line_and_moves_nothing() {
    let dir = temp();
    let mut repo = build_at("commit one\n  write a/b | x\n  write j.json | {", dir.path()).unwrap();
    let tip = repo.tip("main");
    for (line, problem, script) in [
        (1, "no commit is called 'x' up to here", "branch main at x"),
        (1, "another commit is called 'one' already", "commit one"),
        (2, "nobody is called 'x': add a person line, or write NAME <MAIL>", "commit x\n  by x"),
        (3, "there is no 'c'", "commit x\n  write d | x\n  delete c"),
        (2, "'a' is there already", "commit x\n  write a | x"),
        (2, "'a/b' is there already", "commit x\n  write a/b/c | x"),
        (3, "'e' is there already", "commit x\n  write e | x\n  move a e"),
        (2, "'/x' is no path of a file", "commit x\n  write /x | x"),
        (2, "there is no 'a'", "commit x\n  executable a"),
        (2, "the text to replace stands 0 times in 'a/b', not once", "commit x\n  replace a/b \"y\" \"z\""),
        (4, "the edit does not fit: there is no key 'k' to drop", "commit x\n  create k.json\n    a = 1\n    drop k"),
        (2, "'refs/heads/a..b' is no name of a reference", "branch a..b\ncommit x"),
    ] {
        let error = repo.push(script).unwrap_err();
        assert_eq!(error.to_string(), format!("line {line}: {problem}"));
    }
    let error = repo.push("commit x\n  edit j.json\n    a = 1").unwrap_err();
    assert!(error.to_string().starts_with("line 2: 'j.json' cannot be edited, it is no JSON"), "{error}");
    assert_eq!(repo.tip("main"), tip);
    let error = build_at("commit one", dir.path()).unwrap_err();
    assert!(error.to_string().contains("check that the folder is empty"), "a folder in use is refused: {error}");
    build_at("commit one", dir.path().join("new/folder")).unwrap();
}
