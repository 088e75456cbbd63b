//! Reads the files of a commit and builds its rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::branch_changes::{BranchWrite, CommitFiles, Contents};
use super::lineage::{BranchCommit, BranchPath};
use super::written_for::WrittenFor;
use crate::formats;
use crate::git::{GitError, ObjectReader, Repository};
use crate::history::error::HistoryError;
use crate::history::files::ancestor_lookup::AncestorLookup;
use crate::history::files::layout::{Layouts, ListedFile};
use crate::history::files::trees::{FileIndex, FileSet, LanguageIndex, Trees};
use crate::history::projection::rows::{Projection, SourceString, TranslationState};
use crate::history::projection::tip::{TipFile, sources, why_unreadable};
use crate::history::versions::parsed::{ParsedVersion, Version, Versions, Vocabulary};
use crate::history::versions::read::{ReadJob, read};
use crate::language;
use crate::model::{
    BlobId, CommitId, Component, KeyId, LineageId, Log, MainlineRow, TextId, Texts, Timestamp,
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
    let mut reader = repository.reader();
    let branch = BranchPath::find(input.log, &mut reader, commit)?;
    let lineages = input.log.lineages.iter();
    let mut trees = Trees::new(lineages.map(|it| input.texts.get(it.language).into()));
    let merges = merged_rows(input.log, &branch.commits);
    let read_files = |commit| commit_files(&mut reader, &mut trees, input.layouts, commit, &merges);
    let files: Vec<CommitFiles> = branch
        .commits
        .iter()
        .map(read_files)
        .collect::<Result<_, _>>()?;
    let set = files
        .last()
        .map(|files| files.files.clone())
        .filter(|set| !set.files.is_empty())
        .ok_or_else(|| HistoryError::nothing_at(input.component, commit))?;

    let mut vocabulary = Vocabulary::default();
    let mut versions = Versions::default();
    let jobs = plan(&trees, input.layouts, &files);
    let format = input.component.file_format;
    versions.extend(read(repository, format, jobs, &mut vocabulary, &|| {})?);
    let fallbacks = read_fallbacks(
        input,
        repository,
        commit,
        &set,
        &mut trees,
        &mut versions,
        &mut vocabulary,
    )?;

    let contents = Contents {
        trees: &trees,
        versions: &versions,
    };
    let writes = contents.writes(&files);
    let state = StateBuilder {
        input,
        trees: &trees,
        versions: &versions,
        fallbacks: &fallbacks,
        vocabulary: &mut vocabulary,
    };
    let mut projection = state.rows(&mut reader, commit, &set)?;
    if let Some(base) = branch.base {
        let replayed = std::iter::once(base).chain(merges.into_iter().map(|(_, row)| row));
        let replayed: Vec<WrittenFor> =
            replayed.map(|row| WrittenFor::at(input.log, row)).collect();
        let stale = Stale::new(input, &mut vocabulary, &replayed, &writes);
        stale.mark(&mut projection);
    }
    projection.texts = vocabulary.texts.freeze();
    Ok(projection)
}

/// The mainline commits that commits of a branch merge, with their rows.
fn merged_rows(log: &Log, commits: &[BranchCommit]) -> Vec<(CommitId, MainlineRow)> {
    /// Replayed merges; the log is read once for each.
    const MAX_MERGES: usize = 8;
    let merged: FxHashSet<CommitId> = commits
        .iter()
        .skip(1)
        .flat_map(|commit| commit.merged.iter().copied())
        .collect();
    if merged.is_empty() {
        return Vec::new();
    }
    let mut rows: FxHashMap<CommitId, MainlineRow> = FxHashMap::default();
    for row in log
        .mainline
        .iter()
        .filter(|row| merged.contains(&row.commit))
    {
        rows.insert(row.commit, *row);
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.entries));
    rows.truncate(MAX_MERGES);
    rows
}

fn set_of(
    reader: &mut ObjectReader,
    trees: &mut Trees,
    layouts: &Layouts,
    tree: crate::model::TreeId,
) -> Result<FileSet, GitError> {
    let set = trees.set_of(reader, layouts, tree)?;
    Ok(set
        .and_then(|set| trees.sets.get(set as usize))
        .cloned()
        .unwrap_or_default())
}

fn commit_files(
    reader: &mut ObjectReader,
    trees: &mut Trees,
    layouts: &Layouts,
    commit: &BranchCommit,
    merges: &[(CommitId, MainlineRow)],
) -> Result<CommitFiles, GitError> {
    let files = set_of(reader, trees, layouts, commit.tree)?;
    let mut merged = Vec::new();
    for (at, (id, _)) in merges.iter().enumerate() {
        if commit.merged.contains(id) {
            let tree = reader.commit_header(*id)?.tree;
            merged.push((at, set_of(reader, trees, layouts, tree)?));
        }
    }
    Ok(CommitFiles { files, merged })
}

/// The versions to read: all files of the last commit, and of the others the templates and the files that change.
/// Newest first, so that each version is parsed relative to a similar one.
fn plan(trees: &Trees, layouts: &Layouts, commits: &[CommitFiles]) -> Vec<ReadJob> {
    let mut wanted = Vec::new();
    let mut templates: FxHashSet<Arc<str>> = FxHashSet::default();
    for (at, commit) in commits.iter().enumerate().rev() {
        let is_last = at + 1 == commits.len();
        if let Some((_, file)) = commit.files.template {
            wanted.push(file);
            templates.extend(trees.files.get(file as usize).map(|it| it.path.clone()));
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
    let mut jobs: BTreeMap<&str, ReadJob> = BTreeMap::new();
    let mut seen = FxHashSet::default();
    // Templates first: a version that is read as another file's does not know the order of its keys.
    for is_template in [true, false] {
        for file in wanted
            .iter()
            .filter_map(|&file| trees.files.get(file as usize))
        {
            if templates.contains(&file.path) == is_template && seen.insert(file.blob) {
                let job = jobs.entry(&*file.path).or_insert_with(|| ReadJob {
                    blobs: Vec::new(),
                    is_template,
                    single_form: language::has_single_form(&layouts.code_of(&file.path)),
                });
                job.blobs.push(file.blob);
            }
        }
    }
    jobs.into_values().collect()
}

/// Reads the last readable versions of the files that are broken in the commit, and returns their blobs.
fn read_fallbacks(
    input: RevisionInput<'_>,
    repository: &Repository,
    commit: CommitId,
    set: &FileSet,
    trees: &mut Trees,
    versions: &mut Versions,
    vocabulary: &mut Vocabulary,
) -> Result<FxHashMap<LanguageIndex, BlobId>, HistoryError> {
    let is_broken = |blob: BlobId| matches!(versions.get(&blob), Some(Version::Broken));
    let broken: Vec<LanguageIndex> = set
        .files
        .iter()
        .filter(|&&(_, file)| {
            trees
                .files
                .get(file as usize)
                .is_some_and(|file| is_broken(file.blob))
        })
        .map(|&(language, _)| language)
        .collect();
    let mut found = FxHashMap::default();
    if broken.is_empty() {
        return Ok(found);
    }
    let format = formats::reader(input.component.file_format);
    let mut reader = repository.reader();
    let mut lookup = AncestorLookup::new(&mut reader, format, trees, input.layouts);
    for language in broken {
        if let Some(blob) = lookup.last_readable(commit, language)? {
            found.insert(language, blob);
        }
    }
    let job = |(language, blob): (&LanguageIndex, &BlobId)| ReadJob {
        blobs: vec![*blob],
        is_template: set
            .template
            .is_some_and(|(template, _)| template == *language),
        single_form: trees
            .languages
            .get(usize::from(*language))
            .is_some_and(|code| language::has_single_form(code)),
    };
    // Another file may have the same content as the template: it was read without the order of its keys.
    let jobs: Vec<ReadJob> = found
        .iter()
        .map(|file| (job(file), file.1))
        .filter(|(job, blob)| job.is_template || !versions.contains_key(blob))
        .map(|(job, _)| job)
        .collect();
    versions.extend(read(
        repository,
        input.component.file_format,
        jobs,
        vocabulary,
        &|| {},
    )?);
    Ok(found)
}

/// Builds the rows of a commit.
struct StateBuilder<'a> {
    input: RevisionInput<'a>,
    trees: &'a Trees,
    versions: &'a Versions,
    fallbacks: &'a FxHashMap<LanguageIndex, BlobId>,
    vocabulary: &'a mut Vocabulary,
}

impl StateBuilder<'_> {
    fn version(&self, language: LanguageIndex, blob: BlobId) -> Option<Arc<ParsedVersion>> {
        let parsed = |blob: BlobId| self.versions.get(&blob)?.parsed().cloned();
        parsed(blob).or_else(|| parsed(*self.fallbacks.get(&language)?))
    }

    /// The files of the commit, by path.
    fn files(&self, set: &FileSet) -> Vec<TipFile> {
        let file = |&(language, file): &(LanguageIndex, FileIndex)| {
            let file = self.trees.files.get(file as usize)?;
            let code = self.input.layouts.code_of(&file.path);
            let blob = file.blob;
            Some(TipFile {
                path: file.path.clone(),
                file: ListedFile { code, blob },
                lineage: LineageId(language),
                version: self.version(language, blob),
            })
        };
        let mut files: Vec<TipFile> = set.files.iter().filter_map(file).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    fn rows(
        self,
        reader: &mut ObjectReader,
        commit: CommitId,
        set: &FileSet,
    ) -> Result<Projection, HistoryError> {
        let RevisionInput {
            component, layouts, ..
        } = self.input;
        let format = formats::reader(component.file_format);
        let tip = Arc::new(reader.commit(commit)?);
        let files = self.files(set);
        let (template_language, template_file) = set
            .template
            .ok_or_else(|| HistoryError::nothing_at(component, commit))?;
        let template_blob = self
            .trees
            .files
            .get(template_file as usize)
            .map(|file| file.blob);
        let template = template_blob.and_then(|blob| self.version(template_language, blob));
        let Some(template) = template else {
            let reason =
                template_blob.map_or_else(String::new, |blob| why_unreadable(reader, format, blob));
            return Err(HistoryError::broken_template(component, reason));
        };
        let since = Timestamp::from_seconds(tip.committer.time.seconds);
        let sources = sources(&template, &self.vocabulary.keys, |_| since);
        let problems = files
            .iter()
            .filter(|file| {
                file.version
                    .as_ref()
                    .is_none_or(|version| version.blob != file.file.blob)
            })
            .filter_map(|file| file.problem(reader, format))
            .collect();
        let translations = files
            .into_iter()
            .map(|file| {
                let is_template = file.lineage.0 == template_language;
                Arc::new(file.rows(&sources, is_template))
            })
            .collect();
        Ok(Projection {
            texts: self.vocabulary.texts.freeze(),
            tip,
            template_blob: template.blob,
            sources: sources.into(),
            translations,
            problems,
            log: Arc::default(),
            people: Arc::new([]),
            layouts: layouts.clone(),
        })
    }
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
                let stale = self.stale(&sources, translation);
                Arc::make_mut(translation).stale = stale;
            }
        }
    }

    fn stale(
        &mut self,
        sources: &[SourceString],
        translation: &TranslationState,
    ) -> Vec<(u32, TextId)> {
        let mut stale = Vec::new();
        for ((row, unit), source) in (0..).zip(&translation.units).zip(sources) {
            if unit.translated {
                let written_for = self.written_for(translation.lineage, source.key);
                if written_for != source.source {
                    stale.push((row, written_for));
                }
            }
        }
        stale
    }

    /// The source that a text was written for, as one of the commit's texts.
    fn written_for(&mut self, lineage: LineageId, key: KeyId) -> TextId {
        let log = match self.writes.get(&(lineage.0, key)) {
            Some(&BranchWrite::For(source)) => return source,
            Some(&BranchWrite::As(merged)) => self.replayed.get(merged + 1),
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
