//! Follows texts of files back through the history, from a commit to the commits that wrote them.
//!
//! A text goes on to the first parent that has it too. Where no parent has it, the commit wrote it. History that cannot
//! be read, or is beyond the limits, counts as none.

use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use super::file::ParsedFile;
use gitglot_git::{CommitHeader, EntryKind, GitError, ObjectReader};
use gitglot_model::{BlobId, CommitId, Component, SeededMap, SeededSet, TreeId};

/// Most commits that a walk visits.
const MAX_COMMITS: usize = 10_000;
/// Most bytes of files that a walk parses.
const MAX_BYTES: usize = 64 << 20;

/// A file with texts to follow.
pub(super) struct TracedFile<'a> {
    pub(super) path: Arc<str>,
    /// Whether the language has a single plural form, which some formats depend on.
    pub(super) single_form: bool,
    /// The texts, by key, in the order of the file.
    pub(super) texts: Vec<TracedText<'a>>,
    pub(super) by_key: SeededMap<&'a str, usize>,
}

/// A text that a change replaces.
pub(super) struct TracedText<'a> {
    pub(super) key: &'a str,
    pub(super) before: &'a str,
    pub(super) after: &'a str,
}

/// A commit that wrote a text.
pub(super) struct Writing<'w> {
    /// The indexes of the file and of the text in it.
    pub(super) file: usize,
    pub(super) text: usize,
    pub(super) commit: CommitId,
    /// The text that the commit replaced, and the tree of its first parent, which has it.
    pub(super) replaced: Option<(TreeId, &'w str)>,
}

/// The indexes of texts by that of their file, with the text that each has at a commit.
type Texts = BTreeMap<usize, BTreeMap<usize, String>>;

pub(super) struct TextWalk<'a> {
    reader: ObjectReader,
    component: &'a Component,
    files: &'a [TracedFile<'a>],
    /// The commits to visit, newest first.
    next: BinaryHeap<(i64, CommitId)>,
    waiting: SeededMap<CommitId, (CommitHeader, Texts)>,
    bytes: usize,
}

impl<'a> TextWalk<'a> {
    pub(super) fn new(
        reader: ObjectReader,
        component: &'a Component,
        files: &'a [TracedFile<'a>],
    ) -> Self {
        Self {
            reader,
            component,
            files,
            next: BinaryHeap::new(),
            waiting: SeededMap::default(),
            bytes: MAX_BYTES,
        }
    }

    /// Follows texts that a commit has, through the commits of a set or all. `wrote` decides whether to follow the text
    /// that was replaced.
    pub(super) fn run(
        &mut self,
        start: CommitId,
        texts: Texts,
        within: Option<&SeededSet<CommitId>>,
        wrote: &mut dyn FnMut(Writing<'_>) -> bool,
    ) {
        let Ok(header) = self.reader.commit_header(start) else {
            return;
        };
        self.next.push((header.committed, start));
        self.waiting.insert(start, (header, texts));
        for _ in 0..MAX_COMMITS {
            let Some((_, id)) = self.next.pop() else {
                break;
            };
            if let Some((header, texts)) = self.waiting.remove(&id) {
                // The texts of a commit whose objects are missing or damaged have no history.
                let _ = self.visit(id, &header, texts, within, wrote);
            }
        }
        self.next.clear();
        self.waiting.clear();
    }

    fn visit(
        &mut self,
        id: CommitId,
        header: &CommitHeader,
        texts: Texts,
        within: Option<&SeededSet<CommitId>>,
        wrote: &mut dyn FnMut(Writing<'_>) -> bool,
    ) -> Result<(), GitError> {
        let followed = header.parents.iter().copied();
        let followed = followed.filter(|parent| within.is_none_or(|set| set.contains(parent)));
        let parents = followed.map(|parent| Ok((parent, self.reader.commit_header(parent)?)));
        let parents: Vec<_> = parents.collect::<Result<_, GitError>>()?;
        // Most commits change no file of the component.
        let folder = self.component.filemask.folder();
        if let Some(parent) = self.parent_with(header, &parents, folder)? {
            self.wait(&parents[parent], texts);
            return Ok(());
        }
        for (file, texts) in texts {
            let path = self.files[file].path.clone();
            if let Some(parent) = self.parent_with(header, &parents, &path)? {
                self.wait(&parents[parent], Texts::from([(file, texts)]));
                continue;
            }
            let versions = parents
                .iter()
                .map(|(_, parent)| self.texts_at(parent.tree, file, &texts))
                .collect::<Result<Vec<_>, _>>()?;
            let mut moved = vec![BTreeMap::new(); parents.len()];
            for (text, current) in texts {
                let has = |version: &BTreeMap<usize, String>| version.get(&text) == Some(&current);
                if let Some(parent) = versions.iter().position(has) {
                    moved[parent].insert(text, current);
                    continue;
                }
                let first = parents.first().zip(versions.first());
                let replaced = first.and_then(|((_, parent), version)| {
                    Some((parent.tree, version.get(&text)?.as_str()))
                });
                let is_followed = wrote(Writing {
                    file,
                    text,
                    commit: id,
                    replaced,
                });
                if let Some((_, replaced)) = replaced.filter(|_| is_followed) {
                    moved[0].insert(text, replaced.to_owned());
                }
            }
            for (parent, texts) in parents.iter().zip(moved) {
                if !texts.is_empty() {
                    self.wait(parent, Texts::from([(file, texts)]));
                }
            }
        }
        Ok(())
    }

    /// The first parent that has the same object at a path.
    fn parent_with(
        &mut self,
        header: &CommitHeader,
        parents: &[(CommitId, CommitHeader)],
        path: &str,
    ) -> Result<Option<usize>, GitError> {
        let entry = self.reader.entry_at(header.tree, path)?;
        for (at, (_, parent)) in parents.iter().enumerate() {
            if self.reader.entry_at(parent.tree, path)? == entry {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    fn wait(&mut self, (id, header): &(CommitId, CommitHeader), texts: Texts) {
        let next = &mut self.next;
        let (_, waiting) = self.waiting.entry(*id).or_insert_with(|| {
            next.push((header.committed, *id));
            (header.clone(), Texts::new())
        });
        for (file, texts) in texts {
            waiting.entry(file).or_default().extend(texts);
        }
    }

    /// The translations of these texts in a tree.
    fn texts_at(
        &mut self,
        tree: TreeId,
        file: usize,
        texts: &BTreeMap<usize, String>,
    ) -> Result<BTreeMap<usize, String>, GitError> {
        let traced = &self.files[file];
        let mut found = BTreeMap::new();
        let path = traced.path.clone();
        if let Some(content) = self.parsed(tree, &path, traced.single_form)? {
            for entry in 0..content.len() {
                let text = traced.by_key.get(content.key(entry));
                if let Some(&text) = text.filter(|text| texts.contains_key(text)) {
                    if content.is_translated(entry) {
                        found.insert(text, content.text(entry).to_owned())
                    } else {
                        found.remove(&text)
                    };
                }
            }
        }
        Ok(found)
    }

    /// The file at a path of a tree; `None` if it does not exist, does not parse, or is beyond the limit.
    pub(super) fn parsed(
        &mut self,
        tree: TreeId,
        path: &str,
        single_form: bool,
    ) -> Result<Option<ParsedFile>, GitError> {
        let Some(EntryKind::File(blob)) = self.reader.entry_at(tree, path)? else {
            return Ok(None);
        };
        let Some(bytes) = self.bytes_of(blob)? else {
            return Ok(None);
        };
        let format = self.component.file_format;
        let content = ParsedFile::parse(bytes, None, format, single_form);
        Ok(Some(content).filter(|content| content.error.is_none()))
    }

    fn bytes_of(&mut self, blob: BlobId) -> Result<Option<Arc<Vec<u8>>>, GitError> {
        if self.bytes == 0 {
            return Ok(None);
        }
        let bytes = self.reader.blob(blob)?;
        self.bytes = self.bytes.saturating_sub(bytes.len());
        Ok(Some(bytes))
    }
}
