//! The state of units and translations as current Weblate shows it (docs/spec/current-api.md): plural forms, contexts,
//! states, counts and the order of ids. Everything is derived from the rows and the log; sums are stored once they were
//! asked for.

mod order;
mod recent;
mod source_language;
mod units;
mod updates;

use std::ops::AddAssign;
use std::sync::{Arc, OnceLock};

use super::{ComponentSnapshot, TranslationSnapshot, TranslationView, UnitView};
use crate::current_log::CurrentLog;
use crate::current_state::CurrentState;
use crate::exact_checks::{exact_results, failing_sources};
use crate::scan::Budget;
use gitglot_checks::CheckIds;
use gitglot_model::language::resolve_current;
use gitglot_model::{Action, LineageId, LogEntry, words};

pub(super) use order::CurrentOrder;
pub use recent::{current_last_entry, recent_changes};
use source_language::{LINEAGE_WITHOUT_FILE, sources_of_files};
pub use units::Forms;
use updates::LastChanges;
pub(crate) use updates::{is_of_source, unread_changes, unread_source_changes};

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
    /// Sources of bilingual files, which are translated, too.
    pub read_only: CurrentCount,
}

impl AddAssign for CurrentStatistics {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.translated += other.translated;
        self.fuzzy += other.fuzzy;
        self.failing += other.failing;
        self.read_only += other.read_only;
    }
}

/// What is stored of a component once it was asked for.
#[derive(Default, Debug)]
pub(super) struct CurrentComponent {
    /// The count of each source.
    sizes: OnceLock<Box<[CurrentCount]>>,
    source_code: OnceLock<Arc<str>>,
    /// The index of the translation of the source language.
    source: OnceLock<Option<u32>>,
    /// The translation of the source language without a file, if there is one.
    without_file: OnceLock<Option<Box<TranslationSnapshot>>>,
    /// The last entry that added a source.
    last_source: OnceLock<Option<LogEntry>>,
    /// The log, with the numbers of its rows.
    log: OnceLock<CurrentLog>,
    pub(super) last_changes: LastChanges,
    /// The last changes of sources, by index in the log.
    recent_sources: OnceLock<Box<[(u32, LogEntry)]>>,
    /// The strings whose sources fail checks.
    pub(super) failing_sources: OnceLock<Box<[(u32, CheckIds)]>>,
}

/// What is stored of a translation once it was asked for: the counts without failing checks.
pub(super) type CurrentCounts = OnceLock<CurrentStatistics>;

/// A copy is asked again.
impl Clone for CurrentComponent {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl ComponentSnapshot {
    /// The count of each source.
    fn sizes(&self) -> &[CurrentCount] {
        self.current.sizes.get_or_init(|| {
            let size = |text: &str| CurrentCount {
                units: 1,
                words: words(text).into(),
                chars: text.chars().count() as u64,
            };
            let texts = self
                .sources
                .iter()
                .map(|source| self.texts.get(source.source));
            texts.map(size).collect()
        })
    }

    /// The translation of the source language.
    pub fn source_translation(&self) -> Option<TranslationView<'_>> {
        let find = || {
            let mut views = self.current_translations();
            Some(views.position(TranslationView::is_source)? as u32)
        };
        let index = (*self.current.source.get_or_init(find))?;
        Some(self.view_of(self.current_translation_at(index)?))
    }

    /// The code of the source language.
    pub fn source_code(&self) -> Arc<str> {
        let resolve = || resolve_current(&self.project.source_language).code;
        self.current.source_code.get_or_init(resolve).clone()
    }

    /// Finds the row of the string with an `id_hash` of the current API.
    pub fn row_in_current(&self, id_hash: i64) -> Option<u32> {
        let view = self.source_translation()?;
        let mut units = view.units_from(0);
        units.find_map(|unit| (unit.current_hashes().0 == id_hash).then(|| unit.string()))
    }

    /// Finds a translation by the code that its language has in current Weblate.
    pub fn translation_in_current(&self, code: &str) -> Option<TranslationView<'_>> {
        let mut views = self.current_translations();
        views.find(|view| &*view.translation.current_language.code == code)
    }

    /// Reads the log of current Weblate within a budget, so that its rows can be listed. Returns whether it is known.
    pub fn read_current_log(&self, budget: &Budget) -> bool {
        if self.has_current_log() {
            return true;
        }
        let Some(log) = CurrentLog::of(self, budget) else {
            return false;
        };
        // Another thread may have been faster.
        let _ = self.current.log.set(log);
        true
    }

    /// Whether the log of current Weblate is known.
    pub fn has_current_log(&self) -> bool {
        self.current_log().is_some()
    }

    pub(crate) fn current_log(&self) -> Option<&CurrentLog> {
        self.current.log.get()
    }

    /// The translation of the source language, if the files are bilingual and none is in that language.
    pub(crate) fn without_file(&self) -> Option<&TranslationSnapshot> {
        let build = || {
            let code = self.source_code();
            let is_source = |view: TranslationView<'_>| {
                view.is_source() || view.translation.current_language.code == code
            };
            let has_sources = self.component.file_format.shape().has_template()
                || self.views_by_path().any(is_source);
            (!has_sources).then(|| Box::new(sources_of_files(self)))
        };
        self.current.without_file.get_or_init(build).as_deref()
    }

    /// The translation at an index of [`Self::translations`], or after the last one that [without a
    /// file](Self::without_file).
    pub(crate) fn current_translation_at(&self, index: u32) -> Option<&TranslationSnapshot> {
        Some(self.logged_translation(index)?.revised())
    }

    /// The same translation as Weblate 3.4 sees it, as the log does.
    pub(crate) fn logged_translation(&self, index: u32) -> Option<&TranslationSnapshot> {
        let (index, count) = (index as usize, self.translations.len());
        let without_file = || self.without_file().filter(|_| index == count);
        let own = self.translations.get(index).map(Arc::as_ref);
        own.or_else(without_file)
    }

    /// All translations in the order of [`Self::current_translation_at`].
    pub(crate) fn current_translations(&self) -> impl Iterator<Item = TranslationView<'_>> {
        let without_file = self
            .without_file()
            .map(|translation| self.view_of(translation));
        let views = self.views_by_path().map(TranslationView::revised);
        views.chain(without_file)
    }

    /// The index of a translation in that order.
    pub(crate) fn current_index(&self, lineage: LineageId) -> Option<u32> {
        let index = self.translation_of_lineage.get(usize::from(lineage.0));
        match index.copied().unwrap_or(u32::MAX) {
            u32::MAX if lineage == LINEAGE_WITHOUT_FILE => Some(self.translations.len() as u32),
            u32::MAX => None,
            index => Some(index),
        }
    }

    /// The last entry that added a source which still exists.
    fn last_source(&self) -> Option<&LogEntry> {
        let find = || {
            let entries = (0..self.log.len()).rev().filter_map(|at| self.log.get(at));
            let mut added = entries.filter(|entry| entry.action == Action::NewSourceString);
            added.find(|entry| crate::current_log::string_of(self, entry).is_some())
        };
        self.current.last_source.get_or_init(find).as_ref()
    }
}

impl<'a> TranslationView<'a> {
    /// Whether it contains the source texts.
    pub fn is_source(self) -> bool {
        self.translation.is_template
            || !self.translation.has_file()
            || *self.translation.language.code == *self.component.project.source_language
    }

    /// The counts of its units. Runs the checks within the budget if their results are not known.
    pub fn current_statistics(self, budget: &Budget) -> CurrentStatistics {
        let sizes = self.component.sizes();
        let of = self.translation;
        let mut statistics = *of.counts.get_or_init(|| {
            let mut sum = CurrentStatistics::default();
            for view in self.units_from(0) {
                let size = sizes.get(view.string() as usize);
                let one = size.copied().unwrap_or_default();
                sum.all += one;
                match view.current_state() {
                    CurrentState::Empty => {}
                    CurrentState::Translated => sum.translated += one,
                    CurrentState::ReadOnly => {
                        sum.translated += one;
                        sum.read_only += one;
                    }
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
            let failing = failing_sources(self.component, budget);
            // The file of the source language can lack strings of others.
            let failing = failing.iter().map(|(string, _)| *string);
            let own = failing.filter(|string| of.unit_of(*string).is_some());
            own.for_each(&mut add);
        } else {
            let failing = exact_results(self, budget).rows();
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

    /// Its index in the component.
    pub(crate) fn index(self) -> Option<u32> {
        self.component.current_index(self.translation.lineage)
    }
}
