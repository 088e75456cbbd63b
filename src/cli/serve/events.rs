//! Reports the progress of the follow loop to health endpoints, metrics, pages and the terminal.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::late::{HookDispatcher, component_names};
use crate::catalog::Published;
use crate::cli::metrics::slugs;
use crate::cli::progress::HistoryBar;
use crate::cli::service_manager::ServiceManager;
use crate::config::ProjectConfig;
use crate::follow::{Events, PollOutcome, PollReport};
use crate::health::Readiness;
use crate::history::Progress;
use crate::observe::FollowMetrics;

/// The listener of a follow loop.
pub(super) struct ServeEvents {
    pub readiness: Arc<Readiness>,
    pub metrics: Arc<FollowMetrics>,
    pub published: Arc<Published>,
    pub dispatcher: Arc<HookDispatcher>,
    pub manager: Arc<ServiceManager>,
    pub bar: HistoryBar,
}

impl Events for ServeEvents {
    fn progress(&self, component: &str, progress: Progress) {
        self.bar.show(component, progress);
    }

    fn published(&self, component: &str) {
        self.readiness.published(component);
    }

    fn failed(&self, component: &str, reason: &str) {
        self.readiness.failed(component, reason);
        self.published.report_failure(component, Some(reason));
    }

    fn behind(&self, component: &str, reason: Option<&str>) {
        self.readiness.behind(component, reason);
        self.published.report_failure(component, reason);
    }

    fn polled(&self, report: &PollReport<'_>) {
        let &PollReport { repository, outcome, recloned } = report;
        self.metrics.polled(repository, outcome.as_str(), outcome == PollOutcome::Success, recloned);
    }

    fn advanced(&self, component: &str, elapsed: Duration, rebuilt: bool) {
        self.metrics.updated(slugs(component), elapsed, rebuilt);
    }

    fn batch(&self, elapsed: Duration) {
        self.metrics.batch(elapsed);
    }

    fn reconfigured(&self, projects: &[ProjectConfig], repositories: &BTreeSet<String>) {
        let names: BTreeSet<String> = component_names(projects).map(|(name, _)| name).collect();
        self.published.retain_failures(&names);
        self.metrics.retain(repositories, names.iter().map(|name| slugs(name)));
        self.readiness.replace(names);
        self.dispatcher.set_secrets(projects);
        self.manager.reloaded();
    }
}
