//! Finds where the files of a component stood before they were renamed (`log.md` 7).

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::files;
use super::graph::{Graph, NodeIx};
use super::trees::{Layouts, Trees};
use crate::formats::{Outline, Reader};
use crate::git::{GitError, ObjectReader};
use crate::language;
use crate::model::{BlobId, FileMask, TreeId};

/// Two files are one file renamed when at least this share of their entries is equal.
const LEAST_SHARE: f64 = 0.5;

/// Looks at mainline commits from the newest back, and adds to the layouts what it finds.
pub(super) struct Renames<'a> {
    pub reader: &'a mut ObjectReader,
    pub format: &'a dyn Reader,
    pub trees: &'a mut Trees,
    pub layouts: &'a mut Layouts,
    /// How many single paths the layouts knew before; what is found now is newer.
    pub known_moves: usize,
}

/// A (key, text) pair of a file, hashed.
type Pairs = HashSet<u64>;

impl Renames<'_> {
    /// Walks the mainline backwards. `old_tip` is the tree of the tip before, if there was one.
    pub fn find(&mut self, graph: &Graph, old_tip: Option<TreeId>) -> Result<(), GitError> {
        let known = self.layouts.clone();
        let tree = |node: NodeIx| graph.nodes[node as usize].commit.tree;
        let trees: Vec<TreeId> = graph.mainline.iter().rev().map(|merge| tree(merge.node)).collect();
        let begin = graph.mainline.first().and_then(|merge| merge.base).map(tree);
        let trees: Vec<TreeId> = trees.into_iter().chain(begin).collect();
        for at in 0..trees.len() {
            if let [tree, older @ ..] = &trees[at..] {
                self.step(*tree, older)?;
            }
        }
        match old_tip.filter(|_| self.known_moves < self.layouts.moved.len()) {
            Some(old_tip) => self.languages_go_on(&known, old_tip),
            None => Ok(()),
        }
    }

    /// A file of the old tip that went on as another language's takes its translation along: the two languages
    /// change places in the table that numbers them.
    fn languages_go_on(&mut self, known: &Layouts, old_tip: TreeId) -> Result<(), GitError> {
        let mut files = |trees: &mut Trees, layouts: &Layouts| {
            trees.layouts_changed();
            let set = trees.set_of(self.reader, layouts, old_tip)?;
            Ok::<_, GitError>(set.map_or_else(Box::default, |set| trees.sets[set as usize].files.clone()))
        };
        let before = files(self.trees, known)?;
        let now = files(self.trees, self.layouts)?;
        self.trees.layouts_changed();
        let name = |trees: &Trees, language: u16| trees.languages[usize::from(language)].clone();
        let new_name = |&(language, file): &(u16, u32)| {
            let (went_on_as, _) = now.iter().find(|&&(_, other)| other == file)?;
            (*went_on_as != language).then(|| (language, name(self.trees, *went_on_as)))
        };
        let renamed: Vec<_> = before.iter().filter_map(new_name).collect();
        for (language, code) in renamed {
            self.trees.rename_language(language, &code);
        }
        Ok(())
    }

    /// Looks at a tree and the ones before it, newest first.
    fn step(&mut self, tree: TreeId, older: &[TreeId]) -> Result<(), GitError> {
        let Some(&parent) = older.first() else { return Ok(()) };
        let Some(set) = self.trees.set_of(self.reader, self.layouts, tree)? else { return Ok(()) };
        if tree == parent {
            return Ok(());
        }
        let before = self.trees.set_of(self.reader, self.layouts, parent)?;
        let mut parent = parent;
        let before = match before {
            Some(before) if before == set => return Ok(()),
            Some(before) => before,
            None => {
                let lost = self.gone(tree, parent)?;
                if self.template_is_born(set, &lost)? {
                    self.trees.layouts_changed();
                }
                // A tree without a layout counts as the one before it.
                let mut found = None;
                for &tree in older {
                    if let Some(before) = self.trees.set_of(self.reader, self.layouts, tree)? {
                        found = Some((tree, before));
                        break;
                    }
                }
                let Some((tree, before)) = found else { return Ok(()) };
                parent = tree;
                before
            }
        };
        let mut born: Vec<_> = {
            let (old, new) = (&self.trees.sets[before as usize], &self.trees.sets[set as usize]);
            let differ = old.diff(new).into_iter();
            differ.filter_map(|(language, old, new)| old.is_none().then_some((language, new?))).collect()
        };
        if born.is_empty() {
            return Ok(());
        }
        born.sort_by(|(_, a), (_, b)| {
            let path = |file: u32| &self.trees.files[file as usize].path;
            path(*a).cmp(path(*b))
        });
        let mut gone = self.gone(tree, parent)?;
        for (language, file) in born {
            // A file goes on as one language only.
            if let Some(older) = self.language_is_born(language, file, set, before, &gone)? {
                gone.remove(&older);
            }
        }
        Ok(())
    }

    /// Files of the parent that the commit lacks, with the template's extension.
    fn gone(&mut self, tree: TreeId, parent: TreeId) -> Result<BTreeMap<Arc<str>, BlobId>, GitError> {
        let template = &self.layouts.places[0].template;
        let extension = template.rsplit_once('.').map_or("", |(_, extension)| extension);
        let suffix = format!(".{extension}");
        let mut gone = BTreeMap::new();
        files::gone(self.reader, parent, tree, &mut |path, blob| {
            if path.ends_with(&suffix) {
                gone.insert(path.into(), blob);
            }
        })?;
        Ok(gone)
    }

    /// No known layout fits the parent: where did the template stand before?
    fn template_is_born(&mut self, set: u32, gone: &BTreeMap<Arc<str>, BlobId>) -> Result<bool, GitError> {
        let Some((_, file)) = self.trees.sets[set as usize].template else { return Ok(false) };
        let blob = self.trees.files[file as usize].blob;
        let Some(older) = self.likeliest(blob, gone, None)? else { return Ok(false) };
        if self.layouts.places.iter().any(|place| place.mask.matches(&older).is_some()) {
            self.layouts.add_template(older);
            return Ok(true);
        }
        let Some(mask) = self.older_mask(set, &older, gone)? else { return Ok(false) };
        self.layouts.add(mask, older);
        Ok(true)
    }

    /// The older mask: the way of putting `*` into the template's older path that makes most of the files
    /// that are gone the same language as a file that is there and like it.
    fn older_mask(
        &mut self,
        set: u32,
        older: &str,
        gone: &BTreeMap<Arc<str>, BlobId>,
    ) -> Result<Option<FileMask>, GitError> {
        let template_language = self.layouts.template_language();
        let there: Vec<(Arc<str>, BlobId)> = {
            let set = &self.trees.sets[set as usize];
            let file = |file: u32| self.trees.files[file as usize].blob;
            set.files.iter().map(|&(l, f)| (self.trees.languages[usize::from(l)].clone(), file(f))).collect()
        };
        let mut best: Option<((usize, bool, usize), FileMask)> = None;
        for candidate in candidates(older) {
            let Ok(mask) = FileMask::new(&candidate) else { continue };
            let mut matching = 0;
            for (path, &blob) in gone {
                let Some(code) = mask.matches(path) else { continue };
                let code = language::resolve(code).code;
                let Some((_, now)) = there.iter().find(|(language, _)| *language == code) else { continue };
                if *now == blob || self.share(*now, blob, None)? >= LEAST_SHARE {
                    matching += 1;
                }
            }
            let fits = mask.matches(older).is_some_and(|code| language::resolve(code).code == template_language);
            let rank = (matching, fits, candidate.len());
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, mask));
            }
        }
        Ok(best.map(|(_, mask)| mask))
    }

    /// A language that the parent does not have: is its file one of those that are gone? Gives its older path.
    fn language_is_born(
        &mut self,
        language: u16,
        file: u32,
        set: u32,
        before: u32,
        gone: &BTreeMap<Arc<str>, BlobId>,
    ) -> Result<Option<Arc<str>>, GitError> {
        let blob = self.trees.files[file as usize].blob;
        let template = self.trees.sets[set as usize].template.map(|(_, file)| self.trees.files[file as usize].blob);
        // Not a file of a language that lives on.
        let held: HashSet<Arc<str>> = {
            let (old, new) = (&self.trees.sets[before as usize], &self.trees.sets[set as usize]);
            let lives = old.files.iter().filter(|&&(language, _)| new.file(language).is_some());
            lives.map(|&(_, file)| self.trees.files[file as usize].path.clone()).collect()
        };
        let free: BTreeMap<_, _> =
            gone.iter().filter(|(path, _)| !held.contains(*path)).map(|(path, blob)| (path.clone(), *blob)).collect();
        let older = self.likeliest(blob, &free, template)?;
        if let Some(older) = &older {
            let language = self.trees.languages[usize::from(language)].clone();
            let at = self.layouts.moved.len() - self.known_moves;
            self.layouts.moved.insert(at, (older.clone(), language));
            self.trees.layouts_changed();
        }
        Ok(older)
    }

    /// The file with the same blob, else with the largest share of equal entries; the first path of equals.
    fn likeliest(
        &mut self,
        blob: BlobId,
        among: &BTreeMap<Arc<str>, BlobId>,
        template: Option<BlobId>,
    ) -> Result<Option<Arc<str>>, GitError> {
        if template.is_none()
            && let Some((path, _)) = among.iter().find(|&(_, &there)| there == blob)
        {
            return Ok(Some(path.clone()));
        }
        let mut best: Option<(f64, &Arc<str>)> = None;
        for (path, &there) in among {
            let share = self.share(blob, there, template)?;
            if share >= LEAST_SHARE && best.is_none_or(|(known, _)| share > known) {
                best = Some((share, path));
            }
        }
        Ok(best.map(|(_, path)| path.clone()))
    }

    /// How much two files have in common: equal entries in the larger one's. Entries whose text is that of
    /// `template` do not count.
    fn share(&mut self, a: BlobId, b: BlobId, template: Option<BlobId>) -> Result<f64, GitError> {
        let copies = match template {
            Some(template) => self.pairs(template)?,
            None => Pairs::new(),
        };
        let (mut a, mut b) = (self.pairs(a)?, self.pairs(b)?);
        a.retain(|pair| !copies.contains(pair));
        b.retain(|pair| !copies.contains(pair));
        let larger = a.len().max(b.len());
        if larger == 0 {
            return Ok(0.0);
        }
        Ok(a.intersection(&b).count() as f64 / larger as f64)
    }

    /// The entries of a blob; none when it does not parse.
    fn pairs(&mut self, blob: BlobId) -> Result<Pairs, GitError> {
        use std::hash::BuildHasher;
        let mut bytes = Vec::new();
        match self.reader.blob(blob, &mut bytes) {
            Err(error) if error.is_damage() => return Err(error),
            Err(_) => return Ok(Pairs::new()),
            Ok(()) => {}
        }
        let hasher = rustc_hash::FxBuildHasher;
        let mut pairs = Pairs::new();
        let read = self.format.read(&bytes, &mut Outline::default(), &mut |entry| {
            pairs.insert(hasher.hash_one((entry.context, entry.text)));
        });
        Ok(if read.is_ok() { pairs } else { Pairs::new() })
    }
}

/// Every way of putting `*` for one folder name or one piece of the file name between dots.
fn candidates(path: &str) -> Vec<String> {
    let parts: Vec<&str> = path.split('/').collect();
    let mut masks = Vec::new();
    for at in 0..parts.len() {
        let pieces: Vec<&str> = if at + 1 == parts.len() { parts[at].split('.').collect() } else { vec![parts[at]] };
        let last = at + 1 == parts.len();
        for piece in 0..pieces.len() {
            if last && piece + 1 == pieces.len() && pieces.len() > 1 {
                continue; // the extension
            }
            let mut starred = pieces.clone();
            starred[piece] = "*";
            let mut whole: Vec<String> = parts.iter().map(ToString::to_string).collect();
            whole[at] = starred.join(".");
            masks.push(whole.join("/"));
        }
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::candidates;

    #[test]
    fn a_mask_may_stand_for_a_folder_or_a_piece_of_the_file_name() {
        assert_eq!(candidates("data/lang.en.json"), ["*/lang.en.json", "data/*.en.json", "data/lang.*.json"]);
    }
}
