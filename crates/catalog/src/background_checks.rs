//! Runs the checks of all translations before a request needs their results.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exact_checks;
use crate::scan::Budget;
use crate::{Snapshot, TranslationView};
use gitglot_model::{Crash, ProjectId, catch_crash};

/// Whether the results of the modern checks are known for all translations.
pub fn has_run_current_checks(snapshot: &Snapshot) -> bool {
    snapshot
        .translations_from(0)
        .all(|view| view.translation.revised().current.get().is_some())
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

/// Whether the checks of the current API have run on all translations.
pub fn has_run_exact_checks(snapshot: &Snapshot) -> bool {
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
