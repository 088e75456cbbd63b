//! The states, locations and flags of files that have them next to a template.

use std::sync::Arc;

use super::rows::{BilingualUnit, BilingualUnits, SourceString, TranslationState};
use super::tip_file::TipFile;
use crate::versions::parsed::Vocabulary;
use gitglot_formats::RawEntry;
use gitglot_git::{GitError, ObjectReader};
use gitglot_model::{BlobId, FileFormat, KeyId, SeededMap, Shape, TextId};

/// The fields of a version of a file, by key.
#[derive(Default, Debug)]
pub struct FileStates {
    fields: SeededMap<KeyId, Fields>,
    plural_forms: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Fields {
    /// Those of the first entry of the key.
    locations: TextId,
    flags: TextId,
    /// The previous source if the last entry of the key is fuzzy.
    previous: Option<TextId>,
}

/// The fields of the tip's files, by blob.
pub type TipStates = SeededMap<BlobId, Arc<FileStates>>;

/// Reads the fields of all files; those that are `known` are not read again. Empty for formats without states.
pub fn read(
    reader: &mut ObjectReader,
    format: FileFormat,
    files: &[TipFile],
    vocabulary: &mut Vocabulary,
    known: &TipStates,
) -> Result<TipStates, GitError> {
    let mut found = TipStates::default();
    if !format.has_states() {
        return Ok(found);
    }
    for version in files.iter().filter_map(|file| file.version.as_ref()) {
        let states = match known.get(&version.blob) {
            Some(states) => states.clone(),
            None => {
                let bytes = reader.blob(version.blob)?;
                Arc::new(FileStates::read(&bytes, format, vocabulary))
            }
        };
        found.insert(version.blob, states);
    }
    Ok(found)
}

impl FileStates {
    fn read(bytes: &[u8], format: FileFormat, vocabulary: &mut Vocabulary) -> Self {
        let mut fields = SeededMap::default();
        let read = &mut |entry: RawEntry<'_>| {
            let key = vocabulary.intern_key(&entry.key());
            let keyed = entry.keyed.copied().unwrap_or_default();
            let texts = &mut vocabulary.texts;
            let previous = keyed.fuzzy.then(|| texts.intern(keyed.previous_source));
            let first = fields.entry(key).or_insert_with(|| Fields {
                locations: texts.intern(keyed.locations),
                flags: texts.intern(keyed.flags),
                previous,
            });
            first.previous = previous;
        };
        let reader = gitglot_formats::reader(format);
        let read = reader.read(bytes, read);
        read.expect("the version parsed when its texts were read");
        Self {
            fields,
            plural_forms: gitglot_formats::plural_forms(format, bytes),
        }
    }
}

/// Adds the fields of a file to its rows: locations and flags are those of the template, the state is its own.
pub fn fill(
    state: &mut TranslationState,
    sources: &[SourceString],
    template: Option<BlobId>,
    states: &TipStates,
) {
    let states_of = |blob: Option<BlobId>| blob.and_then(|blob| states.get(&blob));
    let Some(of_file) = states_of(state.blob) else {
        return;
    };
    let template = states_of(template).unwrap_or(of_file);
    let row = |(string, source): (u32, &SourceString)| {
        let fields = template.fields.get(&source.key);
        BilingualUnit {
            string,
            position: source.position,
            locations: fields.map_or(TextId::EMPTY, |fields| fields.locations),
            flags: fields.map_or(TextId::EMPTY, |fields| fields.flags),
        }
    };
    let rows = (0..).zip(sources).map(row).collect();
    let units = BilingualUnits::new(Shape::Template, rows, of_file.plural_forms);
    state.bilingual = Some(Box::new(units));
    let fields = sources.iter().map(|source| of_file.fields.get(&source.key));
    let fuzzy = (0..).zip(fields);
    let fuzzy = fuzzy.filter_map(|(row, fields)| Some((row, fields?.previous?)));
    state.stale.extend(fuzzy);
    // A fuzzy text is not translated, so that the log does not call it stale.
    state.stale.sort_unstable_by_key(|&(row, _)| row);
    state.stale.dedup_by_key(|&mut (row, _)| row);
}
