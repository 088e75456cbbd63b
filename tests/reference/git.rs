//! Reading commits, trees and files for the reference, with nothing but maps.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use gitglot::formats::{Outline, Reader, reader};
use gitglot::git::{Commit, EntryKind, Mailmap, ObjectReader, Repository};
use gitglot::model::{BlobId, CommitId, FileFormat, TreeId};

/// The files of a tree, by path.
pub type Files = Rc<BTreeMap<String, BlobId>>;

/// The texts of a file that parses.
#[derive(Default, Debug)]
pub struct Texts {
    /// The keys in file order, each once.
    pub keys: Vec<String>,
    /// Of a key that stands twice, the first text: what a template says.
    pub first: HashMap<String, String>,
    /// Of a key that stands twice, the last text, and whether it counts as translated: what a translation says.
    pub last: HashMap<String, (String, bool)>,
    /// Keys that two different paths lead to, in file order.
    pub twice: Vec<String>,
}

/// A repository with everything that was read from it.
pub struct Git {
    reader: ObjectReader,
    format: &'static dyn Reader,
    commits: HashMap<CommitId, Rc<Commit>>,
    files: HashMap<TreeId, Files>,
    texts: HashMap<BlobId, Option<Rc<Texts>>>,
}

impl Git {
    pub fn new(repository: &Repository, format: FileFormat) -> Self {
        Self {
            reader: repository.reader_for_histories(64 << 20),
            format: reader(format),
            commits: HashMap::new(),
            files: HashMap::new(),
            texts: HashMap::new(),
        }
    }

    pub fn commit(&mut self, id: CommitId) -> Rc<Commit> {
        let reader = &mut self.reader;
        Rc::clone(self.commits.entry(id).or_insert_with(|| Rc::new(reader.commit(id).expect("a commit"))))
    }

    pub fn parents(&mut self, id: CommitId) -> Vec<CommitId> {
        self.commit(id).parents.clone()
    }

    /// All files of a commit's tree; links and submodules are none.
    pub fn files(&mut self, id: CommitId) -> Files {
        let tree = self.commit(id).tree;
        let reader = &mut self.reader;
        let list = self.files.entry(tree).or_insert_with(|| {
            let list = reader.list_files(tree, "").expect("a tree");
            let file = |kind| if let EntryKind::File(blob) = kind { Some(blob) } else { None };
            let named = list
                .into_iter()
                .filter_map(|entry| Some((String::from_utf8(entry.path.into_vec()).ok()?, file(entry.kind)?)));
            Rc::new(named.collect())
        });
        Rc::clone(list)
    }

    /// The texts of a file; none when it does not parse.
    pub fn texts(&mut self, id: BlobId) -> Option<Rc<Texts>> {
        if let Some(known) = self.texts.get(&id) {
            return known.clone();
        }
        let mut bytes = Vec::new();
        self.reader.blob(id, &mut bytes).expect("a blob");
        let mut texts = Texts::default();
        let read = self.format.read(&bytes, &mut Outline::default(), &mut |entry| {
            let (key, text) = (entry.context.to_owned(), entry.text.to_owned());
            texts.last.insert(key.clone(), (text.clone(), entry.translated));
            if texts.first.contains_key(&key) {
                texts.twice.push(key);
            } else {
                texts.first.insert(key.clone(), text);
                texts.keys.push(key);
            }
        });
        let texts = read.is_ok().then(|| Rc::new(texts));
        self.texts.insert(id, texts.clone());
        texts
    }

    pub fn mailmap(&mut self, tip: CommitId) -> Mailmap {
        let tree = self.commit(tip).tree;
        self.reader.mailmap(tree).expect("a mailmap")
    }

    /// A commit and everything before it.
    pub fn ancestors(&mut self, tip: CommitId) -> HashSet<CommitId> {
        let mut seen = HashSet::new();
        self.new_ancestors(&[tip], &mut seen);
        seen
    }

    /// These commits and what is before them, but for what was seen: depth first, first parent first, every commit
    /// after its parents. All of them are then seen.
    pub fn new_ancestors(&mut self, of: &[CommitId], seen: &mut HashSet<CommitId>) -> Vec<CommitId> {
        let mut order = Vec::new();
        let mut open: Vec<(CommitId, bool)> = of.iter().rev().map(|&id| (id, false)).collect();
        while let Some((id, parents_done)) = open.pop() {
            if parents_done {
                order.push(id);
            } else if seen.insert(id) {
                open.push((id, true));
                open.extend(self.parents(id).into_iter().rev().map(|parent| (parent, false)));
            }
        }
        order
    }
}
