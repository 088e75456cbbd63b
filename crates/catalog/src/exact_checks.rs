//! The checks of current Weblate as Weblate runs them (docs/spec/current-api.md#failing-checks), and the counts of
//! units with them. The checks run when a request needs them, and from the first such request on also in the
//! background.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::check_results::{CheckResults, CheckedRows};
use super::checked_units::flags_of;
use super::component::ComponentSnapshot;
use super::current_state::CurrentState;
use super::statistics::{CurrentCount, CurrentStatistics};
use super::views::{TranslationView, UnitView};
use crate::scan::Budget;
use gitglot_checks::{CheckId, CheckIds, CheckInput, LanguageChecker, Proceed};
use gitglot_model::{SeededMap, SeededSet, TextId, words};

/// The translations in which a source must fail for failing itself.
const FAILING_TRANSLATIONS: u32 = 2;

/// The units of a translation and their checks.
struct ExactUnits<'a> {
    view: TranslationView<'a>,
    checker: LanguageChecker,
    is_source: bool,
    /// The texts that translate different sources.
    reused: SeededSet<TextId>,
}

impl CheckedRows for ExactUnits<'_> {
    fn len(&self) -> usize {
        self.view.translation.unit_count()
    }

    fn is_checked(&self, row: u32) -> bool {
        let unit = self.view.unit(row);
        unit.is_some_and(|unit| self.is_source || unit.current_state() != CurrentState::Empty)
    }

    fn words(&self, row: u32) -> u32 {
        self.view.unit(row).map_or(0, UnitView::current_words)
    }

    fn failing(&self, row: u32, proceed: Proceed<'_>) -> (CheckIds, usize) {
        let Some(unit) = self.view.unit(row) else {
            return (CheckIds::default(), 0);
        };
        let source = unit.current_source();
        let target = if self.is_source {
            source.clone()
        } else {
            unit.current_target()
        };
        let input = CheckInput {
            flags: flags_of(&unit.component.texts, unit.translation, row),
            ..CheckInput::new(&source, &target)
        };
        let failing = self.checker.failing_while(&input, proceed);
        let mut failing = if self.is_source {
            failing.intersection(CheckId::of_source())
        } else {
            failing.difference(CheckId::of_source())
        };
        failing.set(CheckId::Reused, self.reused.contains(&unit.unit.target));
        (failing, unit.text_bytes())
    }
}

/// The strings whose sources fail checks, in order: those of sources, and translations that fail in at least
/// [`FAILING_TRANSLATIONS`] languages.
fn failing_sources<'a>(
    component: &'a ComponentSnapshot,
    budget: &Budget,
) -> Cow<'a, [(u32, CheckIds)]> {
    if let Some(known) = component.current.failing_sources.get() {
        return Cow::Borrowed(known);
    }
    let mut strings = vec![(0_u32, CheckIds::default()); component.sources.len()];
    for view in component.current_translations() {
        for (row, checks) in exact_results(view, budget).rows() {
            let string = view.translation.string_of(*row) as usize;
            match strings.get_mut(string) {
                Some((_, own)) if view.is_source() => *own = own.union(*checks),
                Some((count, _)) => *count += 1,
                None => {}
            }
        }
    }
    let failing = (0..).zip(strings).map(|(string, (count, mut checks))| {
        checks.set(CheckId::MultipleFailures, count >= FAILING_TRANSLATIONS);
        (string, checks)
    });
    let failing: Box<[_]> = failing.filter(|(_, checks)| !checks.is_empty()).collect();
    if budget.exhausted().is_some() {
        return Cow::Owned(failing.into());
    }
    Cow::Borrowed(component.current.failing_sources.get_or_init(|| failing))
}

/// The units that fail a check: of the source language one of sources, of others one of translations. Runs the
/// checks within the budget if the result is not known; an exhausted budget gives an empty result.
pub fn exact_results<'a>(view: TranslationView<'a>, budget: &Budget) -> &'a CheckResults {
    static UNKNOWN: LazyLock<CheckResults> = LazyLock::new(CheckResults::default);
    let results = &view.translation.exact;
    let run = || {
        let units = ExactUnits {
            view,
            checker: view.of_language(view.component.checks().exact()),
            is_source: view.is_source(),
            reused: reused_texts(view),
        };
        results.run(&units, budget)
    };
    let known = results.get();
    // Nothing is prepared for checks that cannot run.
    let may_run = known.is_none() && budget.exhausted().is_none();
    let run = || may_run.then(run).flatten();
    known.or_else(run).unwrap_or_else(|| {
        budget.checks_are_missing();
        &UNKNOWN
    })
}

/// Whether [`exact_results`] are known.
pub fn has_exact_results(view: TranslationView<'_>) -> bool {
    view.translation.exact.get().is_some()
}

/// The texts that translate sources which differ in more than letter case. Languages with a single plural form have
/// the same text for singular and plural.
fn reused_texts(view: TranslationView<'_>) -> SeededSet<TextId> {
    if view.is_source() || view.translation.current_language().plural.forms < 2 {
        return SeededSet::default();
    }
    let texts = &view.component.texts;
    let mut source_of = SeededMap::default();
    let units = view.units_from(0);
    let translated = units.filter(|unit| unit.current_state() == CurrentState::Translated);
    let reused = translated.filter_map(|unit| {
        let source = unit.source.source;
        let first = *source_of.entry(unit.unit.target).or_insert(source);
        let lower = |text| texts.get(text).chars().flat_map(char::to_lowercase);
        let is_other = first != source && !lower(first).eq(lower(source));
        is_other.then_some(unit.unit.target)
    });
    reused.collect()
}

/// The count of each source.
fn sizes(component: &ComponentSnapshot) -> &[CurrentCount] {
    component.current.sizes.get_or_init(|| {
        let size = |text: &str| CurrentCount {
            units: 1,
            words: words(text).into(),
            chars: text.chars().count() as u64,
        };
        let texts = component.sources.iter();
        let texts = texts.map(|source| component.texts.get(source.source));
        texts.map(size).collect()
    })
}

/// The counts of the units of a translation. Runs the checks within the budget if their results are not known.
pub fn current_counts(view: TranslationView<'_>, budget: &Budget) -> CurrentStatistics {
    let sizes = sizes(view.component);
    let translation = view.translation;
    let mut statistics = *translation.counts.get_or_init(|| {
        let mut sum = CurrentStatistics::default();
        for unit in view.units_from(0) {
            let size = sizes.get(unit.string() as usize);
            let one = size.copied().unwrap_or_default();
            sum.all += one;
            match unit.current_state() {
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
    if view.is_source() {
        let failing = failing_sources(view.component, budget);
        // The file of the source language can lack strings of others.
        let failing = failing.iter().map(|(string, _)| *string);
        let in_file = failing.filter(|string| translation.unit_of(*string).is_some());
        in_file.for_each(&mut add);
    } else {
        let failing = exact_results(view, budget).rows();
        failing
            .iter()
            .for_each(|(row, _)| add(translation.string_of(*row)));
    }
    statistics
}

/// The checks of current Weblate that a unit fails.
pub fn exact_failures(unit: UnitView<'_>, budget: &Budget) -> CheckIds {
    if !unit.of().is_source() {
        return exact_results(unit.of(), budget).of_row(unit.row);
    }
    let failing = failing_sources(unit.component, budget);
    let at = failing.binary_search_by_key(&unit.string(), |(string, _)| *string);
    let of_string = at.ok().and_then(|at| failing.get(at));
    of_string.map_or_else(CheckIds::default, |(_, checks)| *checks)
}
