//! What commits before a step say where their own trees do not: the layout of a tree that has none, and the last good
//! version of a file that is broken (`log.md` 6). Looks back as far as it must, which is seldom needed.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::trees::{FileIx, LanguageIx, Layouts, SetIx, Trees};
use crate::formats::{Outline, Reader};
use crate::git::{GitError, ObjectReader};
use crate::model::{BlobId, CommitId};

/// Looks into commits that are older than a step.
pub(super) struct Elders<'a> {
    pub reader: &'a mut ObjectReader,
    pub format: &'a dyn Reader,
    pub trees: &'a mut Trees,
    pub layouts: &'a Layouts,
    /// Whether each version that was looked at parses.
    pub parses: FxHashMap<BlobId, bool>,
}

impl Elders<'_> {
    /// The files of a commit: those of the first of it and its first parents that a layout fits.
    pub fn set_of(&mut self, commit: CommitId) -> Result<Option<SetIx>, GitError> {
        Ok(self.with_layout(commit)?.map(|(_, set)| set))
    }

    /// The path and the blob of the last good version of a language's file at a commit, if there is one.
    pub fn last_good(
        &mut self,
        commit: CommitId,
        language: LanguageIx,
    ) -> Result<Option<(Arc<str>, BlobId)>, GitError> {
        let mut at = commit;
        loop {
            let Some((holder, set)) = self.with_layout(at)? else { return Ok(None) };
            let Some(file) = self.file(set, language) else { return Ok(None) };
            let version = self.trees.files[file as usize].clone();
            if self.parses(version.blob)? {
                return Ok(Some((version.path, version.blob)));
            }
            let parents = self.parents(holder)?;
            let Some(mut from) = parents.first().copied() else { return Ok(None) };
            if parents.len() > 1 {
                // At a merge: the first parent that holds the same blob.
                for parent in parents {
                    let set = self.set_of(parent)?;
                    let there = set.and_then(|set| self.file(set, language));
                    if there.is_some_and(|file| self.trees.files[file as usize].blob == version.blob) {
                        from = parent;
                        break;
                    }
                }
            }
            at = from;
        }
    }

    fn with_layout(&mut self, commit: CommitId) -> Result<Option<(CommitId, SetIx)>, GitError> {
        let mut at = commit;
        loop {
            let outline = match self.reader.commit_header(at) {
                Ok(outline) => outline,
                Err(error) if error.is_damage() => return Ok(None),
                Err(error) => return Err(error),
            };
            if let Some(set) = self.trees.set_of(self.reader, self.layouts, outline.tree)? {
                return Ok(Some((at, set)));
            }
            match outline.parents.first() {
                Some(&parent) => at = parent,
                None => return Ok(None),
            }
        }
    }

    fn parents(&mut self, commit: CommitId) -> Result<Vec<CommitId>, GitError> {
        Ok(self.reader.commit_header(commit)?.parents)
    }

    fn file(&self, set: SetIx, language: LanguageIx) -> Option<FileIx> {
        self.trees.sets[set as usize].file(language)
    }

    fn parses(&mut self, blob: BlobId) -> Result<bool, GitError> {
        if let Some(&parses) = self.parses.get(&blob) {
            return Ok(parses);
        }
        let mut bytes = Vec::new();
        let parses = match self.reader.blob(blob, &mut bytes) {
            Ok(()) => self.format.read(&bytes, &mut Outline::default(), &mut |_| ()).is_ok(),
            Err(error) if error.is_damage() => return Err(error),
            Err(_) => false,
        };
        self.parses.insert(blob, parses);
        Ok(parses)
    }
}
