//! The texts that the commits of a branch write, each with the source in the tree of its commit.

use rustc_hash::FxHashMap;

use crate::files::trees::{FileIndex, FileSet, LanguageIndex, Trees};
use crate::versions::parsed::{ParsedVersion, Versions};
use gitglot_model::{KeyId, TextId};

/// Where the source of a text comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchWrite {
    /// The branch wrote the text for this source.
    For(TextId),
    /// A merge took the text from its parent with this index among the parents that the branch merges.
    As(usize),
}

/// The files of a commit, and those of the mainline commits that it merges.
pub struct CommitFiles {
    pub files: FileSet,
    /// The index of each merged mainline commit, with its files.
    pub merged: Vec<(usize, FileSet)>,
}

/// Reads the versions of files.
pub struct Contents<'a> {
    pub trees: &'a Trees,
    pub versions: &'a Versions,
}

impl Contents<'_> {
    /// The content of a file, if it parses.
    pub fn version(&self, file: FileIndex) -> Option<&ParsedVersion> {
        let blob = self.trees.files[file as usize].blob;
        Some(self.versions.get(&blob)?.parsed()?)
    }

    fn template(&self, set: &FileSet) -> Option<&ParsedVersion> {
        self.version(set.template?.1)
    }

    fn text(&self, set: &FileSet, language: LanguageIndex, key: KeyId) -> Option<TextId> {
        let value = self.version(set.file(language)?)?.value(key);
        value.is_present().then(|| value.text())
    }

    /// The units that commits write, compared with the commit before them. The first commit is the base.
    pub fn writes(
        &self,
        commits: &[CommitFiles],
    ) -> FxHashMap<(LanguageIndex, KeyId), BranchWrite> {
        let mut writes = FxHashMap::default();
        for pair in commits.windows(2) {
            let [before, after] = pair else { continue };
            let Some(template) = self.template(&after.files) else {
                continue;
            };
            let mut added = Vec::new();
            match self.template(&before.files) {
                Some(old) => old.diff(template, &mut |key| {
                    if template.source(key).is_present() && !old.source(key).is_present() {
                        added.push(key);
                    }
                }),
                None => template.each_key(&mut |key| added.push(key)),
            }
            for &(language, file) in &after.files.files {
                let Some(new) = self.version(file) else {
                    continue;
                };
                let mut keys = added.clone();
                let old = before.files.file(language);
                match old.and_then(|old| self.version(old)) {
                    Some(old) => old.diff(new, &mut |key| {
                        if old.value(key).text() != new.value(key).text() {
                            keys.push(key);
                        }
                    }),
                    // A file that returns or is new writes all its texts; one that was broken keeps them.
                    None if old.is_none() => new.each_key(&mut |key| keys.push(key)),
                    None => {}
                }
                for key in keys {
                    let (value, source) = (new.value(key), template.source(key));
                    if !value.is_present() || !source.is_present() {
                        continue;
                    }
                    let taken = after
                        .merged
                        .iter()
                        .find(|(_, files)| self.text(files, language, key) == Some(value.text()));
                    let written = match taken {
                        Some((merged, _)) => BranchWrite::As(*merged),
                        None => BranchWrite::For(source.text()),
                    };
                    writes.insert((language, key), written);
                }
            }
        }
        writes
    }
}
