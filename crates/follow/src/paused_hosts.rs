//! Pauses the polls of all repositories of a server that limits requests.

use std::time::Instant;

use super::observation::{BranchError, Freshness, Observation};
use super::poll::{Poll, RepoIndex, TrackedRepo, spread};
use super::poll_loop::PollLoop;
use gitglot_git::FetchProblem;

impl PollLoop {
    /// Pauses the polls of a server that limits requests. Repositories that were not polled yet count as polled, so that
    /// the start does not wait for them.
    pub(super) fn note_limit(&mut self, poll: &Poll) {
        let source = &self.tracked[poll.repository].target.source;
        let Some(host) = source.host().map(str::to_owned) else {
            return;
        };
        let now = Instant::now();
        let error = poll.result.error.as_ref();
        let limit = error.and_then(|error| match &error.problem {
            FetchProblem::Limited { retry_after, .. } => Some((error, *retry_after)),
            _ => None,
        });
        let Some((error, wanted)) = limit else {
            return self.host_limits.answered(&host, now);
        };
        let Some(until) = self.host_limits.limited(&host, wanted, now) else {
            return;
        };
        let is_of_host = |it: &TrackedRepo| it.target.source.host() == Some(&host);
        let all = self.tracked.indexes();
        let of_host: Vec<RepoIndex> = all.filter(|&at| is_of_host(&self.tracked[at])).collect();
        tracing::warn!(
            "{host} limits requests: its {} repositories are polled again in {} s",
            of_host.len(),
            (until - now).as_secs()
        );
        let interval = self.tracked[poll.repository].schedule.interval();
        for (&at, time) in of_host.iter().zip(spread(until, interval, of_host.len())) {
            let tracked = &self.tracked[at];
            if !tracked.polled && !tracked.is_busy() {
                let reads = tracked.components.iter();
                self.unpolled.extend(reads.map(|reads| {
                    Observation {
                        component: reads.component,
                        state: tracked
                            .target
                            .last_fetched(&reads.branch)
                            .ok_or_else(|| BranchError::Poll(error.problem.to_string())),
                        freshness: Freshness::Old,
                    }
                }));
            }
            self.tracked.update(at, |repo| {
                repo.polled |= !repo.is_busy();
                repo.schedule.pause(time);
            });
        }
    }
}
