//! A length of time, as people write it.

use std::time::Duration;

/// A length of time: more than nothing, at most a week.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Period(Duration);

/// Units and their milliseconds.
const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

impl Period {
    /// The longest, in milliseconds: a week.
    const MOST: u64 = 7 * 24 * 3_600_000;

    /// Takes a whole number with one of the units ms, s, m, h; without one it is seconds.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("'{text}' is no length of time from 1ms to 168h: write a number with ms, s, m or h, as in 60s");
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let unit = if unit.is_empty() { "s" } else { unit.trim_start() };
        let (_, milliseconds) = UNITS.into_iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let milliseconds = number.checked_mul(milliseconds).filter(|it| (1..=Self::MOST).contains(it));
        milliseconds.map(|it| Self(Duration::from_millis(it))).ok_or_else(wrong)
    }

    /// How long it is.
    pub fn duration(self) -> Duration {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read_as_people_write_them() {
        for (text, milliseconds) in [
            ("60s", 60_000),
            ("5m", 300_000),
            ("1 h", 3_600_000),
            ("250ms", 250),
            ("90", 90_000),
            ("168h", Period::MOST),
        ] {
            assert_eq!(Period::parse(text).map(|it| it.duration().as_millis() as u64), Ok(milliseconds), "{text}");
        }
        for text in ["", "s", "0s", "-1s", "1.5h", "1 day", "169h", "99999999999999999999h", "60S"] {
            assert!(Period::parse(text).is_err(), "{text}");
        }
    }
}
