//! Mirrors after damage, interruption and rewritten history: repairs and retained objects.

use std::path::Path;

use super::*;
use crate::git::mirror::fsck;
use crate::git::objects::ancestors::ancestors;
use crate::git::{FetchProblem, Repository};

#[test]
fn damaged_alternates_are_written_again() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    let mirror = open(&test, &[None]);
    let alternates = mirror.folder.join(fsck::ALTERNATES);
    for damage in [vec![0; 40], Vec::new(), b"\xff\n".to_vec()] {
        std::fs::write(&alternates, damage).unwrap();
        let mut mirror = open(&test, &[None]);
        assert_eq!(
            fetch(&mut mirror),
            [present("main", Some(first), first, false)]
        );
        assert_eq!(message(&mirror, first), "first");
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
    assert_eq!(retained(&mirror), [third]);

    // Upstream deletes unreachable objects.
    let reader = &mut Repository::open(test.path()).unwrap().reader();
    let reachable = ancestors(reader, vec![other]);
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
    assert_eq!(retained(&mirror), [first]);
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
    assert_eq!(retained(&mirror), [second]);
    let mut reader = mirror.repository().unwrap().reader();
    assert_eq!(reader.commit(second).unwrap().message, "second");
    assert_eq!(mirror.tips().unwrap()[0].1, Some(tip("main", other)));
    assert!(!test.sibling("mirror.new").exists() && !test.sibling("mirror.old").exists());
}
