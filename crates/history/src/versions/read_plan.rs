//! Chooses the versions of files that a step reads, and their order. Reads no file contents.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::parsed::{Version, Versions};
use super::read::ReadJob;
use crate::files::trees::{FileIndex, FileSet, FileSetIndex, Trees};
use crate::graph::walk::{Graph, MainlineCommit, NodeIndex};
use gitglot_model::{BlobId, SeededMap, SeededSet};

/// Plans one job for each path of a window of mainline commits; each blob that is not known is read once.
///
/// A window reads all files of mainline commits and of commits that change the template. Of other commits it reads the
/// files that differ from a parent's, or all if it acknowledges texts. `single_form` returns whether the language of a
/// path has a single plural form, `acknowledges` whether a commit does that.
pub fn plan(
    graph: &Graph,
    window: Range<usize>,
    sets: &[Option<FileSetIndex>],
    trees: &Trees,
    known: &Versions,
    (single_form, acknowledges): (impl Fn(&str) -> bool, impl Fn(NodeIndex) -> bool),
) -> Vec<ReadJob> {
    let no_files = FileSet::default();
    let mut planned = PlannedFiles {
        graph,
        sets,
        trees,
        no_files: &no_files,
        files: Vec::new(),
        seen: vec![false; trees.files.len()],
        seen_sets: SeededSet::default(),
        templates: SeededSet::default(),
    };
    // Newest commit first, branch by branch, so that each version resembles the one before it. Git packs versions in
    // the same order.
    for mainline in graph.mainline[window].iter().rev() {
        planned.add_mainline_commit(mainline);
        for &side in mainline.side_commits.iter().rev() {
            planned.add_side_commit(side);
            if acknowledges(side) {
                planned.add_set(planned.set(side));
            }
        }
    }
    let (files, templates) = (planned.files, planned.templates);
    jobs(trees, &files, &templates, known, single_form)
}

/// One job for each path of some files; each blob that is not known is read once.
pub fn jobs(
    trees: &Trees,
    files: &[FileIndex],
    templates: &SeededSet<Arc<str>>,
    known: &Versions,
    single_form: impl Fn(&str) -> bool,
) -> Vec<ReadJob> {
    let mut jobs: BTreeMap<&Arc<str>, ReadJob> = BTreeMap::new();
    let mut seen: SeededSet<BlobId> = SeededSet::default();
    let mut bases: SeededMap<&Arc<str>, &Version> = SeededMap::default();
    // Templates first: a version that is read as another file's does not know the order of its keys.
    for is_template in [true, false] {
        let files = files.iter().map(|&file| &trees.files[file as usize]);
        for file in files.filter(|file| templates.contains(&file.path) == is_template) {
            let version = known.get(&file.blob);
            let is_known = version.is_some_and(|version| !is_template || !version.lacks_order());
            bases.extend(version.map(|version| (&file.path, version)));
            if is_known || !seen.insert(file.blob) {
                continue;
            }
            let job = jobs.entry(&file.path).or_insert_with(|| ReadJob {
                blobs: Vec::new(),
                base: None,
                is_template,
                single_form: single_form(&file.path),
            });
            job.blobs.push(file.blob);
        }
    }
    let with_base = |(path, job): (&Arc<str>, ReadJob)| ReadJob {
        base: bases.get(path).and_then(|base| base.parsed()).cloned(),
        ..job
    };
    jobs.into_iter().map(with_base).collect()
}

/// The files whose versions a window compares.
struct PlannedFiles<'a> {
    graph: &'a Graph,
    /// The files of each node.
    sets: &'a [Option<FileSetIndex>],
    trees: &'a Trees,
    no_files: &'a FileSet,
    files: Vec<FileIndex>,
    /// By [`FileIndex`].
    seen: Vec<bool>,
    /// The sets of mainline commits whose files were added.
    seen_sets: SeededSet<FileSetIndex>,
    /// Paths of files that are the template of some tree.
    templates: SeededSet<Arc<str>>,
}

impl<'a> PlannedFiles<'a> {
    fn set(&self, node: NodeIndex) -> &'a FileSet {
        let set = self.sets[node as usize];
        set.map_or(self.no_files, |set| &self.trees.sets[set as usize])
    }

    fn add_mainline_commit(&mut self, mainline: &MainlineCommit) {
        let graph = self.graph;
        let parents = &graph.node(mainline.node).parents;
        // A known parent may have the last readable version of a file that is broken here.
        let known_parents = parents.iter().copied();
        let known_parents = known_parents.filter(|&parent| !graph.is_new(parent));
        let compared = std::iter::once(mainline.node).chain(mainline.base);
        for node in compared.chain(known_parents) {
            if self.sets[node as usize].is_some_and(|set| self.seen_sets.insert(set)) {
                self.add_set(self.set(node));
            }
        }
        // So may a first parent that is new in this step.
        let first = parents.first();
        if let Some(&parent) = first.filter(|&&parent| Some(parent) != mainline.base) {
            for (_, old, _) in self.set(parent).diff(self.set(mainline.node)) {
                old.into_iter().for_each(|file| self.add(file));
            }
        }
    }

    fn add_side_commit(&mut self, side: NodeIndex) {
        let parents = &self.graph.node(side).parents;
        let set = self.set(side);
        self.add_template(set);
        if set.template.is_none() {
            // The strings of the component are those of all files.
            self.add_set(set);
            for &parent in parents {
                self.add_set(self.set(parent));
            }
        }
        let template = parents.first().map(|&parent| self.set(parent).template);
        if template.is_none_or(|template| template != set.template) {
            // A new key may have texts in every language.
            self.add_set(set);
        }
        for &parent in parents {
            self.add_template(self.set(parent));
            if self.sets[side as usize] != self.sets[parent as usize] {
                for (_, old, new) in self.set(parent).diff(set) {
                    new.into_iter().chain(old).for_each(|file| self.add(file));
                }
            }
        }
    }

    fn add(&mut self, file: FileIndex) {
        if !std::mem::replace(&mut self.seen[file as usize], true) {
            self.files.push(file);
        }
    }

    fn add_template(&mut self, set: &FileSet) {
        if let Some((_, file)) = set.template {
            self.add(file);
            let path = &self.trees.files[file as usize].path;
            self.templates.insert(path.clone());
        }
    }

    fn add_set(&mut self, set: &FileSet) {
        self.add_template(set);
        set.files.iter().for_each(|&(_, file)| self.add(file));
    }
}
