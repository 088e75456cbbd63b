//! Looks up files in commits that are older than a step: the files of a tree that no layout fits, and the last
//! readable version of a broken file (docs/spec/change-log.md#broken-files). Both are rare, so nothing is stored.

use super::layout::Layouts;
use super::trees::{FileSetIndex, LanguageIndex, Trees};
use gitglot_formats::FormatReader;
use gitglot_git::{GitError, ObjectReader};
use gitglot_model::{BlobId, CommitId, SeededMap, TreeId};

/// The files of a commit that a layout fits.
pub struct NearestSet {
    pub commit: CommitId,
    pub tree: TreeId,
    pub set: FileSetIndex,
}

/// The files of a commit, or of its nearest first-parent ancestor with a known layout. A commit whose file with all languages
/// cannot be read has those of the ancestor, all broken.
pub fn nearest_set(
    reader: &mut ObjectReader,
    trees: &mut Trees,
    layouts: &Layouts,
    commit: CommitId,
) -> Result<Option<NearestSet>, GitError> {
    let mut commit = commit;
    let mut broken: Option<(CommitId, TreeId)> = None;
    loop {
        let header = match reader.commit_header(commit) {
            Ok(header) => header,
            Err(error) if error.is_damage() => return Ok(None),
            Err(error) => return Err(error),
        };
        let tree = header.tree;
        if let Some(set) = trees.set_of(reader, layouts, tree)? {
            if let Some((commit, tree)) = broken
                && let Some(set) = trees.broken_set(reader, layouts, tree, set)?
            {
                return Ok(Some(NearestSet { commit, tree, set }));
            }
            return Ok(Some(NearestSet { commit, tree, set }));
        }
        if broken.is_none() && layouts.has_broken_parts(reader, tree)? {
            broken = Some((commit, tree));
        }
        match header.parents.first() {
            Some(&parent) => commit = parent,
            None => return Ok(None),
        }
    }
}

/// Reads commits that are older than a step.
pub struct AncestorLookup<'a> {
    pub reader: &'a mut ObjectReader,
    pub format: &'a dyn FormatReader,
    pub trees: &'a mut Trees,
    pub layouts: &'a Layouts,
    parses: SeededMap<BlobId, bool>,
}

impl<'a> AncestorLookup<'a> {
    pub fn new(
        reader: &'a mut ObjectReader,
        format: &'a dyn FormatReader,
        trees: &'a mut Trees,
        layouts: &'a Layouts,
    ) -> Self {
        Self {
            reader,
            format,
            trees,
            layouts,
            parses: SeededMap::default(),
        }
    }

    /// The files of a commit, or of its nearest first-parent ancestor with a known layout.
    pub fn set_of(&mut self, commit: CommitId) -> Result<Option<FileSetIndex>, GitError> {
        Ok(self.nearest(commit)?.map(|nearest| nearest.set))
    }

    /// The last readable version of a language's file at a commit.
    pub fn last_readable(
        &mut self,
        commit: CommitId,
        language: LanguageIndex,
    ) -> Result<Option<BlobId>, GitError> {
        let mut at = commit;
        loop {
            let Some(NearestSet { commit, set, .. }) = self.nearest(at)? else {
                return Ok(None);
            };
            let Some(blob) = self.blob(set, language) else {
                return Ok(None);
            };
            if self.parses(blob)? {
                return Ok(Some(blob));
            }
            let parents = self.reader.commit_header(commit)?.parents;
            let Some(mut next) = parents.first().copied() else {
                return Ok(None);
            };
            if parents.len() > 1 {
                for parent in parents {
                    let set = self.set_of(parent)?;
                    if set.and_then(|set| self.blob(set, language)) == Some(blob) {
                        next = parent;
                        break;
                    }
                }
            }
            at = next;
        }
    }

    fn nearest(&mut self, commit: CommitId) -> Result<Option<NearestSet>, GitError> {
        nearest_set(self.reader, self.trees, self.layouts, commit)
    }

    fn blob(&self, set: FileSetIndex, language: LanguageIndex) -> Option<BlobId> {
        let file = self.trees.sets[set as usize].file(language)?;
        Some(self.trees.files[file as usize].blob)
    }

    fn parses(&mut self, blob: BlobId) -> Result<bool, GitError> {
        if let Some(&parses) = self.parses.get(&blob) {
            return Ok(parses);
        }
        // Each string of a group is a file, whatever its content.
        let is_group = self.reader.group(blob)?.is_some();
        if is_group && !self.layouts.newest().mask.has_tables() {
            return Ok(true);
        }
        let parses = match self.reader.blob(blob) {
            Ok(bytes) => {
                let read = self.format.read(&bytes, &mut |_| ());
                read.is_ok()
            }
            Err(error) if error.is_damage() => return Err(error),
            Err(_) => false,
        };
        self.parses.insert(blob, parses);
        Ok(parses)
    }
}
