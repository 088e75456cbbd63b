//! Times in queries (docs/spec/query.md#times).

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::error::Reason;
use super::values::{Operator, Ranges, Value};
use gitglot_model::Timestamp;

/// The times that a term selects, in microseconds since 1970. `now` is the time of the request.
pub(super) fn times(operator: Operator, value: &Value, now: Timestamp) -> Result<Ranges, Reason> {
    let read = |text: &str| {
        span(text.trim(), now).ok_or_else(|| {
            let message = format!(
                "'{text}' is not a time: use a value such as 2019, 2019-03-04, 2019-03-04T05:06:07Z or yesterday"
            );
            Reason::of(message, "Could not parse timestamp", text)
        })
    };
    if let Value::Range(from, to) = value {
        let (from, to) = (read(from)?, read(to)?);
        return Ok(Ranges::of((from.first, to.last)));
    }
    let span = read(value.text())?;
    let is_instant = span.first == span.last;
    Ok(Ranges::of(match operator {
        Operator::Contains | Operator::Equal => (span.first, span.last),
        Operator::Less | Operator::Greater if is_instant => operator.range(span.first),
        Operator::Less | Operator::LessOrEqual => (i64::MIN, span.last),
        Operator::Greater | Operator::GreaterOrEqual => (span.first, i64::MAX),
    }))
}

/// Some time, in microseconds since 1970: an instant, or a day, a month or a year.
struct Span {
    first: i64,
    last: i64,
}

impl Span {
    fn days(first: NaiveDate, next: NaiveDate) -> Self {
        let start = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc().timestamp_micros();
        Self {
            first: start(first),
            last: start(next) - 1,
        }
    }

    fn day(day: NaiveDate) -> Option<Self> {
        Some(Self::days(day, day.succ_opt()?))
    }
}

fn span(text: &str, now: Timestamp) -> Option<Span> {
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if text.len() == 4 && is_digits(text) {
        let first = |year| NaiveDate::from_ymd_opt(year, 1, 1).filter(|day| day.year() > 0);
        let year: i32 = text.parse().ok()?;
        return Some(Span::days(first(year)?, first(year + 1)?));
    }
    if let Some((year, month)) = text.split_once('-')
        && year.len() == 4
        && is_digits(year)
        && matches!(month.len(), 1 | 2)
        && is_digits(month)
    {
        let first = NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, 1)?;
        return Some(Span::days(first, first.checked_add_months(Months::new(1))?));
    }
    if let Ok(day) = NaiveDate::parse_from_str(text, "%Y-%m-%d") {
        return Span::day(day);
    }
    clock_time(text).or_else(|| words(text, now))
}

/// A date with a time of day; in UTC without an offset.
fn clock_time(text: &str) -> Option<Span> {
    let span = |time: DateTime<chrono::Utc>, length| Span {
        first: time.timestamp_micros(),
        last: time.timestamp_micros() + length - 1,
    };
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(span(time.to_utc(), INSTANT));
    }
    let mut formats = ZONELESS.into_iter();
    formats.find_map(|(format, length)| {
        let time = NaiveDateTime::parse_from_str(text, format).ok()?;
        Some(span(time.and_utc(), length))
    })
}

/// The length of an instant and of a minute, in microseconds.
const INSTANT: i64 = 1;
const MINUTE: i64 = 60_000_000;

/// The formats of times without an offset, and what they name.
const ZONELESS: [(&str, i64); 4] = [
    ("%Y-%m-%dT%H:%M:%S%.f", INSTANT),
    ("%Y-%m-%d %H:%M:%S%.f", INSTANT),
    ("%Y-%m-%dT%H:%M", MINUTE),
    ("%Y-%m-%d %H:%M", MINUTE),
];

/// English words for a day: `today`, `yesterday`, `tomorrow`, `3 days ago`, `last week`. Days are the smallest unit, so
/// that the result of a query changes only with the day.
fn words(text: &str, now: Timestamp) -> Option<Span> {
    let today = DateTime::from_timestamp_micros(now.0)?.date_naive();
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let day = match words[..] {
        ["today" | "now"] => today,
        ["yesterday"] => today.pred_opt()?,
        ["tomorrow"] => today.succ_opt()?,
        ["last", unit] => before(today, 1, unit)?,
        [count, unit, "ago"] => {
            let count = match count {
                "a" | "an" | "one" => 1,
                number => number.parse().ok()?,
            };
            before(today, count, unit)?
        }
        _ => return None,
    };
    Span::day(day)
}

/// The day some units before a day.
fn before(day: NaiveDate, count: u32, unit: &str) -> Option<NaiveDate> {
    match unit.strip_suffix('s').unwrap_or(unit) {
        "day" => day.checked_sub_days(Days::new(count.into())),
        "week" => day.checked_sub_signed(TimeDelta::try_weeks(count.into())?),
        "month" => day.checked_sub_months(Months::new(count)),
        "year" => day.checked_sub_months(Months::new(count.checked_mul(12)?)),
        _ => None,
    }
}

/// Whether a query may contain words for a day, so that its result depends on the day.
pub fn depends_on_day(query: &str) -> bool {
    let lower = query.to_ascii_lowercase();
    ["today", "now", "yesterday", "tomorrow", "last", "ago"]
        .into_iter()
        .any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;

    fn found(operator: Operator, value: &str) -> Option<Ranges> {
        // 2026-11-24T12:00:00Z
        let now = Timestamp::from_seconds(1_795_521_600);
        times(operator, &Value::Text(value.into()), now).ok()
    }

    fn at(text: &str) -> i64 {
        DateTime::parse_from_rfc3339(text)
            .unwrap()
            .timestamp_micros()
    }

    #[test]
    fn a_day_or_a_year_is_included_by_all_comparisons() {
        let day = (at("2019-03-04T00:00:00Z"), at("2019-03-05T00:00:00Z") - 1);
        for value in ["2019-03-04", "2019-3-4"] {
            assert_eq!(found(Operator::Contains, value), Some(Ranges::of(day)));
        }
        for operator in [Operator::Less, Operator::LessOrEqual] {
            assert_eq!(
                found(operator, "2019-03-04"),
                Some(Ranges::of((i64::MIN, day.1)))
            );
        }
        for operator in [Operator::Greater, Operator::GreaterOrEqual] {
            assert_eq!(
                found(operator, "2019-03-04"),
                Some(Ranges::of((day.0, i64::MAX)))
            );
        }
        let year = (at("2019-01-01T00:00:00Z"), at("2020-01-01T00:00:00Z") - 1);
        assert_eq!(found(Operator::Equal, "2019"), Some(Ranges::of(year)));
        let month = (at("2019-12-01T00:00:00Z"), at("2020-01-01T00:00:00Z") - 1);
        assert_eq!(found(Operator::Equal, "2019-12"), Some(Ranges::of(month)));
    }

    #[test]
    fn an_instant_is_not_included() {
        let instant = at("2019-03-04T05:06:07Z");
        for value in [
            "2019-03-04T05:06:07Z",
            "2019-03-04T06:06:07+01:00",
            "2019-03-04T05:06:07",
            "2019-03-04 05:06:07",
        ] {
            let later = Ranges::of((instant + 1, i64::MAX));
            assert_eq!(found(Operator::Greater, value), Some(later), "{value}");
            let same = Ranges::of((instant, instant));
            assert_eq!(found(Operator::Contains, value), Some(same), "{value}");
        }
        let minute = Ranges::of((instant - 7 * SECOND, instant + 53 * SECOND - 1));
        assert_eq!(found(Operator::Contains, "2019-03-04T05:06"), Some(minute));
    }

    #[test]
    fn words_are_days() {
        for (words, day) in [
            ("today", "2026-11-24"),
            ("Yesterday", "2026-11-23"),
            ("3 days ago", "2026-11-21"),
            ("a week ago", "2026-11-17"),
            ("last month", "2026-10-24"),
            ("2 years ago", "2024-11-24"),
        ] {
            assert_eq!(
                found(Operator::Contains, words),
                found(Operator::Contains, day),
                "{words}"
            );
            assert!(depends_on_day(words));
        }
        for wrong in [
            "",
            "nonsense",
            "2019-13-01",
            "20190",
            "0000",
            "last",
            "ago",
            "5 ago",
            "x days ago",
            "4000000000 years ago",
            "99999999999 days ago",
            "2019-03-04T25:00",
        ] {
            assert_eq!(found(Operator::Contains, wrong), None, "{wrong}");
        }
    }
}
