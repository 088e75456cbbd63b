//! Runs the modern checks of the published snapshot on a thread of its own, so that requests need not wait for them. From
//! the first request to the current API on, it also runs the checks that this API reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use gitglot_catalog::{
    Published, Snapshot, TranslationView, current_checks_are_known, exact_checks_are_known,
    run_current_checks, run_exact_checks,
};
use gitglot_model::Crash;

/// The thread that runs the checks. There is at most one.
#[derive(Clone, Debug)]
pub(super) struct BackgroundChecks {
    published: Arc<Published>,
    state: Arc<Mutex<ThreadState>>,
}

#[derive(Default, Debug)]
struct ThreadState {
    is_running: bool,
    /// Whether the snapshot that is checked was replaced.
    is_superseded: Arc<AtomicBool>,
}

impl BackgroundChecks {
    pub(super) fn new(published: Arc<Published>) -> Self {
        Self {
            published,
            state: Arc::default(),
        }
    }

    /// Checks the published snapshot. A thread that checks an older one continues with this one.
    pub(super) fn start(&self) {
        let snapshot = self.published.load();
        let is_exact = self.published.wants_exact_checks();
        let is_checked = |snapshot: &Snapshot| {
            current_checks_are_known(snapshot) && (!is_exact || exact_checks_are_known(snapshot))
        };
        if snapshot.is_none_or(|snapshot| is_checked(&snapshot)) {
            return;
        }
        let mut state = self.state.lock();
        state.is_superseded.store(true, Ordering::Relaxed);
        if state.is_running {
            return;
        }
        let checks = self.clone();
        let thread = std::thread::Builder::new().name("checks".to_owned());
        // Without the thread, requests run the checks.
        state.is_running = thread.spawn(move || checks.run()).is_ok();
    }

    fn run(self) {
        loop {
            let is_superseded = Arc::<AtomicBool>::default();
            self.state.lock().is_superseded = is_superseded.clone();
            if let Some(snapshot) = self.published.load() {
                run_current_checks(&snapshot, is_superseded.clone(), &report_crash);
                if self.published.wants_exact_checks() {
                    run_exact_checks(&snapshot, is_superseded.clone(), &report_crash);
                }
            }
            let mut state = self.state.lock();
            if !is_superseded.load(Ordering::Relaxed) {
                state.is_running = false;
                return;
            }
        }
    }
}

/// Reports a fault of the program in the checks of one translation. A request for them fails.
fn report_crash(view: TranslationView<'_>, crash: Crash) {
    let (project, component) = (&view.component.project, &view.component.component);
    let (project, component) = (&project.slug, &component.settings.slug);
    let code = &view.translation.language.code;
    tracing::error!("{project}/{component}: checks of {code}: {crash}");
}
