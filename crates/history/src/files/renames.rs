//! Finds older paths of renamed language files and locale directories (docs/spec/change-log.md#renames).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::ancestor_lookup::nearest_set;
use super::layout::{Layouts, MovedFile};
use super::older_mask::candidate_masks;
use super::similar_files::{MIN_SIMILARITY, Pairs, SimilarFiles, similarity};
use super::trees::{FileIndex, FileSetIndex, LanguageIndex, Trees};
use crate::graph::walk::{Graph, NodeIndex};
use gitglot_formats::{FormatReader, RawEntry};
use gitglot_git::{EntryKind, GitError, ObjectReader, TreeEntry};
use gitglot_model::{
    BlobId, CommitId, FileMask, Seeded, TreeId, file_of_part, join_path, language, steps,
};

/// Most bytes of paths that are read to find the files that a commit deletes.
const MAX_PATH_BYTES: usize = 64 << 20;

/// Walks the mainline of a step from the newest commit back, and adds the older paths that it finds to the layouts.
pub fn find_renames(
    reader: &mut ObjectReader,
    format: &dyn FormatReader,
    graph: &Graph,
    trees: &mut Trees,
    layouts: &mut Layouts,
) -> Result<(), GitError> {
    let mut finder = RenameFinder {
        known_moves: layouts.moved.len(),
        reader,
        format,
        trees,
        layouts,
        parsed: HashMap::new(),
    };
    finder.find(graph)
}

struct RenameFinder<'a> {
    reader: &'a mut ObjectReader,
    format: &'a dyn FormatReader,
    trees: &'a mut Trees,
    layouts: &'a mut Layouts,
    /// Number of moved files known before this step; those found now are newer.
    known_moves: usize,
    /// The pairs of the files of one commit that were compared.
    parsed: HashMap<BlobId, Rc<Pairs>>,
}

/// Paths that a commit deletes, with their blobs.
type DeletedFiles = BTreeMap<Arc<str>, BlobId>;

impl RenameFinder<'_> {
    fn find(&mut self, graph: &Graph) -> Result<(), GitError> {
        let known = self.layouts.clone();
        let commit = |node: NodeIndex| &graph.node(node).commit;
        let base = graph.mainline.first().and_then(|first| first.base);
        let old_tip = base.map(|node| commit(node).id);
        let mainline = graph.mainline.iter().rev();
        let nodes = mainline.map(|commit| commit.node).chain(base);
        let mainline: Vec<TreeId> = nodes.map(|node| commit(node).tree).collect();
        for at in 0..mainline.len() {
            if let [tree, older @ ..] = &mainline[at..] {
                self.compare(*tree, older, old_tip)?;
            }
        }
        match old_tip.filter(|_| self.known_moves < self.layouts.moved.len()) {
            Some(old_tip) => self.rename_languages(&known, old_tip),
            None => Ok(()),
        }
    }

    /// Swaps two languages in the language table if a file of the old tip now belongs to the other one, so that its
    /// lineage follows the file.
    fn rename_languages(&mut self, known: &Layouts, old_tip: CommitId) -> Result<(), GitError> {
        let mut files = |trees: &mut Trees, layouts: &Layouts| {
            trees.clear_layout_caches();
            let nearest = nearest_set(self.reader, trees, layouts, old_tip)?;
            Ok::<_, GitError>(nearest.map_or_else(Box::default, |nearest| {
                trees.sets[nearest.set as usize].files.clone()
            }))
        };
        let before = files(self.trees, known)?;
        let now = files(self.trees, self.layouts)?;
        self.trees.clear_layout_caches();
        let successors = now.iter().map(|&(language, file)| (file, language));
        let successors: HashMap<FileIndex, LanguageIndex> = successors.collect();
        let mut renamed = Vec::new();
        for &(language, file) in &before {
            let successor = successors.get(&file).copied();
            if let Some(successor) = successor.filter(|&successor| successor != language) {
                let code = self.trees.languages[usize::from(successor)].clone();
                renamed.push((language, code));
            }
        }
        for (language, code) in renamed {
            self.trees.rename_language(language, &code);
        }
        Ok(())
    }

    /// Compares a tree with the older ones of the step, newest first.
    fn compare(
        &mut self,
        tree: TreeId,
        older: &[TreeId],
        old_tip: Option<CommitId>,
    ) -> Result<(), GitError> {
        let Some(&parent) = older.first().filter(|&&parent| parent != tree) else {
            return Ok(());
        };
        self.parsed.clear();
        let Some(set) = self.trees.set_of(self.reader, self.layouts, tree)? else {
            return Ok(());
        };
        let (parent, before) = match self.trees.set_of(self.reader, self.layouts, parent)? {
            Some(before) if before == set => return Ok(()),
            Some(before) => (parent, before),
            None => {
                let deleted = self.deleted_files(tree, parent)?;
                if self.find_older_layout(set, &deleted)? {
                    self.trees.clear_layout_caches();
                }
                // A tree without a layout counts as the one before it.
                let mut earlier = None;
                for &tree in older {
                    if let Some(before) = self.trees.set_of(self.reader, self.layouts, tree)? {
                        earlier = Some((tree, before));
                        break;
                    }
                }
                if let (None, Some(old_tip)) = (earlier, old_tip) {
                    let nearest = nearest_set(self.reader, self.trees, self.layouts, old_tip)?;
                    earlier = nearest.map(|nearest| (nearest.tree, nearest.set));
                }
                let Some(earlier) = earlier else {
                    return Ok(());
                };
                earlier
            }
        };
        let sets = &self.trees.sets;
        let (old, new) = (&sets[before as usize], &sets[set as usize]);
        let added = new.files.iter().copied();
        let added = added.filter(|&(language, _)| old.file(language).is_none());
        let mut added: Vec<_> = added.collect();
        if added.is_empty() {
            return Ok(());
        }
        let path = |file: FileIndex| &self.trees.files[file as usize].path;
        added.sort_by(|(_, a), (_, b)| path(*a).cmp(path(*b)));
        let deleted = self.deleted_files(tree, parent)?;
        self.find_older_paths(&added, set, before, &deleted)
    }

    /// The files of the parent that the commit lacks, with the template's extension.
    fn deleted_files(&mut self, tree: TreeId, parent: TreeId) -> Result<DeletedFiles, GitError> {
        let newest = self.layouts.newest();
        let file = if self.layouts.has_template() {
            &*newest.template
        } else {
            newest.mask.as_str()
        };
        let file = file_of_part(file);
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let suffix = format!(".{extension}");
        let mut deleted = DeletedFiles::new();
        each_deleted(self.reader, parent, tree, &mut |path, blob| {
            if file_of_part(path).ends_with(&suffix) {
                deleted.insert(path.into(), blob);
            }
        })?;
        self.with_tables(deleted, parent)
    }

    /// The files with those for plurals next to them, if the component has such.
    fn with_tables(
        &mut self,
        mut deleted: DeletedFiles,
        parent: TreeId,
    ) -> Result<DeletedFiles, GitError> {
        let mask = self.layouts.newest().mask.clone();
        let first_files = FileMask::new(mask.first_files());
        let Some(first_files) = first_files.ok().filter(|_| mask.has_tables()) else {
            return Ok(deleted);
        };
        let paths: Vec<Arc<str>> = deleted.keys().cloned().collect();
        for path in paths {
            let Some(code) = first_files.matches(&path) else {
                continue;
            };
            let group = mask.with_code(code);
            if let Some(EntryKind::File(blob)) = self.reader.entry_at(parent, &*group)? {
                deleted.remove(&path);
                deleted.insert(group.into(), blob);
            }
        }
        Ok(deleted)
    }

    /// Finds the older mask, and the template's older path, for a commit whose parent no known layout fits. Returns
    /// whether they were found.
    fn find_older_layout(
        &mut self,
        set: FileSetIndex,
        deleted: &DeletedFiles,
    ) -> Result<bool, GitError> {
        let Some((_, file)) = self.trees.sets[set as usize].template else {
            if self.layouts.has_template() {
                return Ok(false);
            }
            let mask = self.derive_older_mask(set, None, deleted)?;
            return Ok(mask.map(|mask| self.layouts.add(mask, "".into())).is_some());
        };
        let blob = self.trees.files[file as usize].blob;
        if self.layouts.newest().mask.has_parts() {
            return self.find_older_file(blob, deleted);
        }
        // A translation can be a copy of the template, so the language in the path precedes the content.
        let paths = deleted.iter().map(|(path, blob)| (path.clone(), *blob));
        let (of_template, others): (DeletedFiles, DeletedFiles) =
            paths.partition(|(path, _)| self.names_template_language(path));
        let older = match self.most_similar(blob, &of_template)? {
            Some(older) => Some(older),
            None => self.most_similar(blob, &others)?,
        };
        let Some(older) = older else {
            return Ok(false);
        };
        let mut known = self.layouts.list.iter();
        if known.any(|layout| layout.mask.matches(&older).is_some()) {
            self.layouts.add_template(older);
            return Ok(true);
        }
        let Some(mask) = self.derive_older_mask(set, Some(&older), deleted)? else {
            return Ok(false);
        };
        // The reader of the repository knows the groups of tables by their names.
        let newest = &self.layouts.newest().mask;
        let name = |mask: &FileMask| mask.groups("").into_iter().next().map(|group| group.name);
        let tables = FileMask::new(&[mask.as_str(), "**"].concat()).ok();
        match tables.filter(|mask| newest.has_tables() && name(mask) == name(newest)) {
            Some(mask) => {
                let older = mask.source_path(&older).into();
                self.layouts.add(mask, older);
            }
            None => self.layouts.add(mask, older),
        }
        Ok(true)
    }

    /// Finds the older file with all languages: the one with the most similar source texts.
    fn find_older_file(&mut self, blob: BlobId, deleted: &DeletedFiles) -> Result<bool, GitError> {
        let is_source = |path: &str| {
            let mask = FileMask::new(&file_of_part(path));
            mask.is_ok_and(|mask| mask.source_path("") == path)
        };
        let sources = deleted.iter().filter(|(path, _)| is_source(path));
        let sources: DeletedFiles = sources.map(|(path, blob)| (path.clone(), *blob)).collect();
        let Some(older) = self.most_similar(blob, &sources)? else {
            return Ok(false);
        };
        let mask = FileMask::new(&file_of_part(&older));
        Ok(mask.map(|mask| self.layouts.add(mask, older)).is_ok())
    }

    /// Whether a known mask, or a mask derived from the path, gives a path the language of the template. Never, if the
    /// configured mask does not match the template: then the path of the template names no language.
    fn names_template_language(&self, path: &str) -> bool {
        let newest = self.layouts.newest();
        if newest.mask.matches(&newest.template).is_none() {
            return false;
        }
        let template_language = self.layouts.template_language();
        let names = |mask: &FileMask| {
            let code = mask.matches(path)?;
            Some(language::resolve(code).code == template_language)
        };
        let mut known = self.layouts.list.iter();
        let known = known.find_map(|layout| names(&layout.mask));
        known.unwrap_or_else(|| {
            let mut masks = candidate_masks(path).into_iter();
            masks.any(|mask| names(&mask) == Some(true))
        })
    }

    /// Derives the older mask: the one under which the most deleted files have a similar file of the same language in
    /// the commit. `template` is the older path of the template, if there is one.
    fn derive_older_mask(
        &mut self,
        set: FileSetIndex,
        template: Option<&str>,
        deleted: &DeletedFiles,
    ) -> Result<Option<FileMask>, GitError> {
        let template_language = self.layouts.template_language();
        let files = self.trees.sets[set as usize].files.iter();
        let present = files.map(|&(language, file)| {
            let code = self.trees.languages[usize::from(language)].clone();
            (code, self.trees.files[file as usize].blob)
        });
        let present: BTreeMap<Arc<str>, BlobId> = present.collect();
        // Each mask with the number of files of the same language.
        let mut candidates: BTreeMap<String, (usize, FileMask)> = BTreeMap::new();
        // A file of the template's language may have other texts now.
        for mask in template.map(candidate_masks).into_iter().flatten() {
            candidates.insert(mask.as_str().to_owned(), (0, mask));
        }
        for (path, &blob) in deleted {
            for mask in candidate_masks(path) {
                let code = mask.matches(path).map(|code| language::resolve(code).code);
                let Some(&now) = code.and_then(|code| present.get(&code)) else {
                    continue;
                };
                if now == blob || self.similarity(now, blob)? >= MIN_SIMILARITY {
                    let text = mask.as_str().to_owned();
                    candidates.entry(text).or_insert((0, mask)).0 += 1;
                }
            }
        }
        let rank = |&(matching, ref mask): &(usize, FileMask)| {
            let code = template.and_then(|path| mask.matches(path));
            let fits = code.is_some_and(|code| language::resolve(code).code == template_language);
            (matching, fits, mask.as_str().len())
        };
        let best = candidates.into_values().max_by_key(rank);
        Ok(best.map(|(_, mask)| mask))
    }

    /// Finds the older paths of languages that the parent lacks, and adds them to the layouts.
    fn find_older_paths(
        &mut self,
        added: &[(LanguageIndex, FileIndex)],
        set: FileSetIndex,
        before: FileSetIndex,
        deleted: &DeletedFiles,
    ) -> Result<(), GitError> {
        let sets = &self.trees.sets;
        let (old, new) = (&sets[before as usize], &sets[set as usize]);
        let template = new.template;
        // Files of languages that are still present are no candidates.
        let still_present = old.files.iter();
        let still_present = still_present.filter(|&&(language, _)| new.file(language).is_some());
        let path = |&(_, file): &(_, FileIndex)| &self.trees.files[file as usize].path;
        let still_present: HashSet<_> = still_present.map(path).cloned().collect();
        let candidates = deleted.iter().map(|(path, blob)| (path, *blob));
        let candidates = candidates.filter(|(path, _)| !still_present.contains(*path));
        let candidates: Vec<(&Arc<str>, BlobId)> = candidates.collect();
        if candidates.is_empty() {
            return Ok(());
        }
        let blob = |trees: &Trees, file: FileIndex| trees.files[file as usize].blob;
        let copies = match template {
            Some((_, file)) => self.pairs(blob(self.trees, file))?,
            None => Rc::default(),
        };
        let mut files = SimilarFiles::default();
        for &(_, blob) in &candidates {
            let pairs = self.pairs(blob)?;
            files.add(&pairs, &copies);
        }
        let mut moved = Vec::new();
        for &(language, file) in added {
            let pairs = self.pairs(blob(self.trees, file))?;
            let most_similar = files.take_most_similar(&pairs, &copies);
            if let Some((path, _)) = most_similar.and_then(|at| candidates.get(at)) {
                let language = self.trees.languages[usize::from(language)].clone();
                let path = Arc::clone(path);
                moved.push(MovedFile { path, language });
            }
        }
        if !moved.is_empty() {
            let at = self.layouts.moved.len() - self.known_moves;
            self.layouts.moved.splice(at..at, moved);
            self.trees.clear_layout_caches();
        }
        Ok(())
    }

    /// The most similar file, of which one with the same blob takes precedence; the first path on a tie.
    fn most_similar(
        &mut self,
        blob: BlobId,
        files: &DeletedFiles,
    ) -> Result<Option<Arc<str>>, GitError> {
        if let Some((path, _)) = files.iter().find(|&(_, &other)| other == blob) {
            return Ok(Some(path.clone()));
        }
        let mut best: Option<(f64, &Arc<str>)> = None;
        for (path, &other) in files {
            let similarity = self.similarity(blob, other)?;
            if similarity >= MIN_SIMILARITY && best.is_none_or(|(highest, _)| similarity > highest)
            {
                best = Some((similarity, path));
            }
        }
        Ok(best.map(|(_, path)| path.clone()))
    }

    fn similarity(&mut self, a: BlobId, b: BlobId) -> Result<f64, GitError> {
        let (a, b) = (self.pairs(a)?, self.pairs(b)?);
        Ok(similarity(&a, &b))
    }

    /// The entries of a blob; none if it does not parse.
    fn pairs(&mut self, blob: BlobId) -> Result<Rc<Pairs>, GitError> {
        use std::hash::BuildHasher;
        if let Some(pairs) = self.parsed.get(&blob) {
            return Ok(pairs.clone());
        }
        let bytes = match self.reader.blob(blob) {
            Ok(bytes) => bytes,
            Err(error) if error.is_damage() => return Err(error),
            Err(_) => Arc::default(),
        };
        steps::count(bytes.len());
        let hasher = Seeded::default();
        let mut pairs = Pairs::new();
        let read = &mut |entry: RawEntry<'_>| {
            // Strings that nobody translated are no evidence of a rename.
            if entry.bilingual.is_none() || !entry.text.is_empty() {
                pairs.push(hasher.hash_one((&*entry.key(), entry.text)));
            }
        };
        let read = (self.format).read(&bytes, read);
        if read.is_err() {
            pairs.clear();
        }
        pairs.sort_unstable();
        pairs.dedup();
        let pairs = Rc::new(pairs);
        self.parsed.insert(blob, pairs.clone());
        Ok(pairs)
    }
}

/// Calls `found` for each file of `before` whose path `after` lacks. Skips equal directories. Stops after
/// [`MAX_PATH_BYTES`]: a crafted tree can expand to more than fits into memory.
fn each_deleted(
    reader: &mut ObjectReader,
    before: TreeId,
    after: TreeId,
    found: &mut dyn FnMut(&str, BlobId),
) -> Result<(), GitError> {
    let mut path_bytes = 0;
    let mut pending = vec![(String::new(), before, Some(after))];
    while let Some((folder, before, after)) = pending.pop() {
        let after = after.map_or_else(|| Ok(Vec::new()), |after| reader.tree(after))?;
        let after = after.into_iter().map(|entry| (entry.name, entry.kind));
        let after: HashMap<_, _> = after.collect();
        for TreeEntry { name, kind } in reader.tree(before)? {
            let now = after.get(&name).copied();
            let Ok(name) = std::str::from_utf8(&name) else {
                continue;
            };
            path_bytes += folder.len() + name.len();
            if path_bytes > MAX_PATH_BYTES {
                return Ok(());
            }
            match (kind, now) {
                (_, Some(now)) if now == kind => {}
                (EntryKind::Tree(tree), Some(EntryKind::Tree(now))) => {
                    pending.push((join_path(&folder, name), tree, Some(now)));
                }
                (EntryKind::Tree(tree), _) => pending.push((join_path(&folder, name), tree, None)),
                (EntryKind::File(_), Some(EntryKind::File(_))) => {}
                (EntryKind::File(blob), _) => found(&join_path(&folder, name), blob),
                _ => {}
            }
        }
    }
    Ok(())
}
