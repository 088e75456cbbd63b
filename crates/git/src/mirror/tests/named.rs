//! Named references of local repositories.

use std::fs::File;
use std::time::{Duration, SystemTime};

use super::*;
use crate::find_named;
use gitglot_model::RefPattern;

/// Makes all references as old as if they were written long ago.
fn settle(test: &TestRepository) {
    let old = SystemTime::now() - Duration::from_secs(60);
    let mut paths: Vec<_> = ["HEAD", "refs", "packed-refs"]
        .map(|it| test.path().join(it))
        .into();
    while let Some(path) = paths.pop() {
        let Ok(file) = File::open(&path) else {
            continue;
        };
        file.set_modified(old).unwrap();
        if let Ok(entries) = std::fs::read_dir(&path) {
            paths.extend(entries.map(|entry| entry.unwrap().path()));
        }
    }
}

fn all_branches() -> RefPattern {
    "*".parse().unwrap()
}

/// The commit of a name in the mirror.
fn named(mirror: &Mirror, name: &str) -> Option<CommitId> {
    let repository = mirror.repository().unwrap();
    find_named(&repository, name, &[all_branches()]).ok()
}

/// Deletes a copied reference, to show whether a poll copies it again.
fn forget(mirror: &Mirror, name: &str) {
    let path = mirror.folder.join("refs/gitglot/named/heads").join(name);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn references_are_copied_again_only_after_a_change() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let second = test.commit(&[first], &[("a", "2")], "second");
    for branch in ["main", "other", "feature/one"] {
        test.set_branch(branch, first);
    }
    let mut mirror = open(&test, &[None]).with_named(vec![all_branches()]);
    fetch(&mut mirror);
    forget(&mirror, "other");
    fetch(&mut mirror);
    assert_eq!(named(&mirror, "other"), Some(first), "recent changes count");

    settle(&test);
    fetch(&mut mirror);
    forget(&mirror, "other");
    fetch(&mut mirror);
    assert_eq!(named(&mirror, "other"), None, "nothing has changed");

    test.set_branch("feature/one", second);
    fetch(&mut mirror);
    assert_eq!(named(&mirror, "feature/one"), Some(second));
    assert_eq!(named(&mirror, "other"), Some(first));

    settle(&test);
    fetch(&mut mirror);
    let packed =
        format!("# pack-refs with: peeled fully-peeled sorted \n{second} refs/heads/packed\n");
    std::fs::write(test.path().join("packed-refs"), packed).unwrap();
    fetch(&mut mirror);
    assert_eq!(named(&mirror, "packed"), Some(second));
    settle(&test);
    fetch(&mut mirror);
    std::fs::remove_file(test.path().join("packed-refs")).unwrap();
    fetch(&mut mirror);
    assert_eq!(named(&mirror, "packed"), None);
}

#[test]
fn the_followed_branch_is_read_at_every_poll() {
    let mut test = TestRepository::new();
    let first = test.commit(&[], &[("a", "1")], "first");
    let second = test.commit(&[first], &[("a", "2")], "second");
    test.set_branch("main", first);
    let mut mirror = open(&test, &[None]);
    settle(&test);
    fetch(&mut mirror);
    // A program other than git may write the file in place.
    std::fs::write(test.path().join("refs/heads/main"), format!("{second}\n")).unwrap();
    assert_eq!(
        fetch(&mut mirror),
        [branch_change("main", Some(first), second, false)]
    );
}
