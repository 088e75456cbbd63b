//! Entries that a reader collects before it emits the first one.

use std::hash::BuildHasher;

use super::entry::{Alternative, BilingualFields, EntrySink, RawEntry, Revised};
use super::error::{MAX_BYTES, MAX_IDS, ReadErrorKind, SyntaxError};
use super::offsets::{FileOffsets, offset};
use gitglot_model::{PLURAL_SEPARATOR, PluralForm, Seeded, SeededMap, SeededSet};

/// A list of entries with their texts in one buffer.
#[derive(Default)]
pub(super) struct EntryList {
    bytes: String,
    forms: Vec<PluralForm>,
    entries: Vec<StoredEntry>,
    /// One for each entry of a bilingual file, or of one with states; empty for other files.
    bilingual: Vec<StoredFields>,
    /// Whether a template contains the sources of entries with such fields.
    is_keyed: bool,
    /// Entries for templates that group the same texts differently.
    alternatives: Option<Box<EntryList>>,
    id_bytes: usize,
    is_too_large: bool,
}

/// Most bytes of text in one list. Aliases and long paths can make it much larger than the file.
pub(super) const MAX_TEXT: usize = 4 * MAX_BYTES;

/// The forms of a plural whose parts only have numbers; none of other texts.
pub(super) fn numbered_forms(text: &str, is_plural: bool) -> Vec<PluralForm> {
    if !is_plural {
        return Vec::new();
    }
    let numbers = (0..=u8::MAX).chain(std::iter::repeat(u8::MAX));
    let parts = text.split(PLURAL_SEPARATOR);
    parts
        .zip(numbers)
        .map(|(_, number)| PluralForm::Index(number))
        .collect()
}

/// Which form decides whether a plural is translated (`docs/spec/formats.md#plural-forms`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Translated {
    FirstForm,
    AnyForm,
}

/// An entry as ends of its parts in the buffers. Each part begins where the one before it ends.
struct StoredEntry {
    /// Those of context, text and note.
    texts: [u32; 3],
    forms: u32,
    offset: u32,
    translated: bool,
    translatable: bool,
    alternative: Option<Alternative>,
}

/// The fields of an entry of a bilingual file as ends of its parts in the buffer, after its note.
struct StoredFields {
    /// Those of source, previous source, old source, locations and flags.
    texts: [u32; 5],
    fuzzy: bool,
    revised: Revised,
}

impl EntryList {
    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The list of alternatives ([`super::FormatReader::read_all`]). One with the id of an entry, or of an alternative before
    /// it, is ignored.
    pub(super) fn alternatives(&mut self) -> &mut Self {
        self.alternatives.get_or_insert_default()
    }

    /// Appends an entry. Beyond the limit of text nothing is appended.
    pub(super) fn push(&mut self, entry: RawEntry<'_>) {
        let fields = entry.bilingual.or(entry.keyed);
        self.is_keyed |= entry.keyed.is_some();
        let fields = fields.copied().unwrap_or_default();
        let texts = [entry.context, entry.text, entry.note];
        let texts_of_fields = [
            fields.source,
            fields.previous_source,
            fields.old_source,
            fields.locations,
            fields.flags,
        ];
        let all = texts.iter().chain(&texts_of_fields);
        let length: usize = all.map(|text| text.len()).sum();
        self.id_bytes += entry.context.len() + fields.source.len();
        self.is_too_large |= self.bytes.len() + length > MAX_TEXT || self.id_bytes > MAX_IDS;
        if self.is_too_large {
            return;
        }
        let mut add = |text: &str| {
            self.bytes.push_str(text);
            offset(self.bytes.len())
        };
        let texts = texts.map(&mut add);
        self.forms.extend_from_slice(entry.forms);
        if entry.bilingual.or(entry.keyed).is_some() {
            self.bilingual.push(StoredFields {
                texts: texts_of_fields.map(&mut add),
                fuzzy: fields.fuzzy,
                revised: fields.revised,
            });
        }
        self.entries.push(StoredEntry {
            texts,
            forms: offset(self.forms.len()),
            offset: offset(entry.offset),
            translated: entry.translated,
            translatable: entry.translatable,
            alternative: entry.alternative,
        });
    }

    /// Appends an entry with plural forms, those with CLDR categories in the order from `zero` to `other`: the order in
    /// the file means nothing. `entry.text`, `entry.forms` and `entry.translated` are ignored.
    pub(super) fn push_plural<'f>(
        &mut self,
        entry: RawEntry<'_>,
        rule: Translated,
        forms: impl Iterator<Item = (PluralForm, &'f str)>,
    ) {
        let (mut text, mut kinds) = (String::new(), Vec::new());
        let mut translated = false;
        let mut forms: Vec<_> = forms.collect();
        let has_name = |(form, _): &(PluralForm, &str)| !matches!(form, PluralForm::Index(_));
        if forms.iter().all(has_name) {
            forms.sort_by_key(|(form, _)| *form);
        }
        for (form, part) in forms {
            if !kinds.is_empty() {
                text.push_str(PLURAL_SEPARATOR);
            }
            translated |= !part.is_empty() && (rule == Translated::AnyForm || kinds.is_empty());
            text.push_str(part);
            kinds.push(form);
        }
        self.push(RawEntry {
            text: &text,
            forms: &kinds,
            translated,
            ..entry
        });
    }

    /// Checks the limit of text.
    ///
    /// # Errors
    /// If an entry was not appended.
    pub(super) fn check_size(&self) -> Result<(), SyntaxError> {
        let alternatives = self.alternatives.as_ref();
        if self.is_too_large || alternatives.is_some_and(|list| list.is_too_large) {
            Err(ReadErrorKind::TooMuchText.at(0))
        } else {
            Ok(())
        }
    }

    /// Replaces offsets in the text by those in its file.
    pub(super) fn set_offsets(&mut self, mut offsets: FileOffsets<'_>) {
        self.map_offsets(&mut |at| offsets.of(at));
    }

    /// Replaces offsets, in ascending order where those of the entries ascend.
    pub(super) fn map_offsets(&mut self, moved: &mut dyn FnMut(usize) -> usize) {
        let mut set = |entry: &mut StoredEntry| entry.offset = offset(moved(entry.offset as usize));
        match &mut self.alternatives {
            None => self.entries.iter_mut().for_each(set),
            Some(others) => {
                let mut all: Vec<_> = self.entries.iter_mut().chain(&mut others.entries).collect();
                all.sort_by_key(|entry| entry.offset);
                all.into_iter().for_each(&mut set);
            }
        }
    }

    /// Gives the alternatives to `sink`.
    pub(super) fn emit_alternatives(&self, sink: EntrySink<'_>) {
        let Some(alternatives) = &self.alternatives else {
            return;
        };
        let mut seen: SeededSet<&str> = self.contexts().collect();
        let mut is_new = alternatives.contexts().map(|context| seen.insert(context));
        alternatives.emit(&mut |entry| {
            if is_new.next() == Some(true) {
                let alternative = entry.alternative.or(Some(Alternative::Any));
                sink(RawEntry {
                    alternative,
                    ..entry
                });
            }
        });
    }

    /// The contexts of the entries.
    fn contexts(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.entries.iter().map(move |entry| {
            let [context, _, note] = entry.texts.map(|end| end as usize);
            let context = self.bytes.get(start..context);
            start = note;
            context.unwrap_or_default()
        })
    }

    /// Gives all entries to `sink`. An entry of a bilingual file gets source and context of an entry before it that has
    /// the same identity in Weblate: it is a duplicate of that one (docs/spec/units.md#bilingual-files).
    pub(super) fn emit(&self, sink: EntrySink<'_>) {
        let (mut start, mut first_form) = (0, 0);
        let mut text_until = |end: u32| {
            let end = end as usize;
            &self.bytes[std::mem::replace(&mut start, end)..end]
        };
        let mut stored_fields = self.bilingual.iter();
        let same = self.same_identities();
        for (at, entry) in self.entries.iter().enumerate() {
            let [context, text, note] = entry.texts.map(&mut text_until);
            let first = same.get(&at).and_then(|&first| self.identity(first));
            let fields = stored_fields.next().map(|stored| {
                let texts = stored.texts.map(&mut text_until);
                let [source, previous_source, old_source, locations, flags] = texts;
                BilingualFields {
                    source: first.map_or(source, |(source, _)| source),
                    previous_source,
                    old_source,
                    locations,
                    flags,
                    fuzzy: stored.fuzzy,
                    revised: stored.revised,
                }
            });
            sink(RawEntry {
                context: first.map_or(context, |(_, context)| context),
                text,
                note,
                forms: &self.forms[first_form as usize..entry.forms as usize],
                translated: entry.translated,
                translatable: entry.translatable,
                alternative: entry.alternative,
                offset: entry.offset as usize,
                bilingual: fields.as_ref().filter(|_| !self.is_keyed),
                keyed: fields.as_ref().filter(|_| self.is_keyed),
            });
            first_form = entry.forms;
        }
    }

    /// The source and the context of the last entry of a bilingual file.
    pub(super) fn last_identity(&self) -> Option<(&str, &str)> {
        self.identity(self.len().checked_sub(1)?)
    }

    /// The source and the context of an entry of a bilingual file.
    fn identity(&self, at: usize) -> Option<(&str, &str)> {
        let (entry, fields) = (self.entries.get(at)?, self.bilingual.get(at)?);
        let start = match at {
            0 => 0,
            _ => {
                let [.., flags] = self.bilingual.get(at - 1)?.texts;
                flags
            }
        };
        let ([context, _, note], [source, ..]) = (entry.texts, fields.texts);
        let text = |from: u32, until: u32| self.bytes.get(from as usize..until as usize);
        Some((text(note, source)?, text(start, context)?))
    }

    /// The entries of a bilingual file that have other sources and contexts than an entry before them, but the same text
    /// if these are joined, each with that entry. Without any context there are none.
    fn same_identities(&self) -> SeededMap<usize, usize> {
        let mut same = SeededMap::default();
        if self.is_keyed {
            return same;
        }
        let identities =
            || (0..self.bilingual.len()).filter_map(|at| Some((at, self.identity(at)?)));
        if identities().all(|(_, (_, context))| context.is_empty()) {
            return same;
        }
        let mut firsts = SeededMap::default();
        let mut joined = String::new();
        let hasher = Seeded::default();
        for (at, (source, context)) in identities() {
            joined.clear();
            joined.extend([source, context]);
            let first = *firsts.entry(hasher.hash_one(&joined)).or_insert(at);
            let is_same =
                |(source, context): (&str, &str)| joined.strip_prefix(source) == Some(context);
            let of_first = self.identity(first);
            if of_first != Some((source, context)) && of_first.is_some_and(is_same) {
                same.insert(at, first);
            }
        }
        same
    }
}
