//! The state of units and translations as current Weblate shows it (docs/spec/current-api.md): plural forms, contexts,
//! states, counts and the order of ids. Everything is derived from the rows; sums are stored once they were asked for.

use std::borrow::Cow;
use std::ops::AddAssign;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::{
    ComponentSnapshot, IdRun, IdRuns, Snapshot, TranslationSnapshot, TranslationView, UnitView,
};
use crate::current_log::CurrentLog;
use crate::scan::Budget;
use gitglot_checks::CheckIds;
use gitglot_model::language::{CurrentLanguage, plural_categories, resolve_current};
use gitglot_model::{
    Action, FileFormat, FirstIds, PLURAL_SEPARATOR, Shape, TextId, Timestamp, signed_hash, words,
};

/// The state of a unit, as a number of current Weblate (docs/spec/current-api.md#states).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum CurrentState {
    /// There is no translation.
    Empty = 0,
    /// The file marks the translation.
    NeedsEditing = 10,
    /// The source changed after the translation was written.
    NeedsRewriting = 11,
    /// Translated.
    Translated = 20,
}

/// A number of units, and the words and characters of their sources.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CurrentCount {
    /// Number of units.
    pub units: u64,
    /// Words of all forms of their sources.
    pub words: u64,
    /// Characters of their sources, with the separators of forms.
    pub chars: u64,
}

impl AddAssign for CurrentCount {
    fn add_assign(&mut self, other: Self) {
        self.units += other.units;
        self.words += other.words;
        self.chars += other.chars;
    }
}

/// Counts of units by state.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CurrentStatistics {
    /// All units.
    pub all: CurrentCount,
    /// Translated, with a current source.
    pub translated: CurrentCount,
    /// Translated, but marked or with an older source.
    pub fuzzy: CurrentCount,
    /// With a failing check.
    pub failing: CurrentCount,
}

impl AddAssign for CurrentStatistics {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.translated += other.translated;
        self.fuzzy += other.fuzzy;
        self.failing += other.failing;
    }
}

/// The time in which changes are recent, in microseconds: six hours.
const RECENT: i64 = 6 * 3600 * 1_000_000;

/// Whether an entry of this action changed a text.
fn is_content(action: Action) -> bool {
    matches!(
        action,
        Action::NewTranslation | Action::TranslationChanged | Action::SourceStringChanged
    )
}

/// What is stored of a component once it was asked for.
#[derive(Default, Debug)]
pub(super) struct CurrentComponent {
    /// The count of each source.
    sizes: OnceLock<Box<[CurrentCount]>>,
    source_code: OnceLock<Arc<str>>,
    /// The log, with the numbers of its rows.
    pub(super) log: OnceLock<CurrentLog>,
    /// The strings whose sources fail checks.
    pub(super) failing_sources: OnceLock<Box<[(u32, CheckIds)]>>,
}

/// What is stored of a translation once it was asked for: the counts without failing checks.
pub(super) type CurrentCounts = OnceLock<CurrentStatistics>;

impl ComponentSnapshot {
    /// The count of each source.
    fn sizes(&self) -> &[CurrentCount] {
        self.current.sizes.get_or_init(|| {
            let size = |text: &str| CurrentCount {
                units: 1,
                words: words(text).into(),
                chars: text.chars().count() as u64,
            };
            let sources = self.sources.iter();
            sources
                .map(|source| size(self.texts.get(source.source)))
                .collect()
        })
    }

    /// The translation of the source language, if there is one.
    pub fn source_translation(&self) -> Option<TranslationView<'_>> {
        let views = self.translations.iter().map(|translation| TranslationView {
            component: self,
            translation,
        });
        views.into_iter().find(|view| view.is_source())
    }

    /// The code of the source language.
    pub fn source_code(&self) -> Arc<str> {
        self.current
            .source_code
            .get_or_init(|| resolve_current(&self.project.source_language).code)
            .clone()
    }

    /// Finds the row of the string with an `id_hash` of the current API.
    pub fn row_in_current(&self, id_hash: i64) -> Option<u32> {
        let view = self.source_translation()?;
        let mut units = view.units_from(0);
        units.find_map(|unit| (unit.current_hashes().0 == id_hash).then(|| unit.string()))
    }

    /// Finds a translation by the code that its language has in current Weblate.
    pub fn translation_in_current(&self, code: &str) -> Option<TranslationView<'_>> {
        let translation = self
            .translations
            .iter()
            .find(|it| &*it.current_language.code == code)?;
        Some(TranslationView {
            component: self,
            translation,
        })
    }
}

impl<'a> TranslationView<'a> {
    /// Whether it contains the source texts.
    pub fn is_source(self) -> bool {
        self.translation.is_template
            || *self.translation.language.code == *self.component.project.source_language
    }

    /// The counts of its units. Runs the checks within the budget if their results are not known.
    pub fn current_statistics(self, budget: &Budget) -> CurrentStatistics {
        let sizes = self.component.sizes();
        let of = self.translation;
        let mut statistics = *of.counts.get_or_init(|| {
            let mut sum = CurrentStatistics::default();
            for view in self.units_from(0) {
                let one = sizes.get(view.string() as usize).copied();
                let one = one.unwrap_or_default();
                sum.all += one;
                match view.current_state() {
                    CurrentState::Empty => {}
                    CurrentState::Translated => sum.translated += one,
                    CurrentState::NeedsEditing | CurrentState::NeedsRewriting => sum.fuzzy += one,
                }
            }
            sum
        });
        let mut add = |string: u32| {
            if let Some(size) = sizes.get(string as usize) {
                statistics.failing += *size;
            }
        };
        if self.is_source() {
            let failing = self.component.failing_sources(budget);
            failing.iter().for_each(|(string, _)| add(*string));
        } else {
            let failing = self.exact_results(budget).rows();
            failing.iter().for_each(|(row, _)| add(of.string_of(*row)));
        }
        statistics
    }

    /// The units by id.
    pub fn units_by_id(self, rank: usize) -> impl Iterator<Item = UnitView<'a>> {
        // Most translations have a single run.
        let mut runs = self.translation.id_runs.to_vec();
        runs.sort_unstable_by_key(|run| run.first);
        let rows = runs.into_iter().flat_map(|run| run.row..run.row + run.len);
        rows.skip(rank).filter_map(move |row| self.unit(row))
    }

    /// Number of plural forms.
    fn current_forms(self) -> usize {
        let of = self.translation;
        let declared = of.plural_forms();
        let language = &of.current_language;
        let plural = match self.component.component.file_format {
            FileFormat::Po => language.plural,
            _ => language.named_plural,
        };
        declared.unwrap_or(plural.forms.into()).max(1)
    }

    /// The plural forms of a text, as many as the language has.
    pub(super) fn fitted_forms(self, text: TextId) -> Forms<'a> {
        let texts = &self.component.texts;
        let count = self.current_forms();
        let own: Vec<&str> = texts.get(text).split(PLURAL_SEPARATOR).collect();
        let code = &self.translation.language.code;
        let names: Vec<_> = texts.forms(text).collect();
        let named = names.iter().all(|name| name.category().is_some());
        let categories = plural_categories(code).filter(|all| all.len() == count);
        let (Some(categories), true) = (categories, named && names.len() == own.len()) else {
            return (0..count)
                .map(|at| own.get(at).copied().unwrap_or_default())
                .collect();
        };
        let form = |category: &&str| {
            let at = names
                .iter()
                .position(|name| name.category() == Some(category))?;
            own.get(at).copied()
        };
        let forms = categories.iter().map(|name| form(name).unwrap_or_default());
        forms.collect()
    }
}

/// The plural forms of a text.
pub type Forms<'a> = Cow<'a, [&'a str]>;

impl<'a> UnitView<'a> {
    /// Its state.
    pub fn current_state(self) -> CurrentState {
        match (self.unit.fuzzy(), self.unit.translated()) {
            (true, _) if self.translation.bilingual.is_some() => CurrentState::NeedsEditing,
            (true, _) => CurrentState::NeedsRewriting,
            (false, true) => CurrentState::Translated,
            (false, false) => CurrentState::Empty,
        }
    }

    /// The key of the string: that of 3.4, in JSON without the leading dot.
    pub fn current_context(self) -> &'a str {
        let context = self.component.texts.get(self.source.context);
        match self.component.component.file_format {
            FileFormat::Json | FileFormat::JsonNested | FileFormat::Jsonc | FileFormat::Json5 => {
                context.strip_prefix('.').unwrap_or(context)
            }
            _ => context,
        }
    }

    /// `id_hash` and `content_hash`.
    pub fn current_hashes(self) -> (i64, i64) {
        let context = self.current_context();
        let texts = &self.component.texts;
        if context.len() == texts.get(self.source.context).len() {
            return (self.source.id_hash, self.source.content_hash);
        }
        let content_hash = signed_hash(&[texts.get(self.source.source), context]);
        match self.component.component.file_format.shape() {
            Shape::Template => (signed_hash(&[context]), content_hash),
            Shape::Bilingual => (content_hash, content_hash),
        }
    }

    /// When its key was added. Later changes do not count, because the log has no index by unit.
    pub fn last_updated(self) -> Timestamp {
        self.source.since
    }

    /// The source text and its forms.
    pub fn current_source(self) -> Forms<'a> {
        self.forms_of(self.source.source)
    }

    /// The translation with as many forms as the language has. In the source language this is the source.
    pub fn current_target(self) -> Forms<'a> {
        if !self.unit.plural() {
            return Cow::Owned(vec![self.component.texts.get(self.unit.target)]);
        }
        match self.translation.is_template {
            true => self.current_source(),
            false => self.of().fitted_forms(self.unit.target),
        }
    }

    /// The forms of a text as the file has them.
    fn forms_of(self, text: TextId) -> Forms<'a> {
        let joined = self.component.texts.get(text);
        match self.unit.plural() {
            true => joined.split(PLURAL_SEPARATOR).collect(),
            false => Cow::Owned(vec![joined]),
        }
    }

    /// The source that the translation was written for, if it has changed since; else `""`.
    pub fn previous_source(self) -> &'a str {
        let previous = self.translation.previous_source(self.row);
        self.component.texts.get(previous)
    }

    /// Words of all forms of the source.
    pub fn current_words(self) -> u32 {
        match self.unit.plural() {
            true => words(self.component.texts.get(self.source.source)),
            false => self.source.words,
        }
    }

    /// The unit of the source language; itself there, or if no translation contains the source texts.
    pub fn source_unit(self) -> UnitView<'a> {
        let source = self.component.source_translation();
        let found = source.and_then(|view| view.unit_of_string(self.string()));
        found.unwrap_or(self)
    }
}

impl TranslationSnapshot {
    /// The language in current Weblate.
    pub fn current_language(&self) -> &CurrentLanguage {
        &self.current_language
    }

    /// When a text last changed.
    pub fn changed(&self) -> Option<Timestamp> {
        self.last_change.map(|(time, _)| time)
    }
}

/// The objects in the order of the ids that current Weblate gives: batch by batch, in each the source language first and
/// then the other languages by code.
#[derive(Default, Debug)]
pub(super) struct CurrentOrder {
    /// Component and translation indexes.
    translations: Vec<(u32, u32)>,
    units: IdRuns,
    /// Component and translation indexes of the languages' first translations, by code.
    languages: Vec<(u32, u32)>,
    /// The component that was configured first with the same repository and branch, of each component.
    owners: Vec<u32>,
}

/// The index of the first component with the same repository and branch, of each component.
fn owners(components: &[Arc<ComponentSnapshot>]) -> Vec<u32> {
    let mut first = FxHashMap::default();
    let owners = (0..).zip(components).map(|(at, component)| {
        let of = &component.component;
        *first.entry((&of.repo, &of.branch)).or_insert(at)
    });
    owners.collect()
}

impl Snapshot {
    /// The component with the same repository and branch that was configured first, if it is a different one.
    pub fn linked_component(&self, component: &ComponentSnapshot) -> Option<&ComponentSnapshot> {
        let own = self.index_of(component)?;
        let owner = *self.current_order().owners.get(own as usize)?;
        (owner != own).then(|| self.component_at(owner))?
    }

    /// Sets the first ids of each batch, ascending.
    pub fn allocated_in(mut self, first_ids: Arc<[FirstIds]>) -> Self {
        self.first_ids = first_ids;
        self
    }

    /// The batch that allocated an id, as its index.
    fn batch_of(&self, id: u32, first: fn(&FirstIds) -> u32) -> usize {
        self.first_ids.partition_point(|ids| first(ids) <= id)
    }

    /// What orders the translations of a component: the batch, whether it is not the source language, and the code.
    fn current_rank<'a>(&self, view: TranslationView<'a>) -> (usize, bool, &'a str) {
        let translation = view.translation;
        let batch = self.batch_of(translation.id.0, |ids| ids.translation);
        (batch, !view.is_source(), &translation.current_language.code)
    }

    fn current_order(&self) -> &CurrentOrder {
        self.current_order.get_or_init(|| {
            let mut order = CurrentOrder {
                owners: owners(&self.components),
                ..CurrentOrder::default()
            };
            let mut rows = Vec::new();
            for (at, component) in (0..).zip(&self.components) {
                for (index, translation) in (0..).zip(&component.translations) {
                    let view = TranslationView {
                        component,
                        translation,
                    };
                    let (batch, is_other, code) = self.current_rank(view);
                    rows.push(((batch, at, is_other, code), index));
                }
            }
            rows.sort_unstable();
            order.translations = rows
                .iter()
                .map(|((_, at, ..), index)| (*at, *index))
                .collect();
            let mut runs = Vec::new();
            for (rank, &(at, index)) in (0..).zip(&order.translations) {
                let translation = self
                    .component_at(at)
                    .and_then(|component| component.translations.get(index as usize));
                let own = translation.map_or(&[][..], |translation| &translation.id_runs);
                for &run in own {
                    self.split(IdRun { list: rank, ..run }, &mut runs);
                }
            }
            let component = |run: &IdRun| order.translations.get(run.list as usize).map(|it| it.0);
            runs.sort_by_key(|run| {
                let batch = self.batch_of(run.first, |ids| ids.unit);
                (batch, component(run), run.list, run.first)
            });
            order.units = IdRuns::in_order(runs);
            let mut languages: Vec<_> = rows
                .iter()
                .map(|((_, at, _, code), index)| (*code, (*at, *index)))
                .collect();
            languages.sort_by_key(|(code, _)| *code);
            languages.dedup_by_key(|(code, _)| *code);
            order.languages = languages.into_iter().map(|(_, at)| at).collect();
            order
        })
    }

    /// Adds the parts of a run that each batch allocated.
    fn split(&self, mut run: IdRun, parts: &mut Vec<IdRun>) {
        while run.len > 0 {
            let batch = self.batch_of(run.first, |ids| ids.unit);
            let end = self.first_ids.get(batch).map_or(u32::MAX, |ids| ids.unit);
            let len = run.len.min(end.saturating_sub(run.first)).max(1);
            parts.push(IdRun { len, ..run });
            run = IdRun {
                first: run.first + len,
                row: run.row + len,
                len: run.len - len,
                ..run
            };
        }
    }

    /// The number of texts of a translation that changed in [`RECENT`] before the last change.
    pub fn recent_changes(&self, view: TranslationView<'_>) -> u64 {
        let Some(last) = view.translation.changed() else {
            return 0;
        };
        let log = self.changes_of_translation(view);
        let entries = (0..log.len()).rev().map_while(|at| log.get(at));
        let entries = entries.map(|change| change.entry);
        let recent = entries.take_while(|entry| entry.time.0 >= last.0.saturating_sub(RECENT));
        recent.filter(|entry| is_content(entry.action)).count() as u64
    }

    /// All translations in the order of current Weblate, from a rank on.
    pub fn current_translations_from(
        &self,
        rank: usize,
    ) -> impl Iterator<Item = TranslationView<'_>> {
        let order = self.current_order().translations.iter().skip(rank);
        order.map(|&index| self.translation_at(index))
    }

    /// The translations of a component in the order of current Weblate.
    pub fn current_translations_of<'a>(
        &'a self,
        component: &ComponentSnapshot,
    ) -> Vec<TranslationView<'a>> {
        let (project, slug) = (&component.project.slug, &component.component.slug);
        let own = self.component(project.as_str(), slug.as_str());
        let mut views: Vec<_> = own.into_iter().flat_map(|own| own.views()).collect();
        views.sort_unstable_by_key(|view| self.current_rank(*view));
        views
    }

    /// All units in the order of current Weblate, from a rank on.
    pub fn current_units_from(&self, rank: usize) -> impl Iterator<Item = UnitView<'_>> {
        let order = self.current_order();
        order.units.from_rank(rank).filter_map(|(list, row)| {
            let &index = order.translations.get(list as usize)?;
            self.translation_at(index).unit(row)
        })
    }

    /// The languages of translations, by code.
    pub fn current_languages(&self) -> impl ExactSizeIterator<Item = &CurrentLanguage> {
        let first = self.current_order().languages.iter();
        first.map(|&index| &self.translation_at(index).translation.current_language)
    }

    /// Finds a language of translations by code.
    pub fn current_language(&self, code: &str) -> Option<&CurrentLanguage> {
        self.current_languages()
            .find(|language| &*language.code == code)
    }
}
