//! Mirrors after damage, interruption and rewritten history: repairs and retained objects.

use std::path::Path;

use super::*;
use crate::FetchProblem;
use crate::mirror::fsck;
use crate::objects::ancestors::ancestors;
use crate::objects::packs::{Packs, pack_indexes};

/// Deletes a loose object.
fn delete(test: &TestRepository, hex: &str) {
    let folder = test.path().join("objects").join(&hex[..2]);
    std::fs::remove_file(folder.join(&hex[2..])).unwrap();
}

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
            [branch_change("main", Some(first), first, false)]
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
            RepoAccess::default(),
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
            RepoAccess::default(),
        );
        mirror.reclone(&[], &mut ()).unwrap();
        assert_eq!(
            fetch(&mut open(&test, &[None])),
            [branch_change("main", Some(first), first, false)]
        );
    }
}

#[test]
fn a_clone_does_not_create_a_state_directory_that_is_gone() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    let state = test.sibling("state");
    let clone = |folder: &Path| {
        Mirror::open_or_clone(
            source(&test),
            folder.join("mirrors/a"),
            vec![Branch::Default],
            RepoAccess::default(),
            &mut (),
        )
    };
    let problem = clone(&state).unwrap_err().problem;
    assert!(
        matches!(problem, FetchProblem::Storage { .. }),
        "{problem:?}"
    );
    assert!(!state.exists());
    std::fs::create_dir(&state).unwrap();
    clone(&state).unwrap();
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
        [branch_change("main", Some(third), other, true)]
    );
    assert_eq!(retained(&mirror), [third]);

    // Upstream deletes unreachable objects.
    let reader = &mut Repository::open(test.path()).unwrap().reader();
    let reachable = ancestors(reader, vec![other]);
    for commit in [second, third] {
        assert!(!reachable.contains(&commit));
        delete(&test, &commit.to_string());
    }
    for blob in ["2", "3", "deep"] {
        delete(&test, &test.blob(blob.as_bytes()).to_string());
    }
    let mut reader = mirror.repository().unwrap().reader();
    let tree = reader.commit(second).unwrap().tree;
    let files = reader.list_files(tree, "").unwrap();
    assert_eq!(files.len(), 3);
    for file in files {
        let crate::EntryKind::File(blob) = file.kind else {
            panic!("only files")
        };
        reader.blob(blob).unwrap();
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
        [branch_change("main", Some(first), second, false)]
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
    assert_eq!(
        fetch(&mut mirror),
        [branch_change("a/b", None, first, false)]
    );
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
    delete(&test, &second.to_string());
    let gone = CommitId([7; 20]);
    assert_eq!(mirror.reclone(&[first, gone], &mut ()).unwrap(), [gone]);
    assert_eq!(retained(&mirror), [second]);
    let mut reader = mirror.repository().unwrap().reader();
    assert_eq!(reader.commit(second).unwrap().message, "second");
    assert_eq!(mirror.tips().unwrap()[0].1, Some(tip("main", other)));
    assert!(!test.sibling("mirror.new").exists() && !test.sibling("mirror.old").exists());
}

#[test]
fn a_new_clone_copies_all_lost_histories_as_one_pack() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let mut tips = vec![first];
    for text in ["2", "3", "4", "5", "6", "7"] {
        let parent = tips[tips.len() - 1];
        tips.push(test.commit(&[parent], &[("a", text)], text));
    }
    let mut broken = Vec::new();
    for (parent, text) in [(tips[1], "x"), (tips[2], "y"), (tips[3], "z")] {
        let files = [("a", text), ("b", &*format!("only {text}"))];
        broken.push(test.commit(&[parent], &files, "broken"));
        tips.push(test.commit(&[parent], &[("a", text)], "shares a file"));
    }
    test.set_branch("main", first);
    let mut mirror = open(&test, &[None]);
    for text in ["x", "y", "z"] {
        delete(
            &test,
            &test.blob(format!("only {text}").as_bytes()).to_string(),
        );
    }
    broken.sort_unstable();
    let needed = [&*tips, &*broken].concat();
    assert_eq!(mirror.reclone(&needed, &mut ()).unwrap(), broken);
    tips.remove(0);
    tips.sort_unstable();
    assert_eq!(retained(&mirror), tips);
    let objects = mirror.folder.join("objects");
    assert_eq!(pack_indexes(&objects).len(), 1);
    let packs = Packs::open(&[objects]);
    for text in ["2", "3", "4", "5", "6", "7", "x", "y", "z"] {
        let blob = gix::ObjectId::Sha1(test.blob(text.as_bytes()).0);
        assert!(packs.contains(&blob), "{text}");
    }
    for commit in broken {
        assert!(!packs.contains(&gix::ObjectId::Sha1(commit.0)));
    }
}

#[test]
fn the_empty_tree_need_not_be_stored() {
    let mut test = TestRepository::new();
    let empty = test.commit(&[], &[], "empty");
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    let mut mirror = open(&test, &[None]);
    let hex = gix::ObjectId::empty_tree(gix::hash::Kind::Sha1).to_string();
    let loose = test.path().join("objects").join(&hex[..2]).join(&hex[2..]);
    if loose.exists() {
        delete(&test, &hex);
    }
    assert_eq!(mirror.reclone(&[empty], &mut ()).unwrap(), []);
    assert_eq!(retained(&mirror), [empty]);
}

#[test]
fn the_commits_of_an_unfollowed_local_branch_are_copied() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let side = test.commit(&[first], &[("a", "2")], "side");
    test.set_branch("main", first);
    test.set_branch("side", side);
    drop(open(&test, &[None, Some("side")]));
    let mirror = open(&test, &[None]);
    assert_eq!(retained(&mirror), [side]);
    delete(&test, &side.to_string());
    delete(&test, &test.blob(b"2").to_string());
    assert_eq!(message(&mirror, side), "side");
    let mut reader = mirror.repository().unwrap().reader();
    let tree = reader.commit(side).unwrap().tree;
    assert_eq!(reader.list_files(tree, "").unwrap().len(), 1);
    let packs = Packs::open(&[mirror.folder.join("objects")]);
    assert!(
        !packs.contains(&gix::ObjectId::Sha1(first.0)),
        "main has it"
    );
}
