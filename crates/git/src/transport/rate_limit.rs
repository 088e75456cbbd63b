//! Limits of requests that servers announce: `Retry-After` (RFC 9110), and the headers `RateLimit-Remaining` and
//! `RateLimit-Reset`, also with `X-`, of GitHub, GitLab, Gitea and others.

use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;

use crate::transport::error::FetchProblem;

/// Resets after this many seconds are times since 1970. The others are relative.
const LONGEST_RELATIVE: u64 = 1_000_000_000;

/// The longest time without a request to a server, whatever it says. The limits of hosts are per hour.
const LONGEST_WAIT: Duration = Duration::from_secs(60 * 60);

/// The servers that have no requests left, and until when.
static EXHAUSTED: Mutex<Option<HashMap<String, Instant>>> = Mutex::new(None);

/// The limit in a response.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct RateLimit {
    retry_after: Option<Duration>,
    /// The number of requests that are left until the reset.
    remaining: Option<u64>,
    reset: Option<Duration>,
}

impl RateLimit {
    /// Reads a line of the head of a response.
    pub fn read_header(&mut self, line: &str) {
        let Some((name, value)) = line.split_once(':') else {
            return;
        };
        let Ok(value) = value.trim().parse::<u64>() else {
            return;
        };
        let name = name.to_ascii_lowercase();
        match name.strip_prefix("x-").unwrap_or(&name) {
            "retry-after" => self.retry_after = Some(Duration::from_secs(value)),
            "ratelimit-remaining" => self.remaining = Some(value),
            "ratelimit-reset" => self.reset = Some(until(value, SystemTime::now())),
            _ => {}
        }
    }

    /// How long the server wants no requests, if it says so.
    pub fn pause(&self) -> Option<Duration> {
        self.retry_after.or(self.reset)
    }

    /// Notes whether the server has no requests left.
    pub fn note(&self, host: &str) {
        if let (Some(0), Some(reset)) = (self.remaining, self.reset)
            && let Some(until) = Instant::now().checked_add(reset.min(LONGEST_WAIT))
        {
            let mut exhausted = EXHAUSTED.lock();
            let exhausted = exhausted.get_or_insert_default();
            exhausted.insert(host.to_owned(), until);
        }
    }
}

/// The time until a reset.
fn until(reset: u64, now: SystemTime) -> Duration {
    if reset < LONGEST_RELATIVE {
        return Duration::from_secs(reset);
    }
    let reset = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(reset));
    let left = reset.and_then(|reset| reset.duration_since(now).ok());
    left.unwrap_or_default()
}

/// Checks that a server has requests left.
///
/// # Errors
/// When it has said that it has none, and when it has some again.
pub(super) fn wait(host: &str) -> Result<(), FetchProblem> {
    let mut exhausted = EXHAUSTED.lock();
    let hosts = exhausted.as_ref();
    let Some(until) = hosts.and_then(|hosts| hosts.get(host).copied()) else {
        return Ok(());
    };
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        exhausted.get_or_insert_default().remove(host);
        return Ok(());
    }
    Err(FetchProblem::Limited {
        reason: "it has no requests left".to_owned(),
        retry_after: Some(left),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(lines: &[&str]) -> RateLimit {
        let mut limit = RateLimit::default();
        lines.iter().for_each(|line| limit.read_header(line));
        limit
    }

    #[test]
    fn the_headers_of_several_hosts_are_understood() {
        let seconds = |lines: &[&str]| limit(lines).pause().map(|it| it.as_secs());
        assert_eq!(
            seconds(&["Retry-After: 7\r\n", "ratelimit-reset: 60\r\n"]),
            Some(7)
        );
        assert_eq!(seconds(&["RateLimit-Reset: 30\r\n"]), Some(30));
        assert_eq!(seconds(&["X-RateLimit-Reset: 1\r\n"]), Some(1));
        assert_eq!(
            seconds(&["X-RateLimit-Reset: soon\r\n", "HTTP/1.1 200 OK\r\n", ""]),
            None
        );
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        assert_eq!(until(1_700_000_090, now), Duration::from_secs(90));
        assert_eq!(until(1_600_000_000, now), Duration::ZERO);
        assert!(until(u64::MAX, now).is_zero());
    }

    #[test]
    fn a_server_without_requests_is_not_asked_until_the_reset() {
        let host = "exhausted.example";
        limit(&["X-RateLimit-Remaining: 1", "X-RateLimit-Reset: 60"]).note(host);
        assert!(wait(host).is_ok());
        limit(&["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 60"]).note(host);
        assert!(matches!(
            wait(host),
            Err(FetchProblem::Limited { retry_after: Some(left), .. }) if left.as_secs() >= 59
        ));
        assert!(wait("other.example").is_ok());
        limit(&["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 999999999"]).note(host);
        assert!(matches!(
            wait(host),
            Err(FetchProblem::Limited { retry_after: Some(left), .. }) if left <= LONGEST_WAIT
        ));
        limit(&["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 0"]).note(host);
        assert!(wait(host).is_ok());
    }
}
