//! The files of a tree, as the caller gives them, and lookups that do not go through all of them.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::codes::{FIRST_UNCERTAIN_RANK, template_rank};
use gitglot_model::{BlobId, steps};

/// Limit on files to examine. A small repository can have a huge tree of repeated directories.
pub(super) const MAX_FILES: usize = 100_000;

/// A regular file of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeFile {
    /// The path from the repository's root.
    pub path: String,
    /// Its content.
    pub blob: BlobId,
}

/// Returns the bytes of a blob; `None` if it cannot be read.
pub type ReadBlob<'a> = &'a mut dyn FnMut(BlobId) -> Option<Vec<u8>>;

/// Most parts of a name that are compared with the names of templates.
const MAX_PARTS: usize = 8;

/// Files by the end of their path.
type FilesByEnd<'f> = HashMap<&'f str, Vec<&'f TreeFile>>;

/// The files of a tree, found by path, directory or name.
pub(super) struct FileLookup<'f> {
    by_path: HashMap<&'f str, &'f TreeFile>,
    /// The POT files of each directory, which ends with a slash, and of each name without its ending.
    pots_in: HashMap<&'f str, Vec<&'f str>>,
    pots_named: HashMap<&'f str, Vec<&'f str>>,
    all: &'f [TreeFile],
    /// The files that are named like templates, by the parts of the name before and after the language.
    templates: OnceCell<HashMap<&'f str, FilesByEnd<'f>>>,
}

impl<'f> FileLookup<'f> {
    pub(super) fn new(all: &'f [TreeFile]) -> Self {
        let mut pots_in: HashMap<_, Vec<_>> = HashMap::new();
        let mut pots_named: HashMap<_, Vec<_>> = HashMap::new();
        for file in all {
            if let Some(stem) = file.path.strip_suffix(".pot") {
                let (folder, name) = split(stem);
                pots_in.entry(folder).or_default().push(&*file.path);
                pots_named.entry(name).or_default().push(&*file.path);
            }
        }
        Self {
            by_path: all.iter().map(|file| (&*file.path, file)).collect(),
            pots_in,
            pots_named,
            all,
            templates: OnceCell::new(),
        }
    }

    pub(super) fn get(&self, path: &str) -> Option<&'f TreeFile> {
        steps::count(1);
        self.by_path.get(path).copied()
    }

    /// All files.
    pub(super) fn all(&self) -> &'f [TreeFile] {
        self.all
    }

    /// The paths of the POT files of a directory, which ends with a slash.
    pub(super) fn pots_in(&self, folder: &str) -> &[&'f str] {
        self.pots_in.get(folder).map_or(&[], Vec::as_slice)
    }

    /// The paths of the POT files with a name, without its ending.
    pub(super) fn pots_named(&self, name: &str) -> &[&'f str] {
        self.pots_named.get(name).map_or(&[], Vec::as_slice)
    }

    /// The files whose names have the language of a certain template between these texts; `before` is in the same part of
    /// the path.
    pub(super) fn templates(&self, before: &str, behind: &str) -> &[&'f TreeFile] {
        let templates = self.templates.get_or_init(|| {
            let mut found: HashMap<_, FilesByEnd<'f>> = HashMap::new();
            for file in self.all {
                for (before, behind) in template_names(&file.path) {
                    let files = found.entry(before).or_default();
                    files.entry(behind).or_default().push(file);
                }
            }
            found
        });
        let found = templates.get(before).and_then(|files| files.get(behind));
        let found = found.map_or(&[][..], Vec::as_slice);
        steps::count(found.len() + 1);
        found
    }
}

/// All places of a path with the name of a certain template: the text before it in its part of the path, and all after
/// it.
fn template_names(path: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for name in path.split('/') {
        let marks = name.match_indices(['.', '-', '_']).map(|(at, _)| at);
        let marks: Vec<usize> = marks.take(MAX_PARTS).collect();
        let starts = std::iter::once(0).chain(marks.iter().map(|at| at + 1));
        for from in starts {
            for to in marks.iter().copied().chain([name.len()]) {
                let code = name.get(from..to).unwrap_or_default();
                if template_rank(code).is_some_and(|rank| rank < FIRST_UNCERTAIN_RANK) {
                    found.push((&name[..from], &path[start + to..]));
                }
            }
        }
        start += name.len() + 1;
    }
    found
}

/// A path as its directories, with the last slash, and its name.
pub(super) fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |end| end + 1))
}

/// A directory, which ends with a slash, and those above it, down to the root.
pub(super) fn folders_above(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| {
        Some(split(folder.strip_suffix('/')?).0)
    })
}
