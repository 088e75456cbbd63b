//! The result of reading a component, without ids.

use std::sync::Arc;

use super::expected::{ExpectedStrings, MissingStrings};
use crate::files::layout::Layouts;
use crate::log::authors::Person;
use crate::reviews::Reviewed;
use crate::versions::values::TextValue;
use gitglot_formats::Revised;
use gitglot_model::language::Language;
use gitglot_model::{
    BlobId, Commit, Component, KeyId, LineageId, Log, PersonId, Shape, TextId, Texts, Timestamp,
};

/// One component at one tip.
#[derive(Clone, Debug)]
pub struct Projection {
    /// The texts that all [`TextId`]s below refer to.
    pub texts: Texts,
    /// The commit that was read.
    pub tip: Arc<Commit>,
    /// The template's blob; without a template, a name for the strings of all files.
    pub template_blob: BlobId,
    /// The strings that every bilingual file should have.
    pub expected: ExpectedStrings,
    /// The strings that each translation lacks; empty if that is not known.
    pub missing: Vec<Arc<MissingStrings>>,
    /// Where the source texts come from.
    pub shape: Shape,
    /// The strings of the template, in template order, each key once. Without a template, those of all files, by path
    /// and in the order of the files.
    pub sources: Arc<[SourceString]>,
    /// The translations, by path; the template is one of them. A translation that did not change since the last
    /// projection is the same `Arc`.
    pub translations: Vec<Arc<TranslationState>>,
    /// Files that cannot be read.
    pub problems: Vec<FileProblem>,
    /// What commits and a file acknowledge.
    pub reviewed: Reviewed,
    /// The path of the file that says how to contribute.
    pub guide: Option<Arc<str>>,
    /// The change log; empty with `history = none`.
    pub log: Arc<Log>,
    /// The people in the log, by first appearance.
    pub people: Arc<[Person]>,
    /// The masks and templates that the component has had.
    pub layouts: Arc<Layouts>,
    /// The bytes of the ids of all strings, with those that existed in the past.
    pub id_bytes: usize,
}

/// One string of the template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceString {
    /// Its key in the component's log.
    pub key: KeyId,
    /// Its context: the id in the file.
    pub context: TextId,
    /// The template's text.
    pub source: TextId,
    /// The template's note.
    pub note: TextId,
    /// 1-based position in the template; duplicate entries occupy positions too
    /// (docs/spec/units.md#units-of-a-translation).
    pub position: u32,
    /// When the key first appeared.
    pub since: Timestamp,
}

/// One language file.
#[derive(Clone, Debug)]
pub struct TranslationState {
    /// The translation in the log.
    pub lineage: LineageId,
    /// Path from the repository's root.
    pub path: Arc<str>,
    /// The path that no other translation has: that of its part, if the file has several languages.
    pub own_path: Arc<str>,
    /// Older paths, newest first.
    pub older_paths: Vec<Arc<str>>,
    /// The language code as written in the path.
    pub file_code: Arc<str>,
    /// The language.
    pub language: Language,
    /// The blob with the texts below; `None` if no version is readable.
    pub blob: Option<BlobId>,
    /// Whether the file is the component's template.
    pub is_template: bool,
    /// One for each source string, in the same order; of a bilingual file, one for each of its strings. Empty if no
    /// version is readable.
    pub units: Vec<UnitState>,
    /// The stale units, sorted: index in `units` and the source that was translated. In bilingual files, the fuzzy
    /// ones.
    pub stale: Vec<(u32, TextId)>,
    /// Its newest content entry, if any.
    pub last_change: Option<(Timestamp, PersonId)>,
    /// What only translations of bilingual files and of files with states have.
    pub bilingual: Option<Box<BilingualUnits>>,
}

/// The units of a bilingual file, which has some of the component's strings in an order of its own; or those of a file
/// with a template whose format has states ([`gitglot_model::FileFormat::has_states`]), one for each string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BilingualUnits {
    /// One for each unit, in the same order.
    pub rows: Vec<BilingualUnit>,
    /// The indexes of the units, sorted by string; `None` if the rows are sorted by string, as in most files.
    by_string: Option<Box<[u32]>>,
    /// The number of plural forms that the file declares.
    pub plural_forms: Option<usize>,
    /// When the template was made that the file was last merged with, as its header says.
    pub template_date: Option<Arc<str>>,
    /// Where the source texts come from: a file of a component with a template can have such fields, too.
    pub shape: Shape,
    /// Fuzzy units of which the file does not have the previous source, sorted, each with the source that had the same
    /// text before (docs/spec/units.md#earlier-sources).
    pub earlier_sources: Vec<(u32, TextId)>,
    /// Units that Weblate 3.4 reads differently from programs, sorted (docs/spec/formats.md#differences-of-entries).
    pub revised: Vec<(u32, Revised)>,
}

/// The fields that a bilingual file adds to a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BilingualUnit {
    /// Index of its string in [`Projection::sources`].
    pub string: u32,
    /// 1-based position in the file; duplicate entries occupy positions too.
    pub position: u32,
    /// Where the program uses the text.
    pub locations: TextId,
    /// The flags of the entry.
    pub flags: TextId,
}

impl BilingualUnits {
    /// The units of a file with those rows.
    pub fn new(shape: Shape, rows: Vec<BilingualUnit>, plural_forms: Option<usize>) -> Self {
        let by_string = (!rows.is_sorted_by_key(|row| row.string)).then(|| {
            let mut sorted: Vec<_> = rows.iter().map(|row| row.string).zip(0..).collect();
            sorted.sort_unstable();
            sorted.into_iter().map(|(_, unit)| unit).collect()
        });
        Self {
            rows,
            by_string,
            plural_forms,
            template_date: None,
            shape,
            earlier_sources: Vec::new(),
            revised: Vec::new(),
        }
    }
}

impl TranslationState {
    /// The index of a unit's string in [`Projection::sources`].
    pub fn string_of(&self, unit: u32) -> u32 {
        match &self.bilingual {
            None => unit,
            Some(units) => {
                let row = units.rows.get(unit as usize);
                row.map_or(u32::MAX, |row| row.string)
            }
        }
    }

    /// The index of a string's unit, if the translation has one.
    pub fn unit_of(&self, string: u32) -> Option<u32> {
        let Some(units) = &self.bilingual else {
            return ((string as usize) < self.units.len()).then_some(string);
        };
        let Some(sorted) = &units.by_string else {
            let at = units.rows.binary_search_by_key(&string, |row| row.string);
            return u32::try_from(at.ok()?).ok();
        };
        let string_of = |unit: &u32| units.rows.get(*unit as usize).map(|row| row.string);
        let at = sorted.binary_search_by_key(&Some(string), string_of).ok()?;
        sorted.get(at).copied()
    }

    /// Whether it is the file of a language where the component's configuration looks for it. A tip can have files at an
    /// older place only.
    pub fn is_in_place(&self, component: &Component) -> bool {
        let mut masks = std::iter::once(&component.filemask).chain(&component.previous_filemasks);
        !self.is_template && masks.any(|mask| mask.matches(&self.own_path).is_some())
    }

    /// Whether the file has its own source texts.
    pub fn is_bilingual(&self) -> bool {
        let bilingual = self.bilingual.as_ref();
        bilingual.is_some_and(|bilingual| !bilingual.shape.has_template())
    }

    /// The source that a fuzzy unit of a bilingual file was the translation of, if only the history has it; else `""`.
    pub fn earlier_source(&self, unit: u32) -> TextId {
        let found = self.bilingual.as_ref().and_then(|bilingual| {
            let list = &bilingual.earlier_sources;
            let at = list.binary_search_by_key(&unit, |&(unit, _)| unit).ok()?;
            list.get(at)
        });
        found.map_or(TextId::EMPTY, |&(_, source)| source)
    }

    /// The units as programs see them, and the index of each in `units`; `None` if Weblate 3.4 sees the same
    /// (docs/spec/formats.md#differences-of-entries).
    pub fn revised(&self) -> Option<(Self, Vec<u32>)> {
        let old = self.bilingual.as_ref();
        let old = old.filter(|old| !old.revised.is_empty())?;
        let mut revised = old.revised.iter().peekable();
        let (mut indexes, mut units, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        // For each unit, its index among those that stay and are translations, stale or not.
        let mut moved = Vec::with_capacity(self.units.len());
        for (index, (unit, row)) in (0..).zip(self.units.iter().zip(&old.rows)) {
            let revised = revised.next_if(|(unit, _)| *unit == index);
            let revised = revised.map_or(Revised::Same, |(_, revised)| *revised);
            moved.push((revised == Revised::Same).then_some(units.len() as u32));
            if revised == Revised::Gone {
                continue;
            }
            indexes.push(index);
            rows.push(*row);
            units.push(match revised {
                Revised::Untranslated => UnitState::new(TextId::EMPTY, unit.note, false),
                _ => *unit,
            });
        }
        let with_text = |&(unit, text): &(u32, TextId)| {
            let unit = *moved.get(unit as usize)?;
            Some((unit?, text))
        };
        let mut bilingual = BilingualUnits::new(old.shape, rows, old.plural_forms);
        bilingual.template_date.clone_from(&old.template_date);
        bilingual.earlier_sources = old.earlier_sources.iter().filter_map(with_text).collect();
        let state = Self {
            stale: self.stale.iter().filter_map(with_text).collect(),
            units,
            bilingual: Some(Box::new(bilingual)),
            older_paths: self.older_paths.clone(),
            path: self.path.clone(),
            own_path: self.own_path.clone(),
            file_code: self.file_code.clone(),
            language: self.language.clone(),
            ..*self
        };
        Some((state, indexes))
    }

    /// What a bilingual file adds to a unit.
    pub fn bilingual_unit(&self, unit: u32) -> Option<&BilingualUnit> {
        self.bilingual.as_ref()?.rows.get(unit as usize)
    }

    /// Finds the stale units, given the source that the text of each key was written for.
    pub(crate) fn find_stale(
        &mut self,
        sources: &[SourceString],
        mut written_for: impl FnMut(KeyId) -> TextId,
    ) {
        let rows = (0..).zip(&self.units).zip(sources);
        let translated = rows.filter(|((_, unit), _)| unit.translated());
        let stale = translated.filter_map(|((row, _), source)| {
            let written_for = written_for(source.key);
            (written_for != source.source).then_some((row, written_for))
        });
        self.stale = stale.collect();
    }
}

/// One string in one language, in eight bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitState {
    /// The file's text, absent if the file lacks the key.
    pub(super) value: TextValue,
    /// The file's note.
    pub note: TextId,
}

impl UnitState {
    /// A text, its note, and whether the text counts as a translation.
    pub fn new(target: TextId, note: TextId, translated: bool) -> Self {
        let value = TextValue::new(target, translated);
        Self { value, note }
    }

    /// The file's text, `""` if the file lacks the key.
    pub fn target(&self) -> TextId {
        self.value.text()
    }

    /// Whether the text counts as a translation, stale or not (docs/spec/units.md#state).
    pub fn translated(&self) -> bool {
        self.value.is_translated()
    }
}

/// A file that is not served, not in its newest version, or not completely.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileProblem {
    /// The file's path.
    pub path: String,
    /// The reason, as one clause.
    pub reason: String,
    /// Whether the file does not parse; otherwise gitglot ignores the file or some of its values.
    pub broken: bool,
}
