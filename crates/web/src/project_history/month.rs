//! Months of the calendar in UTC, as numbers.

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime};

use gitglot_model::Timestamp;

/// The month of a time, counted from January of year 0.
pub(super) fn month_of(time: Timestamp) -> i64 {
    let time = DateTime::from_timestamp_micros(time.0).unwrap_or_default();
    i64::from(time.year()) * 12 + i64::from(time.month0())
}

/// The first instant of a month.
pub(super) fn start_of(month: i64) -> Timestamp {
    let year = i32::try_from(month.div_euclid(12)).unwrap_or_default();
    let first =
        NaiveDate::from_ymd_opt(year, month.rem_euclid(12) as u32 + 1, 1).unwrap_or_default();
    Timestamp(first.and_time(NaiveTime::MIN).and_utc().timestamp_micros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_lies_between_the_starts_of_two_months() {
        for micros in [
            0,
            1_600_000_000_123_456,
            -1,
            951_782_400_000_000,
            951_868_799_999_999,
        ] {
            let of = month_of(Timestamp(micros));
            assert!(
                (start_of(of)..start_of(of + 1)).contains(&Timestamp(micros)),
                "{micros}"
            );
        }
        assert_eq!(start_of(1970 * 12), Timestamp(0));
    }
}
