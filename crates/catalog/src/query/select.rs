//! Tests units against a filter.

use super::changes::{ChangeSearch, ComponentChanges, QuerySet};
use super::matcher::Slots;
use super::plan::{Condition, Filter, SCOPES, is_located};
use super::syntax::{CheckSelection, TextScope, UnitTerm};
use crate::component::ComponentSnapshot;
use crate::current::{unread_changes, unread_source_changes};
use crate::exact_checks::exact_failures;
use crate::origins::origins;
use crate::scan::Budget;
use crate::snapshot::User;
use crate::translation::TranslationSnapshot;
use crate::views::UnitView;
use gitglot_checks::CheckProfile;
use gitglot_model::{Origin, PLURAL_SEPARATOR, SeededMap, TextId};

/// Marks a text that was searched.
const SEARCHED: Slots = 1 << 63;
/// Rows that one run of the legacy checks on a unit, or one classification of a stale unit, counts as.
const ROWS_PER_CHECK: u64 = 16;

/// Accounts for one run of the legacy checks on a unit, or one classification of a stale unit. Returns whether the scan
/// may go on.
pub fn spend_check(budget: &Budget, unit: UnitView<'_>) -> bool {
    budget.spend_text(unit.text_bytes()) && budget.spend(ROWS_PER_CHECK)
}

/// A scan with a filter. It remembers the result for each text, so that it searches a text once however many units use
/// it.
pub struct Selection<'q, 's> {
    filter: &'q Filter,
    budget: &'q Budget,
    users: &'q [User],
    /// The slots that each text of a component fits; 0 if it was not searched.
    slots: ByAddress<'s, ComponentSnapshot, Vec<Slots>>,
    /// The same for the keys of current Weblate, by row of the string.
    keys: ByAddress<'s, ComponentSnapshot, Vec<Slots>>,
    /// Whether a translation meets each condition on its location.
    locations: ByAddress<'s, TranslationSnapshot, Box<[bool]>>,
    /// What is known of the log of each component.
    component_changes: ByAddress<'s, ComponentSnapshot, ComponentChanges<'s>>,
    /// The conditions on changes that the units of a translation meet, by row.
    changes: ByAddress<'s, TranslationSnapshot, Vec<QuerySet>>,
    /// Who wrote the texts of a translation, by row.
    origins: ByAddress<'s, TranslationSnapshot, Vec<Option<Origin>>>,
    /// The slots that the texts of the current unit fit, by scope; 0 if they were not searched.
    found: [Slots; SCOPES.len()],
    buffer: String,
}

/// Values by the address of an item. Consecutive look-ups are mostly for the same item.
struct ByAddress<'s, T, V> {
    current: Option<(&'s T, V)>,
    others: SeededMap<*const T, V>,
}

impl<'s, T, V> ByAddress<'s, T, V> {
    fn new() -> Self {
        Self {
            current: None,
            others: SeededMap::default(),
        }
    }

    /// The value of an item, which is computed once.
    fn of(&mut self, item: &'s T, compute: impl FnOnce() -> V) -> Option<&mut V> {
        let is_current = |(current, _): &(&T, V)| std::ptr::eq(*current, item);
        if !self.current.as_ref().is_some_and(is_current) {
            let known = self.others.remove(&std::ptr::from_ref(item));
            let value = known.unwrap_or_else(compute);
            if let Some((last, value)) = self.current.replace((item, value)) {
                self.others.insert(last, value);
            }
        }
        self.current.as_mut().map(|(_, value)| value)
    }
}

impl<'q, 's> Selection<'q, 's> {
    /// Starts a scan. `users` are those of the snapshot, sorted by id.
    pub fn new(filter: &'q Filter, users: &'q [User], budget: &'q Budget) -> Self {
        Self {
            filter,
            budget,
            users,
            component_changes: ByAddress::new(),
            changes: ByAddress::new(),
            origins: ByAddress::new(),
            slots: ByAddress::new(),
            keys: ByAddress::new(),
            locations: ByAddress::new(),
            found: [0; SCOPES.len()],
            buffer: String::new(),
        }
    }

    /// Whether the filter selects a unit. Always `false` once the budget is exhausted.
    pub fn selects(&mut self, unit: UnitView<'s>) -> bool {
        if !self.budget.spend(1) {
            return false;
        }
        self.found = [0; SCOPES.len()];
        let filter = self.filter;
        self.is_met(&filter.root, unit)
    }

    fn is_met(&mut self, node: &Condition, unit: UnitView<'s>) -> bool {
        match node {
            Condition::Location(index) => {
                let queries = self.filter.locations.iter();
                let rules = self.filter.rules;
                let is_met = |query| is_located(query, unit.of(), rules);
                let evaluate = || queries.map(is_met).collect();
                let locations = self.locations.of(unit.translation, evaluate);
                locations.is_some_and(|locations| locations.get(*index) == Some(&true))
            }
            Condition::Texts(scope, wanted) => self.fits(*scope, *wanted, unit),
            Condition::Unit(UnitTerm::Origin(origin)) => self.is_by(*origin, unit),
            Condition::Unit(term) => self.meets(term, unit),
            Condition::Changes(index) => self.has_changes(*index, unit),
            Condition::All(parts) => parts.iter().all(|part| self.is_met(part, unit)),
            Condition::Either(parts) => parts.iter().any(|part| self.is_met(part, unit)),
            Condition::Not(part) => !self.is_met(part, unit),
        }
    }

    fn meets(&self, term: &UnitTerm, unit: UnitView<'s>) -> bool {
        match term {
            UnitTerm::State(states) => states.contains(unit.current_state() as u8),
            UnitTerm::SourceState(states) => states.contains(source_state(unit)),
            UnitTerm::HasCheck => unit.unit.failing(),
            UnitTerm::HasCurrentCheck => !exact_failures(unit, self.budget).is_empty(),
            // Equal texts have equal ids.
            UnitTerm::HasContext => unit.source.context != TextId::EMPTY,
            UnitTerm::HasNote => {
                unit.source_note() != TextId::EMPTY || unit.unit.note != TextId::EMPTY
            }
            UnitTerm::HasLocations => locations(unit) != TextId::EMPTY,
            UnitTerm::HasFlags => flags(unit) != TextId::EMPTY,
            UnitTerm::HasPlural => unit.unit.plural(),
            UnitTerm::Id(ids) => ids.contains(unit.unit.id.0.into()),
            UnitTerm::Position(positions) => positions.contains(unit.position().into()),
            UnitTerm::Added(times) => times.contains(unit.source.since.0),
            UnitTerm::LastChanged(times) => {
                self.budget.spend(unread_changes(unit.of()))
                    && times.contains(unit.last_updated().0)
            }
            UnitTerm::SourceChanged(times) => {
                self.budget.spend(unread_source_changes(unit.component))
                    && times.contains(unit.source_updated().0)
            }
            UnitTerm::Check(checks) => self.fails(*checks, unit),
            // Needs the log, which `is_by` reads once.
            UnitTerm::Origin(_) => false,
            UnitTerm::Stale(change) => {
                unit.unit.fuzzy()
                    && spend_check(self.budget, unit)
                    && unit.source_change() == Some(*change)
            }
        }
    }

    /// Whether a unit meets the condition on changes with this index.
    fn has_changes(&mut self, index: usize, unit: UnitView<'s>) -> bool {
        let (filter, users, budget) = (self.filter, self.users, self.budget);
        let of_component = || ComponentChanges::of(unit.component, filter.rules, budget);
        let Some(known) = self.component_changes.of(unit.component, of_component) else {
            return false;
        };
        let search = ChangeSearch {
            queries: &filter.changes,
            rules: filter.rules,
            users,
            budget,
        };
        let of_translation = || search.run(unit.of(), known);
        let met = self.changes.of(unit.translation, of_translation);
        let met = met.and_then(|met| met.get(unit.row as usize).copied());
        met.is_some_and(|met| met >> index & 1 == 1)
    }

    /// Whether the text of a unit has an origin.
    fn is_by(&mut self, origin: Origin, unit: UnitView<'s>) -> bool {
        let budget = self.budget;
        let find = || origins(unit.of(), budget);
        let known = self.origins.of(unit.translation, find);
        let known = known.and_then(|known| known.get(unit.row as usize).copied());
        known.flatten() == Some(origin)
    }

    /// Whether a unit fails one of these checks.
    fn fails(&self, checks: CheckSelection, unit: UnitView<'s>) -> bool {
        let current = || {
            if self.filter.rules.runs_exact_checks {
                exact_failures(unit, self.budget)
            } else {
                unit.of().check_results(self.budget).of_row(unit.row)
            }
        };
        if !checks.current.is_empty() && !current().intersection(checks.current).is_empty() {
            return true;
        }
        !checks.legacy.is_empty()
            && unit.unit.failing()
            && spend_check(self.budget, unit)
            && !unit
                .failing_checks(CheckProfile::Weblate34)
                .intersection(checks.legacy)
                .is_empty()
    }

    /// Whether the texts of a unit fit all wanted slots.
    fn fits(&mut self, scope: TextScope, wanted: Slots, unit: UnitView<'s>) -> bool {
        let known = self.found.get(scope as usize).copied().unwrap_or_default();
        let found = if known == 0 {
            self.search(scope, unit)
        } else {
            known
        };
        found & wanted == wanted
    }

    /// The slots that the texts in a scope fit together, which later conditions on the unit reuse.
    fn search(&mut self, scope: TextScope, unit: UnitView<'s>) -> Slots {
        let of = unit.component;
        let found = SEARCHED
            | match scope {
                TextScope::Anywhere => {
                    self.slots(unit.source.source, of)
                        | self.target_slots(unit)
                        | self.key_slots(unit)
                }
                TextScope::Source => self.slots(unit.source.source, of),
                TextScope::Target => self.target_slots(unit),
                TextScope::Key => self.key_slots(unit),
                TextScope::Note => self.note_slots(unit),
                TextScope::Locations => self.slots(locations(unit), of),
                TextScope::Flags => self.slots(flags(unit), of),
            };
        if let Some(known) = self.found.get_mut(scope as usize) {
            *known = found;
        }
        found
    }

    /// The slots that the translation of a unit fits. In current Weblate a plural has the forms of its language.
    fn target_slots(&mut self, unit: UnitView<'s>) -> Slots {
        if !self.filter.rules.reads_as_current || !unit.unit.plural() {
            return self.slots(unit.unit.target, unit.component);
        }
        let target = unit.current_target().join(PLURAL_SEPARATOR);
        search(self.filter, self.budget, &target, &mut self.buffer)
    }

    /// The slots that the notes of a unit fit. In current Weblate they are one text.
    fn note_slots(&mut self, unit: UnitView<'s>) -> Slots {
        let notes = [unit.source_note(), unit.unit.note];
        if !self.filter.rules.reads_as_current || notes[0] == notes[1] {
            let [source, translation] = notes.map(|note| self.slots(note, unit.component));
            return SEARCHED | source | translation;
        }
        let note = notes.map(|note| unit.component.texts.get(note)).join("\n");
        search(self.filter, self.budget, &note, &mut self.buffer)
    }

    /// The slots that the key of a unit fits, as the API or pages show it. Current Weblate has no dot in front of the keys of
    /// nested files.
    fn key_slots(&mut self, unit: UnitView<'s>) -> Slots {
        let format = unit.component.component.file_format;
        if !self.filter.rules.reads_as_current && !format.has_shown_keys() {
            return self.slots(unit.source.context, unit.component);
        }
        let unknown = || vec![0; unit.component.sources.len()];
        let known = self.keys.of(unit.component, unknown);
        let Some(known) = known.and_then(|known| known.get_mut(unit.string() as usize)) else {
            return 0;
        };
        if *known == 0 {
            let context = if self.filter.rules.reads_as_current {
                unit.current_context()
            } else {
                unit.component.texts.get(unit.source.context)
            };
            let shown = format.shown_key(context);
            *known = search(self.filter, self.budget, context, &mut self.buffer);
            if shown != context {
                *known |= search(self.filter, self.budget, &shown, &mut self.buffer);
            }
        }
        *known
    }

    /// The slots that a text fits.
    fn slots(&mut self, text: TextId, component: &'s ComponentSnapshot) -> Slots {
        let unknown = || vec![0; component.texts.count()];
        let known = self.slots.of(component, unknown);
        let Some(known) = known.and_then(|known| known.get_mut(text.0 as usize)) else {
            return 0;
        };
        if *known == 0 {
            let text = component.texts.get(text);
            *known = search(self.filter, self.budget, text, &mut self.buffer);
        }
        *known
    }
}

/// The slots that a text fits, with the mark of texts that were searched.
fn search(filter: &Filter, budget: &Budget, text: &str, buffer: &mut String) -> Slots {
    budget.spend_text(text.len());
    budget.spend(filter.matcher.rows(text));
    SEARCHED | filter.matcher.slots(text, buffer)
}

/// The state of the source of a unit: that of a bilingual file cannot be changed.
fn source_state(unit: UnitView<'_>) -> u8 {
    match unit.component.shape {
        shape if !shape.has_template() => 100,
        _ if unit.source.source == TextId::EMPTY => 0,
        _ => 20,
    }
}

/// Where the program uses the text of a unit.
fn locations(unit: UnitView<'_>) -> TextId {
    let own = unit.translation.bilingual_unit(unit.row);
    own.map_or(TextId::EMPTY, |own| own.locations)
}

fn flags(unit: UnitView<'_>) -> TextId {
    let own = unit.translation.bilingual_unit(unit.row);
    own.map_or(TextId::EMPTY, |own| own.flags)
}
