//! Durations, rates and sizes.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use gitglot_model::InvalidValue;

/// A duration of 1 ms to one week.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Period(Duration);

/// A number of requests per time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// The number of requests.
    pub requests: NonZeroU32,
    /// The time.
    pub time: Duration,
}

/// A size in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ByteSize(usize);

impl Period {
    /// The longest period in milliseconds: one week.
    const MAX: u64 = 7 * 24 * 3_600_000;
    /// Units in milliseconds.
    const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

    /// The duration.
    pub fn duration(self) -> Duration {
        self.0
    }
}

impl FromStr for Period {
    type Err = InvalidValue;

    /// Parses a whole number with one of the units ms, s, m, h; seconds without a unit.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let milliseconds = scaled(text, "s", &Self::UNITS);
        let milliseconds = milliseconds.filter(|number| (1..=Self::MAX).contains(number));
        let expected = "a duration from 1ms to 168h: use a number with ms, s, m or h, such as 60s";
        let milliseconds = milliseconds.ok_or_else(|| InvalidValue::new(text, expected))?;
        Ok(Self(Duration::from_millis(milliseconds)))
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.subsec_millis() {
            0 => write!(f, "{}s", self.0.as_secs()),
            _ => write!(f, "{}ms", self.0.as_millis()),
        }
    }
}

impl Rate {
    /// The largest number of requests.
    const MAX: u32 = 1_000_000;
    /// Units in seconds.
    const UNITS: [(&str, u64); 4] = [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400)];
}

impl FromStr for Rate {
    type Err = InvalidValue;

    /// Parses a whole number from 1 to 1,000,000, a slash and one of the units s, m, h, d.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let rate = text.split_once('/').and_then(|(number, unit)| {
            let requests: NonZeroU32 = number.trim().parse().ok()?;
            let mut units = Self::UNITS.into_iter();
            let (_, seconds) = units.find(|(name, _)| *name == unit.trim())?;
            let time = Duration::from_secs(seconds);
            (requests.get() <= Self::MAX).then_some(Self { requests, time })
        });
        let expected =
            "a rate: use a number from 1 to 1000000, a slash and s, m, h or d, such as 20/s";
        rate.ok_or_else(|| InvalidValue::new(text, expected))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut units = Self::UNITS.iter();
        let unit = units.find(|(_, seconds)| *seconds == self.time.as_secs());
        write!(f, "{}/{}", self.requests, unit.map_or("", |(name, _)| name))
    }
}

impl ByteSize {
    /// Units in bytes.
    const UNITS: [(&str, u64); 7] = [
        ("b", 1),
        ("kb", 1_000),
        ("mb", 1_000_000),
        ("gb", 1_000_000_000),
        ("kib", 1 << 10),
        ("mib", 1 << 20),
        ("gib", 1 << 30),
    ];

    /// The number of bytes.
    pub fn bytes(self) -> usize {
        self.0
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}B", self.0)
    }
}

impl FromStr for ByteSize {
    type Err = InvalidValue;

    /// Parses a whole number with one of the units B, kB, MB, GB, KiB, MiB, GiB, in any case; bytes without a unit.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let lower = text.to_ascii_lowercase();
        let bytes = scaled(&lower, "b", &Self::UNITS).and_then(|bytes| bytes.try_into().ok());
        let expected = "a size: use a number with B, kB, MB, GB, KiB, MiB or GiB, such as 64MB";
        let bytes = bytes.ok_or_else(|| InvalidValue::new(text, expected))?;
        Ok(Self(bytes))
    }
}

/// Parses a whole number and a unit. `units` has the units with their factors.
fn scaled(text: &str, default_unit: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = match unit.trim_start() {
        "" => default_unit,
        unit => unit,
    };
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    number.parse::<u64>().ok()?.checked_mul(*factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_number_and_a_unit() {
        for (text, milliseconds) in [
            ("60s", 60_000),
            ("5m", 300_000),
            ("1 h", 3_600_000),
            ("250ms", 250),
            ("90", 90_000),
            ("168h", Period::MAX),
        ] {
            let period: Result<Period, InvalidValue> = text.parse();
            assert_eq!(
                period.map(|period| period.duration().as_millis() as u64),
                Ok(milliseconds),
                "{text}"
            );
        }
        for text in [
            "",
            "s",
            "0s",
            "-1s",
            "1.5h",
            "1 day",
            "169h",
            "99999999999999999999h",
            "60S",
        ] {
            assert!(text.parse::<Period>().is_err(), "{text}");
        }
    }

    #[test]
    fn rates_have_a_number_and_a_time() {
        for (text, requests, seconds) in [
            ("20/s", 20, 1),
            ("600/m", 600, 60),
            ("1 / h", 1, 3_600),
            ("1000000/d", 1_000_000, 86_400),
        ] {
            let rate: Rate = text.parse().unwrap();
            assert_eq!(
                (rate.requests.get(), rate.time.as_secs()),
                (requests, seconds),
                "{text}"
            );
        }
        for text in [
            "",
            "20",
            "20/",
            "/s",
            "0/s",
            "-1/s",
            "1.5/s",
            "20/second",
            "1000001/s",
            "20/s/s",
        ] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_have_a_number_and_a_unit() {
        for (text, bytes) in [
            ("0", 0),
            ("4096", 4096),
            ("12B", 12),
            ("64MB", 64_000_000),
            ("64 mb", 64_000_000),
            ("1kB", 1_000),
            ("2GiB", 2 << 30),
            (" 3 MiB ", 3 << 20),
        ] {
            assert_eq!(text.parse().map(ByteSize::bytes), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "MB",
            "1.5MB",
            "-1",
            "64 megabytes",
            "99999999999999999999",
            "18446744073709551615GB",
            "1€",
        ] {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
    }
}
