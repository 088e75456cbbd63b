//! Reads the planned versions of language files on all cores. Each version is parsed relative to the one before it.

use std::ops::Range;
use std::sync::Arc;

use parking_lot::Mutex;

use super::parsed::{
    Alternatives, FileEntry, KeyOrder, ParsedVersion, Version, Versions, Vocabulary,
};
use super::union::source_forms;
use super::values::{TextValue, Values};
use crate::error::{HistoryError, MAX_ID_BYTES};
use gitglot_formats::{Alternative, Outline, Part, RawEntry, SINGLE_DOCUMENT};
use gitglot_git::{FileGroup, GroupedFile, ObjectReader, Repository};
use gitglot_model::{
    BlobId, FileFormat, KeyId, PluralForm, SeededMap, SeededSet, TextId, TextPool, Unlimited,
    WorkLimit, WorkMeter, push_stored_text, threads_for, try_in_parallel,
};

/// The versions of one file, in reading order.
pub struct ReadJob {
    pub blobs: Vec<BlobId>,
    /// A version that is known already.
    pub base: Option<Arc<ParsedVersion>>,
    /// Whether the file is the template of some tree.
    pub is_template: bool,
    /// Whether the file's language has a single plural form.
    pub single_form: bool,
}

/// Bytes of blobs that each thread caches: packs store a version as a delta against a later one, up to fifty deep.
const HISTORY_CACHE: usize = 16 << 20;

/// Fewer versions than this are read on the calling thread.
pub const MIN_PARALLEL: usize = 8;

/// The limits of reading versions, and its progress.
#[derive(Clone, Copy)]
pub struct ReadLimits<'a> {
    /// Most bytes of ids in the vocabulary.
    pub id_bytes: usize,
    /// Ends the work early.
    pub work: &'a dyn WorkLimit,
    /// Called after each version.
    pub done: &'a (dyn Fn() + Sync),
}

impl<'a> ReadLimits<'a> {
    /// A limit of ids only.
    pub fn of_ids(id_bytes: usize) -> Self {
        Self {
            id_bytes,
            work: &Unlimited,
            done: &|| {},
        }
    }

    /// The limit of ids of a repository, and a limit of work.
    pub fn of_work(work: &'a dyn WorkLimit) -> Self {
        Self {
            work,
            ..Self::of_ids(MAX_ID_BYTES)
        }
    }
}

/// Reads all versions.
///
/// # Errors
/// When a blob is missing or damaged, or a limit is exceeded. In a re-cloned repository such a version counts as broken.
pub fn read(
    repository: &Repository,
    format: FileFormat,
    mut jobs: Vec<ReadJob>,
    vocabulary: &mut Vocabulary,
    limits: ReadLimits<'_>,
) -> Result<Versions, HistoryError> {
    jobs.sort_by_key(|job| std::cmp::Reverse(job.blobs.len()));
    let total: usize = jobs.iter().map(|job| job.blobs.len()).sum();
    let threads = match total {
        ..MIN_PARALLEL => 1,
        _ => threads_for(jobs.len()),
    };
    let shared = Mutex::new(std::mem::take(vocabulary));
    let found = try_in_parallel(jobs, threads, || {
        let mut worker = ParseWorker {
            reader: repository.reader_for_histories(HISTORY_CACHE),
            format,
            shared: &shared,
            staged: StagedVersion::default(),
            tolerates_damage: repository.is_recloned(),
            limits,
            meter: limits.work.meter(),
        };
        move |job: ReadJob| worker.read_file(&job)
    });
    *vocabulary = shared.into_inner();
    Ok(found?.into_iter().flatten().collect())
}

pub(super) struct ParseWorker<'a> {
    pub(super) reader: ObjectReader,
    pub(super) format: FileFormat,
    pub(super) shared: &'a Mutex<Vocabulary>,
    pub(super) staged: StagedVersion,
    pub(super) tolerates_damage: bool,
    limits: ReadLimits<'a>,
    pub(super) meter: WorkMeter<'a>,
}

/// The parts of a version whose texts are not interned yet, so that parsing needs no lock.
#[derive(Default)]
pub(super) struct StagedVersion {
    /// The texts as a pool stores them.
    bytes: String,
    /// The end of each text in `bytes`.
    ends: Vec<usize>,
    pub(super) parts: Vec<StagedPart>,
}

pub(super) enum StagedPart {
    /// A range of the base version's entries.
    Reused(Range<usize>),
    New(StagedEntry),
}

/// An entry with the indexes of its texts.
pub(super) struct StagedEntry {
    context: usize,
    text: usize,
    note: Option<usize>,
    previous_source: Option<usize>,
    translated: bool,
    alternative: Option<Alternative>,
}

impl StagedVersion {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.parts.clear();
    }

    /// Sets the source that the last entry, a document, was made from.
    pub(super) fn set_previous_source(&mut self, text: &str) {
        let source = (!text.is_empty()).then(|| self.push_text(text, source_forms(text)));
        if let Some(StagedPart::New(entry)) = self.parts.last_mut() {
            entry.previous_source = source;
        }
    }

    /// The bytes of all texts.
    pub(super) fn text_bytes(&self) -> usize {
        self.bytes.len()
    }

    fn push_text(&mut self, text: &str, forms: &[PluralForm]) -> usize {
        push_stored_text(&mut self.bytes, text, forms);
        self.ends.push(self.bytes.len());
        self.ends.len() - 1
    }

    /// The ids of all texts; adds those that are new.
    fn intern(&self, texts: &mut TextPool) -> Vec<TextId> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(self.ends.iter().copied());
        let all: Vec<&str> = ranges.map(|(start, end)| &self.bytes[start..end]).collect();
        texts.intern_all(&all)
    }

    /// Adds an entry. A text that may not be translated is no unit (docs/spec/formats.md#aresource).
    pub(super) fn push_entry(&mut self, entry: RawEntry<'_>) {
        if !entry.translatable {
            return;
        }
        let context = self.push_text(&entry.key(), &[]);
        let text = self.push_text(entry.text, entry.forms);
        // Comments of bilingual files change with every update of the source code; only the tip's are read, with its rows.
        let note = Some(entry.note).filter(|note| entry.bilingual.is_none() && !note.is_empty());
        let previous = entry.bilingual.map(|fields| fields.earlier_source());
        let previous = previous.filter(|previous| !previous.is_empty());
        let staged = StagedEntry {
            context,
            text,
            note: note.map(|note| self.push_text(note, &[])),
            previous_source: previous.map(|source| self.push_text(source, source_forms(source))),
            translated: entry.translated,
            alternative: entry.alternative,
        };
        self.parts.push(StagedPart::New(staged));
    }
}

impl StagedEntry {
    /// The entry with the ids of the texts of its version.
    fn interned(&self, texts: &[TextId], vocabulary: &mut Vocabulary) -> FileEntry {
        let value =
            |at: Option<usize>| at.map_or(TextValue::ABSENT, |at| TextValue::new(texts[at], true));
        FileEntry {
            key: vocabulary.key_of(texts[self.context]),
            value: TextValue::new(texts[self.text], self.translated),
            note: value(self.note),
            previous_source: value(self.previous_source),
        }
    }
}

/// The last readable version, which the next one is parsed against.
#[derive(Default)]
pub(super) struct BaseVersion {
    /// The files of a group.
    pub(super) group: Option<FileGroup>,
    bytes: Arc<Vec<u8>>,
    outline: Outline,
    /// The entries, after them the alternatives.
    pub(super) entries: Vec<FileEntry>,
    /// Space for the entries of the next version.
    spare: Vec<FileEntry>,
    alternatives: Arc<Alternatives>,
    /// Number of entries of each key.
    counts: SeededMap<KeyId, u32>,
    /// Number of keys with several entries.
    duplicates: usize,
    pub(super) values: Values,
    notes: Values,
    pub(super) previous_sources: Values,
    order: Option<KeyOrder>,
    /// Whether the first entry of a duplicate key counts, not the last.
    first_wins: bool,
}

impl ParseWorker<'_> {
    fn read_file(&mut self, job: &ReadJob) -> Result<Vec<(BlobId, Version)>, HistoryError> {
        let mut found = Vec::with_capacity(job.blobs.len());
        let mut base = BaseVersion {
            first_wins: !self.format.shape().has_template(),
            ..BaseVersion::default()
        };
        for &blob in &job.blobs {
            let has_groups = self.format.has_groups();
            let group = has_groups.then(|| self.reader.group(blob)).transpose()?;
            let version = match group.flatten() {
                Some(group) => self.read_group(blob, &mut base, group, job)?,
                None => match self.reader.blob(blob) {
                    Ok(bytes) => self.read_version(blob, &mut base, bytes, job)?,
                    Err(error) if error.is_damage() && !self.tolerates_damage => {
                        return Err(error.into());
                    }
                    Err(_) => Version::Broken,
                },
            };
            found.push((blob, version));
            (self.limits.done)();
        }
        Ok(found)
    }

    /// Parses a version; a readable one becomes the base of the next.
    fn read_version(
        &mut self,
        blob: BlobId,
        base: &mut BaseVersion,
        bytes: Arc<Vec<u8>>,
        job: &ReadJob,
    ) -> Result<Version, HistoryError> {
        if !(self.meter)(bytes.len()) {
            return Err(HistoryError::Stopped);
        }
        let format = gitglot_formats::reader_for(self.format, job.single_form);
        let staged = &mut self.staged;
        staged.clear();
        let parsed = format.reparse(
            &base.bytes,
            &mut base.outline,
            &bytes,
            &mut |part| match part {
                Part::Reused(range) => staged.parts.push(StagedPart::Reused(range)),
                Part::Entry(entry) => staged.push_entry(entry),
            },
        );
        if parsed.is_err() {
            return Ok(Version::Broken);
        }
        if self.format == FileFormat::Document && !job.is_template {
            let path = SINGLE_DOCUMENT.into();
            self.add_source(&GroupedFile { path, blob }, &bytes)?;
        }
        base.bytes = bytes;
        self.finish_version(blob, base, job)
    }

    /// The version of the staged entries, which becomes the base of the next.
    pub(super) fn finish_version(
        &mut self,
        blob: BlobId,
        base: &mut BaseVersion,
        job: &ReadJob,
    ) -> Result<Version, HistoryError> {
        let had_duplicates = base.duplicates > 0;
        let (removed, added) = self.apply_staged(base)?;
        if had_duplicates || base.duplicates > 0 {
            base.rebuild_values();
        } else {
            base.update_values(&removed, &added);
        }
        if job.is_template {
            let entries = base.entries.iter().map(|entry| entry.key);
            let count = base.entries.len() - base.alternatives.all.len();
            let keys: Vec<_> = entries.take(count).collect();
            base.order = Some(KeyOrder::new(&keys, base.order.as_ref()));
        }
        Ok(Version::Parsed(Arc::new(ParsedVersion {
            blob,
            values: base.values.clone(),
            notes: base.notes.clone(),
            previous_sources: base.previous_sources.clone(),
            duplicates: base.first_duplicates(),
            order: base.order.clone(),
            alternatives: base.alternatives.clone(),
        })))
    }

    /// Replaces the base's entries by those of the staged version. Returns the removed keys and the added entries.
    fn apply_staged(
        &mut self,
        base: &mut BaseVersion,
    ) -> Result<(Vec<KeyId>, Vec<FileEntry>), HistoryError> {
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        let old = std::mem::take(&mut base.entries);
        let mut entries = std::mem::take(&mut base.spare);
        entries.clear();
        entries.reserve(old.len() + self.staged.parts.len());
        let mut reused = Vec::new();
        let mut alternatives = Alternatives::default();
        let mut vocabulary = self.shared.lock();
        let texts = self.staged.intern(&mut vocabulary.texts);
        for part in &self.staged.parts {
            match part {
                StagedPart::Reused(range) => {
                    entries.extend_from_slice(&old[range.clone()]);
                    reused.push(range.clone());
                }
                StagedPart::New(staged) => {
                    let entry = staged.interned(&texts, &mut vocabulary);
                    added.push(entry);
                    entries.push(entry);
                    if let Some(kind) = staged.alternative {
                        alternatives.push(entry.key, kind);
                    }
                    if vocabulary.id_bytes() > self.limits.id_bytes {
                        return Err(HistoryError::TooManyIds);
                    }
                }
            }
        }
        drop(vocabulary);
        reused.sort_unstable_by_key(|range| range.start);
        let mut next = 0;
        let end = std::iter::once(old.len()..old.len());
        for range in reused.into_iter().chain(end) {
            let gone = &old[next..range.start];
            removed.extend(gone.iter().map(|entry| entry.key));
            next = range.end;
        }
        added.iter().for_each(|entry| base.count(entry.key, true));
        removed.iter().for_each(|&key| base.count(key, false));
        (base.entries, base.spare) = (entries, old);
        alternatives.sort();
        // Versions share the list.
        if *base.alternatives != alternatives {
            base.alternatives = alternatives.into();
        }
        Ok((removed, added))
    }
}

impl BaseVersion {
    pub(super) fn count(&mut self, key: KeyId, is_added: bool) {
        let count = self.counts.entry(key).or_insert(0);
        if is_added {
            *count += 1;
            self.duplicates += usize::from(*count == 2);
        } else {
            *count = count.saturating_sub(1);
            self.duplicates -= usize::from(*count == 1).min(self.duplicates);
        }
    }

    /// Updates the values where neither version has duplicate keys.
    fn update_values(&mut self, removed: &[KeyId], added: &[FileEntry]) {
        for &key in removed {
            if self.counts.get(&key) == Some(&0) {
                self.values.set(key, TextValue::ABSENT);
                self.notes.set(key, TextValue::ABSENT);
                self.previous_sources.set(key, TextValue::ABSENT);
            }
        }
        for entry in added {
            self.values.set(entry.key, entry.value);
            self.notes.set(entry.key, entry.note);
            let previous = entry.previous_source;
            self.previous_sources.set(entry.key, previous);
        }
    }

    /// Rebuilds the values from all entries: the last entry of a key wins, in bilingual files the first.
    fn rebuild_values(&mut self) {
        let entries = self.entries.iter().map(|entry| (entry.key, *entry));
        let last: SeededMap<KeyId, FileEntry> = if self.first_wins {
            entries.rev().collect()
        } else {
            entries.collect()
        };
        let mut removed = Vec::new();
        self.values.each(&mut |key, _| {
            if !last.contains_key(&key) {
                removed.push(key);
            }
        });
        let added: Vec<FileEntry> = last.into_values().collect();
        self.update_values(&removed, &added);
    }

    fn first_duplicates(&self) -> Box<[FileEntry]> {
        let mut firsts: Vec<FileEntry> = Vec::new();
        if self.duplicates > 0 {
            let mut seen: SeededSet<KeyId> = SeededSet::default();
            for entry in &self.entries {
                let is_duplicate = self.counts.get(&entry.key).is_some_and(|&count| count > 1);
                if is_duplicate && seen.insert(entry.key) {
                    firsts.push(*entry);
                }
            }
        }
        firsts.into()
    }
}
