//! All that was read for a part of a step: the commits, their files and the versions of those.

use std::sync::Arc;

use crate::files::trees::{FileIndex, FileSet, FileSetIndex, LanguageIndex, Trees};
use crate::graph::walk::{Graph, NodeIndex, TipMove};
use crate::log::authors::AuthorResolver;
use crate::reviews::CommitReviews;
use crate::versions::fallbacks::Fallbacks;
use crate::versions::parsed::{ParsedVersion, Version, Versions};
use crate::versions::union::Unions;
use crate::versions::values::TextValue;
use gitglot_model::{BlobId, Commit, FileFormat, KeyId, SeededMap, SeededSet, TextId};

/// The commits of a step, which are read before any version.
pub struct StepCommits {
    pub graph: Graph,
    pub tip_move: TipMove,
    /// The files of each node; `None` when no layout fits its tree or that of any commit before it.
    pub sets: Vec<Option<FileSetIndex>>,
    /// The new commits that lack the template, and count as having the files of their first parents.
    pub without_template: SeededSet<NodeIndex>,
    /// Whether the step found older paths. The old tip may then have other files than those that the log knows.
    pub has_new_paths: bool,
    pub authors: AuthorResolver,
    /// The new commits whose parents the repository lacks.
    pub without_parents: SeededSet<NodeIndex>,
    /// What commits acknowledge.
    pub reviews: SeededMap<NodeIndex, CommitReviews>,
    /// When the new tip was observed, in seconds. Later committer times are reduced to it.
    pub observed_at: i64,
    /// The time of each mainline commit, in seconds, without clock skew.
    pub times: Vec<i64>,
}

/// The read-only input of a fold. Accessors take `None` for the parent of a root commit, which has no files.
pub struct StepContext<'a> {
    pub commits: &'a StepCommits,
    pub trees: &'a Trees,
    /// The versions that this part of the step compares.
    pub versions: &'a Versions,
    pub fallbacks: &'a Fallbacks,
    /// Without a template: the strings of each commit that the part compares.
    pub unions: Option<&'a Unions>,
    pub format: FileFormat,
    /// Whether files mark texts as unfinished.
    pub has_states: bool,
    /// Whether `previous_source` of the API is that of the files.
    pub has_previous_sources: bool,
}

impl StepContext<'_> {
    pub fn commit(&self, node: NodeIndex) -> &Commit {
        &self.commits.graph.node(node).commit
    }

    pub fn first_parent(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.commits.graph.node(node).parents.first().copied()
    }

    /// Whether the commit has several parents, present or not.
    pub fn is_merge(&self, node: NodeIndex) -> bool {
        self.commits.graph.is_merge(node)
    }

    pub fn set(&self, node: Option<NodeIndex>) -> Option<&FileSet> {
        self.commits.sets[node? as usize].map(|set| &self.trees.sets[set as usize])
    }

    pub fn file(&self, node: Option<NodeIndex>, language: LanguageIndex) -> Option<FileIndex> {
        self.set(node)?.file(language)
    }

    pub fn path(&self, file: FileIndex) -> &Arc<str> {
        &self.trees.files[file as usize].path
    }

    pub fn blob(&self, file: FileIndex) -> BlobId {
        self.trees.files[file as usize].blob
    }

    /// The blob of a language's file.
    pub fn blob_at(&self, node: Option<NodeIndex>, language: LanguageIndex) -> Option<BlobId> {
        self.file(node, language).map(|file| self.blob(file))
    }

    /// The last readable version of a language's file (docs/spec/change-log.md#broken-files).
    pub fn version(
        &self,
        node: Option<NodeIndex>,
        language: LanguageIndex,
    ) -> Option<&Arc<ParsedVersion>> {
        let parsed = |blob: BlobId| self.versions.get(&blob)?.parsed();
        let readable = parsed(self.blob_at(node, language)?);
        readable.or_else(|| parsed((*self.fallbacks.get(&(node?, language))?)?))
    }

    /// Whether a commit's own version of the file is broken.
    pub fn has_fallback(&self, node: NodeIndex, language: LanguageIndex) -> bool {
        self.fallbacks.contains_key(&(node, language))
    }

    pub fn is_broken(&self, blob: BlobId) -> bool {
        matches!(self.versions.get(&blob), Some(Version::Broken))
    }

    /// The content that has the source texts: that of the template, without one the strings of all files.
    pub fn template(&self, node: Option<NodeIndex>) -> Option<&Arc<ParsedVersion>> {
        if let Some(unions) = self.unions {
            return unions.get(&node?);
        }
        let (language, _) = self.set(node)?.template?;
        self.version(node, language)
    }

    /// Whether a commit itself has a template that can be read.
    pub fn has_own_template(&self, node: NodeIndex) -> bool {
        !self.commits.without_template.contains(&node) && self.template(Some(node)).is_some()
    }

    /// Without a template: the first file by path that has a string; with `twice`, that has it twice.
    pub fn first_file_with(
        &self,
        node: NodeIndex,
        key: KeyId,
        twice: bool,
    ) -> Option<LanguageIndex> {
        self.unions?;
        let files = self.set(Some(node))?.files.iter();
        let has = |version: &ParsedVersion| {
            if twice {
                version.duplicate_keys().any(|other| other == key)
            } else {
                version.value(key).is_present()
            }
        };
        let version = |language| self.version(Some(node), language);
        let files =
            files.filter(|&&(language, _)| version(language).is_some_and(|version| has(version)));
        let first = files.min_by_key(|&&(_, file)| self.path(file));
        first.map(|&(language, _)| language)
    }

    /// The template's text of a key.
    pub fn source(&self, node: Option<NodeIndex>, key: KeyId) -> TextValue {
        let template = self.template(node);
        template.map_or(TextValue::ABSENT, |template| template.source(key))
    }

    /// The text of a key in a language's file and, in files with states, whether it counts as a translation; whether or
    /// not the template has the key. `None` when the commit lacks the file.
    pub fn stated_text(
        &self,
        node: Option<NodeIndex>,
        language: LanguageIndex,
        key: KeyId,
    ) -> Option<(TextId, bool)> {
        self.file(node, language)?;
        let version = self.version(node, language);
        let value = version.map_or_else(TextValue::default, |version| version.value(key));
        Some((value.text(), self.has_states && value.is_translated()))
    }

    /// Calls `found` for each key whose source may differ between the template of `base` and another template.
    pub fn template_diff(
        &self,
        base: Option<NodeIndex>,
        template: &ParsedVersion,
        found: &mut impl FnMut(KeyId),
    ) {
        match self.template(base) {
            Some(old) => old.diff(template, found),
            None => template.each_key(found),
        }
    }

    /// Whether a merge has a version of a file that differs from those of all its parents. The tip of a rewritten
    /// history does not count as a merge.
    pub fn is_merge_version(&self, merge: NodeIndex, language: LanguageIndex) -> bool {
        let blob = |node| self.blob_at(Some(node), language);
        let mut parents = self.commits.graph.node(merge).parents.iter();
        self.commits.tip_move != TipMove::Rewritten
            && parents.all(|&parent| blob(parent) != blob(merge))
    }
}
