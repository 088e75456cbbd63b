//! Runs the checks of all translations before a request needs their results.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exact_checks;
use crate::scan::Budget;
use crate::snapshot::Snapshot;
use crate::views::TranslationView;
use gitglot_model::{Crash, ProjectId, catch_crash};

/// Whether the results of the modern checks are known for all translations.
pub fn current_checks_are_known(snapshot: &Snapshot) -> bool {
    let mut views = snapshot.translations_from(0);
    views.all(|view| view.revised().translation.current.get().is_some())
}

/// Runs the modern checks on all translations whose results are not known yet, so that requests need not. Projects
/// take turns, so that one with many or long texts does not delay others. `is_superseded` ends the work. After a
/// panic, which `crashed` gets, only the other translations are checked.
pub fn run_current_checks(
    snapshot: &Snapshot,
    is_superseded: Arc<AtomicBool>,
    crashed: &dyn Fn(TranslationView<'_>, Crash),
) {
    let budget = &Budget::without_limits(is_superseded.clone());
    let mut by_project: BTreeMap<ProjectId, Vec<TranslationView<'_>>> = BTreeMap::new();
    for view in snapshot.translations_from(0).map(TranslationView::revised) {
        if view.translation.current.get().is_none() {
            let project = view.component.project.id;
            by_project.entry(project).or_default().push(view);
        }
    }
    while !by_project.is_empty() && !is_superseded.load(Ordering::Relaxed) {
        by_project.retain(|_, views| {
            views.pop_if(|view| {
                catch_crash(|| view.step_current_checks(budget)).unwrap_or_else(|crash| {
                    crashed(*view, crash);
                    true
                })
            });
            !views.is_empty()
        });
    }
}

/// Whether the results of the checks of the current API are known for all translations.
pub fn exact_checks_are_known(snapshot: &Snapshot) -> bool {
    let mut views = snapshot.current_translations_from(0);
    views.all(exact_checks::has_exact_results)
}

/// Runs the checks of the current API on all translations whose results are not known yet, so that requests need
/// not. `is_superseded` ends the work. After a panic, which `crashed` gets, only the other translations are checked.
pub fn run_exact_checks(
    snapshot: &Snapshot,
    is_superseded: Arc<AtomicBool>,
    crashed: &dyn Fn(TranslationView<'_>, Crash),
) {
    let budget = Budget::without_limits(is_superseded.clone());
    let views = snapshot.current_translations_from(0);
    for view in views.take_while(|_| !is_superseded.load(Ordering::Relaxed)) {
        if let Err(crash) = catch_crash(|| exact_checks::exact_results(view, &budget)) {
            crashed(view, crash);
        }
    }
}

#[cfg(test)]
mod tests {
    use gitglot_history::UnitState;
    use gitglot_model::TextId;
    use parking_lot::Mutex;

    use super::*;
    use crate::test_snapshot::snapshot;

    fn no_crash(_: TranslationView<'_>, crash: Crash) {
        panic!("{crash}");
    }

    #[test]
    fn a_crash_of_the_checks_of_one_translation_leaves_those_of_the_others() {
        let mut snapshot = snapshot();
        let component = Arc::get_mut(&mut snapshot.components[0]).unwrap();
        let translation = Arc::get_mut(&mut component.translations[0]).unwrap();
        let units = &mut Arc::make_mut(&mut translation.state).units;
        units[0] = UnitState::new(TextId(u32::MAX >> 2), TextId::EMPTY, true);
        let crashed = Mutex::new(Vec::new());
        let report = |view: TranslationView<'_>, _: Crash| {
            crashed.lock().push(view.translation.file_code.to_string());
        };
        run_current_checks(&snapshot, Arc::default(), &report);
        run_exact_checks(&snapshot, Arc::default(), &report);
        assert_eq!(*crashed.lock(), ["cs", "cs"]);
        let results = |view: TranslationView<'_>| view.translation.current.get().is_some();
        let known: Vec<bool> = snapshot.translations_from(0).map(results).collect();
        assert_eq!(known, [false, true, true, true, true, true]);
    }

    #[test]
    fn checks_run_until_a_newer_snapshot_supersedes_theirs() {
        let snapshot = snapshot();
        let run = |superseded: bool| {
            let superseded = || Arc::new(AtomicBool::new(superseded));
            run_current_checks(&snapshot, superseded(), &no_crash);
            run_exact_checks(&snapshot, superseded(), &no_crash);
            let current = current_checks_are_known(&snapshot);
            (current, exact_checks_are_known(&snapshot))
        };
        assert_eq!(run(true), (false, false));
        assert_eq!(run(false), (true, true));
    }
}
