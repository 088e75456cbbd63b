//! Conditions on the changes of a unit (docs/spec/query.md#changes). The log of a component is read once,
//! and all rows of a translation are tested in one pass, because the log has no index by unit.

use super::actions::Actions;
use super::dialect::Dialect;
use super::values::{NameTest, Ranges};
use crate::current_log::CommitChanges;
use crate::scan::Budget;
use crate::{ComponentSnapshot, TranslationView, User};
use gitglot_model::{Action, LogEntry, Timestamp};

/// A condition on the changes of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ChangeQuery {
    /// One change passes all tests.
    Any(Vec<ChangeTest>),
    /// The last change of source or translation was then.
    LastChanged(Ranges),
    /// The last change of the source was then.
    SourceChanged(Ranges),
}

/// A condition on one change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ChangeTest {
    /// In microseconds since 1970.
    Time(Ranges),
    Actions(Actions),
    Author(NameTest),
    WithoutAuthor,
}

/// The account that current Weblate names for updates of the repository.
const UPDATE_ACCOUNT: &str = "weblate:update";

/// What all translations of a component need, from one pass over its log.
pub(super) struct ComponentChanges<'a> {
    /// The changes of sources, oldest first, by index in the log.
    sources: Vec<(u32, LogEntry)>,
    /// The rows of the log of current Weblate, if the dialect has them.
    current: Option<CommitChanges<'a>>,
}

impl<'a> ComponentChanges<'a> {
    /// Reads the log of a component; a part of it once the budget is exhausted.
    pub(super) fn of(component: &'a ComponentSnapshot, dialect: Dialect, budget: &Budget) -> Self {
        let is_current = dialect == Dialect::Current;
        Self {
            sources: source_changes(component, budget),
            current: is_current.then(|| CommitChanges::of(component, budget)),
        }
    }
}

/// Finds the changes of sources in the log of a component; none once the budget is exhausted.
fn source_changes(component: &ComponentSnapshot, budget: &Budget) -> Vec<(u32, LogEntry)> {
    let is_of_source = |entry: &LogEntry| {
        let action = entry.action;
        matches!(
            action,
            Action::NewSourceString | Action::SourceStringChanged
        ) && entry.key.is_some()
    };
    let entries = (0..).zip(component.log.iter());
    entries
        .take_while(|_| budget.spend(1))
        .filter(|(_, entry)| is_of_source(entry))
        .collect()
}

/// The queries of a filter about changes, with all that their evaluation needs.
pub(super) struct ChangeSearch<'a> {
    pub(super) queries: &'a [ChangeQuery],
    pub(super) dialect: Dialect,
    pub(super) users: &'a [User],
    pub(super) budget: &'a Budget,
}

/// A set of queries, by index.
pub(super) type QuerySet = u64;

/// What is known of a unit up to some entry of the log.
#[derive(Clone, Copy, Default)]
struct UnitHistory {
    last_changed: Timestamp,
    source_changed: Timestamp,
    met: QuerySet,
}

/// A change of a unit as the dialect has it.
struct Change<'a> {
    time: Timestamp,
    action: u8,
    entry: &'a LogEntry,
}

impl ChangeSearch<'_> {
    /// The queries that each unit of a translation meets, by row.
    pub(super) fn run<'a>(
        &self,
        view: TranslationView<'a>,
        known: &ComponentChanges<'a>,
    ) -> Vec<QuerySet> {
        let (of, log) = (view.translation, &view.component.log);
        let since = (0..of.unit_count() as u32).map(|row| {
            let unit = view.unit(row);
            unit.map_or(Timestamp::default(), |unit| unit.source.since)
        });
        let mut units: Vec<UnitHistory> = since
            .map(|since| UnitHistory {
                last_changed: since,
                source_changed: since,
                ..UnitHistory::default()
            })
            .collect();
        let own = log.of_lineage(of.lineage);
        let own = own.into_iter().flat_map(|entries| entries.iter().copied());
        let mut own = own
            .filter_map(|at| Some((at, log.get(at as usize)?)))
            .peekable();
        let mut sources = known.sources.iter().copied().peekable();
        loop {
            let from_source = match (sources.peek(), own.peek()) {
                (None, None) => break,
                (Some((source, _)), Some((own, _))) => source <= own,
                (source, _) => source.is_some(),
            };
            let next = match from_source {
                true => sources.next(),
                false => own.next(),
            };
            // The entries of a template's own translation are in both lists.
            if let (Some((at, _)), true) = (next, from_source) {
                own.next_if(|(own, _)| *own == at);
            }
            if !self.budget.spend(1) {
                return Vec::new();
            }
            if let Some((_, entry)) = next
                && let Some(row) = row_of(view, &entry)
                && let Some(unit) = units.get_mut(row as usize)
            {
                self.add(unit, view, &entry);
            }
        }
        if let Some(current) = &known.current {
            current.each_of(view, self.budget, |row| {
                if let Some(at) = row_of(view, &row.view.entry)
                    && let Some(unit) = units.get_mut(at as usize)
                {
                    let change = Change {
                        time: row.view.entry.time,
                        action: row.action,
                        entry: &row.view.entry,
                    };
                    self.record(&mut unit.met, view.component, &change);
                }
            });
        }
        let finish = |unit: UnitHistory| {
            let queries = self.queries.iter().zip(0_u32..);
            queries.fold(unit.met, |met, (query, at)| {
                let is_met = match query {
                    ChangeQuery::Any(_) => false,
                    ChangeQuery::LastChanged(times) => times.contains(unit.last_changed.0),
                    ChangeQuery::SourceChanged(times) => times.contains(unit.source_changed.0),
                };
                met | bit(at, is_met)
            })
        };
        units.into_iter().map(finish).collect()
    }

    /// Takes an entry of a unit, or of its source, into account.
    fn add(&self, unit: &mut UnitHistory, view: TranslationView<'_>, entry: &LogEntry) {
        let is_source = match entry.action {
            Action::NewSourceString | Action::SourceStringChanged => true,
            Action::NewTranslation | Action::TranslationChanged => false,
            _ => return,
        };
        unit.last_changed = unit.last_changed.max(entry.time);
        if is_source {
            unit.source_changed = unit.source_changed.max(entry.time);
        }
        let is_own = entry.lineage == Some(view.translation.lineage);
        if self.dialect == Dialect::Weblate34 && is_own {
            let change = Change {
                time: entry.time,
                action: entry.action.code(),
                entry,
            };
            self.record(&mut unit.met, view.component, &change);
        }
    }

    /// Adds the queries that a change meets.
    fn record(&self, met: &mut QuerySet, component: &ComponentSnapshot, change: &Change<'_>) {
        for (query, at) in self.queries.iter().zip(0_u32..) {
            if let ChangeQuery::Any(tests) = query
                && *met & bit(at, true) == 0
                && tests
                    .iter()
                    .all(|test| self.passes(test, component, change))
            {
                *met |= bit(at, true);
            }
        }
    }

    fn passes(
        &self,
        test: &ChangeTest,
        component: &ComponentSnapshot,
        change: &Change<'_>,
    ) -> bool {
        match test {
            ChangeTest::Time(times) => times.contains(change.time.0),
            ChangeTest::Actions(actions) => actions.contains(change.action),
            ChangeTest::Author(name) => {
                (self.dialect == Dialect::Current && name.fits(UPDATE_ACCOUNT))
                    || self
                        .author(component, change)
                        .is_some_and(|user| name.fits(&user.username))
            }
            ChangeTest::WithoutAuthor => match self.dialect {
                Dialect::Current => false,
                Dialect::Weblate34 => self.author(component, change).is_none(),
            },
        }
    }

    /// The user who wrote a change, if its action names one.
    fn author(&self, component: &ComponentSnapshot, change: &Change<'_>) -> Option<&User> {
        if !change.entry.action.names_user() {
            return None;
        }
        let person = component
            .log
            .commits
            .get(change.entry.commit as usize)?
            .author;
        let id = component.users.get(person.0 as usize)?;
        let at = self.users.binary_search_by_key(id, |user| user.id).ok()?;
        self.users.get(at)
    }
}

fn bit(at: u32, is_set: bool) -> QuerySet {
    QuerySet::from(is_set).checked_shl(at).unwrap_or_default()
}

/// The row of the unit that an entry is about, in a translation.
fn row_of(view: TranslationView<'_>, entry: &LogEntry) -> Option<u32> {
    let key = entry.key?.0 as usize;
    let string = *view.component.row_of_key.get(key)?;
    view.translation.unit_of(string)
}
