//! Reads the commits from the mainline of a log to a commit, with the versions of files that decide on its texts.

use std::sync::Arc;

use super::branch_changes::CommitFiles;
use super::lineage::BranchPath;
use crate::error::HistoryError;
use crate::files::ancestor_lookup::nearest_set;
use crate::files::layout::Layouts;
use crate::files::trees::{FileSet, Trees};
use crate::versions::parsed::{Versions, Vocabulary};
use crate::versions::read::{ReadJob, ReadLimits, read};
use crate::versions::read_plan::jobs;
use gitglot_git::{CommitHeader, GitError, ObjectReader, Repository};
use gitglot_model::{
    CommitId, Component, Log, MainlineRow, SeededMap, SeededSet, Texts, TreeId, language,
};

/// A component and its history at the tip.
#[derive(Clone, Copy, Debug)]
pub struct RevisionInput<'a> {
    /// The component.
    pub component: &'a Component,
    /// The masks and templates that it has had.
    pub layouts: &'a Arc<Layouts>,
    /// Its log; empty with `history = none`.
    pub log: &'a Log,
    /// The texts of the log.
    pub texts: &'a Texts,
}

/// The commits of a branch.
pub struct Branch {
    /// The last mainline commit before them.
    pub base: Option<MainlineRow>,
    /// The mainline commits that they merge, with their rows.
    pub merges: Vec<(CommitId, MainlineRow)>,
    /// The files of the base and of each commit, oldest first; the last ones are not empty.
    pub files: Vec<CommitFiles>,
    /// All their files.
    pub trees: Trees,
    /// The keys and texts of the versions.
    pub vocabulary: Vocabulary,
    /// The versions of files.
    pub versions: Versions,
}

impl Branch {
    /// Reads the commits up to one.
    ///
    /// # Errors
    /// If the repository cannot be read, or the commit has no file of the component.
    pub fn read(
        input: RevisionInput<'_>,
        repository: &Repository,
        commit: CommitId,
        limits: ReadLimits<'_>,
    ) -> Result<Self, HistoryError> {
        let mut reader = repository.reader();
        let path = BranchPath::find(input.log, &mut reader, commit)?;
        let languages = input.log.lineages.iter().map(|lineage| lineage.language);
        let mut trees = Trees::new(languages.map(|language| input.texts.get(language).into()));
        let merges = merged_rows(input.log, &path.commits);
        let read_files =
            |commit| commit_files(&mut reader, &mut trees, input.layouts, commit, &merges);
        let files: Vec<CommitFiles> =
            (path.commits.iter().map(read_files)).collect::<Result<_, _>>()?;
        if files.last().is_none_or(|last| last.files.files.is_empty()) {
            return Err(HistoryError::nothing_at(input.component, commit));
        }
        let (mut vocabulary, mut versions) = (Vocabulary::default(), Versions::default());
        let jobs = plan(&trees, input.layouts, &files);
        let format = input.component.file_format;
        versions.extend(read(repository, format, jobs, &mut vocabulary, limits)?);
        Ok(Self {
            base: path.base,
            merges,
            files,
            trees,
            vocabulary,
            versions,
        })
    }
}

/// The mainline commits that commits of a branch merge, with their rows.
fn merged_rows(log: &Log, commits: &[CommitHeader]) -> Vec<(CommitId, MainlineRow)> {
    /// Replayed merges; the log is read once for each.
    const MAX_MERGES: usize = 8;
    let commits = commits.iter().skip(1);
    let merged = commits.flat_map(|commit| commit.parents.iter().skip(1).copied());
    let merged: SeededSet<CommitId> = merged.collect();
    if merged.is_empty() {
        return Vec::new();
    }
    let rows = log.mainline.iter().map(|row| (row.commit, *row));
    let rows = rows.filter(|(commit, _)| merged.contains(commit));
    let rows: SeededMap<CommitId, MainlineRow> = rows.collect();
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.entries));
    rows.truncate(MAX_MERGES);
    rows
}

fn set_of(
    reader: &mut ObjectReader,
    trees: &mut Trees,
    layouts: &Layouts,
    tree: TreeId,
) -> Result<FileSet, GitError> {
    let set = trees.set_of(reader, layouts, tree)?;
    Ok(set.map_or_else(FileSet::default, |set| trees.sets[set as usize].clone()))
}

pub fn commit_files(
    reader: &mut ObjectReader,
    trees: &mut Trees,
    layouts: &Layouts,
    commit: &CommitHeader,
    merges: &[(CommitId, MainlineRow)],
) -> Result<CommitFiles, GitError> {
    let mut files = set_of(reader, trees, layouts, commit.tree)?;
    if let Some(&parent) = commit.parents.first().filter(|_| files.files.is_empty())
        && layouts.has_broken_parts(reader, commit.tree)?
        && let Some(before) = nearest_set(reader, trees, layouts, parent)?
        && let Some(broken) = trees.broken_set(reader, layouts, commit.tree, before.set)?
    {
        files = trees.sets[broken as usize].clone();
    }
    let mut merged = Vec::new();
    for (at, (id, _)) in merges.iter().enumerate() {
        if commit.parents.iter().skip(1).any(|parent| parent == id) {
            let tree = reader.commit_header(*id)?.tree;
            merged.push((at, set_of(reader, trees, layouts, tree)?));
        }
    }
    Ok(CommitFiles { files, merged })
}

/// The versions to read: all files of the last commit, and of the others the templates and the files that change.
/// Newest first, so that each version is parsed relative to a similar one.
pub fn plan(trees: &Trees, layouts: &Layouts, commits: &[CommitFiles]) -> Vec<ReadJob> {
    let mut wanted = Vec::new();
    let mut templates: SeededSet<Arc<str>> = SeededSet::default();
    for (at, commit) in commits.iter().enumerate().rev() {
        let is_last = at + 1 == commits.len();
        if let Some((_, file)) = commit.files.template {
            wanted.push(file);
            templates.insert(trees.files[file as usize].path.clone());
        }
        if is_last {
            wanted.extend(commit.files.files.iter().map(|&(_, file)| file));
        }
        let before = at.checked_sub(1).and_then(|at| commits.get(at));
        let differ = before.map(|before| before.files.diff(&commit.files));
        for (language, old, new) in differ.unwrap_or_default() {
            wanted.extend(new.into_iter().chain(old));
            let merged = commit.merged.iter().map(|(_, files)| files);
            wanted.extend(merged.filter_map(|files| files.file(language)));
        }
    }
    let single_form = |path: &str| language::has_single_form(&layouts.code_of(path));
    let known = Versions::default();
    jobs(trees, &wanted, &templates, &known, single_form)
}
