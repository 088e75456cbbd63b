//! The time of the next poll: at a fixed interval with jitter, immediately after a notification (with a minimum
//! distance for remote repositories), and with exponential backoff after failures.

use std::time::{Duration, Instant};

use crate::events::PollOutcome;

/// Minimum time between two polls of a remote repository.
const MIN_DISTANCE: Duration = Duration::from_secs(3);
/// Longest backoff after transient failures.
const MAX_BACKOFF: Duration = Duration::from_secs(15 * 60);
/// Longest backoff after permanent failures.
const MAX_BACKOFF_PERMANENT: Duration = Duration::from_secs(60 * 60);
/// Longest backoff for a local repository, where a poll costs next to nothing.
const MAX_BACKOFF_LOCAL: Duration = Duration::from_secs(60);
/// First wait after a failure: most are over by then.
const FIRST_BACKOFF: Duration = Duration::from_secs(5);

/// A random number from 0 to 1, so that polls are spread.
pub(crate) fn jitter() -> f64 {
    use std::hash::{BuildHasher, RandomState};
    (RandomState::new().hash_one(()) >> 11) as f64 / (1_u64 << 53) as f64
}

/// The poll times of one repository.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    interval: Duration,
    last: Option<Instant>,
    /// When to poll next.
    pub next: Instant,
    /// The number of failures since the last success.
    pub failures: u32,
    local: bool,
    /// Until then the server wants no requests.
    paused_until: Option<Instant>,
}

impl Schedule {
    /// The first poll is due now.
    pub fn new(interval: Duration, local: bool, now: Instant) -> Self {
        Self {
            interval,
            last: None,
            next: now,
            failures: 0,
            local,
            paused_until: None,
        }
    }

    /// Polls not before a time.
    pub fn pause(&mut self, until: Instant) {
        self.paused_until = Some(until);
        self.next = self.next.max(until);
    }

    /// The poll interval.
    pub fn interval(&self) -> Duration {
        self.interval
    }

    /// Changes the interval.
    pub fn set_interval(&mut self, interval: Duration) {
        self.interval = interval;
        self.next = self.next.min(Instant::now() + interval);
    }

    /// Polls as soon as the minimum distance allows.
    pub fn schedule_now(&mut self, now: Instant) {
        let distance = if self.local {
            Duration::ZERO
        } else {
            MIN_DISTANCE
        };
        let soonest = self.last.map_or(now, |last| (last + distance).max(now));
        let soonest = self.paused_until.map_or(soonest, |end| end.max(soonest));
        self.next = self.next.min(soonest);
    }

    /// Schedules the poll after one that has finished. `jitter` is a random number from 0 to 1.
    pub fn finished(&mut self, outcome: PollOutcome, now: Instant, jitter: f64) {
        let is_first = self.last.replace(now).is_none();
        self.failures = if outcome == PollOutcome::Success {
            0
        } else {
            self.failures.saturating_add(1)
        };
        let wait = match self.failures {
            0 => self.interval,
            failures => {
                let longest = match outcome {
                    _ if self.local => MAX_BACKOFF_LOCAL,
                    PollOutcome::Permanent => MAX_BACKOFF_PERMANENT,
                    _ => MAX_BACKOFF,
                };
                let backoff =
                    self.interval.min(FIRST_BACKOFF) * 2_u32.saturating_pow(failures.min(16) - 1);
                backoff.min(longest.max(self.interval))
            }
        };
        // After the first polls, which all start together, the next ones are spread.
        let is_spread = is_first && self.failures == 0;
        let width = if is_spread { 0.6 } else { 0.2 };
        self.next = now + wait.mul_f64(1.1 - width * (1.0 - jitter.clamp(0.0, 1.0)));
        self.paused_until = self.paused_until.filter(|&until| now < until);
        self.next = self.next.max(self.paused_until.unwrap_or(self.next));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn polls_happen_at_intervals_with_jitter() {
        let now = Instant::now();
        let mut schedule = Schedule::new(MINUTE, false, now);
        assert_eq!(schedule.next, now);
        let wait = |schedule: &mut Schedule, jitter| {
            schedule.finished(PollOutcome::Success, now, jitter);
            (schedule.next - now).as_secs()
        };
        let first = [0.0, 0.5, 1.0].map(|jitter| wait(&mut schedule.clone(), jitter));
        assert_eq!(
            first,
            [30, 48, 66],
            "those that started together are spread"
        );
        wait(&mut schedule, 0.0);
        let waits = [0.0, 0.5, 1.0].map(|jitter| wait(&mut schedule, jitter));
        assert_eq!(waits, [54, 60, 66]);
    }

    #[test]
    fn failures_back_off_up_to_a_limit_until_a_success() {
        let now = Instant::now();
        let mut schedule = Schedule::new(MINUTE, false, now);
        let mut waits = |outcome, times: usize| {
            let waits = (0..times).map(|_| {
                schedule.finished(outcome, now, 0.5);
                (schedule.next - now).as_secs()
            });
            waits.collect::<Vec<_>>()
        };
        assert_eq!(
            waits(PollOutcome::Transient, 10),
            [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]
        );
        assert_eq!(waits(PollOutcome::Permanent, 3), [3600, 3600, 3600]);
        assert_eq!(waits(PollOutcome::Success, 1), [60]);
        assert_eq!(waits(PollOutcome::Permanent, 2), [5, 10]);
        let mut schedule = Schedule::new(MINUTE, true, now);
        for _ in 0..20 {
            schedule.finished(PollOutcome::Permanent, now, 0.5);
        }
        assert_eq!(
            schedule.next - now,
            MINUTE,
            "local repositories are polled again soon"
        );
    }

    #[test]
    fn neither_notifications_nor_results_end_a_pause() {
        let now = Instant::now();
        let mut schedule = Schedule::new(MINUTE, false, now);
        schedule.pause(now + 10 * MINUTE);
        schedule.schedule_now(now);
        assert_eq!(schedule.next, now + 10 * MINUTE);
        schedule.finished(PollOutcome::Transient, now, 0.5);
        assert_eq!(schedule.next, now + 10 * MINUTE);
        schedule.finished(PollOutcome::Success, now + 10 * MINUTE, 0.5);
        assert_eq!(schedule.next, now + 11 * MINUTE);
    }

    #[test]
    fn notifications_schedule_a_poll_at_the_minimum_distance() {
        let now = Instant::now();
        for (local, soonest) in [(false, MIN_DISTANCE), (true, Duration::ZERO)] {
            let mut schedule = Schedule::new(MINUTE, local, now);
            schedule.finished(PollOutcome::Success, now, 0.5);
            schedule.schedule_now(now);
            assert_eq!(schedule.next, now + soonest);
            schedule.schedule_now(now + MINUTE * 2);
            assert_eq!(
                schedule.next,
                now + soonest,
                "a second notification delays nothing"
            );
        }
    }
}
