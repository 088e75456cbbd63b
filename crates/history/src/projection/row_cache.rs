//! Reuses the rows of the last projection for translations that did not change.

use std::sync::Arc;

use super::bilingual::{self, FileEntries, TipEntries};
use super::expected::{ExpectedStrings, MissingStrings};
use super::missing::MissingCache;
use super::notes::StringNotes;
use super::rows::{FileProblem, SourceString, TranslationState};
use super::states::{self, TipStates};
use super::tip::sources;
use super::tip_file::{LeftOut, TipFile};
use crate::log::state::{Lineage, LogState};
use crate::versions::parsed::ParsedVersion;
use gitglot_git::{GitError, ObjectReader};
use gitglot_model::{
    Commit, Component, FileFormat, FileMask, KeyId, LineageId, SeededMap, TreeId, is_blank,
    shown_path,
};

/// The strings of a component, and the rows of its files.
type Rows = (Arc<[SourceString]>, Vec<Arc<TranslationState>>);

/// The rows of the last projection.
#[derive(Clone, Default, Debug)]
pub struct RowCache {
    template: Option<Arc<ParsedVersion>>,
    sources: Arc<[SourceString]>,
    translations: SeededMap<LineageId, CachedTranslation>,
    /// The strings that bilingual files lack.
    missing: MissingCache,
    /// Whether strings of bilingual files have several keys, so that rows do not have the keys of their entries.
    has_joined_keys: bool,
    /// The fields of files with states.
    file_states: TipStates,
    /// The notes of the strings in a file of their own.
    notes: Option<StringNotes>,
    /// What readers leave out of the files.
    left_out: LeftOut,
}

/// The rows of a translation and all that they depend on besides the template.
#[derive(Clone, Debug)]
struct CachedTranslation {
    version: Option<Arc<ParsedVersion>>,
    /// [`Lineage::revision`] at that time.
    revision: u64,
    state: Arc<TranslationState>,
}

impl RowCache {
    /// The problems of files that are served.
    pub fn problems(
        &mut self,
        reader: &mut ObjectReader,
        format: FileFormat,
        files: &[TipFile],
    ) -> Vec<FileProblem> {
        let mut known = std::mem::take(&mut self.left_out);
        let problem = |file: &TipFile| file.problem(reader, format, &mut known);
        let problems = files.iter().filter_map(problem).collect();
        let blobs = files.iter().map(|file| file.file.blob);
        self.left_out = blobs.filter_map(|blob| known.remove_entry(&blob)).collect();
        problems
    }

    /// The notes of the strings at a tree, for [`Self::rows`].
    pub fn notes(
        &self,
        reader: &mut ObjectReader,
        format: FileFormat,
        tree: TreeId,
        mask: &FileMask,
    ) -> Result<Option<StringNotes>, GitError> {
        StringNotes::read(reader, format, tree, mask, self.notes.as_ref())
    }

    /// Returns the rows of the template and of all files, by path.
    pub fn rows(
        &mut self,
        reader: &mut ObjectReader,
        format: FileFormat,
        log: &mut LogState,
        files: &[TipFile],
        template: &Arc<ParsedVersion>,
        notes: Option<StringNotes>,
    ) -> Result<Rows, GitError> {
        let vocabulary = &mut log.vocabulary;
        let file_states = states::read(reader, format, files, vocabulary, &self.file_states)?;
        let blob = |notes: &Option<StringNotes>| notes.as_ref().map(|notes| notes.blob);
        let has_same_notes = blob(&notes) == blob(&self.notes);
        self.notes = notes;
        let template_is = |cached| Arc::ptr_eq(cached, template);
        if !has_same_notes || !self.template.as_ref().is_some_and(template_is) {
            let since = |key| log.key(key).since.unwrap_or_default();
            let mut sources = sources(template, &log.vocabulary.keys, since);
            if let Some(notes) = &self.notes {
                notes.fill(&mut sources, &mut log.vocabulary);
            }
            self.sources = sources.into();
            self.translations.clear();
            self.template = Some(template.clone());
        }
        let states = self.states(log, files, |sources, file, lineage| {
            let texts = &log.vocabulary.texts;
            let mut state = file.rows(sources, |text| texts.is_plural(text));
            if !file.is_template {
                state.find_stale(sources, |key| lineage.carried_source(key));
            }
            states::fill(&mut state, sources, Some(template.blob), &file_states);
            state
        });
        self.file_states = file_states;
        Ok((self.sources.clone(), states))
    }

    /// As [`Self::rows`], for a component without a template at a tree, and the strings that its files lack.
    pub fn bilingual_rows(
        &mut self,
        component: &Component,
        reader: &mut ObjectReader,
        tip: &Commit,
        log: &mut LogState,
        files: &[TipFile],
    ) -> Result<(Rows, ExpectedStrings, Vec<Arc<MissingStrings>>), GitError> {
        let vocabulary = &mut log.vocabulary;
        let (format, known) = (component.file_format, self.known_entries());
        let entries = bilingual::read_entries(reader, format, files, vocabulary, &known)?;
        let keys = &log.keys;
        let since = |key: KeyId| {
            let key = keys.get(key.0 as usize);
            key.and_then(|key| key.since).unwrap_or_default()
        };
        let (sources, indexes) = bilingual::strings(files, &entries, vocabulary, since);
        self.has_joined_keys = indexes.len() > sources.len();
        if *self.sources != *sources {
            self.sources = sources.into();
            self.translations.clear();
        }
        let cache = &mut self.missing;
        let (mut expected, missing) =
            cache.find(component, reader, tip.tree, files, &entries, vocabulary)?;
        expected.template_age = cache.template_age(component, reader, tip, vocabulary)?;
        let log: &LogState = log;
        // A plural without a previous source has empty forms.
        let is_blank = |text| is_blank(log.vocabulary.texts.get(text));
        let states = self.states(log, files, |sources, file, lineage| {
            let mut state = bilingual::rows(file, &entries, &indexes);
            let keys = &log.keys;
            bilingual::add_earlier_sources(&mut state, sources, lineage, keys, &is_blank);
            state
        });
        Ok(((self.sources.clone(), states), expected, missing))
    }

    /// The entries of the files of the last rows. They are not kept, because rows have the same fields.
    fn known_entries(&self) -> TipEntries {
        if self.has_joined_keys {
            return TipEntries::default();
        }
        let versions = self.translations.values().filter_map(|translation| {
            let blob = translation.version.as_ref()?.blob;
            let entries = FileEntries::of_rows(&translation.state, &self.sources)?;
            Some((blob, Arc::new(entries)))
        });
        versions.collect()
    }

    /// The rows of all files; `build` makes those that changed.
    fn states(
        &mut self,
        log: &LogState,
        files: &[TipFile],
        build: impl Fn(&[SourceString], &TipFile, &Lineage) -> TranslationState,
    ) -> Vec<Arc<TranslationState>> {
        let mut cached = std::mem::take(&mut self.translations);
        let mut states = Vec::with_capacity(files.len());
        for file in files {
            let Some(lineage) = log.lineages.get(usize::from(file.lineage.0)) else {
                continue;
            };
            let known = cached.remove(&file.lineage);
            let known = known.filter(|known| known.is_current(file, lineage));
            let translation = known.unwrap_or_else(|| CachedTranslation {
                version: file.version.clone(),
                revision: lineage.revision,
                state: {
                    let mut state = build(&self.sources, file, lineage);
                    state.last_change = lineage.last_change;
                    state.older_paths = shown_paths(lineage);
                    Arc::new(state)
                },
            });
            states.push(translation.state.clone());
            self.translations.insert(file.lineage, translation);
        }
        states
    }
}

/// The older paths of the file of a lineage.
fn shown_paths(lineage: &Lineage) -> Vec<Arc<str>> {
    let mut paths: Vec<Arc<str>> = lineage.older_paths.iter().map(shown_path).collect();
    paths.dedup();
    paths
}

impl CachedTranslation {
    fn is_current(&self, file: &TipFile, lineage: &Lineage) -> bool {
        self.version.as_ref().map(Arc::as_ptr) == file.version.as_ref().map(Arc::as_ptr)
            && self.revision == lineage.revision
            && self.state.own_path == file.path
            && self.state.is_template == file.is_template
            && self.state.last_change == lineage.last_change
            && self.state.older_paths == shown_paths(lineage)
    }
}
