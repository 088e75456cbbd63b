//! The thread that follows the repositories.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::events::ServeEvents;
use super::late::{HookDispatcher, LateSources};
use crate::catalog::Published;
use crate::checks::Checker;
use crate::cli::progress::HistoryBar;
use crate::cli::service::{Service, is_transient};
use crate::cli::service_manager::ServiceManager;
use crate::config::{Config, ProjectConfig, Target};
use crate::follow::{FollowLoop, Follower};
use crate::health::Readiness;
use crate::ledger::Ledger;
use crate::observe::FollowMetrics;

/// The delay before the first retry; it doubles with each retry.
const FIRST_DELAY: Duration = Duration::from_secs(2);
/// The longest delay between retries.
const LONGEST_DELAY: Duration = Duration::from_secs(300);

/// The state of the thread, shared with the server.
pub(super) struct Following {
    pub config: Config,
    pub published: Arc<Published>,
    pub readiness: Arc<Readiness>,
    pub sources: Arc<LateSources>,
    pub dispatcher: Arc<HookDispatcher>,
    pub manager: Arc<ServiceManager>,
    pub stop: Arc<AtomicBool>,
    pub metrics: Arc<FollowMetrics>,
}

impl Following {
    /// Reads all components, then follows their repositories until shutdown. An error means that nothing can ever be
    /// served.
    pub fn run(&self, ledger: Ledger, checker: Checker) -> anyhow::Result<()> {
        let service = Service {
            config: &self.config,
            published: self.published.clone(),
            stop: self.stop.clone(),
            metrics: self.metrics.clone(),
        };
        let events = ServeEvents {
            readiness: self.readiness.clone(),
            metrics: self.metrics.clone(),
            published: self.published.clone(),
            dispatcher: self.dispatcher.clone(),
            manager: self.manager.clone(),
            bar: HistoryBar::new(),
        };
        let started = Instant::now();
        let projects = match projects(&service) {
            Err(_) if service.is_stopped() => return Ok(()),
            projects => projects?,
        };
        let follower = service.follower(ledger, checker, projects);
        self.readiness.expect(follower.names());
        let mut follow = self.first_batch(&service, follower, &events)?;
        if service.is_stopped() {
            follow.shut_down();
            return Ok(());
        }
        if let (Target::Repository(_), Some(reason)) = (&self.config.target, follow.follower().all_failed()) {
            anyhow::bail!(reason);
        }
        let seconds = started.elapsed().as_secs_f64();
        tracing::info!(ready_seconds = seconds, "ready after {seconds:.2} s");
        self.manager.ready();
        loop {
            let Err(error) = follow.run(&events) else {
                follow.shut_down();
                return Ok(());
            };
            tracing::error!("{error}; the previous state stays published, retrying");
            let projects = follow.follower().projects().to_vec();
            // The follower is ahead of the ledger, so it is rebuilt from disk. Dropping it releases the lock.
            drop(follow);
            follow = self.restart(&service, &projects, &events);
        }
    }

    /// Creates the follow loop and publishes the first batch.
    fn first_batch(
        &self,
        service: &Service<'_>,
        follower: Follower,
        events: &ServeEvents,
    ) -> anyhow::Result<FollowLoop> {
        self.sources.set(follower.sources());
        let mut follow = service.follow_loop(follower)?;
        self.dispatcher.connect(&follow);
        follow.first_batch(events)?;
        Ok(follow)
    }

    /// Reopens the ledger and continues; retries until that works.
    fn restart(&self, service: &Service<'_>, projects: &[ProjectConfig], events: &ServeEvents) -> FollowLoop {
        let mut delay = FIRST_DELAY;
        loop {
            std::thread::sleep(delay);
            delay = LONGEST_DELAY.min(delay * 2);
            let restarted = service.ledger().and_then(|ledger| {
                let follower = service.follower(ledger, service.checker()?, projects.to_vec());
                self.first_batch(service, follower, events)
            });
            match restarted {
                Ok(follow) => return follow,
                Err(error) => tracing::error!("{error:#}; retrying"),
            }
        }
    }
}

/// The projects to serve; retries after transient errors.
fn projects(service: &Service<'_>) -> anyhow::Result<Vec<ProjectConfig>> {
    let mut delay = FIRST_DELAY;
    loop {
        match service.projects() {
            Err(error) if is_transient(&error) && !service.is_stopped() => tracing::warn!("{error:#}; retrying"),
            result => return result,
        }
        std::thread::sleep(delay);
        delay = LONGEST_DELAY.min(delay * 2);
    }
}
