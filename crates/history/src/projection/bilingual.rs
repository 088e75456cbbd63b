//! The rows of a tip without a template: each file has its own strings, in its own order.

use std::ops::DerefMut;
use std::sync::Arc;

use parking_lot::Mutex;

use super::rows::{BilingualUnit, BilingualUnits, SourceString, TranslationState, UnitState};
use super::tip_file::TipFile;
use crate::error::HistoryError;
use crate::log::state::{KeyState, Lineage};
use crate::versions::parsed::Vocabulary;
use crate::versions::read::MIN_PARALLEL;
use crate::versions::union::{context_of_key, source_of_key};
use gitglot_formats::{RawEntry, Revised};
use gitglot_git::{GitError, ObjectReader, Repository};
use gitglot_model::{
    BlobId, FileFormat, KeyId, SeededMap, SeededSet, Shape, TextId, Timestamp, threads_for,
    try_in_parallel,
};

/// The entries of a version of a file that become units.
#[derive(Default, Debug)]
pub struct FileEntries {
    entries: Vec<Entry>,
    plural_forms: Option<usize>,
    /// When the template was made that the file was last merged with, as its header says.
    pub(super) template_date: Option<Arc<str>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: KeyId,
    unit: UnitState,
    position: u32,
    locations: TextId,
    flags: TextId,
    /// The previous source of a fuzzy entry.
    previous: Option<TextId>,
    revised: Revised,
}

/// The entries of the tip's files, by blob.
pub type TipEntries = SeededMap<BlobId, Arc<FileEntries>>;

/// Reads the entries of all files; those that are `known` are not read again.
pub fn read_entries(
    reader: &mut ObjectReader,
    format: FileFormat,
    files: &[TipFile],
    vocabulary: &mut Vocabulary,
    known: &TipEntries,
) -> Result<TipEntries, GitError> {
    let mut found = TipEntries::default();
    let versions = files.iter().filter_map(|file| file.version.as_ref());
    for blob in versions.map(|version| version.blob) {
        let entries = match known.get(&blob) {
            Some(entries) => entries.clone(),
            None => {
                let read = FileEntries::read(&reader.blob(blob)?, format, || &mut *vocabulary);
                Arc::new(read.expect("the version parsed when its texts were read"))
            }
        };
        found.insert(blob, entries);
    }
    Ok(found)
}

/// Reads files on all cores, each once; those that do not parse are left out.
///
/// # Errors
/// As of [`crate::versions::read::read`].
pub fn read_files(
    repository: &Repository,
    format: FileFormat,
    blobs: Vec<BlobId>,
    vocabulary: &mut Vocabulary,
    id_bytes: usize,
) -> Result<TipEntries, HistoryError> {
    let threads = match blobs.len() {
        ..MIN_PARALLEL => 1,
        files => threads_for(files),
    };
    let shared = Mutex::new(std::mem::take(vocabulary));
    let found = try_in_parallel(blobs, threads, || {
        let mut reader = repository.reader();
        let shared = &shared;
        move |blob| {
            let bytes = match reader.blob(blob) {
                Ok(bytes) => bytes,
                Err(error) if error.is_damage() && !repository.is_recloned() => {
                    return Err(error.into());
                }
                Err(_) => return Ok(None),
            };
            let entries = FileEntries::read(&bytes, format, || shared.lock());
            if shared.lock().id_bytes() > id_bytes {
                Err(HistoryError::TooManyIds)
            } else {
                Ok(entries.map(|entries| (blob, Arc::new(entries))))
            }
        }
    });
    *vocabulary = shared.into_inner();
    Ok(found?.into_iter().flatten().collect())
}

impl FileEntries {
    /// Reads a file; `None` if it does not parse. Opens the vocabulary only after parsing, so that others can use it.
    pub(super) fn read<V: DerefMut<Target = Vocabulary>>(
        bytes: &[u8],
        format: FileFormat,
        open: impl FnOnce() -> V,
    ) -> Option<Self> {
        let (mut entries, mut position) = (Vec::new(), 0);
        let mut seen = SeededSet::default();
        let (mut opened, mut open) = (None, Some(open));
        let read = &mut |entry: RawEntry<'_>| {
            if let Some(open) = open.take() {
                opened = Some(open());
            }
            let Some(vocabulary) = opened.as_deref_mut() else {
                return;
            };
            position += 1;
            let key = vocabulary.intern_key(&entry.key());
            if !seen.insert(key) {
                return;
            }
            let fields = entry.bilingual.copied().unwrap_or_default();
            let texts = &mut vocabulary.texts;
            let target = texts.intern_with_forms(entry.text, entry.forms);
            entries.push(Entry {
                key,
                unit: UnitState::new(target, texts.intern(entry.note), entry.translated),
                position,
                locations: texts.intern(fields.locations),
                flags: texts.intern(fields.flags),
                previous: fields.fuzzy.then(|| texts.intern(fields.previous_source)),
                revised: fields.revised,
            });
        };
        let reader = gitglot_formats::reader(format);
        let read = reader.read(bytes, read);
        let template_date = gitglot_formats::template_date(format, bytes);
        read.is_ok().then(|| Self {
            entries,
            plural_forms: gitglot_formats::plural_forms(format, bytes),
            template_date: template_date.map(Into::into),
        })
    }

    /// The entries of rows, if each string has one key.
    pub(super) fn of_rows(state: &TranslationState, sources: &[SourceString]) -> Option<Self> {
        let bilingual = state.bilingual.as_ref()?;
        let mut stale = state.stale.iter().peekable();
        let mut revised = bilingual.revised.iter().peekable();
        let rows = (0..).zip(bilingual.rows.iter().zip(&state.units));
        let entry = |(at, (row, &unit)): (u32, (&BilingualUnit, &UnitState))| {
            let revised = revised.next_if(|(row, _)| *row == at);
            Some(Entry {
                key: sources.get(row.string as usize)?.key,
                unit,
                position: row.position,
                locations: row.locations,
                flags: row.flags,
                previous: stale.next_if(|(row, _)| *row == at).map(|(_, text)| *text),
                revised: revised.map_or(Revised::Same, |(_, revised)| *revised),
            })
        };
        Some(Self {
            entries: rows.map(entry).collect::<Option<_>>()?,
            plural_forms: bilingual.plural_forms,
            template_date: bilingual.template_date.clone(),
        })
    }

    /// The locations of the entries.
    pub(super) fn locations(&self) -> impl Iterator<Item = TextId> + '_ {
        self.entries.iter().map(|entry| entry.locations)
    }

    /// The keys of the entries that programs have, each once.
    pub(super) fn keys(&self) -> impl Iterator<Item = KeyId> + '_ {
        let entries = self.entries.iter();
        let entries = entries.filter(|entry| entry.revised != Revised::Gone);
        entries.map(|entry| entry.key)
    }

    /// The entries that programs have, and whether each is translated and not fuzzy.
    pub(super) fn translations(&self) -> impl Iterator<Item = (KeyId, bool)> + '_ {
        let entries = self.entries.iter();
        let entries = entries.filter(|entry| entry.revised != Revised::Gone);
        entries.map(|entry| {
            let is_translated = entry.unit.translated() && entry.previous.is_none();
            (entry.key, is_translated && entry.revised == Revised::Same)
        })
    }

    /// The units of the entries, given the index of each key's string.
    fn fill(&self, state: &mut TranslationState, strings: &SeededMap<KeyId, u32>) {
        let rows = self.entries.iter().map(|entry| BilingualUnit {
            string: strings.get(&entry.key).copied().unwrap_or(u32::MAX),
            position: entry.position,
            locations: entry.locations,
            flags: entry.flags,
        });
        let mut units = BilingualUnits::new(Shape::Bilingual, rows.collect(), self.plural_forms);
        units.template_date.clone_from(&self.template_date);
        let revised = (0..).zip(self.entries.iter().map(|entry| entry.revised));
        units.revised = revised.filter(|row| row.1 != Revised::Same).collect();
        state.bilingual = Some(Box::new(units));
        state.units = self.entries.iter().map(|entry| entry.unit).collect();
        let previous = self.entries.iter().map(|entry| entry.previous);
        let fuzzy = (0..).zip(previous);
        state.stale = fuzzy
            .filter_map(|(at, source)| Some((at, source?)))
            .collect();
    }
}

/// The strings of all files, by path and in the order of the files, and the index of the string of each key. Keys whose
/// sources and contexts are joined to the same text have one string (docs/spec/units.md#bilingual-files).
pub fn strings(
    files: &[TipFile],
    entries: &TipEntries,
    vocabulary: &mut Vocabulary,
    since: impl Fn(KeyId) -> Timestamp,
) -> (Vec<SourceString>, SeededMap<KeyId, u32>) {
    let mut strings = Vec::new();
    let (mut indexes, mut by_identity) = (SeededMap::default(), SeededMap::default());
    let files = files.iter().filter_map(|file| of_file(file, entries));
    for entry in files.flat_map(|file| &file.entries) {
        if indexes.contains_key(&entry.key) {
            continue;
        }
        let source = source_of_key(vocabulary, entry.key);
        let context = context_of_key(vocabulary, entry.key);
        let next = strings.len() as u32;
        let identity = [source, context].map(|text| vocabulary.texts.get(text));
        let index = *by_identity.entry(identity.concat()).or_insert(next);
        indexes.insert(entry.key, index);
        if index != next {
            continue;
        }
        strings.push(SourceString {
            key: entry.key,
            context,
            source,
            note: TextId::EMPTY,
            position: strings.len() as u32 + 1,
            since: since(entry.key),
        });
    }
    (strings, indexes)
}

fn of_file<'e>(file: &TipFile, entries: &'e TipEntries) -> Option<&'e FileEntries> {
    Some(entries.get(&file.version.as_ref()?.blob)?)
}

/// Adds the sources that only the history has: a fuzzy text without a previous source has that of the newest other string
/// that had the same text in the translation before (docs/spec/units.md#earlier-sources).
pub fn add_earlier_sources(
    state: &mut TranslationState,
    sources: &[SourceString],
    lineage: &Lineage,
    keys: &[KeyState],
    is_blank: &impl Fn(TextId) -> bool,
) {
    let mut wanted: SeededMap<TextId, Vec<u32>> = SeededMap::default();
    for &(row, previous) in &state.stale {
        let unit = state.units.get(row as usize);
        if let Some(unit) = unit.filter(|unit| is_blank(previous) && !is_blank(unit.target())) {
            wanted.entry(unit.target()).or_default().push(row);
        }
    }
    if wanted.is_empty() {
        return;
    }
    let mut found: SeededMap<u32, TextId> = SeededMap::default();
    for ((key, value), of_key) in (0..).map(KeyId).zip(&lineage.values).zip(keys) {
        let rows = wanted.get(&value.text()).filter(|_| value.is_translated());
        for &row in rows.into_iter().flatten() {
            let own = sources.get(state.string_of(row) as usize);
            if own.is_some_and(|own| own.key != key) {
                found.insert(row, of_key.source.text());
            }
        }
    }
    let mut found: Vec<(u32, TextId)> = found.into_iter().collect();
    found.sort_unstable();
    if let Some(own) = &mut state.bilingual {
        own.earlier_sources = found;
    }
}

/// The rows of a file.
pub fn rows(
    file: &TipFile,
    entries: &TipEntries,
    strings: &SeededMap<KeyId, u32>,
) -> TranslationState {
    let mut state = file.rows(&[], |_| false);
    if let Some(entries) = of_file(file, entries) {
        entries.fill(&mut state, strings);
    }
    state
}
