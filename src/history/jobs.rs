//! Which versions of files a step reads. It knows the graph and the files of its commits, and none of their texts.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::Graph;
use super::trees::{FileIx, FileSet, SetIx, Trees};
use super::versions::{Job, Version};
use crate::model::BlobId;

/// Which versions must be read: all files of mainline commits and of those that change the template, and of other
/// commits those that differ from a parent's; of each blob that is not known, one.
pub(super) fn jobs(
    graph: &Graph,
    sets: &[Option<SetIx>],
    trees: &Trees,
    known: &FxHashMap<BlobId, Version>,
) -> Vec<Job> {
    let mut wanted =
        Wanted { files: Vec::new(), seen: vec![false; trees.files.len()], templates: FxHashSet::default() };
    let empty = FileSet::default();
    let set = |node: u32| sets[node as usize].map_or(&empty, |set| &trees.sets[set as usize]);
    let mut seen_sets: FxHashSet<SetIx> = FxHashSet::default();
    // From the newest commit to the oldest, branch by branch: then a version differs little from the one before,
    // and it suits how git packs versions of a file.
    for merge in graph.mainline.iter().rev() {
        // A parent that is older than the step may hold the last good version of a file that is broken here.
        let parents = graph.nodes[merge.node as usize].parents.iter().copied();
        let elders = parents.filter(|&parent| parent as usize >= graph.new);
        for node in [Some(merge.node), merge.base].into_iter().flatten().chain(elders) {
            if sets[node as usize].is_some_and(|set| seen_sets.insert(set)) {
                wanted.add_set(set(node), trees);
            }
        }
        // A file that is broken here keeps its first parent's version, also where that parent came in with the step.
        if let Some(&parent) = graph.nodes[merge.node as usize].parents.first()
            && Some(parent) != merge.base
        {
            set(parent).diff(set(merge.node)).iter().filter_map(|&(_, old, _)| old).for_each(|file| wanted.add(file));
        }
        for &side in merge.sides.iter().rev() {
            let parents = &graph.nodes[side as usize].parents;
            wanted.add_template(set(side), trees);
            if parents.first().is_none_or(|&parent| set(parent).template != set(side).template) {
                // A key that it gains may bring texts of every language.
                wanted.add_set(set(side), trees);
            }
            for &parent in parents {
                wanted.add_template(set(parent), trees);
                if sets[side as usize] != sets[parent as usize] {
                    for (_, old, new) in set(parent).diff(set(side)) {
                        new.into_iter().chain(old).for_each(|file| wanted.add(file));
                    }
                }
            }
        }
    }
    let mut jobs = Jobs { known, list: FxHashMap::default(), seen: FxHashSet::default() };
    // Templates first: a version that is read as another file's does not know the order of its keys.
    for is_template in [true, false] {
        for &file in &wanted.files {
            let version = &trees.files[file as usize];
            if wanted.templates.contains(&version.path) == is_template {
                jobs.add(&version.path, version.blob, is_template);
            }
        }
    }
    let mut jobs: Vec<(Arc<str>, Job)> = jobs.list.into_iter().collect();
    jobs.sort_by(|a, b| a.0.cmp(&b.0));
    jobs.into_iter().map(|(_, job)| job).collect()
}

/// The files whose versions a step looks at.
struct Wanted {
    files: Vec<FileIx>,
    /// By [`FileIx`].
    seen: Vec<bool>,
    /// Paths of files that serve as template in some tree.
    templates: FxHashSet<Arc<str>>,
}

impl Wanted {
    fn add(&mut self, file: FileIx) {
        if let Some(seen) = self.seen.get_mut(file as usize)
            && !std::mem::replace(seen, true)
        {
            self.files.push(file);
        }
    }

    fn add_template(&mut self, set: &FileSet, trees: &Trees) {
        if let Some((_, file)) = set.template {
            self.add(file);
            let path = &trees.files[file as usize].path;
            if !self.templates.contains(path) {
                self.templates.insert(path.clone());
            }
        }
    }

    fn add_set(&mut self, set: &FileSet, trees: &Trees) {
        self.add_template(set, trees);
        set.files.iter().for_each(|&(_, file)| self.add(file));
    }
}

/// The versions to be read, by path.
struct Jobs<'a> {
    known: &'a FxHashMap<BlobId, Version>,
    list: FxHashMap<Arc<str>, Job>,
    seen: FxHashSet<BlobId>,
}

impl Jobs<'_> {
    fn add(&mut self, path: &Arc<str>, blob: BlobId, is_template: bool) {
        let known = match self.known.get(&blob) {
            Some(Version::Good(good)) => !is_template || good.has_order(),
            Some(Version::Broken) => true,
            None => false,
        };
        if known || !self.seen.insert(blob) {
            return;
        }
        let job = self.list.entry(path.clone()).or_insert_with(|| Job { blobs: Vec::new(), is_template });
        job.blobs.push(blob);
    }
}
