//! What to say about a key that its table does not have: a similar one, or the table that the key belongs to.

use serde::de::DeserializeOwned;

use super::check::{CheckRule, ForbidRule};
use super::settings::FileSettings;
use super::tables::{ComponentTable, ProjectTable};
use super::{CheckConfig, ReleaseConfig};
use gitglot_checks::closest;

/// Returns the error of serde on a key that no table has.
type ErrorOfKey = fn() -> Option<String>;

/// Each table of a configuration file: where its keys are, and the error on a key that no table has.
const TABLES: [(&str, ErrorOfKey); 7] = [
    ("in [[project.component]]", error_of::<ComponentTable>),
    ("in [[project]]", error_of::<ProjectTable>),
    ("in [check]", error_of::<CheckConfig>),
    ("in [[check.rules]]", error_of::<CheckRule>),
    ("in [[check.forbid]]", error_of::<ForbidRule>),
    ("in [release]", error_of::<ReleaseConfig>),
    ("before all tables", error_of::<FileSettings>),
];

/// Tables whose keys are common words. Another table can have a similar key that is meant.
const TABLES_OF_RULES: [&str; 2] = ["in [[check.rules]]", "in [[check.forbid]]"];

/// Keys of tables with their headers.
const HEADERS: [(&str, &str); 5] = [
    ("project", "[[project]]"),
    ("component", "[[project.component]]"),
    ("check", "[check]"),
    ("release", "[release]"),
    ("people", "[people]"),
];

/// The message on an unknown key with the key that is meant in place of all keys of its table; `None` for other messages,
/// and if no key is similar. `problem` is the message of serde.
pub(super) fn suggestion(problem: &str) -> Option<String> {
    let own = quoted_names(problem)?;
    let (unknown, own) = own.split_first()?;
    let tables = TABLES.map(|(place, error)| (place, error().unwrap_or_default()));
    let tables = tables
        .iter()
        .map(|(place, error)| (*place, quoted_names(error).unwrap_or_default()));
    // The first name is the one that the error is about.
    let is_table = |name: &str| HEADERS.iter().any(|(table, _)| *table == name);
    let others: Vec<(&str, &str)> = tables
        .flat_map(|(place, names)| names.into_iter().skip(1).map(move |name| (place, name)))
        .filter(|(_, name)| !is_table(name))
        .collect();
    let places = others.iter().filter(|(_, name)| name == unknown);
    let places: Vec<&str> = places.map(|(place, _)| *place).collect();
    let of_places = || {
        let places = places.join(" or ");
        format!("unknown field `{unknown}`: its place is {places}")
    };
    if places.iter().any(|place| !TABLES_OF_RULES.contains(place)) {
        return Some(of_places());
    }
    if let Some(similar) = closest(unknown, own.iter().copied()) {
        return Some(format!(
            "unknown field `{unknown}`: did you mean `{similar}`?"
        ));
    }
    if !places.is_empty() {
        return Some(of_places());
    }
    let names = others.iter().map(|(_, name)| *name);
    // A part of a name, as in `release_notes`, says nothing about its table.
    let is_as_long = |table: &&str| table.len().abs_diff(unknown.len()) <= 1.max(unknown.len() / 3);
    let headers = HEADERS.iter().map(|(table, _)| *table).filter(is_as_long);
    let similar = closest(unknown, names.chain(headers))?;
    if let Some((_, header)) = HEADERS.iter().find(|(table, _)| *table == similar) {
        return Some(format!("unknown field `{unknown}`: did you mean {header}?"));
    }
    let (place, _) = others.iter().find(|(_, name)| *name == similar)?;
    Some(format!(
        "unknown field `{unknown}`: did you mean `{similar}`, {place}?"
    ))
}

/// The error on a key that no table has. It lists the keys of the table.
fn error_of<T: DeserializeOwned>() -> Option<String> {
    let error = toml::from_str::<T>("\"\" = 0").err()?;
    Some(error.message().to_owned())
}

/// The unknown key, then the keys of the table.
fn quoted_names(problem: &str) -> Option<Vec<&str>> {
    let names = problem.strip_prefix("unknown field ")?;
    Some(names.split('`').skip(1).step_by(2).collect())
}
