//! Reads the files of a commit and builds its rows.

use std::sync::Arc;

use super::branch::{Branch, RevisionInput};
use super::branch_changes::{BranchWrite, Contents};
use super::written_for::WrittenFor;
use crate::error::HistoryError;
use crate::files::ancestor_lookup::AncestorLookup;
use crate::files::layout::Layouts;
use crate::files::parts::view;
use crate::files::trees::{FileSet, LanguageIndex, Trees};
use crate::projection::bilingual::TipEntries;
use crate::projection::rows::Projection;
use crate::projection::tip::CommitState;
use crate::projection::tip_file::{TipFile, why_unreadable};
use crate::versions::parsed::{ParsedVersion, Version, Versions, Vocabulary};
use crate::versions::read::{ReadJob, ReadLimits, read};
use gitglot_git::{ObjectReader, Repository};
use gitglot_model::{
    BlobId, CommitId, Component, KeyId, LineageId, MainlineRow, SeededMap, TextId, Unlimited,
    WorkLimit, language,
};

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
    let repository = &view(repository, input.component);
    let limits = ReadLimits::of_work(work);
    let Branch {
        base,
        merges,
        files,
        mut trees,
        mut vocabulary,
        mut versions,
    } = Branch::read(input, repository, commit, limits)?;
    let last = files.last().map(|files| files.files.clone());
    let set = last.ok_or_else(|| HistoryError::nothing_at(input.component, commit))?;
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
        .then(|| old_keys(input, base.as_ref(), &vocabulary));
    let writes = contents.writes(&files, &vocabulary, old_keys);
    let mut reader = repository.reader();
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
    let mut projection = state.project(&mut reader, &mut vocabulary, &TipEntries::default())?;
    // Bilingual files say themselves which texts are stale.
    if let Some(base) = base.filter(|_| input.layouts.has_template()) {
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
) -> SeededMap<KeyId, KeyId> {
    let end = base.map_or(0, |base| base.entries);
    let renames = input.log.renames();
    let mut renames = renames.take_while(|rename| rename.entry < end).peekable();
    if renames.peek().is_none() {
        return SeededMap::default();
    }
    let keys = keys_by_context(vocabulary);
    let key = |key: KeyId| {
        let context = *input.log.keys.get(key.0 as usize)?;
        keys.get(input.texts.get(context)).copied()
    };
    let renames = renames.filter_map(|rename| Some((key(rename.to)?, key(rename.from)?)));
    renames.collect()
}

/// The keys of a commit, by their texts.
fn keys_by_context(vocabulary: &Vocabulary) -> SeededMap<&str, KeyId> {
    let contexts = vocabulary.keys.contexts().iter();
    let texts = contexts.map(|&context| vocabulary.texts.get(context));
    texts.zip((0..).map(KeyId)).collect()
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
) -> Result<SeededMap<LanguageIndex, BlobId>, HistoryError> {
    let file_format = input.component.file_format;
    let mut reader = repository.reader();
    let format = gitglot_formats::reader(file_format);
    let mut lookup = AncestorLookup::new(&mut reader, format, trees, input.layouts);
    let mut found = SeededMap::default();
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
        let template = set.template.map(|(template, _)| template);
        let is_template = template == Some(language);
        // Another file may have the same content as the template: it was read without the order of its keys.
        if is_template || !versions.contains_key(&blob) {
            let code = &lookup.trees.languages[usize::from(language)];
            jobs.push(ReadJob {
                blobs: vec![blob],
                base: None,
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
    writes: &'a SeededMap<(LanguageIndex, KeyId), BranchWrite>,
    /// The key of the log for each key of the commit.
    log_keys: Vec<Option<KeyId>>,
    /// Texts of the log and their ids in the commit's texts.
    texts: SeededMap<TextId, TextId>,
}

impl<'a> Stale<'a> {
    fn new(
        input: RevisionInput<'a>,
        vocabulary: &'a mut Vocabulary,
        replayed: &'a [WrittenFor],
        writes: &'a SeededMap<(LanguageIndex, KeyId), BranchWrite>,
    ) -> Self {
        let keys = keys_by_context(vocabulary);
        let mut log_keys = vec![None; keys.len()];
        for (key, &context) in (0..).map(KeyId).zip(input.log.keys.iter()) {
            let slot = keys.get(input.texts.get(context));
            if let Some(slot) = slot.and_then(|at| log_keys.get_mut(at.0 as usize)) {
                *slot = Some(key);
            }
        }
        Self {
            input,
            vocabulary,
            replayed,
            writes,
            log_keys,
            texts: SeededMap::default(),
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
            Some(&BranchWrite::Of(commit, older_key)) => {
                key = older_key;
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
        let text = self.vocabulary.texts.intern_from(self.input.texts, source);
        self.texts.insert(source, text);
        text
    }
}
