//! Reads the files of a commit and builds its rows.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::branch_changes::{BranchWrite, CommitFiles, Contents};
use super::lineage::BranchPath;
use super::written_for::WrittenFor;
use crate::error::HistoryError;
use crate::files::ancestor_lookup::AncestorLookup;
use crate::files::layout::Layouts;
use crate::files::trees::{FileSet, LanguageIndex, Trees};
use crate::projection::rows::Projection;
use crate::projection::tip::CommitState;
use crate::projection::tip_file::{TipFile, why_unreadable};
use crate::versions::parsed::{ParsedVersion, Version, Versions, Vocabulary};
use crate::versions::read::{ReadJob, ReadLimits, read};
use crate::versions::read_plan::jobs;
use gitglot_git::{CommitHeader, GitError, ObjectReader, Repository};
use gitglot_model::language;
use gitglot_model::{
    BlobId, CommitId, Component, KeyId, LineageId, Log, MainlineRow, TextId, Texts, TreeId,
    Unlimited, WorkLimit,
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

/// Reads a component at a commit. A text is stale as in a log that ends at that commit
/// (docs/spec/revisions.md#stale-translations). The log of the result is empty.
///
/// # Errors
/// When the repository cannot be read, the commit has no files of the component, or no version of the template can be
/// read.
pub fn state_at(
    input: RevisionInput<'_>,
    repository: &Repository,
    commit: CommitId,
) -> Result<Projection, HistoryError> {
    state_within(input, repository, commit, &Unlimited)
}

/// As [`state_at`], within a limit of work. Long because all steps use the trees and versions of the first ones.
///
/// # Errors
/// As [`state_at`], or [`HistoryError::Stopped`].
pub fn state_within(
    input: RevisionInput<'_>,
    repository: &Repository,
    commit: CommitId,
    work: &dyn WorkLimit,
) -> Result<Projection, HistoryError> {
    let mut reader = repository.reader();
    let branch = BranchPath::find(input.log, &mut reader, commit)?;
    let lineages = input.log.lineages.iter();
    let mut trees = Trees::new(lineages.map(|it| input.texts.get(it.language).into()));
    let merges = merged_rows(input.log, &branch.commits);
    let read_files = |commit| commit_files(&mut reader, &mut trees, input.layouts, commit, &merges);
    let files: Vec<CommitFiles> =
        (branch.commits.iter().map(read_files)).collect::<Result<_, _>>()?;
    let set = files
        .last()
        .map(|files| files.files.clone())
        .filter(|set| !set.files.is_empty())
        .ok_or_else(|| HistoryError::nothing_at(input.component, commit))?;
    let (mut vocabulary, mut versions) = (Vocabulary::default(), Versions::default());
    let jobs = plan(&trees, input.layouts, &files);
    let format = input.component.file_format;
    let limits = ReadLimits::of_work(work);
    versions.extend(read(repository, format, jobs, &mut vocabulary, limits)?);
    let fallbacks = read_fallbacks(
        input,
        repository,
        commit,
        &set,
        &mut trees,
        &mut versions,
        &mut vocabulary,
        limits,
    )?;

    let contents = Contents {
        trees: &trees,
        versions: &versions,
    };
    let old_keys = (input.component.renames && files.len() > 1)
        .then(|| old_keys(input, branch.base.as_ref(), &vocabulary));
    let writes = contents.writes(&files, &vocabulary, old_keys);
    let parsed = |blob| versions.get(&blob)?.parsed().cloned();
    let version = |language: LanguageIndex, blob: BlobId| {
        parsed(blob).or_else(|| parsed(*fallbacks.get(&language)?))
    };
    let state = commit_state(
        input.component,
        input.layouts,
        &mut reader,
        commit,
        &set,
        &trees,
        version,
    )?;
    let mut projection = state.project(&mut reader, &mut vocabulary)?;
    // Bilingual files say themselves which texts are stale.
    if let Some(base) = branch.base.filter(|_| input.layouts.has_template()) {
        let rows = std::iter::once(base).chain(merges.into_iter().map(|(_, row)| row));
        let replayed: Vec<WrittenFor> = rows.map(|row| WrittenFor::at(input.log, row)).collect();
        Stale::new(input, &mut vocabulary, &replayed, &writes).mark(&mut projection);
    }
    projection.texts = vocabulary.texts.freeze();
    Ok(projection)
}

/// The old keys of the strings that the log renamed up to a mainline commit, by the new ones, as keys of a commit.
fn old_keys(
    input: RevisionInput<'_>,
    base: Option<&MainlineRow>,
    vocabulary: &Vocabulary,
) -> FxHashMap<KeyId, KeyId> {
    let end = base.map_or(0, |base| base.entries);
    let mut renames = input
        .log
        .renames()
        .take_while(|it| it.entry < end)
        .peekable();
    if renames.peek().is_none() {
        return FxHashMap::default();
    }
    let contexts = vocabulary.keys.contexts().iter();
    let own: FxHashMap<&str, KeyId> = (0..)
        .map(KeyId)
        .zip(contexts)
        .map(|(key, &context)| (vocabulary.texts.get(context), key))
        .collect();
    let key = |key: KeyId| {
        let context = *input.log.keys.get(key.0 as usize)?;
        own.get(input.texts.get(context)).copied()
    };
    renames
        .filter_map(|it| Some((key(it.to)?, key(it.from)?)))
        .collect()
}

/// The mainline commits that commits of a branch merge, with their rows.
fn merged_rows(log: &Log, commits: &[CommitHeader]) -> Vec<(CommitId, MainlineRow)> {
    /// Replayed merges; the log is read once for each.
    const MAX_MERGES: usize = 8;
    let merged: FxHashSet<CommitId> = commits
        .iter()
        .skip(1)
        .flat_map(|commit| commit.parents.iter().skip(1).copied())
        .collect();
    if merged.is_empty() {
        return Vec::new();
    }
    let rows = log
        .mainline
        .iter()
        .filter(|row| merged.contains(&row.commit));
    let rows: FxHashMap<CommitId, MainlineRow> = rows.map(|row| (row.commit, *row)).collect();
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
    let files = set_of(reader, trees, layouts, commit.tree)?;
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
    let mut templates: FxHashSet<Arc<str>> = FxHashSet::default();
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
        for (language, old, new) in before
            .map(|before| before.files.diff(&commit.files))
            .unwrap_or_default()
        {
            wanted.extend(new.into_iter().chain(old));
            wanted.extend(
                commit
                    .merged
                    .iter()
                    .filter_map(|(_, files)| files.file(language)),
            );
        }
    }
    let single_form = |path: &str| language::has_single_form(&layouts.code_of(path));
    jobs(
        trees,
        &wanted,
        &templates,
        &Versions::default(),
        single_form,
    )
}

/// Finds and reads the version of each broken file that replaces it.
#[expect(clippy::too_many_arguments, reason = "the parts of one state")]
fn read_fallbacks(
    input: RevisionInput<'_>,
    repository: &Repository,
    commit: CommitId,
    set: &FileSet,
    trees: &mut Trees,
    versions: &mut Versions,
    vocabulary: &mut Vocabulary,
    limits: ReadLimits<'_>,
) -> Result<FxHashMap<LanguageIndex, BlobId>, HistoryError> {
    let file_format = input.component.file_format;
    let mut reader = repository.reader();
    let format = gitglot_formats::reader(file_format);
    let mut lookup = AncestorLookup::new(&mut reader, format, trees, input.layouts);
    let mut found = FxHashMap::default();
    let mut jobs = Vec::new();
    for &(language, file) in &set.files {
        let blob = lookup.trees.files[file as usize].blob;
        if !matches!(versions.get(&blob), Some(Version::Broken)) {
            continue;
        }
        let Some(blob) = lookup.last_readable(commit, language)? else {
            continue;
        };
        found.insert(language, blob);
        let is_template = set
            .template
            .is_some_and(|(template, _)| template == language);
        // Another file may have the same content as the template: it was read without the order of its keys.
        if is_template || !versions.contains_key(&blob) {
            let code = &lookup.trees.languages[usize::from(language)];
            jobs.push(ReadJob {
                blobs: vec![blob],
                is_template,
                single_form: language::has_single_form(code),
            });
        }
    }
    versions.extend(read(repository, file_format, jobs, vocabulary, limits)?);
    Ok(found)
}

/// The files and the template of a commit, given the last readable version of each file.
pub fn commit_state<'a>(
    component: &'a Component,
    layouts: &Arc<Layouts>,
    reader: &mut ObjectReader,
    commit: CommitId,
    set: &FileSet,
    trees: &'a Trees,
    version: impl Fn(LanguageIndex, BlobId) -> Option<Arc<ParsedVersion>>,
) -> Result<CommitState<'a>, HistoryError> {
    let commit_data = Arc::new(reader.commit(commit)?);
    let mut template = None;
    if layouts.has_template() {
        let Some((language, file)) = set.template else {
            return Err(HistoryError::nothing_at(component, commit));
        };
        let file = &trees.files[file as usize];
        template = Some(version(language, file.blob).ok_or_else(|| {
            let format = gitglot_formats::reader(component.file_format);
            let reason = why_unreadable(reader, format, file.blob);
            HistoryError::broken_template(component, reason)
        })?);
    }
    let template_language = set.template.map(|(language, _)| language);
    let files = set.files.iter().map(|&(language, file)| {
        let file = &trees.files[file as usize];
        TipFile {
            is_template: Some(language) == template_language,
            ..TipFile::new(layouts, language, file, version(language, file.blob))
        }
    });
    let mut files: Vec<TipFile> = files.collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(CommitState {
        component,
        commit: commit_data,
        template,
        files,
        layouts: layouts.clone(),
    })
}

/// Finds the stale texts of a commit.
struct Stale<'a> {
    input: RevisionInput<'a>,
    vocabulary: &'a mut Vocabulary,
    /// The log up to the base, then up to each merged commit.
    replayed: &'a [WrittenFor],
    writes: &'a FxHashMap<(LanguageIndex, KeyId), BranchWrite>,
    /// The key of the log for each key of the commit.
    log_keys: Vec<Option<KeyId>>,
    /// Texts of the log and their ids in the commit's texts.
    texts: FxHashMap<TextId, TextId>,
}

impl<'a> Stale<'a> {
    fn new(
        input: RevisionInput<'a>,
        vocabulary: &'a mut Vocabulary,
        replayed: &'a [WrittenFor],
        writes: &'a FxHashMap<(LanguageIndex, KeyId), BranchWrite>,
    ) -> Self {
        let own: FxHashMap<&str, usize> = vocabulary
            .keys
            .contexts()
            .iter()
            .enumerate()
            .map(|(key, &context)| (vocabulary.texts.get(context), key))
            .collect();
        let mut log_keys = vec![None; own.len()];
        for (key, &context) in (0..).map(KeyId).zip(input.log.keys.iter()) {
            if let Some(slot) = own
                .get(input.texts.get(context))
                .and_then(|&own| log_keys.get_mut(own))
            {
                *slot = Some(key);
            }
        }
        Self {
            input,
            vocabulary,
            replayed,
            writes,
            log_keys,
            texts: FxHashMap::default(),
        }
    }

    fn mark(mut self, projection: &mut Projection) {
        let sources = projection.sources.clone();
        for translation in &mut projection.translations {
            if !translation.is_template {
                let lineage = translation.lineage;
                let written_for = |key| self.written_for(lineage, key);
                Arc::make_mut(translation).find_stale(&sources, written_for);
            }
        }
    }

    /// The source that a text was written for, as one of the commit's texts.
    fn written_for(&mut self, lineage: LineageId, mut key: KeyId) -> TextId {
        let log = match self.writes.get(&(lineage.0, key)) {
            Some(&BranchWrite::For(source)) => return source,
            Some(&BranchWrite::Of(commit, of)) => {
                key = of;
                self.replayed.get(commit)
            }
            None => self.replayed.first(),
        };
        let log_key = self.log_keys.get(key.0 as usize).copied().flatten();
        let (Some(log), Some(log_key)) = (log, log_key) else {
            return TextId::EMPTY;
        };
        let source = log.source(lineage, log_key);
        if let Some(&known) = self.texts.get(&source) {
            return known;
        }
        let own = self.vocabulary.texts.intern_from(self.input.texts, source);
        self.texts.insert(source, own);
        own
    }
}
