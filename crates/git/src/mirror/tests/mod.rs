//! Mirrors of local repositories. `fetch_tests.rs` tests fetching over a network.

#[cfg(unix)]
mod named;
mod recovery;

use std::path::Path;

use crate::test_support::{TestRepository, message, retained};
use crate::{Branch, BranchChange, Mirror, RepoAccess, Repository, RepositorySource, Tip};
use gitglot_model::CommitId;

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
        RepoAccess::default(),
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

fn branch_change(
    name: &str,
    from: Option<CommitId>,
    to: CommitId,
    rewritten: bool,
) -> BranchChange {
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
    assert_eq!(message(&mirror, first), "first");
    assert_eq!(
        fetch(&mut mirror),
        [branch_change("main", Some(first), first, false)]
    );
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("main", second);
    assert_eq!(
        fetch(&mut mirror),
        [branch_change("main", Some(first), second, false)]
    );
    let own_objects = std::fs::read_dir(mirror.folder.join("objects"))
        .unwrap()
        .count();
    assert_eq!(own_objects, 2, "only 'info' and 'pack': nothing was copied");
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
        branch_change("release/1.x", Some(second), second, false)
    );
    assert_eq!(changes[2], branch_change("main", Some(first), first, false));
    let BranchChange::Missing(missing) = &changes[1] else {
        panic!("there is no such branch");
    };
    assert_eq!(
        missing.to_string(),
        "there is no branch 'gone', but main, release/1.x"
    );
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
        [branch_change("trunk", Some(first), second, false)]
    );
    assert_eq!(
        mirror.tips().unwrap(),
        [(Branch::Default, Some(tip("trunk", second)))]
    );
    // A detached HEAD counts as a branch.
    test.set_head(&first.to_string());
    assert_eq!(
        fetch(&mut mirror),
        [branch_change("HEAD", Some(second), first, true)]
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
    assert_eq!(
        fetch(&mut mirror),
        [branch_change("main", None, first, false)]
    );
}

#[test]
fn work_trees_and_linked_work_trees_are_opened() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("main", first);
    test.set_branch("side", second);
    // A linked work tree has its own HEAD, and everything else in the common directory.
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
    let found = Repository::open(&tree).unwrap();
    let canonical = |path: &Path| path.canonicalize().unwrap();
    assert_eq!(canonical(found.git_dir()), canonical(&linked));
    assert_eq!(canonical(found.common_dir()), canonical(test.path()));
    let branches = vec![Branch::Default, Branch::Named("main".to_owned())];
    let mirror = Mirror::open_or_clone(
        source,
        test.sibling("mirror"),
        branches,
        RepoAccess::default(),
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
    let source = RepositorySource::folder(&middle.folder).unwrap();
    let mirror = Mirror::open_or_clone(
        source,
        test.sibling("outer"),
        vec![Branch::Default],
        RepoAccess::default(),
        &mut (),
    )
    .unwrap();
    assert_eq!(message(&mirror, first), "first");
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
fn a_partial_clone_is_refused() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    test.set_branch("main", first);
    let config = test.path().join("config");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text + "[remote \"origin\"]\n\tpromisor = true\n").unwrap();
    let error = Mirror::open_or_clone(
        RepositorySource::folder(test.path()).unwrap(),
        test.path().join("mirror"),
        vec![Branch::Default],
        RepoAccess::default(),
        &mut (),
    );
    let message = error.unwrap_err().to_string();
    assert!(
        message.contains("is a partial clone, which lacks objects"),
        "{message}"
    );
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
            RepoAccess::default(),
            &mut (),
        )
        .unwrap_err()
    };
    let none = clone(&folder.path().join("nowhere"));
    assert_eq!(
        none.to_string(),
        format!(
            "{}: there is no such directory; check the path",
            none.address
        )
    );
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let empty = clone(&folder.path().join("empty"));
    assert!(
        empty
            .to_string()
            .contains("there is no git repository in this directory"),
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
