//! The strings of a commit without a template: those of all its files.

use std::sync::Arc;

use super::parsed::{FileEntry, ParsedVersion, Vocabulary};
use super::values::{TextValue, Values};
use crate::files::trees::LanguageIndex;
use crate::graph::walk::NodeIndex;
use gitglot_model::{
    BlobId, KeyId, PLURAL_SEPARATOR, PluralForm, SeededMap, SeededSet, Shape, TextId,
};

/// The strings of commits, each as the content of a template.
pub type Unions = SeededMap<NodeIndex, Arc<ParsedVersion>>;

/// The source text of a key of a bilingual component. The forms of a plural are those of English.
pub fn source_of_key(vocabulary: &mut Vocabulary, key: KeyId) -> TextId {
    let context = vocabulary.keys.context(key);
    let source = Shape::Bilingual.source(vocabulary.texts.get(context));
    let source = source.unwrap_or_default().to_owned();
    let forms = source_forms(&source);
    vocabulary.texts.intern_with_forms(&source, forms)
}

/// The context of a key of a bilingual component.
pub fn context_of_key(vocabulary: &mut Vocabulary, key: KeyId) -> TextId {
    let key = vocabulary.keys.context(key);
    let context = Shape::Bilingual.context(vocabulary.texts.get(key));
    let context = context.to_owned();
    vocabulary.texts.intern(&context)
}

/// The plural forms of a source text of a bilingual file; none for a text without plural forms.
pub fn source_forms(source: &str) -> &'static [PluralForm] {
    if source.contains(PLURAL_SEPARATOR) {
        &[PluralForm::One, PluralForm::Other]
    } else {
        &[]
    }
}

/// A language and the content of its file.
pub type LanguageVersion = (LanguageIndex, Arc<ParsedVersion>);

/// Builds the strings of one commit after the other, at the cost of their differences.
#[derive(Default)]
pub struct UnionBuilder {
    files: Vec<LanguageVersion>,
    /// The number of files that have each key, by [`KeyId`].
    counts: Vec<u32>,
    values: Values,
    sources: SeededMap<KeyId, TextValue>,
    last: Option<Arc<ParsedVersion>>,
}

impl UnionBuilder {
    /// The strings of some files, sorted by language; `None` if there are no files.
    pub fn union(
        &mut self,
        files: Vec<LanguageVersion>,
        vocabulary: &mut Vocabulary,
    ) -> Option<Arc<ParsedVersion>> {
        let same =
            |(a, b): (&LanguageVersion, &LanguageVersion)| a.0 == b.0 && Arc::ptr_eq(&a.1, &b.1);
        if files.len() == self.files.len() && files.iter().zip(&self.files).all(same) {
            return self.last.clone();
        }
        let old = std::mem::replace(&mut self.files, files.clone());
        self.replace(&old, &files, vocabulary);
        self.last = (!files.is_empty()).then(|| Arc::new(self.version(&files)));
        self.last.clone()
    }

    fn replace(
        &mut self,
        old: &[LanguageVersion],
        new: &[LanguageVersion],
        vocabulary: &mut Vocabulary,
    ) {
        let values_of = |files: &[LanguageVersion], language: LanguageIndex| {
            let at = files.binary_search_by_key(&language, |(language, _)| *language);
            at.map_or_else(|_| Values::default(), |at| files[at].1.values.clone())
        };
        let languages = old.iter().chain(new).map(|&(language, _)| language);
        let languages: SeededSet<LanguageIndex> = languages.collect();
        let mut touched = SeededSet::default();
        for language in languages {
            let (old, new) = (values_of(old, language), values_of(new, language));
            old.diff(&new, &mut |key, before, after| {
                if before.is_present() == after.is_present() {
                    return;
                }
                let at = key.0 as usize;
                if self.counts.len() <= at {
                    self.counts.resize(at + 1, 0);
                }
                if let Some(count) = self.counts.get_mut(at) {
                    *count += u32::from(after.is_present());
                    *count = count.saturating_sub(u32::from(before.is_present()));
                }
                touched.insert(key);
            });
        }
        // In order, as new texts get their ids here.
        let mut touched: Vec<KeyId> = touched.into_iter().collect();
        touched.sort_unstable();
        for key in touched {
            let count = self.counts.get(key.0 as usize);
            let is_present = count.is_some_and(|&count| count > 0);
            let value = if is_present {
                *(self.sources.entry(key))
                    .or_insert_with(|| TextValue::new(source_of_key(vocabulary, key), true))
            } else {
                TextValue::ABSENT
            };
            self.values.set(key, value);
        }
    }

    fn version(&self, files: &[LanguageVersion]) -> ParsedVersion {
        let keys = files
            .iter()
            .flat_map(|(_, version)| version.duplicate_keys());
        let keys: SeededSet<KeyId> = keys.collect();
        let mut keys: Vec<KeyId> = keys.into_iter().collect();
        keys.sort_unstable();
        let duplicate = |key| FileEntry {
            key,
            value: self.values.get(key),
            note: TextValue::ABSENT,
            previous_source: TextValue::ABSENT,
        };
        ParsedVersion {
            blob: name_of(files),
            values: self.values.clone(),
            notes: Values::default(),
            previous_sources: Values::default(),
            duplicates: keys.into_iter().map(duplicate).collect(),
            order: None,
            alternatives: Arc::default(),
        }
    }
}

/// A name for the strings of some files, which no blob has.
fn name_of(files: &[LanguageVersion]) -> BlobId {
    use std::hash::{DefaultHasher, Hash, Hasher};
    // Its keys are the same in all processes, because checkpoints contain names.
    let mut hasher = DefaultHasher::new();
    for (language, version) in files {
        (language, version.blob).hash(&mut hasher);
    }
    let mut name = [0; 20];
    name[..8].copy_from_slice(&hasher.finish().to_be_bytes());
    BlobId(name)
}
