//! Pauses the polls of all repositories of a server that limits requests.

use std::time::Instant;

use super::observation::{BranchError, Observation};
use super::poll::{HostLimits, Poll, RepoIndex, TrackedRepo, TrackedRepos, spread};
use gitglot_git::FetchProblem;

/// Pauses the polls of a server that limits requests. Repositories that were not polled yet count as polled, so that
/// the start does not wait for them.
pub(super) fn note_limit(
    host_limits: &mut HostLimits,
    tracked_repos: &mut TrackedRepos,
    unpolled: &mut Vec<Observation>,
    poll: &Poll,
) {
    let source = &tracked_repos[poll.repository].target.source;
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
        return host_limits.answered(&host, now);
    };
    let Some(until) = host_limits.limited(&host, wanted, now) else {
        return;
    };
    let is_of_host = |it: &TrackedRepo| it.target.source.host() == Some(&host);
    let all = tracked_repos.indexes();
    let of_host: Vec<RepoIndex> = all.filter(|&at| is_of_host(&tracked_repos[at])).collect();
    tracing::warn!(
        "{host} limits requests: its {} repositories are polled again in {} s",
        of_host.len(),
        (until - now).as_secs()
    );
    let interval = tracked_repos[poll.repository].schedule.interval();
    for (&at, time) in of_host.iter().zip(spread(until, interval, of_host.len())) {
        let tracked = &tracked_repos[at];
        if !tracked.polled && !tracked.is_busy() {
            let reads = tracked.components.iter();
            unpolled.extend(reads.map(|reads| {
                let fetched = tracked.target.last_fetched(&reads.branch);
                let state = fetched.ok_or_else(|| BranchError::Poll(error.problem.to_string()));
                Observation::old(reads.component, state)
            }));
        }
        tracked_repos.update(at, |repo| {
            repo.polled |= !repo.is_busy();
            repo.schedule.pause(time);
        });
    }
}
