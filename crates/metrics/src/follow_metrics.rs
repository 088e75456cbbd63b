//! Counters of polls, component updates and batches. None of them changes more than a few times per second.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;

use crate::exposition::Exposition;

/// The counters of a follower.
#[derive(Debug, Default)]
pub struct FollowMetrics(Mutex<FollowTotals>);

#[derive(Debug, Default)]
struct FollowTotals {
    repositories: BTreeMap<String, RepositoryTotals>,
    components: BTreeMap<(String, String), ComponentTotals>,
    batches: u64,
    batch_time: Duration,
    last_batch: f64,
}

#[derive(Debug, Default)]
struct RepositoryTotals {
    polls: BTreeMap<&'static str, u64>,
    last_success: f64,
    time: Duration,
    bytes: u64,
    reclones: u64,
}

#[derive(Debug, Default)]
struct ComponentTotals {
    updates: u64,
    time: Duration,
    rebuilds: u64,
}

/// Name, help and value of a counter.
type Row<T> = (&'static str, &'static str, fn(&T) -> f64);

impl FollowMetrics {
    /// Counts a poll of a repository. `recloned` when it replaced a corrupt mirror.
    pub fn polled(&self, repository: &str, outcome: &'static str, success: bool, recloned: bool) {
        let mut totals = self.0.lock();
        let repository = totals.repositories.entry(repository.to_owned());
        let repository = repository.or_default();
        *repository.polls.entry(outcome).or_default() += 1;
        repository.reclones += u64::from(recloned);
        if success {
            repository.last_success = unix_time();
        }
    }

    /// Counts the time and the received bytes of a poll.
    pub fn fetched(&self, repository: &str, elapsed: Duration, bytes: u64) {
        let mut totals = self.0.lock();
        let repository = totals.repositories.entry(repository.to_owned());
        let repository = repository.or_default();
        repository.time += elapsed;
        repository.bytes += bytes;
    }

    /// Counts an update of a component, given by its slugs, to a different tip.
    pub fn updated(&self, project: &str, component: &str, elapsed: Duration, rebuilt: bool) {
        let mut totals = self.0.lock();
        let names = (project.to_owned(), component.to_owned());
        let component = totals.components.entry(names).or_default();
        component.updates += 1;
        component.time += elapsed;
        component.rebuilds += u64::from(rebuilt);
    }

    /// Counts a published batch.
    pub fn batch(&self, elapsed: Duration) {
        let mut totals = self.0.lock();
        totals.batches += 1;
        totals.batch_time += elapsed;
        totals.last_batch = unix_time();
    }

    /// Drops the counters of all other repositories and components.
    pub fn retain<'a>(
        &self,
        repositories: &BTreeSet<String>,
        components: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) {
        let components: BTreeSet<(&str, &str)> = components.into_iter().collect();
        let is_kept = |(project, component): &(String, String)| {
            components.contains(&(&**project, &**component))
        };
        let totals = &mut *self.0.lock();
        (totals.repositories).retain(|name, _| repositories.contains(name));
        totals.components.retain(|names, _| is_kept(names));
    }

    /// Writes the metrics. Long because it is one flat list of all metrics.
    pub fn expose(&self, page: &mut Exposition) {
        let totals = self.0.lock();
        let repositories = &totals.repositories;
        let family = page.counter("gitglot_polls_total", "Polls of a repository, by outcome.");
        for (name, repository) in repositories {
            for (outcome, count) in &repository.polls {
                family.add(&[("repository", name), ("outcome", outcome)], *count as f64);
            }
        }
        let help = "Unix time of the last successful poll of a repository.";
        let family = page.gauge("gitglot_last_successful_poll_timestamp_seconds", help);
        let polled = repositories
            .iter()
            .filter(|(_, repository)| repository.last_success > 0.0);
        for (name, repository) in polled {
            family.add(&[("repository", name)], repository.last_success);
        }
        #[rustfmt::skip]
        let of_repository: [Row<RepositoryTotals>; 3] = [
            ("gitglot_poll_seconds_total", "Time spent in polls, including fetches.", |of| of.time.as_secs_f64()),
            ("gitglot_fetch_received_bytes_total", "Bytes of received packs.", |of| of.bytes as f64),
            ("gitglot_mirror_reclones_total", "Corrupt mirrors that were cloned again.", |of| of.reclones as f64),
        ];
        for (name, help, value) in of_repository {
            let family = page.counter(name, help);
            for (name, repository) in repositories {
                family.add(&[("repository", name)], value(repository));
            }
        }
        #[rustfmt::skip]
        let of_component: [Row<ComponentTotals>; 3] = [
            ("gitglot_component_updates_total", "Tip updates, including the first.", |of| of.updates as f64),
            ("gitglot_component_update_seconds_total", "Time spent in updates.", |of| of.time.as_secs_f64()),
            ("gitglot_log_rebuilds_total", "Change logs that were rebuilt with new ids.", |of| of.rebuilds as f64),
        ];
        for (name, help, value) in of_component {
            let family = page.counter(name, help);
            for ((project, component), totals) in &totals.components {
                let labels = [("project", &**project), ("component", component)];
                family.add(&labels, value(totals));
            }
        }
        page.counter("gitglot_batches_total", "Published batches.")
            .add(&[], totals.batches as f64);
        let help = "Time from the observation of a batch to its publication.";
        page.counter("gitglot_batch_seconds_total", help)
            .add(&[], totals.batch_time.as_secs_f64());
        if totals.batches > 0 {
            let help = "Unix time of the last published batch.";
            page.gauge("gitglot_last_batch_timestamp_seconds", help)
                .add(&[], totals.last_batch);
        }
    }
}

pub(super) fn unix_time() -> f64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    time.unwrap_or_default().as_secs_f64()
}
