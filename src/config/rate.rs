//! How often somebody may ask, as people write it.

use std::num::NonZeroU32;
use std::time::Duration;

/// A number of requests in a length of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// How many requests.
    pub requests: NonZeroU32,
    /// In which time.
    pub time: Duration,
}

/// Units and their seconds.
const UNITS: [(&str, u64); 4] = [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400)];

impl Rate {
    /// The most requests that can be named.
    const MOST: u32 = 1_000_000;

    /// Takes a whole number from 1 to 1,000,000, a slash and one of the units s, m, h, d.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "'{text}' is no rate: write a number from 1 to 1000000, a slash and s, m, h or d, as in 20/s or 600/m"
            )
        };
        let (number, unit) = text.split_once('/').ok_or_else(wrong)?;
        let requests: NonZeroU32 = number.trim().parse().map_err(|_| wrong())?;
        let found = UNITS.into_iter().find(|(name, _)| *name == unit.trim());
        let (_, seconds) = found.filter(|_| requests.get() <= Self::MOST).ok_or_else(wrong)?;
        Ok(Self { requests, time: Duration::from_secs(seconds) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_as_people_write_them() {
        for (text, requests, seconds) in
            [("20/s", 20, 1), ("600/m", 600, 60), ("1 / h", 1, 3_600), ("1000000/d", 1_000_000, 86_400)]
        {
            let rate = Rate::parse(text).unwrap();
            assert_eq!((rate.requests.get(), rate.time.as_secs()), (requests, seconds), "{text}");
        }
        for text in ["", "20", "20/", "/s", "0/s", "-1/s", "1.5/s", "20/second", "1000001/s", "20/s/s"] {
            assert!(Rate::parse(text).is_err(), "{text}");
        }
    }
}
