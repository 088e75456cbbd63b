//! The rows that fail checks (docs/spec/checks.md#modern-checks), and the work that finds them.

use std::cell::Cell;
use std::sync::OnceLock;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

use crate::scan::Budget;
use crate::statistics::Count;
use gitglot_checks::{CheckIds, Proceed};

/// The strings of a translation that fail a modern check.
#[derive(Clone, Default, Debug)]
pub struct CheckResults {
    /// Row and failing checks, by row. Stale strings are included.
    rows: Box<[(u32, CheckIds)]>,
    count: Count,
}

/// The results of the modern checks of a translation, once they are known. Several threads can run them together.
#[derive(Default, Debug)]
pub(super) struct ResultsCell {
    known: OnceLock<CheckResults>,
    progress: Mutex<CheckProgress>,
}

/// The results of the rows before `next`.
#[derive(Default, Debug)]
struct CheckProgress {
    next: u32,
    rows: Vec<(u32, CheckIds)>,
    count: Count,
}

/// Rows and their checks.
pub(super) trait CheckedRows {
    /// Number of rows.
    fn len(&self) -> usize;
    /// Whether the checks run on a row.
    fn is_checked(&self, row: u32) -> bool;
    /// Words of the source of a row.
    fn words(&self, row: u32) -> u32;
    /// The checks that a row fails, and the bytes of its texts.
    fn failing(&self, row: u32, proceed: Proceed<'_>) -> (CheckIds, usize);
}

/// Rows that are checked before other threads and translations have a turn.
const STEP_ROWS: usize = 4_096;

/// Bytes of texts after which a step ends.
const STEP_BYTES: usize = 1 << 16;

/// How long a scan waits for a step of another thread before it asks whether it may go on.
const WAIT: Duration = Duration::from_millis(20);

impl ResultsCell {
    /// The results, if they are known.
    pub(super) fn get(&self) -> Option<&CheckResults> {
        self.known.get()
    }

    /// The results of a changed translation. `known` returns the result for a row, if an earlier snapshot has it. If
    /// more than `left` bytes of its component changed, the results are not known yet.
    pub(super) fn of_changed(
        checked: &impl CheckedRows,
        left: &Cell<usize>,
        mut known: impl FnMut(u32) -> Option<CheckIds>,
    ) -> Self {
        let results = Self::default();
        let mut progress = CheckProgress::default();
        while !progress.is_complete(checked) {
            let proceed = |_: usize| true;
            let Some(bytes) = progress.row(checked, &proceed, &mut known) else {
                return results;
            };
            let rest = left.get().checked_sub(bytes);
            left.set(rest.unwrap_or_default());
            if rest.is_none() {
                return results;
            }
        }
        // A new cell is empty.
        let _ = results.known.set(progress.result());
        results
    }

    /// Runs the checks within a budget, together with other threads that do the same. `None` when the budget is
    /// exhausted; a later call continues.
    pub(super) fn run(&self, checked: &impl CheckedRows, budget: &Budget) -> Option<&CheckResults> {
        while self.known.get().is_none() {
            if !self.step(checked, budget) {
                budget.checks_are_missing();
                return None;
            }
        }
        self.known.get()
    }

    /// Checks some rows. Returns whether the work may go on.
    pub(super) fn step(&self, checked: &impl CheckedRows, budget: &Budget) -> bool {
        let Some(mut progress) = self.progress.try_lock_for(WAIT) else {
            // The clock of the thread stands still meanwhile.
            budget.wait(WAIT);
            return budget.spend(0);
        };
        if self.known.get().is_some() {
            return true;
        }
        let may_go_on = budget.without_turns(|| progress.step(checked, budget));
        if may_go_on && progress.is_complete(checked) {
            // Only the thread with the lock sets it.
            let _ = self.known.set(std::mem::take(&mut *progress).result());
        }
        MutexGuard::unlock_fair(progress);
        may_go_on && budget.spend(0)
    }
}

impl CheckProgress {
    fn is_complete(&self, checked: &impl CheckedRows) -> bool {
        self.next as usize >= checked.len()
    }

    /// Checks some rows. Returns whether the work may go on.
    fn step(&mut self, checked: &impl CheckedRows, budget: &Budget) -> bool {
        let mut bytes = 0;
        for _ in 0..STEP_ROWS {
            if bytes > STEP_BYTES || self.is_complete(checked) {
                break;
            }
            let proceed = |bytes: usize| budget.spend_text(bytes);
            if !budget.spend(1) {
                return false;
            }
            match self.row(checked, &proceed, &mut |_| None) {
                Some(read) => bytes += read,
                None => return false,
            }
        }
        true
    }

    /// Checks the next row. Returns the bytes of its texts; `None` if the work must end, without a result.
    fn row(
        &mut self,
        checked: &impl CheckedRows,
        proceed: Proceed<'_>,
        known: &mut dyn FnMut(u32) -> Option<CheckIds>,
    ) -> Option<usize> {
        let row = self.next;
        if row as usize >= checked.len() {
            return None;
        }
        let mut bytes = 0;
        if checked.is_checked(row) {
            let failing = match known(row) {
                Some(failing) => failing,
                None => {
                    let (failing, read) = checked.failing(row, proceed);
                    bytes = read;
                    proceed(0).then_some(failing)?
                }
            };
            if !failing.is_empty() {
                self.rows.push((row, failing));
                self.count += Count::one(checked.words(row));
            }
        }
        self.next += 1;
        Some(bytes)
    }

    fn result(self) -> CheckResults {
        CheckResults {
            rows: self.rows.into(),
            count: self.count,
        }
    }
}

impl CheckResults {
    /// The failing checks of a row.
    pub fn of_row(&self, row: u32) -> CheckIds {
        let at = self.rows.binary_search_by_key(&row, |&(row, _)| row);
        let found = at.ok().and_then(|at| self.rows.get(at));
        found.map(|&(_, failing)| failing).unwrap_or_default()
    }

    /// The rows that fail, ascending, with their failing checks.
    pub fn rows(&self) -> &[(u32, CheckIds)] {
        &self.rows
    }

    /// The number of strings that fail, and the words of their sources.
    pub fn count(&self) -> Count {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::scan::{Exhausted, ScanLimits};
    use crate::test_snapshot::snapshot;

    #[test]
    fn checks_continue_where_an_exhausted_budget_ended() {
        let snapshot = snapshot();
        let mut views = snapshot.translations_from(0);
        let view = views.find(|view| view.translation.failing_rows().next().is_some());
        let view = view.unwrap();
        let checker = view.current_checker();
        let checked = view.checked_units(&checker);
        let all = ResultsCell::default();
        let all = all.run(&checked, &Budget::unlimited()).unwrap();
        assert!(!all.rows().is_empty());

        let results = ResultsCell::default();
        let row = |may_go_on: bool| {
            let mut progress = results.progress.lock();
            progress.row(&checked, &|_| may_go_on, &mut |_| None);
            progress.next
        };
        assert_eq!((row(false), row(true)), (0, 1));
        let limits = ScanLimits {
            rows: 0,
            ..ScanLimits::default()
        };
        let budget = Budget::new(&limits, Arc::default());
        assert!(!budget.spend(4_096));
        assert!(results.run(&checked, &budget).is_none());
        assert_eq!(budget.exhausted(), Some(Exhausted::Checks));
        let found = results.run(&checked, &Budget::unlimited()).unwrap();
        assert_eq!((found.rows(), found.count()), (all.rows(), all.count()));
    }

    #[test]
    fn a_scan_does_not_wait_forever_for_checks_of_another_thread() {
        let snapshot = snapshot();
        let view = snapshot.translations_from(0).next().unwrap();
        let checker = view.current_checker();
        let results = ResultsCell::default();
        let _held = results.progress.lock();
        let limits = ScanLimits {
            time: 3 * WAIT,
            ..ScanLimits::default()
        };
        let budget = Budget::new(&limits, Arc::default());
        assert!(
            results
                .run(&view.checked_units(&checker), &budget)
                .is_none()
        );
        assert_eq!(budget.exhausted(), Some(Exhausted::Checks));
        let cancelled = Budget::new(&limits, Arc::new(AtomicBool::new(true)));
        assert!(
            results
                .run(&view.checked_units(&checker), &cancelled)
                .is_none()
        );
        assert_eq!(cancelled.exhausted(), Some(Exhausted::Cancelled));
    }
}
