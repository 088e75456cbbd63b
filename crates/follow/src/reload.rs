//! Applies a new configuration to a running loop: unchanged components continue, removed ones are dropped, and new
//! or changed ones are read from scratch and published together.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::time::Instant;

use super::events::FollowEvents;
use super::poll::{RepoIndex, TrackedRepo, plan};
use super::poll_loop::{FIRST_BATCH, PollLoop};
use crate::project::FollowConfig;

impl PollLoop {
    /// Applies a new configuration.
    pub(super) fn reconfigure(&mut self, config: FollowConfig, events: &dyn FollowEvents) {
        let FollowConfig { projects, interval } = config;
        let mut plan = plan(&projects, &self.mirrors);
        let fresh = self.followed.reconfigure(projects);
        if !self.followed.is_polling {
            plan.targets.clear();
            plan.invalid = self.followed.recorded_observations();
        }
        let (now, fresh) = (Instant::now(), fresh.into_iter().collect::<BTreeSet<_>>());
        let followed = self.tracked.indexes().zip(self.tracked.iter());
        let followed = followed.filter(|(_, tracked)| !tracked.is_removed());
        let known = followed.map(|(at, tracked)| (tracked.target.folder.clone(), at));
        let known: HashMap<PathBuf, RepoIndex> = known.collect();
        let mut continued = BTreeSet::new();
        for (target, components) in plan.targets {
            let mut reads = components.iter().map(|reads| reads.component);
            let is_fresh = reads.any(|component| fresh.contains(&component));
            let known = known.get(&target.folder).copied();
            let known = known.filter(|&at| self.tracked[at].target == target);
            let at = known.unwrap_or_else(|| {
                let added = TrackedRepo::new(target, Vec::new(), interval, now);
                self.tracked.push(added)
            });
            continued.insert(at);
            // A poll that is already held back is not repeated.
            let is_held_back = self.poll_batch.contains(at);
            let is_late = self.late_polls.iter().any(|late| late.repository == at);
            self.tracked.update(at, |tracked| {
                tracked.is_settled &= tracked.components == components && !is_fresh;
                tracked.components = components;
                if is_fresh || known.is_none() {
                    tracked.held_back = !is_held_back;
                    tracked.schedule.next = now;
                    tracked.poll_again |= is_late;
                }
                tracked.schedule.set_interval(interval);
            });
        }
        for at in self.tracked.indexes() {
            if !continued.contains(&at) && !self.tracked[at].is_removed() {
                self.tracked.update(at, TrackedRepo::remove);
            }
        }
        self.unpolled = plan.invalid;
        self.unpolled
            .retain(|observation| fresh.contains(&observation.component));
        let is_continued = |at| continued.contains(&at);
        self.poll_batch.start(is_continued, now + FIRST_BATCH);
        let names = continued.iter().map(|&at| self.tracked[at].name.clone());
        events.reconfigured(self.followed.projects(), &names.collect());
    }
}
