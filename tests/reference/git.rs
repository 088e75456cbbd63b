//! Reads commits, trees and files for the reference.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use gitglot_formats::{FormatReader, reader};
use gitglot_git::{EntryKind, Mailmap, ObjectReader, Repository};
use gitglot_model::{BlobId, Commit, CommitId, FileFormat, TreeId};

/// The files of a tree, by path.
pub type Files = Rc<BTreeMap<String, BlobId>>;

/// The texts of a file that parses. Versions share strings, because a history has millions of them.
#[derive(Default, Debug)]
pub struct Texts {
    /// Each key with its last text and whether that counts as translated: the values of a translation. By key.
    entries: Vec<(Rc<str>, Rc<str>, bool)>,
    /// The keys in file order, each once: indexes in `entries`.
    order: Vec<u32>,
    /// The first text of each duplicate key: the value of a template.
    firsts: HashMap<Rc<str>, Rc<str>>,
    /// Keys of two different paths, in file order.
    pub twice: Vec<Rc<str>>,
}

impl Texts {
    fn new(read: Vec<(Rc<str>, Rc<str>, bool)>) -> Self {
        let mut texts = Self::default();
        let mut last: BTreeMap<Rc<str>, (Rc<str>, bool)> = BTreeMap::new();
        let mut keys = Vec::new();
        for (key, text, translated) in read {
            match last.insert(key.clone(), (text, translated)) {
                None => keys.push(key),
                Some((before, _)) => {
                    texts.firsts.entry(key.clone()).or_insert(before);
                    texts.twice.push(key);
                }
            }
        }
        texts.entries = last
            .into_iter()
            .map(|(key, (text, translated))| (key, text, translated))
            .collect();
        let index = |key: &Rc<str>| {
            texts
                .entries
                .binary_search_by(|entry| entry.0.cmp(key))
                .expect("a key") as u32
        };
        texts.order = keys.iter().map(index).collect();
        texts
    }

    /// The keys in file order, each once, with their first text.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.order
            .iter()
            .map(|&at| &*self.entries[at as usize].0)
            .map(|key| (key, self.first(key).unwrap_or_default()))
    }

    /// The first text of a key.
    pub fn first(&self, key: &str) -> Option<&str> {
        self.firsts
            .get(key)
            .map(|text| &**text)
            .or_else(|| Some(self.last(key)?.0))
    }

    /// The last text of a key, and whether it counts as translated.
    pub fn last(&self, key: &str) -> Option<(&str, bool)> {
        let at = self
            .entries
            .binary_search_by(|entry| (*entry.0).cmp(key))
            .ok()?;
        let (_, text, translated) = &self.entries[at];
        Some((text, *translated))
    }

    /// Every key with its last and its first text.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let last = self.entries.iter().map(|(key, text, _)| (&**key, &**text));
        last.chain(self.firsts.iter().map(|(key, text)| (&**key, &**text)))
    }
}

/// A repository and a cache of everything that was read from it.
pub struct Git {
    reader: ObjectReader,
    format: &'static dyn FormatReader,
    commits: HashMap<CommitId, Rc<Commit>>,
    /// The extension of the template; files with a different one are never translations.
    ending: String,
    files: HashMap<TreeId, Files>,
    strings: HashSet<Rc<str>>,
    texts: HashMap<BlobId, Option<Rc<Texts>>>,
}

impl Git {
    pub fn new(repository: &Repository, format: FileFormat, template: &str) -> Self {
        let ending = template.rsplit_once('.').map_or("", |(_, ending)| ending);
        Self {
            ending: format!(".{ending}"),
            strings: HashSet::new(),
            reader: repository.reader_for_histories(64 << 20),
            format: reader(format),
            commits: HashMap::new(),
            files: HashMap::new(),
            texts: HashMap::new(),
        }
    }

    pub fn commit(&mut self, id: CommitId) -> Rc<Commit> {
        let reader = &mut self.reader;
        Rc::clone(
            self.commits
                .entry(id)
                .or_insert_with(|| Rc::new(reader.commit(id).expect("a commit"))),
        )
    }

    pub fn parents(&mut self, id: CommitId) -> Vec<CommitId> {
        self.commit(id).parents.clone()
    }

    /// All files of a commit's tree with the template's extension; links and submodules are ignored.
    pub fn files(&mut self, id: CommitId) -> Files {
        let tree = self.commit(id).tree;
        let reader = &mut self.reader;
        let list = self.files.entry(tree).or_insert_with(|| {
            let list = reader.list_files(tree, "").expect("a tree");
            let file = |kind| {
                if let EntryKind::File(blob) = kind {
                    Some(blob)
                } else {
                    None
                }
            };
            let named = list.into_iter().filter_map(|entry| {
                Some((
                    String::from_utf8(entry.path.into_vec()).ok()?,
                    file(entry.kind)?,
                ))
            });
            Rc::new(
                named
                    .filter(|(path, _)| path.ends_with(&self.ending))
                    .collect(),
            )
        });
        Rc::clone(list)
    }

    /// The texts of a file; none if it does not parse.
    pub fn texts(&mut self, id: BlobId) -> Option<Rc<Texts>> {
        if let Some(known) = self.texts.get(&id) {
            return known.clone();
        }
        let bytes = self.reader.blob(id).expect("a blob");
        let strings = &mut self.strings;
        let mut shared = |text: &str| {
            let found = strings.get(text).cloned();
            found.unwrap_or_else(|| {
                let made: Rc<str> = text.into();
                strings.insert(made.clone());
                made
            })
        };
        let mut entries = Vec::new();
        let read = self.format.read(&bytes, &mut |entry| {
            entries.push((shared(entry.context), shared(entry.text), entry.translated));
        });
        let texts = read.is_ok().then(|| Rc::new(Texts::new(entries)));
        self.texts.insert(id, texts.clone());
        texts
    }

    /// The file with acknowledged translations.
    pub fn reviewed(&mut self, id: CommitId) -> Option<String> {
        let tree = self.commit(id).tree;
        let entry = self.reader.entry_at(tree, ".gitglot/reviewed.toml");
        let Some(EntryKind::File(blob)) = entry.expect("a tree") else {
            return None;
        };
        let bytes = self.reader.blob(blob).expect("a blob");
        Some(String::from_utf8(bytes.to_vec()).expect("text"))
    }

    pub fn mailmap(&mut self, tip: CommitId) -> Mailmap {
        let tree = self.commit(tip).tree;
        Mailmap::read(&mut self.reader, tree).expect("a mailmap")
    }

    /// A commit and its ancestors.
    pub fn ancestors(&mut self, tip: CommitId) -> HashSet<CommitId> {
        let mut seen = HashSet::new();
        self.new_ancestors(&[tip], &mut seen);
        seen
    }

    /// These commits and their ancestors that are not yet seen: depth first, first parent first, parents before
    /// children. Marks all of them as seen.
    pub fn new_ancestors(
        &mut self,
        of: &[CommitId],
        seen: &mut HashSet<CommitId>,
    ) -> Vec<CommitId> {
        let mut order = Vec::new();
        let mut open: Vec<(CommitId, bool)> = of.iter().rev().map(|&id| (id, false)).collect();
        while let Some((id, parents_done)) = open.pop() {
            if parents_done {
                order.push(id);
            } else if seen.insert(id) {
                open.push((id, true));
                open.extend(
                    self.parents(id)
                        .into_iter()
                        .rev()
                        .map(|parent| (parent, false)),
                );
            }
        }
        order
    }
}
