//! A parsed file: entries in file order, with their positions.
//!
//! The log has its own form of a version (`gitglot_history`): it shares the texts of all versions and knows no
//! positions. A change moves the lines of other texts: in the history of matrix-react-sdk, 30 texts move to another line
//! for each one that is new or changes, in that of jellyfin-web 4.5. A form for both would store each of these.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::positions::{FilePosition, Positions};
use gitglot_checks::MAX_CHECKED;
use gitglot_formats::{Alternative, EntrySink, Fault, ReadError, Revised};
use gitglot_model::language::PluralRule;
use gitglot_model::{
    FileFormat, PLURAL_SEPARATOR, PluralForm, SeededMap, SeededSet, Shape, is_blank,
};

/// The content of a file, parsed.
#[derive(Debug)]
pub struct ParsedFile {
    bytes: Arc<Vec<u8>>,
    /// All keys and texts.
    text: String,
    /// The entries, after them the alternatives.
    entries: Vec<LineEntry>,
    /// The number of entries without alternatives.
    without_alternatives: usize,
    /// What only the entries of a bilingual file have, and the flags of formats with states, in the same order.
    bilingual: Vec<BilingualEntry>,
    /// The date of the template that a bilingual file was last merged with.
    template_date: Option<String>,
    /// The plural forms of all entries.
    forms: Vec<PluralForm>,
    /// Why the file does not parse. Then there are no entries.
    pub(super) error: Option<ReadError>,
    format: FileFormat,
    faults: OnceLock<Vec<Fault>>,
    positions: Positions,
}

/// Bytes of a file that have its header.
const HEADER: usize = 8_192;

#[derive(Clone, Default, Debug)]
struct LineEntry {
    key: Range<u32>,
    text: Range<u32>,
    /// The plural forms of the text.
    forms: Range<u32>,
    offset: usize,
    translated: bool,
    translatable: bool,
    /// Whether it exists only for a template with plural forms.
    needs_plural: bool,
}

/// The file that a part is in.
#[derive(Clone, Debug)]
pub(super) struct WholeFile {
    pub(super) bytes: Arc<Vec<u8>>,
    /// Where each entry of the part begins.
    pub(super) offsets: Vec<usize>,
}

impl WholeFile {
    fn offset_of(&self, entry: usize) -> usize {
        self.offsets.get(entry).copied().unwrap_or_default()
    }
}

/// What only an entry of a bilingual file has.
#[derive(Clone, Default, Debug)]
struct BilingualEntry {
    flags: Range<u32>,
    previous_source: Range<u32>,
    is_fuzzy: bool,
}

/// A text in place of that of an entry, or of a new entry.
pub(super) struct ReplacedText<'t> {
    pub(super) entry: Option<usize>,
    pub(super) key: &'t str,
    /// The text, with plural forms joined.
    pub(super) text: String,
    /// The plural forms of the text.
    pub(super) forms: Vec<PluralForm>,
    /// The flags of the template, which a new entry has, too.
    pub(super) flags: &'t str,
}

impl ParsedFile {
    /// Approximate size in memory, in bytes.
    pub fn memory(&self) -> usize {
        self.bytes.capacity()
            + self.text.capacity()
            + self.entries.capacity() * size_of::<LineEntry>()
            + self.bilingual.capacity() * size_of::<BilingualEntry>()
            + self.positions.memory()
            + 256
    }

    pub(super) fn format(&self) -> FileFormat {
        self.format
    }

    /// Parses the file of a language; of a part, with the file that it is in. `single_form`: whether the language has a
    /// single plural form.
    pub(super) fn parse(
        bytes: Arc<Vec<u8>>,
        whole: Option<&WholeFile>,
        format: FileFormat,
        single_form: bool,
    ) -> Self {
        let reader = gitglot_formats::reader_for(format, single_form);
        let (mut text, mut entries) = (String::with_capacity(bytes.len()), Vec::new());
        let (mut forms, mut bilingual) = (Vec::new(), Vec::new());
        let mut without_alternatives = 0;
        let error = reader.read_all(&bytes, &mut |entry| {
            let fields = entry.bilingual;
            let revised = fields.map_or(Revised::Same, |fields| fields.revised);
            if revised == Revised::Gone {
                return;
            }
            let is_untranslated = revised == Revised::Untranslated;
            let first_form = forms.len() as u32;
            forms.extend_from_slice(entry.forms);
            without_alternatives += usize::from(entry.alternative.is_none());
            entries.push(LineEntry {
                key: push(&mut text, &entry.key()),
                text: push(&mut text, entry.text),
                forms: first_form..forms.len() as u32,
                offset: whole.map_or(entry.offset, |whole| whole.offset_of(entry.offset)),
                translated: entry.translated && !is_untranslated,
                translatable: entry.translatable,
                needs_plural: entry.alternative == Some(Alternative::Plural),
            });
            let marks = fields.map(|fields| (fields.flags, fields.earlier_source(), fields.fuzzy));
            let of_keyed = || entry.keyed.map(|fields| (fields.flags, "", fields.fuzzy));
            if let Some((flags, previous_source, is_fuzzy)) = marks.or_else(of_keyed) {
                bilingual.push(BilingualEntry {
                    flags: push(&mut text, flags),
                    previous_source: push(&mut text, previous_source),
                    is_fuzzy: is_fuzzy && !is_untranslated,
                });
            }
        });
        let template_date = gitglot_formats::template_date(format, &bytes);
        Self {
            bytes: whole.map_or(bytes, |whole| whole.bytes.clone()),
            text,
            entries,
            without_alternatives,
            bilingual,
            template_date,
            forms,
            error: error.err(),
            ..Self::empty(format)
        }
    }

    /// A file without entries.
    fn empty(format: FileFormat) -> Self {
        Self {
            bytes: Arc::default(),
            text: String::new(),
            entries: Vec::new(),
            without_alternatives: 0,
            bilingual: Vec::new(),
            template_date: None,
            forms: Vec::new(),
            error: None,
            format,
            faults: OnceLock::new(),
            positions: Positions::default(),
        }
    }

    /// The strings of several bilingual files, by their keys.
    pub(super) fn of_keys<'k>(keys: impl Iterator<Item = &'k str>, format: FileFormat) -> Self {
        let mut text = String::new();
        let entries = keys.map(|key| LineEntry {
            key: push(&mut text, key),
            translatable: true,
            ..LineEntry::default()
        });
        let entries: Vec<_> = entries.collect();
        Self {
            without_alternatives: entries.len(),
            entries,
            text,
            ..Self::empty(format)
        }
    }

    /// The content with other texts, which count as translations. What depends on the bytes of the file, such as its
    /// positions and faults, does not change.
    pub(super) fn with_texts(&self, texts: &[ReplacedText<'_>]) -> Self {
        let (mut text, mut entries) = (self.text.clone(), self.entries.clone());
        let (mut forms, mut bilingual) = (self.forms.clone(), self.bilingual.clone());
        let (mut added, mut added_fields) = (Vec::new(), Vec::new());
        let mut add = |part: &str| push(&mut text, part);
        for new in texts {
            let first_form = forms.len() as u32;
            forms.extend_from_slice(&new.forms);
            let known = new.entry.and_then(|at| entries.get(at));
            let entry = LineEntry {
                key: known.map_or_else(|| add(new.key), |entry| entry.key.clone()),
                text: add(&new.text),
                forms: first_form..forms.len() as u32,
                offset: known.map_or(0, |entry| entry.offset),
                translated: true,
                translatable: true,
                needs_plural: known.is_some_and(|entry| entry.needs_plural),
            };
            match new.entry.and_then(|at| entries.get_mut(at)) {
                Some(known) => *known = entry,
                None => added.push(entry),
            }
            match new.entry {
                Some(at) => {
                    if let Some(own) = bilingual.get_mut(at) {
                        own.is_fuzzy = false;
                    }
                }
                None => added_fields.push(BilingualEntry {
                    flags: add(new.flags),
                    ..BilingualEntry::default()
                }),
            }
        }
        let at = self.without_alternatives;
        let without_alternatives = at + added.len();
        if bilingual.len() == entries.len() {
            bilingual.splice(at..at, added_fields);
        }
        entries.splice(at..at, added);
        Self {
            bytes: self.bytes.clone(),
            text,
            entries,
            without_alternatives,
            bilingual,
            template_date: self.template_date.clone(),
            forms,
            error: self.error.clone(),
            ..Self::empty(self.format)
        }
    }

    /// Reads the entries of the file again, with what is not kept of them.
    pub(super) fn each_entry(&self, single_form: bool, sink: EntrySink<'_>) {
        let reader = gitglot_formats::reader_for(self.format, single_form);
        // A file that does not parse has no entries.
        let _ = reader.read(&self.bytes, sink);
    }

    /// Where the source texts come from.
    pub(super) fn shape(&self) -> Shape {
        self.format.shape()
    }

    /// Whether the entries have their source texts.
    pub(super) fn is_bilingual(&self) -> bool {
        !self.format.shape().has_template()
    }

    /// The date of the template that a bilingual file was last merged with, as its header has it.
    pub(super) fn template_date(&self) -> Option<&str> {
        self.template_date.as_deref()
    }

    /// The rule of plural forms in its header.
    pub(super) fn plural_rule(&self) -> Option<PluralRule> {
        gitglot_formats::plural_rule(self.format, &self.bytes)
    }

    /// Whether the entry of a template can have an alternative of a translation.
    pub(super) fn can_have(&self, index: usize, file: &Self, alternative: usize) -> bool {
        let (entry, other) = (self.entries.get(index), file.entries.get(alternative));
        !other.is_some_and(|other| other.needs_plural)
            || entry.is_some_and(|entry| !entry.forms.is_empty())
    }

    /// The bytes of the ids of all entries.
    pub(super) fn id_bytes(&self) -> usize {
        self.entries.iter().map(|entry| entry.key.len()).sum()
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.without_alternatives
    }

    /// The indexes of what a translation has for a template that groups the same texts differently.
    pub(super) fn alternatives(&self) -> Range<usize> {
        self.without_alternatives..self.entries.len()
    }

    pub(super) fn key(&self, index: usize) -> &str {
        self.slice(&self.entries[index].key)
    }

    /// The source text of an entry of a bilingual file or of a template, with plural forms joined.
    pub(super) fn source(&self, index: usize) -> &str {
        let of_key = self.format.shape().source(self.key(index));
        of_key.unwrap_or_else(|| self.text(index))
    }

    /// Whether the file marks this text as one to be reviewed.
    pub(super) fn is_fuzzy(&self, index: usize) -> bool {
        let fields = self.bilingual.get(index);
        fields.is_some_and(|fields| fields.is_fuzzy) && !is_blank(self.text(index))
    }

    /// Whether the file marks a text as one to be reviewed.
    pub(super) fn has_fuzzy(&self) -> bool {
        self.bilingual.iter().any(|fields| fields.is_fuzzy)
    }

    /// The source text that a bilingual file names as the earlier one, if any.
    pub(super) fn previous_source(&self, index: usize) -> Option<&str> {
        let fields = self.bilingual.get(index)?;
        let text = self.slice(&fields.previous_source);
        (!is_blank(text)).then_some(text)
    }

    /// The flags that the file gives an entry.
    pub(super) fn flags(&self, index: usize) -> &str {
        let fields = self.bilingual.get(index);
        fields.map_or("", |fields| self.slice(&fields.flags))
    }

    /// The text, with plural forms joined.
    pub(super) fn text(&self, index: usize) -> &str {
        self.slice(&self.entries[index].text)
    }

    /// The CLDR categories of the plural forms of a text; empty if the file does not name them.
    pub(super) fn categories(&self, index: usize) -> Vec<&'static str> {
        let forms = self.entries.get(index).map(|entry| &entry.forms);
        let forms = forms.and_then(|at| self.forms.get(at.start as usize..at.end as usize));
        let categories = forms.into_iter().flatten().map(|form| form.category());
        categories.collect::<Option<_>>().unwrap_or_default()
    }

    /// Whether the value counts as a translation.
    pub(super) fn is_translated(&self, index: usize) -> bool {
        let entry = self.entries.get(index);
        entry.is_some_and(|entry| entry.translated)
    }

    pub(super) fn is_translatable(&self, index: usize) -> bool {
        let entry = self.entries.get(index);
        entry.is_some_and(|entry| entry.translatable)
    }

    /// The faults of a file that parses, in file order.
    pub(super) fn faults(&self) -> &[Fault] {
        self.faults.get_or_init(|| match self.error {
            Some(_) => Vec::new(),
            None => gitglot_formats::faults(self.format, &self.bytes),
        })
    }

    /// Whether `msgfmt` compiles the file, which has this path: one of gettext in a directory of its programs. Babel, and
    /// libraries that read PO files, of JavaScript for example, are less strict.
    pub(super) fn is_compiled(&self, path: &str) -> bool {
        let of_gettext = self.format.locale_folders();
        let is_one = |folder: &str| {
            let mut names = of_gettext.iter();
            names.any(|name| folder.eq_ignore_ascii_case(name))
        };
        let start = self.bytes.get(..HEADER).unwrap_or(&self.bytes);
        self.format.is_gettext()
            && path.rsplit('/').skip(1).any(is_one)
            && memchr::memmem::find(start, b"Generated-By: Babel").is_none()
    }

    /// The keys of the entries that begin at these offsets.
    pub(super) fn keys_at(&self, offsets: &SeededSet<usize>) -> SeededMap<usize, &str> {
        let entries = self.entries.iter();
        let entries = entries.filter(|entry| offsets.contains(&entry.offset));
        let key = |entry: &LineEntry| (entry.offset, self.slice(&entry.key));
        entries.map(key).collect()
    }

    /// The position where an entry begins; of a group, in the file that it is, or that it is in.
    pub(super) fn position(&self, index: usize) -> FilePosition {
        let entry = self.entries.get(index);
        let is_file = self.format.has_groups() && gitglot_formats::is_group(&self.bytes);
        match entry.filter(|_| !is_file) {
            Some(entry) => self.position_at(entry.offset),
            None => FilePosition::START,
        }
    }

    /// The position of an offset.
    pub(super) fn position_at(&self, offset: usize) -> FilePosition {
        let found = self.positions.at(&self.bytes, offset);
        match gitglot_formats::table_at(&self.bytes, offset) {
            Some((ending, start)) => found.within(self.positions.at(&self.bytes, start), ending),
            None => found,
        }
    }

    /// What follows the path of the file in that of the one that does not parse.
    pub(super) fn broken_ending(&self) -> &'static str {
        gitglot_formats::broken_table(&self.bytes).unwrap_or_default()
    }

    fn slice(&self, range: &Range<u32>) -> &str {
        &self.text[range.start as usize..range.end as usize]
    }
}

/// Adds a part to a text, and returns where it is.
fn push(text: &mut String, part: &str) -> Range<u32> {
    let start = text.len() as u32;
    text.push_str(part);
    start..text.len() as u32
}

/// The plural forms of a text. A text that is too long to be checked is one form.
pub(super) fn forms(text: &str) -> Vec<&str> {
    if text.len() > MAX_CHECKED {
        return vec![text];
    }
    text.split(PLURAL_SEPARATOR).collect()
}

/// The readable text: plural forms on one line.
pub(super) fn shown(text: &str) -> String {
    text.replace(PLURAL_SEPARATOR, " | ")
}
