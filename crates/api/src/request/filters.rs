//! Filters of lists (docs/spec/http.md#filters). Names and meaning follow later Weblate versions, where these have them.

use std::ops::Range;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};

use crate::apis::Api;
use crate::request::pagination::RequestUrl;
use crate::request::python_int;
use crate::response::error::{ApiError, InvalidParameter};
use gitglot_catalog::query::{Filter, Selection, depends_on_day, parse, spend_check};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{
    ChangeView, CurrentChange, LogView, OnRequest, Snapshot, StringPart, UnitView, User,
};
use gitglot_checks::SourceChange;
use gitglot_model::{Action, ChangeId, Timestamp, UnitId, UserId};

pub(crate) struct UnitFilter {
    /// Identifies the filter.
    pub(crate) name: String,
    query: Filter,
    translated: Option<bool>,
    fuzzy: Option<bool>,
    stale: Option<SourceChange>,
}

impl UnitFilter {
    /// The filter of a request to an API; `None` without one.
    ///
    /// # Errors
    /// [`ApiError::BadFilter`].
    pub(crate) fn read<P: Api>(url: &RequestUrl) -> Result<Option<Self>, ApiError> {
        let mut filter = Self {
            name: String::new(),
            query: Filter::all(),
            translated: None,
            fuzzy: None,
            stale: None,
        };
        if url.query.is_empty() {
            return Ok(None);
        }
        let has_state_filters = P::PROFILE.envelope().has_state_filters;
        for (name, value) in url.pairs() {
            match &*name {
                "q" => {
                    let now = Utc::now();
                    filter.query = query::<P>(&value, now)?;
                    if depends_on_day(&value) {
                        named(&mut filter.name, "day", &now.date_naive().to_string());
                    }
                }
                _ if !has_state_filters => continue,
                "translated" => filter.translated = Some(yes_or_no(&name, &value)?),
                "fuzzy" => filter.fuzzy = Some(yes_or_no(&name, &value)?),
                "stale" => filter.stale = Some(stale(&name, &value)?),
                _ => continue,
            }
            named(&mut filter.name, &name, &value);
        }
        let wants_all = filter.query.is_all()
            && filter.translated.is_none()
            && filter.fuzzy.is_none()
            && filter.stale.is_none();
        Ok((!wants_all).then_some(filter))
    }

    /// Starts a scan; the returned function returns whether a unit matches.
    pub(crate) fn scan<'a>(
        &'a self,
        users: &'a [User],
        budget: &'a Budget,
    ) -> impl FnMut(UnitView<'a>) -> bool {
        let mut selection = Selection::new(&self.query, users, budget);
        move |view| {
            self.translated
                .is_none_or(|wanted| wanted == view.unit.translated())
                && self.fuzzy.is_none_or(|wanted| wanted == view.unit.fuzzy())
                && self.stale.is_none_or(|wanted| {
                    view.unit.fuzzy()
                        && spend_check(budget, view)
                        && view.source_change() == Some(wanted)
                })
                && selection.selects(view)
        }
    }
}

/// The query of a request that selects the strings of a file; `None` without one.
///
/// # Errors
/// [`ApiError::BadFilter`] and [`ApiError::Invalid`].
pub(crate) fn file_query<P: Api>(url: &RequestUrl) -> Result<Option<Filter>, ApiError> {
    let text = url.value("q");
    text.map(|text| query::<P>(&text, Utc::now())).transpose()
}

/// A query in the dialect of an API, with errors in the words of its Weblate.
fn query<P: Api>(text: &str, now: DateTime<Utc>) -> Result<Filter, ApiError> {
    let now = Timestamp(now.timestamp_micros());
    parse(text, P::DIALECT, now).map_err(|error| P::query_error(&error))
}

/// Selects entries of a log.
#[derive(Default)]
pub(crate) struct ChangeFilter {
    /// Identifies the filter.
    pub(crate) name: String,
    id_after: Option<u32>,
    after: Option<Timestamp>,
    before: Option<Timestamp>,
    /// Any of these. Unknown actions match nothing.
    actions: Option<Vec<Action>>,
    /// `Some(None)`, an unknown user, matches nothing.
    user: Option<Option<UserId>>,
    /// Any of these actions of current Weblate.
    codes: Option<Vec<u8>>,
    /// Entries with the account of current Weblate, or none.
    account: Option<bool>,
    pub(crate) unit: Option<UnitId>,
    /// Whether a unit has the entries of its older keys, and none of strings that had its key before.
    follows_renames: bool,
    /// The records that are listed like entries.
    pub(crate) on_request: OnRequest,
    /// The entries of the unit while other components had its string, and the code of its language.
    elsewhere: Vec<StringPart>,
    language: String,
}

impl ChangeFilter {
    /// The filter of a request of the current API (docs/spec/current-api.md#changes).
    ///
    /// # Errors
    /// [`ApiError::Invalid`] with all invalid parameters.
    pub(crate) fn read_current(url: &RequestUrl) -> Result<Self, ApiError> {
        let (mut filter, mut errors) = (Self::default(), Vec::new());
        for (name, value) in url.pairs() {
            match &*name {
                "action" => {
                    let code: Option<u8> = value.parse().ok();
                    let known = code.filter(|code| CURRENT_ACTIONS.contains(code));
                    match known {
                        Some(code) => filter.codes.get_or_insert_default().push(code),
                        None => {
                            let detail = format!(
                                "Select a valid choice. {value} is not one of the available choices."
                            );
                            errors.push(InvalidParameter::new("action", "invalid_choice", detail));
                        }
                    }
                }
                "timestamp_after" | "timestamp_before" if value.is_empty() => {}
                "timestamp_after" | "timestamp_before" => match time(&name, &value) {
                    Ok(time) if name == "timestamp_after" => filter.after = Some(time),
                    Ok(time) => filter.before = Some(time),
                    Err(_) => {
                        let detail = "Enter a valid date/time.";
                        errors.push(InvalidParameter::new("timestamp", "invalid", detail));
                    }
                },
                // Every entry with an account has the same one.
                "user" if !value.is_empty() => filter.account = Some(value == CURRENT_ACCOUNT),
                _ => continue,
            }
            named(&mut filter.name, &name, &value);
        }
        // Weblate reports both times as one, after actions.
        errors.sort_by_key(|error: &InvalidParameter| error.name == "timestamp");
        errors.dedup_by(|a, b| (a.name, b.name) == ("timestamp", "timestamp"));
        if errors.is_empty() {
            Ok(filter)
        } else {
            Err(ApiError::Invalid(errors))
        }
    }

    /// The filter of a request.
    ///
    /// # Errors
    /// [`ApiError::BadFilter`].
    pub(crate) fn read(url: &RequestUrl, snapshot: &Snapshot) -> Result<Self, ApiError> {
        let mut filter = Self::default();
        if url.query.is_empty() {
            return Ok(filter);
        }
        for (name, value) in url.pairs() {
            match &*name {
                "id_after" => filter.id_after = Some(whole(&name, &value)?),
                "timestamp_after" => filter.after = Some(time(&name, &value)?),
                "timestamp_before" => filter.before = Some(time(&name, &value)?),
                "action" => {
                    let actions = filter.actions.get_or_insert_default();
                    actions.extend(action(&name, &value)?);
                }
                "user" => {
                    let mut users = snapshot.users().iter();
                    let known = match python_int::number(&value) {
                        Some(id) => snapshot.user(UserId(id)),
                        None => users.find(|user| *user.username == *value),
                    };
                    filter.user = Some(known.map(|user| user.id));
                }
                "unit" => filter.unit = Some(UnitId(whole(&name, &value)?)),
                "removed" => filter.on_request.removed = yes_or_no(&name, &value)?,
                "states" => filter.on_request.states = yes_or_no(&name, &value)?,
                "follow" if value == "renames" => filter.follows_renames = true,
                "follow" => return Err(bad(&name, &format!("'{value}' is not `renames`"))),
                _ => continue,
            }
            named(&mut filter.name, &name, &value);
        }
        Ok(filter)
    }

    /// Restricts the filter to later entries.
    pub(crate) fn after(&mut self, id: ChangeId) {
        self.id_after = self.id_after.max(Some(id.0));
    }

    /// The range of a log that can match. In an ordered log it is found by binary search.
    pub(crate) fn range(&self, log: LogView<'_>) -> Range<usize> {
        let mut range = 0..log.len();
        if let Some(id) = self.id_after
            && log.is_by_id()
        {
            let is_later = |view: ChangeView<'_>| view.entry.id.0 > id;
            range.start = first(&range, |at| log.get(at).is_none_or(is_later));
        }
        if log.is_by_time() {
            if let Some(after) = self.after {
                let is_later = |view: ChangeView<'_>| view.entry.time >= after;
                range.start = first(&range, |at| log.get(at).is_none_or(is_later));
            }
            if let Some(before) = self.before {
                let is_later = |view: ChangeView<'_>| view.entry.time > before;
                range.end = first(&range, |at| log.get(at).is_none_or(is_later));
            }
        }
        range
    }

    /// Whether entries in the range have to be checked one by one.
    pub(crate) fn needs_check(&self, log: LogView<'_>) -> bool {
        self.actions.is_some()
            || self.user.is_some()
            || self.unit.is_some()
            || (self.id_after.is_some() && !log.is_by_id())
            || ((self.after.is_some() || self.before.is_some()) && !log.is_by_time())
    }

    /// Whether a filter of the current API selects anything.
    pub(crate) fn selects_rows(&self) -> bool {
        self.codes.is_some()
            || self.account.is_some()
            || self.after.is_some()
            || self.before.is_some()
    }

    /// Whether an entry of the current API matches.
    pub(crate) fn matches_row(&self, row: &CurrentChange<'_>) -> bool {
        let time = row.view.entry.time;
        self.after.is_none_or(|after| time >= after)
            && self.before.is_none_or(|before| time <= before)
            && (self.codes.as_ref()).is_none_or(|codes| codes.contains(&row.action))
            && (self.account).is_none_or(|wanted| wanted && row.has_account)
    }

    pub(crate) fn matches(&self, view: ChangeView<'_>) -> bool {
        let entry = &view.entry;
        self.id_after.is_none_or(|id| entry.id.0 > id)
            && self.after.is_none_or(|after| entry.time >= after)
            && self.before.is_none_or(|before| entry.time <= before)
            && (self.actions.as_ref()).is_none_or(|actions| actions.contains(&entry.action))
            && (self.user).is_none_or(|user| user.is_some_and(|id| view.user() == Some(id.0)))
            && self.unit.is_none_or(|id| {
                let unit = if self.follows_renames {
                    view.unit_of_string()
                } else {
                    view.unit()
                };
                unit.is_some_and(|view| view.unit.id == id)
                    || (self.elsewhere.iter()).any(|part| part.has(&view, &self.language))
            })
    }

    /// Adds the entries of a unit in other components, if the filter asks for them. Returns whether there are any.
    pub(crate) fn follow(&mut self, snapshot: &Snapshot, id: UnitId) -> bool {
        if let Some(unit) = snapshot.unit(id).filter(|_| self.follows_renames) {
            self.elsewhere = StringPart::all_of(snapshot, unit);
            self.language = unit.translation.language.code.to_string();
        }
        !self.elsewhere.is_empty()
    }
}

/// The name of the account that updates of the repository have in current Weblate.
pub(crate) const CURRENT_ACCOUNT: &str = "weblate:update";

/// The numbers of the actions of current Weblate.
const CURRENT_ACTIONS: std::ops::RangeInclusive<u8> = 0..=104;

/// The first position of a range from which on a condition is true.
fn first(range: &Range<usize>, is_match: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_match(middle) {
            high = middle
        } else {
            low = middle + 1
        }
    }
    low
}

fn named(out: &mut String, name: &str, value: &str) {
    out.extend([name, "=", value, "\n"]);
}

fn bad(name: &str, problem: &str) -> ApiError {
    ApiError::BadFilter([name, ": ", problem].concat())
}

/// A number in a parameter or header with this name.
///
/// # Errors
/// [`ApiError::BadFilter`].
pub(crate) fn whole(name: &str, value: &str) -> Result<u32, ApiError> {
    // A number that no id reaches matches nothing.
    let number = python_int::int(value).filter(|number| *number >= 0);
    let number =
        number.ok_or_else(|| bad(name, &format!("'{value}' is not a non-negative integer")))?;
    Ok(number.try_into().unwrap_or(u32::MAX))
}

/// The action with a number or a name; `None` for a number without an action.
fn action(name: &str, value: &str) -> Result<Option<Action>, ApiError> {
    let all = || Action::ALL.into_iter().chain(Action::ON_REQUEST);
    if let Ok(code) = whole(name, value) {
        return Ok(all().find(|action| u32::from(action.code()) == code));
    }
    let plain = |text: &str| text.replace(['-', '_'], " ").to_ascii_lowercase();
    let found = all().find(|action| plain(action.label()) == plain(value));
    let reason = || format!("'{value}' is neither the number nor the name of an action");
    found.map(Some).ok_or_else(|| bad(name, &reason()))
}

fn stale(name: &str, value: &str) -> Result<SourceChange, ApiError> {
    let reason =
        || format!("'{value}' is not a class of stale strings: use cosmetic, minor or major");
    SourceChange::from_id(value).ok_or_else(|| bad(name, &reason()))
}

fn yes_or_no(name: &str, value: &str) -> Result<bool, ApiError> {
    match value {
        "true" | "True" | "1" => Ok(true),
        "false" | "False" | "0" => Ok(false),
        _ => Err(bad(name, &format!("'{value}' is neither true nor false"))),
    }
}

/// A time in ISO 8601; UTC without an offset, midnight for a date.
fn time(name: &str, value: &str) -> Result<Timestamp, ApiError> {
    let with_offset = |text: &str| DateTime::parse_from_rfc3339(text).map(|time| time.to_utc());
    let found = with_offset(value)
        // A `+` that was not escaped has become a space.
        .or_else(|_| with_offset(&value.replace(' ', "+")))
        .or_else(|_| {
            NaiveDateTime::parse_from_str(value, "%Y-%m-%dT%H:%M:%S%.f").map(|time| time.and_utc())
        })
        .or_else(|_| {
            NaiveDate::parse_from_str(value, "%Y-%m-%d")
                .map(|day| day.and_time(NaiveTime::MIN).and_utc())
        });
    let reason = || format!("'{value}' is not a time: use a value such as 2019-03-04T05:06:07Z");
    let found = found.map_err(|_| bad(name, &reason()))?;
    Ok(Timestamp(found.timestamp_micros()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_the_usual_spellings() {
        let read = |value| time("t", value).map(|moment| moment.0);
        for value in [
            "2019-03-04T05:06:07Z",
            "2019-03-04T06:06:07+01:00",
            "2019-03-04T06:06:07 01:00",
            "2019-03-04T05:06:07",
        ] {
            assert_eq!(read(value), Ok(1_551_675_967_000_000), "{value}");
        }
        assert_eq!(
            read("2019-03-04T05:06:07.000070Z"),
            Ok(1_551_675_967_000_070)
        );
        assert_eq!(read("2019-03-04"), Ok(1_551_657_600_000_000));
        for value in ["", "yesterday", "2019-13-01", "1551675967"] {
            assert!(read(value).is_err(), "{value}");
        }
    }

    #[test]
    fn a_range_is_cut_at_its_first_match() {
        assert_eq!(first(&(0..10), |at| at >= 7), 7);
        assert_eq!(first(&(3..10), |_| true), 3);
        assert_eq!(first(&(3..10), |_| false), 10);
    }
}
