//! When to look at a repository next.
//!
//! At intervals, a little earlier or later each time, so that many do not look together; later and later while
//! looking fails; at once when somebody says that there is news, though not more often than every few seconds.

use std::time::{Duration, Instant};

/// Between two looks at a repository elsewhere that others ask for.
const NOT_SOONER: Duration = Duration::from_secs(3);
/// The longest wait after failures that may go away by themselves.
const PATIENT: Duration = Duration::from_secs(15 * 60);
/// The longest wait after failures of a repository on this machine, where looking costs next to nothing.
const NEAR: Duration = Duration::from_secs(60);
/// The longest wait after failures that somebody must mend.
const SLOW: Duration = Duration::from_secs(60 * 60);

/// How a look ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// Well.
    Good,
    /// Badly; the same may work later.
    Passing,
    /// Badly, until somebody changes something.
    Lasting,
}

impl Outcome {
    /// In a word.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Passing => "passing",
            Self::Lasting => "lasting",
        }
    }
}

/// The times of the looks at one repository.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    interval: Duration,
    /// Looks that others ask for are not done sooner than that after the one before.
    gap: Duration,
    last: Option<Instant>,
    next: Instant,
    failures: u32,
    local: bool,
}

impl Schedule {
    /// The first look is due at once. Looking at a repository on this machine costs so little that it may be done as
    /// often as somebody asks for it.
    pub(super) fn new(interval: Duration, local: bool, now: Instant) -> Self {
        let gap = if local { Duration::ZERO } else { NOT_SOONER };
        Self { interval, gap, last: None, next: now, failures: 0, local }
    }

    /// How many looks have failed in a row.
    pub(super) fn failures(&self) -> u32 {
        self.failures
    }

    /// When to look next.
    pub(super) fn next(&self) -> Instant {
        self.next
    }

    /// Looks at once, however short ago the last look was.
    pub(super) fn due(&mut self, now: Instant) {
        self.next = now;
    }

    /// Another time between looks, from the next one on.
    pub(super) fn set_interval(&mut self, interval: Duration) {
        self.interval = interval;
        self.next = self.next.min(Instant::now() + interval);
    }

    /// Somebody says that there is news.
    pub(super) fn hasten(&mut self, now: Instant) {
        let soonest = self.last.map_or(now, |last| (last + self.gap).max(now));
        self.next = self.next.min(soonest);
    }

    /// A look has ended. `chance` is a number from 0 to 1 that differs from look to look.
    pub(super) fn looked(&mut self, outcome: Outcome, now: Instant, chance: f64) {
        self.last = Some(now);
        self.failures = if outcome == Outcome::Good { 0 } else { self.failures.saturating_add(1) };
        let longest = match outcome {
            Outcome::Good => self.interval,
            _ if self.local => NEAR.max(self.interval),
            Outcome::Passing => PATIENT.max(self.interval),
            Outcome::Lasting => SLOW.max(self.interval),
        };
        // The first failure is looked into soon: most are over by then.
        let doubled = match self.failures {
            0 => self.interval,
            failures => self.interval.min(Duration::from_secs(5)) * 2_u32.saturating_pow(failures.min(16) - 1),
        };
        self.next = now + doubled.min(longest).mul_f64(0.9 + 0.2 * chance.clamp(0.0, 1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn looks_come_at_intervals_that_differ_a_little() {
        let now = Instant::now();
        let mut schedule = Schedule::new(MINUTE, false, now);
        assert_eq!(schedule.next(), now);
        let waits = [0.0, 0.5, 1.0].map(|chance| {
            schedule.looked(Outcome::Good, now, chance);
            (schedule.next() - now).as_secs()
        });
        assert_eq!(waits, [54, 60, 66]);
    }

    #[test]
    fn failures_make_looks_rarer_up_to_a_limit_and_success_makes_them_as_often_as_before() {
        let now = Instant::now();
        let mut schedule = Schedule::new(MINUTE, false, now);
        let mut waits = |outcome, times: usize| {
            let waits = (0..times).map(|_| {
                schedule.looked(outcome, now, 0.5);
                (schedule.next() - now).as_secs()
            });
            waits.collect::<Vec<_>>()
        };
        assert_eq!(waits(Outcome::Passing, 10), [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
        assert_eq!(waits(Outcome::Lasting, 3), [3600, 3600, 3600]);
        assert_eq!(waits(Outcome::Good, 1), [60]);
        assert_eq!(waits(Outcome::Lasting, 2), [5, 10]);
        let mut schedule = Schedule::new(MINUTE, true, now);
        for _ in 0..20 {
            schedule.looked(Outcome::Lasting, now, 0.5);
        }
        assert_eq!(schedule.next() - now, MINUTE, "one on this machine is soon seen again");
    }

    #[test]
    fn news_are_looked_at_soon_but_not_all_the_time() {
        let now = Instant::now();
        for (local, soonest) in [(false, NOT_SOONER), (true, Duration::ZERO)] {
            let mut schedule = Schedule::new(MINUTE, local, now);
            schedule.looked(Outcome::Good, now, 0.5);
            schedule.hasten(now);
            assert_eq!(schedule.next(), now + soonest);
            schedule.hasten(now + MINUTE * 2);
            assert_eq!(schedule.next(), now + soonest, "asking again delays nothing");
        }
    }
}
