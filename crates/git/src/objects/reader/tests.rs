//! Tests the reader with all kinds of objects.

use super::*;
use crate::test_support::TestRepository;
use crate::{Mailmap, Repository};
use gix::objs::tree::EntryKind as Mode;

fn reader(test: &TestRepository) -> ObjectReader {
    Repository::open(test.path()).unwrap().reader()
}

#[test]
fn a_commit_has_parents_signatures_and_a_message() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let second = test.commit(&[first], &[("a", "2")], "second\n\nwith a body\n");
    let mut reader = reader(&test);
    let read = reader.commit(second).unwrap();
    assert_eq!(read.parents, [first]);
    assert_eq!(read.message, "second\n\nwith a body\n");
    assert_eq!(
        (&*read.author.name, &*read.author.email),
        ("Ada", "ada@example.org")
    );
    assert_eq!(
        (read.committer.time.seconds, read.committer.time.offset),
        (1_700_000_120, 7200)
    );
    let outline = CommitHeader {
        tree: read.tree,
        parents: read.parents,
        committed: 1_700_000_120,
    };
    assert_eq!(reader.commit_header(second).unwrap(), outline);
}

#[test]
fn a_path_names_a_file_a_directory_or_nothing() {
    let test = TestRepository::new();
    let root = test.tree(&[("src/_locales/en/messages.json", "{}"), ("link", "->src")]);
    let mut reader = reader(&test);
    let file = EntryKind::File(test.blob(b"{}"));
    assert_eq!(
        reader
            .entry_at(root, "src/_locales/en/messages.json")
            .unwrap(),
        Some(file)
    );
    assert!(matches!(
        reader.entry_at(root, "src/_locales").unwrap(),
        Some(EntryKind::Tree(_))
    ));
    assert!(matches!(
        reader.entry_at(root, "link").unwrap(),
        Some(EntryKind::Symlink(_))
    ));
    assert_eq!(
        reader.entry_at(root, "").unwrap(),
        Some(EntryKind::Tree(root))
    );
    assert_eq!(reader.entry_at(root, "src/nothing/en").unwrap(), None);
    assert_eq!(reader.entry_at(root, "link/_locales").unwrap(), None);
}

#[test]
fn files_are_listed_in_path_order() {
    let test = TestRepository::new();
    let files = [
        ("b/a", "1"),
        ("b.txt", "2"),
        ("b/c/d", "3"),
        ("a", "4"),
        ("b0", "->a"),
    ];
    let root = test.tree(&files);
    let mut reader = reader(&test);
    let paths = |files: Vec<PathEntry>| -> Vec<String> {
        files
            .iter()
            .map(|file| String::from_utf8_lossy(&file.path).into_owned())
            .collect()
    };
    assert_eq!(
        paths(reader.list_files(root, "").unwrap()),
        ["a", "b.txt", "b/a", "b/c/d", "b0"]
    );
    assert_eq!(
        paths(reader.list_files(root, "b").unwrap()),
        ["b/a", "b/c/d"]
    );
    assert!(reader.list_files(root, "a").unwrap().is_empty());
    assert!(reader.list_files(root, "c").unwrap().is_empty());
    assert_eq!(reader.tree(root).unwrap().len(), 4);
}

#[test]
fn a_tree_bomb_is_not_listed() {
    let test = TestRepository::new();
    let mut tree = test.tree(&[("f", "x")]);
    for _ in 0..7 {
        let entries = (0..10).map(|n| gix::objs::tree::Entry {
            mode: Mode::Tree.into(),
            filename: format!("d{n}").into(),
            oid: gix::ObjectId::Sha1(tree.0),
        });
        let bomb = gix::objs::Tree {
            entries: entries.collect(),
        };
        tree = TreeId(raw(&test.repository.write_object(bomb).unwrap()));
    }
    let mut reader = reader(&test);
    reader.list_limit = 1000;
    assert!(matches!(
        reader.list_files(tree, ""),
        Err(GitError::TooManyFiles(_))
    ));
    let long = "x".repeat(300);
    let of_long_names = test.tree(&[(&long, "x")]);
    reader.list_limit = 2;
    assert_eq!(reader.list_files(of_long_names, "").unwrap().len(), 1);
    reader.list_limit = 1;
    assert!(matches!(
        reader.list_files(of_long_names, ""),
        Err(GitError::TooManyFiles(_))
    ));
}

#[test]
fn the_first_of_duplicate_tree_entries_counts() {
    let test = TestRepository::new();
    let blobs = [test.blob(b"1"), test.blob(b"2"), test.blob(b"3")];
    let row = |name: &str, blob: BlobId| [b"100644 ", name.as_bytes(), b"\0", &blob.0].concat();
    let rows = [
        row("b", blobs[0]),
        row("a", blobs[1]),
        row("b", blobs[2]),
        row("c", blobs[2]),
    ]
    .concat();
    let tree = gix::objs::Write::write_buf(&test.repository.objects, gix::objs::Kind::Tree, &rows)
        .unwrap();
    let tree = TreeId(raw(&tree));
    let found: Vec<_> = reader(&test)
        .tree(tree)
        .unwrap()
        .into_iter()
        .map(|entry| (entry.name, entry.kind))
        .collect();
    let file = |name: &str, blob| (name.as_bytes().into(), EntryKind::File(blob));
    assert_eq!(
        found,
        [
            file("b", blobs[0]),
            file("a", blobs[1]),
            file("c", blobs[2])
        ]
    );
    assert_eq!(
        reader(&test).entry_at(tree, "b").unwrap(),
        Some(EntryKind::File(blobs[0]))
    );
}

#[test]
fn missing_objects_and_wrong_kinds_are_reported() {
    let test = TestRepository::new();
    let blob = test.blob(b"x");
    let mut reader = reader(&test);
    let error = reader.commit(CommitId([7; 20])).unwrap_err();
    let id = "07".repeat(20);
    assert_eq!(
        error.to_string(),
        format!("the commit {id} is missing from the repository")
    );
    assert!(error.is_damage());
    assert!(matches!(
        reader.tree(TreeId(blob.0)),
        Err(GitError::WrongKind { .. })
    ));
    assert!(matches!(
        reader.blob(BlobId([7; 20])),
        Err(GitError::Missing { .. })
    ));
}

#[test]
fn the_empty_tree_needs_no_object() {
    let test = TestRepository::new();
    let empty = TreeId(raw(&gix::ObjectId::empty_tree(gix::hash::Kind::Sha1)));
    assert!(reader(&test).tree(empty).unwrap().is_empty());
}

#[test]
fn a_corrupt_object_is_an_error() {
    let test = TestRepository::new();
    let id = test.blob(b"some text that is stored in a file of its own");
    let hex = id.to_string();
    let path = test.path().join("objects").join(&hex[..2]).join(&hex[2..]);
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, b"x\x9c this is no zlib stream").unwrap();
    let error = reader(&test).blob(id).unwrap_err();
    assert!(matches!(error, GitError::Damaged { .. }), "{error}");
}

#[test]
fn an_object_over_the_limit_is_rejected_by_its_header() {
    let test = TestRepository::new();
    let mut reader = reader(&test);
    reader.limit = 1000;
    let bytes = reader.blob(test.blob(&[b' '; 1000])).unwrap();
    assert_eq!(bytes.len(), 1000);
    let error = reader.blob(test.blob(&[b' '; 1001])).unwrap_err();
    assert!(matches!(error, GitError::TooLarge { size: 1001, .. }));
    let names: Vec<String> = (0..40).map(|at| format!("{at:03}")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "text")).collect();
    let error = reader.tree(test.tree(&files)).unwrap_err();
    assert!(
        matches!(
            error,
            GitError::TooLarge {
                kind: ObjectKind::Tree,
                size: 1240,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn a_mailmap_is_read_unless_it_is_a_symlink() {
    let test = TestRepository::new();
    let line = "Ada L <a@example.org> <b@example.org>\n";
    let with = test.tree(&[(".mailmap", line)]);
    let link = test.tree(&[(".mailmap", "->x"), ("x", line)]);
    let without = test.tree(&[("x", line)]);
    let mut reader = reader(&test);
    assert_eq!(
        Mailmap::read(&mut reader, with)
            .unwrap()
            .resolve("b", "B@example.org")
            .0,
        "Ada L"
    );
    assert_eq!(
        Mailmap::read(&mut reader, link)
            .unwrap()
            .resolve("b", "B@example.org")
            .0,
        "b"
    );
    assert_eq!(
        Mailmap::read(&mut reader, without)
            .unwrap()
            .resolve("b", "B@example.org")
            .0,
        "b"
    );
}

#[test]
fn tree_entries_keep_their_kind() {
    let test = TestRepository::new();
    let blob = test.blob(b"x");
    let mut reader = reader(&test);
    let run = test.tree_of("run", Mode::BlobExecutable, blob.0);
    assert_eq!(
        reader.entry_at(run, "run").unwrap(),
        Some(EntryKind::File(blob))
    );
    let module = test.tree_of("module", Mode::Commit, [9; 20]);
    assert_eq!(
        reader.entry_at(module, "module").unwrap(),
        Some(EntryKind::Submodule(CommitId([9; 20])))
    );
}

#[test]
fn a_commit_at_the_shallow_boundary_has_no_parents() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let second = test.commit(&[first], &[("a", "2")], "second");
    std::fs::write(test.path().join("shallow"), format!("{second}\n")).unwrap();
    let repository = Repository::open(test.path()).unwrap();
    assert!(repository.is_shallow(second) && !repository.is_shallow(first));
    assert!(
        repository
            .reader()
            .commit(second)
            .unwrap()
            .parents
            .is_empty()
    );
    assert!(
        repository
            .reader()
            .commit_header(second)
            .unwrap()
            .parents
            .is_empty()
    );
}

#[test]
fn a_repository_can_be_shared_between_threads() {
    fn shared<T: Clone + Send + Sync>(_: &T) {}
    fn movable<T: Send>(_: &T) {}
    let test = TestRepository::new();
    let repository = Repository::open(test.path()).unwrap();
    shared(&repository);
    movable(&repository.reader());
}

#[test]
fn an_error_names_the_folder_without_a_repository() {
    let folder = tempfile::tempdir().unwrap();
    let error = Repository::open(folder.path()).unwrap_err().to_string();
    assert!(
        error.contains("cannot be opened as a git repository"),
        "{error}"
    );
    assert!(error.contains(&*folder.path().to_string_lossy()));
}

#[cfg(unix)]
#[test]
fn a_repository_with_a_pipe_in_place_of_a_file_is_refused_at_once() {
    for name in [
        "shallow",
        "packed-refs",
        "HEAD",
        "config",
        "objects/info/alternates",
    ] {
        let test = TestRepository::new();
        let path = test.path().join(name);
        let _ = std::fs::remove_file(&path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        gitglot_testkit::make_pipe(&path);
        let error = Repository::open(test.path()).unwrap_err().to_string();
        assert!(
            error.contains(&format!("{name}' is not a regular file")),
            "{error}"
        );
    }
}

#[test]
fn a_repository_with_very_many_alternates_is_refused() {
    let test = TestRepository::new();
    let path = test.path().join("objects/info/alternates");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "/nowhere\n".repeat(10_000)).unwrap();
    let error = Repository::open(test.path()).unwrap_err().to_string();
    assert!(error.contains("more than 65536 bytes"), "{error}");
}

#[test]
fn a_commit_with_a_malformed_committer_is_read_as_git_reads_it() {
    use gitglot_testkit::{Repo, commit};
    let folder = tempfile::tempdir().unwrap();
    for (at, line) in ["a", "", "a <a@a> abc", "a <a@a> 1.5e9 +0000"]
        .iter()
        .enumerate()
    {
        let history = commit("one")
            .write("a", "1")
            .commit("two")
            .committer_line(line)
            .write("a", "2")
            .commit("three")
            .write("a", "3");
        let repo = Repo::with(&folder.path().join(format!("{at}.git")), &history);
        let mut reader = Repository::open(repo.dir()).unwrap().reader();
        let header = reader.commit_header(repo.id("two")).unwrap();
        assert_eq!(header.committed, 0, "{line}");
        assert_eq!(header.parents, [repo.id("one")], "{line}");
        let next = reader.commit_header(repo.id("three")).unwrap();
        assert_eq!(next.parents, [repo.id("two")], "{line}");
        let repository = Repository::open(repo.dir()).unwrap();
        let base = repository.merge_base(repo.id("two"), repo.id("three"));
        assert_eq!(base.unwrap(), Some(repo.id("two")), "{line}");
    }
}

#[test]
fn formats_of_repositories_that_are_not_read_are_named() {
    let test = TestRepository::new();
    let config = test.path().join("config");
    let known = std::fs::read_to_string(&config).unwrap();
    let error = |head: &str, extension: &str| {
        std::fs::write(test.path().join("HEAD"), head).unwrap();
        let extension =
            format!("{known}\n[core]\nrepositoryformatversion = 1\n[extensions]\n{extension}\n");
        std::fs::write(&config, extension).unwrap();
        Repository::open(test.path()).unwrap_err()
    };
    let found = error("ref: refs/heads/.invalid\n", "refstorage = reftable");
    assert!(matches!(found, GitError::RefFormat(_)), "{found}");
    let found = error("ref: refs/heads/main\n", "objectformat = sha256");
    assert!(matches!(found, GitError::ObjectFormat(_)), "{found}");
}

#[test]
fn wrong_clocks_do_not_change_the_common_ancestor() {
    use gitglot_testkit::{Repo, commit};
    let folder = tempfile::tempdir().unwrap();
    for times in [[5, 4, 3, 2, 1], [1, 2, 3, 4, 5], [1, 1, 1, 1, 1]] {
        let line = |at: usize| format!("a <a@a> {} +0000", times[at] * 1_000_000);
        let history = commit("0")
            .committer_line(&line(0))
            .commit("1")
            .committer_line(&line(1))
            .branch_at("side", "0")
            .commit("2")
            .merge("1")
            .committer_line(&line(2))
            .commit("3")
            .merge("0")
            .committer_line(&line(3))
            .branch("main")
            .commit("4")
            .merge("3")
            .committer_line(&line(4));
        let dir = folder.path().join(format!("{}.git", times[1]));
        let repo = Repo::with(&dir, &history);
        let repository = Repository::open(repo.dir()).unwrap();
        let base = |one, other| repository.merge_base(repo.id(one), repo.id(other)).unwrap();
        assert_eq!(base("4", "3"), Some(repo.id("3")), "{times:?}");
        assert_eq!(base("1", "2"), Some(repo.id("1")), "{times:?}");
        assert_eq!(base("3", "0"), Some(repo.id("0")), "{times:?}");
    }
}

#[test]
fn the_commits_of_a_change_are_those_that_its_base_lacks() {
    use gitglot_testkit::{Repo, commit};
    let folder = tempfile::tempdir().unwrap();
    let history = commit("0").commit("1").commit("base");
    let history = history.branch_at("side", "0").commit("2").commit("3");
    let history = history.branch("main").commit("merge").merge("3");
    let repo = Repo::with(&folder.path().join("a.git"), &history);
    let repository = Repository::open(repo.dir()).unwrap();
    let between = |ancestor, commit| {
        let (ancestor, commit) = (repo.id(ancestor), repo.id(commit));
        repository.commits_between(ancestor, commit).unwrap()
    };
    let ids = |labels: &[&str]| labels.iter().map(|label| repo.id(label)).collect();
    assert_eq!(between("base", "merge"), ids(&["2", "3", "merge"]));
    assert_eq!(between("0", "3"), ids(&["2", "3"]));
    assert!(between("base", "base").is_empty());
}

#[test]
fn objects_have_a_limit_of_size() {
    let test = TestRepository::new();
    let settings = test.repository.config_snapshot();
    let limit = settings.integer("gitoxide.objects.allocLimit");
    assert_eq!(limit, Some(512 << 20));
}

#[test]
fn a_mailmap_that_is_too_large_is_ignored() {
    let mut test = TestRepository::new();
    let mailmap = "Ada <ada@example.org> <old@example.org>\n";
    let id = test.commit(&[], &[(".mailmap", mailmap)], "first");
    let mut reader = reader(&test);
    let root = reader.commit(id).unwrap().tree;
    let mut name = |limit| {
        reader.limit = limit;
        let name = Mailmap::read(&mut reader, root)
            .unwrap()
            .resolve("A", "old@example.org");
        (name.0, Mailmap::is_too_large(&mut reader, root).unwrap())
    };
    assert_eq!(name(mailmap.len() as u64), ("Ada".to_owned(), false));
    assert_eq!(name(mailmap.len() as u64 - 1), ("A".to_owned(), true));
}
