//! One version of a language file after parsing.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::keys::KeyTable;
use super::values::{TextValue, Values};
use gitglot_formats::Alternative;
use gitglot_model::{BlobId, KeyId, SeededMap, SeededSet, TextId, TextPool};

/// The texts and keys of a component.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Vocabulary {
    pub texts: TextPool,
    pub keys: KeyTable,
    /// The number of keys whose ids are counted, and the bytes of their ids.
    #[serde(skip)]
    counted: (usize, usize),
}

impl Vocabulary {
    /// The bytes of the ids of all keys.
    pub fn id_bytes(&self) -> usize {
        let (count, bytes) = self.counted;
        let new = self.keys.contexts().get(count..).unwrap_or_default();
        let lengths = new.iter().map(|&context| self.texts.get(context).len());
        bytes + lengths.sum::<usize>()
    }

    /// The number of a key; allocates one for a new key.
    pub fn intern_key(&mut self, context: &str) -> KeyId {
        let context = self.texts.intern(context);
        self.key_of(context)
    }

    /// The number of the key with a context; allocates one for a new key.
    pub fn key_of(&mut self, context: TextId) -> KeyId {
        let key = self.keys.intern(context);
        // Of a stored vocabulary, all keys are counted at once.
        self.counted = (self.keys.contexts().len(), self.id_bytes());
        key
    }

    /// The number of texts and of keys, which [`Self::truncate`] goes back to.
    pub fn size(&self) -> (usize, usize) {
        (self.texts.count(), self.keys.contexts().len())
    }

    /// Removes the newest texts and keys. No version may use them.
    pub fn truncate(&mut self, texts: usize, keys: usize) {
        self.keys.truncate(keys);
        self.texts.truncate(texts);
        self.counted = (0, 0);
    }
}

/// The versions that a step has read.
pub type Versions = SeededMap<BlobId, Version>;

/// One version of a file.
#[derive(Clone, Debug)]
pub enum Version {
    Parsed(Arc<ParsedVersion>),
    /// It does not parse.
    Broken,
}

impl Version {
    /// The content, if it parses.
    pub fn parsed(&self) -> Option<&Arc<ParsedVersion>> {
        match self {
            Self::Parsed(version) => Some(version),
            Self::Broken => None,
        }
    }

    /// Whether this version has to be read again because the order of its keys is unknown.
    pub fn lacks_order(&self) -> bool {
        matches!(self, Self::Parsed(version) if version.order.is_none())
    }
}

/// The content of a version that parses.
#[derive(Debug, Serialize, Deserialize)]
pub struct ParsedVersion {
    pub blob: BlobId,
    /// The value of each key; the last one of a duplicate key.
    pub values: Values,
    /// The note of each key, as a value; absent for `""`.
    pub notes: Values,
    /// The source text that the file names as the earlier one of a key, as a value.
    pub previous_sources: Values,
    /// The first entry of each duplicate key.
    pub duplicates: Box<[FileEntry]>,
    /// The keys in file order; only of templates.
    pub order: Option<KeyOrder>,
    pub alternatives: Arc<Alternatives>,
}

impl ParsedVersion {
    /// A version whose texts are not needed.
    pub fn without_texts(blob: BlobId) -> Self {
        Self {
            blob,
            values: Values::default(),
            notes: Values::default(),
            previous_sources: Values::default(),
            duplicates: Box::default(),
            order: None,
            alternatives: Arc::default(),
        }
    }

    /// The text of a key in a translation.
    pub fn value(&self, key: KeyId) -> TextValue {
        self.values.get(key)
    }

    /// The source that a document names as the one that it was made from. Not for bilingual files.
    pub fn made_from(&self, key: KeyId) -> Option<TextId> {
        let source = self.previous_sources.get(key);
        source.is_present().then(|| source.text())
    }

    /// The text of a key in a translation of a template whose text of the key has plural forms, or has none.
    pub fn value_for(&self, key: KeyId, has_forms: impl FnOnce() -> bool) -> TextValue {
        let needs_forms = self.alternatives.of_plurals.binary_search(&key).is_ok();
        if needs_forms && !has_forms() {
            TextValue::ABSENT
        } else {
            self.value(key)
        }
    }

    /// The note of a key in a translation.
    pub fn note(&self, key: KeyId) -> TextId {
        self.notes.get(key).text()
    }

    /// The text of a key in the template: the first one counts (docs/spec/units.md#duplicates).
    pub fn source(&self, key: KeyId) -> TextValue {
        if self.alternatives.all.binary_search(&key).is_ok() {
            return TextValue::ABSENT;
        }
        let first = self.first_duplicate(key);
        first.map_or_else(|| self.value(key), |first| first.value)
    }

    /// The note of a key in the template.
    pub fn source_note(&self, key: KeyId) -> TextId {
        let first = self.first_duplicate(key);
        first.map_or_else(|| self.note(key), |first| first.note.text())
    }

    fn first_duplicate(&self, key: KeyId) -> Option<&FileEntry> {
        let mut duplicates = self.duplicates.iter();
        duplicates.find(|duplicate| duplicate.key == key)
    }

    /// Keys of several entries of the file.
    pub fn duplicate_keys(&self) -> impl Iterator<Item = KeyId> {
        self.duplicates.iter().map(|duplicate| duplicate.key)
    }

    /// Calls `found` for each key that may differ between two versions.
    pub fn diff(&self, other: &Self, found: &mut impl FnMut(KeyId)) {
        if std::ptr::eq(self, other) {
            return;
        }
        self.values.diff(&other.values, &mut |key, _, _| found(key));
        let duplicates = self.duplicate_keys().chain(other.duplicate_keys());
        // A key can become one of an alternative with the same text.
        let has_other = self.alternatives != other.alternatives;
        let alternatives = self.alternatives.all.iter().chain(&other.alternatives.all);
        let alternatives = alternatives.filter(|_| has_other).copied();
        for key in duplicates.chain(alternatives) {
            if self.value(key) == other.value(key) && self.source(key) != other.source(key) {
                found(key);
            }
        }
    }

    /// Calls `found` for each key of the file, in ascending order, with those of alternatives.
    pub fn each_key(&self, found: &mut impl FnMut(KeyId)) {
        self.values.each(&mut |key, _| found(key));
    }

    /// The keys of a template in file order, each once, with the 1-based position of its first entry; every entry
    /// occupies a position.
    pub fn positions(&self) -> impl Iterator<Item = (u32, KeyId)> {
        let duplicates: SeededSet<KeyId> = self.duplicate_keys().collect();
        let mut seen = SeededSet::default();
        let keys = (1..).zip(self.order.iter().flat_map(KeyOrder::keys));
        keys.filter(move |&(_, key)| !duplicates.contains(&key) || seen.insert(key))
    }
}

/// The keys of a file that count only in a translation, for a template that groups the same texts differently, sorted
/// (docs/spec/formats.md#groups-of-plural-forms).
#[derive(PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Alternatives {
    pub all: Vec<KeyId>,
    /// Those for a text with plural forms only.
    of_plurals: Vec<KeyId>,
}

impl Alternatives {
    pub fn push(&mut self, key: KeyId, kind: Alternative) {
        self.all.push(key);
        if kind == Alternative::Plural {
            self.of_plurals.push(key);
        }
    }

    pub fn sort(&mut self) {
        self.all.sort_unstable();
        self.of_plurals.sort_unstable();
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileEntry {
    pub key: KeyId,
    pub value: TextValue,
    /// The note, as a value; absent for `""`.
    pub note: TextValue,
    /// The earlier source text that the file names, as a value; absent for `""`.
    pub previous_source: TextValue,
}

/// The keys of a file's entries, in chunks that versions share. The keys themselves determine the chunk boundaries,
/// so that an insertion changes one chunk only.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<KeyId>", into = "Vec<KeyId>")]
pub struct KeyOrder {
    chunks: Vec<Arc<[KeyId]>>,
}

impl KeyOrder {
    /// Stores the keys of a file; shares chunks with the version before.
    pub fn new(keys: &[KeyId], before: Option<&Self>) -> Self {
        let mut old = before.map_or(&[][..], |order| &order.chunks).iter();
        let chunks = keys.chunk_by(|key, _| key.0.wrapping_mul(0x9E37_79B1) >> 27 != 0);
        let chunks = chunks.map(|chunk| {
            // Chunks seldom change their order, so the search continues after the last match.
            let rest = old.clone();
            match old.find(|known| ***known == *chunk) {
                Some(known) => known.clone(),
                None => {
                    old = rest;
                    chunk.into()
                }
            }
        });
        let chunks = chunks.collect();
        Self { chunks }
    }

    pub fn keys(&self) -> impl Iterator<Item = KeyId> {
        self.chunks.iter().flat_map(|chunk| chunk.iter().copied())
    }
}

impl From<Vec<KeyId>> for KeyOrder {
    fn from(keys: Vec<KeyId>) -> Self {
        Self::new(&keys, None)
    }
}

impl From<KeyOrder> for Vec<KeyId> {
    fn from(order: KeyOrder) -> Self {
        order.keys().collect()
    }
}
