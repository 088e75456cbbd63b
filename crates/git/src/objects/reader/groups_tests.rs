use super::*;
use crate::Repository;
use gitglot_testkit::{Repo, commit};

/// The first name of a path is its group.
struct ByFolder;

impl FileGrouper for ByFolder {
    fn is_folder(&self, name: &str) -> bool {
        name == "\0all"
    }

    fn folders(&self) -> Vec<String> {
        vec!["\0all".to_owned()]
    }

    fn opens(&self, _: &str, path: &str) -> bool {
        !path.ends_with("images")
    }

    fn place(&self, _: &str, path: &str) -> Option<(String, String)> {
        let (group, path) = path.split_once('/')?;
        path.ends_with(".txt")
            .then(|| (group.to_owned(), path.to_owned()))
    }

    fn made_from(&self, _: &str, _: &[u8]) -> Option<(String, String)> {
        None
    }

    fn sources(&self) -> String {
        String::new()
    }

    fn max_bytes(&self) -> usize {
        MAX_GROUPED_BYTES
    }

    fn add(&self, path: &str, bytes: &[u8], content: &mut Vec<u8>) {
        content.extend_from_slice(path.as_bytes());
        content.extend_from_slice(bytes);
    }
}

#[test]
fn the_files_of_a_group_are_shown_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let history = commit("one")
        .write("texts/de/a.txt", "A")
        .write("texts/de/in/b.txt", "B")
        .write("texts/de/images/c.txt", "C")
        .write("texts/en/a.txt", "A")
        .then(commit("two").write("texts/de/images/c.txt", "changed"))
        .then(commit("three").write("texts/de/in/b.txt", "changed"));
    let repo = Repo::with(&folder.path().join("a.git"), &history);
    let repository = Repository::open(repo.dir()).unwrap();
    let repository = repository.with_groups(Box::new(ByFolder));
    let mut reader = repository.reader();
    let mut at = |name: &str| {
        let tree = reader.commit_header(repo.id(name)).unwrap().tree;
        match reader.entry_at(tree, "texts/\0all/de").unwrap() {
            Some(EntryKind::File(id)) => (id, reader.blob(id).unwrap().to_vec(), tree),
            other => panic!("{other:?}"),
        }
    };
    let (one, content, _) = at("one");
    assert_eq!(content, b"a.txtAin/b.txtB");
    assert_eq!(at("two").0, one, "other files do not count");
    let (three, content, tree) = at("three");
    assert_eq!(content, b"a.txtAin/b.txtchanged");
    assert_ne!(three, one);
    assert_eq!(reader.entry_at(tree, "texts/\0all/fr").unwrap(), None);
    // Another reader of the repository reads them from the tree.
    let parent = reader.file_of_part(three).unwrap();
    let repository = Repository::open(repo.dir()).unwrap();
    let mut reader = repository.with_groups(Box::new(ByFolder)).reader();
    assert!(reader.group(three).unwrap().is_none());
    reader.read_parts(parent).unwrap();
    let group = reader.group(three).unwrap().unwrap();
    let files = group.iter().flat_map(|files| files.iter());
    let files = files.map(|file| GroupedFile {
        path: file.path.clone(),
        blob: file.blob,
    });
    let files = GroupedFiles::by_folder(files.collect());
    assert_eq!((files.len(), group_id(&files)), (2, Some(three)));
}

#[test]
fn a_large_file_of_a_group_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let large = "a".repeat(MAX_GROUPED_BYTES + 1);
    let history = commit("one").write("texts/de/a.txt", &large);
    let repo = Repo::with(&folder.path().join("a.git"), &history);
    let repository = Repository::open(repo.dir()).unwrap();
    let repository = repository.with_groups(Box::new(ByFolder));
    let mut reader = repository.reader();
    let tree = reader.commit_header(repo.id("one")).unwrap().tree;
    match reader.entry_at(tree, "texts/\0all/de").unwrap() {
        Some(EntryKind::File(id)) => assert_eq!(**reader.blob(id).unwrap(), *b"a.txt"),
        other => panic!("{other:?}"),
    }
}
