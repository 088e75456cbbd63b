//! Applies a new configuration to a running loop: unchanged components continue, removed ones are dropped, and new
//! or changed ones are read from scratch and published together.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::time::Instant;

use super::events::FollowEvents;
use super::poll::{RepoIndex, TrackedRepo, plan};
use super::poll_loop::{FIRST_BATCH, PollLoop};
use crate::project::FollowConfig;

/// Applies a new configuration.
pub(super) fn reconfigure(
    poll_loop: &mut PollLoop,
    config: FollowConfig,
    events: &dyn FollowEvents,
) {
    let FollowConfig { projects, interval } = config;
    let mut plan = plan(&projects, &poll_loop.mirrors);
    let fresh = poll_loop.followed.reconfigure(projects);
    if !poll_loop.followed.is_polling {
        plan.targets.clear();
        plan.invalid = poll_loop.followed.recorded_observations();
    }
    let (now, fresh) = (Instant::now(), fresh.into_iter().collect::<BTreeSet<_>>());
    let indexes = poll_loop.tracked.indexes().zip(poll_loop.tracked.iter());
    let known: HashMap<PathBuf, RepoIndex> = indexes
        .filter(|(_, tracked)| !tracked.is_removed())
        .map(|(at, tracked)| (tracked.target.folder.clone(), at))
        .collect();
    let mut continued = BTreeSet::new();
    for (target, components) in plan.targets {
        let mut reads = components.iter().map(|reads| reads.component);
        let is_fresh = reads.any(|component| fresh.contains(&component));
        let known = known.get(&target.folder).copied();
        let known = known.filter(|&at| poll_loop.tracked[at].target == target);
        let at = match known {
            Some(at) => at,
            None => {
                let added = TrackedRepo::new(target, Vec::new(), interval, now);
                poll_loop.tracked.push(added)
            }
        };
        continued.insert(at);
        // A poll that is already held back is not repeated.
        let is_held_back = poll_loop.poll_batch.contains(at);
        let mut late_polls = poll_loop.late_polls.iter();
        let is_late = late_polls.any(|late| late.repository == at);
        poll_loop.tracked.update(at, |tracked| {
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
    for at in poll_loop.tracked.indexes() {
        if !continued.contains(&at) && !poll_loop.tracked[at].is_removed() {
            poll_loop.tracked.update(at, TrackedRepo::remove);
        }
    }
    poll_loop.unpolled = plan.invalid;
    poll_loop
        .unpolled
        .retain(|observation| fresh.contains(&observation.component));
    poll_loop
        .poll_batch
        .start(|at| continued.contains(&at), now + FIRST_BATCH);
    let repositories = continued
        .iter()
        .map(|&at| poll_loop.tracked[at].name.clone())
        .collect();
    events.reconfigured(poll_loop.followed.projects(), &repositories);
}
