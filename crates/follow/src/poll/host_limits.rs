//! Servers that limit requests: after an answer with HTTP status 429, no repository of the server is polled for a while,
//! and afterwards their polls are spread evenly.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The first pause; it doubles with each further answer.
const FIRST_PAUSE: Duration = Duration::from_secs(60);
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(60 * 60);

/// The servers that limit requests, by address.
#[derive(Default)]
pub(crate) struct HostLimits(HashMap<String, Pause>);

struct Pause {
    until: Instant,
    length: Duration,
}

impl HostLimits {
    /// Notes that a server limits requests, and how long it wants none. Returns the end of the pause; `None` during a
    /// pause, which answers to earlier requests do not prolong.
    pub fn limited(
        &mut self,
        host: &str,
        wanted: Option<Duration>,
        now: Instant,
    ) -> Option<Instant> {
        let length = match self.0.get(host) {
            Some(known) if now < known.until => return None,
            Some(known) => known.length * 2,
            None => FIRST_PAUSE,
        };
        let length = length.max(wanted.unwrap_or_default()).min(MAX_PAUSE);
        let until = now + length;
        self.0.insert(host.to_owned(), Pause { until, length });
        Some(until)
    }

    /// Notes that a server has answered after a pause.
    pub fn answered(&mut self, host: &str, now: Instant) {
        if self.0.get(host).is_some_and(|known| known.until <= now) {
            self.0.remove(host);
        }
    }
}

/// The times of polls after a pause: evenly spread over the interval, so that they do not exceed the limit together.
pub(crate) fn spread(
    until: Instant,
    interval: Duration,
    count: usize,
) -> impl Iterator<Item = Instant> {
    let step = interval / u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    (0..).map(move |nth: u32| until + step * nth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_until_the_server_answers() {
        let (mut limits, start) = (HostLimits::default(), Instant::now());
        let first = limits.limited("a.example", None, start).unwrap();
        assert_eq!(first, start + FIRST_PAUSE);
        assert_eq!(
            limits.limited("a.example", None, start),
            None,
            "the same burst"
        );
        assert!(limits.limited("b.example", None, start).is_some());
        limits.answered("a.example", start);
        let second = limits.limited("a.example", None, first).unwrap();
        assert_eq!(second, first + 2 * FIRST_PAUSE);
        limits.answered("a.example", second);
        assert_eq!(
            limits.limited("a.example", None, second),
            Some(second + FIRST_PAUSE)
        );
        let mut now = second;
        for _ in 0..20 {
            now += MAX_PAUSE;
            let until = limits.limited("a.example", None, now).unwrap();
            assert!(until - now <= MAX_PAUSE);
        }
    }

    #[test]
    fn a_server_may_want_a_longer_pause_of_up_to_an_hour() {
        let (mut limits, start) = (HostLimits::default(), Instant::now());
        for (host, wanted, length) in [
            ("a.example", Duration::from_secs(5), FIRST_PAUSE),
            (
                "b.example",
                Duration::from_secs(300),
                Duration::from_secs(300),
            ),
            ("c.example", Duration::MAX, MAX_PAUSE),
        ] {
            let until = limits.limited(host, Some(wanted), start);
            assert_eq!(until, Some(start + length), "{host}");
        }
    }

    #[test]
    fn polls_after_a_pause_are_spread_over_the_interval() {
        let until = Instant::now();
        let seconds: Vec<u64> = spread(until, Duration::from_secs(60), 4)
            .take(4)
            .map(|at| (at - until).as_secs())
            .collect();
        assert_eq!(seconds, [0, 15, 30, 45]);
    }
}
