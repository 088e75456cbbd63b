//! Twice as many components take twice as many steps.

use super::*;
use gitglot_model::steps;

/// The steps of detection and report for a number of directories, each with files of these names.
fn work(count: usize, names: &[&str], text: &str) -> usize {
    let mut files = Vec::new();
    for at in 0..count {
        files.extend(names.iter().map(|name| TreeFile {
            path: name.replace("NUMBER", &at.to_string()),
            blob: BlobId([1; 20]),
        }));
    }
    let repo = RepoAddress::parse("https://host.example/a.git", Path::new("/")).unwrap();
    let target = RepositoryTarget {
        repo,
        overrides: Overrides::default(),
        access: Default::default(),
    };
    let mut read = |_| Some(text.to_owned().into_bytes());
    steps::of(|| {
        let described = describe(&target, &files, BrokenComponents::LeaveOut, &mut read).unwrap();
        assert_eq!(described.project.components.len(), count);
        report(described, &files, &mut read);
    })
}

#[test]
fn components_take_linear_time_to_detect() {
    const PO: &str = "msgid \"Open\"\nmsgstr \"\"\n";
    for (names, text) in [
        (
            &[
                "pNUMBER/l/en.json",
                "pNUMBER/l/cs.json",
                "pNUMBER/l/de.json",
            ][..],
            TEXTS,
        ),
        (
            &[
                "l/en/aNUMBER.json",
                "l/cs/aNUMBER.json",
                "l/de/aNUMBER.json",
            ][..],
            TEXTS,
        ),
        (
            &[
                "l/aNUMBER.cs.json",
                "l/aNUMBER.de.json",
                "l/aNUMBER.fr.json",
            ][..],
            TEXTS,
        ),
        (
            &["po/aNUMBER/cs.po", "po/aNUMBER/de.po", "po/aNUMBER.pot"][..],
            PO,
        ),
    ] {
        let (one, two) = (work(100, names, text), work(200, names, text));
        assert!(one > 0 && two <= one * 22 / 10, "{names:?}: {one} {two}");
    }
}
