//! The polls of a new configuration, which are processed together.

use std::time::Instant;

use super::repositories::TrackedRepos;
use super::tracked::{Poll, RepoIndex};

/// Holds back the polls of new and changed repositories until all of them have finished, so that they form one batch.
#[derive(Default)]
pub(crate) struct PollBatch {
    /// The time until which polls are held back.
    pub deadline: Option<Instant>,
    polls: Vec<Poll>,
}

impl PollBatch {
    /// Starts holding back, until the deadline. Polls of repositories that are not in `is_retained` are discarded.
    pub fn start(&mut self, is_retained: impl Fn(RepoIndex) -> bool, deadline: Instant) {
        self.polls.retain(|poll| is_retained(poll.repository));
        self.deadline = Some(deadline);
    }

    /// Whether a poll of the repository is held back.
    pub fn contains(&self, repository: RepoIndex) -> bool {
        self.polls.iter().any(|poll| poll.repository == repository)
    }

    /// Holds back polls, or returns those that can be processed now.
    pub fn hold_back(&mut self, finished: Vec<Poll>, tracked: &mut TrackedRepos) -> Vec<Poll> {
        let Some(deadline) = self.deadline else {
            return finished;
        };
        let is_held_back = |poll: &Poll| tracked[poll.repository].held_back;
        let (held_back, mut ready): (Vec<_>, Vec<_>) = finished.into_iter().partition(is_held_back);
        for poll in &held_back {
            tracked.update(poll.repository, |repo| repo.held_back = false);
        }
        self.polls.extend(held_back);
        if !tracked.iter().any(|repo| repo.held_back) || Instant::now() >= deadline {
            tracked.update_all(|repo| repo.held_back = false);
            ready.append(&mut std::mem::take(self).polls);
        }
        ready
    }
}
