//! The strings that bilingual files lack (docs/spec/units.md#missing-strings).

use std::sync::Arc;

use super::bilingual::{FileEntries, TipEntries};
use super::expected::{ExpectedString, ExpectedStrings, MissingStrings, TemplateAge};
use super::template_age::AgeCache;
use super::tip_file::TipFile;
use crate::versions::parsed::Vocabulary;
use crate::versions::union::{context_of_key, source_of_key};
use gitglot_formats::{is_same_xliff_text, merged_day};
use gitglot_git::{EntryKind, GitError, ObjectReader};
use gitglot_model::{
    BlobId, Commit, Component, FileFormat, KeyId, PLURAL_SEPARATOR, SeededMap, SeededSet, Shape,
    TreeId, words,
};

/// Missing strings of all files after which no further file is compared with a template that they hardly share.
const MAX_MISSING: usize = 16 << 20;

/// The strings that files lack at the last tip, with all that they depend on.
#[derive(Clone, Default, Debug)]
pub struct MissingCache {
    template: Option<(BlobId, Arc<FileEntries>)>,
    expected: ExpectedStrings,
    by_file: SeededMap<BlobId, Arc<MissingStrings>>,
    age: AgeCache,
}

impl MissingCache {
    /// Finds the strings that files lack, in the order of the files.
    pub fn find(
        &mut self,
        component: &Component,
        reader: &mut ObjectReader,
        tree: TreeId,
        files: &[TipFile],
        entries: &TipEntries,
        vocabulary: &mut Vocabulary,
    ) -> Result<(ExpectedStrings, Vec<Arc<MissingStrings>>), GitError> {
        self.read_template(component, reader, tree, vocabulary)?;
        let of_files = || {
            let versions = files.iter().filter_map(|file| file.version.as_ref());
            versions.filter_map(|version| entries.get(&version.blob))
        };
        let keys: Vec<KeyId> = match &self.template {
            Some((_, template)) => template.keys().collect(),
            None => most_have(of_files().map(|file| &**file)),
        };
        let strings = self.expected.strings.iter();
        let is_same = strings.map(|known| known.key).eq(keys.iter().copied());
        let template = self.template.as_ref().map(|(_, template)| template);
        let template_date = template.and_then(|entries| entries.template_date.clone());
        if self.expected.has_template != template.is_some()
            || self.expected.template_date != template_date
        {
            self.expected.has_template = template.is_some();
            self.expected.template_date = template_date;
            self.by_file.clear();
        }
        if !is_same {
            let string = |key| ExpectedString {
                key,
                context: context_of_key(vocabulary, key),
                source: source_of_key(vocabulary, key),
            };
            self.expected.strings = keys.into_iter().map(string).collect();
            self.by_file.clear();
        }
        let (mut by_file, mut left) = (SeededMap::default(), MAX_MISSING);
        let mut found = Vec::with_capacity(files.len());
        for file in files {
            let blob = file.version.as_ref().map(|version| version.blob);
            let of_file = blob.and_then(|blob| Some((blob, entries.get(&blob)?)));
            let Some((blob, of_file)) = of_file else {
                found.push(Arc::default());
                continue;
            };
            let known = by_file.get(&blob).or_else(|| self.by_file.get(&blob));
            let format = component.file_format;
            let missing = known.cloned().unwrap_or_else(|| match left {
                0 => Arc::default(),
                _ => Arc::new(self.expected.missing(of_file, format, vocabulary)),
            });
            left = left.saturating_sub(missing.strings.len());
            by_file.insert(blob, missing.clone());
            found.push(missing);
        }
        self.by_file = by_file;
        Ok((self.expected.clone(), found))
    }

    /// The age of the template that [`Self::find`] read.
    pub fn template_age(
        &mut self,
        component: &Component,
        reader: &mut ObjectReader,
        tip: &Commit,
        vocabulary: &Vocabulary,
    ) -> Result<Option<TemplateAge>, GitError> {
        let Some((blob, entries)) = &self.template else {
            return Ok(None);
        };
        let (path, texts) = (&component.new_base, &vocabulary.texts);
        self.age.find(reader, tip, path, *blob, entries, texts)
    }

    /// Reads the template of new files, if its blob is not known. One that cannot be read, for instance because it is too
    /// large, counts as none.
    fn read_template(
        &mut self,
        component: &Component,
        reader: &mut ObjectReader,
        tree: TreeId,
        vocabulary: &mut Vocabulary,
    ) -> Result<(), GitError> {
        let path = component.new_base.as_str();
        let blob = match path {
            "" => None,
            path => reader.entry_at(tree, path)?.and_then(EntryKind::file),
        };
        if self.template.as_ref().map(|(known, _)| *known) != blob {
            let bytes = blob.and_then(|blob| Some((blob, reader.blob(blob).ok()?)));
            let format = component.file_format;
            self.template = bytes.and_then(|(blob, bytes)| {
                let entries = FileEntries::read(&bytes, format, || vocabulary)?;
                Some((blob, Arc::new(entries)))
            });
        }
        Ok(())
    }
}

impl ExpectedStrings {
    fn missing(
        &self,
        file: &FileEntries,
        format: FileFormat,
        vocabulary: &Vocabulary,
    ) -> MissingStrings {
        let keys: SeededSet<KeyId> = file.keys().collect();
        let units = if format.has_unit_ids() {
            self.other_units(file, vocabulary)
        } else {
            SeededMap::default()
        };
        let (texts, mut strings, mut older_strings) = (&vocabulary.texts, Vec::new(), Vec::new());
        let merged = merged_day(file.template_date.as_deref(), self.template_date.as_deref());
        let mut found = MissingStrings {
            merged: merged.map(Into::into),
            ..MissingStrings::default()
        };
        let absent = (0..).zip(&*self.strings);
        for (at, it) in absent.filter(|(_, it)| !keys.contains(&it.key)) {
            let source = texts.get(it.source);
            // Nobody can translate an empty text, and a unit with one counts nowhere.
            if source.is_empty() {
                continue;
            }
            match units.get(texts.get(it.context)) {
                None | Some(("", _)) => {
                    strings.push(at);
                    found.words += words_of(source);
                }
                Some((older, true)) if self.has_template && !is_same_xliff_text(older, source) => {
                    older_strings.push(at);
                    found.older_words += words_of(older);
                }
                Some(_) => {}
            }
        }
        found.strings = strings.into();
        found.older = older_strings.into();
        found
    }

    /// The units of a file that not every file should have, by id: the source, and whether it is translated. An id that
    /// occurs twice is none.
    fn other_units<'v>(
        &self,
        file: &FileEntries,
        vocabulary: &'v Vocabulary,
    ) -> SeededMap<&'v str, (&'v str, bool)> {
        let expected: SeededSet<KeyId> = self.strings.iter().map(|string| string.key).collect();
        let (mut units, mut seen) = (SeededMap::default(), SeededSet::default());
        for (key, is_translated) in file.translations() {
            let text = vocabulary.texts.get(vocabulary.keys.context(key));
            let id = Shape::Bilingual.context(text);
            if id.is_empty() {
                continue;
            }
            if !seen.insert(id) {
                units.remove(id);
            } else if !expected.contains(&key) {
                let source = Shape::Bilingual.source(text).unwrap_or_default();
                units.insert(id, (source, is_translated));
            }
        }
        units
    }
}

/// The words of a source text, of one with plural forms those of the first.
fn words_of(source: &str) -> u64 {
    words(source.split(PLURAL_SEPARATOR).next().unwrap_or_default()).into()
}

/// The keys that most files have. Two files that agree are the least evidence.
fn most_have<'f>(files: impl Iterator<Item = &'f FileEntries>) -> Vec<KeyId> {
    let mut counts: SeededMap<KeyId, u32> = SeededMap::default();
    let (mut keys, mut others) = (Vec::new(), 0u32);
    for file in files {
        for key in file.keys() {
            let count = counts.entry(key).or_insert_with(|| {
                keys.push(key);
                0
            });
            *count += 1;
        }
        others += 1;
    }
    others = others.saturating_sub(1);
    let is_common = |&count: &u32| count >= 2 && count * 2 > others;
    keys.retain(|key| counts.get(key).is_some_and(is_common));
    keys
}
