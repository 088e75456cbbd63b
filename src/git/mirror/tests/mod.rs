//! Mirrors of local repositories. `fetch_tests.rs` tests fetching over a network.

use super::*;
use crate::git::test_support::TestRepository;

fn source(test: &TestRepository) -> RepositorySource {
    RepositorySource::folder(test.path()).unwrap()
}

fn open(test: &TestRepository, branches: &[Option<&str>]) -> Mirror {
    let branches = branches
        .iter()
        .map(|name| Branch::parse(*name).unwrap())
        .collect();
    Mirror::open_or_clone(
        source(test),
        test.sibling("mirror"),
        branches,
        RepositoryAccess::default(),
        &mut (),
    )
    .unwrap()
}

fn tip(name: &str, commit: CommitId) -> Tip {
    Tip {
        name: name.to_owned(),
        commit,
    }
}

fn fetch(mirror: &mut Mirror) -> Vec<BranchChange> {
    mirror
        .fetch(&mut ())
        .unwrap()
        .into_iter()
        .map(|followed| followed.change)
        .collect()
}

fn present(name: &str, from: Option<CommitId>, to: CommitId, rewritten: bool) -> BranchChange {
    BranchChange::Present {
        name: name.to_owned(),
        from,
        to,
        rewritten,
    }
}

#[test]
fn a_local_repository_is_read_in_place() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    let mut mirror = open(&test, &[None]);
    assert_eq!(
        mirror.tips().unwrap(),
        [(Branch::Default, Some(tip("main", first)))]
    );
    assert_eq!(
        mirror
            .repository()
            .unwrap()
            .reader()
            .commit(first)
            .unwrap()
            .message,
        "first"
    );
    assert_eq!(
        fetch(&mut mirror),
        [present("main", Some(first), first, false)]
    );
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("main", second);
    assert_eq!(
        fetch(&mut mirror),
        [present("main", Some(first), second, false)]
    );
    let own_objects = std::fs::read_dir(mirror.folder().join("objects"))
        .unwrap()
        .count();
    assert_eq!(own_objects, 2, "only 'info' and 'pack': nothing was copied");
}

#[test]
fn damaged_alternates_are_written_again() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    let mirror = open(&test, &[None]);
    let alternates = mirror.folder().join(fsck::ALTERNATES);
    for damage in [vec![0; 40], Vec::new(), b"\xff\n".to_vec()] {
        std::fs::write(&alternates, damage).unwrap();
        let mut mirror = open(&test, &[None]);
        assert_eq!(
            fetch(&mut mirror),
            [present("main", Some(first), first, false)]
        );
        assert_eq!(
            mirror
                .repository()
                .unwrap()
                .reader()
                .commit(first)
                .unwrap()
                .message,
            "first"
        );
    }
}

#[test]
fn a_mirror_that_cannot_be_opened_counts_as_unreadable_and_is_recloned() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    drop(open(&test, &[None]));
    let folder = test.sibling("mirror");
    type Damage = fn(&Path) -> std::io::Result<()>;
    let damages: [Damage; 3] = [
        |folder| std::fs::remove_dir_all(folder).and_then(|()| std::fs::write(folder, "a file")),
        |folder| {
            std::fs::remove_dir_all(folder.join("objects"))
                .and_then(|()| std::fs::write(folder.join("objects"), ""))
        },
        |folder| {
            std::fs::remove_dir_all(folder.join("refs"))
                .and_then(|()| std::fs::write(folder.join("refs"), ""))
        },
    ];
    for (number, damage) in damages.iter().enumerate() {
        damage(&folder).unwrap();
        let branches = || vec![Branch::Default];
        let error = Mirror::open_or_clone(
            source(&test),
            folder.clone(),
            branches(),
            RepositoryAccess::default(),
            &mut (),
        );
        let problem = error.unwrap_err().problem;
        assert!(
            matches!(problem, FetchProblem::Unreadable(_)),
            "damage {number}: {problem:?}"
        );
        let mut mirror = Mirror::unopened(
            source(&test),
            folder.clone(),
            branches(),
            RepositoryAccess::default(),
        );
        mirror.reclone(&[], &mut ()).unwrap();
        assert_eq!(
            fetch(&mut open(&test, &[None])),
            [present("main", Some(first), first, false)]
        );
    }
}

#[test]
fn a_missing_branch_does_not_block_the_others() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("main", first);
    test.set_branch("release/1.x", second);
    let mut mirror = open(&test, &[Some("release/1.x"), Some("gone"), None]);
    let changes = fetch(&mut mirror);
    assert_eq!(
        changes[0],
        present("release/1.x", Some(second), second, false)
    );
    assert_eq!(changes[2], present("main", Some(first), first, false));
    let BranchChange::Missing(missing) = &changes[1] else {
        panic!("there is no such branch");
    };
    assert_eq!(
        missing.to_string(),
        "there is no branch 'gone', but main, release/1.x"
    );
}

#[test]
fn rewritten_commits_survive_in_the_mirror() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("same", "in both"), ("a", "1")], "first");
    let second = test.commit(
        &[first],
        &[("same", "in both"), ("a", "2"), ("d/e", "deep")],
        "second",
    );
    let third = test.commit(&[second], &[("a", "3")], "third");
    test.set_branch("main", third);
    let mut mirror = open(&test, &[None]);
    let other = test.commit(
        &[first],
        &[("same", "in both"), ("a", "4")],
        "another second",
    );
    test.set_branch("main", other);
    assert_eq!(
        fetch(&mut mirror),
        [present("main", Some(third), other, true)]
    );
    assert_eq!(mirror.retained().unwrap(), [third]);

    // Upstream deletes unreachable objects.
    let reader = &mut Repository::open(test.path()).unwrap().reader();
    let reachable = copy_objects::ancestors(reader, &[other]);
    for commit in [second, third] {
        assert!(!reachable.contains(&commit));
        for blob in ["2", "3", "deep"] {
            let hex = test.blob(blob.as_bytes()).to_string();
            let _ =
                std::fs::remove_file(test.path().join("objects").join(&hex[..2]).join(&hex[2..]));
        }
        let hex = commit.to_string();
        std::fs::remove_file(test.path().join("objects").join(&hex[..2]).join(&hex[2..])).unwrap();
    }
    let mut reader = mirror.repository().unwrap().reader();
    let tree = reader.commit(second).unwrap().tree;
    let files = reader.list_files(tree, "").unwrap();
    assert_eq!(files.len(), 3);
    for file in files {
        let crate::git::EntryKind::File(blob) = file.kind else {
            panic!("only files")
        };
        reader.blob(blob, &mut Vec::new()).unwrap();
    }
    assert_eq!(reader.commit(third).unwrap().parents, [second]);
}

#[test]
fn the_default_branch_is_followed_when_it_is_renamed() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    let mut mirror = open(&test, &[None]);
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("trunk", second);
    test.set_head("trunk");
    assert_eq!(
        fetch(&mut mirror),
        [present("trunk", Some(first), second, false)]
    );
    assert_eq!(
        mirror.tips().unwrap(),
        [(Branch::Default, Some(tip("trunk", second)))]
    );
    // A detached HEAD counts as a branch.
    test.set_head(&first.to_string());
    assert_eq!(
        fetch(&mut mirror),
        [present("HEAD", Some(second), first, true)]
    );
    assert_eq!(
        mirror.tips().unwrap(),
        [(Branch::Default, Some(tip("HEAD", first)))]
    );
}

#[test]
fn an_empty_repository_is_followed_until_it_has_commits() {
    let mut test = TestRepository::new();
    let mut mirror = open(&test, &[None]);
    let BranchChange::Missing(missing) = &fetch(&mut mirror)[0] else {
        panic!("there is nothing yet");
    };
    assert_eq!(
        missing.to_string(),
        "the repository has no branches (yet, or any more)"
    );
    assert_eq!(mirror.tips().unwrap(), [(Branch::Default, None)]);
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    assert_eq!(fetch(&mut mirror), [present("main", None, first, false)]);
}

#[test]
fn work_trees_and_linked_work_trees_are_opened() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("main", first);
    test.set_branch("side", second);
    // A linked work tree has its own HEAD, and everything else in the common folder.
    let linked = test.path().join("worktrees/linked");
    std::fs::create_dir_all(&linked).unwrap();
    std::fs::write(linked.join("HEAD"), "ref: refs/heads/side\n").unwrap();
    std::fs::write(linked.join("commondir"), "../..\n").unwrap();
    let tree = test.sibling("tree");
    std::fs::create_dir(&tree).unwrap();
    std::fs::write(tree.join(".git"), format!("gitdir: {}\n", linked.display())).unwrap();
    std::fs::write(
        linked.join("gitdir"),
        format!("{}\n", tree.join(".git").display()),
    )
    .unwrap();

    let source = RepositorySource::folder(&tree).unwrap();
    let found = source.local_git_dir().unwrap().unwrap();
    let canonical = |path: &Path| path.canonicalize().unwrap();
    assert_eq!(canonical(&found.git_dir), canonical(&linked));
    assert_eq!(canonical(&found.common_dir), canonical(test.path()));
    let branches = vec![Branch::Default, Branch::Named("main".to_owned())];
    let mirror = Mirror::open_or_clone(
        source,
        test.sibling("mirror"),
        branches,
        RepositoryAccess::default(),
        &mut (),
    )
    .unwrap();
    let tips: Vec<_> = mirror
        .tips()
        .unwrap()
        .into_iter()
        .map(|(_, tip)| tip.unwrap())
        .collect();
    assert_eq!(tips, [tip("side", second), tip("main", first)]);
    assert_eq!(
        mirror
            .repository()
            .unwrap()
            .reader()
            .commit(second)
            .unwrap()
            .parents,
        [first]
    );
}

#[test]
fn a_mirror_of_a_mirror_reads_through_both() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    let middle = open(&test, &[None, Some("main")]);
    let source = RepositorySource::folder(middle.folder()).unwrap();
    let mirror = Mirror::open_or_clone(
        source,
        test.sibling("outer"),
        vec![Branch::Default],
        RepositoryAccess::default(),
        &mut (),
    )
    .unwrap();
    assert_eq!(
        mirror
            .repository()
            .unwrap()
            .reader()
            .commit(first)
            .unwrap()
            .message,
        "first"
    );
}

#[test]
fn deepening_a_shallow_repository_adds_parents() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("main", second);
    std::fs::write(test.path().join("shallow"), format!("{second}\n")).unwrap();
    let mut mirror = open(&test, &[None]);
    let parents = |mirror: &Mirror| {
        mirror
            .repository()
            .unwrap()
            .reader()
            .commit(second)
            .unwrap()
            .parents
    };
    assert!(parents(&mirror).is_empty());
    std::fs::remove_file(test.path().join("shallow")).unwrap();
    fetch(&mut mirror);
    assert_eq!(parents(&mirror), [first]);
}

#[test]
fn a_path_without_a_repository_is_a_permanent_error() {
    let folder = tempfile::tempdir().unwrap();
    let clone = |path: &Path| {
        let source = RepositorySource::folder(path).unwrap();
        let mirror = folder.path().join("state/mirror");
        Mirror::open_or_clone(
            source,
            mirror,
            vec![Branch::Default],
            RepositoryAccess::default(),
            &mut (),
        )
        .unwrap_err()
    };
    let none = clone(&folder.path().join("nowhere"));
    assert_eq!(
        none.to_string(),
        format!("{}: there is no such folder; check the path", none.address)
    );
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let empty = clone(&folder.path().join("empty"));
    assert!(
        empty
            .to_string()
            .contains("there is no git repository in this folder"),
        "{empty}"
    );
    assert!(!none.problem.is_transient() && !empty.problem.is_transient());
    assert_eq!(
        std::fs::read_dir(folder.path().join("state"))
            .unwrap()
            .count(),
        0,
        "no files remain"
    );
}

#[test]
fn leftovers_of_a_killed_process_are_removed_on_open() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    std::fs::create_dir_all(test.sibling("mirror.new/objects")).unwrap();
    drop(open(&test, &[None]));
    assert!(!test.sibling("mirror.new").exists());

    std::fs::write(test.sibling("mirror/packed-refs.lock"), "").unwrap();
    std::fs::write(test.sibling("mirror/HEAD.lock"), "").unwrap();
    std::fs::remove_file(test.sibling("mirror/config")).unwrap();
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("main", second);
    let mut mirror = open(&test, &[None]);
    assert_eq!(
        fetch(&mut mirror),
        [present("main", Some(first), second, false)]
    );

    // Killed between the two renames of a new clone: the old one is still there.
    std::fs::rename(test.sibling("mirror"), test.sibling("mirror.old")).unwrap();
    let mirror = open(&test, &[None]);
    assert_eq!(mirror.tips().unwrap()[0].1, Some(tip("main", second)));
}

#[test]
fn an_unfollowed_branch_cannot_collide_with_a_new_one() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("a", first);
    drop(open(&test, &[Some("a")]));
    std::fs::remove_file(test.path().join("refs/heads/a")).unwrap();
    test.set_branch("a/b", first);
    let mut mirror = open(&test, &[Some("a/b")]);
    assert_eq!(fetch(&mut mirror), [present("a/b", None, first, false)]);
    assert_eq!(mirror.retained().unwrap(), [first]);
}

#[test]
fn a_new_clone_keeps_objects_that_only_the_old_one_has() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("main", second);
    let mut mirror = open(&test, &[None]);
    let other = test.commit(&[first], &[("a", "3")], "another second");
    test.set_branch("main", other);
    fetch(&mut mirror);
    let hex = second.to_string();
    std::fs::remove_file(test.path().join("objects").join(&hex[..2]).join(&hex[2..])).unwrap();
    let gone = CommitId([7; 20]);
    assert_eq!(mirror.reclone(&[first, gone], &mut ()).unwrap(), [gone]);
    assert_eq!(mirror.retained().unwrap(), [second]);
    let mut reader = mirror.repository().unwrap().reader();
    assert_eq!(reader.commit(second).unwrap().message, "second");
    assert_eq!(mirror.tips().unwrap()[0].1, Some(tip("main", other)));
    assert!(!test.sibling("mirror.new").exists() && !test.sibling("mirror.old").exists());
}

#[test]
fn a_branch_on_a_tag_has_its_commit_or_is_missing_if_corrupt() {
    let mut test = TestRepository::new();
    let commit = test.commit(&[], &[("a", "1")], "first");
    let put = |bytes: &[u8]| {
        use gix::objs::Write as _;
        let id = test
            .repository
            .objects
            .write_buf(gix::objs::Kind::Tag, bytes)
            .unwrap();
        CommitId(id.as_slice().try_into().unwrap())
    };
    test.set_branch(
        "main",
        put(format!("object {commit}\ntype commit\ntag x\n\nx\n").as_bytes()),
    );
    test.set_branch("damaged", put(b"object 12"));
    let round = put(b"round");
    test.set_branch("round", round);
    let path = test
        .path()
        .join("objects")
        .join(&round.to_string()[..2])
        .join(&round.to_string()[2..]);
    let tag = format!("object {round}\ntype tag\ntag x\n\nx\n");
    let mut deflated = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(
        &mut deflated,
        format!("tag {}\0{tag}", tag.len()).as_bytes(),
    )
    .unwrap();
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, deflated.finish().unwrap()).unwrap();
    let mirror = open(&test, &[Some("main"), Some("damaged"), Some("round")]);
    let tips: Vec<_> = mirror
        .tips()
        .unwrap()
        .into_iter()
        .map(|(_, found)| found)
        .collect();
    assert_eq!(tips, [Some(tip("main", commit)), None, None]);
}
