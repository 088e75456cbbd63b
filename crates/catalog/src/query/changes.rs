//! Conditions on the changes of a unit (docs/spec/query.md#changes). All rows of a translation are tested in one pass,
//! because the log has no index by unit.

use super::actions::Actions;
use super::dialect::DialectRules;
use super::values::{NameTest, Ranges};
use crate::component::ComponentSnapshot;
use crate::current_rows::CommitChanges;
use crate::scan::Budget;
use crate::snapshot::User;
use crate::views::TranslationView;
use gitglot_model::LogEntry;

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

/// What all translations of a component need: the rows of the log of current Weblate, if the dialect has them.
pub(super) struct ComponentChanges<'a>(Option<CommitChanges<'a>>);

impl<'a> ComponentChanges<'a> {
    /// Reads the log of a component; a part of it once the budget is exhausted.
    pub(super) fn of(
        component: &'a ComponentSnapshot,
        rules: &DialectRules,
        budget: &Budget,
    ) -> Self {
        let read = || CommitChanges::of(component, budget);
        Self(rules.reads_as_current.then(read))
    }
}

/// The queries of a filter about changes, with all that their evaluation needs.
pub(super) struct ChangeSearch<'a> {
    pub(super) queries: &'a [Vec<ChangeTest>],
    pub(super) rules: &'a DialectRules,
    pub(super) users: &'a [User],
    pub(super) budget: &'a Budget,
}

/// A set of queries, by index.
pub(super) type QuerySet = u64;

/// A change of a unit as the dialect has it.
struct Change<'a> {
    action: u8,
    /// Whether the account for updates of the repository did it.
    has_account: bool,
    entry: &'a LogEntry,
}

impl ChangeSearch<'_> {
    /// The queries that each unit of a translation meets, by row.
    pub(super) fn run<'a>(
        &self,
        view: TranslationView<'a>,
        known: &ComponentChanges<'a>,
    ) -> Vec<QuerySet> {
        let mut units = vec![QuerySet::default(); view.translation.unit_count()];
        let mut record = |change: &Change<'_>| {
            if let Some(row) = view.row_of_entry(change.entry)
                && let Some(met) = units.get_mut(row as usize)
            {
                self.record(met, view.component, change);
            }
        };
        if let Some(current) = &known.0 {
            current.each_of(view, self.budget, |row| {
                record(&Change {
                    action: row.action,
                    has_account: row.has_account,
                    entry: &row.view.entry,
                });
            });
            return units;
        }
        let log = &view.component.log;
        let own = log.of_lineage(view.translation.lineage);
        for &at in own.into_iter().flat_map(|own| own.iter()) {
            if !self.budget.spend(1) {
                return Vec::new();
            }
            let Some(entry) = log.get(at as usize) else {
                continue;
            };
            if entry.action.sets_source() || entry.action.is_about_source() {
                record(&Change {
                    action: entry.action.code(),
                    has_account: false,
                    entry: &entry,
                });
            }
        }
        units
    }

    /// Adds the queries that a change meets.
    fn record(&self, met: &mut QuerySet, component: &ComponentSnapshot, change: &Change<'_>) {
        for (at, query) in (0..).zip(self.queries) {
            let bit = 1_u64.checked_shl(at).unwrap_or_default();
            let mut tests = query.iter();
            if *met & bit == 0 && tests.all(|test| self.passes(test, component, change)) {
                *met |= bit;
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
            ChangeTest::Time(times) => times.contains(change.entry.time.0),
            ChangeTest::Actions(actions) => actions.contains(change.action),
            ChangeTest::Author(name) => {
                (change.has_account && name.fits(UPDATE_ACCOUNT))
                    || self
                        .author(component, change)
                        .is_some_and(|user| name.fits(&user.username))
            }
            ChangeTest::WithoutAuthor if self.rules.reads_as_current => !change.has_account,
            ChangeTest::WithoutAuthor => self.author(component, change).is_none(),
        }
    }

    /// The user who wrote a change, if its action names one.
    fn author(&self, component: &ComponentSnapshot, change: &Change<'_>) -> Option<&User> {
        if !change.entry.action.names_user() {
            return None;
        }
        let commits = &component.log.commits;
        let person = commits.get(change.entry.commit as usize)?.author;
        let id = component.users.get(person.0 as usize)?;
        let at = self.users.binary_search_by_key(id, |user| user.id).ok()?;
        self.users.get(at)
    }
}
