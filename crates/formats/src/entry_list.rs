//! Entries that a reader collects before it emits the first one.

use std::hash::BuildHasher;

use super::error::{MAX_BYTES, MAX_IDS, ReadErrorKind, SyntaxError};
use super::format_reader::{Alternative, BilingualFields, EntrySink, RawEntry, Revised};
use super::offsets::FileOffsets;
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

/// Which form decides whether a plural is translated (`docs/spec/formats.md#plural-forms`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Translated {
    FirstForm,
    AnyForm,
}

/// An entry as ends of its parts in the buffers. Each part begins where the one before it ends.
struct StoredEntry {
    context: u32,
    text: u32,
    note: u32,
    forms: u32,
    offset: u32,
    translated: bool,
    translatable: bool,
    alternative: Option<Alternative>,
}

/// The fields of an entry of a bilingual file as ends of its parts in the buffer, after its note.
struct StoredFields {
    source: u32,
    previous_source: u32,
    old_source: u32,
    locations: u32,
    flags: u32,
    fuzzy: bool,
    revised: Revised,
}

/// A position in a buffer or file. Both fit in 32 bits.
fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
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
        let length = entry.context.len()
            + entry.text.len()
            + entry.note.len()
            + fields.source.len()
            + fields.previous_source.len()
            + fields.old_source.len()
            + fields.locations.len()
            + fields.flags.len();
        self.id_bytes += entry.context.len() + fields.source.len();
        self.is_too_large |= self.bytes.len() + length > MAX_TEXT || self.id_bytes > MAX_IDS;
        if self.is_too_large {
            return;
        }
        let (context, text) = (self.add(entry.context), self.add(entry.text));
        let note = self.add(entry.note);
        self.forms.extend_from_slice(entry.forms);
        if entry.bilingual.or(entry.keyed).is_some() {
            let stored = StoredFields {
                source: self.add(fields.source),
                previous_source: self.add(fields.previous_source),
                old_source: self.add(fields.old_source),
                locations: self.add(fields.locations),
                flags: self.add(fields.flags),
                fuzzy: fields.fuzzy,
                revised: fields.revised,
            };
            self.bilingual.push(stored);
        }
        self.entries.push(StoredEntry {
            context,
            text,
            note,
            forms: position(self.forms.len()),
            offset: position(entry.offset),
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
        let mut set =
            |entry: &mut StoredEntry| entry.offset = position(moved(entry.offset as usize));
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
            let context = self.bytes.get(start..entry.context as usize);
            start = entry.note as usize;
            context.unwrap_or_default()
        })
    }

    /// Gives all entries to `sink`. An entry of a bilingual file gets source and context of an entry before it that has
    /// the same identity in Weblate: it is a duplicate of that one (docs/spec/units.md#bilingual-files).
    pub(super) fn emit(&self, sink: EntrySink<'_>) {
        let (mut start, mut first_form) = (0, 0);
        let text = |from: u32, until: u32| &self.bytes[from as usize..until as usize];
        let mut stored_fields = self.bilingual.iter();
        let same = self.same_identities();
        for (at, entry) in self.entries.iter().enumerate() {
            let stored = stored_fields.next();
            let first = same.get(&at).and_then(|&first| self.identity(first));
            let fields = stored.map(|stored| BilingualFields {
                source: first.map_or_else(|| text(entry.note, stored.source), |(source, _)| source),
                previous_source: text(stored.source, stored.previous_source),
                old_source: text(stored.previous_source, stored.old_source),
                locations: text(stored.old_source, stored.locations),
                flags: text(stored.locations, stored.flags),
                fuzzy: stored.fuzzy,
                revised: stored.revised,
            });
            sink(RawEntry {
                context: first.map_or_else(|| text(start, entry.context), |(_, context)| context),
                text: text(entry.context, entry.text),
                note: text(entry.text, entry.note),
                forms: &self.forms[first_form as usize..entry.forms as usize],
                translated: entry.translated,
                translatable: entry.translatable,
                alternative: entry.alternative,
                offset: entry.offset as usize,
                bilingual: fields.as_ref().filter(|_| !self.is_keyed),
                keyed: fields.as_ref().filter(|_| self.is_keyed),
            });
            start = stored.map_or(entry.note, |stored| stored.flags);
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
            _ => self.bilingual.get(at - 1)?.flags,
        };
        let source = self
            .bytes
            .get(entry.note as usize..fields.source as usize)?;
        let context = self.bytes.get(start as usize..entry.context as usize)?;
        Some((source, context))
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
            let known = self.identity(first);
            if known != Some((source, context)) && known.is_some_and(is_same) {
                same.insert(at, first);
            }
        }
        same
    }

    /// Appends a text. Returns its end.
    fn add(&mut self, text: &str) -> u32 {
        self.bytes.push_str(text);
        position(self.bytes.len())
    }
}
