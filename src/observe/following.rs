//! How following goes: looks at repositories, steps of components, batches. Nothing of it happens more than a few times
//! a second.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Exposition;

/// What happened so far.
#[derive(Debug, Default)]
pub struct Following(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    repositories: BTreeMap<String, Repository>,
    components: BTreeMap<(String, String), Steps>,
    batches: u64,
    batch_time: Duration,
    published: f64,
}

/// What looks at one repository have come to.
#[derive(Debug, Default)]
struct Repository {
    looks: BTreeMap<&'static str, u64>,
    last_good: f64,
    time: Duration,
    bytes: u64,
    healed: u64,
}

#[derive(Debug, Default)]
struct Steps {
    steps: u64,
    time: Duration,
    anew: u64,
}

/// A look at a repository.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// Its address, without credentials.
    pub repository: &'a str,
    /// How it ended, in a word.
    pub outcome: &'static str,
    /// Whether the repository could be read.
    pub good: bool,
    /// Whether the mirror was damaged before and is whole now.
    pub healed: bool,
}

/// A step of a component to another tip.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// The project's slug.
    pub project: &'a str,
    /// The component's slug.
    pub component: &'a str,
    /// How long it took.
    pub took: Duration,
    /// Whether a log that was there before is made anew.
    pub anew: bool,
}

impl Following {
    /// A look has ended.
    pub fn looked(&self, look: &Look<'_>) {
        let mut state = self.lock();
        let repository = state.repositories.entry(look.repository.to_owned()).or_default();
        *repository.looks.entry(look.outcome).or_default() += 1;
        repository.healed += u64::from(look.healed);
        if look.good {
            repository.last_good = now();
        }
    }

    /// Something was fetched from a repository, or it was tried.
    pub fn fetched(&self, repository: &str, took: Duration, bytes: u64) {
        let mut state = self.lock();
        let repository = state.repositories.entry(repository.to_owned()).or_default();
        repository.time += took;
        repository.bytes += bytes;
    }

    /// A component has moved on.
    pub fn stepped(&self, step: &Step<'_>) {
        let mut state = self.lock();
        let name = (step.project.to_owned(), step.component.to_owned());
        let steps = state.components.entry(name).or_default();
        steps.steps += 1;
        steps.time += step.took;
        steps.anew += u64::from(step.anew);
    }

    /// A batch was published.
    pub fn published(&self, took: Duration) {
        let mut state = self.lock();
        state.batches += 1;
        state.batch_time += took;
        state.published = now();
    }

    /// Forgets all other repositories and components: nothing happens to them any more.
    pub fn only<'a>(&self, repositories: &BTreeSet<String>, components: impl IntoIterator<Item = (&'a str, &'a str)>) {
        let components: BTreeSet<(&str, &str)> = components.into_iter().collect();
        let mut state = self.lock();
        state.repositories.retain(|name, _| repositories.contains(name));
        state.components.retain(|(project, component), _| components.contains(&(&**project, &**component)));
    }

    /// Writes what happened.
    pub fn expose(&self, page: &mut Exposition) {
        let state = self.lock();
        let repositories = &state.repositories;
        let mut family = page.counter("gitglot_looks_total", "Looks at a repository, by how they ended.");
        for (name, repository) in repositories {
            for (outcome, count) in &repository.looks {
                family.add(&[("repository", name), ("outcome", outcome)], *count as f64);
            }
        }
        let help = "When a repository was last looked at with success, in seconds since 1970.";
        let mut family = page.gauge("gitglot_last_good_look_timestamp_seconds", help);
        for (name, repository) in repositories.iter().filter(|(_, repository)| repository.last_good > 0.0) {
            family.add(&[("repository", name)], repository.last_good);
        }
        let mut counter = |name: &str, help: &str, value: fn(&Repository) -> f64| {
            let mut family = page.counter(name, help);
            repositories.iter().for_each(|(name, repository)| family.add(&[("repository", name)], value(repository)));
        };
        counter("gitglot_look_seconds_total", "Time that looks took, fetches included.", |of| of.time.as_secs_f64());
        counter("gitglot_fetch_bytes_total", "Bytes of objects that were received.", |of| of.bytes as f64);
        counter("gitglot_mirrors_healed_total", "Damaged mirrors that were cloned anew.", |of| of.healed as f64);
        let mut counter = |name: &str, help: &str, value: fn(&Steps) -> f64| {
            let mut family = page.counter(name, help);
            for ((project, component), steps) in &state.components {
                family.add(&[("project", project), ("component", component)], value(steps));
            }
        };
        counter("gitglot_steps_total", "Steps to another tip, with those at the start.", |of| of.steps as f64);
        counter("gitglot_step_seconds_total", "Time that steps took.", |of| of.time.as_secs_f64());
        counter("gitglot_reprojections_total", "Logs that were made anew, with other numbers.", |of| of.anew as f64);
        page.counter("gitglot_batches_total", "Batches that were published.").add(&[], state.batches as f64);
        let help = "Time from what was found to its publication.";
        page.counter("gitglot_batch_seconds_total", help).add(&[], state.batch_time.as_secs_f64());
        if state.batches > 0 {
            let help = "When the newest batch was published, in seconds since 1970.";
            page.gauge("gitglot_published_timestamp_seconds", help).add(&[], state.published);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Sums of numbers: a panic elsewhere leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}
