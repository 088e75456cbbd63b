//! The thread that follows the repositories.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::listening_on;
use super::metrics::slugs;
use super::server_parts::ServerParts;
use super::summary::Summary;
use crate::cli::expanded_config::ExpandedConfig;
use crate::cli::follow_setup::{FollowSetup, is_transient};
use crate::cli::output;
use crate::cli::progress::HistoryBar;
use crate::config::Target;
use gitglot_api::health::UnreadRepository;
use gitglot_catalog::{Snapshot, Statistics, TranslationView};
use gitglot_checks::Words;
use gitglot_follow::{
    FollowEvents, FollowedComponents, LedgerProblem, OutageLog, PollLoop, PollOutcome, PollReport,
    ProjectConfig, each_component,
};
use gitglot_git::FetchError;
use gitglot_ledger::{Ledger, LedgerError, LedgerHead};
use gitglot_model::{CommitId, ComponentId, counted};

/// The delay before the first retry; it doubles with each retry.
const FIRST_DELAY: Duration = Duration::from_secs(2);
/// The longest delay between retries.
const LONGEST_DELAY: Duration = Duration::from_secs(300);

/// Digits of a commit id in the log.
const SHORT_ID: usize = 10;

/// The longest delay between retries while a replica waits for the store.
const LONGEST_STORE_DELAY: Duration = Duration::from_secs(30);

/// The state of the thread, shared with the server. As a listener of the follow loop it reports to health endpoints,
/// metrics, pages and the terminal.
pub(super) struct FollowThread {
    pub setup: Arc<FollowSetup>,
    pub parts: Arc<ServerParts>,
    pub names: Arc<ExpandedConfig>,
    pub bar: Arc<HistoryBar>,
    /// Printed once everything was read.
    pub summary: Option<Summary>,
    /// The address, as the program prints it.
    pub url: String,
    /// Whether it prints the address, once there is something to serve.
    pub prints_address: bool,
    /// When the thread started. Set once everything was read; the announcement that the server is ready takes it.
    pub started: Mutex<Option<Instant>>,
    pub tips: LoggedTips,
}

/// The tip and the number of changes of each component, as they were logged.
#[derive(Default)]
pub(super) struct LoggedTips(Mutex<HashMap<ComponentId, (CommitId, usize)>>);

impl LoggedTips {
    /// Logs a line for each component that has moved since the last call. Its first state is part of the line that says
    /// that the server is ready.
    fn log(&self, snapshot: &Snapshot, elapsed: Duration) {
        let mut logged = self.0.lock();
        for component in snapshot.components() {
            let tip = component.tip.id;
            let changes = snapshot.changes_of_component(component).len();
            let before = logged.insert(component.component.id, (tip, changes));
            let Some((old, count)) = before.filter(|(old, _)| *old != tip) else {
                continue;
            };
            let short = |id: CommitId| id.to_string().chars().take(SHORT_ID).collect::<String>();
            tracing::info!(
                component = component.path(),
                "{} → {}: {}, visible after {:.2} s",
                short(old),
                short(tip),
                counted(changes.saturating_sub(count), "change"),
                elapsed.as_secs_f64()
            );
        }
    }
}

impl FollowThread {
    /// Reads all components, then follows their repositories until shutdown. An error means that nothing can ever be
    /// served.
    pub fn run(&self, ledger: Ledger, words: Words) -> anyhow::Result<()> {
        let started = Instant::now();
        let Some(ledger) = self.share(ledger)? else {
            return Ok(());
        };
        let projects = match self.projects(&ledger.commits()) {
            Err(_) if self.setup.is_stopped() => return Ok(()),
            projects => projects?,
        };
        self.names.start(self.setup.follow_config(projects.clone()));
        let followed = self.setup.followed(ledger, words, projects, &self.bar);
        self.parts.readiness.expect(followed.names());
        let mut follow = self.first_batch(followed)?;
        if self.setup.is_stopped() {
            follow.shut_down();
            return Ok(());
        }
        let config = &self.setup.config;
        let is_single = config.is_checkout || matches!(config.target, Target::Repository(_));
        if let Some(reason) = follow.followed().all_failed().filter(|_| is_single) {
            anyhow::bail!(reason);
        }
        self.bar.clear();
        if self.prints_address {
            output::print(&listening_on(&self.url))?;
        }
        *self.started.lock() = Some(started);
        if let (Some(summary), Some(snapshot)) = (&self.summary, self.setup.published.load()) {
            let failures = follow.followed().failures();
            eprint!("{}", summary.text(&snapshot, failures, started.elapsed()));
        }
        self.announce();
        loop {
            let Err(error) = follow.run(self).map_err(anyhow::Error::from) else {
                follow.shut_down();
                return Ok(());
            };
            tracing::error!("{error}; the previous state stays published, retrying");
            self.report_error(&error);
            let projects = follow.followed().projects().clone();
            let head = follow.followed().ledger_head();
            // The components are ahead of the ledger, so they are rebuilt from disk. Dropping it releases the lock.
            drop(follow);
            let Some(restarted) = self.restart(&projects, head) else {
                return Ok(());
            };
            follow = restarted;
        }
    }

    /// Announces once that the server is ready, in the log and to the service manager, if it is and everything was
    /// read. A replica may become ready later.
    fn announce(&self) {
        let is_ready = |_: &mut Instant| self.parts.readiness.is_ready();
        let started = self.started.lock().take_if(is_ready);
        if let Some(started) = started {
            let seconds = started.elapsed().as_secs_f64();
            let published = self.setup.published.load();
            let sums = published.as_deref().map(sums).unwrap_or_default();
            let (strings, [all, translated, stale]) = sums;
            tracing::info!(
                ready_seconds = seconds,
                "ready after {seconds:.2} s: gitglot {} on {}, state in {}, {}, {translated} of {all} translated, {stale} stale",
                env!("CARGO_PKG_VERSION"),
                self.url,
                self.setup.config.state_dir.display(),
                counted(strings, "string"),
            );
            self.parts.manager.ready();
        }
    }

    /// Makes the ledger a copy of the shared one, if one is configured, checks and reads it. Waits for the store only if
    /// there is nothing to serve without it. `None` at shutdown.
    fn share(&self, mut ledger: Ledger) -> anyhow::Result<Option<Ledger>> {
        let Some(shared) = &self.setup.shared else {
            return Ok(Some(ledger));
        };
        self.parts.readiness.require_published();
        ledger.share(shared.clone());
        let (mut log, mut delay) = (OutageLog::default(), FIRST_DELAY);
        let is_writer = self.setup.config.settings.follow;
        loop {
            match ledger.check(is_writer).and_then(|()| ledger.sync()) {
                Ok(_) => {
                    log.ended();
                    self.ledger(LedgerProblem::Unavailable, None);
                    self.ledger(LedgerProblem::Damaged, None);
                    return Ok(Some(ledger));
                }
                Err(LedgerError::Store(error)) => {
                    let reason = error.to_string();
                    log.failed(&reason);
                    self.ledger(LedgerProblem::Unavailable, Some(&reason));
                }
                Err(error) => return Err(error.into()),
            }
            if ledger.next_batch() > 1 {
                return Ok(Some(ledger));
            }
            std::thread::sleep(delay);
            delay = LONGEST_STORE_DELAY.min(delay * 2);
            if self.setup.is_stopped() {
                return Ok(None);
            }
        }
    }

    /// Reports an error that ended the follow loop of a replica.
    fn report_error(&self, error: &anyhow::Error) {
        if self.setup.shared.is_none() {
            return;
        }
        let problem = match error.downcast_ref::<LedgerError>() {
            Some(error) if error.is_damage() => LedgerProblem::Damaged,
            _ => LedgerProblem::Unavailable,
        };
        self.ledger(problem, Some(&format!("{error:#}")));
    }

    /// The projects to serve; retries after transient errors. `needed` as in [`FollowSetup::projects`].
    fn projects(&self, needed: &[CommitId]) -> anyhow::Result<Arc<[ProjectConfig]>> {
        let mut delay = FIRST_DELAY;
        loop {
            match self.setup.projects(needed) {
                Err(error) if is_transient(&error) && !self.setup.is_stopped() => {
                    tracing::warn!("{error:#}; retrying");
                    let unread = error.downcast_ref().map(unread_repository);
                    self.parts.readiness.repository_error(unread);
                }
                result => {
                    self.parts.readiness.repository_error(None);
                    return result;
                }
            }
            std::thread::sleep(delay);
            delay = LONGEST_DELAY.min(delay * 2);
        }
    }

    /// Creates the follow loop and publishes the first batch.
    fn first_batch(&self, followed: FollowedComponents) -> anyhow::Result<PollLoop> {
        let follow = self.setup.poll_loop(followed)?.with_late_steps();
        let mut follow = follow.with_watcher(self.parts.watcher.clone());
        self.parts.loop_connection.connect(&follow);
        follow.first_batch(self)?;
        Ok(follow)
    }

    /// Reopens the ledger, if it still contains the published batches, and continues. `None` at shutdown.
    fn reopen(
        &self,
        projects: &Arc<[ProjectConfig]>,
        head: LedgerHead,
    ) -> anyhow::Result<Option<PollLoop>> {
        let ledger = Ledger::reopen(&self.setup.config.state_dir, head)?;
        let Some(ledger) = self.share(ledger)? else {
            return Ok(None);
        };
        let (words, projects) = (self.setup.words()?, projects.clone());
        let followed = self.setup.followed(ledger, words, projects, &self.bar);
        self.first_batch(followed).map(Some)
    }

    /// As [`Self::reopen`]; retries until that works. `None` at shutdown.
    fn restart(&self, projects: &Arc<[ProjectConfig]>, head: LedgerHead) -> Option<PollLoop> {
        let mut delay = FIRST_DELAY;
        loop {
            std::thread::sleep(delay);
            if self.setup.is_stopped() {
                return None;
            }
            delay = LONGEST_DELAY.min(delay * 2);
            match self.reopen(projects, head) {
                Ok(follow) => return follow,
                Err(error) => {
                    self.report_error(&error);
                    tracing::error!("{error:#}; retrying");
                }
            }
        }
    }
}

/// The number of source strings; and without the source language the number of strings in all languages, of these the
/// translated ones and the stale ones.
fn sums(snapshot: &Snapshot) -> (usize, [u64; 3]) {
    let components = snapshot.components().iter();
    let translations = snapshot
        .translations_from(0)
        .filter(|view| !view.is_source());
    let sum: Statistics = translations.map(TranslationView::totals).sum();
    let parts = [sum.all, sum.translated, sum.fuzzy];
    let strings = components.map(|component| component.sources.len()).sum();
    (strings, parts.map(|part| part.units))
}

fn unread_repository(error: &FetchError) -> UnreadRepository {
    UnreadRepository {
        repository: error.address.clone(),
        reason: error.problem.to_string(),
    }
}

impl FollowEvents for FollowThread {
    fn published(&self, component: &str) {
        self.parts.readiness.published(component);
    }

    fn failed(&self, component: &str, reason: &str) {
        self.parts.readiness.failed(component, reason);
        self.setup.published.report_failure(component, Some(reason));
    }

    fn behind(&self, component: &str, reason: Option<&str>) {
        self.parts.readiness.behind(component, reason);
        self.setup.published.report_failure(component, reason);
    }

    fn reported(&self) {
        self.setup.published.publish_failures();
        self.announce();
    }

    fn polled(&self, report: &PollReport<'_>) {
        let is_success = report.outcome == PollOutcome::Success;
        let (metrics, outcome) = (&self.setup.metrics, report.outcome.as_str());
        metrics.polled(report.repository, outcome, is_success, report.recloned);
        if is_success
            && !report.unchanged
            && let Some(config) = self.names.refresh()
        {
            self.parts.loop_connection.reload(config);
        }
    }

    fn advanced(&self, component: &str, elapsed: Duration, rebuilt: bool) {
        let (project, component) = slugs(component);
        let metrics = &self.setup.metrics;
        metrics.updated(project, component, elapsed, rebuilt);
    }

    fn batch(&self, elapsed: Duration) {
        self.setup.metrics.batch(elapsed);
        if let Some(snapshot) = self.setup.published.load() {
            self.tips.log(&snapshot, elapsed);
        }
    }

    fn ledger(&self, problem: LedgerProblem, reason: Option<&str>) {
        let (kind, fatal) = (problem.as_str(), problem.is_fatal());
        let (readiness, reason) = (&self.parts.readiness, reason.map(str::to_owned));
        readiness.ledger_problem(kind, fatal, reason);
        self.announce();
    }

    fn reconfigured(&self, projects: &[ProjectConfig], repositories: &BTreeSet<String>) {
        let names = each_component(projects).map(|(project, component)| project.name_of(component));
        let names: BTreeSet<String> = names.collect();
        self.setup.published.retain_failures(&names);
        self.setup.published.publish_failures();
        let components = names.iter().map(|name| slugs(name));
        self.setup.metrics.retain(repositories, components);
        self.parts.readiness.replace(names);
        self.parts.loop_connection.set_targets(projects);
        self.parts.manager.reloaded();
    }
}
