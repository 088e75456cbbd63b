//! The rate limit (docs/spec/http.md#rate-limit): the generic cell rate algorithm (GCRA) over a table of fixed size.
//!
//! Crates such as `governor` keep unbounded per-client state; this table has a fixed size.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use gitglot_model::limit_address;

/// Sets of slots of the table for requests. The hash of a client selects a set.
const SETS: usize = 4096;
/// Slots per set.
const WAYS: usize = 8;

/// A limit of requests per client. A full quota can be used at once and is given back evenly.
///
/// The table for requests has 32,768 slots, about 600 kB. If a set is full, the client that is nearest to a full quota is forgotten.
#[derive(Debug)]
pub struct RateLimit {
    /// The time in which one request is given back.
    cost: Duration,
    /// How far the theoretical arrival time may be ahead of now.
    ahead: Duration,
    hasher: RandomState,
    start: Instant,
    sets: Box<[Mutex<[RateSlot; WAYS]>]>,
}

#[derive(Clone, Copy, Default, Debug)]
struct RateSlot {
    /// The hash of its address, with a random key: nobody can choose addresses that evict a client.
    client: u64,
    /// The theoretical arrival time: when its quota is full again, since the start.
    full_at: Duration,
}

impl RateLimit {
    /// Allows this many requests per client in a time.
    pub fn new(requests: NonZeroU32, time: Duration) -> Self {
        Self::with_sets(requests, time, SETS)
    }

    /// As [`Self::new`], with a table of this many sets.
    pub(super) fn with_sets(requests: NonZeroU32, time: Duration, sets: usize) -> Self {
        let cost = time / requests.get();
        Self {
            cost,
            ahead: time.saturating_sub(cost),
            hasher: RandomState::new(),
            start: Instant::now(),
            sets: (0..sets).map(|_| Mutex::default()).collect(),
        }
    }

    /// Counts a request of a client. `Err` has the seconds until the next one succeeds, at least 1.
    pub(crate) fn check(&self, client: IpAddr) -> Result<(), u64> {
        self.check_at(client, self.start.elapsed())
    }

    /// As [`Self::check`], at a time since the start.
    fn check_at(&self, client: IpAddr, now: Duration) -> Result<(), u64> {
        let hash = self.hasher.hash_one(limit_address(client));
        let set = &self.sets[hash as usize % self.sets.len()];
        let mut slots = set.lock();
        // The slot of the client, or else the oldest one.
        let order = |slot: &&mut RateSlot| (slot.client != hash, slot.full_at);
        let Some(slot) = slots.iter_mut().min_by_key(order) else {
            return Ok(());
        };
        let full_at = if slot.client == hash {
            slot.full_at.max(now)
        } else {
            now
        };
        let wait = full_at.saturating_sub(now).saturating_sub(self.ahead);
        if !wait.is_zero() {
            return Err(u64::try_from(wait.as_nanos().div_ceil(1_000_000_000)).unwrap_or(u64::MAX));
        }
        *slot = RateSlot {
            client: hash,
            full_at: full_at + self.cost,
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn limit(requests: u32, time: Duration) -> RateLimit {
        RateLimit::new(NonZeroU32::new(requests).unwrap(), time)
    }

    fn client(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_client_has_its_number_at_once_and_gets_it_back_with_time() {
        let limit = limit(3, 30 * SECOND);
        let one = client("192.0.2.1");
        for _ in 0..3 {
            assert_eq!(limit.check_at(one, SECOND), Ok(()));
        }
        assert_eq!(limit.check_at(one, SECOND), Err(10));
        assert_eq!(
            limit.check_at(one, SECOND * 10),
            Err(1),
            "refused requests do not count"
        );
        assert_eq!(limit.check_at(one, SECOND * 11), Ok(()));
        assert_eq!(limit.check_at(one, SECOND * 11), Err(10));
        for _ in 0..3 {
            assert_eq!(
                limit.check_at(one, SECOND * 100),
                Ok(()),
                "an idle client has the full number, and no more"
            );
        }
        assert_eq!(limit.check_at(one, SECOND * 100), Err(10));
    }

    #[test]
    fn clients_have_separate_limits() {
        let limit = limit(1, SECOND);
        let others = ["::1", "::2", "127.0.0.1"];
        for address in ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1"]
            .into_iter()
            .chain(others)
        {
            assert_eq!(limit.check_at(client(address), SECOND), Ok(()), "{address}");
        }
        for address in [
            "192.0.2.1",
            "::ffff:192.0.2.2",
            "2001:db8::2",
            "2001:db8:0:1:ffff::",
        ] {
            assert_eq!(
                limit.check_at(client(address), SECOND),
                Err(1),
                "{address} counts as one of them"
            );
        }
    }

    #[test]
    fn idle_clients_are_evicted_when_there_are_many() {
        let limit = limit(2, 1_000 * SECOND);
        let busy = client("192.0.2.1");
        assert_eq!(limit.check_at(busy, SECOND), Ok(()));
        assert_eq!(limit.check_at(busy, SECOND), Ok(()));
        for number in 0..200_000_u32 {
            assert_eq!(
                limit.check_at(Ipv6Addr::from_bits(u128::from(number) << 64).into(), SECOND),
                Ok(())
            );
        }
        assert_eq!(limit.check_at(busy, SECOND), Err(500));
        assert_eq!(limit.sets.len() * WAYS, 32_768);
    }
}
